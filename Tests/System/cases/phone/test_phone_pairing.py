"""Only a person at the unit can pair a phone."""

from __future__ import annotations

import pytest

from car import accept, answer, bonded, car, open_window, json_matches, pair, wait_for_phones
from phone import Refused


def test_pairing_confirmed_on_both_sides_survives_a_power_cut(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    assert not phone.finds_unit(), "the unit is discoverable with a closed window"
    open_window(unit)
    assert phone.finds_unit()
    shown = []
    phone.pair(confirm=lambda number: shown.append(number) or accept(unit, number))
    phone.wait_until_connected()
    assert len(shown) == 1 and len(shown[0]) == 6
    assert bonded(unit) == [phone.address]
    assert phone.press("play")
    phone.disconnect()

    unit.cut_power()
    unit.boot_again()
    wait_for_phones(unit)
    assert bonded(unit) == [phone.address]
    phone.connect()  # with the stored key, which requires no confirmation
    phone.wait_until_connected()
    assert phone.press("pause")
    assert unit.failed_units() == []


def test_pairing_rejected_on_either_side_leaves_no_bond(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    open_window(unit)
    with pytest.raises(Refused):
        phone.pair(confirm=lambda number: answer(unit, number, "reject"))
    assert bonded(unit) == [] and not phone.is_connected()
    phone.disconnect()

    open_window(unit)
    with pytest.raises(Refused):
        phone.pair(confirm=lambda number: unit.wait_until(json_matches("bt phones", number)) or False)
    unit.wait_until(json_matches("bt phones", '"request": null'))  # the unit shows no request any more
    assert bonded(unit) == [] and not phone.is_connected()


def test_pairing_with_a_closed_window_is_rejected(boot, radio):
    unit = car(boot, radio)
    for phone in (unit.phone(1), unit.phone(2, shows_numbers=False)):
        with pytest.raises(Refused):
            phone.pair()
    assert bonded(unit) == []
    # The unit accepts connections from a bonded phone, but from no other device.
    bonded_phone = unit.phone(3)
    pair(unit, bonded_phone)
    unit.console("bt pair off")
    unit.wait_until(json_matches("bt", '"pairable": "no"'))
    unknown_phone = unit.phone(4)
    with pytest.raises(Refused):
        unknown_phone.pair()
    assert bonded(unit) == [bonded_phone.address]
    # Unless configured otherwise, the unit rejects a device that shows no number, even in the window.
    open_window(unit)
    with pytest.raises(Refused):
        phone.pair()
    assert bonded(unit) == [bonded_phone.address]
    unit.console("bt pair off")
    unit.wait_until(json_matches("bt", '"discoverable": "no"'))
    assert not phone.finds_unit()


def test_forgotten_phone_must_pair_again(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    unit.console(f"bt forget {phone.address}")
    phone.wait_until_disconnected()
    assert bonded(unit) == []
    with pytest.raises(Refused):
        phone.connect()
    phone.disconnect()
    phone.forget_unit()
    pair(unit, phone)
    assert bonded(unit) == [phone.address]

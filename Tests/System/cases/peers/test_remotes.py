"""The unit finds and pairs remotes that do not connect by themselves. Then the remotes work."""

from __future__ import annotations

import pytest

from car import (accept, bonded, car, json_matches, title, wait_for, wait_for_phones, wait_for_title)
from headunit import HeadUnit


IS_BONDED, IS_CONNECTED = '"isBonded": true', '"isConnected": true'


def find(unit: HeadUnit, name: str) -> None:
    unit.console("bt find")
    unit.wait_until(f"autoharp console bt phones | grep -q '{name}'")


@pytest.mark.parametrize("low_energy", [False, True])
def test_remote_is_found_and_paired_and_reconnects_after_a_power_cut(boot, radio, low_energy):
    radio.low_energy = low_energy
    unit = car(boot, radio, pair_without_number="yes")
    remote = unit.remote(low_energy)
    find(unit, remote.name)
    assert remote.name in [device["name"] for device in unit.ask("bt phones")["found"]]
    unit.console(f"bt add {remote.name}")
    unit.wait_for_console("keys", remote.name)
    assert bonded(unit) == [remote.address]
    remote.press("play_pause")
    wait_for(unit, "playing")
    remote.press("next")
    wait_for_title(unit, 2)
    before = unit.ask("now")["volume"]
    remote.press("quieter")
    unit.wait_until(f"! autoharp console --json now | grep -q '\"volume\": {before}'")

    unit.cut_power()
    unit.boot_again()
    wait_for_phones(unit)
    assert bonded(unit) == [remote.address]
    remote.connect()
    unit.wait_for_console("keys", remote.name)
    state = unit.status()
    remote.press("play_pause")
    unit.wait_until(f"! {json_matches('now', state)}")
    assert unit.failed_units() == []


def test_keys_that_appear_after_the_pairing_are_connected_with_bt_connect(boot, radio):
    unit = car(boot, radio, pair_without_number="yes")
    remote = unit.remote()
    remote.hide_keys()
    find(unit, remote.name)
    unit.console(f"bt add {remote.name}")
    assert bonded(unit) == [remote.address]
    assert "is not a controller" in unit.console(f"bt connect {remote.name}")
    remote.show_keys()
    remote.disconnect()
    unit.wait_until(json_matches("bt phones", '"isConnected": false'))
    assert "is connected" in unit.console(f"bt connect {remote.name}")
    unit.wait_for_console("keys", remote.name)
    # A press directly after the connection can be lost, because bluetoothd drops reports until the kernel has started
    # the new device. No event shows this moment. A person would press again, too.
    for _ in range(20):
        remote.press("quieter")
        if unit.ask("bt phones")["phones"][0]["hasPressedKey"]:
            break
    assert unit.ask("bt phones")["phones"][0]["hasPressedKey"]
    remote.press("play_pause")
    wait_for(unit, "playing")


@pytest.mark.parametrize("low_energy", [False, True])
def test_remote_without_a_number_is_rejected_unless_configured(boot, radio, low_energy):
    radio.low_energy = low_energy
    unit = car(boot, radio)
    remote = unit.remote(low_energy)
    find(unit, remote.name)
    unit.console(f"bt add {remote.name}")
    unit.wait_for_log("bluetooth.pairing-failed", "pair-without-number")
    unit.wait_until(f"! {json_matches('bt phones', IS_BONDED)}")
    assert bonded(unit) == []
    unit.wait_until(f"! {json_matches('bt phones', IS_CONNECTED)}")
    # Discovery ends when the pairing window is closed.
    unit.console("bt find")
    unit.wait_until(json_matches("bt", '"searches for devices": "yes"'))
    unit.console("bt pair off")
    unit.wait_until(json_matches("bt", '"searches for devices": "no"'))


def test_discoverable_phone_is_paired_from_the_unit_and_connected(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    phone.become_discoverable()
    find(unit, phone.name)
    unit.shell(f"autoharp console bt add '{phone.name}' >/run/added 2>&1 </dev/null &")
    unit.wait_until(json_matches("bt phones", '"passkey": "'))
    number = unit.ask("bt phones")["request"]["passkey"]
    accept(unit, number)
    phone.wait_until_connected()
    assert bonded(unit) == [phone.address]
    assert phone.press("play")
    wait_for(unit, "playing")
    assert phone.metadata()["title"] == title(1)

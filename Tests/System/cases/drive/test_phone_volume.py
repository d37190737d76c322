"""The phone and the unit have one common volume, and the music never becomes loud by itself."""

from __future__ import annotations

import time

from car import car, json_matches, pair, wait_for
from driving import SECOND
from headunit import HeadUnit
from machine import TIMEOUT
from sound import noise
from source_phone import SourcePhone

MAXIMUM = 60  # per cent, the setting start-volume-maximum
STEPS = 127  # the steps of AVRCP


def step(percent: float) -> int:
    return round(percent * STEPS / 100)


def percent(number: int) -> float:
    """The percentage that the unit shows for a step of AVRCP."""
    return int(1000 * number / STEPS + 0.5) / 10


def unit_with_phone(boot, radio) -> tuple[HeadUnit, SourcePhone]:
    unit = car(boot, radio, music={}, start_volume_maximum=f"{MAXIMUM} %")
    unit.console("volume 40")
    phone = SourcePhone.near(radio, unit=unit, opens_sound_first=True)
    pair(unit, phone)
    return unit, phone


def wait_until_told(phone: SourcePhone, number: int) -> None:
    """Waits until the phone shows this step."""
    phone.wait_for(lambda: phone.current.get("VOLUME_CHANGED") == number)


def wait_for_volume(unit: HeadUnit, number: int) -> None:
    unit.wait_until(json_matches("now", f'"volume": {percent(number)},'))


def let_the_connection_end(unit: HeadUnit) -> None:
    """Waits until the unit obeys the volume of the phone, which it does not do for two seconds after a connection. No
    event reports the end of this time."""
    unit.shell("sleep 3")


def loudness(unit: HeadUnit) -> int:
    """The loudest sample of the last half second."""
    heard = unit.sound()
    return max(map(abs, heard[len(heard) - SECOND // 2 :].samples()))


def test_volume_keys_of_the_phone_and_the_unit_change_one_volume(boot, radio):
    """A driver presses the volume keys of the phone, and the music becomes quieter. The driver changes the volume
    at the unit, and the phone shows it. The coarse steps of the phone do not change the fine level of the unit."""
    unit, phone = unit_with_phone(boot, radio)
    wait_until_told(phone, step(40))
    phone.load(noise(5, seed=31), repeats=True)
    phone.play()
    wait_for(unit, "playing")
    unit.wait_for_sound(2 * SECOND)
    let_the_connection_end(unit)
    loud = loudness(unit)
    phone.set_volume(20)
    wait_for_volume(unit, 20)
    deadline = time.monotonic() + TIMEOUT
    while not 0 < loudness(unit) < loud / 2:
        assert time.monotonic() < deadline, f"the music is as loud as before: {loudness(unit)}, {loud}"
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows

    # A phone uses only 15 of the values from 0 to 127, such as 51 and 59. If the unit sends 55 or 56, the phone shows
    # its nearest step and sends this step back.
    for level, coarse in [(43, 51), (44, 59)]:
        unit.console(f"volume {level}")
        wait_until_told(phone, step(level))
        phone.set_volume(coarse)
        unit.shell("sleep 1")  # the level must stay, and no event reports this
        assert unit.ask("now")["volume"] == level
    # The unit has sent no further level after these coarse steps. A later press of a volume key of the phone changes
    # the volume.
    assert phone.current["VOLUME_CHANGED"] == step(44)
    phone.set_volume(68)
    wait_for_volume(unit, 68)


def test_level_of_a_connecting_phone_and_a_jump_do_not_make_the_unit_loud(boot, radio):
    """If a phone jumps to its maximum, the unit becomes at most as loud as at a start. A phone that connects sends the
    level of its last connection, and gets the level of the unit."""
    unit, phone = unit_with_phone(boot, radio)
    let_the_connection_end(unit)
    limit = step(MAXIMUM)
    # The second jump begins at the limit, so the level stays.
    for _ in range(2):
        phone.forget_events()
        phone.set_volume(STEPS)
        phone.wait_for_event("volume_changed", limit)
        assert unit.ask("now")["volume"] == percent(limit) <= MAXIMUM

    phone.disconnect()
    phone.wait_until_disconnected()
    phone.connect()
    # The first level is quieter. The second level is louder, but too close to the present level to be a jump.
    for pushed in (20, limit + 12):
        phone.forget_events()
        phone.set_volume(pushed)
        phone.wait_for_event("volume_changed", limit)
        assert unit.ask("now")["volume"] == percent(limit)
    let_the_connection_end(unit)
    phone.set_volume(70)
    wait_for_volume(unit, 70)

"""Each press of a key of a phone acts exactly once."""

from __future__ import annotations

import pytest

from car import LENGTH, album, car, json_matches, pair, wait_for, wait_for_title
from phone import Phone, Refused
from radio import UNIT_ADDRESS


def test_phone_key_runs_its_command(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    for key, status in [("play", "playing"), ("pause", "paused"), ("play", "playing")]:
        assert phone.press(key)
        wait_for(unit, status)
    assert phone.press("play")  # some phones send PLAY twice, so a second PLAY must have no effect
    assert unit.status() == "playing"
    assert phone.press("pause")
    assert phone.press("forward")
    wait_for_title(unit, 2)
    assert phone.press("backward")  # at the start of a track, this key goes to the previous track
    wait_for_title(unit, 1)
    before = unit.ask("now")["volume"]
    assert phone.press("volume_down")
    unit.wait_until(f"! autoharp console --json now | grep -q '\"volume\": {before}'")
    quieter = unit.ask("now")["volume"]
    assert quieter < before
    assert phone.press("volume_up")
    unit.wait_until(f"! autoharp console --json now | grep -q '\"volume\": {quieter}'")
    assert unit.ask("now")["volume"] == before
    for muted in ("true", "false"):
        assert phone.press("mute")
        unit.wait_until(json_matches("now", f'"isMuted": {muted}'))
        unit.shell("sleep 1")  # without this pause, the second press would be merged with the first press
    assert phone.press("stop")
    wait_for(unit, "stopped")
    assert not phone.press("eject"), "a key without a function was accepted"


def test_absolute_volume_is_refused_without_category_2_so_the_phone_uses_its_keys(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    phone.wait_for(lambda: "TRACK_CHANGED" in phone.current)
    with pytest.raises(Refused):
        phone.set_volume(64)
    assert "VOLUME_CHANGED" not in phone.current
    before = unit.ask("now")["volume"]
    assert phone.press("volume_down")
    unit.wait_until(f"! autoharp console --json now | grep -q '\"volume\": {before}'")


def test_key_of_an_input_device_is_attributed_by_address(boot, radio):
    unit = car(boot, radio)
    twins = [Phone.near(radio, number, name="Twin") for number in (1, 2)]
    for phone in twins:
        pair(unit, phone)
    devices = unit.shell("cat /proc/bus/input/devices").lower()
    for phone in twins:
        assert f"p: phys={UNIT_ADDRESS}/{phone.address}".lower() in devices
    # This key arrives only through an input device, and the input devices of both phones have the same name. So only
    # the address shows which phone has sent the key.
    assert twins[1].press("volume_down")
    unit.wait_until(json_matches("bt phones", '"hasPressedKey": true'))
    pressed = [phone["address"] for phone in unit.ask("bt phones")["phones"] if phone["hasPressedKey"]]
    assert pressed == [twins[1].address]


def test_automatic_play_of_a_connecting_phone_is_ignored(boot, radio):
    unit = car(boot, radio, play_on_connect="ignore")
    phone = unit.phone()
    pair(unit, phone)
    phone.disconnect()
    phone.wait_until_disconnected()
    phone.connect()
    phone.press("play")
    unit.wait_for_log("bluetooth.play-ignored")
    assert unit.status() == "stopped"
    unit.shell("sleep 3")
    phone.press("play")
    wait_for(unit, "playing")


def test_phone_key_within_two_seconds_of_a_held_key_acts_once(boot, radio):
    # While bluetoothd waits for the release of a key, it sends PLAY and PAUSE to the phone's input device and
    # not to the player.
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    phone.key("volume_down", True)
    assert phone.press("play")
    wait_for(unit, "playing")
    assert phone.press("forward")
    wait_for_title(unit, 2)
    phone.key("volume_down", False)
    assert phone.press("pause")
    wait_for(unit, "paused")
    assert unit.ask("now")["title"] == "Title 2", "a press acted twice"


def test_held_phone_key_seeks_until_release(boot, radio):
    # While a key is held, the phone reports the key each second. Two seconds after the last report, the key
    # counts as released.
    unit = car(boot, radio, album(300))
    phone = unit.phone()
    pair(unit, phone)
    phone.press("play")
    wait_for(unit, "playing")
    unit.console("seek 1:40")
    for key, status, direction in [("fast_forward", "seekingForward", 1), ("rewind", "seekingBackward", -1)]:
        before, start = unit.ask("now")["elapsed"], unit.uptime()

        def play_for_a_second() -> None:
            wait_for(unit, status)
            unit.shell("sleep 1")

        phone.hold(key, 4, play_for_a_second)
        wait_for(unit, "playing")
        moved, passed = unit.ask("now")["elapsed"] - before, unit.uptime() - start
        # The position moves further than by normal playback in the same time.
        assert moved - passed > 4 if direction > 0 else moved < -4, (key, moved, passed)
    assert unit.ask("now")["title"] == "Title 1"


def test_flood_of_phone_keys_leaves_both_daemons_running(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    phone.press("play")
    wait_for(unit, "playing")
    pid = unit.shell("systemctl show --property=MainPID --value autoharp.service bluetooth.service")
    assert phone.flood("pause", 5_000) == 5_000
    assert phone.flood("play", 5_000) == 5_000
    wait_for(unit, "playing")
    again = unit.shell("systemctl show --property=MainPID --value autoharp.service bluetooth.service")
    assert again == pid, "a daemon was restarted"
    assert unit.failed_units() == []
    assert phone.press("pause")
    wait_for(unit, "paused")
    assert phone.metadata()["playing_time"] == str(LENGTH * 1000)

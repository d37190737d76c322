"""After power cuts, lost links and a crash of bluetoothd, the phone is connected again."""

from __future__ import annotations

import pytest

from car import LENGTH, car, json_matches, pair, title, wait_for, wait_for_phones
from daemon import on_data
from headunit import HeadUnit
from phone import Phone
from sound import difference, flac, noise, silence


def unit_with_lost_phone(boot, radio) -> tuple[HeadUnit, Phone]:
    """A unit, and a phone that was paired and connected and then went out of range."""
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    phone.leave_range()
    phone.wait_until_disconnected()
    return unit, phone


def test_unit_reconnects_after_a_lost_link_and_after_a_power_cut(boot, radio):
    unit, phone = unit_with_lost_phone(boot, radio)
    phone.return_to_range()
    phone.wait_until_connected()  # the unit connects, because the phone does not
    assert phone.press("play")
    wait_for(unit, "playing")

    unit.cut_power()
    phone.wait_until_disconnected()
    unit.boot_again()
    phone.wait_until_connected(timeout=600)
    assert phone.metadata()["title"] == title(1)
    assert phone.press("pause")
    wait_for(unit, "paused")


def test_phone_that_refuses_repeatedly_is_suspended_until_it_connects(boot, radio):
    unit, phone = unit_with_lost_phone(boot, radio)
    phone.reject_avrcp_channels()
    phone.return_to_range()
    # The phone refuses three attempts of the unit. The first attempt follows the lost link. The first and the
    # second attempt each make a short link, and the next attempt follows the end of this short link.
    unit.wait_for_log("bluetooth.connecting-ended")
    unit.wait_until(json_matches("bt phones", '"isConnected": false'))
    phone.connect()
    phone.wait_until_connected()
    assert phone.press("play")
    wait_for(unit, "playing")
    assert len(unit.logged("bluetooth.connecting-ended")) == 1


def test_phone_that_never_pressed_a_key_is_dialled_four_times_and_a_press_is_remembered(boot, radio):
    unit, phone = unit_with_lost_phone(boot, radio)
    unit.wait_for_log("bluetooth.connecting-ended", "has never pressed a key")
    phone.return_to_range()
    assert "no key pressed yet" in unit.console("bt phones")
    assert "suspended until it connects by itself" in unit.console("bt")
    phone.connect()
    phone.wait_until_connected()
    assert "no key pressed yet" in unit.console("status")
    assert phone.press("play")
    wait_for(unit, "playing")
    assert len(unit.logged("bluetooth.proven")) == 1
    assert "no key pressed yet" not in unit.console("status")

    # The saved state contains this phone in the field `controller`: the number 12, the length 17 in two bytes, and the
    # address.
    unit.wait_until(rf"tr '\014\021\000' nlz </data/autoharp/state | grep -q nlz{phone.address}")
    unit.cut_power()
    phone.wait_until_disconnected()
    unit.boot_again()
    phone.wait_until_connected(timeout=600)  # the unit connects, because the phone does not
    assert unit.ask("bt phones")["phones"][0]["hasPressedKey"]


def test_simultaneous_connections_are_dropped_by_bluez_and_retried(boot, radio):
    unit, phone = unit_with_lost_phone(boot, radio)
    phone.open_second_channel_next_time()
    phone.return_to_range()
    unit.wait_until("journalctl -b -u bluetooth | grep -q 'Refusing unexpected connect'")
    phone.wait_until_connected()
    unit.wait_until(json_matches("bt phones", '"isControlling": true'))
    assert phone.press("play")
    wait_for(unit, "playing")
    # The unit did not count the dropped connections as a refusal.
    assert unit.logged("bluetooth.connecting-ended") == []


def test_killed_bluetoothd_restarts_without_a_lost_frame(boot, radio):
    song = noise(LENGTH, seed=5)
    music = {"1.flac": flac(song), "2.flac": flac(silence(1))}
    for _ in range(3):
        unit = boot(radio=radio, data=on_data(music, play_on_connect="obey"))
        wait_for_phones(unit)
        phone = unit.phone()
        pair(unit, phone)
        unit.console("volume 100")
        phone.press("play")
        unit.wait_for_sound(3 * 44100)
        unit.shell("systemctl kill --signal=KILL bluetooth.service")
        unit.wait_until("test 2 = $(journalctl -b -u bluetooth | grep -c 'Player registered')")
        # The radio link can outlive bluetoothd. In this case, only the AVRCP channel is opened again.
        phone.wait_until_connected(timeout=600)
        assert phone.status() == "playing"
        wait_for(unit, "stopped")
        underruns = unit.logged("output.underrun")
        unit.switch_off()
        if not underruns:
            assert difference(song, unit.sound()) is None
            return
        phone.leave_range()
    pytest.skip("no result: the output had an underrun in each run, because the host is too busy")


def test_controller_that_is_removed_and_added_again_gets_the_player(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    unit.shell(f"systemctl restart btattach@{unit.image.emulator.radio_port}.service")
    phone.wait_until_disconnected()
    phone.wait_until_connected(timeout=600)
    assert phone.press("play")
    wait_for(unit, "playing")

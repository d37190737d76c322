"""The qualification cases of AVRCP for a target: a tester sends commands to the unit, and checks the answers."""

from __future__ import annotations

import struct
import time
from typing import Callable

from car import ALBUM, ARTIST, LENGTH, car, json_matches, pair, title, track, wait_for, wait_for_title
from headunit import HeadUnit
from machine import TIMEOUT
from qualification import Cases
from sound import flac, noise
from target_phone import (
    ABORT_CONTINUING, ACCEPTED, ALBUM as ALBUM_NAME, ARTIST as ARTIST_NAME, CHANGED, DURATION, GET_CAPABILITIES,
    GET_ELEMENT_ATTRIBUTES, GET_FOLDER_ITEMS, GET_PLAY_STATUS, GET_TOTAL_NUMBER_OF_ITEMS, INTERIM, NUMBER, REJECTED,
    REQUEST_CONTINUING, SET_ADDRESSED_PLAYER, STABLE, TITLE, TRACK_CHANGED, VOLUME_CHANGED,
)
from tester import CONTROL, Player, Reply, Tester, attributes

SET_ABSOLUTE_VOLUME, GENERAL_REJECT = 0x50, 0xA0
UNIT_INFO, SUBUNIT_INFO = 0x30, 0x31
COMPANY_ID = b"\x02"
STOPPED, PLAYING, PAUSED = 0, 1, 2
SINGLE, START, CONTINUE, END = range(4)
# Errors of AVRCP.
INVALID_COMMAND, INVALID_PARAMETER, SUCCESS, INVALID_PLAYER = b"\x00", b"\x01", b"\x04", b"\x11"
PLAYERS = b"\x00"  # the scope "media player list"
WHOLE_FRAME = 512  # the largest AV/C frame, in bytes
LONG = "Long " + "ä€𝄞" * 60
LONG_PATTERN = 'Long [^"]*'
# The features of the player with which BlueZ is qualified (TSPX_player_feature_bitmask).
FEATURES = bytes.fromhex("1FFAFFBBF3BFF9040800000000000000")
# The bits of FEATURES whose key has a function in the unit: the volume and the keys of a player.
WITH_FUNCTION = {37, 38, 39, 40, 41, 42, 44, 45, 47, 48}
KEYS = range(56)  # the bits of FEATURES that are keys
NAME = "Player"  # the name that BlueZ gives to a player without an identity


def get_attributes(tester: Tester, *wanted: int) -> Reply:
    """Requests these attributes of the track, or all attributes if no number is given."""
    numbers = b"".join(number.to_bytes(4) for number in wanted)
    return tester.ask(GET_ELEMENT_ATTRIBUTES, bytes(8) + bytes([len(wanted)]) + numbers)


def status_of(tester: Tester) -> int:
    reply = tester.ask(GET_PLAY_STATUS)
    assert (reply.code, len(reply.parameters)) == (STABLE, 9)
    return reply.parameters[8]


def players_of(tester: Tester) -> list[Player]:
    pdu, parameters = tester.browse(GET_FOLDER_ITEMS, PLAYERS + struct.pack(">IIB", 0, 9, 0))
    assert pdu == GET_FOLDER_ITEMS
    return Player.read_all(parameters)


def wait_for_volume(unit: HeadUnit, step: int) -> None:
    """Waits until the volume of the unit is this step of AVRCP (0 to 127)."""
    percent = step * 100 // 127
    unit.wait_until(json_matches("now", rf'"volume": \({percent}\|{percent + 1}\)[^0-9]'))


def wait_until(condition: Callable[[], bool]) -> None:
    """Waits until a condition on values that the tester reads is true. BlueZ gets a value later than the surfaces of
    the unit."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)  # polls, because the tester is not notified of what it only reads


def press(unit: HeadUnit, tester: Tester, key: str, status: str) -> None:
    assert tester.press(key), key
    wait_for(unit, status)


def test_cases_of_a_target(boot, radio):
    """A remote can rely on the answers of the unit: what it can do, what it plays, and how loud."""
    cases = Cases("test_cases_of_a_target")
    # The long track has the album and the artist of track 1, so that it follows track 1.
    long = flac(noise(LENGTH, seed=2),
                tags={"TITLE": LONG, "ARTIST": ARTIST, "ALBUM": ALBUM, "TRACKNUMBER": "2"})
    music = {"1.flac": track(1), "2.flac": long, "3.flac": track(3)}
    unit = car(boot, radio, music, phone_texts="whole", dial_phones="no")
    tester = Tester.near(radio, unit=unit, browsing=True)
    with cases("AVRCP/TG/CEC/BV-01-I"):
        pair(unit, tester)
        assert tester.opened_by_unit == 0
        unit.wait_until(json_matches("bt phones", '"isControlling": true'))
        assert status_of(tester) == STOPPED

    cases_of_configuration(cases, tester)
    cases_of_a_track(cases, unit, tester)
    cases_of_keys(cases, unit, tester)
    cases_of_players(cases, unit, tester)
    cases_of_the_volume(cases, unit, tester)

    with cases("AVRCP/TG/CRC/BV-01-I"):
        tester.release_control()
        unit.wait_until(json_matches("bt phones", '"isControlling": false'))
    with cases("AVRCP/TG/CRC/BV-02-I"):
        tester.disconnect()
        tester.wait_until_disconnected()
        tester.connect()
        tester.wait_until_connected()
        unit.wait_until(json_matches("bt phones", '"isControlling": true'))
        unit.console(f"bt disconnect {tester.address}")
        tester.wait_until_disconnected()
    assert unit.failed_units() == []
    assert unit.shell("systemctl show --property=NRestarts --value bluetooth.service") == "0"
    cases.check()


def cases_of_configuration(cases: Cases, tester: Tester) -> None:
    with cases("AVRCP/TG/ICC/BV-01-I"):
        answer = tester.ask_frame(bytes([1, 0xFF, UNIT_INFO]) + b"\xff" * 5)
        # The unit is an AV/C subunit of the type panel (9).
        assert (answer[:3], answer[3:5]) == (bytes([STABLE, 0xFF, UNIT_INFO]), b"\x07\x48")
    with cases("AVRCP/TG/ICC/BV-02-I"):
        answer = tester.ask_frame(bytes([1, 0xFF, SUBUNIT_INFO, 0x07]) + b"\xff" * 4)
        assert answer == bytes([STABLE, 0xFF, SUBUNIT_INFO]) + b"\x07\x48\xff\xff\xff"
    with cases("AVRCP/TG/CFG/BV-02-C"):
        reply = tester.ask(GET_CAPABILITIES, COMPANY_ID)
        assert (reply.code, reply.parameters.hex()) == (STABLE, "0201001958")
    with cases("AVRCP/TG/CFG/BI-01-C"):
        reply = tester.ask(GET_CAPABILITIES, b"\x7f")
        assert (reply.code, reply.parameters) == (REJECTED, INVALID_PARAMETER)
    with cases("AVRCP/TG/INV/BI-01-C"):
        reply = tester.ask(0xFF, kind=CONTROL)
        assert (reply.code, reply.parameters) == (REJECTED, INVALID_COMMAND)
    with cases("AVRCP/TG/INV/BV-02-C"):
        assert tester.browse(0xFF, b"") == (GENERAL_REJECT, INVALID_COMMAND)
    with cases("AVRCP/TG/NFY/BI-01-C"):
        reply = tester.register(0xFF)
        assert (reply.code, reply.parameters) == (REJECTED, INVALID_PARAMETER)


def cases_of_a_track(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    with cases("AVRCP/TG/MDI/BV-02-C"):
        for key, status, number in [("play", "playing", PLAYING), ("pause", "paused", PAUSED),
                                    ("stop", "stopped", STOPPED)]:
            press(unit, tester, key, status)
            wait_until(lambda: status_of(tester) == number)
    with cases("AVRCP/TG/MDI/BV-04-C"):
        reply = get_attributes(tester)
        assert (reply.code, reply.packet_type) == (STABLE, SINGLE)
        assert attributes(reply.parameters) == {
            TITLE: title(1), ARTIST_NAME: ARTIST, ALBUM_NAME: ALBUM, NUMBER: "1", DURATION: str(LENGTH * 1000)}
    with cases("AVRCP/TG/MDI/BV-05-C"):
        reply = get_attributes(tester, TITLE, DURATION)
        assert reply.code == STABLE
        assert attributes(reply.parameters) == {TITLE: title(1), DURATION: str(LENGTH * 1000)}
    press(unit, tester, "play", "playing")
    with cases("AVRCP/TG/NFY/BV-05-C"):
        assert selected(tester.register(TRACK_CHANGED)) == 0
    press(unit, tester, "pause", "paused")
    with cases("AVRCP/TG/NFY/BV-08-C"):
        assert selected(tester.register(TRACK_CHANGED)) == 0
    with cases("AVRCP/TG/NFY/BV-02-C"):
        assert selected(tester.register(TRACK_CHANGED)) == 0
        unit.console("next")
        assert selected(tester.wait_for_change(TRACK_CHANGED), CHANGED) == 0
        wait_for_title(unit, LONG_PATTERN)
    with cases("AVRCP/TG/RCR/BV-02-C"):
        reply = get_attributes(tester)
        assert (reply.packet_type, len(reply.parameters)) == (START, WHOLE_FRAME - 10)
        data = reply.parameters
        while reply.packet_type != END:
            reply = tester.ask(REQUEST_CONTINUING, bytes([GET_ELEMENT_ATTRIBUTES]), CONTROL)
            assert (reply.code, reply.pdu) == (STABLE, GET_ELEMENT_ATTRIBUTES)
            assert reply.packet_type in (CONTINUE, END) and 0 < len(reply.parameters) <= WHOLE_FRAME - 10
            data += reply.parameters
        found = attributes(data)
        assert (found[TITLE], found[ARTIST_NAME], found[ALBUM_NAME]) == (LONG, ARTIST, ALBUM)
    with cases("AVRCP/TG/RCR/BV-04-C"):
        assert get_attributes(tester).packet_type == START
        reply = tester.ask(ABORT_CONTINUING, bytes([GET_ELEMENT_ATTRIBUTES]), CONTROL)
        assert (reply.code, reply.pdu) == (ACCEPTED, ABORT_CONTINUING)
        reply = tester.ask(REQUEST_CONTINUING, bytes([GET_ELEMENT_ATTRIBUTES]), CONTROL)
        assert (reply.code, reply.parameters) == (REJECTED, INVALID_PARAMETER)
    unit.console("previous")
    wait_for_title(unit, 1)


def selected(reply: Reply, code: int = INTERIM) -> int:
    """The identifier of the track in the answer to a registration."""
    assert (reply.code, reply.parameters[0], len(reply.parameters)) == (code, TRACK_CHANGED, 9), reply
    return int.from_bytes(reply.parameters[1:])


def cases_of_keys(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    with cases("AVRCP/TG/PTT/BV-01-I"):
        for key, status in [("play", "playing"), ("pause", "paused"), ("play", "playing"), ("stop", "stopped"),
                            ("play", "playing")]:
            press(unit, tester, key, status)
        assert tester.press("forward")
        wait_for_title(unit, LONG_PATTERN)
        assert tester.press("backward")
        wait_for_title(unit, 1)
        press(unit, tester, "pause", "paused")
    with cases("AVRCP/TG/PTT/BV-02-I"):
        before = unit.ask("now")["volume"]
        assert tester.press("volume_down")
        unit.wait_until("! " + json_matches("now", f'"volume": {before}[^0-9]'))
        assert unit.ask("now")["volume"] < before
        assert tester.press("volume_up")
        unit.wait_until(json_matches("now", f'"volume": {before}[^0-9]'))


def cases_of_players(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    with cases("AVRCP/TG/MPS/BV-09-C", "AVRCP/TG/MPS/BV-01-I"):
        [player] = players_of(tester)
        assert (player.kind, player.status, player.name) == (1, PAUSED, NAME)
    with cases("AVRCP/TG/MPS/BV-06-C"):
        assert players_of(tester)[0].features == FEATURES
    with cases("AVRCP/TG/MPS/BV-12-C"):
        pdu, parameters = tester.browse(GET_TOTAL_NUMBER_OF_ITEMS, PLAYERS)
        assert (pdu, parameters[:1], parameters[3:]) == (GET_TOTAL_NUMBER_OF_ITEMS, SUCCESS, (1).to_bytes(4))
    number = players_of(tester)[0].number
    with cases("AVRCP/TG/MPS/BV-02-C"):
        reply = tester.ask(SET_ADDRESSED_PLAYER, number.to_bytes(2), CONTROL)
        assert (reply.code, reply.parameters[:1]) == (ACCEPTED, SUCCESS)
    with cases("AVRCP/TG/MPS/BI-01-C"):
        reply = tester.ask(SET_ADDRESSED_PLAYER, (number ^ 0x5A5A).to_bytes(2), CONTROL)
        assert (reply.code, reply.parameters) == (REJECTED, INVALID_PLAYER)
    with cases("AVRCP/TG/MPS/BV-02-I"):
        press(unit, tester, "play", "playing")
        press(unit, tester, "pause", "paused")
    # `cases_of_keys` shows that the keys in WITH_FUNCTION have an effect. bluetoothd announces 44 keys for each player,
    # also keys without a function. So BV-03-I fails.
    features = int.from_bytes(players_of(tester)[0].features, "little")
    announced = {bit for bit in KEYS if features >> bit & 1}
    assert announced > WITH_FUNCTION and len(announced) == 44
    with cases("AVRCP/TG/MPS/BV-03-I"):
        assert announced == WITH_FUNCTION


def cases_of_the_volume(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    unit.console("volume 50")
    tester.open_stream()
    # A new transport has the volume 127 until the unit has reported its own volume.
    wait_until(lambda: volume_in(tester.register(VOLUME_CHANGED)) == 64)
    # Wait, because for two seconds after the connection the unit answers a volume of the phone with its own volume.
    unit.shell("sleep 3")
    with cases("AVRCP/TG/VLH/BV-04-C", "AVRCP/TG/VLH/BV-01-I"):
        assert volume_in(tester.register(VOLUME_CHANGED)) == 64
        unit.console("volume 40")
        assert volume_in(tester.wait_for_change(VOLUME_CHANGED), CHANGED) == 51
        assert unit.ask("now")["volume"] == 40
    with cases("AVRCP/TG/VLH/BV-02-C", "AVRCP/TG/VLH/BV-02-I"):
        assert set_volume(tester, b"\x3c") == (ACCEPTED, b"\x3c")
        wait_for_volume(unit, 0x3C)
        assert volume_in(tester.register(VOLUME_CHANGED)) == 0x3C
    with cases("AVRCP/TG/VLH/BI-01-C"):
        code, _ = set_volume(tester, b"")
        assert code == REJECTED
        assert volume_in(tester.register(VOLUME_CHANGED)) == 0x3C
    with cases("AVRCP/TG/VLH/BI-02-C"):
        assert set_volume(tester, b"\xb0") == (ACCEPTED, b"\x30")
        wait_for_volume(unit, 0x30)


def set_volume(tester: Tester, volume: bytes) -> tuple[int, bytes]:
    reply = tester.ask(SET_ABSOLUTE_VOLUME, volume, CONTROL)
    return reply.code, reply.parameters


def volume_in(reply: Reply, code: int = INTERIM) -> int:
    """The volume in the answer to a registration."""
    assert (reply.code, reply.parameters[0], len(reply.parameters)) == (code, VOLUME_CHANGED, 2), reply
    return reply.parameters[1]

"""If a phone answers incorrectly, bluetoothd continues to run and shows usable data on D-Bus."""

from __future__ import annotations

import json
import struct
from typing import Callable

import pytest

from car import album, on_data, pair
from headunit import HeadUnit
from target_phone import (
    ABORT_CONTINUING, ADDRESSED_PLAYER_CHANGED, ALBUM, ARTIST, CHANGED, DURATION, GET_CURRENT_VALUE,
    GET_FOLDER_ITEMS, GET_ITEM_ATTRIBUTES, INTERIM, LIST_ATTRIBUTES, NOW_PLAYING_CHANGED,
    PLAYERS_CHANGED, POSITION_CHANGED, REJECTED, SET_BROWSED_PLAYER, SETTINGS_CHANGED,
    STATUS_CHANGED, TITLE, TRACK_CHANGED, UIDS_CHANGED, VOLUME_CHANGED, Answer, TargetPhone,
    attribute, element_attributes, folder_item, folder_items, item, media_item, player_item,
)

BAD = "\N{REPLACEMENT CHARACTER}"


class Car:
    """A unit, with checks that its bluetoothd keeps running."""

    def __init__(self, unit: HeadUnit) -> None:
        self.unit = unit
        self.process = self._process()

    def _process(self) -> str:
        return self.unit.shell("systemctl show --property=MainPID,NRestarts bluetooth.service")

    def check(self, case: object) -> None:
        assert self._process() == self.process, case

    def pair_with(self, phone: TargetPhone) -> None:
        pair(self.unit, phone)

    def property(self, path: str, interface: str, name: str):
        """A property of a BlueZ object. None if the property does not exist."""
        output, status = self.unit.try_shell(
            f"busctl --json=short get-property org.bluez {path} org.bluez.{interface} {name}"
        )
        return json.loads(output)["data"] if status == 0 else None

    def track(self, phone: TargetPhone) -> dict:
        shown = self.property(f"{object_path(phone)}/player0", "MediaPlayer1", "Track") or {}
        return {name: value["data"] for name, value in shown.items()}


def object_path(phone: TargetPhone) -> str:
    return f"/org/bluez/hci0/dev_{phone.address.replace(':', '_')}"


@pytest.fixture
def car(boot_phones_unit: Callable) -> Car:
    return Car(boot_phones_unit(on_data(album(10))))


def wait_until_read(phone: TargetPhone) -> None:
    """Waits until bluetoothd has read everything that the phone has sent. The phone requests the status, and
    bluetoothd answers this request only after it has read everything that was sent before the request."""
    phone.status()


# --- the track ------------------------------------------------------------------------------


def titled(text: bytes) -> bytes:
    return element_attributes({TITLE: text, ARTIST: b"Artist"})


# Name, answer, and title on D-Bus. The title is None if the answer is not usable.
TRACKS: list[tuple[str, bytes | Answer, str | None]] = [
    ("good", titled("Café del Mar".encode()), "Café del Mar"),
    ("latin-1", titled(b"Caf\xe9 del Mar"), f"Caf{BAD} del Mar"),
    ("cut inside a character", titled(("ä" * 300).encode()[:599]), "ä" * 299 + BAD),
    ("655 bytes of text, cut inside a character, in fragments",
     Answer(titled(("ä" * 400).encode()[:655]), packet_type=1), "ä" * 246 + BAD),
    ("empty", titled(b""), ""),
    ("no character at all", titled(b"\xff" * 500), BAD * 500),
    ("surrogate, overlong, beyond Unicode",
     titled(b"a\xed\xa0\x80b\xc0\x80c\xf4\x90\x80\x80d"),
     f"a{BAD * 3}b{BAD * 2}c{BAD * 4}d"),
    ("zero inside", titled(b"before\0behind"), "before"),
    ("every text", element_attributes({
        TITLE: b"\xc3", ARTIST: b"\xe2\x82", ALBUM: b"\xf0\x9f\x8e", DURATION: b"\xff12"}), BAD),
    ("64 attributes, 255 claimed",
     b"\xff" + attribute(TITLE, b"Many") + attribute(ARTIST, b"") * 63, "Many"),
    ("512 attributes in fragments",
     Answer(b"\xff" + attribute(TITLE, b"More") + attribute(ARTIST, b"") * 511, packet_type=1),
     "More"),
    ("a length beyond the end",
     b"\x01" + attribute(TITLE, b"Short", length=0xFFFF), "Short"),
    ("a length beyond the end, after a good one",
     b"\x02" + attribute(TITLE, b"First") + attribute(ARTIST, b"x", length=500), "First"),
    ("half an attribute", b"\x02" + attribute(TITLE, b"Half") + b"\0\0\0\2\0", "Half"),
    ("an unknown attribute and charset",
     b"\x03" + attribute(99, b"x") + attribute(ARTIST, b"x", charset=3) + attribute(TITLE, b"Known"),
     "Known"),
    ("invalid numbers",
     element_attributes({TITLE: b"Number", DURATION: b"9" * 40, 4: b"-1", 5: b"x"}), "Number"),
    ("nothing", Answer(b""), None),
    ("more claimed than sent", Answer(titled(b"x"), length=0xFFFF), None),
    ("less claimed than sent", Answer(titled(b"Claimed"), length=16), "Claimed"),
    ("a header alone", Answer(frame=bytes.fromhex("0c4800001958")), None),
    ("a fragment without the first fragment", Answer(titled(b"Middle"), packet_type=2), None),
    ("rejected", Answer(b"\x03", REJECTED), None),
    ("good again", titled(b"Last"), "Last"),
]

# Wrong answers to a registration and wrong notifications: with an event that was not registered, with an unknown event,
# and with too few bytes.
EVENTS: list[tuple[int, bytes]] = [
    (POSITION_CHANGED, bytes([STATUS_CHANGED, 2])), (UIDS_CHANGED, b"\xc8\0\0"),
    (NOW_PLAYING_CHANGED, b"\x0e"), (SETTINGS_CHANGED, bytes([SETTINGS_CHANGED, 255, 2, 1])),
    (PLAYERS_CHANGED, b"\xff" * 9), (ADDRESSED_PLAYER_CHANGED, bytes([ADDRESSED_PLAYER_CHANGED])),
    (STATUS_CHANGED, bytes([TRACK_CHANGED])), (TRACK_CHANGED, b""),
]


def test_wrong_answers_about_tracks_events_and_settings_leave_bluetoothd_running(car, radio):
    phone = TargetPhone.near(radio, 1, supported=tuple(event for event, _ in EVENTS))
    car.pair_with(phone)
    for name, answer, title in TRACKS:
        phone.plays(answer)
        wait_until_read(phone)
        car.check(name)
        if title is not None:
            assert car.track(phone).get("Title", "") == title, name
    assert car.track(phone)["Artist"] == "Artist"
    fragmented = [answer for _, answer, _ in TRACKS if getattr(answer, "packet_type", 0) == 1]
    assert phone.count(ABORT_CONTINUING) == len(fragmented)

    # bluetoothd sends the second key only when the first key, which gets no answer, has timed out.
    phone.ignores_keys = True
    for key in ("Play", "Pause"):
        car.unit.shell(f"busctl call org.bluez {object_path(phone)}/player0 org.bluez.MediaPlayer1 {key}")
    phone.wait_for(lambda: {0x44, 0x46} <= set(phone.keys))
    car.check("keys without an answer")

    phone.wait_for_registration(*(event for event, _ in EVENTS))
    for event, data in EVENTS:
        phone.notify(event, Answer(data, CHANGED))
        wait_until_read(phone)
        car.check((event, data))

    without_player = TargetPhone.near(radio, 2, is_player=False, supported=(VOLUME_CHANGED,))
    first, *others = [STATUS_CHANGED, TRACK_CHANGED, POSITION_CHANGED, SETTINGS_CHANGED,
                      NOW_PLAYING_CHANGED, UIDS_CHANGED, 0x0E, 0xC8]
    without_player.states[VOLUME_CHANGED] = Answer(bytes([first]) + b"\x01" * 9, INTERIM)
    car.pair_with(without_player)
    for event in others:
        without_player.wait_for_registration(VOLUME_CHANGED)
        wait_until_read(without_player)
        car.check(event)
        without_player.states[VOLUME_CHANGED] = Answer(bytes([event]) + b"\x01" * 9, INTERIM)
        without_player.disconnect()
        without_player.wait_until_disconnected()
        without_player.registered = {}
        without_player.connect()
        without_player.wait_until_connected()
    without_player.wait_for_registration(VOLUME_CHANGED)
    wait_until_read(without_player)
    car.check("the last event without a player")

    with_settings = TargetPhone.near(radio, 3, has_settings=True)
    with_settings.replies[LIST_ATTRIBUTES] = b"\xff" + b"\x02" * 255
    with_settings.replies[GET_CURRENT_VALUE] = b"\xff" + b"\x02\x03" * 100
    car.pair_with(with_settings)
    with_settings.wait_for_command(GET_CURRENT_VALUE, 1)
    wait_until_read(with_settings)
    car.check("settings")
    requested = [c.parameters for c in with_settings.commands if c.pdu == GET_CURRENT_VALUE]
    assert requested == [b"\x04\x02\x02\x02\x02"]
    assert car.unit.failed_units() == []


# --- browsing -------------------------------------------------------------------------------

# Name, the answer to a request for the items of the phone, and the names of these items on D-Bus, keyed by UID.
FOLDERS: list[tuple[str, bytes, dict[int, str]]] = [
    ("good", folder_items(folder_item(1, b"Albums"), media_item(2, "Café".encode())),
     {1: "Albums", 2: "Café"}),
    ("names that are not UTF-8", folder_items(
        folder_item(3, b"Alb\xfcms"), media_item(4, b"\xff" * 3),
        media_item(5, b"x", element_attributes({TITLE: b"Caf\xe9", ARTIST: b"\xc3"}))),
     {3: f"Alb{BAD}ms", 4: BAD * 3, 5: "x"}),
    ("long names, cut inside a character", folder_items(
        media_item(6, ("x" + "ä" * 130).encode()), folder_item(7, ("ä" * 130).encode())),
     {6: "x" + "ä" * 126 + BAD, 7: "ä" * 127}),
    ("no UID, and a name that is not a D-Bus path", folder_items(
        folder_item(0, b"/\xe9 "), media_item(0, b"/a b"), media_item(8, b"y")), {8: "y"}),
    ("names longer than their items", folder_items(
        media_item(9, b"z", length=0xFFFF), folder_item(10, b"z", length=0xFFFF),
        media_item(11, b"z", length=2), media_item(12, b"z")), {12: "z"}),
    ("attributes longer than their item", folder_items(
        media_item(13, b"u", b"\x01" + attribute(TITLE, b"v", length=0xFFFF)),
        media_item(14, b"w", b"\xff"), media_item(15, b"t")), {13: "u", 14: "w", 15: "t"}),
    ("items shorter than their type requires", folder_items(
        item(3, b"\0" * 13), item(2, b"\0" * 12), item(3, b""), media_item(16, b"s")), {16: "s"}),
    ("an item longer than the packet", folder_items(
        media_item(17, b"r"), item(3, b"\0" * 20, length=0xFFFF)), {17: "r"}),
    ("more items claimed than sent", folder_items(media_item(18, b"q"), count=0xFFFF), {18: "q"}),
    ("good again", folder_items(media_item(19, b"p")), {19: "p"}),
]

# Lists of players. The unit keeps the name that player 1 has in the first list, also if a later list has another
# name for player 1.
PLAYERS: list[bytes | Answer] = [
    folder_items(player_item(1, b"Pl\xe9yer"), player_item(2, ("ä" * 200).encode()[:-1])),
    folder_items(player_item(1, b""), player_item(3, b"x", length=0xFFFF), item(1, b"")),
    folder_items(player_item(1, b""), item(1, b"\0" * 28, length=0xFFFF)),
    folder_items(player_item(1, b""), count=0xFFFF), b"\x04\0\0", b"\x04", b"",
    Answer(folder_items(player_item(1, b"")), length=0xFFFF), Answer(frame=b"\x71"),
    Answer(frame=b""), folder_items(player_item(1, b"")),
]

# Folders above the browsed folder: names without a terminating NUL, and a name that is longer than the packet.
BROWSED = struct.pack(">BHIHB", 4, 0, 100, 106, 3) + b"\x03ab\xff" + b"\x05abcde" + b"\xff"


def test_wrong_answers_about_players_and_folders_leave_bluetoothd_running(car, radio):
    events = (STATUS_CHANGED, TRACK_CHANGED, PLAYERS_CHANGED, ADDRESSED_PLAYER_CHANGED)
    phone = TargetPhone.near(radio, 1, browsing=True, supported=events)
    phone.replies[GET_FOLDER_ITEMS] = PLAYERS[0]
    phone.replies[SET_BROWSED_PLAYER] = BROWSED
    car.pair_with(phone)
    phone.wait_for_command(SET_BROWSED_PLAYER, 1)
    player = f"{object_path(phone)}/player0"
    assert car.property(player, "MediaPlayer1", "Name") == f"Pl{BAD}yer"
    assert car.property(f"{object_path(phone)}/player2", "MediaPlayer1", "Name") == "ä" * 127
    for number, answer in enumerate(PLAYERS):
        requests = phone.count(GET_FOLDER_ITEMS)
        phone.replies[GET_FOLDER_ITEMS] = answer
        phone.wait_for_registration(PLAYERS_CHANGED)
        phone.notify(PLAYERS_CHANGED)
        phone.wait_for_command(GET_FOLDER_ITEMS, requests + 1)
        wait_until_read(phone)
        car.check(f"players {number}")
    assert car.property(f"{object_path(phone)}/player2", "MediaPlayer1", "Name") is None

    for name, answer, title in TRACKS:
        if isinstance(answer, bytes):
            phone.plays(b"\x04" + answer, pdu=GET_ITEM_ATTRIBUTES)
            wait_until_read(phone)
            car.check(name)
            assert car.track(phone).get("Title", "") == title, name

    # After the next connection, the phone answers the command SetBrowsedPlayer correctly.
    phone.disconnect()
    phone.wait_until_disconnected()
    phone.replies[SET_BROWSED_PLAYER] = struct.pack(">BHIHB", 4, 0, 100, 106, 0)
    phone.connect()
    phone.wait_until_connected()
    car.unit.wait_until(f"busctl get-property org.bluez {player} org.bluez.MediaFolder1 Name")
    players = phone.replies[GET_FOLDER_ITEMS]
    for name, answer, shown in FOLDERS:
        def reply(parameters: bytes, answer: bytes = answer) -> bytes | Answer:
            """Answers with the list of players (scope 0), or with all items in one answer. Requests for
            further items get the status "range out of bounds" (0x0b)."""
            scope, first = struct.unpack_from(">BI", parameters)
            return players if scope == 0 else b"\x0b" if first else answer

        phone.replies[GET_FOLDER_ITEMS] = reply
        assert listed(car, player) == shown, name
        car.check(name)

    # A packet without a complete header closes the channel, and has no other effect.
    phone.send_browsing(b"\x02")
    phone.wait_for(lambda: phone.browsing_channel is None)
    car.check("a browsing packet of one byte")
    assert phone.status()
    assert car.unit.failed_units() == []


def listed(car: Car, player: str) -> dict[int, str]:
    """Names of the items in the browsed folder, keyed by UID."""
    output = car.unit.shell(f"busctl --json=short call org.bluez {player} org.bluez.MediaFolder1 "
                          "ListItems 'a{sv}' 0")
    items = json.loads(output)["data"][0]
    return {int(path.rpartition("item")[2]): shown["Name"]["data"].removeprefix("/Filesystem/")
            for path, shown in items.items()}

"""Very long titles are cut between characters, and phones that violate the protocol cause no crash."""

from __future__ import annotations

import random
import struct

from car import car, pair, track, wait_for
from phone import RAW_LABEL, Phone
from sound import flac, noise

SIG = bytes.fromhex("001958")


def avctp(payload: bytes, kind: int = 0, pid: int = 0x110E) -> bytes:
    """An AVCTP message. `kind` is 0 for a complete message, and 1 to 3 for a fragment."""
    return struct.pack(">BH", RAW_LABEL << 4 | kind << 2, pid) + payload


def avrcp(pdu: int, parameters: bytes, length: int | None = None, code: int = 1) -> bytes:
    """An AVRCP command. `length` is its length field, which can be wrong."""
    length = len(parameters) if length is None else length
    frame = bytes([code, 0x48, 0x00]) + SIG + struct.pack(">BBH", pdu, 0, length) + parameters
    return avctp(frame)


BAD = [
    b"", b"\0", b"\0\x11", avctp(b""), avctp(b"\0"), avctp(b"\0\x48"), avctp(b"\0\x48\x7c"),
    avctp(b"\0\x48\x7c\x44"), avctp(b"\0\x48\x7c\x44\xff"), avctp(b"\xff" * 600),
    avctp(b"\0\x48\x7c\x44\0", pid=0xFFFF), avctp(b"x", kind=1), avctp(b"x", kind=2),
    avctp(b"x", kind=3), avrcp(0x10, b""), avrcp(0x10, b"\x03", 0xFFFF), avrcp(0x14, b"\xff"),
    avrcp(0x14, b"\xff\x02\x01", code=0), avrcp(0x20, b""), avrcp(0x20, b"\0" * 8 + b"\xff"),
    avrcp(0x20, b"\0" * 8 + b"\xff" + b"\0\0\0\x63" * 90), avrcp(0x31, b"", code=3),
    avrcp(0x31, b"\xff\0\0\0\0", code=3), avrcp(0x31, b"\x05\0\0\0\0", code=3),
    avrcp(0x40, b"\x20", code=0), avrcp(0x41, b"", code=0), avrcp(0x50, b"\xff", code=0),
    avrcp(0x71, b"\0" * 10), avrcp(0xFF, b"\0" * 400, 4), bytes([0xFF]) * 670,
]


def random_frames(count: int) -> list[bytes]:
    numbers = random.Random(7)
    frames = []
    for _ in range(count):
        frame = bytearray(numbers.choice(BAD) or b"\0")
        for _ in range(numbers.randrange(1, 6)):
            frame[numbers.randrange(len(frame))] = numbers.randrange(256)
        # The label must not match a pending command of the phone.
        frame[0] = RAW_LABEL << 4 | frame[0] & 15
        frames.append(bytes(frame))
    return frames


def send_and_return(phone: Phone, frame: bytes) -> None:
    """Sends a message. bluetoothd is permitted to close the connection, but must accept a new connection."""
    phone.send_raw(frame)
    if not phone.answers():
        phone.disconnect()
        phone.wait_until_disconnected()
        phone.connect()
        phone.wait_until_connected()


def test_malformed_avctp_messages_leave_bluetoothd_and_the_daemon_running(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    unit.console("repeat one")
    phone.press("play")
    wait_for(unit, "playing")
    daemon = unit.shell("systemctl show --property=MainPID --value autoharp.service")
    for frame in BAD + random_frames(100):
        send_and_return(phone, frame)
        assert phone.metadata()["title"] == "Title 1", frame.hex()
    assert unit.shell("systemctl show --property=NRestarts --value bluetooth.service") == "0"
    assert unit.shell("systemctl show --property=MainPID --value autoharp.service") == daemon
    assert unit.status() == "playing"


def test_title_of_64_kb_is_cut_between_characters(boot, radio):
    tags = {"TITLE": "ä€𝄞" * 7281, "ARTIST": "B" * 65536, "ALBUM": "C" * 65536}
    music = {"1.flac": flac(noise(20, seed=1), tags=tags), "2.flac": track(2)}
    unit = car(boot, radio, music)
    phone = unit.phone()
    pair(unit, phone)
    metadata = phone.metadata()
    assert ("ä€𝄞" * 7281).startswith(metadata["title"]) and len(metadata["title"]) > 10
    assert set(metadata["artist_name"]) == {"B"} and set(metadata["album_name"]) == {"C"}
    size = sum(8 + len(text.encode()) for text in metadata.values())
    assert size <= 502, "more than one packet"
    phone.press("play")
    phone.wait_for_event("playback_status_changed", "playing")
    phone.forget_events()
    phone.press("forward")
    phone.wait_for_event("track_changed")
    assert phone.metadata()["title"] == "Title 2"

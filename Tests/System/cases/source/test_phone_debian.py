"""A phone with the programs of Debian plays through the unit. bluez-alsa is its source of sound, and cmus is its
player. Neither program was made for the unit."""

from __future__ import annotations

import re

import pytest

import sbc
from car import ALBUM, ARTIST, LENGTH, car, json_matches, title, wait_for, wait_for_title
from debian_phone import DebianPhone
from driving import SECOND, stream_facts
from headunit import HeadUnit, Image
from held_stream import HeldStream
from sound import Frames, flac, noise, silence

MUSIC = silence(3) + noise(8, seed=31) + silence(9)
FRAMES = sbc.encode(MUSIC)[: 12 * SECOND // sbc.USUAL.frames]


@pytest.fixture(autouse=True)
def disk(image: Image) -> None:
    if not image.peer.exists():
        pytest.skip("the disk of the phone is missing: `make test-system` makes this disk")


def song(number: int, sound: Frames) -> bytes:
    tags = {"TITLE": title(number), "ARTIST": ARTIST, "ALBUM": ALBUM, "TRACKNUMBER": str(number)}
    return flac(sound, tags=tags)


def numbers_of(unit: HeadUnit, fact: str) -> list[int]:
    """The numbers in a fact that the unit reports about the stream of the phone."""
    return [int(word) for word in re.findall(r"\d+", stream_facts(unit)[fact])]


def test_phone_with_bluez_alsa_is_heard_shown_and_controlled(boot, radio):
    """A driver connects a phone with the Bluetooth stack of Linux computers. The driver sees the titles of the phone's
    player. Keys, repeat and volume act on the phone, and the unit follows when they are changed on the phone. The music
    of the phone arrives complete."""
    unit = car(boot, radio, music={})
    songs = {1: silence(5 * LENGTH), 2: silence(5 * LENGTH), 3: MUSIC}
    phone = DebianPhone.near(
        boot, radio, unit, {f"{number}.flac": song(number, sound) for number, sound in songs.items()})
    phone.pair()
    phone.connect()
    stream = HeldStream(unit, limit=1)
    check_titles_and_keys(unit, phone)
    check_repeat_and_volume(unit, phone)
    phone.cmus("player-stop")
    wait_for(unit, "paused")
    stream.close()
    check_stream(unit, phone)
    assert unit.failed_units() == []


def check_titles_and_keys(unit: HeadUnit, phone: DebianPhone) -> None:
    phone.cmus("player-play")
    wait_for(unit, "playing")
    wait_for_title(unit, 1)
    texts = {"artist": ARTIST, "album": ALBUM, "duration": 5.0 * LENGTH, "source": f"phone-{phone.address}"}
    shown = unit.ask("now")
    assert {name: shown[name] for name in texts} == texts
    for key, number in (("next", 2), ("previous", 1)):
        unit.console(key)
        phone.wait_for(f"^file .*/{number}.flac")
        wait_for_title(unit, number)
    for key, status in (("pause", "paused"), ("play", "playing")):
        unit.console(key)
        phone.wait_for(f"^status {status}")
        wait_for(unit, status)
    # Send the same commands on the phone.
    phone.cmus("player-next")
    wait_for_title(unit, 2)
    for command, status in (("player-pause", "paused"), ("player-play", "playing")):
        phone.cmus(command)
        wait_for(unit, status)


def check_repeat_and_volume(unit: HeadUnit, phone: DebianPhone) -> None:
    assert unit.ask("now")["repeat"] == "off"
    phone.cmus("set repeat_current=true")
    unit.wait_until(json_matches("now", '"repeat": "one"'))
    unit.console("repeat off")
    phone.wait_for("^set repeat_current false")
    for volume in (80, 20):
        unit.console(f"volume {volume}")
        phone.wait_for_volume(round(volume * 127 / 100))
    for step in (40, 30):
        phone.set_volume(step)
        unit.wait_until(json_matches("now", f'"volume": {step * 100 // 127}'))
        assert phone.volume() == step


def check_stream(unit: HeadUnit, phone: DebianPhone) -> None:
    """Checks that all SBC frames of the music arrive at the unit. They must equal the SBC frames that the test makes
    from the same music with libsbc."""
    phone.cmus("set repeat_current=true")  # the phone may be faster than the unit, and its music must not end
    stream = HeldStream(unit, ahead=3)
    phone.cmus("player-play /home/3.flac")
    wait_for(unit, "playing")
    wait_for_title(unit, 3)
    # bluez-alsa keeps its stream when a player stops, so packets can have been lost before this music began. Only
    # packets that are lost from now on are a failure.
    stream.wait_until_delivered(0.5)
    before = counts_of(unit)
    stream.wait_until_delivered(13)
    after = counts_of(unit)
    assert numbers_of(unit, "codec") == [SECOND, 2, sbc.USUAL.bitpool]
    assert after.pop("packets") - before.pop("packets") > 900
    assert after == before and stream.left_out() == 0
    assert contains(stream.frames(), FRAMES)


def counts_of(unit: HeadUnit) -> dict[str, int]:
    """How many packets have arrived, and how many were lost, late or damaged."""
    packets, lost, late = numbers_of(unit, "packets")
    frames, refused = numbers_of(unit, "damaged")
    [gaps] = numbers_of(unit, "longer gaps")
    return {"packets": packets, "lost": lost, "late": late, "gaps": gaps, "damaged": frames + refused}


def contains(frames: list[bytes], part: list[bytes]) -> bool:
    """True if `frames` contains the frames of `part` without a gap."""
    return any(frames[at : at + len(part)] == part for at in range(len(frames) - len(part) + 1))

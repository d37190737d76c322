"""A head unit with Bluetooth and music, for the tests with phones."""

from __future__ import annotations

from typing import Callable

from daemon import on_data
from headunit import HeadUnit
from phone import Phone
from sound import Frames, flac, noise

LENGTH = 40  # seconds of each track
# The player of an adapter has the grade "good" only while the player is registered.
PLAYER_REGISTERED = '"player": {"value": "[^"]*","grade": "good"}'
ARTIST, ALBUM = "The Artist", "The Album"


def title(number: int) -> str:
    return f"Title {number}"


def track(number: int, seconds: float = LENGTH) -> bytes:
    tags = {"TITLE": title(number), "ARTIST": ARTIST, "ALBUM": ALBUM, "TRACKNUMBER": str(number)}
    # A long track repeats a shorter track, because generating noise is slow.
    once = noise(min(seconds, LENGTH), seed=number)
    return flac(Frames(once.data * max(1, round(seconds / LENGTH))), tags=tags)


def album(*seconds: float) -> dict[str, bytes]:
    """Tracks of these lengths, or three tracks of the usual length."""
    lengths = seconds or (LENGTH,) * 3
    return {f"{number}.flac": track(number, length) for number, length in enumerate(lengths, 1)}


def car(
    boot: Callable, radio, music: dict[str, bytes] | None = None, rate: int = 44100, **settings
) -> HeadUnit:
    """Boots a unit and waits until phones can connect. `rate` is the rate of the captured sound."""
    # These tests press PLAY right after the connection. With the default "ignore" the unit would ignore this
    # press, because it looks like the automatic press of a connecting phone.
    settings = {"play_on_connect": "obey"} | settings
    unit = boot(radio=radio, rate=rate, data=on_data(album() if music is None else music, **settings))
    wait_for_phones(unit)
    # A press of PLAY before the music is found would not start the music at once, so wait for the music.
    if music is None or music:
        unit.wait_for_music()
    return unit


def wait_for_phones(unit: HeadUnit) -> None:
    """Waits until BlueZ has registered the player."""
    unit.wait_until(json_matches("bt", PLAYER_REGISTERED))


def json_matches(command: str, pattern: str) -> str:
    """A shell command that succeeds if the JSON answer of the console to `command` matches the pattern."""
    return f"autoharp console --json {command} | grep -q '{pattern}'"


def pair(unit: HeadUnit, phone: Phone) -> None:
    """Opens the pairing window, compares the numbers, and confirms them on both devices, as a person does."""
    open_window(unit)
    phone.pair(confirm=lambda number: accept(unit, number))
    phone.wait_until_connected()


def open_window(unit: HeadUnit) -> None:
    """Opens the pairing window and waits until the controller is ready. Without this wait, a test would pair before the
    controller is ready. A person is slower."""
    unit.console("bt pair on")
    unit.wait_until(json_matches("bt", '"pairable": "yes"'))
    unit.wait_until(json_matches("bt", '"discoverable": "yes"'))


def accept(unit: HeadUnit, number: str) -> bool:
    answer(unit, number, "accept")
    return True


def answer(unit: HeadUnit, number: str, word: str) -> None:
    """Waits until the unit shows this number, and then accepts or rejects the number."""
    unit.wait_until(json_matches("bt phones", number))
    unit.shell(f"autoharp console bt {word}")


def bonded(unit: HeadUnit) -> list[str]:
    """Addresses of the phones with which the unit has a bond."""
    return [phone["address"] for phone in unit.ask("bt phones")["phones"] if phone["isBonded"]]


def wait_for(unit: HeadUnit, status: str) -> None:
    unit.wait_until(json_matches("now", f'"status": "{status}"'))


def wait_for_title(unit: HeadUnit, wanted: int | str) -> None:
    """Waits until the track with this number or name is playing. The output also contains the titles of the next
    tracks, but only the current track has a status before its title."""
    name = title(wanted) if isinstance(wanted, int) else wanted
    unit.wait_until(json_matches("now", f'"status": "[a-zA-Z]*","title": "{name}"'))

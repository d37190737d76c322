"""What a driver does with a phone that plays, and how a test listens to it."""

from __future__ import annotations

import time

from car import pair
from headunit import HeadUnit
from machine import TIMEOUT
from sound import PROBE, Frames, silence
from source_phone import SourcePhone

SECOND = 44100
# The unit opens its card when the phone begins, so the begin of the sound may be missing.
LEAD_IN, TAIL = silence(3), silence(2)


def phone_of(unit: HeadUnit, number: int = 1, **offers) -> SourcePhone:
    """A phone that is paired with the unit and has an open stream."""
    phone = SourcePhone.near(unit.options["radio"], number, unit=unit, **offers)
    pair(unit, phone)
    phone.open_stream()
    return phone


def full_volume(unit: HeadUnit) -> None:
    unit.console("volume 100")
    assert unit.ask("now")["volume"] == 100


def position_of(part: Frames, heard: Frames, start: int = 0) -> int:
    """Where a part of a sound begins in what was heard. Fails if it was not heard."""
    found = heard.find(part, start)
    assert found >= 0, f"{part} was not heard after frame {start} of {heard}"
    return found


def wait_until_heard(unit: HeadUnit, part: Frames, start: int = 0) -> int:
    """Waits until the card has played a part of a sound, after the frame `start`. Returns where the part begins."""
    deadline = time.monotonic() + TIMEOUT
    while (found := unit.sound().find(part, start)) < 0:
        assert time.monotonic() < deadline, f"{part} was not heard"
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows
    return found


def wait_until_one_is_heard(unit: HeadUnit, music: Frames, start: int = 0) -> int:
    """Waits until the card has played any second of the music, after the frame `start`. Returns where this second
    begins. The music may continue at any place, and a hole of the radio may be in any second."""
    seconds = [music[at : at + SECOND // 2] for at in range(SECOND, len(music) - SECOND, SECOND // 2)]
    deadline = time.monotonic() + TIMEOUT
    while True:
        heard = unit.sound()
        found = [at for part in seconds if (at := heard.find(part, start)) >= 0]
        if found:
            return min(found)
        assert time.monotonic() < deadline, f"no second of {music} was heard"
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows


def resumed_at(song: Frames, heard: Frames, known: int) -> int:
    """The first frame of the song that was heard without a fade, before the frame `known`."""
    at = position_of(song[known : known + PROBE], heard)
    count = 0
    while song[known - count - 1 : known - count] == heard[at - count - 1 : at - count]:
        count += 1
    return known - count


def times(unit: HeadUnit, text: str, service: str = "autoharp") -> list[float]:
    """When the lines with this text were written to the journal of this boot, in seconds of the machine's clock."""
    log = unit.shell(f"journalctl -b --no-pager -o short-monotonic -u {service}")
    return [float(line[1:].split("]")[0]) for line in log.splitlines() if text in line]


def source_of(phone: SourcePhone) -> str:
    """The name of the phone as the source of Now Playing."""
    return f"phone-{phone.address}"

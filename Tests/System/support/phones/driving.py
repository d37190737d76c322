"""Actions of a driver with a phone that plays, and functions that find its music in the captured sound."""

from __future__ import annotations

import time
from array import array
from math import cos, pi, sin

from car import pair
from headunit import HeadUnit
from machine import TIMEOUT
from sound import BYTES_PER_FRAME, PROBE, Frames, silence
from source_phone import SourcePhone

SECOND = 44100
# The unit opens its sound card only when the phone begins to play, so the start of the sound can be missing.
LEAD_IN, TAIL = silence(3), silence(2)
WINDOW = SECOND // 20


def phone_of(unit: HeadUnit, number: int = 1, **offers) -> SourcePhone:
    """A phone that is paired with the unit and has an open stream."""
    phone = SourcePhone.near(unit.options["radio"], number, unit=unit, **offers)
    pair(unit, phone)
    phone.open_stream()
    return phone


def full_volume(unit: HeadUnit) -> None:
    unit.console("volume 100")
    assert unit.ask("now")["volume"] == 100


def without_end(sound: Frames) -> Frames:
    """The sound without the silence at its end."""
    length = len(sound.data.rstrip(b"\0")) // BYTES_PER_FRAME
    return sound[:length]


def stream_facts(unit: HeadUnit) -> dict[str, str]:
    """The facts about the stream of the phone that the command `bt` prints."""
    report = unit.ask("bt")
    section = next(value for name, value in report.items() if name.startswith("phone "))
    return {name: fact["value"] if isinstance(fact, dict) else fact for name, fact in section.items()}


def position_of(part: Frames, heard: Frames, start: int = 0) -> int:
    """The frame of `heard` at which the part begins. Fails if the part was not heard."""
    found = heard.find(part, start)
    assert found >= 0, f"{part} was not heard after frame {start} of {heard}"
    return found


def wait_until_heard(unit: HeadUnit, part: Frames) -> None:
    """Waits until the card has played a part of a sound."""
    deadline = time.monotonic() + TIMEOUT
    while unit.sound().find(part) < 0:
        assert time.monotonic() < deadline, f"{part} was not heard"
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows


def tone(hertz: int, seconds: float = 4) -> Frames:
    """Music that a test recognises even if the unit has resampled it. The unit resamples if the packets of the phone
    arrive at uneven times, which happens on a busy host. The tone lasts a whole number of seconds, so it can be
    repeated without a click."""
    samples = array("h")
    for number in range(SECOND):
        samples.extend([round(8000 * sin(2 * pi * hertz * number / SECOND))] * 2)
    return Frames(samples.tobytes() * int(seconds))


def is_tone(part: Frames, hertz: int) -> bool:
    """True if most of the energy of this part is the tone. The resampler changes a tone by at most 0.5 %."""
    samples = part.samples()[::2]
    # Goertzel's algorithm calculates the energy in one frequency band.
    factor, one, two = 2 * cos(2 * pi * hertz / SECOND), 0.0, 0.0
    for sample in samples:
        one, two = sample + factor * one - two, one
    band = one * one + two * two - factor * one * two
    energy = sum(sample * sample for sample in samples)
    return energy > 0 and 2 * band / len(samples) > 0.5 * energy


def tone_in(heard: Frames, hertz: int, start: int = 0) -> int:
    """The first frame, at or after the frame `start`, from which on this tone is heard for a quarter of a second. -1 if
    the tone is not heard."""
    count = 0
    for at in range(start, len(heard) - WINDOW + 1, WINDOW):
        count = count + 1 if is_tone(heard[at : at + WINDOW], hertz) else 0
        if count == 5:
            return at - 4 * WINDOW
    return -1


def wait_for_tone(unit: HeadUnit, hertz: int, start: int = 0) -> None:
    """Waits until the card has played this tone, after the frame `start`."""
    deadline = time.monotonic() + TIMEOUT
    while tone_in(unit.sound(), hertz, start) < 0:
        assert time.monotonic() < deadline, f"the tone of {hertz} Hz was not heard"
        time.sleep(0.5)  # polls, because no event reports that a file of another process grows


def resumed_at(song: Frames, heard: Frames, known: int) -> int:
    """The frame of the song from which on the song was heard without a fade. The search goes backwards from the frame
    `known`, which was heard."""
    at = position_of(song[known : known + PROBE], heard)
    count = 0
    while song[known - count - 1 : known - count] == heard[at - count - 1 : at - count]:
        count += 1
    return known - count


def times(unit: HeadUnit, text: str, service: str = "autoharp") -> list[float]:
    """The times at which the lines with this text were written to the journal of this boot, in seconds of the machine's
    clock."""
    log = unit.shell(f"journalctl -b --no-pager -o short-monotonic -u {service}")
    return [float(line[1:].split("]")[0]) for line in log.splitlines() if text in line]


def source_of(phone: SourcePhone) -> str:
    """The name of the phone as the source of Now Playing."""
    return f"phone-{phone.address}"

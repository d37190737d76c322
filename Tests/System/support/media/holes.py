"""Holes in music: where the music fades out, is silent and fades in."""

from __future__ import annotations

from dataclasses import dataclass

from sound import Frames

FADE = 220  # frames, which is 5 ms at 44.1 kHz
# Tolerances for samples: the unit adds dither to a fade and to resampled sound, and the filters of the resampler spread
# sound into the silence.
DITHER, FILTER = 2, 20
SHORTEST = 22  # frames of the shortest silence; at its zero crossings, a tone above 200 Hz is quiet for fewer frames


@dataclass(frozen=True)
class Silence:
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


def silences_in(heard: Frames) -> list[Silence]:
    """The silences of the left channel between the first and the last sound."""
    found = []
    begin = None
    for number, value in enumerate(heard.samples()[::2]):
        if -DITHER <= value <= DITHER:
            begin = number if begin is None else begin
        elif begin is not None:
            if number - begin >= SHORTEST:
                found.append(Silence(begin, number))
            begin = None
    return found[1:] if found and found[0].begin == 0 else found


def largest_step(sound: Frames) -> int:
    """The largest difference of two consecutive samples of the left channel."""
    samples = sound.samples()[::2]
    return max(abs(after - before) for before, after in zip(samples, samples[1:]))


def largest_permitted_step(expected: Frames) -> float:
    """The largest step that faded music can have: the step of the music itself plus the step of the gain, with a
    margin."""
    return 1.1 * (largest_step(expected) + 2 * max(expected.samples()) / FADE)


def is_faded(heard: Frames, silence: Silence, loudest: int) -> bool:
    """True if the music before the silence fades out, and the music after it fades in."""
    samples = heard.samples()[::2]
    return all(
        abs(samples[place]) <= loudest * (away + 2) / FADE + FILTER
        for away in range(FADE)
        for place in (silence.begin - 1 - away, silence.end + away))

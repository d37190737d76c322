"""Compares resampled sound with the original sound: finds where each played piece is in the original, and how much
noise was added.

    sound = Resampled(before, played)
    piece = sound.fit(at=44100, position=43000.0)
    assert piece.decibels > 90

The resampler of the unit follows the clock of a phone, so its ratio changes slowly. Within a piece, the position in the
original is a polynomial in time, which `fit` finds by least squares. The noise is the difference between the piece and
the original at these positions. Most of the sound's energy should be below 1 kHz, so that the position is found
reliably.
"""

from __future__ import annotations

import cmath
import math
from array import array
from dataclasses import dataclass
from operator import mul

from sound import Frames

RATE = 44100
# Length of a piece: 23 ms, because the unit changes its ratio every 100 ms.
PIECE = 1 << 10
# Length of the piece in which the spectral lines of a tone are searched.
LONG_PIECE = 1 << 14
# The interpolation uses SIDE samples on each side, and has weights for PLACES positions between two samples.
SIDE, PLACES = 32, 256
# Shape of the Kaiser window of the interpolation. With this shape, the error of the interpolation is below -100 dB.
SHAPE = 10.0
TERMS = 4
STEPS = 3
# The resampler of the unit slightly shifts the phases of frequencies above 10 kHz, and removes frequencies above 20
# kHz. So the errors above 10 kHz are not only noise. From 10 to 20 kHz, `fit` compares only the powers of the two
# sounds.
MIDDLE, HIGHEST = 10_000, 20_000
# SBC adds spectral lines to a tone, which do not count as noise. A value of the spectrum belongs to a line if its power
# is more than LINE times the power of the tone. In the spectrum of a piece, a line covers WIDTH values on each side of
# its frequency.
LINE, WIDTH = 10**-10.5, 5


@dataclass(frozen=True)
class Piece:
    """A piece of the played sound."""

    # The position of the middle of the piece in the played sound, and in the original.
    middle: int
    position: float
    # The number of original samples per played sample.
    ratio: float
    # The power of the sound, of the noise (estimated from the noise below 10 kHz), and of the sound that was added
    # above 10 kHz.
    signal: float
    noise: float
    added: float

    @property
    def decibels(self) -> float:
        """How far the noise is below the sound, in dB."""
        return 10 * math.log10(self.signal / max(self.noise, 1e-9))


class Resampled:
    """The left channels of the original sound (`before`) and of the played sound. If `tone` is given, the original is a
    tone from this position on, and the spectral lines of this tone do not count as noise."""

    def __init__(self, before: Frames, played: Frames, tone: int | None = None) -> None:
        self.before = array("d", before.samples()[::2])
        self.played = array("d", played.samples()[::2])
        self.counted = list(range(PIECE // 2))
        if tone is not None:
            powers = spectrum(self.before[tone : tone + LONG_PIECE])
            least = sum(powers) * LINE
            lines = {number * PIECE // LONG_PIECE for number, power in enumerate(powers) if power > least}
            self.counted = [number for number in self.counted
                            if not lines.intersection(range(number - WIDTH, number + WIDTH + 1))]

    def fit(self, at: int, position: float, ratio: float = 1.0) -> Piece:
        """Fits the piece that begins at the frame `at` of the played sound. `position` and `ratio` are estimates of its
        position in the original and of its ratio. The error of `position` must be less than a sixth of one cycle of the
        highest strong frequency of the sound."""
        times = [2 * number / PIECE - 1 for number in range(PIECE)]
        powers = [[time**term for time in times] for term in range(TERMS)]
        half = PIECE / 2
        weights = [position + ratio * half, ratio * half, *[0.0] * (TERMS - 2)]
        wanted = self.played[at : at + PIECE]
        for step in range(STEPS + 1):
            places = [sum(map(mul, weights, column)) for column in zip(*powers)]
            sound = [self._at(place) for place in places]
            errors = [one - other for one, other in zip(wanted, sound)]
            if step == STEPS:
                break
            slopes = [(after - before) / 2 for before, after in zip(
                [2 * sound[0] - sound[1], *sound], [*sound[1:], 2 * sound[-1] - sound[-2]])]
            rows = [list(map(mul, slopes, power)) for power in powers]
            change = solve([[sum(map(mul, one, other)) for other in [*rows, errors]] for one in rows])
            weights = [weight + delta for weight, delta in zip(weights, change)]
        powers_played, powers_before = spectrum(wanted), spectrum(sound)
        noise = self._mean(spectrum(errors), 0, MIDDLE) * PIECE / 2
        added = sum(self._mean(powers, MIDDLE, HIGHEST) * sign * (PIECE / 2) * (HIGHEST - MIDDLE) / (RATE / 2)
                    for powers, sign in ((powers_played, 1), (powers_before, -1)))
        return Piece(at + PIECE // 2, weights[0], weights[1] / half, sum(powers_played), noise, added)

    def _mean(self, powers: list[float], first: int, last: int) -> float:
        """The mean power of the values of the spectrum from the frequency `first` to the frequency `last`, without the
        lines of the tone."""
        counted = [powers[number] for number in self.counted if first <= number * RATE / PIECE < last]
        return sum(counted) / len(counted)

    def follow(self, at: int, position: float, end: int, every: int) -> list[Piece]:
        """Fits a piece every `every` frames, from a known position on. The fit of each piece gives the estimates for
        the next piece."""
        pieces = []
        ratio = 1.0
        while at + PIECE <= end:
            piece = self.fit(at, position, ratio)
            pieces.append(piece)
            at += every
            position, ratio = piece.position + (at - piece.middle) * piece.ratio, piece.ratio
        return pieces

    def _at(self, place: float) -> float:
        """The original sound at a position between two samples."""
        first = math.floor(place)
        between = (place - first) * PLACES
        index = int(between)
        part = between - index
        samples = self.before[first - SIDE + 1 : first + SIDE + 1]
        low, high = KERNEL[index], KERNEL[index + 1]
        return (1 - part) * sum(map(mul, samples, low)) + part * sum(map(mul, samples, high))


def solve(rows: list[list[float]]) -> list[float]:
    """Solves linear equations. The last value of a row is its right side."""
    for pivot in range(len(rows)):
        for line in range(len(rows)):
            if line != pivot:
                factor = rows[line][pivot] / rows[pivot][pivot]
                rows[line] = [value - factor * other for value, other in zip(rows[line], rows[pivot])]
    return [row[-1] / row[number] for number, row in enumerate(rows)]


def spectrum(values: list[float] | array) -> list[float]:
    """The powers of the frequencies from 0 to half of the rate. The number of values is a power of 2."""
    angles = [2 * math.pi * number / len(values) for number in range(len(values))]
    window = [0.42 - 0.5 * math.cos(angle) + 0.08 * math.cos(2 * angle) for angle in angles]
    transformed = transform(list(map(mul, values, window)))
    return [abs(value) ** 2 for value in transformed[: len(values) // 2]]


def transform(values: list) -> list:
    """The discrete Fourier transform."""
    if len(values) == 1:
        return values
    even, odd = transform(values[::2]), transform(values[1::2])
    turned = [cmath.rect(1, -2 * math.pi * number / len(values)) * value for number, value in enumerate(odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def bessel(value: float) -> float:
    """The modified Bessel function of order 0."""
    total = term = 1.0
    for number in range(1, 40):
        term *= (value / 2 / number) ** 2
        total += term
    return total


def weight(distance: float) -> float:
    """The weight of a sample at this distance from the interpolated position: a sinc with a Kaiser window."""
    angle = math.pi * distance
    sinc = math.sin(angle) / angle if angle else 1.0
    return sinc * bessel(SHAPE * math.sqrt(max(0.0, 1 - (distance / SIDE) ** 2))) / bessel(SHAPE)


# For each of the PLACES positions between two samples: the weights of the samples around this position.
KERNEL = [[weight(sample - place / PLACES) for sample in range(-SIDE + 1, SIDE + 1)] for place in range(PLACES + 1)]

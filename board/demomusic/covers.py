"""Covers of albums: patterns that are made of horizontal lines, which is fast without a graphics library."""

from __future__ import annotations

import colorsys
import math
import struct
import zlib
from random import Random

SIDE = 500
Color = tuple[int, int, int]
# A part of a row of pixels: its left edge, its right edge, its colour. A part that is drawn later covers earlier parts.
Span = tuple[float, float, Color]


def cover(seed: str) -> bytes:
    """Makes a cover as a PNG. The same seed always gives the same picture."""
    random = Random(seed)
    hue = random.random()
    ground = shade(hue, 0.45, 0.25 + 0.2 * random.random())
    horizon = shade(hue + 0.08, 0.55, 0.6 + 0.25 * random.random())
    # A colour that contrasts with the background, a pale colour, and a colour that is similar to the background.
    accents = [shade(hue + 0.45, 0.6, 0.9), shade(hue + 0.1, 0.2, 0.95), shade(hue - 0.07, 0.65, 0.55)]
    pattern = random.choice([suns, hills, stripes, rings])
    spans = pattern(random, accents)
    rows = []
    for y in range(SIDE):
        row = bytearray(bytes(blend(ground, horizon, y / SIDE)) * SIDE)
        for left, right, color in spans(y):
            begin, end = max(0, round(left)), min(SIDE, round(right))
            if begin < end:
                row[3 * begin:3 * end] = bytes(color) * (end - begin)
        rows.append(b"\0" + bytes(row))
    return png(b"".join(rows))


def shade(hue: float, saturation: float, value: float) -> Color:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, min(value, 1))
    return round(255 * red), round(255 * green), round(255 * blue)


def blend(first: Color, second: Color, share: float) -> Color:
    return tuple(round(a + (b - a) * share) for a, b in zip(first, second))  # type: ignore[return-value]


def disc(y: int, x: float, middle: float, radius: float, color: Color) -> list[Span]:
    if abs(y - middle) >= radius:
        return []
    half = math.sqrt(radius ** 2 - (y - middle) ** 2)
    return [(x - half, x + half, color)]


def suns(random: Random, colors: list[Color]):
    """Some discs, the largest disc first."""
    places = sorted(((random.uniform(30, 150), random.uniform(80, 420), random.uniform(80, 420), color)
                     for color in colors), reverse=True)
    return lambda y: [span for radius, x, middle, color in places for span in disc(y, x, middle, radius, color)]


def hills(random: Random, colors: list[Color]):
    """A sun behind waves. Each wave is a line of columns."""
    sun = (random.uniform(120, 380), random.uniform(110, 220), random.uniform(45, 90))
    waves = [(230 + 80 * number, random.uniform(20, 45), random.uniform(60, 130), random.uniform(0, 6), color)
             for number, color in enumerate(colors[1:] + colors[:1])]

    def spans(y: int) -> list[Span]:
        found = disc(y, sun[0], sun[1], sun[2], colors[0])
        for middle, height, width, phase, color in waves:
            found += [(x, x + 2, color) for x in range(0, SIDE, 2)
                      if y > middle + height * math.sin(x / width + phase)]
        return found
    return spans


def stripes(random: Random, colors: list[Color]):
    """Slanting stripes."""
    slope, width = random.uniform(-1.2, 1.2), random.uniform(25, 60)
    begins = [(random.uniform(-100, SIDE), color) for color in colors * 2]
    return lambda y: [(at + slope * y, at + slope * y + width, color) for at, color in begins]


def rings(random: Random, colors: list[Color]):
    """Circles around one point, as on a record."""
    x, middle = random.uniform(150, 350), random.uniform(150, 350)
    radii = [(240 - 48 * number, colors[number % 3]) for number in range(5)]
    return lambda y: [span for radius, color in radii for span in disc(y, x, middle, radius, color)]


def png(rows: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))

"""Compares and examines pictures of the screen, pixel by pixel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable

# x, y, width, height
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Picture:
    width: int
    height: int
    # Three bytes per pixel: red, green, blue. The rows go from top to bottom.
    pixels: bytes

    @classmethod
    def read(cls, data: bytes) -> Picture:
        """Reads a binary PPM file (P6), as QEMU and `autoharp-screen --scripted` write it."""
        head = re.match(rb"P6\s(?:#.*\n)?(\d+)\s(\d+)\s255\s", data)
        assert head, "not a PPM file"
        width, height = int(head[1]), int(head[2])
        pixels = data[head.end() :]
        assert len(pixels) == 3 * width * height, "the PPM file is incomplete"
        return cls(width, height, pixels)

    def at(self, x: int, y: int) -> tuple[int, int, int]:
        place = 3 * (y * self.width + x)
        return tuple(self.pixels[place : place + 3])

    def rows(self, box: Box) -> list[bytes]:
        x, y, width, height = box
        return [
            self.pixels[3 * (row * self.width + x) : 3 * (row * self.width + x + width)]
            for row in range(y, y + height)
        ]

    def turned(self) -> Picture:
        """The picture rotated by 90 degrees clockwise."""
        rows = (
            b"".join(self.pixels[3 * (y * self.width + x) : 3 * (y * self.width + x) + 3]
                     for y in range(self.height - 1, -1, -1))
            for x in range(self.width)
        )
        return Picture(self.height, self.width, b"".join(rows))

    def brightness(self) -> float:
        """Mean of all pixels and channels, 0 to 255."""
        return sum(self.pixels) / len(self.pixels)

    def is_plain(self) -> bool:
        """True if all pixels have the same colour."""
        return self.pixels == self.pixels[:3] * (self.width * self.height)

    def difference(self, other: Picture, masked: Iterable[Box] = (), tolerance: int = 0) -> int:
        """Number of pixels outside of `masked` that differ by more than `tolerance` in a channel."""
        assert (self.width, self.height) == (other.width, other.height)
        if self.pixels == other.pixels:
            return 0
        hidden = list(masked)
        count = 0
        for y in range(self.height):
            row = slice(3 * y * self.width, 3 * (y + 1) * self.width)
            one, two = self.pixels[row], other.pixels[row]
            if one == two:
                continue
            for x in range(self.width):
                if any(bx <= x < bx + bw and by <= y < by + bh for bx, by, bw, bh in hidden):
                    continue
                if any(abs(one[3 * x + c] - two[3 * x + c]) > tolerance for c in range(3)):
                    count += 1
        return count

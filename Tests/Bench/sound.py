"""Frames as the sound card was given them: captured, found, compared; and music to compare with.

QEMU's wav driver writes what the guest's card plays, sample for sample, as long as its mixer is off
and its rate and format are the card's. It writes in pieces, so the last 1500 frames are missing
until QEMU ends, and in part even then: play silence behind what is compared.
"""

from __future__ import annotations

import math
import random
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

BYTES_PER_FRAME = 4  # two channels of sixteen bits


@dataclass(frozen=True)
class Frames:
    """Interleaved stereo frames of sixteen bits."""

    data: bytes

    def __repr__(self) -> str:
        return f"<{len(self)} frames>"

    def __len__(self) -> int:
        return len(self.data) // BYTES_PER_FRAME

    def __add__(self, other: Frames) -> Frames:
        return Frames(self.data + other.data)

    def __getitem__(self, part: slice) -> Frames:
        begin, end, _ = part.indices(len(self))
        return Frames(self.data[begin * BYTES_PER_FRAME : end * BYTES_PER_FRAME])

    def from_first_sound(self) -> Frames:
        """Without the silence in front."""
        silent = len(self.data) - len(self.data.lstrip(b"\0"))
        return Frames(self.data[silent - silent % BYTES_PER_FRAME :])

    def find(self, other: Frames, start: int = 0) -> int:
        """The first position of these frames at or after `start`, or -1."""
        at = start * BYTES_PER_FRAME
        while (at := self.data.find(other.data, at)) >= 0:
            if at % BYTES_PER_FRAME == 0:
                return at // BYTES_PER_FRAME
            at += 1
        return -1


def read_capture(path: Path) -> Frames:
    # The header's length is right only when QEMU has ended; the frames are right before.
    data = path.read_bytes()[44:] if path.exists() else b""
    return Frames(data[: len(data) // BYTES_PER_FRAME * BYTES_PER_FRAME])


def difference(expected: Frames, heard: Frames) -> str | None:
    """None if what was heard begins with what was expected; else where and how it goes wrong."""
    heard = heard.from_first_sound()
    expected = expected.from_first_sound()
    if heard.data.startswith(expected.data):
        return None
    pairs = zip(range(len(expected)), range(len(heard)))
    for number, _ in pairs:
        if expected[number : number + 1] != heard[number : number + 1]:
            break
    else:
        return f"{len(heard)} frames were heard of {len(expected)}; all those are right"
    again = heard.find(expected[number : number + 64], number)
    where = f"frame {number} of {len(expected)} is wrong"
    if again > number:
        return f"{where}: {again - number} frames too many, then it goes on as it should"
    lost = expected.find(heard[number : number + 64], number)
    if lost > number:
        return f"{where}: {lost - number} frames are missing"
    return where


def noise(seconds: float, seed: int, rate: int = 44100) -> Frames:
    """Music to compare with: no stretch of it is like another, and it never is silent."""
    random_numbers = random.Random(seed)
    out = bytearray()
    for number in range(int(seconds * rate)):
        wave = 6000 * math.sin(number * (0.02 + seed * 0.003))
        for _ in range(2):
            out += struct.pack("<h", int(wave) + random_numbers.randrange(1, 2000))
    return Frames(bytes(out))


def flac(frames: Frames, rate: int = 44100, tags: dict[str, str] | None = None) -> bytes:
    """Encodes with the reference encoder."""
    command = ["flac", "--silent", "--stdout", "--force-raw-format", "--endian=little"]
    command += ["--sign=signed", "--channels=2", "--bps=16", f"--sample-rate={rate}"]
    command += [f"--tag={name}={value}" for name, value in (tags or {}).items()]
    command.append("-")
    return subprocess.run(command, input=frames.data, stdout=subprocess.PIPE, check=True).stdout

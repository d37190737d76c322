"""Tracks in which each frame identifies its own position. So a benchmark can find the exact frame at which a command
changes the sound.

The level of the left channel is constant for 65536 frames and then changes by a small step. At the
start of the next track, it changes by a large step. The right channel is noise that does not repeat
within these 65536 frames: a fixed permutation of all 16-bit numbers. So the two samples of a frame
identify the track and the position. The files have 16 bits and 48 kHz. FLAC compresses them to about
half of their size, as it does with real music.
"""

from __future__ import annotations

import array
import random
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

RATE = 48000
_BLOCK = 1 << 16
_FIRST_LEVEL, _TRACK_STEP, _BLOCK_STEP = 6000, 1600, 8


class Place(NamedTuple):
    """A position: the number of a track, and the number of a frame in this track. Both numbers start at
    0."""

    track: int
    frame: int


class CodedTracks:
    """The files, and the values of their frames as 32-bit samples."""

    def __init__(self, folder: Path, count: int = 6, seconds: int = 120) -> None:
        if not shutil.which("flac"):
            sys.exit("flac is missing: apt-get install --no-install-recommends flac")
        assert count * _TRACK_STEP + _FIRST_LEVEL < 1 << 15
        assert seconds * RATE // _BLOCK * _BLOCK_STEP < _TRACK_STEP
        self.count = count
        self.frames = seconds * RATE
        self._noise = list(range(-(1 << 15), 1 << 15))
        random.Random(1).shuffle(self._noise)
        self._index = array.array("i", [0]) * _BLOCK  # indexed by the value of the noise + 32768
        for index, value in enumerate(self._noise):
            self._index[value + (1 << 15)] = index
        self._noise32 = array.array("i", (value << 16 for value in self._noise))
        self.block = lru_cache(maxsize=32)(self._block)
        self.files = [self._make(folder, track) for track in range(count)]

    def _make(self, folder: Path, track: int) -> Path:
        path = folder / f"{track + 1:02}.flac"
        command = ["flac", "-s", "-5", "-f", "-o", str(path), "--force-raw-format"]
        command += ["--endian=little", "--sign=signed", "--channels=2", "--bps=16"]
        command += [f"--sample-rate={RATE}", "-"]
        noise = array.array("h", self._noise)
        with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
            assert encoder.stdin
            for start in range(0, self.frames, _BLOCK):
                block = array.array("h", [_level(track, start)]) * (2 * _BLOCK)
                block[1::2] = noise
                encoder.stdin.write(block[: 2 * (self.frames - start)].tobytes())
        if encoder.returncode != 0:
            sys.exit("flac could not make the test tracks")
        return path

    def _block(self, track: int, number: int) -> array.array:
        block = array.array("i", [_level(track, number * _BLOCK) << 16]) * (2 * _BLOCK)
        block[1::2] = self._noise32
        return block

    def advance(self, place: Place, frames: int) -> Place:
        """The place that is `frames` frames later. The tracks follow each other without a gap, and the
        first track follows the last track."""
        track, frame = place.track, place.frame + frames
        while frame >= self.frames:
            track, frame = (track + 1) % self.count, frame - self.frames
        return Place(track, frame)

    def stretch(self, place: Place, most: int) -> array.array:
        """The samples of at most `most` frames from `place` on, left and right interleaved. Returns
        fewer frames if the level changes earlier."""
        number, start = divmod(place.frame, _BLOCK)
        end = min(start + most, _BLOCK, self.frames - number * _BLOCK)
        return self.block(place.track, number)[2 * start : 2 * end]

    def frame(self, place: Place) -> tuple[int, int]:
        number, start = divmod(place.frame, _BLOCK)
        block = self.block(place.track, number)
        return block[2 * start], block[2 * start + 1]

    def locate(self, samples: array.array) -> Place | None:
        """The place of these frames in the tracks. None if the tracks do not contain these frames. Give
        three or more frames, because one frame can match by chance."""
        first = self._locate_one(samples[0], samples[1])
        if first is None:
            return None
        for number in range(1, len(samples) // 2):
            place = self.advance(first, number)
            if self.frame(place) != (samples[2 * number], samples[2 * number + 1]):
                return None
        return first

    def _locate_one(self, left: int, right: int) -> Place | None:
        track, rest = divmod((left >> 16) - _FIRST_LEVEL, _TRACK_STEP)
        number, rest = divmod(rest, _BLOCK_STEP)
        if rest or not 0 <= track < self.count:
            return None
        frame = number * _BLOCK + self._index[(right >> 16) + (1 << 15)]
        if frame >= self.frames or self.frame(Place(track, frame)) != (left, right):
            return None
        return Place(track, frame)


def _level(track: int, frame: int) -> int:
    return _FIRST_LEVEL + _TRACK_STEP * track + _BLOCK_STEP * (frame // _BLOCK)

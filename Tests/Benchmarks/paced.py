"""Compiles and configures paced sound cards (Tests/Audio/PacedPCM/paced.c), and reads their records
while they play.

A card plays into a file in real time. It records each hand-over (a stamp), and it records when it
starts, when it stops and when it runs dry. A run begins at a start, and ends when the card stops or
runs dry. From these records, the reader computes when each played frame was handed over and heard.
"""

from __future__ import annotations

import array
import bisect
import ctypes
import os
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, NamedTuple

SOURCE = Path(__file__).resolve().parent.parent / "Audio" / "PacedPCM" / "paced.c"
FRAME_BYTES = 8  # two channels of 32 bits
SECOND_NS = 1_000_000_000


@dataclass
class Card:
    """The PCM `name` and the files that it writes. `stamps` and `capture` are None if the card does not write these
    files. With `rewind_step`, frames can be rewound, and the position of the card advances in steps of this number of
    frames. Such a card records when frames are played, not when they are handed over."""

    name: str
    formats: str
    events: Path
    stamps: Path | None
    capture: Path | None
    rewind_step: int | None = None


class Cards:
    """The compiled plug-in, and an ALSA configuration with all cards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cards: list[Card] = []
        self.library = folder / "libasound_module_pcm_paced.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        if compiler is None:
            sys.exit("no C compiler found for the paced sound card (Tests/Audio/PacedPCM/paced.c)")
        command = [compiler, "-std=gnu11", "-O2", "-Wall", "-shared", "-fPIC", "-DPIC"]
        command += ["-o", str(self.library), str(SOURCE), "-lasound"]
        if subprocess.run(command).returncode != 0:
            sys.exit("the paced sound card does not compile (is libasound2-dev installed?)")

    def add(
        self, name: str, formats: str = "S32_LE", records: bool = True, rewind_step: int | None = None
    ) -> Card:
        """Adds a card. Without `records` the card stores only its starts and stops."""
        card = Card(
            name,
            formats,
            self.folder / f"{name}.events",
            self.folder / f"{name}.stamps" if records else None,
            self.folder / f"{name}.frames" if records else None,
            rewind_step,
        )
        # The reader can open the files long before the player opens its card, so the files must exist.
        for path in (card.events, card.stamps, card.capture):
            if path:
                path.touch()
        self.cards.append(card)
        self._write()
        return card

    def environment(self) -> dict[str, str]:
        path = str(self.folder / "asound.conf")
        return {**os.environ, "ALSA_CONFIG_PATH": path, "HOME": str(self.folder), "TERM": "xterm"}

    def _write(self) -> None:
        lines = ["</usr/share/alsa/alsa.conf>", f'pcm_type.paced {{ lib "{self.library}" }}']
        for card in self.cards:
            keys = [f'formats "{card.formats}"', f'events "{card.events}"']
            if card.stamps:
                keys.append(f'stamps "{card.stamps}"')
            if card.rewind_step:
                keys.append(f"rewind_step {card.rewind_step}")
            if card.capture:
                keys.append(f'file "{card.capture}"')
            keys.append(f'hint {{ show on description "{card.name}" }}')
            lines.append(f"pcm.{card.name} {{ type paced {' '.join(keys)} }}")
        (self.folder / "asound.conf").write_text("\n".join(lines) + "\n")


# --- Records of a card ----------------------------------------------------------------------------


class Stamp(NamedTuple):
    """The record of one hand-over."""

    ns: int
    offset: int  # position of the first frame in the file, if this frame is not dropped
    frames: int
    ahead: int  # number of frames that are played before the first frame


@dataclass
class Run:
    """One run of the card: from a start until the card stops or runs dry."""

    start_ns: int
    base: int  # frames in the file at the start
    rate: int
    buffer: int  # frames
    wake: int  # when the card has room for this number of frames, it wakes the player
    period: int  # frames
    end: int | None = None  # frames in the file at the end
    end_ns: int = 0
    is_dry: bool = False

    @property
    def ahead(self) -> int:
        """The largest number of frames in the card. The card wakes the player when `buffer - wake`
        frames are left, and the player then adds one period."""
        return self.buffer - self.wake + self.period

    def ns(self, frame: int) -> int:
        """The time at which this frame is heard."""
        return self.start_ns + (frame - self.base) * SECOND_NS // self.rate


def _read_all(descriptor: int, rest: bytes) -> bytes:
    while block := os.read(descriptor, 1 << 20):
        rest += block
    return rest


class EventReader:
    """The runs of a card so far."""

    def __init__(self, card: Card) -> None:
        self.runs: list[Run] = []
        self.dry = 0
        self._descriptor = os.open(card.events, os.O_RDONLY | os.O_CLOEXEC)
        self._rest = b""

    def close(self) -> None:
        os.close(self._descriptor)

    def refresh(self) -> None:
        *lines, self._rest = _read_all(self._descriptor, self._rest).split(b"\n")
        for line in lines:
            words = line.split()
            ns, what, captured = int(words[0]), words[1], int(words[2])
            if what == b"start":
                self.runs.append(Run(ns, captured, *(int(word) for word in words[3:7])))
            elif self.runs:
                run = self.runs[-1]
                run.end, run.is_dry = captured, what == b"dry"
                # The card records late that it ran dry, so compute the time from the number of frames.
                run.end_ns = run.ns(captured) if run.is_dry else ns
                self.dry += run.is_dry
        # Remove old runs, because only the last hours are needed.
        if len(self.runs) > 2000:
            del self.runs[:1000]


class CardReader(EventReader):
    """Everything that a card played so far. A frame is identified by its position in the file."""

    _STAMP = struct.Struct("=4q")
    _KEPT = 100_000

    def __init__(self, card: Card) -> None:
        super().__init__(card)
        assert card.stamps and card.capture, "the card must record its frames"
        self._is_rewritten = card.rewind_step is not None
        self.stamps: list[Stamp] = []
        # Number of frames that were played.
        self.captured = 0
        # Called with all new stamps. Some of their frames can be dropped later. Dropped frames are not played.
        self.on_stamps: Callable[[list[Stamp]], None] | None = None
        self._offsets: list[int] = []
        self._stamp_file = os.open(card.stamps, os.O_RDONLY | os.O_CLOEXEC)
        self._stamp_rest = b""
        self._capture = os.open(card.capture, os.O_RDWR | os.O_CLOEXEC)
        self._forgotten = 0

    def close(self) -> None:
        super().close()
        os.close(self._stamp_file)
        os.close(self._capture)

    def refresh(self) -> None:
        # Count the frames first, and then read the stamps. The card writes the stamp of a frame before
        # it writes the frame, so each frame that is counted here has a stamp.
        self.captured = os.fstat(self._capture).st_size // FRAME_BYTES
        # Read the stamps first, and then the events. The card records the start of a run before the
        # hand-overs of this run. So when a stamp has been read, its run is already in the file of the
        # events.
        data = _read_all(self._stamp_file, self._stamp_rest)
        whole = len(data) - len(data) % self._STAMP.size
        self._stamp_rest = data[whole:]
        fresh = [Stamp(*fields) for fields in self._STAMP.iter_unpack(data[:whole])]
        super().refresh()
        for stamp in fresh:
            # If earlier stamps have this position or a later position, the card has dropped the frames of these stamps.
            while self._offsets and self._offsets[-1] >= stamp.offset:
                self._offsets.pop()
                self.stamps.pop()
            self._offsets.append(stamp.offset)
            self.stamps.append(stamp)
        if len(self.stamps) > 2 * self._KEPT:
            del self.stamps[: -self._KEPT], self._offsets[: -self._KEPT]
        if self.on_stamps and fresh:
            self.on_stamps(fresh)

    def read(self, frame: int, count: int) -> bytes:
        return os.pread(self._capture, count * FRAME_BYTES, frame * FRAME_BYTES)

    def samples(self, frame: int, count: int) -> array.array:
        """The samples of `count` frames, left and right interleaved."""
        return array.array("i", self.read(frame, count))

    def handed_ns(self, frame: int) -> int | None:
        """The time of the hand-over of this frame. A card whose frames can be rewound does not record this time. For
        such a card, the result is the time at which the frame is heard."""
        if self._is_rewritten:
            return self.heard_ns(frame)
        index = bisect.bisect_right(self._offsets, frame) - 1
        if index < 0 or frame >= self.stamps[index].offset + self.stamps[index].frames:
            return None
        return self.stamps[index].ns

    def heard_ns(self, frame: int) -> int | None:
        for run in reversed(self.runs):
            if run.base <= frame:
                return run.ns(frame) if run.end is None or frame < run.end else None
        return None

    def forget(self) -> None:
        """Frees the storage of all frames except the frames of the last 10 s. Positions in the file stay valid."""
        end = (self.captured - 10 * 48000) * FRAME_BYTES
        if end - self._forgotten < 8 << 20:
            return
        # FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE
        _libc.fallocate(self._capture, 3, ctypes.c_int64(0), ctypes.c_int64(end))
        self._forgotten = end


_libc = ctypes.CDLL(None, use_errno=True)

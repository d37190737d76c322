"""Times for programs that measure. The clock is the machine's sound card: one frame is 1/44100 s."""

from __future__ import annotations

import statistics

from headunit import HeadUnit
from sound import BYTES_PER_FRAME

SECOND = 44100


def frames(unit: HeadUnit) -> int:
    """The number of frames that the card has played so far."""
    return max(0, unit.capture.stat().st_size - 44) // BYTES_PER_FRAME


def milliseconds(count: int) -> float:
    return count * 1000 / SECOND


class Times:
    """The times of each kind of command. `what` is the heading of the column with the kinds."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.rows: dict[str, list[float]] = {}

    def add(self, name: str, count: int) -> None:
        self.rows.setdefault(name, []).append(milliseconds(count))

    def print(self) -> None:
        print(f"| {self.what} | n | p50 (ms) | longest |\n| --- | --: | --: | --: |")
        for name, values in self.rows.items():
            print(f"| {name} | {len(values)} | {statistics.median(values):.0f} | {max(values):.0f} |")

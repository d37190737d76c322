"""The clock of a phone that streams to a unit under emulation."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Callable

from sound import capture_bytes_per_second

if TYPE_CHECKING:
    from headunit import HeadUnit


class CardClock:
    """The clock by which a simulated phone sends its packets. It advances with the sound that the unit's sound card
    plays. `factor` returns the ratio of the speed of this clock to the speed of the card's clock.

    Under emulation, the clock of the unit can run at an eighth of the speed of the host's clock. A phone with the
    host's clock would then send eight times too fast. While the card does not play, this clock advances slowly with the
    host's clock, because the unit needs some packets before the card begins.
    """

    # If the card plays nothing for PATIENCE seconds of the host, the clock advances slowly: SLOWNESS is its speed
    # relative to the host's clock. After the card has begun to play, PATIENCE_WHILE_PLAYING replaces PATIENCE, because
    # on a busy host a card can write no sound for some seconds although it plays.
    PATIENCE, PATIENCE_WHILE_PLAYING = 1.0, 15.0
    SLOWNESS = 0.1

    def __init__(self, unit: HeadUnit, factor: Callable[[], float] = lambda: 1.0) -> None:
        self.unit = unit
        self.factor = factor
        self.size = 0
        self.bytes_per_second = 0
        self.seconds = 0.0
        self.last = time.monotonic()
        self.changed = self.last
        self.patience = self.PATIENCE

    def now(self) -> float:
        now = time.monotonic()
        try:
            size = self.unit.capture.stat().st_size
        except FileNotFoundError:
            size = 0
        if size < self.size:
            # After a restart, QEMU writes the captured sound to a new file.
            self.size = self.bytes_per_second = 0
        if size > self.size:
            # QEMU writes the header before the sound, so the header of a file that has grown is complete.
            self.bytes_per_second = self.bytes_per_second or capture_bytes_per_second(self.unit.capture)
            self.seconds += (size - self.size) / self.bytes_per_second * self.factor()
            if self.size:
                self.patience = self.PATIENCE_WHILE_PLAYING
            self.size, self.changed = size, now
        elif now - self.changed > self.patience:
            self.seconds += (now - self.last) * self.SLOWNESS
        self.last = now
        return self.seconds

    async def wait_until(self, when: float) -> None:
        while self.now() < when:
            await asyncio.sleep(0.002)

"""The clock of a phone that streams to a unit under emulation."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Callable

from sound import capture_bytes_per_second

if TYPE_CHECKING:
    from headunit import HeadUnit


class CardClock:
    """The clock of a phone that sends by the clock of the unit's sound card. `factor` returns by how much the clock
    of the phone is faster.

    Under emulation, the clock of the unit may be an eighth of the host's clock. A phone that used the host's
    clock would be eight times too fast. While the card does not play, the phone uses a slow clock, so that the
    card gets the packets that it needs to begin.
    """

    # After this time without sound of the card, the slow clock runs, with this part of the host's speed. On a busy
    # host, a card that plays may make no sound for some seconds of the host.
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
            # After a restart of the machine, the file is another one.
            self.size = self.bytes_per_second = 0
        if size > self.size:
            # The header comes first, so it is complete.
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

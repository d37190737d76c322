"""Holds the packets of a phone's stream on the simulated radio link, and delivers them by the clock of the unit's sound
card.

Under emulation, the clocks of two machines run at very different speeds. So a stream that is delivered immediately is
too fast or too slow for the unit, and the unit has to skip frames or to wait for frames. A held stream arrives at the
unit's own speed, so all of its frames can be compared. Other packets, such as AVRCP packets, are not held.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

from bumble import core

import sbc
from card_clock import CardClock
from machine import TIMEOUT

if TYPE_CHECKING:
    from headunit import HeadUnit

L2CAP_HEADER = 4
RTP_HEADER = 12
FIRST_DYNAMIC_CHANNEL = 0x40
# The first two bytes of RTP: version 2 without additions, and the payload type that bluez-alsa uses.
RTP = bytes([0x80, 96])
# In the byte after the RTP header, these bits have the number of SBC frames.
COUNT = 15


class SmoothClock(CardClock):
    """A `CardClock` that advances without steps. QEMU writes 1024 frames at a time, so the captured file grows in steps
    of 23 ms. Most packets of bluez-alsa also have 23 ms of sound. If the clock advanced in such steps, some packets
    would arrive 46 ms after the packet before, and the unit would raise its lead."""

    STEP = 1024 / sbc.USUAL.rate
    # The speed of the card relative to the host's clock. This value is the first estimate.
    speed = 0.3

    def __init__(self, unit: HeadUnit) -> None:
        super().__init__(unit)
        self.grown = self.last
        self.at_growth = self.shown = 0.0

    def now(self) -> float:
        size = self.size
        seconds = super().now()
        if self.size != size:
            speed = (seconds - self.at_growth) / max(self.last - self.grown, 0.001)
            self.speed += (min(speed, 1.0) - self.speed) / 16
            self.grown, self.at_growth = self.last, seconds
        self.shown = max(self.shown, seconds + min((self.last - self.grown) * self.speed, self.STEP))
        return self.shown


class HeldStream:
    """`HeldStream(unit, ahead=3)` begins to deliver when it holds three seconds of the stream. With `limit`, it holds
    at most this number of seconds, and drops packets that arrive when it is full."""

    def __init__(self, unit: HeadUnit, ahead: float = 0, limit: float = float("inf")) -> None:
        self.unit = unit
        self.ahead = ahead
        self.limit = limit
        # The packets of the phone: the sequence number of each packet, and its content after the RTP header.
        self.numbers: list[int] = []
        self.packets: list[bytes] = []
        self.held: deque[tuple] = deque()
        self.delivered = 0.0  # seconds
        self.radio = unit.options["radio"]
        self.radio.run(self._begin())

    async def _begin(self) -> None:
        controller = self.radio.unit
        self.receive = controller.on_link_acl_data
        controller.on_link_acl_data = self._hold
        self.task = asyncio.get_running_loop().create_task(self._deliver())

    def close(self) -> None:
        """Delivers the packets that are held, and from now on delivers each packet immediately. No packet is dropped
        here, because the stream can continue after a pause of the player, and the unit would then report lost
        packets."""
        async def end() -> None:
            self.task.cancel()
            while self.held:
                self.receive(*self.held.popleft())
            self.radio.unit.on_link_acl_data = self.receive

        self.radio.run(end())

    def _hold(self, sender, transport: core.PhysicalTransport, data: bytes) -> None:
        channel = int.from_bytes(data[2:4], "little")
        body = data[L2CAP_HEADER:]
        if channel < FIRST_DYNAMIC_CHANNEL or not body.startswith(RTP) or len(body) <= RTP_HEADER + 1:
            self.receive(sender, transport, data)
        elif self.seconds_held() < self.limit:
            self.numbers.append(int.from_bytes(body[2:4]))
            self.packets.append(body[RTP_HEADER:])
            self.held.append((sender, transport, data))

    async def _deliver(self) -> None:
        while self.seconds_held() < self.ahead:
            await asyncio.sleep(0.05)  # polls, like the clock of the card
        clock = SmoothClock(self.unit)
        due = clock.now()
        while True:
            while not self.held:
                await asyncio.sleep(0.01)
                # After a pause, the next packet is due now.
                due = max(due, clock.now())
            await clock.wait_until(due)
            packet = self.held.popleft()
            self.receive(*packet)
            length = length_of(packet[2][L2CAP_HEADER + RTP_HEADER :])
            due, self.delivered = due + length, self.delivered + length

    def wait_until_delivered(self, seconds: float) -> None:
        deadline = time.monotonic() + TIMEOUT
        while self.delivered < seconds:
            assert time.monotonic() < deadline, f"{self.delivered} of {seconds} seconds were delivered"
            time.sleep(0.2)  # polls, because the stream is in another thread

    def seconds_held(self) -> float:
        return sum(length_of(packet[2][L2CAP_HEADER + RTP_HEADER :]) for packet in self.held)

    def frames(self) -> list[bytes]:
        """The SBC frames that have arrived from the phone."""
        frames = []
        for packet in list(self.packets):
            count, body = packet[0] & COUNT, packet[1:]
            size = len(body) // count
            frames += [body[at : at + size] for at in range(0, len(body), size)]
        return frames

    def left_out(self) -> int:
        """The number of missing packets, from the gaps in the sequence numbers: the phone has not sent them, or they
        were dropped because of `limit`."""
        steps = zip(self.numbers, self.numbers[1:])
        return sum((after - before - 1) & 0xFFFF for before, after in steps)


def length_of(packet: bytes) -> float:
    """The length in seconds of a packet without its RTP header."""
    return (packet[0] & COUNT) * sbc.USUAL.frames / sbc.USUAL.rate

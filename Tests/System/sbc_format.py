"""The formats of SBC that the qualification cases demand. `sbc.py` has only the usual one."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

import sbc
from sound import BYTES_PER_FRAME, Frames, silence

RATES, MODES = [16000, 32000, 44100, 48000], ["mono", "dual", "stereo", "joint"]
BLOCKS, SUBBANDS, ALLOCATIONS = [4, 8, 12, 16], [4, 8], ["loudness", "snr"]
# A packet has about 20 ms, as those of Android, and at most fifteen SBC frames. It fits into the MTU of the unit.
PACKET_SECONDS, MOST_FRAMES, MOST_BYTES = 0.02, 15, 850
LEAST_BITPOOL = 2


@dataclass(frozen=True)
class Format:
    """How a phone codes its sound."""

    rate: int = 44100
    mode: str = "joint"
    blocks: int = 16
    subbands: int = 8
    allocation: str = "loudness"
    bitpool: int = 53

    @property
    def configuration(self) -> bytes:
        """The four bytes of A2DP. Each field has one bit, and the first value has the highest bit."""
        rate = 0x80 >> RATES.index(self.rate)
        mode = 0x08 >> MODES.index(self.mode)
        blocks = 0x80 >> BLOCKS.index(self.blocks)
        subbands = 0x08 >> SUBBANDS.index(self.subbands)
        allocation = 0x01 << ALLOCATIONS.index(self.allocation)
        return bytes([rate | mode, blocks | subbands | allocation, LEAST_BITPOOL, self.bitpool])

    @property
    def frames(self) -> int:
        """Number of frames of sound in an SBC frame."""
        return self.blocks * self.subbands

    @cached_property
    def frames_per_packet(self) -> int:
        """Number of SBC frames in a packet."""
        size = len(self.encode(silence(0.01, self.rate))[0])
        return min(MOST_FRAMES, MOST_BYTES // size, round(PACKET_SECONDS * self.rate / self.frames))

    @property
    def bytes_per_frame(self) -> int:
        return BYTES_PER_FRAME // 2 if self.mode == "mono" else BYTES_PER_FRAME

    def encode(self, sound: Frames) -> list[bytes]:
        """The SBC frames of a sound. Of a mono format, they hold the left channel."""
        data = sound.samples()[::2].tobytes() if self.mode == "mono" else sound.data
        step = self.frames * self.bytes_per_frame
        with Coder.of(self) as coder:
            return [coder.run("sbc_encode", data[at : at + step], 1024)
                    for at in range(0, len(data) - step + 1, step)]

    def decode(self, frames: list[bytes]) -> Frames:
        """The sound of SBC frames. Both channels have the sound of a mono format."""
        size = self.frames * self.bytes_per_frame
        with Coder.of(self) as coder:
            data = b"".join(coder.run("sbc_decode", frame, size) for frame in frames)
        if self.mode != "mono":
            return Frames(data)
        both = array("h", bytes(2 * len(data)))
        both[::2] = both[1::2] = array("h", data)
        return Frames(both.tobytes())


class Coder(sbc.Coder):
    """`sbc_t` with the values of a format."""

    format: Format

    @classmethod
    def of(cls, format: Format) -> Coder:
        coder = cls()
        coder.format = format
        return coder

    def __enter__(self) -> Coder:
        super().__enter__()
        self.frequency, self.mode = RATES.index(self.format.rate), MODES.index(self.format.mode)
        self.blocks, self.subbands = BLOCKS.index(self.format.blocks), SUBBANDS.index(self.format.subbands)
        self.allocation, self.bitpool = ALLOCATIONS.index(self.format.allocation), self.format.bitpool
        return self

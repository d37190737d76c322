"""Encodes SBC with libsbc in place of a phone, and decodes SBC in place of the head unit."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import dataclass
from functools import cache

from sound import Frames

# For each choice: its bit in the A2DP configuration, and its number in libsbc.
RATES = {44100: (0x20, 2), 48000: (0x10, 3)}
MODES = {"mono": (8, 0), "dual channel": (4, 1), "stereo": (2, 2), "joint stereo": (1, 3)}
BLOCKS = {4: (0x80, 0), 8: (0x40, 1), 12: (0x20, 2), 16: (0x10, 3)}
SUBBANDS = {4: (8, 0), 8: (4, 1)}
ALLOCATIONS = {"SNR": (2, 1), "loudness": (1, 0)}
# libsbc reads up to 16 bytes after the end of a damaged SBC frame, so these bytes follow the data.
PADDING = bytes(16)
BYTES_PER_SAMPLE = 2


@dataclass(frozen=True)
class Coding:
    """How a phone codes its sound. The defaults are what most phones configure."""

    rate: int = 44100
    mode: str = "joint stereo"
    blocks: int = 16
    subbands: int = 8
    allocation: str = "loudness"
    # The bitpool of the frames, and the range of bitpools that the configuration permits.
    bitpool: int = 53
    bitpools: tuple[int, int] = (2, 53)

    @property
    def frames(self) -> int:
        """Number of frames of sound in an SBC frame."""
        return self.blocks * self.subbands

    @property
    def channels(self) -> int:
        return 1 if self.mode == "mono" else 2

    @property
    def configuration(self) -> bytes:
        """The four bytes of the A2DP configuration of SBC."""
        return bytes([
            RATES[self.rate][0] | MODES[self.mode][0],
            BLOCKS[self.blocks][0] | SUBBANDS[self.subbands][0] | ALLOCATIONS[self.allocation][0],
            *self.bitpools,
        ])


USUAL = Coding()


class Coder(ctypes.Structure):
    """`sbc_t` of sbc.h."""

    _fields_ = [
        ("flags", ctypes.c_ulong), ("frequency", ctypes.c_uint8), ("blocks", ctypes.c_uint8),
        ("subbands", ctypes.c_uint8), ("mode", ctypes.c_uint8), ("allocation", ctypes.c_uint8),
        ("bitpool", ctypes.c_uint8), ("endian", ctypes.c_uint8), ("private", ctypes.c_void_p),
        ("private_base", ctypes.c_void_p),
    ]

    def __init__(self, coding: Coding) -> None:
        super().__init__()
        self.coding = coding

    def __enter__(self) -> Coder:
        assert library().sbc_init(ctypes.byref(self), 0) == 0
        coding = self.coding
        self.frequency, self.mode = RATES[coding.rate][1], MODES[coding.mode][1]
        self.blocks, self.subbands = BLOCKS[coding.blocks][1], SUBBANDS[coding.subbands][1]
        self.allocation, self.bitpool, self.endian = ALLOCATIONS[coding.allocation][1], coding.bitpool, 0
        return self

    def __exit__(self, *_) -> None:
        library().sbc_finish(ctypes.byref(self))

    def run(self, function: str, data: bytes, result_bytes: int) -> bytes:
        result = ctypes.create_string_buffer(result_bytes)
        written = ctypes.c_ssize_t(0)
        used = getattr(library(), function)(
            ctypes.byref(self), data + PADDING, ctypes.c_size_t(len(data)), result,
            ctypes.c_size_t(result_bytes), ctypes.byref(written))
        assert used == len(data), f"{function}: {used} of {len(data)} bytes"
        return result.raw[: written.value]


@cache
def library() -> ctypes.CDLL:
    library = ctypes.CDLL("libsbc.so.1")
    for name in ("sbc_encode", "sbc_decode"):
        getattr(library, name).restype = ctypes.c_ssize_t
    return library


def encode(sound: Frames, coding: Coding = USUAL) -> list[bytes]:
    """The SBC frames of a sound. Frames at the end that do not fill an SBC frame are left out. Mono uses only the left
    channel."""
    data = sound.data if coding.channels == 2 else sound.samples()[::2].tobytes()
    step = coding.frames * coding.channels * BYTES_PER_SAMPLE
    with Coder(coding) as coder:
        return [coder.run("sbc_encode", data[at : at + step], 1024)
                for at in range(0, len(data) - step + 1, step)]


def decode(frames: list[bytes], coding: Coding = USUAL) -> Frames:
    """The sound of SBC frames. Mono sound is copied to both channels."""
    size = coding.frames * coding.channels * BYTES_PER_SAMPLE
    with Coder(coding) as coder:
        data = b"".join(coder.run("sbc_decode", frame, size) for frame in frames)
    if coding.channels == 2:
        return Frames(data)
    both = array("h", bytes(2 * len(data)))
    both[0::2] = both[1::2] = array("h", data)
    return Frames(both.tobytes())

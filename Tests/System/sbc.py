"""Encodes and decodes SBC with libsbc, as a phone and as the head unit."""

from __future__ import annotations

import ctypes
from functools import cache

from sound import BYTES_PER_FRAME, Frames

# What a phone configures: 44.1 kHz, joint stereo, 16 blocks, 8 subbands, loudness, bitpools 2 to 53.
CONFIGURATION = bytes([0x21, 0x15, 2, 53])
RATE = 44100
FRAMES = 128  # number of frames in an SBC frame of this configuration
SBC_BYTES = 119  # number of bytes of such an SBC frame
BITPOOL = 53
# libsbc reads up to this number of bytes behind a damaged SBC frame.
PADDING = bytes(16)


class Coder(ctypes.Structure):
    """`sbc_t` of sbc.h. The values are those of 44.1 kHz, 16 blocks, 8 subbands, joint stereo, loudness."""

    _fields_ = [
        ("flags", ctypes.c_ulong), ("frequency", ctypes.c_uint8), ("blocks", ctypes.c_uint8),
        ("subbands", ctypes.c_uint8), ("mode", ctypes.c_uint8), ("allocation", ctypes.c_uint8),
        ("bitpool", ctypes.c_uint8), ("endian", ctypes.c_uint8), ("private", ctypes.c_void_p),
        ("private_base", ctypes.c_void_p),
    ]

    def __enter__(self) -> Coder:
        assert library().sbc_init(ctypes.byref(self), 0) == 0
        self.frequency, self.blocks, self.subbands = 2, 3, 1
        self.mode, self.allocation, self.bitpool, self.endian = 3, 0, BITPOOL, 0
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


def encode(sound: Frames) -> list[bytes]:
    """The SBC frames of a sound. Frames that fill no SBC frame are left out."""
    step = FRAMES * BYTES_PER_FRAME
    with Coder() as coder:
        return [coder.run("sbc_encode", sound.data[at : at + step], 512)
                for at in range(0, len(sound.data) - step + 1, step)]


def decode(frames: list[bytes]) -> Frames:
    """The sound of SBC frames."""
    with Coder() as coder:
        return Frames(b"".join(coder.run("sbc_decode", frame, FRAMES * BYTES_PER_FRAME)
                               for frame in frames))

"""Makes PNG files for covers and buttons."""

from __future__ import annotations

import struct
import zlib


def png(side: int, rows: bytes, has_alpha: bool = False) -> bytes:
    """A square picture with eight bits per channel. Each row in `rows` begins with a zero byte, which means that the
    row has no filter."""
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", side, side, 8, 6 if has_alpha else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))

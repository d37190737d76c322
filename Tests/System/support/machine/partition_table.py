"""Reads a GPT as the kernel reads it with the argument `gpt`: the first table, or, if the first table is not valid, the
second table at the end of the disk."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import BinaryIO

SECTOR = 512
ENTRIES = 128
ENTRY = 128


def partitions(disk: Path) -> dict[str, tuple[int, int]]:
    """The first and the last sector of each partition, keyed by the name of the partition."""
    with open(disk, "rb") as file:
        size = file.seek(0, 2) // SECTOR
        for place in (1, size - 1):
            if (entries := valid_entries(file, place)) is not None:
                return dict(parsed(entries))
    raise AssertionError("both tables are damaged")


def is_first_valid(disk: Path) -> bool:
    with open(disk, "rb") as file:
        return valid_entries(file, 1) is not None


def valid_entries(file: BinaryIO, place: int) -> bytes | None:
    """The entries of the table with its header in the sector `place`, or None if a checksum is wrong."""
    file.seek(place * SECTOR)
    header = file.read(SECTOR)
    size, checksum = struct.unpack("<II", header[12:20])
    if header[:8] != b"EFI PART" or not 92 <= size <= SECTOR:
        return None
    if zlib.crc32(header[:16] + bytes(4) + header[20:size]) != checksum:
        return None
    own, = struct.unpack("<Q", header[24:32])
    at, = struct.unpack("<Q", header[72:80])
    expected, = struct.unpack("<I", header[88:92])
    file.seek(at * SECTOR)
    entries = file.read(ENTRIES * ENTRY)
    return entries if own == place and zlib.crc32(entries) == expected else None


def parsed(entries: bytes):
    for at in range(0, len(entries), ENTRY):
        entry = entries[at:at + ENTRY]
        if any(entry[:16]):
            yield entry[56:].decode("utf-16-le").rstrip("\0"), struct.unpack("<QQ", entry[32:48])

"""Reads the log of all writes of a machine to its disk. QEMU's blklogwrites writes this log in the format of the Linux
target dm-log-writes. A test applies only some of the writes to a copy of the disk, as if the power was cut between two
writes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Iterator

MAGIC = 0x6A736677736872
SECTOR = 512
DISCARD = 4


@dataclass(frozen=True)
class Write:
    sector: int
    data: bytes

    @property
    def end(self) -> int:
        return self.sector + len(self.data) // SECTOR

    def apply(self, disk: BinaryIO, sectors: int | None = None) -> None:
        """Writes the data, or only its first `sectors`."""
        disk.seek(self.sector * SECTOR)
        disk.write(self.data if sectors is None else self.data[:sectors * SECTOR])


def writes(log: Path) -> Iterator[Write]:
    """The writes with data, in their order. For a request to write zeros, the log contains the zeros as data."""
    with open(log, "rb") as file:
        magic, version, count, size = struct.unpack("<QQQI", file.read(28))
        assert (magic, version, size) == (MAGIC, 1, SECTOR)
        file.seek(size)
        for _ in range(count):
            sector, sectors, flags, length = struct.unpack("<QQQQ", file.read(32))
            file.seek(size - 32, 1)
            assert not flags & DISCARD or sectors == 0, "the disk of a test drops nothing"
            if sectors:
                yield Write(sector, file.read(sectors * SECTOR))

"""The disk of a head unit, as a file that is a copy of the image. While the unit is off, tests fill, damage or
read the disk."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from machine import PROJECT  # adds board/ to the path
from sticks import make_ext4, run

from imagebuilder.data import FORMAT
from imagebuilder.disk import find_partition
from imagebuilder.files import MIB, data_of


def copy_part(source: Path, begin: int, size: int, to: Path) -> Path:
    """Copies `size` bytes of a file, from byte `begin` on. Holes of the file stay holes, so copying them takes no
    time."""
    with open(source, "rb") as file, open(to, "wb") as copy:
        copy.truncate(size)
        for at, piece in data_of(file, begin, begin + size):
            os.pwrite(copy.fileno(), piece, at - begin)
    return to


class Disk:
    def __init__(self, file: Path, image: Path) -> None:
        self.file = file
        subprocess.run(["cp", "--sparse=always", image, file], check=True)

    def partition(self, name: str) -> tuple[int, int]:
        """Start and length of a partition, in bytes."""
        return find_partition(self.file, name)

    def fill_data(self, files: dict[str, bytes]) -> None:
        """Replaces /data by a new file system with these files."""
        made = make_ext4(self.file.parent, files, self.partition("data")[1], *FORMAT[2:])
        self.put("data", made)
        made.unlink()

    def put(self, partition: str, file: Path) -> None:
        """Writes a file to the start of a partition. Where the file has a hole, the partition keeps its old content."""
        begin, size = self.partition(partition)
        assert file.stat().st_size <= size
        run("dd", f"if={file}", f"of={self.file}", "bs=1M", f"seek={begin // MIB}",
            "conv=notrunc,sparse")

    def write(self, partition: str, at: int, data: bytes) -> None:
        """Damages a partition: writes `data` at byte `at`."""
        begin, _ = self.partition(partition)
        with open(self.file, "r+b") as disk:
            disk.seek(begin + at)
            disk.write(data)

    def copy(self, partition: str, to: Path) -> Path:
        """Copies a partition into a file."""
        return copy_part(self.file, *self.partition(partition), to)

    def rename_partition(self, name: str, other: str) -> None:
        """Renames a partition, so that the unit does not find it."""
        number = {"esp": 1, "root-a": 2, "root-b": 3, "data": 4}[name]
        run("sfdisk", "--quiet", "--part-label", self.file, str(number), other)

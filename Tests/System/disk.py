"""The disk of a head unit, while that is off: a copy of the image, filled, damaged, looked at."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from sticks import make_ext4, run

MIB = 1 << 20


class Disk:
    def __init__(self, file: Path, image: Path) -> None:
        self.file = file
        subprocess.run(["cp", "--sparse=always", image, file], check=True)

    def partition(self, name: str) -> tuple[int, int]:
        """Where a partition begins and how long it is, in bytes."""
        table = json.loads(run("sfdisk", "--json", self.file))["partitiontable"]
        for part in table["partitions"]:
            if part["name"] == f"autoharp-{name}":
                return part["start"] * table["sectorsize"], part["size"] * table["sectorsize"]
        raise KeyError(name)

    def fill_data(self, files: dict[str, bytes]) -> None:
        """Makes /data anew with these files in."""
        made = make_ext4(self.file.parent, files, self.partition("data")[1])
        self.put("data", made)
        made.unlink()

    def put(self, partition: str, file: Path) -> None:
        """Writes a file to the beginning of a partition. Holes of the file are left as they are there."""
        begin, size = self.partition(partition)
        assert file.stat().st_size <= size
        run("dd", f"if={file}", f"of={self.file}", "bs=1M", f"seek={begin // MIB}",
            "conv=notrunc,sparse")

    def write(self, partition: str, at: int, data: bytes) -> None:
        """Damages a partition at that byte of it."""
        begin, _ = self.partition(partition)
        with open(self.file, "r+b") as disk:
            disk.seek(begin + at)
            disk.write(data)

    def copy(self, partition: str, to: Path) -> Path:
        """Takes a partition out."""
        begin, size = self.partition(partition)
        run("dd", f"if={self.file}", f"of={to}", "bs=1M", f"skip={begin // MIB}",
            f"count={size // MIB}", "conv=sparse")
        return to

    def call_partition(self, name: str, other: str) -> None:
        """Gives a partition another name, so that it is not found any more."""
        number = {"esp": 1, "root": 2, "data": 3}[name]
        run("sfdisk", "--quiet", "--part-label", self.file, str(number), other)

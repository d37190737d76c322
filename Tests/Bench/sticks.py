"""USB sticks as files: made, filled and damaged without mounting anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
ENVIRONMENT = dict(
    os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin", MTOOLS_SKIP_CHECK="1", LC_ALL="C.UTF-8"
)
# What partition tables call the file systems.
KINDS = {"vfat": "0c", "exfat": "07", "ext4": "83"}


def run(*command, **options) -> None:
    subprocess.run(
        [str(part) for part in command], check=True, env=ENVIRONMENT,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options,
    )


@dataclass
class Stick:
    """A disk with one partition, from 1 MiB on."""

    file: Path

    @classmethod
    def make(cls, folder: Path, files: dict[str, bytes], kind: str = "vfat", size: int = 64) -> Stick:
        """files: path → contents. size in MiB. exFAT cannot be filled from outside, so it is empty."""
        number = len(list(folder.glob("stick-*.img")))
        stick, part = folder / f"stick-{number}.img", folder / "stick.part"
        with open(part, "wb") as out:
            out.truncate((size - 1) * MIB)
        tree = Path(tempfile.mkdtemp(dir=folder))
        for name, data in files.items():
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if kind == "vfat":
            run("mkfs.fat", "-F", "32", "-n", "MUSIC", part)
            for path in sorted(tree.iterdir()):
                run("mcopy", "-s", "-i", part, path, "::")
        elif kind == "ext4":
            run("mke2fs", "-q", "-t", "ext4", "-d", tree, part)
        elif kind == "exfat":
            assert not files, "exFAT cannot be filled from outside"
            run("mkfs.exfat", part)
        shutil.rmtree(tree)
        with open(stick, "wb") as out:
            out.truncate(size * MIB)
        run("sfdisk", "--quiet", stick, input=f"label: dos\nstart=1MiB, type={KINDS[kind]}\n".encode())
        run("dd", f"if={part}", f"of={stick}", "bs=1M", "seek=1", "conv=notrunc,sparse")
        part.unlink()
        return cls(stick)

    def contents(self) -> bytes:
        return self.file.read_bytes()

    def write(self, at: int, data: bytes) -> None:
        """Damages the partition at that byte of it."""
        with open(self.file, "r+b") as file:
            file.seek(MIB + at)
            file.write(data)

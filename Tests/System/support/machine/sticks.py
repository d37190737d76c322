"""Makes, fills and damages USB sticks as image files, without mounting them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
ENVIRONMENT = dict(
    os.environ,
    PATH=os.environ["PATH"] + ":/usr/sbin:/sbin",
    MTOOLS_SKIP_CHECK="1",
    LC_ALL="C.UTF-8",
)
# Types of the file systems in a partition table.
KINDS = {"vfat": "0c", "exfat": "07", "ext4": "83"}


def run(*command, **options) -> bytes:
    done = subprocess.run(
        [str(part) for part in command], env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    )
    assert done.returncode == 0, f"{command}\n{done.stderr.decode()}"
    return done.stdout


def make_tree(folder: Path, files: dict[str, bytes], links: dict[str, str] | None = None) -> Path:
    """Makes a folder with these files, and with symbolic links: `links` maps the path of each link to its target."""
    tree = Path(tempfile.mkdtemp(dir=folder))
    tree.chmod(0o755)
    for name, data in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if data.startswith(b"#!") else 0o644)
    for name, target in (links or {}).items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).symlink_to(target)
    return tree


def make_ext4(folder: Path, files: dict[str, bytes], size: int, *options,
              links: dict[str, str] | None = None) -> Path:
    """Makes an ext4 file system of `size` bytes, with additional mke2fs options. The files belong to root, and all
    users can read them."""
    made, tree = folder / "ext4.part", make_tree(folder, files, links)
    with open(made, "wb") as out:
        out.truncate(size)
    run("mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", *options, "-d", tree, made)
    shutil.rmtree(tree)
    return made


@dataclass
class Stick:
    """A disk with one partition, which begins at 1 MiB."""

    file: Path

    @classmethod
    def make(cls, folder: Path, files: dict[str, bytes], kind: str = "vfat", size: int = 64) -> Stick:
        """`files` maps the path of each file to its contents. `size` is in MiB. An exFAT stick stays empty, because no
        tool copies files to an exFAT file system without mounting it."""
        number = len(list(folder.glob("stick-*.img")))
        stick, part = folder / f"stick-{number}.img", folder / "stick.part"
        if kind == "ext4":
            make_ext4(folder, files, (size - 1) * MIB).rename(part)
        else:
            with open(part, "wb") as out:
                out.truncate((size - 1) * MIB)
        if kind == "vfat":
            run("mkfs.fat", "-F", "32", "-n", "MUSIC", part)
            tree = make_tree(folder, files)
            for path in sorted(tree.iterdir()):
                run("mcopy", "-s", "-i", part, path, "::")
            shutil.rmtree(tree)
        elif kind == "exfat":
            assert not files, "no tool copies files to exFAT without mounting it"
            run("mkfs.exfat", part)
        with open(stick, "wb") as out:
            out.truncate(size * MIB)
        run("sfdisk", "--quiet", stick, input=f"label: dos\nstart=1MiB, type={KINDS[kind]}\n".encode())
        run("dd", f"if={part}", f"of={stick}", "bs=1M", "seek=1", "conv=notrunc,sparse")
        part.unlink()
        return cls(stick)

    def contents(self) -> bytes:
        return self.file.read_bytes()

    def write(self, at: int, data: bytes) -> None:
        """Damages the partition: writes `data` at byte `at`."""
        with open(self.file, "r+b") as file:
            file.seek(MIB + at)
            file.write(data)

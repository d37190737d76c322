"""Creates and removes files and folders. Several steps of the build use these functions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import BinaryIO, Iterator

MIB = 1 << 20


def remove(path: Path) -> None:
    """Removes a file, a link or a folder with everything in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def empty_folder(path: Path) -> Path:
    """Makes an empty folder. Removes an existing folder first."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def empty_file(path: Path, size: int) -> Path:
    """Makes a file of `size` MiB that consists of one hole. Removes an existing file first."""
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(size * MIB)
    return path


def data_of(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yields the data of a file from byte `begin` to byte `end` as (offset, piece). Each piece has at most 1 MiB.
    Leaves out the holes of the file."""
    at = begin
    while at < end:
        try:
            at = os.lseek(file.fileno(), at, os.SEEK_DATA)
        except OSError:
            return  # the rest of the file is a hole
        hole = min(os.lseek(file.fileno(), at, os.SEEK_HOLE), end)
        while at < hole:
            piece = os.pread(file.fileno(), min(MIB, hole - at), at)
            yield at, piece
            at += len(piece)


def copy_program(source: Path, target: Path) -> None:
    """Copies a file and makes the copy executable for all users. Removes an existing target first, because the target
    can be a hard link to a file of `base`. Writing to the target would also change that file."""
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)

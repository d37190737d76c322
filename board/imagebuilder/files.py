"""Makes and removes files and folders, for several steps."""

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
    """Makes an empty folder. Removes a folder that is already there."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def empty_file(path: Path, size: int) -> Path:
    """Makes a file of `size` MiB that is one hole. Removes a file that is already there."""
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(size * MIB)
    return path


def data_of(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The data of a file from byte `begin` to byte `end`, in pieces of at most 1 MiB, each with its place.
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
    """Copies a file and makes the copy executable for all users. Removes an existing target first.
    The target may be a hard link to a file of another folder, and this file must not change."""
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)

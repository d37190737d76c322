"""Files and folders, as several steps make them."""

from __future__ import annotations

import shutil
from pathlib import Path

MIB = 1 << 20


def remove(path: Path) -> None:
    """Removes a file, a link or a folder with everything in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def empty_folder(path: Path) -> Path:
    """Makes an empty folder, in place of a folder that may be there."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def empty_file(path: Path, size: int) -> Path:
    """Makes a file of `size` MiB that is one hole, in place of a file that may be there."""
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.truncate(size * MIB)
    return path


def copy_program(source: Path, target: Path) -> None:
    """Copies a file, executable for everybody. A file that is there is replaced, not written to,
    because it may be a hard link to a file of another folder."""
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755)

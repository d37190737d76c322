"""Stamps. A stamp shows whether a result is up to date.

A step computes a key, which is a hash of everything that the result depends on. The stamp of a
result is the file NAME.made-from beside the result. It contains the key of the result.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def hash_of(*inputs) -> str:
    """SHA-256 of values, files and folders.

    For a Path, the names, modes and contents of the file or folder are hashed. For any other value,
    its repr() is hashed.
    """
    digest = hashlib.sha256()
    for item in inputs:
        if not isinstance(item, Path):
            digest.update(repr(item).encode())
            continue
        for path in [item] if item.is_file() else sorted(item.rglob("*")):
            digest.update(f"{path.relative_to(item)} {path.lstat().st_mode}".encode())
            if path.is_symlink():
                digest.update(os.readlink(path).encode())
            elif path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def stamp_file(result: Path) -> Path:
    return result.with_name(result.name + ".made-from")


def key_of(result: Path) -> str:
    """Reads the key of a result. The step of the result must have finished."""
    return stamp_file(result).read_text()


def up_to_date(result: Path, key: str) -> bool:
    """True if the result exists and its stamp has this key."""
    return result.exists() and stamp_file(result).exists() and key_of(result) == key


def remove_stamp(result: Path) -> None:
    """Removes the stamp. Call this function before a result is changed. Otherwise a step that fails
    would leave an incomplete result with a valid stamp."""
    stamp_file(result).unlink(missing_ok=True)


def write_stamp(result: Path, key: str) -> None:
    """Writes the stamp. Call this function when a result is complete."""
    stamp_file(result).write_text(key)

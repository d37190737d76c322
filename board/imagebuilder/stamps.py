"""Stamps: whether a result is up to date.

A step computes a key, which is a hash of everything that the result depends on. The stamp of a
result is the file NAME.made-from beside it, with the key that it was made from.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def hash_of(*inputs) -> str:
    """SHA-256 of values, files and folders: names, modes and contents.

    A Path stands for the file or folder that it names, any other value for its repr().
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
    """The key that a result was made from. Its step must have finished."""
    return stamp_file(result).read_text()


def up_to_date(result: Path, key: str) -> bool:
    """Whether the result is there and was made from this key."""
    return result.exists() and stamp_file(result).exists() and key_of(result) == key


def remove_stamp(result: Path) -> None:
    """To be called before a result is changed: a step that fails halfway must not leave a stamp
    that calls the incomplete result up to date."""
    stamp_file(result).unlink(missing_ok=True)


def write_stamp(result: Path, key: str) -> None:
    """To be called when a result is complete."""
    stamp_file(result).write_text(key)

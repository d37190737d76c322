"""Removes from the unpacked packages what the image does not need."""

from __future__ import annotations

import stat
from pathlib import Path

from .commands import BuildError
from .files import remove
from .lists import names_in, read_list


def prune(base: Path, lists: Path) -> None:
    """lists: the folder of prune.list and only.list."""
    remove_patterns(base, lists / "prune.list")
    keep_only(base, lists / "only.list")
    clear_set_id_bits(base)


def remove_patterns(base: Path, list_file: Path) -> None:
    """Removes what the patterns of a list match, folders with everything in them."""
    for _, pattern, _ in read_list(list_file):
        for path in list(base.glob(pattern)):
            remove(path)


def keep_only(base: Path, list_file: Path) -> None:
    """Each section of the list names a folder, of which only the listed entries are kept.

    Raises BuildError if a listed entry is not there.
    """
    for folder in {section for section, _, _ in read_list(list_file)}:
        listed = set(names_in(list_file, folder))
        found = {path.name for path in (base / folder).iterdir()}
        for name in found - listed:
            remove(base / folder / name)
        if missing := sorted(listed - found):
            raise BuildError(f"{list_file.name}: {folder} has no {', '.join(missing)}")


def clear_set_id_bits(base: Path) -> None:
    """No program of the image may give its caller the rights of another user: none needs that."""
    for path in base.rglob("*"):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
            path.chmod(stat.S_IMODE(mode) & 0o777)

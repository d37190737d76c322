"""Removes from the unpacked packages what the image does not need."""

from __future__ import annotations

import stat
from pathlib import Path

from .commands import BuildError
from .files import remove
from .lists import names_in, read_list


def prune(base: Path, lists: Path) -> None:
    """Removes the files that prune.list names, and the entries that only.list does not name. `lists`
    is the folder of these two lists. Also removes the set-user-ID and set-group-ID bits."""
    remove_patterns(base, lists / "prune.list")
    keep_only(base, lists / "only.list")
    clear_set_id_bits(base)


def remove_patterns(base: Path, list_file: Path) -> None:
    """Removes all files and folders that match a pattern of the list."""
    for _, pattern, _ in read_list(list_file):
        for path in list(base.glob(pattern)):
            remove(path)


def keep_only(base: Path, list_file: Path) -> None:
    """Each section of the list names a folder. Removes all entries of this folder that are not
    listed.

    Raises BuildError if a listed entry does not exist.
    """
    for folder in {section for section, _, _ in read_list(list_file)}:
        listed = set(names_in(list_file, folder))
        found = {path.name for path in (base / folder).iterdir()}
        for name in found - listed:
            remove(base / folder / name)
        if missing := sorted(listed - found):
            raise BuildError(
                "missing-entry", f"{list_file.name}: {folder} has no {', '.join(missing)}"
            )


def clear_set_id_bits(base: Path) -> None:
    """Removes the set-user-ID and set-group-ID bits of all files. With these bits a program would
    have more rights than its caller, and no program of the image needs this."""
    for path in base.rglob("*"):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
            path.chmod(stat.S_IMODE(mode) & 0o777)

"""Downloads the parts of the lock that only the system tests need. If Debian has replaced a package of these parts, the
packages of the image keep their versions."""

from __future__ import annotations

from typing import Callable

from .apt import Apt
from .board import Board
from .commands import progress
from .fetch import fetch_packages, not_cached
from .lock import Lock, LockedPackage
from .newest import replaced


def fetch_part(
    board: Board,
    lock: Lock,
    part: str,
    newest: Callable[[Board, Apt], list[str]],
    apt_for: Callable[[Board], Apt] = Apt,
) -> list[LockedPackage]:
    """Downloads the packages of a part. If Debian has replaced some of them, or if the lock has no packages of the
    part, takes the newest versions of all packages of the part. `newest` returns these versions as lines of a lock.
    `apt_for` makes the `Apt` that is used. Returns the packages.

    Raises BuildError if a package cannot be downloaded."""
    packages = lock.of(part)
    missing = not_cached(board, packages)
    if packages and not missing:
        return packages
    apt = apt_for(board)
    apt.update()
    gone = replaced(apt, missing)
    if gone or not packages:
        if gone:
            progress(f"{part}: Debian has replaced {', '.join(package.name for package in gone)}")
        packages = [LockedPackage.parse(line) for line in newest(board, apt)]
    fetch_packages(board, apt, not_cached(board, packages))
    return packages

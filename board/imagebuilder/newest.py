"""The lock that a build uses if Debian has replaced packages of packages.lock by newer versions.

Debian's mirrors keep only the newest version of a package. Without this lock, a build with an empty
cache would fail after each update of Debian.
"""

from __future__ import annotations

from pathlib import Path

from .apt import Apt
from .bluez_source import check_source
from .board import Board
from .commands import progress
from .lock import Lock, LockedPackage, read_lock
from .renew_lock import newest_lines
from .stamps import hash_of


def newest_lock_file(board: Board) -> Path:
    return board.shared / "newest.lock"


def heading(board: Board) -> str:
    """The first line of newest.lock. It contains the hash of the packages.lock that newest.lock replaces."""
    return f"# replaces {hash_of(board.lock)}"


def stored_lock(board: Board, lock: Lock) -> Lock:
    """The newest lock of an earlier build, if packages.lock has not changed since. Otherwise
    `lock`."""
    path = newest_lock_file(board)
    if not path.exists() or path.read_text().split("\n", 1)[0] != heading(board):
        return lock
    return Lock(read_lock(board, path).packages, lock.epoch)


def resolve_newest(board: Board, apt: Apt, lock: Lock) -> Lock:
    """Resolves the newest versions, stores them for later builds and returns them. The date of all
    files of the image stays the date of `lock`.

    Raises BuildError if apt cannot resolve the packages.
    """
    path = newest_lock_file(board)
    lines = [heading(board), resolved_line(board), *newest_lines(board, apt)]
    # The package with the library of Swift keeps its version, because only a few versions fit the
    # compiler. The image does not contain the package.
    lines += [str(package) for package in lock.of("swift")]
    path.write_text("\n".join(lines) + "\n")
    newest = Lock(read_lock(board, path).packages, lock.epoch)
    check_source(newest)
    new = set(newest.packages) - set(lock.packages)
    progress(f"this build uses the newest versions: {len(new)} of {len(newest.packages)} packages "
             f"differ from {board.lock.name} (list: {path.relative_to(board.project)})")
    return newest


def resolved_line(board: Board) -> str:
    return next(
        line for line in board.lock.read_text().splitlines() if line.startswith("# resolved ")
    )


def replaced(apt: Apt, packages: list[LockedPackage]) -> list[LockedPackage]:
    """The packages whose versions are not in the index of `apt`, in the order of `packages`."""
    if not packages:
        return []
    available = offered(apt.run("apt-cache", "madison", *{package.exact_name for package in packages}))
    return [
        package
        for package in packages
        if (package.part == "source", package.name, package.version) not in available
    ]


def offered(madison: str) -> set[tuple[bool, str, str]]:
    """Reads the output of `apt-cache madison`. An entry contains true for a source package, the
    name without the architecture, and the version."""
    found = set()
    for line in madison.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 3:
            found.add((fields[2].endswith(" Sources"), fields[0].split(":")[0], fields[1]))
    return found

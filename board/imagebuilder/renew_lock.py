"""Renews packages.lock with the newest versions in Debian."""

from __future__ import annotations

import datetime
import re
from typing import Iterable

from .apt import Apt
from .bluez_source import resolve_source
from .board import Board
from .commands import progress
from .lists import names_in


def renew_lock(board: Board) -> None:
    """Writes packages.lock. Raises BuildError if apt cannot resolve the packages."""
    apt = Apt(board)
    apt.update()
    lines = newest_lines(board, apt) + swift_lines(board)
    old = set(board.lock.read_text().splitlines()) if board.lock.exists() else set()
    board.lock.write_text(
        "# Made by `make image-lock`: the packages and their versions, with SHA-256 and size.\n"
        f"# resolved {datetime.date.today().isoformat()}\n" + "\n".join(lines) + "\n"
    )
    path = board.lock.relative_to(board.project)
    progress(f"{path}: {len(lines)} packages, {len(set(lines) - old)} new")


def newest_lines(board: Board, apt: Apt) -> list[str]:
    """The lines of a lock with the newest versions of all packages that the board needs.

    Raises BuildError if apt cannot resolve the packages."""
    wanted = board.common / "packages.list"
    lines = apt.resolve("image", names_in(wanted, "image"))
    lines += apt.resolve("sysroot", names_in(wanted, "image") + names_in(wanted, "sysroot"))
    lines += apt.resolve("boot", names_in(wanted, "boot"))
    for part in board.kernel_parts:
        # Of the packages that apt resolves for a kernel, only linux-image-* is used.
        for line in apt.resolve(part, [board.settings[part]]):
            if line.split()[1].startswith("linux-image-"):
                lines.append(line)
    lines += peer_lines(board, apt)
    kernel = kernel_of(line.split()[1] for line in lines if line.startswith("kernel "))
    if kernel:
        lines += module_lines(board, apt, kernel)
    lines += resolve_source(apt, lines)
    return without_duplicates(lines)


def peer_lines(board: Board, apt: Apt) -> list[str]:
    """The lines for the second machine of the system tests. It needs nothing of the image, so some
    packages are in two parts of the lock."""
    return apt.resolve("peer", names_in(board.common / "packages.list", "peer"))


def module_lines(board: Board, apt: Apt, kernel: str) -> list[str]:
    """The lines for the kernel modules of the system tests. `kernel` is the name of the kernel's package."""
    names = names_in(board.common / "packages.list", "modules")
    return apt.resolve("modules", [*names, headers_of(kernel)])


def kernel_of(names: Iterable[str]) -> str | None:
    """The package with the kernel itself, among the packages of a kernel: the one with a version in its name. None if
    there is no such package."""
    return next((name for name in names if re.match(r"linux-image-\d", name)), None)


def headers_of(kernel: str) -> str:
    """The name of the package with the headers of a kernel."""
    return kernel.replace("linux-image-", "linux-headers-", 1)


def swift_lines(board: Board) -> list[str]:
    """The line for the package of Debian unstable with the library of Swift. Empty if board.conf
    names no such package."""
    if not (name := board.settings.get("swift-package")):
        return []
    apt = Apt(board, unstable=True)
    apt.update()
    return apt.describe("swift", [name])


def without_duplicates(lines: list[str]) -> list[str]:
    """Removes the lines of the part "sysroot" for packages that the part "image" has too. The step
    sysroot unpacks both parts, so it needs each package only once."""
    image = {line.split(" ", 1)[1] for line in lines if line.startswith("image ")}
    return [
        line
        for line in lines
        if not (line.startswith("sysroot ") and line.split(" ", 1)[1] in image)
    ]

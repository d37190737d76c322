"""Renews packages.lock with the newest versions in Debian."""

from __future__ import annotations

import datetime
import re
from typing import Iterable

from .apt import Apt
from .bluez_source import resolve_source
from .board import Board
from .commands import progress
from .foreign import architecture_of_machine, is_native
from .lists import names_in

# The beginnings of the names of two packages on which the package with the headers of a kernel depends: the headers
# that all kernels of a version share, and the programs that build a module. The package also depends on the compiler
# for the board. A machine with another processor uses a cross compiler instead.
KERNEL_PARTS = ("linux-headers-", "linux-kbuild-")
COMPILER = "gcc-14"


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
    lines += boot_lines(board, apt)
    for part in board.kernel_parts:
        # Of the packages that apt resolves for a kernel, only linux-image-* is used.
        for line in apt.resolve(part, [board.settings[part]]):
            if line.split()[1].startswith("linux-image-"):
                lines.append(line)
    lines += peer_lines(board, apt)
    kernel = kernel_of(line.split()[1] for line in lines if line.startswith("kernel "))
    if kernel:
        modules = apt_for_modules(board)
        modules.update()
        lines += module_lines(board, modules, kernel)
    lines += resolve_source(apt, lines)
    return without_duplicates(lines)


def boot_lines(board: Board, apt: Apt) -> list[str]:
    """The lines for the boot loader. A board with its own firmware names the packages of its firmware. The dependencies
    of these packages are left out, because they are for scripts of the packages, which the build does not run."""
    if board.has_uefi:
        return apt.resolve("boot", names_in(board.common / "packages.list", "boot"))
    return [
        line
        for part in ("boot", "firmware")
        for line in apt.describe(part, [newest_version(apt, board.settings[f"{part}-package"])])
    ]


def peer_lines(board: Board, apt: Apt) -> list[str]:
    """The lines for the second machine of the system tests. This machine uses nothing of the image, so some packages
    are in two parts of the lock."""
    return apt.resolve("peer", names_in(board.common / "packages.list", "peer"))


def module_lines(board: Board, apt: Apt, kernel: str) -> list[str]:
    """The lines for the kernel modules of the system tests. `kernel` is the name of the kernel's package. If this
    machine has another processor than the board, the compiler must run on this machine, and `apt` must come from
    `apt_for_modules`."""
    names = names_in(board.common / "packages.list", "modules")
    headers = headers_of(kernel)
    if is_native(board):
        return apt.resolve("modules", [*names, headers])
    exact = f"{headers}:{board.architecture}"
    needed = {name for name in dependencies(apt, exact) if name.startswith(KERNEL_PARTS)}
    names = [cross_compiler(board) if name == COMPILER else name for name in names]
    lines = apt.describe("modules", [newest_version(apt, exact)])
    return sorted({*lines, *apt.resolve("modules", [*names, *sorted(needed)])})


def cross_compiler(board: Board) -> str:
    return f"{COMPILER}-{board.processor.replace('_', '-')}-linux-gnu"


def apt_for_modules(board: Board) -> Apt:
    """apt for the packages of the part `modules`."""
    return Apt(board, tools_for=None if is_native(board) else architecture_of_machine())


def dependencies(apt: Apt, package: str) -> list[str]:
    """The names of the packages that a package needs. The names have no architecture, so apt chooses the packages for
    this machine."""
    shown = apt.run("apt-cache", "depends", "--no-recommends", "--no-suggests", package)
    return re.findall(r"Depends: <?([^\s<>:]+)", shown)


def newest_version(apt: Apt, package: str) -> str:
    """The package with its newest version, as NAME=VERSION."""
    policy = apt.run("apt-cache", "policy", package)
    return f"{package}={re.search(r'Candidate: (.*)', policy)[1]}"


def kernel_of(names: Iterable[str]) -> str | None:
    """The package that contains the kernel itself: the package with a version in its name. None if there is no such
    package."""
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
    """Removes the lines of the part "sysroot" for packages that are also in the part "image". The step sysroot unpacks
    both parts, so it needs each package only once."""
    image = {line.split(" ", 1)[1] for line in lines if line.startswith("image ")}
    return [
        line
        for line in lines
        if not (line.startswith("sysroot ") and line.split(" ", 1)[1] in image)
    ]

"""Step base: unpacks and prunes the packages of the image, and adds the modules of the kernel."""

from __future__ import annotations

import shutil
from pathlib import Path

from .board import Board
from .checks import check_libraries, programs
from .commands import BuildError, progress
from .fetch import unpack
from .files import empty_folder
from .kernel import Kernel
from .lists import read_list
from .lock import Lock
from .modules import copy_modules
from .prune import prune
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp

FIRMWARE = "usr/lib/firmware"


def make_base(board: Board, lock: Lock, kernel: Kernel, built: list[Path]) -> Path:
    """Returns the folder with the result. `built` are the modules that the build has compiled. Raises BuildError if a
    program in the folder lacks a library."""
    base = board.work / "base"
    wanted = lock.of("image")
    packages = [str(package) for package in wanted + lock.of(board.kernel_part)]
    lists = [board.common / name for name in ("prune.list", "only.list", "busybox.list")]
    firmware = board.settings.get("firmware-files", "").split()
    packages += [str(package) for package in lock.of("firmware")]
    key = hash_of(packages, *lists, board.modules, firmware, [key_of(module) for module in built], "4")
    if up_to_date(base, key):
        return base
    progress(f"base: unpacking {len(wanted)} packages")
    remove_stamp(base)
    empty_folder(base)
    unpack(board, wanted, base)
    prune(base, board.common)
    link_busybox(base, board.common / "busybox.list")
    copy_firmware(board, lock, firmware, base)
    progress("base: the modules of the kernel")
    copy_modules(board, kernel.tree, base, built)
    check_libraries(base, programs(base))
    write_stamp(base, key)
    return base


def copy_firmware(board: Board, lock: Lock, files: list[str], base: Path) -> None:
    """Copies the files that the kernel sends to chips of the board. Raises BuildError if the firmware package lacks one
    of these files."""
    if not files:
        return
    package = empty_folder(board.work / "firmware-package")
    unpack(board, lock.of("firmware"), package)
    for name in files:
        source, copy = package / FIRMWARE / name, base / FIRMWARE / name
        if not source.exists():
            raise BuildError("no-firmware", f"the package has no {FIRMWARE}/{name}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


def link_busybox(base: Path, list_file: Path) -> None:
    """Makes a link to busybox for each name of a list. If a package has a program of this name,
    makes no link."""
    for _, name, _ in read_list(list_file):
        if not any((base / folder / name).exists() for folder in ("usr/bin", "usr/sbin")):
            (base / "usr/bin" / name).symlink_to("busybox")

"""Step esp: makes the boot partition: the boot loader, the kernel, the initrd and the settings of the
owner."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .board import SLOTS, Board
from .commands import progress, run
from .fetch import unpack
from .files import empty_file, empty_folder
from .firmware import fill_for_firmware
from .kernel import Kernel
from .lock import Lock
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp

# The file autoharp.conf on the boot partition. Its lines end with CR LF, so that Windows editors show it correctly.
SETTINGS = (
    "# Settings of this unit. You can change this file on any computer.\r\n"
    "# Write one setting per line: KEY = VALUE, for example\r\n"
    "#\r\n"
    "#   language = de\r\n"
    "#\r\n"
    "# The unit reads this file at each start and never writes it. A setting in the file\r\n"
    "# /data/autoharp.conf of the unit has priority. 'config' on the console lists all\r\n"
    "# settings and their sources.\r\n"
)


def make_esp(board: Board, lock: Lock, kernel: Kernel, initrd: Path) -> Path:
    """Returns the FAT file system."""
    esp = board.work / "esp.img"
    packages = [str(package) for package in lock.of("boot", "firmware")]
    own = [board.folder / name for name in board.settings.get("boot-configuration", "").split()]
    key = hash_of(packages, kernel.image, initrd, board.command_line(), board.sizes, SETTINGS,
                  (board.folder / "board.conf").read_text(), board.folder / "overlays", *own, "4")
    if up_to_date(esp, key):
        return esp
    progress("esp: the boot partition")
    remove_stamp(esp)
    tree = empty_folder(board.work / "esp.tree")
    if board.has_uefi:
        fill(board, lock, kernel, initrd, tree)
    else:
        fill_for_firmware(board, lock, kernel, initrd, tree)
    write_settings(tree)
    empty_file(esp, board.sizes["esp"])
    serial = board.identity("esp")[:8]
    run("mkfs.fat", "-F", "32", "-n", "AUTOHARP", "-i", serial, "--invariant", esp)
    copy_into(esp, tree, lock.epoch)
    write_stamp(esp, key)
    return esp


def fill(board: Board, lock: Lock, kernel: Kernel, initrd: Path, tree: Path) -> None:
    """Writes the boot loader and the first slot into the tree. The slot consists of a kernel, an initrd and a boot
    entry."""
    package = empty_folder(board.work / "boot-package")
    unpack(board, lock.of("boot"), package)
    slot = SLOTS[0]
    for folder in ("EFI/BOOT", "loader/entries", slot):
        (tree / folder).mkdir(parents=True)
    loader = next(package.rglob(board.settings["efi-loader"]))
    shutil.copyfile(loader, tree / "EFI/BOOT" / board.settings["efi-name"])
    shutil.copyfile(kernel.image, tree / slot / "vmlinuz")
    shutil.copyfile(initrd, tree / slot / "initrd")
    (tree / "loader/loader.conf").write_text(
        f"default autoharp-{slot}.conf\ntimeout 0\nconsole-mode keep\neditor no\n"
    )
    (tree / f"loader/entries/autoharp-{slot}.conf").write_text(
        f"title Autoharp, slot {slot}\nlinux /{slot}/vmlinuz\ninitrd /{slot}/initrd\n"
        f"options {board.command_line()}\n"
    )


def write_settings(tree: Path) -> None:
    """Writes the file into which the owner of the unit can write settings, on any computer."""
    (tree / "autoharp.conf").write_text(SETTINGS)


def copy_into(file_system: Path, tree: Path, epoch: int) -> None:
    """Copies a tree into a FAT file system, without mounting it. All files get the time `epoch`."""
    for path in sorted(tree.rglob("*")):
        os.utime(path, (epoch, epoch))
    environment = dict(os.environ, MTOOLS_SKIP_CHECK="1", TZ="UTC")
    for path in sorted(tree.iterdir()):
        run("mcopy", "-s", "-m", "-i", file_system, path, "::", env=environment)

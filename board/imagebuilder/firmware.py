"""The boot partition of a board with its own firmware, such as a Raspberry Pi: the firmware reads its configuration
and loads kernel, initrd and device tree from the folder of the slot."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

from .board import SLOTS, Board
from .commands import BuildError
from .devicetrees import make_devicetrees
from .fetch import unpack
from .files import empty_folder
from .kernel import Kernel
from .lock import Lock

DOCUMENTS = "usr/share/doc"


def fill_for_firmware(board: Board, lock: Lock, kernel: Kernel, initrd: Path, tree: Path) -> None:
    """Writes the firmware, its configuration and the first slot into the tree. Raises BuildError if a
    file of the firmware is missing."""
    copy_boot_files(board, lock, tree)
    for name in board.settings["boot-configuration"].split():
        shutil.copyfile(board.folder / name, tree / name)
    slot = tree / SLOTS[0]
    slot.mkdir()
    # The kernel is compressed, because the firmware unpacks it faster than it reads a whole kernel from an SD card.
    (slot / "vmlinuz").write_bytes(gzip.compress(kernel.image.read_bytes(), 9, mtime=0))
    shutil.copyfile(initrd, slot / "initrd")
    (slot / "cmdline.txt").write_text(board.command_line() + "\n")
    make_devicetrees(board, kernel.tree, slot)


def copy_boot_files(board: Board, lock: Lock, tree: Path) -> None:
    """Copies the files of the boot firmware. Also copies the licences of these files and of the firmware in the root
    file system."""
    for part in ("boot", "firmware"):
        package = empty_folder(board.work / f"{part}-package")
        unpack(board, lock.of(part), package)
        for licence in package.glob(f"{DOCUMENTS}/*/copyright"):
            (tree / "licences").mkdir(exist_ok=True)
            shutil.copyfile(licence, tree / "licences" / f"{licence.parent.name}.txt")
        for name in board.settings["boot-files"].split() if part == "boot" else ():
            found = list(package.glob(f"usr/lib/*/{name}"))
            if not found:
                raise BuildError("no-firmware", f"the package has no {name}")
            shutil.copyfile(found[0], tree / name)

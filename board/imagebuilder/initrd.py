"""Step initrd: compiles board/initrd/init.c, linked statically, and packs it with the modules that
it loads."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .board import Board
from .commands import progress
from .compile_c import compile_c
from .cpio import cpio
from .files import empty_folder
from .lists import names_in
from .lock import Lock
from .modules import modules_for
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp
from .sysroot import Sysroot

SECTIONS = ("root", "disks", "data", "sound")  # of modules.list


def make_initrd(board: Board, lock: Lock, base: Path, sysroot: Sysroot) -> Path:
    """Returns the compressed archive."""
    initrd = board.work / "initrd"
    sources = [board.common / "initrd" / "init.c", board.common / "helpers" / "partition.c"]
    key = hash_of(*sources, key_of(base), str(sysroot.path), lock.epoch, "4")
    if up_to_date(initrd, key):
        return initrd
    progress("initrd")
    remove_stamp(initrd)
    tree = empty_folder(board.work / "initrd.tree")
    compile_c(board, sysroot, tree / "init", sources, "-static")
    for section in SECTIONS:
        add_modules(board, base, tree, section)
    for folder in ("dev", "proc", "sys", "root"):
        (tree / folder).mkdir()
    initrd.write_bytes(compress(cpio(tree, lock.epoch)))
    write_stamp(initrd, key)
    return initrd


def add_modules(board: Board, base: Path, tree: Path, section: str) -> None:
    """Copies the modules of a section, and lists them in modules.SECTION in the order of
    loading."""
    listed = []
    for name in names_in(board.modules, section):
        for path in modules_for(base, name):
            copy = tree / "modules" / path.name
            if copy.name not in listed:
                listed.append(copy.name)
                copy.parent.mkdir(exist_ok=True)
                shutil.copyfile(path, copy)
    (tree / f"modules.{section}").write_text("".join(f"/modules/{name}\n" for name in listed))


def compress(archive: bytes) -> bytes:
    command = ["zstd", "-19", "-q", "-c"]
    return subprocess.run(command, input=archive, stdout=subprocess.PIPE, check=True).stdout

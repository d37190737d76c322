"""Finds and copies modules of the kernel: the modules of modules.list and their dependencies."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .board import Board
from .commands import run
from .kernel import release_of
from .kernelmodule import ModuleSource, build_module
from .lists import read_list
from .lock import Lock

INDEX = ("modules.builtin", "modules.builtin.modinfo", "modules.order")


def modules_for(tree: Path, name: str) -> list[Path]:
    """The files of a module and of the modules that it depends on, in the order in which they must
    be loaded. The result is empty if the module is built into the kernel.

    `tree` is a folder with usr/lib/modules and the index that depmod makes. Raises BuildError if
    there is no such module.
    """
    shown = run(
        *("modprobe", "--dirname", tree / "usr", "--set-version", release_of(tree)),
        *("--show-depends", name),
    )
    return [Path(line.split()[1]) for line in shown.splitlines() if line.startswith("insmod ")]


def build_modules(board: Board, lock: Lock) -> list[Path]:
    """Builds the modules that `kernel-modules` in board.conf names: modules that Debian's kernel leaves out, or modules
    with a patch in the folder `patches` of the board."""
    modules = board.settings.get("kernel-modules", "").split()
    patches = board.folder / "patches"
    return [build_module(board, lock, ModuleSource.of_files(paths, patches)) for paths in modules]


def copy_modules(board: Board, kernel: Path, base: Path, built: list[Path]) -> None:
    """Copies the modules of modules.list, their dependencies, and the modules `built`. Then makes an
    index of the copies.

    The copies are decompressed, because the squashfs compresses all modules together better than xz
    compresses each module.
    """
    release = release_of(kernel)
    source = kernel / "usr/lib/modules" / release
    target = base / "usr/lib/modules" / release
    for _, name, _ in read_list(board.modules):
        for path in modules_for(kernel, name):
            copy = target / path.relative_to(source)
            copy = copy.with_suffix("") if copy.suffix == ".xz" else copy
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(decompressed(path))
    for module in built:
        for replaced in target.rglob(module.name):
            replaced.unlink()
        copy = target / "updates" / module.name
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(module, copy)
    for name in INDEX:
        shutil.copy2(source / name, target / name)
    run("depmod", "-b", base / "usr", release)


def decompressed(module: Path) -> bytes:
    if module.suffix != ".xz":
        return module.read_bytes()
    return subprocess.run(["xz", "-dc", module], stdout=subprocess.PIPE, check=True).stdout

"""Builds a module for the kernel of the image from Debian's source of the kernel. Debian leaves some modules out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .board import Board
from .commands import BuildError, progress, run
from .fetch import unpack
from .files import empty_folder
from .foreign import architecture_of_machine, is_native
from .lock import Lock, LockedPackage
from .parts import fetch_part
from .renew_lock import (
    COMPILER, apt_for_modules, cross_compiler, headers_of, kernel_of, module_lines,
)
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp


@dataclass(frozen=True)
class ModuleSource:
    name: str  # without .ko
    files: dict[str, str]  # the name of each file → its path in the source of the kernel
    kbuild: str  # the file Kbuild
    replaced: tuple[str, str] = ("", "")  # a text, and the text that replaces it
    patch: str = ""  # a patch for the files

    @classmethod
    def of_files(cls, paths: str, patches: Path) -> ModuleSource:
        """A module NAME with the file NAME.c. `paths` is the path of this file and, each after a +, the names of its
        headers. If the folder `patches` contains NAME.patch, this patch changes the files."""
        first, *headers = paths.split("+")
        name, folder = Path(first).stem, Path(first).parent
        files = {f"{name}.c": first} | {header: str(folder / header) for header in headers}
        patch = patches / f"{name}.patch"
        return cls(name, files, f"obj-m := {name}.o\n", patch=patch.read_text() if patch.exists() else "")


def build_module(board: Board, lock: Lock, source: ModuleSource) -> Path:
    """Builds a module. Raises BuildError if a package cannot be downloaded, or if the module cannot be built."""
    module = board.work / f"{source.name}.ko"
    packages = fetch_headers(board, lock)
    key = hash_of([str(package) for package in packages], source, "1")
    if up_to_date(module, key):
        return module
    progress(f"{source.name}: unpacking {len(packages)} packages")
    remove_stamp(module)
    tree = empty_folder(board.work / f"{source.name}.tree")
    unpack(board, packages, tree)
    add_tools(tree)
    write_sources(tree, source)
    progress(f"{source.name}: building the module")
    # The tree has two folders of headers. Only the headers of this kernel contain a `.config`, the shared headers do
    # not.
    [configuration] = tree.glob("usr/src/linux-headers-*/.config")
    headers = configuration.parent
    run_in(tree, "make", "-C", f"/{headers.relative_to(tree)}", "M=/module", *options(board), "modules")
    os.replace(tree / f"module/{source.name}.ko", module)
    write_stamp(module, key)
    return module


def sources_beside(module: Path) -> list[Path]:
    """The files from which a module was built."""
    folder = module.with_name(f"{module.stem}.tree") / "module"
    made = {*folder.glob("*.mod.c")}
    return [path for path in (*sorted(folder.glob("*.[ch]")), folder / "Kbuild") if path not in made]


def fetch_headers(board: Board, lock: Lock) -> list[LockedPackage]:
    """The packages of the part `modules`, with the headers of the kernel of the image."""
    kernel = kernel_of(package.name for package in lock.of(board.kernel_part))
    if not kernel:
        raise BuildError("no-kernel", "the lock has no kernel with a version, so it has no headers")
    locked = {package.name: package.architecture for package in lock.of("modules")}
    if headers_of(kernel) not in locked or locked.get("busybox") != architecture_of_machine():
        # The packages of this part of the lock do not fit: Debian has replaced the kernel, the headers are for the
        # board's other kernel, or the programs are for another machine. So fetch_part must resolve them again.
        lock = Lock([package for package in lock.packages if package.part != "modules"], lock.epoch)
    return fetch_part(
        board, lock, "modules", lambda board, apt: module_lines(board, apt, kernel), apt_for_modules
    )


def options(board: Board) -> list[str]:
    """The options of `make`. They are empty if this machine has the same processor as the board."""
    if is_native(board):
        return []
    prefix = cross_compiler(board).removeprefix(f"{COMPILER}-")
    return [f"ARCH={board.architecture}", f"CROSS_COMPILE={prefix}-"]


def run_in(tree: Path, *command: str) -> str:
    """Runs a program of the unpacked packages. These programs are for Debian 13, so they run with `tree` as their
    root."""
    return run("unshare", "--map-root-user", "--mount", "chroot", tree, *command,
               env={"PATH": "/usr/bin:/usr/sbin", "LC_ALL": "C.UTF-8"})


def add_tools(tree: Path) -> None:
    """Makes the links to the tools of busybox and to the compiler. On an installed system, scripts of the packages make
    these links."""
    for name in ("tmp", "dev"):
        (tree / name).mkdir(exist_ok=True)
    (tree / "usr/bin/gcc").symlink_to(COMPILER)
    for name in run_in(tree, "busybox", "--list").split():
        link = tree / "usr/bin" / name
        if not link.exists() and not link.is_symlink():
            link.symlink_to("busybox")


def write_sources(tree: Path, source: ModuleSource) -> None:
    (tree / "module").mkdir()
    [archive] = tree.glob("usr/src/linux-source-*.tar.xz")
    top = archive.name.removesuffix(".tar.xz")
    run("tar", "--extract", "--file", archive, "--directory", tree / "tmp",
        *(f"{top}/{path}" for path in source.files.values()))
    for name, path in source.files.items():
        text = (tree / "tmp" / top / path).read_text()
        (tree / "module" / name).write_text(text.replace(*source.replaced) if source.replaced[0] else text)
    if source.patch:
        file = tree / "tmp/patch"
        file.write_text(source.patch)
        run("patch", "--strip=1", "--directory", tree / "module", "--input", file.resolve())
    (tree / "module/Kbuild").write_text(source.kbuild)
    archive.unlink()

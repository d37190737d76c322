"""The library of Swift for the processor of the board: its runtime and its modules.

A toolchain of Swift contains the library for its own processor only. For another processor, the
library comes from the toolchain in the variable SWIFT_ARM64 (or SWIFT_ and another architecture).
Without this variable, it comes from the Debian package that `packages.lock` names.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .board import Board
from .commands import BuildError, progress
from .files import empty_folder
from .lock import Lock
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp
from .swiftpackage import unpack_swift_package

KINDS = ("swift", "swift_static")  # the folders for shared and for static linking
PARTS = ("linux", "shims")  # the folders in each folder of KINDS that a build for Linux needs
# The modules that are left out: the project uses neither Foundation nor Dispatch. Dispatch could not even be used
# with a compiler of another version: in Debian's package it has no textual interface (.swiftinterface).
LEFT_OUT = ("*Foundation*.swiftmodule", "Dispatch.swift*")


@dataclass(frozen=True)
class SwiftLibrary:
    path: Path  # has the folders of KINDS
    # The source and the compiler of the library. A build step runs again if the hash of this text has changed.
    version: str


def swift_library(board: Board, lock: Lock, toolchain: Path) -> SwiftLibrary:
    """Returns the library. `toolchain` is the usr/ folder of the compiler. If the toolchain does
    not have the library, copies it from SWIFT_ARM64 or from the package.

    Raises BuildError if there is no library for the processor of the board.
    """
    own = toolchain / "lib"
    if has_library(own, board):
        return SwiftLibrary(own, f"{toolchain}: {compiler_of(own)}")
    if named := os.environ.get(variable(board)):
        return copy_library(board, toolchain, library_in(board, Path(named)), named)
    try:
        folder = unpack_swift_package(board, lock)
    except BuildError as error:
        raise no_library(board, str(error))
    return copy_library(board, toolchain, library_in(board, folder), str(lock.of("swift")[0]))


def variable(board: Board) -> str:
    """The variable of the environment that names a toolchain for the processor of the board."""
    return f"SWIFT_{board.architecture.upper()}"


def no_library(board: Board, reason: str) -> BuildError:
    return BuildError(
        "no-swift-library",
        f"the installed Swift has no library for {board.architecture}. Unpack the toolchain of the "
        f"same version for {board.architecture} from swift.org, and set {variable(board)} to its "
        f"folder. Without {variable(board)}, the build takes a package of Debian unstable, which "
        f"failed: {reason}",
    )


def has_library(folder: Path, board: Board) -> bool:
    return all((folder / kind / "linux" / board.processor).is_dir() for kind in KINDS)


def library_in(board: Board, toolchain: Path) -> Path:
    """Returns the folder of the library below `toolchain`: a toolchain of swift.org, its usr/ folder, or the unpacked
    package of Debian. Raises BuildError if there is no library."""
    for place in ("usr/lib", "lib", "usr/libexec/swift/lib"):
        if has_library(toolchain / place, board):
            return toolchain / place
    raise BuildError(
        "no-swift-library", f"{toolchain} has no library of Swift for {board.architecture}. "
        f"{variable(board)} names the folder of a toolchain from swift.org, which has usr/lib.",
    )


def compiler_of(library: Path) -> str:
    """The version of the compiler that made a library, as the textual interfaces of its modules state."""
    for text in sorted((library / "swift/linux/Swift.swiftmodule").glob("*.swiftinterface")):
        with open(text) as lines:
            if found := re.search(r"^// swift-compiler-version: (.+)$", lines.read(4096), re.M):
                return found[1]
    raise BuildError("swift-library-damaged", f"{library} does not name its version of Swift.")


def copy_library(board: Board, toolchain: Path, source: Path, name: str) -> SwiftLibrary:
    """Copies a library into the results. `name` identifies the source. If the library was made by another version of
    the compiler, the compiler in `toolchain` cannot read its binary modules. Then the copy contains only the textual
    interfaces of the modules. From these, the compiler makes binary modules once."""
    made_by = compiler_of(source)
    is_same = made_by == compiler_of(toolchain / "lib")
    library = SwiftLibrary(board.shared / "swift", f"{name}: {made_by}")
    key = hash_of(library.version, str(toolchain), is_same, KINDS, PARTS, LEFT_OUT, "1")
    if up_to_date(library.path, key):
        return library
    progress(f"sysroot: the library of {made_by} for {board.architecture}")
    remove_stamp(library.path)
    empty_folder(library.path)
    for kind in KINDS:
        for part in PARTS:
            shutil.copytree(
                source / kind / part, library.path / kind / part, symlinks=True,
                ignore=shutil.ignore_patterns(*LEFT_OUT),
            )
        # The headers of the compiler itself depend on its version, not on the processor, so the
        # link leads to the installed toolchain.
        (library.path / kind / "clang").symlink_to(toolchain / "lib" / kind / "clang")
    if not is_same:
        remove_binary_modules(library.path)
    write_stamp(library.path, key)
    return library


def remove_binary_modules(library: Path) -> None:
    for path in library.rglob("*.swiftmodule"):
        if path.is_file():
            path.unlink()

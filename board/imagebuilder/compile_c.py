"""Compiles the C programs of the image and of the system tests."""

from __future__ import annotations

from pathlib import Path

from .board import Board
from .commands import run
from .sysroot import Sysroot


def compile_c(
    board: Board, sysroot: Sysroot, output: Path, sources: list[Path], *options: str
) -> None:
    """Compiles a program for the board, with the compiler and the sysroot of the Swift programs.

    Raises BuildError with the messages of the compiler. A warning is an error.
    """
    run(
        *(sysroot.toolchain / "bin/clang", f"--target={board.triple}", f"--sysroot={sysroot.path}"),
        *("-std=gnu17", "-fuse-ld=lld", "-O2", "-Wall", "-Wextra", "-Werror", "-Wl,--strip-all"),
        *options, "-o", output, *sources,
    )

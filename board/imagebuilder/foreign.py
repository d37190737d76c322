"""Runs programs of the image on the machine that builds it."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from .board import Board
from .commands import run


def is_native(board: Board) -> bool:
    """True if this machine has the processor of the board."""
    return platform.machine() == board.processor


def architecture_of_machine() -> str:
    """Debian's name of the processor of this machine."""
    return run("dpkg", "--print-architecture").strip()


def runner_for(board: Board) -> list[str] | None:
    """The words that must precede a program of the board in a command on this machine: no words if
    this machine has the same processor, else a user-mode emulator (package qemu-user-static). None
    if this machine cannot run programs of the board."""
    if is_native(board):
        return []
    for name in (f"qemu-{board.processor}-static", f"qemu-{board.processor}"):
        if emulator := shutil.which(name):
            return [emulator]
    return None


def with_libraries_of(tree: Path) -> list[str]:
    """The loader of a tree and its option for the libraries of the tree, so that a program does not
    use the libraries of the host."""
    loader = next(tree.glob("usr/lib*/ld-linux*.so*"), None) or next(tree.rglob("ld-linux*.so*"))
    libraries = next((tree / "usr/lib").glob("*-linux-gnu*"))
    return [str(loader), "--library-path", str(libraries)]

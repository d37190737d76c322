"""Step testprograms: makes the programs that the system tests run on the image or on a second
machine. The image does not contain these programs."""

from __future__ import annotations

from pathlib import Path

from .bluez import build_bluez
from .board import Board
from .commands import progress
from .compile_c import compile_c
from .gpiosim import GPIO_SIM
from .kernelmodule import build_module
from .lock import Lock
from .peer import make_peer
from .products import build_products
from .sysroot import Sysroot


def build_test_programs(board: Board, lock: Lock, sysroot: Sysroot, swift: str) -> list[Path]:
    return [
        *build_products(board, sysroot, swift, ("ScriptedSource", "ToneGenerator")),
        *build_sanitized_bluez(board, lock, sysroot),
        build_c(board, sysroot, "Tests/Benchmarks/stalls.c", "-pthread"),
        build_c(board, sysroot, "Tests/System/cases/boot/ask.c"),
        build_c(board, sysroot, "Tests/System/cases/boot/reach.c"),
        make_peer(board, lock),
        build_module(board, lock, GPIO_SIM),
    ]


def build_sanitized_bluez(board: Board, lock: Lock, sysroot: Sysroot) -> list[Path]:
    """Builds bluetoothd with the address sanitizer. A compiler has the library of the sanitizer for
    its own processor only. Without this library, the tests with this bluetoothd are skipped."""
    library = f"lib/clang/*/lib/linux/libclang_rt.asan-{board.processor}.a"
    if not any(sysroot.toolchain.glob(library)):
        progress(f"bluetoothd-asan: left out, the compiler has no sanitizer for {board.processor}")
        return []
    return [build_bluez(board, lock, sysroot, with_sanitizer=True)]


def build_c(board: Board, sysroot: Sysroot, source: str, *options: str) -> Path:
    """Compiles a program of one file, whose first comment says what it does."""
    path = board.project / source
    compile_c(board, sysroot, board.shared / path.stem, [path], *options)
    return board.shared / path.stem

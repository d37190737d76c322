"""Step products: compiles the Swift programs."""

from __future__ import annotations

import os
from pathlib import Path

from .board import Board
from .commands import progress, run
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp
from .sysroot import Sysroot

PRODUCTS = ("autoharp", "autoharp-screen", "autoharp-controller", "autoharp-cover", "autoharp-library")


def build_products(
    board: Board, sysroot: Sysroot, swift: str, names: tuple[str, ...] = PRODUCTS
) -> list[Path]:
    """Returns the stripped programs. `swift build` compiles only what has changed."""
    progress(f"{names[0]}: swift build")
    # `swift build` searches PKG_CONFIG_PATH before the folders of the host. The program pkg-config
    # searches PKG_CONFIG_LIBDIR in place of the folders of the host.
    places = sysroot.pkg_config_path
    environment = dict(os.environ, PKG_CONFIG_PATH=places, PKG_CONFIG_LIBDIR=places)
    # Package.swift reads this variable. It limits the Swift package to these programs, so that one call makes all of
    # them and nothing else.
    environment["AUTOHARP_ONLY"] = " ".join(names)
    scratch = board.project / f".build-{board.name}"
    run(
        *(swift, "build", "--package-path", board.project, "--scratch-path", scratch),
        *("-c", "release", "--static-swift-stdlib", "-Xswiftc", "-gline-tables-only"),
        *("--swift-sdks-path", sysroot.sdks, "--swift-sdk", f"autoharp-{board.architecture}"),
        *("--explicit-target-dependency-import-check", "error"),
        env=environment,
    )
    release = scratch / board.triple / "release"
    return [strip(sysroot.toolchain, release / name, board.shared / name) for name in names]


def strip(toolchain: Path, unstripped: Path, program: Path) -> Path:
    key = hash_of(unstripped, "2")
    if not up_to_date(program, key):
        remove_stamp(program)
        # The objcopy of the host supports only the processor of the host.
        run(toolchain / "bin/llvm-objcopy", "--strip-all", unstripped, program)
        write_stamp(program, key)
    return program

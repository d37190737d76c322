"""Step helpers: compiles the programs of board/helpers, which run as root."""

from __future__ import annotations

from pathlib import Path

from .board import Board
from .commands import progress
from .compile_c import compile_c
from .files import empty_folder
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp
from .sysroot import Sysroot

# Name of each program → the further files of board/helpers that it is compiled from.
HELPERS = {
    "mount-data": ("bonds", "check", "erase", "files", "layout", "partition", "program", "redact", "report", "settings"),
    "format-data": ("files", "partition", "program", "report", "request"),
    "keep-log": ("bonds", "files", "program", "redact"),
    "free-space": ("files", "program", "request"),
    "service": ("files", "program", "request"),
    "stick-report": ("files", "program", "request", "stick"),
    "set-clock": ("files", "program", "request"),
    "grow-data": ("files", "partition", "report"),
    "radio-address": ("files", "program"),
    "release-power": ("files",),
    "restore-clock": ("files",),
}
LIBRARIES = {"grow-data": ("-lfdisk",)}
HARDENING = (
    *("-D_FORTIFY_SOURCE=3", "-fstack-protector-strong", "-fPIE", "-pie"),
    *("-Wl,-z,relro", "-Wl,-z,now"),
)


def make_helpers(board: Board, sysroot: Sysroot) -> list[Path]:
    """Returns the programs."""
    folder = board.shared / "helpers"
    source = board.common / "helpers"
    lines = board.common.parent / "Sources" / "CLibraries" / "CGPIO"
    key = hash_of(source, lines, key_of(sysroot.path), board.triple, str(HELPERS), str(LIBRARIES), "1")
    if not up_to_date(folder, key):
        progress("helpers")
        remove_stamp(folder)
        empty_folder(folder)
        for name, parts in HELPERS.items():
            sources = [source / f"{part}.c" for part in (name, *parts)]
            options = (*HARDENING, *LIBRARIES.get(name, ()))
            compile_c(board, sysroot, folder / name, sources, *options)
        write_stamp(folder, key)
    return sorted(folder.iterdir())

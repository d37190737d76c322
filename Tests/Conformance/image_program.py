#!/usr/bin/env python3
"""Compares the autoharp of an image with `flac -d` and sox, on generated files with lossless codecs.

    image_program.py BOARD

The program runs with the libraries of the image. If the board has another processor than this machine, a user-mode
emulator (package qemu-user-static) runs it. Without this emulator, the comparison is skipped.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "board"))  # has the package imagebuilder

from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.foreign import runner_for, with_libraries_of


def main() -> int:
    try:
        board = Board(sys.argv[1])
    except BuildError as error:
        sys.exit(f"image_program.py: {error}")
    program, base = board.shared / "autoharp", board.work / "base"
    if not program.exists() or not base.exists():
        sys.exit(f"The board {board.name} has no image. Build it: make image BOARD={board.name}")
    runner = runner_for(board)
    if runner is None:
        print(f"Skipped: this machine cannot run programs for {board.processor}. qemu-user-static can.")
        return 0
    with tempfile.TemporaryDirectory(prefix="conformance.") as folder:
        script = Path(folder) / "autoharp"
        command = shlex.join([*runner, *with_libraries_of(base), str(program)])
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        script.chmod(0o755)
        compare = [sys.executable, Path(__file__).with_name("conformance.py"), "--autoharp", script]
        return subprocess.run([*compare, "--made", "--lossless"]).returncode


if __name__ == "__main__":
    sys.exit(main())

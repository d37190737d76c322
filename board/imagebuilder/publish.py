"""Step source: publishes the sources of the GPL programs that the build compiles."""

from __future__ import annotations

import shutil
from pathlib import Path

from .bluez_source import patches
from .board import Board
from .files import empty_folder
from .kernelmodule import sources_beside
from .lock import Lock


def publish_source(board: Board, lock: Lock, modules: list[Path]) -> Path:
    """Step source: puts the source of bluetoothd, the patches, the sources of the modules that were
    built, and the build scripts beside the image. The GPL requires that a person who distributes the
    binary also distributes these files. Returns the folder."""
    folder = empty_folder(board.work / "source")
    names = ["bluez_source.py", "bluez.py"]
    for path in (*(board.sources / file.file for file in lock.of("source")), *patches(board)):
        shutil.copy(path, folder)
    if modules:
        names.append("kernelmodule.py")
    scripts = [Path(__file__).with_name(name) for name in names]
    sources = [path for module in modules for path in sources_beside(module)]
    for path in (*scripts, *sources):
        shutil.copy(path, folder)
    return folder

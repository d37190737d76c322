"""The text of /usr/share/autoharp/versions."""

from __future__ import annotations

from pathlib import Path

from .bluez_source import patched_version
from .board import Board
from .commands import BuildError, run
from .lists import names_in
from .lock import Lock
from .stamps import hash_of


def versions_text(board: Board, lock: Lock, binaries: list[Path]) -> str:
    """Returns three paragraphs. The first paragraph contains the board, the commit and the hash of
    the programs. The second contains the packages of packages.list, the boot loader and the kernel.
    The third contains all other packages, which are dependencies. `version` on the console prints
    the first two paragraphs. The text has no date, so that the same sources give the same image."""
    chosen = names_in(board.common / "packages.list", "image")
    asked, others = [], []
    for package in lock.of("image", "boot", board.kernel_part):
        is_patched = package.name == "bluez" and package.part == "image"
        version = patched_version(board, lock) if is_patched else package.version
        is_asked = package.part != "image" or package.name in chosen
        (asked if is_asked else others).append(f"{package.name} {version}")
    image = [
        f"board {board.name}", f"commit {commit(board)}", f"binary {hash_of(*binaries)[:16]}"
    ]
    return "\n\n".join("\n".join(sorted(part)) for part in (image, asked, others)) + "\n"


def commit(board: Board) -> str:
    """The commit of the sources, or "unknown" if there is no git or no repository."""
    try:
        return run(
            "git", "-C", board.project, "describe", "--always", "--dirty", "--abbrev=12"
        ).strip()
    except (BuildError, FileNotFoundError):
        return "unknown"

"""Copies rootfs-overlay/, and further overlays, over the base."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def copy_overlay(overlay: Path, tree: Path) -> None:
    """Copies all entries. Folders, and files that are executable for their owner, get the mode 755.
    Other files get 644."""
    for path in sorted(overlay.rglob("*")):
        target = tree / path.relative_to(overlay)
        if path.is_dir() and not path.is_symlink():
            target.mkdir(exist_ok=True)
            target.chmod(0o755)
            continue
        copy_file(path, target)


def copy_file(path: Path, target: Path) -> None:
    """Copies a file or a link, and replaces the target."""
    if target.is_symlink() or target.exists():
        # The target can be a hard link to the file in base. The file in base must not change.
        target.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        target.symlink_to(os.readlink(path))
    else:
        shutil.copyfile(path, target)
        target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)

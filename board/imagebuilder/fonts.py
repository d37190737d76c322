"""Makes the cache of fontconfig, which lists the characters of each font. Without the cache, each
start of the screen would read all fonts."""

from __future__ import annotations

import os
from pathlib import Path

from .commands import BuildError, progress, run
from .foreign import with_libraries_of


def make_font_cache(tree: Path, epoch: int, runner: list[str] | None) -> None:
    """Runs the fc-cache of the image, because the format of the cache differs between versions.

    `runner` are the words that run a program of the image on this machine (`runner_for`). If
    `runner` is None, this machine cannot run programs of the image. Then the image has no cache,
    and the screen shows its first text late. Raises BuildError if fc-cache writes nothing.
    """
    cache = tree / "var/cache/fontconfig"
    cache.mkdir(parents=True)
    # The cache contains the times of the font folders, and fontconfig compares these times with
    # the times of the folders in the image. In the image all files and folders have the time
    # `epoch`.
    for folder in (tree / "usr/share/fonts", *(tree / "usr/share/fonts").rglob("*")):
        if folder.is_dir():
            os.utime(folder, (epoch, epoch))
    if runner is None:
        progress(
            "root: no cache of fonts, because this machine cannot run programs of the board; the "
            "package qemu-user-static can"
        )
        return
    printed = run(
        *runner, *with_libraries_of(tree), tree / "usr/bin/fc-cache",
        *("--force", "--system-only", "--sysroot", tree),
        env={"SOURCE_DATE_EPOCH": str(epoch), "HOME": "/nonexistent"},
    )
    if not any(cache.glob("*.cache-*")):
        raise BuildError("no-font-cache", f"fc-cache has written no cache of fonts:\n{printed}")

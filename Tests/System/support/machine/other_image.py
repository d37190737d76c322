"""Copies of the image in which files of the root file system are replaced, to cause faults that the image itself does
not have."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Callable

from disk import Disk
from headunit import Image
from imagebuilder.apps import copy_app
from sticks import run

# This script replaces e2fsck. The value of the argument fake-e2fsck=… on the kernel's command line controls the script.
# With a number, the script ends with this exit status. With `kill`, the script kills itself. With `real`, it runs the
# real e2fsck. With `wait`, it waits for the file /run/go and then runs the real e2fsck.
E2FSCK = r"""#!/bin/sh
for word in $(cat /proc/cmdline); do
  case $word in fake-e2fsck=*) what=${word#*=} ;; esac
done
case ${what:-real} in
  real) exec /usr/sbin/e2fsck.real "$@" ;;
  wait)
    until [ -e /run/go ]; do sleep 0.2; done
    exec /usr/sbin/e2fsck.real "$@" ;;
  kill) kill -9 $$ ;;
  *) exit "$what" ;;
esac
"""


def with_fake_e2fsck(image: Image, folder: Path) -> Image:
    """A copy of the image in which the script E2FSCK replaces e2fsck."""
    def change(tree: Path) -> None:
        program = tree / "usr/sbin/e2fsck"
        program.rename(tree / "usr/sbin/e2fsck.real")
        program.write_text(E2FSCK)
        program.chmod(0o755)

    return changed(image, folder, change)


def with_apps(image: Image, folder: Path, apps: list[Path]) -> Image:
    """A copy of the image with these apps, as `make image APPS=FOLDER` adds them."""
    def change(tree: Path) -> None:
        for app in apps:
            copy_app(app, tree)

    return changed(image, folder, change)


def changed(image: Image, folder: Path, change: Callable[[Path], None]) -> Image:
    """A copy of the image in `folder`. `change` gets the files of its root file system."""
    disk = Disk(folder / "autoharp.img", image.disk)
    squashfs, tree = disk.copy("root-a", folder / "root.squashfs"), folder / "tree"
    run("unsquashfs", "-quiet", "-no-progress", "-dest", tree, squashfs)
    change(tree)
    packed = folder / "packed"
    run("mksquashfs", tree, packed, "-quiet", "-no-progress", "-all-root", "-comp", "zstd",
        "-Xcompression-level", "1", "-p", "etc/shadow m 0600 0 0", "-p", "root m 0700 0 0",
        "-p", "/ m 0755 0 0")
    disk.put("root-a", packed)
    shutil.rmtree(tree)
    for path in (squashfs, packed):
        path.unlink()
    for name in ("vmlinux", "initrd", "cmdline", "board"):
        os.symlink(image.folder / name, folder / name)
    return Image(folder)

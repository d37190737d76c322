"""The command line of board/build-image."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .apps import apps_in
from .board import Board
from .commands import BuildError, progress
from .renew_lock import renew_lock
from .runner import check_name, list_of_steps, run_all, run_step
from .steps import Build


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="build-image",
        description="Builds the disk image of a board.",
        epilog=f"The steps, in the order in which they run:\n{list_of_steps()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("board", nargs="?", default="qemu-x86_64", help="a folder of board/")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--step", metavar="NAME", help="run only this step, and the steps that it "
                      "needs if their results are missing or out of date")
    what.add_argument("--lock", action="store_true", help="only renew packages.lock")
    what.add_argument("--test-programs", action="store_true",
                      help="also build the programs that the system tests run on the image")
    parser.add_argument("--realtime", action="store_true", help="use the PREEMPT_RT kernel")
    parser.add_argument("--data-size", type=int, metavar="MIB", help="size of /data")
    parser.add_argument("--overlay", action="append", default=[], type=Path, metavar="DIR",
                        help="copy one more overlay after rootfs-overlay/")
    parser.add_argument("--apps", action="append", default=[], type=Path, metavar="DIR",
                        help="add the apps of this folder (docs/sources.md)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="path of the image")
    parser.add_argument("--locked", action="store_true", help="stop with an error if Debian has "
                        "replaced a version that packages.lock names; otherwise the build then "
                        "takes the newest versions of all packages")
    parser.add_argument("--swift", default="swift", help="the Swift compiler")
    return parser.parse_args(arguments)


def build_image(chosen: argparse.Namespace) -> None:
    if chosen.step:
        check_name(chosen.step)
    board = Board(chosen.board, realtime=chosen.realtime, data_size=chosen.data_size)
    board.make_folders()
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # where Debian has mkfs.fat, sfdisk and depmod
    os.umask(0o022)  # modes of folders in the image must not depend on the umask of the host
    if chosen.lock:
        renew_lock(board)
        return
    apps = [app for folder in chosen.apps for app in apps_in(folder)]
    build = Build(board, chosen.swift, chosen.overlay, chosen.output, chosen.locked, apps)
    if chosen.step:
        run_step(build, chosen.step)
        progress(f"done: step {chosen.step}")
    else:
        run_all(build, with_test_programs=chosen.test_programs)
        progress(f"done: {build.disk}")


def main(arguments: list[str]) -> None:
    try:
        build_image(parse(arguments))
    except BuildError as error:
        sys.exit(f"build-image: {error}")

#!/usr/bin/env python3
"""Measures the time from the start of the kernel to the first sound, compared with the floor.

The first sound is the first sample at the sound card that is not silence. The "floor" is the kernel and the
initrd of the image with a program that only plays to the card (floor.c). This script boots floor and image
alternately. With --beside it also boots a stock Debian with mpd (stock_debian.py). The result is the ratio
of the medians, because a time in seconds under emulation is not the time of a board.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import paths  # noqa: F401
from daemon import on_data
from headunit import HeadUnit, Image
from machine import TIMEOUT  # adds board/ to the path
from sound import flac, noise

from imagebuilder.cpio import cpio


def floor_initrd(image: Image, folder: Path) -> Path:
    """The image's initrd with a second /init at its end. If two files of an initrd have the same name, the kernel uses
    the last file."""
    initrd = folder / "initrd"
    if initrd.exists():
        return initrd
    tree = folder / "floor"
    tree.mkdir()
    sysroot = image.folder.with_name(image.folder.name.removesuffix("-rt")) / "sysroot"
    toolchain = (sysroot / "usr/lib/swift/clang").resolve().parents[2]
    subprocess.run(
        [toolchain / "bin/clang", f"--target={image.board.triple}", f"--sysroot={sysroot}",
         "-fuse-ld=lld", "-static", "-O2", "-Wall", "-Werror", "-o", tree / "init",
         Path(__file__).parent / "floor.c"],
        check=True,
    )
    archive = cpio(tree, 0)
    packed = subprocess.run(["zstd", "-q", "-c"], input=archive, stdout=subprocess.PIPE, check=True)
    # A cpio archive must start at a multiple of four bytes, so zeros fill the gap.
    original = image.initrd.read_bytes()
    initrd.write_bytes(original + b"\0" * (-len(original) % 4) + packed.stdout)
    return initrd


def seconds_to_sound(image: Image, **options) -> float:
    folder = Path(tempfile.mkdtemp(prefix="unit-"))
    unit = HeadUnit.boot(image, folder, shell=False, **options)
    try:
        deadline = unit.machine.started + TIMEOUT
        while time.monotonic() < deadline:
            if len(unit.sound().from_first_sound()):
                return time.monotonic() - unit.machine.started
            time.sleep(0.005)
        raise SystemExit(f"no sound in {TIMEOUT:.0f} s; {folder} has the logs")
    finally:
        unit.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boots", type=int, default=7, help="boots of each variant (default: 7)")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="also boot the stock Debian that stock_debian.py has made in FOLDER")
    chosen = parser.parse_args()
    image = Image.built()
    work = Path(tempfile.mkdtemp(prefix="unit-"))
    music = on_data({"01.flac": flac(noise(4, seed=1))}, start="play")
    # The result is in seconds of the host, so the machine must use the host's clock.
    os.environ.setdefault("AUTOHARP_ACCEL", "tcg-fast")
    variants = {"floor": lambda: seconds_to_sound(image, initrd=floor_initrd(image, work)),
            "image": lambda: seconds_to_sound(image, data=music)}
    if chosen.beside:
        stock = Image(chosen.beside)
        variants["stock"] = lambda: seconds_to_sound(stock, memory=1024)
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for number in range(chosen.boots):
        for name, measure in variants.items():
            taken[name].append(measure())
        print(f"{number + 1} of {chosen.boots}: "
              + ", ".join(f"{name} {times[-1]:.2f} s" for name, times in taken.items()), flush=True)
    floor = statistics.median(taken["floor"])
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:6} median {median:.2f} s ({min(times):.2f} to {max(times):.2f}), "
              f"{median / floor:.2f} times the floor")


if __name__ == "__main__":
    main()

"""A simulated stick that is as slow as a cheap stick. The stick is an image file. The kernel limits the speed at which
one group of processes reads it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BYTES_PER_SECOND = 12_000_000
# This limit simulates a stick that needs 2 ms for each read.
READS_PER_SECOND = 500
MIB = 1 << 20


class SlowStick:
    """An ext4 file system with the files of `tree` and `room` bytes for more files. Needs root, and control groups that
    can limit block devices."""

    def __init__(self, folder: Path, tree: Path, room: int) -> None:
        image, self.folder = folder / "stick.img", folder / "sticks/stick"
        used = int(subprocess.run(["du", "-sk", str(tree)], capture_output=True, check=True).stdout.split()[0])
        with image.open("wb") as file:
            file.truncate((used * 1024 * 5 // 4 // MIB + 64) * MIB + room)
        self._run("mke2fs", "-q", "-t", "ext4", "-d", str(tree), str(image))
        self.folder.mkdir(parents=True)
        # With direct access, no data stays in the cache of the host.
        self.device = self._run("losetup", "--find", "--show", "--direct-io=on", str(image)).strip()
        self._group = self._make_group()

    def __enter__(self) -> SlowStick:
        return self

    def __exit__(self, *_: object) -> None:
        """Removes the stick. The processes whose reads are limited must have ended before."""
        try:
            self._group.rmdir()
        finally:
            self._run("losetup", "--detach", self.device)

    @contextmanager
    def mounted(self) -> Iterator[Path]:
        """Mounts the stick for a `with` block. At the end of the block, no process must use the stick."""
        self._run("mount", "-o", "noatime", self.device, str(self.folder))
        try:
            yield self.folder
        finally:
            self._run("umount", str(self.folder))

    @staticmethod
    def is_possible() -> bool:
        new = Path("/sys/fs/cgroup/cgroup.subtree_control")
        return os.geteuid() == 0 and (
            Path("/sys/fs/cgroup/blkio").exists() or new.exists() and "io" in new.read_text().split())

    def _make_group(self) -> Path:
        number = os.stat(self.device).st_rdev
        device = f"{os.major(number)}:{os.minor(number)}"
        old = Path("/sys/fs/cgroup/blkio")
        group = (old if old.exists() else Path("/sys/fs/cgroup")) / f"autoharp-bench-{os.getpid()}"
        group.mkdir()
        if old.exists():
            (group / "blkio.throttle.read_bps_device").write_text(f"{device} {BYTES_PER_SECOND}")
            (group / "blkio.throttle.read_iops_device").write_text(f"{device} {READS_PER_SECOND}")
        else:
            (group / "io.max").write_text(f"{device} rbps={BYTES_PER_SECOND} riops={READS_PER_SECOND}")
        return group

    @property
    def prefix(self) -> list[str]:
        """The words to put before a command, so that the kernel limits the reads of the command and of its children."""
        procs = shlex.quote(str(self._group / "cgroup.procs"))
        return ["sh", "-c", f'echo $$ > {procs} && exec "$@"', "sh"]

    @staticmethod
    def _run(*command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
        if done.returncode != 0:
            sys.exit(f"{command[0]}: {done.stderr.strip()}")
        return done.stdout


def make_high_resolution(file: Path, seconds: int) -> None:
    """Makes a file of noise with 24 bits at 96 kHz, which compresses as badly as loud music."""
    subprocess.run(
        ["sox", "-R", "-V1", "-n", "-r", "96000", "-b", "24", "-c", "2", str(file),
         "synth", str(seconds), "pinknoise", "pinknoise", "gain", "-n", "-3"], check=True)

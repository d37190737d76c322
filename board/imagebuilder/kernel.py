"""Step kernel: unpacks the package of the kernel."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .board import Board
from .commands import progress, run
from .fetch import unpack
from .files import empty_folder
from .lock import Lock
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp

ZSTD = b"\x28\xb5\x2f\xfd"  # Debian 13 compresses kernels by zstd


@dataclass(frozen=True)
class Kernel:
    tree: Path  # the unpacked package, with all of its modules and an index of them
    image: Path  # the compressed kernel that the boot loader loads


def make_kernel(board: Board, lock: Lock) -> Kernel:
    """Returns the unpacked kernel. Also writes three files for QEMU. `vmlinux` is the decompressed
    kernel for the option -kernel; QEMU starts it faster than the compressed kernel. `cmdline` is
    the command line for the option -append. `board` is the name of the board, which selects the
    settings of QEMU."""
    kernel = Kernel(board.work / "kernel", board.work / "vmlinuz")
    decompressed = board.work / "vmlinux"
    packages = lock.of(board.kernel_part)
    key = hash_of([str(package) for package in packages], "1")
    results = (kernel.tree, kernel.image, decompressed)
    if not all(up_to_date(result, key) for result in results):
        progress("kernel: unpacking its package")
        for result in results:
            remove_stamp(result)
        unpack(board, packages, empty_folder(kernel.tree))
        run("depmod", "-b", kernel.tree / "usr", release_of(kernel.tree))
        shutil.copyfile(next((kernel.tree / "boot").glob("vmlinuz-*")), kernel.image)
        decompressed.write_bytes(decompress(kernel.image.read_bytes()))
        for result in results:
            write_stamp(result, key)
    (board.work / "cmdline").write_text(board.command_line() + "\n")
    (board.work / "board").write_text(board.name + "\n")
    return kernel


def release_of(tree: Path) -> str:
    """The release of the one kernel whose modules are in a tree, as `uname -r` prints it."""
    return next((tree / "usr/lib/modules").iterdir()).name


def decompress(kernel: bytes) -> bytes:
    """Returns the ELF file that is packed in a self-decompressing kernel. Returns a kernel of
    another format unchanged."""
    start = kernel.find(ZSTD)
    if start < 0:
        return kernel
    # The exit status is not checked, because zstd reports an error for the bytes after the
    # compressed part.
    unpacked = subprocess.run(["zstd", "-dc"], input=kernel[start:], capture_output=True).stdout
    return unpacked if unpacked.startswith(b"\x7fELF") else kernel

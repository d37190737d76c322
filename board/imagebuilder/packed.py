"""Step packed: compresses the image of a board that starts from an SD card, and says how to write it to a card."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from .board import Board
from .commands import progress
from .files import MIB
from .stamps import key_of, remove_stamp, up_to_date, write_stamp


def pack_disk(board: Board, disk: Path) -> Path | None:
    """Returns the compressed image. Programs that write SD cards can read this format on any system. Returns None for a
    board with UEFI, whose image is for an emulator or a disk."""
    if board.has_uefi:
        return None
    packed = disk.with_name(disk.name + ".xz")
    key = key_of(disk)
    if not up_to_date(packed, key):
        progress(f"packed: {packed}")
        remove_stamp(packed)
        temporary = packed.with_name(packed.name + ".new")
        with open(temporary, "wb") as output:
            # The root file system is compressed already, so a higher level makes the file hardly smaller.
            subprocess.run(["xz", "-2", "-T0", "-c", disk], stdout=output, check=True)
        temporary.rename(packed)
        write_stamp(packed, key)
    print(instructions(packed))
    return packed


def instructions(packed: Path) -> str:
    """The size and the checksum of the compressed image, and the lines that write it to a card."""
    with open(packed, "rb") as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    path = os.path.relpath(packed)
    return (
        f"\n  {path}: {packed.stat().st_size / MIB:.0f} MiB\n  SHA-256 {checksum}\n\n"
        "  To write it to a card, replace sdX by the name of the card. Everything on the card is lost.\n\n"
        "    lsblk -o NAME,SIZE,MODEL,MOUNTPOINTS\n"
        f"    xz -dc {path} | sudo dd of=/dev/sdX bs=4M conv=fsync status=progress\n"
        "    sudo eject /dev/sdX\n"
    )

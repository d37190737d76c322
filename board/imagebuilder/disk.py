"""Step disk: makes the image, which has a GPT with the boot partition, the two slots and /data."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .board import SLOTS, Board
from .commands import progress
from .files import MIB, data_of, empty_file
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp

# Types of partitions in a GPT.
EFI = "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
LINUX = "0FC63DAF-8483-4772-8E79-3D69D8477DE4"

# Sector 0: the offset of its four entries, and types of partitions.
SECTOR = 512
MBR_ENTRIES = 446
FAT32 = 0x0C
GPT = 0xEE


@dataclass(frozen=True)
class Partition:
    name: str  # the name in the partition table is autoharp-NAME
    kind: str
    start: int  # MiB
    size: int  # MiB

    @property
    def end(self) -> int:
        return self.start + self.size


def layout(board: Board) -> list[Partition]:
    """All partitions, one directly after the other. The first partition begins after 1 MiB for the partition table.
    /data is the last partition, so that it can grow to the end of the disk."""
    slots = [(f"root-{slot}", LINUX, "root") for slot in SLOTS]
    partitions, start = [], 1
    for name, kind, size in (("esp", EFI, "esp"), *slots, ("data", LINUX, "data")):
        partitions.append(Partition(name, kind, start, board.sizes[size]))
        start = partitions[-1].end
    return partitions


def make_disk(board: Board, esp: Path, root: Path, data: Path, output: Path | None) -> Path:
    """Returns the path of the image: `output`, or autoharp.img in the folder of the other
    results."""
    output = output or board.work / "autoharp.img"
    contents = {"esp": esp, f"root-{SLOTS[0]}": root, "data": data}  # the other slot stays empty
    # Hash the keys in the stamps and not the contents, because hashing the contents takes longer.
    key = hash_of(*map(key_of, contents.values()), str(board.sizes), board.has_uefi, output.name)
    if up_to_date(output, key):
        return output
    progress(f"disk: {output}")
    remove_stamp(output)
    partitions = layout(board)
    # 1 MiB at the end is for the second partition table.
    temporary = empty_file(output.with_name(output.name + ".new"), partitions[-1].end + 1)
    write_table(board, temporary, partitions)
    if not board.has_uefi:
        write_hybrid_mbr(temporary, partitions[0])
    with open(temporary, "r+b") as disk:
        for partition in partitions:
            if partition.name in contents:
                copy_data(contents[partition.name], disk, partition.start * MIB)
    temporary.rename(output)
    write_stamp(output, key)
    return output


def write_table(board: Board, disk: Path, partitions: list[Partition]) -> None:
    script = f"label: gpt\nlabel-id: {board.identity('disk')}\n" + "".join(
        f"start={partition.start}MiB, size={partition.size}MiB, type={partition.kind}, "
        f"name=autoharp-{partition.name}, uuid={board.identity(partition.name + '-partition')}\n"
        for partition in partitions
    )
    subprocess.run(["sfdisk", "--quiet", disk], input=script, text=True, check=True)


def write_hybrid_mbr(disk: Path, boot: Partition) -> None:
    """Lists the boot partition in sector 0 too, beside the entry that protects the GPT. The first boot program of a
    Raspberry Pi 3 or older cannot read a GPT. sfdisk cannot write such a table."""
    sectors = MIB // SECTOR
    # State, first sector as cylinder, head and sector (CHS), type, last sector as CHS, first sector, number of sectors.
    # CHS is not used, so the CHS fields contain the largest values.
    entry = struct.Struct("<B3sB3sII")
    greatest = b"\xfe\xff\xff"
    boot_entry = entry.pack(0, greatest, FAT32, greatest, boot.start * sectors, boot.size * sectors)
    gpt_entry = entry.pack(0, greatest, GPT, greatest, 1, boot.start * sectors - 1)
    with open(disk, "r+b") as file:
        file.seek(MBR_ENTRIES)
        file.write(boot_entry + gpt_entry + bytes(2 * entry.size) + b"\x55\xaa")


def copy_data(source: Path, disk: BinaryIO, place: int) -> None:
    """Copies a file to an empty disk, at the offset `place` in bytes. Parts of the file that contain only zeros stay
    holes of the disk."""
    with open(source, "rb") as file:
        for at, piece in data_of(file, 0, file.seek(0, os.SEEK_END)):
            if piece.strip(b"\0"):
                os.pwrite(disk.fileno(), piece, place + at)


def find_partition(disk: Path, name: str) -> tuple[int, int]:
    """Start and length of the partition autoharp-NAME of a disk, in bytes. Raises KeyError if the disk has no such
    partition."""
    # Only stdout is read, because sfdisk writes a warning to stderr if the disk was grown to the size of an SD card.
    shown = subprocess.run(["sfdisk", "--json", disk], capture_output=True, check=True).stdout
    table = json.loads(shown)["partitiontable"]
    for part in table["partitions"]:
        if part["name"] == f"autoharp-{name}":
            return part["start"] * table["sectorsize"], part["size"] * table["sectorsize"]
    raise KeyError(name)

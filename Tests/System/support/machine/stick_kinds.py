"""Makes sticks as they come from real computers: with other file systems, without partitions, with many partitions.

If Debian has a tool that makes a file system in an image file, this module runs this tool. For the other kinds (APFS,
HFS+, BitLocker, LUKS, LVM, RAID), this module writes only the part by which libblkid recognizes the kind.
"""

from __future__ import annotations

import struct
import uuid
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from sticks import MIB, Stick, make_tree, run

# Text that must never reach a terminal, a path or the log: a sequence that clears the screen, bytes that are not
# UTF-8, a line feed, and parts of paths.
HOSTILE_LABEL = b"\x1b[2J/../\n\xff"


@dataclass(frozen=True)
class Part:
    """A partition: its type in the table, and the file with its contents. Without a file, the partition is full of
    zeros."""

    kind: str
    file: Path | None = None
    size: int = 8


def blank(path: Path, size: int) -> Path:
    """A file of `size` MiB that is full of zeros."""
    with open(path, "wb") as out:
        out.truncate(size * MIB)
    return path


def recognized(path: Path, kind: str) -> Path:
    """Checks that libblkid recognizes the file system."""
    assert run("blkid", "-p", "-s", "TYPE", "-o", "value", path).decode().split() == [kind], path
    return path


def vfat(path: Path, files: dict[str, bytes], size: int = 40, *options) -> Path:
    run("mkfs.fat", "-F", "32", *options, blank(path, size))
    tree = make_tree(path.parent, files)
    for entry in sorted(tree.iterdir()):
        run("mcopy", "-s", "-i", path, entry, "::")
    return path


def ntfs(path: Path, files: dict[str, bytes], size: int = 16, *options) -> Path:
    """The files are in the root folder of the file system, because ntfscp makes no folder."""
    run("mkntfs", "--quiet", "--fast", "--force", *options, blank(path, size))
    tree = make_tree(path.parent, files)
    for entry in sorted(tree.iterdir()):
        run("ntfscp", "--quiet", "--force", path, entry, entry.name)
    return path


def exfat(path: Path, size: int = 16) -> Path:
    run("mkfs.exfat", blank(path, size))
    return path


def btrfs(path: Path) -> Path:
    run("mkfs.btrfs", "--quiet", "--mixed", blank(path, 120))
    return recognized(path, "btrfs")


def xfs(path: Path) -> Path:
    run("mkfs.xfs", "-q", blank(path, 320))
    return recognized(path, "xfs")


def f2fs(path: Path) -> Path:
    run("mkfs.f2fs", "-q", blank(path, 64))
    return recognized(path, "f2fs")


def swap(path: Path) -> Path:
    run("mkswap", "--quiet", blank(path, 8))
    return recognized(path, "swap")


def iso(path: Path, *options) -> Path:
    """The image of a disc with one file."""
    tree = make_tree(path.parent, {"README": b"an installer"})
    run("xorriso", "-as", "mkisofs", "-quiet", *options, "-o", path, tree)
    return path


def put(path: Path, at: int, data: bytes) -> None:
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(data)


def luks(path: Path) -> Path:
    """The header of LUKS 1 without keys. To make keys, the tool would need the kernel's encryption."""
    header = b"LUKS\xba\xbe" + struct.pack(">H32s32s32sII20s32sI40s", 1, b"aes", b"xts-plain64", b"sha256", 4096, 32,
                                          b"", b"", 1000, str(uuid.uuid4()).encode())
    put(blank(path, 8), 0, header)
    return recognized(path, "crypto_LUKS")


def bitlocker(path: Path) -> Path:
    """The boot sector as in Windows 7 and later, and the starts of the three blocks that it points to."""
    sector = bytearray(512)
    sector[0:11] = b"\xeb\x58\x90-FVE-FS-"
    sector[160:176] = bytes.fromhex("3bd66749292ed84a8399f6a339e3d001")
    sector[176:200] = struct.pack("<QQQ", MIB, 2 * MIB, 3 * MIB)
    sector[510:512] = b"\x55\xaa"
    put(blank(path, 8), 0, bytes(sector))
    for at in (1, 2, 3):
        put(path, at * MIB, b"-FVE-FS-" + struct.pack("<HH", 64, 2))
    return recognized(path, "BitLocker")


def apfs(path: Path) -> Path:
    """The superblock of an APFS container."""
    block = bytearray(4096)
    block[8:32] = struct.pack("<QQHHHH", 1, 1, 1, 0x8000, 0, 0)
    block[32:36] = b"NXSB"
    block[36:48] = struct.pack("<IQ", 4096, 2048)
    block[72:88] = uuid.uuid4().bytes
    low = high = 0
    for (word,) in struct.iter_unpack("<I", block[8:]):
        low = (low + word) % 0xFFFFFFFF
        high = (high + low) % 0xFFFFFFFF
    first = 0xFFFFFFFF - (low + high) % 0xFFFFFFFF
    block[0:8] = struct.pack("<II", first, 0xFFFFFFFF - (low + first) % 0xFFFFFFFF)
    put(blank(path, 8), 0, bytes(block))
    return recognized(path, "apfs")


def hfsplus(path: Path) -> Path:
    """The volume header of HFS+."""
    header = bytearray(512)
    header[0:4] = b"H+" + struct.pack(">H", 4)
    header[40:48] = struct.pack(">II", 4096, 2048)
    header[104:112] = uuid.uuid4().bytes[:8]
    put(blank(path, 8), 1024, bytes(header))
    return recognized(path, "hfsplus")


def lvm(path: Path) -> Path:
    """The label of a physical volume of LVM."""
    rest = struct.pack("<I8s", 32, b"LVM2 001") + uuid.uuid4().hex.encode()
    rest += bytes(512 - 20 - len(rest))
    crc = zlib.crc32(rest, 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
    put(blank(path, 8), 512, b"LABELONE" + struct.pack("<QI", 1, crc) + rest)
    return recognized(path, "LVM2_member")


def raid(path: Path) -> Path:
    """The superblock of a member of a RAID, version 1.2."""
    block = bytearray(256)
    block[0:8] = struct.pack("<II", 0xA92B4EFC, 1)
    block[16:32] = uuid.uuid4().bytes
    block[144:152] = struct.pack("<Q", 8)
    total = sum(word for (word,) in struct.iter_unpack("<I", block))
    block[216:220] = struct.pack("<I", (total & 0xFFFFFFFF) + (total >> 32))
    put(blank(path, 8), 4096, bytes(block))
    return recognized(path, "linux_raid_member")


def partitioned(path: Path, label: str, parts: list[Part]) -> Stick:
    """A disk with these partitions. The first partition begins at 1 MiB."""
    sizes = [-(-part.file.stat().st_size // MIB) if part.file else part.size for part in parts]
    blank(path, sum(sizes) + 3)
    lines, start = [f"label: {label}"], 1
    for part, size in zip(parts, sizes):
        lines.append(f"start={start}MiB, size={size}MiB, type={part.kind}")
        start += size
    run("sfdisk", "--quiet", path, input=("\n".join(lines) + "\n").encode())
    start = 1
    for part, size in zip(parts, sizes):
        if part.file:
            run("dd", f"if={part.file}", f"of={path}", "bs=1M", f"seek={start}", "conv=notrunc,sparse")
        start += size
    return Stick(path)


@dataclass(frozen=True)
class Kind:
    """A kind of stick, and the expected reaction of the unit. `make` makes the stick in a folder. `told` has the
    identifier of the report about each device, `about` the name of the file system in the report, and `mounted` the
    type of each mount. The keys are the kernel's names of the devices."""

    name: str
    make: Callable[[Path], Stick | Path]
    told: dict[str, str] = field(default_factory=dict)
    about: str = ""
    mounted: dict[str, str] = field(default_factory=dict)


MUSIC = {"song.flac": b"fLaC"}
EFI = "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
RESERVED = "E3C9E316-0B5C-4DB8-817D-F92DF00215AE"
BASIC = "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7"
LINUX = "0FC63DAF-8483-4772-8E79-3D69D8477DE4"


def several(folder: Path) -> Stick:
    return partitioned(folder / "disk", "gpt", [
        Part(EFI, vfat(folder / "efi", {"BOOT": b""})),
        Part(RESERVED),
        Part(BASIC, ntfs(folder / "ntfs", MUSIC)),
        Part(LINUX, exfat(folder / "exfat")),
        Part(BASIC, apfs(folder / "apfs")),
    ])


def extended(folder: Path) -> Stick:
    """An MBR with an extended partition. The partition inside it has FAT."""
    inner = vfat(folder / "inner", MUSIC)
    path = blank(folder / "disk", 80)
    table = b"label: dos\nstart=1MiB, size=8MiB, type=27\nstart=10MiB, type=5\nstart=11MiB, size=40MiB, type=0c\n"
    run("sfdisk", "--quiet", path, input=table)
    run("dd", f"if={inner}", f"of={path}", "bs=1M", "seek=11", "conv=notrunc,sparse")
    return Stick(path)


def boot_sector_like_a_table(folder: Path) -> Path:
    """FAT on the whole disk. The bytes of its boot program look like a partition."""
    path = vfat(folder / "disk", MUSIC)
    put(path, 446, struct.pack("<BBBBBBBBII", 0x80, 1, 1, 0, 0x0C, 1, 1, 0, 2048, 4096) + bytes(48) + b"\x55\xaa")
    return path


def hybrid(folder: Path) -> Path:
    """The image of a disc that is also a disk with a GPT. The partitions are the disc itself and a partition for
    UEFI."""
    efi = vfat(folder / "efi", {"BOOT": b""})
    return iso(folder / "disk", "-partition_offset", "16", "-append_partition", "2", EFI, efi, "-appended_part_as_gpt")


def hybrid_with_music(folder: Path) -> Path:
    """The image of a disc at the start of a disk. The first partition is the disc itself, as isohybrid makes it. The
    second partition, which a user has added, has music."""
    path = iso(folder / "disk")
    music = vfat(folder / "music", MUSIC)
    begin = -(-path.stat().st_size // MIB)
    with open(path, "r+b") as file:
        file.truncate((begin + 41) * MIB)
    entry = "<BBBBBBBBII"
    put(path, 446, struct.pack(entry, 0x80, 0, 1, 0, 0x17, 0, 1, 0, 0, begin * 2048)
        + struct.pack(entry, 0, 0, 1, 0, 0x0C, 0, 1, 0, begin * 2048, 40 * 2048) + bytes(32) + b"\x55\xaa")
    run("dd", f"if={music}", f"of={path}", "bs=1M", f"seek={begin}", "conv=notrunc,sparse")
    return path


def hostile_label(folder: Path) -> Path:
    """FAT with a hostile label, both in the boot sector and in the root folder."""
    path = vfat(folder / "disk", MUSIC, 40, "-n", "LABELLABEL1")
    data = path.read_bytes()
    path.write_bytes(data.replace(b"LABELLABEL1", HOSTILE_LABEL.ljust(11)))
    return path


def old_table(folder: Path) -> Stick:
    """A disk with partitions that still has the superblock of an older file system on the whole disk."""
    path = folder / "old"
    run("mke2fs", "-q", "-t", "ext4", blank(path, 50))
    old = path.read_bytes()[1024:2048]
    stick = partitioned(folder / "disk", "dos", [Part("0c", vfat(folder / "fat", MUSIC))])
    put(stick.file, 1024, old)
    return stick


def old_raid(folder: Path) -> Stick:
    """A disk with partitions that still has the superblock of a RAID on the whole disk."""
    stick = partitioned(folder / "disk", "dos", [Part("0c", vfat(folder / "fat", MUSIC))])
    put(stick.file, 4096, raid(folder / "raid").read_bytes()[4096:4096 + 256])
    return stick


def only_efi(folder: Path) -> Stick:
    """A stick whose only partition has the type of an EFI partition. Some formatting programs make such sticks."""
    return partitioned(folder / "disk", "dos", [Part("ef", vfat(folder / "fat", MUSIC))])


def empty_table(folder: Path) -> Path:
    path = blank(folder / "disk", 8)
    run("sfdisk", "--quiet", path, input=b"label: gpt\n")
    return path


def damaged_ntfs(folder: Path) -> Path:
    path = ntfs(folder / "disk", MUSIC)
    cluster = int.from_bytes(path.read_bytes()[0x30:0x38], "little")
    # Overwrite the attributes of the first record of the file table. The head of the record stays, because NTFS is
    # recognized by this head.
    put(path, cluster * 4096 + 56, b"\xff\xff\xff\xff" + bytes(400))
    return recognized(path, "ntfs")


def without_first_sectors(path: Path, count: int) -> Path:
    """Only the copy of the first sector still tells the file system."""
    put(path, 0, bytes(count * 512))
    return path


def without_tables(path: Path) -> Path:
    """FAT whose tables of clusters are full of zeros."""
    head = path.read_bytes()[:64]
    sectors = int.from_bytes(head[22:24], "little") or int.from_bytes(head[36:40], "little")
    put(path, int.from_bytes(head[14:16], "little") * 512, bytes(2 * sectors * 512))
    return path


def fat16(path: Path) -> Path:
    run("mkfs.fat", "-F", "16", blank(path, 40))
    run("mcopy", "-i", path, make_tree(path.parent, MUSIC) / "song.flac", "::")
    return path


def told(name: str, make: Callable[[Path], Path], identifier: str, about: str = "") -> Kind:
    return Kind(name, lambda folder: make(folder / "disk"), {"sda": identifier}, about)


KINDS = [
    Kind("FAT without partitions", lambda f: vfat(f / "disk", MUSIC), mounted={"sda": "vfat"}),
    Kind("exFAT without partitions", lambda f: exfat(f / "disk"), mounted={"sda": "exfat"}),
    Kind("NTFS without partitions", lambda f: ntfs(f / "disk", MUSIC), mounted={"sda": "ntfs3"}),
    Kind("boot sector like a table", boot_sector_like_a_table, mounted={"sda": "vfat"}),
    Kind("hostile label", hostile_label, mounted={"sda": "vfat"}),
    Kind("long label", lambda f: ntfs(f / "disk", MUSIC, 16, "--label", "茶" * 32), mounted={"sda": "ntfs3"}),
    Kind("NTFS in an MBR", lambda f: partitioned(f / "disk", "dos", [Part("7", ntfs(f / "ntfs", MUSIC))]),
         mounted={"sda1": "ntfs3"}),
    Kind("several partitions", several, {"sda5": "stick.unsupported"}, "APFS",
         mounted={"sda3": "ntfs3", "sda4": "exfat"}),
    Kind("only partition has the type of EFI", only_efi, mounted={"sda1": "vfat"}),
    Kind("rest of a RAID", old_raid, mounted={"sda1": "vfat"}),
    Kind("extended partition", extended, mounted={"sda5": "vfat"}),
    Kind("rest of an older file system", old_table, mounted={"sda1": "vfat"}),
    Kind("hybrid disc", hybrid, {"sda": "stick.disc"}, "ISO"),
    Kind("hybrid disc with music", hybrid_with_music, {"sda": "stick.disc"}, "ISO", mounted={"sda2": "vfat"}),
    told("plain disc", iso, "stick.disc", "ISO"),
    told("APFS", apfs, "stick.unsupported", "APFS"),
    told("HFS+", hfsplus, "stick.unsupported", "HFS+"),
    told("btrfs", btrfs, "stick.unsupported", "btrfs"),
    told("XFS", xfs, "stick.unsupported", "xfs"),
    told("F2FS", f2fs, "stick.unsupported", "f2fs"),
    told("BitLocker", bitlocker, "stick.encrypted", "BitLocker"),
    told("LUKS", luks, "stick.encrypted", "LUKS"),
    told("LVM", lvm, "stick.member", "LVM"),
    told("RAID", raid, "stick.member", "RAID"),
    Kind("swap", lambda f: swap(f / "disk")),
    Kind("zeros", lambda f: blank(f / "disk", 8), {"sda": "stick.unformatted"}),
    Kind("table without partitions", empty_table, {"sda": "stick.unformatted"}),
    Kind("empty partition", lambda f: partitioned(f / "disk", "dos", [Part("0c")]), {"sda1": "stick.unformatted"}),
    Kind("damaged NTFS", damaged_ntfs, {"sda": "stick.damaged"}),
    told("FAT without its first sectors", lambda p: without_first_sectors(vfat(p, MUSIC), 3), "stick.damaged"),
    told("exFAT without its first sectors", lambda p: without_first_sectors(exfat(p), 12), "stick.damaged"),
    told("NTFS without its first sector", lambda p: without_first_sectors(ntfs(p, MUSIC), 1), "stick.damaged"),
    told("FAT32 without its tables", lambda p: without_tables(vfat(p, MUSIC)), "stick.damaged"),
    Kind("FAT16 without its tables", lambda f: without_tables(fat16(f / "disk")), {"sda": "stick.damaged"},
         mounted={"sda": "vfat"}),
]

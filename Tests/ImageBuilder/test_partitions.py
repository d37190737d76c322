"""/data, the boot partition and the disk, examined with standard programs."""

import json
import os
import re
import subprocess

import pytest

from imagebuilder.commands import BuildError
from imagebuilder.data import FORMAT, make_data, superblocks_of
from imagebuilder.disk import EFI, LINUX, layout, make_disk
from imagebuilder.esp import make_esp
from imagebuilder.files import MIB, empty_file
from imagebuilder.kernel import Kernel
from imagebuilder.lock import Lock
from imagebuilder.stamps import write_stamp
from project import make_package

EPOCH = 1795219200


def read(*command):
    environment = dict(os.environ, TZ="UTC", LC_ALL="C")
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment
    ).stdout


# --- /data ----------------------------------------------------------------------------------


def test_data_is_an_empty_ext4_of_the_given_size_owned_by_root(board):
    data = make_data(board, Lock([], EPOCH))
    about = read("dumpe2fs", "-h", data)
    assert re.search(r"volume name: +autoharp-data\n", about)
    assert re.search(rf"UUID: +{board.identity('data').lower()}\n", about)
    assert re.search(r"Reserved block count: +0\n", about)
    assert re.search(r"Filesystem created: +Sat Nov 21 00:00:00 2026\n", about)
    assert data.stat().st_size == 16 * MIB
    assert "User:     0   Group:     0" in read("debugfs", "-R", "stat /", data)
    names = {line.split("/")[5] for line in read("debugfs", "-R", "ls -p /", data).split()}
    assert names == {".", "..", "lost+found"}
    subprocess.run(["e2fsck", "-f", "-n", data], check=True, capture_output=True)


def test_data_is_reproducible(board):
    data = make_data(board, Lock([], EPOCH))
    first = data.read_bytes()
    data.unlink()
    assert make_data(board, Lock([], EPOCH)).read_bytes() == first


def test_data_is_made_again_only_for_another_size_or_date(board):
    inode = make_data(board, Lock([], EPOCH)).stat().st_ino
    assert make_data(board, Lock([], EPOCH)).stat().st_ino == inode
    board.sizes["data"] = 20
    assert make_data(board, Lock([], EPOCH)).stat().st_size == 20 * MIB


@pytest.mark.parametrize("size", [256, 8192])
def test_superblocks_are_those_of_a_large_file_system(tmp_path, size):
    data = empty_file(tmp_path / "data.img", size)
    block, *listed = superblocks_of(data).split()
    assert data.stat().st_blocks == 0  # superblocks_of has written nothing
    read("mke2fs", "-q", *FORMAT, data)
    copies = re.findall(r"Backup superblock at (\d+)", read("dumpe2fs", data))
    assert (block, len(listed)) == ("4096", 8)
    assert copies == (listed if size == 8192 else listed[:1])


def test_missing_list_of_copies_of_the_superblock_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("imagebuilder.data.run", lambda *command: "mke2fs 1.47.0")
    with pytest.raises(BuildError, match="^no-superblock-copies: "):
        superblocks_of(empty_file(tmp_path / "data.img", 4))


def test_data_can_grow_to_a_card_of_256_gib(board):
    board.sizes["data"] = 256
    about = read("dumpe2fs", "-h", make_data(board, Lock([], EPOCH)))
    size, reserved = (int(re.search(rf"{name}: +(\d+)\n", about)[1])
                      for name in ("Block size", "Reserved GDT blocks"))
    assert size == 4096 and "64bit" in about and "resize_inode" in about
    # A group descriptor has 64 bytes and describes 32768 blocks, so one block contains 64 descriptors. One block of
    # descriptors is in use, and `reserved` blocks are free for growth.
    assert (1 + reserved) * 64 * 32768 * size == 256 << 30


# --- the boot partition ---------------------------------------------------------------------


@pytest.fixture
def esp(board):
    files = {"usr/lib/efi/loader.efi": "a boot loader", "usr/lib/efi/other.efi": "not this one"}
    lock = Lock([make_package(board.debs, "boot", "systemd-boot-efi", files)], EPOCH)
    (board.work / "vmlinuz").write_bytes(b"kernel" * 1000)
    (board.work / "initrd").write_bytes(b"initrd" * 1000)
    kernel = Kernel(board.work / "kernel", board.work / "vmlinuz")
    return lambda: make_esp(board, lock, kernel, board.work / "initrd")


def test_boot_partition_has_loader_kernel_initrd_and_the_command_line(board, esp):
    image = esp()

    def content(path):
        return read("mtype", "-i", image, f"::{path}")

    assert content("/EFI/BOOT/BOOTX64.EFI") == "a boot loader"
    assert content("/a/vmlinuz") == "kernel" * 1000
    assert content("/a/initrd") == "initrd" * 1000
    assert "default autoharp-a.conf\ntimeout 0\n" in content("/loader/loader.conf")
    entry = content("/loader/entries/autoharp-a.conf").splitlines()
    assert {"linux /a/vmlinuz", "initrd /a/initrd"} <= set(entry)
    assert "options console=ttyS0 quiet gpt autoharp.slot=a" in entry
    assert image.stat().st_size == 40 * MIB
    assert "is AUTOHARP" in read("mlabel", "-s", "-i", image, "::")
    assert image.read_bytes()[82:90] == b"FAT32   "


def test_boot_partition_is_reproducible(esp):
    first = esp().read_bytes()
    esp().unlink()
    assert esp().read_bytes() == first


def test_times_on_the_boot_partition_are_independent_of_the_clock(esp):
    image = esp()
    for folder in ("EFI", "EFI/BOOT", "loader/entries", "a"):
        listed = read("mdir", "-a", "-i", image, f"::/{folder}")
        assert set(re.findall(r"\d{4}-\d\d-\d\d +\d+:\d\d", listed)) == {"2026-11-21   0:00"}
    label = image.read_bytes().index(b"AUTOHARP   \x08")
    day = int.from_bytes(image.read_bytes()[label + 24 : label + 26], "little")
    # The label has the fixed date of `mkfs.fat --invariant`, as years since 1980, month and day.
    assert (1980 + (day >> 9), day >> 5 & 15, day & 31) == (2015, 3, 14)


@pytest.mark.parametrize("changed", ["vmlinuz", "initrd"])
def test_boot_partition_is_made_again_for_another_kernel_or_initrd(board, esp, changed):
    esp()
    (board.work / changed).write_bytes(b"new")
    assert read("mtype", "-i", esp(), f"::/a/{changed}") == "new"


def test_settings_on_the_boot_partition_are_only_comments_with_line_ends_of_windows(esp):
    command = ["mcopy", "-i", esp(), "::/autoharp.conf", "-"]
    lines = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\r\n")
    assert len(lines) > 2 and lines.pop() == b""
    assert all(line.startswith(b"#") and b"\n" not in line for line in lines)


# --- the disk -------------------------------------------------------------------------------


@pytest.fixture
def parts(board):
    """The contents of the partitions that are not empty. Each file has some bytes at its start and at
    its end. Between these bytes, the file of `root` stores zeros, and the other two files have
    holes."""
    parts = {}
    board.sizes = {"esp": 2, "root": 4, "data": 3}
    for name, size in board.sizes.items():
        part = empty_file(board.work / f"{name}.part", size)
        with open(part, "r+b") as file:
            file.write(b"\0" * (size * MIB if name == "root" else 0))
            file.seek(0)
            file.write(name.encode())
            file.seek(-16, 2)
            file.write(f"end of {name:9}".encode())
        write_stamp(part, f"key of {name}")
        parts[name] = part
    return parts


def test_partitions_follow_each_other_without_gaps(board):
    found = [(part.name, part.kind, part.start, part.size) for part in layout(board)]
    assert found == [
        ("esp", EFI, 1, 40), ("root-a", LINUX, 41, 4), ("root-b", LINUX, 45, 4), ("data", LINUX, 49, 16)
    ]


def test_disk_has_a_gpt_with_the_names_that_the_initrd_uses(board, parts):
    disk = make_disk(board, **parts, output=None)
    assert disk == board.work / "autoharp.img"
    table = json.loads(read("sfdisk", "--json", disk))["partitiontable"]
    assert (table["label"], table["id"]) == ("gpt", board.identity("disk"))
    assert [(part["name"], part["start"] * 512 // MIB, part["size"] * 512 // MIB, part["type"])
            for part in table["partitions"]] == [
        ("autoharp-esp", 1, 2, EFI),
        ("autoharp-root-a", 3, 4, LINUX),
        ("autoharp-root-b", 7, 4, LINUX),
        ("autoharp-data", 11, 3, LINUX),
    ]
    assert table["partitions"][3]["uuid"] == board.identity("data-partition")
    assert disk.stat().st_size == 15 * MIB  # includes the backup partition table
    assert "No errors detected" in read("sfdisk", "--verify", disk)


def test_partitions_hold_their_contents_and_zeros_are_holes(board, parts):
    disk = make_disk(board, **parts, output=None)
    image = disk.read_bytes()
    contents = {"root-a": parts["root"], "esp": parts["esp"], "data": parts["data"]}
    for part in layout(board):
        start, size = part.start * MIB, part.size * MIB
        expected = contents[part.name].read_bytes() if part.name in contents else bytes(size)
        assert image[start : start + size] == expected
    assert parts["root"].stat().st_blocks * 512 >= 4 * MIB
    assert disk.stat().st_blocks * 512 < 3 * MIB


def test_disk_is_written_to_the_given_path(board, parts, tmp_path):
    output = tmp_path / "other.img"
    assert make_disk(board, **parts, output=output) == output
    assert output.stat().st_size == 15 * MIB
    assert not (board.work / "autoharp.img").exists()


def test_disk_is_written_again_only_after_a_part_was_made_again(board, parts):
    inode = make_disk(board, **parts, output=None).stat().st_ino
    assert make_disk(board, **parts, output=None).stat().st_ino == inode
    parts["root"].write_bytes(b"another root")
    write_stamp(parts["root"], "another key")
    disk = make_disk(board, **parts, output=None)
    assert disk.read_bytes()[3 * MIB :].startswith(b"another root")

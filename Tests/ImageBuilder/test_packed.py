"""The compressed image for an SD card."""

import hashlib
import lzma

import pytest

from imagebuilder.board import Board
from imagebuilder.packed import pack_disk
from imagebuilder.stamps import write_stamp


@pytest.fixture
def disk(board):
    disk = board.work / "autoharp.img"
    disk.write_bytes(b"root" + bytes(100_000))
    write_stamp(disk, "key of the disk")
    return disk


@pytest.fixture
def pi(board, tmp_path):
    conf = board.folder / "board.conf"
    conf.write_text(conf.read_text().replace("efi-", "own-"))
    return Board("small", project=tmp_path)


def test_image_for_uefi_is_not_compressed(board, disk):
    assert pack_disk(board, disk) is None
    assert not disk.with_name("autoharp.img.xz").exists()


def test_image_for_a_card_is_compressed_and_its_size_and_checksum_are_printed(pi, disk, capsys):
    made = pack_disk(pi, disk)
    assert lzma.decompress(made.read_bytes()) == disk.read_bytes()
    shown = capsys.readouterr().out
    assert hashlib.sha256(made.read_bytes()).hexdigest() in shown
    assert [line.split()[0] for line in shown.splitlines() if line.startswith("    ")] == ["lsblk", "xz", "sudo"]


def test_image_is_compressed_again_only_after_a_change(pi, disk):
    inode = pack_disk(pi, disk).stat().st_ino
    assert pack_disk(pi, disk).stat().st_ino == inode
    disk.write_bytes(b"another root")
    write_stamp(disk, "another key")
    assert lzma.decompress(pack_disk(pi, disk).read_bytes()) == b"another root"

"""packages.lock: reading it, and rejecting invalid contents."""

import hashlib

import pytest

from conftest import PROJECT
from imagebuilder.bluez_source import check_source, checksums, patched_version
from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.lock import Lock, LockedPackage, read_lock
from imagebuilder.renew_lock import without_duplicates

SHA = "ab" * 32
BUSYBOX = f"image busybox 1:1.37.0-6+b9 amd64 {SHA} 484988"
SOURCE = f"source bluez 5.82-1.1 bluez_5.82.orig.tar.gz {SHA} 3680528"


def package(line):
    return LockedPackage.parse(line)


def test_line_is_read_and_written_back():
    busybox = package(BUSYBOX)
    assert (busybox.part, busybox.name, busybox.version) == ("image", "busybox", "1:1.37.0-6+b9")
    assert (busybox.architecture, busybox.sha256, busybox.size) == ("amd64", SHA, 484988)
    assert str(busybox) == BUSYBOX


def test_file_name_is_that_of_apt():
    assert package(BUSYBOX).file == "busybox_1%3a1.37.0-6+b9_amd64.deb"


def test_file_of_a_source_package_is_named_in_the_lock():
    assert package(SOURCE).file == "bluez_5.82.orig.tar.gz"


def test_file_matches_only_with_its_size_and_hash(tmp_path):
    digest = hashlib.sha256(b"right").hexdigest()
    right = package(f"image a 1 all {digest} 5")
    path = tmp_path / "a"
    assert not right.matches(path)
    path.write_bytes(b"right")
    assert right.matches(path)
    path.write_bytes(b"wrong")
    assert not right.matches(path)
    path.write_bytes(b"right and more")
    assert not right.matches(path)
    path.write_bytes(b"right")
    assert not package(f"image a 1 all {digest} 6").matches(path)


def test_lock_is_read_with_its_date_as_epoch(board):
    board.lock.write_text(f"# Made by hand\n# resolved 1970-01-03\n{BUSYBOX}\n\n{SOURCE}\n")
    lock = read_lock(board)
    assert lock.epoch == 2 * 24 * 3600
    assert [str(package) for package in lock.packages] == [BUSYBOX, SOURCE]
    assert [package.name for package in lock.of("source", "boot")] == ["bluez"]


def test_parts_keep_the_order_of_the_lock():
    lines = [f"{part} {name} 1 all {SHA} 1" for part, name in
             (("sysroot", "c"), ("image", "b"), ("boot", "x"), ("image", "a"))]
    lock = Lock([package(line) for line in lines], 0)
    assert [found.name for found in lock.of("image", "sysroot")] == ["c", "b", "a"]


def test_missing_lock_is_refused_with_the_command_that_makes_it(board):
    with pytest.raises(BuildError, match="^no-lock: .*packages.lock.*`make image-lock`"):
        read_lock(board)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("image busybox", "line 2: "),
        (f"image busybox 1 amd64 {SHA[:-1]} 5", "line 2: .*abab"),
        (f"image busybox 1 amd64 {SHA} many", "line 2: .*many"),
    ],
)
def test_damaged_line_is_refused_with_its_number(board, line, message):
    board.lock.write_text(f"# resolved 2026-11-21\n{line}\n")
    with pytest.raises(BuildError, match=f"^lock-damaged: .*{message}"):
        read_lock(board)


def test_lock_without_a_date_is_refused(board):
    board.lock.write_text(f"{BUSYBOX}\n")
    with pytest.raises(BuildError, match="^lock-without-date: "):
        read_lock(board)
    board.lock.write_text(f"# resolved yesterday\n{BUSYBOX}\n")
    with pytest.raises(BuildError, match="^lock-damaged: .*line 1: .*yesterday"):
        read_lock(board)


def lock_of_bluez(version, source_version):
    lines = [f"image bluez {version} amd64 {SHA} 1"]
    if source_version:
        lines.append(f"source bluez {source_version} bluez.dsc {SHA} 1")
    return Lock([package(line) for line in lines], 0)


@pytest.mark.parametrize("version", ["5.82-1.1", "5.82-1.1+b2"])
def test_source_of_the_same_version_is_accepted(version):
    check_source(lock_of_bluez(version, "5.82-1.1"))


@pytest.mark.parametrize(("source", "named"), [("5.82-1", r"5.82-1\."), (None, r"none\.")])
def test_source_of_another_version_is_refused(source, named):
    with pytest.raises(BuildError, match=f"^source-differs: .* 5.82-1.1,.* {named}"):
        check_source(lock_of_bluez("5.82-1.1", source))


def test_files_of_a_source_package_are_read_from_the_index():
    paragraph = (
        "Package: bluez\nVersion: 5.82-1.1\nChecksums-Sha256:\n"
        f" {SHA} 3031 bluez.dsc\n {SHA} 44568 bluez.debian.tar.xz\n"
        "Homepage: http://www.bluez.org\n"
    )
    assert checksums(paragraph) == [
        [SHA, "3031", "bluez.dsc"], [SHA, "44568", "bluez.debian.tar.xz"]
    ]


def test_package_of_the_image_is_locked_only_once():
    image, own = f"image libc6 2.41 amd64 {SHA} 1", f"sysroot libc6-dev 2.41 amd64 {SHA} 1"
    same, newer = image.replace("image", "sysroot"), f"sysroot libc6 2.42 amd64 {SHA} 1"
    assert without_duplicates([image, same, own, newer]) == [image, own, newer]


def test_locks_of_all_boards_can_be_read_and_have_the_source_of_their_bluez():
    boards = [path.parent.name for path in PROJECT.glob("board/*/packages.lock")]
    assert "qemu-x86_64" in boards
    for name in boards:
        board = Board(name)
        lock = read_lock(board)
        check_source(lock)
        for part in ("image", "sysroot", "boot", *board.kernel_parts, "source"):
            assert lock.of(part), part
        assert patched_version(board, lock).startswith(lock.of("source")[0].version + "+autoharp.")

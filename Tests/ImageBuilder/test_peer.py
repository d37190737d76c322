"""The disk of the second machine of the system tests: it contains its own packages and no part of the
image. The tests use the real apt with a mirror on the disk."""

import subprocess

import pytest

from imagebuilder import apt
from imagebuilder.commands import BuildError
from imagebuilder.fetch import fetch
from imagebuilder.lock import read_lock
from imagebuilder.newest import newest_lock_file
from imagebuilder.parts import fetch_part
from imagebuilder.peer import make_peer
from imagebuilder.renew_lock import peer_lines
from project import make_package, use_mirror, write_files, write_lock


@pytest.fixture
def debian(board, tmp_path, monkeypatch):
    """A function that makes a Debian mirror with `version` of the package `player`. It returns the package as a line of
    a lock."""
    write_files(board.project, {"board/packages.list": "[image]\n[peer]\nplayer  plays\n"})
    monkeypatch.setattr(apt, "KEY", "trusted=yes")

    def publish(version):
        made = tmp_path / "made" / version
        player = make_package(made, "peer", "player", {"usr/bin/player": version}, version)
        use_mirror(monkeypatch, tmp_path / f"mirror-{version}", [made / player.file])
        return player

    return publish


def files_of(disk):
    listed = subprocess.run(["unsquashfs", "-ls", disk], check=True, capture_output=True, text=True)
    return {line.removeprefix("squashfs-root/") for line in listed.stdout.splitlines()}


def test_disk_has_the_programs_the_users_and_the_mount_points(board, debian):
    write_lock(board, [debian("1.0-1")])
    disk = make_peer(board, read_lock(board))
    assert disk == board.shared / "peer.squashfs"
    wanted = {"usr/bin/player", "etc/passwd", "etc/group", "dev", "proc", "run", "sys", "tmp", "var/lib"}
    assert wanted <= files_of(disk)


def test_disk_is_made_again_only_for_other_packages(board, debian, monkeypatch):
    write_lock(board, [debian("1.0-1")])
    disk = make_peer(board, read_lock(board))
    made = disk.stat().st_mtime_ns
    monkeypatch.setenv("AUTOHARP_MIRROR", "file:/nonexistent")
    assert make_peer(board, read_lock(board)).stat().st_mtime_ns == made
    write_lock(board, [debian("1.0-2")])
    assert make_peer(board, read_lock(board)).stat().st_mtime_ns != made


def test_image_does_not_fetch_the_packages_of_the_peer(board, debian):
    write_lock(board, [debian("1.0-1")])
    fetch(board, read_lock(board))
    assert list(board.debs.iterdir()) == []


def test_replaced_package_is_fetched_in_its_newest_version_and_the_image_keeps_its_lock(board, debian):
    write_lock(board, [debian("1.0-1")])
    debian("1.0-2")
    lock = read_lock(board)
    assert [package.version for package in fetch_part(board, lock, "peer", peer_lines)] == ["1.0-2"]
    assert (board.debs / "player_1.0-2_amd64.deb").exists()
    assert not newest_lock_file(board).exists()
    assert fetch(board, lock) == lock


def test_package_that_differs_from_the_lock_is_refused(board, debian):
    other = make_package(board.project / "other", "peer", "player", {"usr/bin/player": "another"})
    debian("1.0-1")
    write_lock(board, [other])
    with pytest.raises(BuildError, match="^wrong-file: player_1.0-1"):
        fetch_part(board, read_lock(board), "peer", peer_lines)


def test_lock_has_the_packages_of_the_section_peer(board, debian):
    player = debian("1.0-1")
    resolver = apt.Apt(board)
    resolver.update()
    assert peer_lines(board, resolver) == [str(player)]

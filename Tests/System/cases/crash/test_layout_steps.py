"""Kills the migration to the present layout at each of its steps, and then runs the migration again. The
folder is on the host."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from machine import PROJECT

HELPERS = PROJECT / "board" / "helpers"
# All system calls that change a file or a folder. strace counts each kind separately.
CALLS = ("openat", "mkdir", "mkdirat", "fchown", "fchmod", "write", "fsync", "renameat", "renameat2",
         "unlinkat")
DAEMON = 800
SONG, BOND, COVER, STATE = b"a song", b"a bond", b"a cover", b"a state"


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("layout") / "layout-steps"
    sources = [HELPERS / f"{name}.c" for name in ("erase", "layout", "report", "files")]
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-o", made,
                    Path(__file__).with_name("layout_steps.c"), *sources], check=True)
    return made


def old_layout(data: Path) -> None:
    """Makes the /data of an older image, with a link and a FIFO that the daemon planted."""
    shutil.rmtree(data, ignore_errors=True)
    for folder in ("music", "bluetooth", "artwork", "log"):
        (data / folder).mkdir(parents=True)
    (data / "music/song").write_bytes(SONG)
    (data / "bluetooth/bond").write_bytes(BOND)
    (data / "artwork/cover").write_bytes(COVER)
    (data / "state").write_bytes(STATE)
    (data / "autoharp.conf").write_text("start = play\n")
    (data / "autoharp").symlink_to("/etc")
    os.mkfifo(data / ".autoharp.conf.new")
    for path in (data, *(data / name for name in ("music", "artwork", "state", "autoharp.conf"))):
        os.chown(path, DAEMON, DAEMON, follow_symlinks=False)
    (data / "bluetooth").chmod(0o700)


def assert_complete(data: Path) -> None:
    found = {str(path.relative_to(data)): path.lstat() for path in data.rglob("*")}
    owners = {name: (status.st_uid, status.st_mode & 0o7777)
              for name, status in found.items() if name in
              ("autoharp", "music", "bluetooth", "log", "autoharp.conf", "autoharp/state")}
    assert owners == {"autoharp": (DAEMON, 0o755), "music": (DAEMON, 0o755), "bluetooth": (0, 0o700),
                      "log": (0, 0o750), "autoharp.conf": (0, 0o644),
                      "autoharp/state": (DAEMON, owners["autoharp/state"][1])}
    assert (data.stat().st_uid, data.stat().st_mode & 0o7777) == (0, 0o755)
    assert (data / "music/song").read_bytes() == SONG
    assert (data / "bluetooth/bond").read_bytes() == BOND
    assert (data / "autoharp/artwork/cover").read_bytes() == COVER
    assert (data / "autoharp/state").read_bytes() == STATE
    assert (data / "autoharp.conf").read_text() == "start = play\n"
    assert os.readlink(data / "aside-autoharp-1") == "/etc"
    assert not any(name.startswith((".", "aside-autoharp-2")) for name in found), found


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may change owners")


@as_root
def test_folder_with_the_name_of_the_temporary_file_is_renamed(program, tmp_path):
    data = tmp_path / "data"
    old_layout(data)
    (data / ".autoharp.conf.new").unlink()
    (data / ".autoharp.conf.new/deep").mkdir(parents=True)
    subprocess.run([program, data, tmp_path / "report"], check=True)
    assert (data / "autoharp.conf").stat().st_uid == 0
    assert (data / "aside-.autoharp.conf.new-1/deep").is_dir()


def plant(kind: str, place: Path, victim: Path) -> None:
    if kind == "link":
        place.symlink_to(victim)
    elif kind == "hard link":
        os.link(victim, place)
    elif kind == "folder":
        (place / "deep").mkdir(parents=True)
    elif kind == "FIFO":
        os.mkfifo(place)
    else:
        # The path is relative, because the address of a socket has at most 108 bytes.
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(place))
    if kind != "hard link":
        os.chown(place, DAEMON, DAEMON, follow_symlinks=False)


def entry(path: Path) -> tuple[int, int]:
    """The inode and the type of a file. The inode alone is not sufficient, because a new file can get the inode of a
    removed file."""
    return path.lstat().st_ino, stat.S_IFMT(path.lstat().st_mode)


@pytest.mark.quick
@as_root
@pytest.mark.parametrize("kind", ["link", "hard link", "folder", "FIFO", "socket"])
def test_planted_entry_in_the_old_layout_is_kept_and_not_followed(
        program, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    victim.chmod(0o640)
    before = victim.stat().st_uid, victim.stat().st_mode, victim.stat().st_ino
    for name in ("autoharp", "music", "bluetooth", "log", "autoharp.conf", ".autoharp.conf.new"):
        data = tmp_path / "data"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        os.chown(data, DAEMON, DAEMON)
        if name == ".autoharp.conf.new":
            (data / "autoharp.conf").write_text("start = play\n")
            os.chown(data / "autoharp.conf", DAEMON, DAEMON)
        plant(kind, data / name, victim)
        planted = entry(data / name)
        subprocess.run([program, data, tmp_path / "report"], check=True, timeout=10)
        owners = {path.name: (path.lstat().st_uid, path.lstat().st_mode) for path in data.iterdir()}
        for folder, owner, mode in (("autoharp", DAEMON, 0o40755), ("music", DAEMON, 0o40755),
                                    ("bluetooth", 0, 0o40700), ("log", 0, 0o40750)):
            assert owners[folder] == (owner, mode), (kind, name)
        assert (data.stat().st_uid, data.stat().st_mode) == (0, 0o40755)
        if "autoharp.conf" in owners:
            assert owners["autoharp.conf"] == (0, 0o100644), (kind, name)
        assert victim.read_text() == "untouched"
        assert (victim.stat().st_uid, victim.stat().st_mode, victim.stat().st_ino) == before
        # The planted entry still exists, under its name or under a name with `aside`. There are two exceptions: a
        # temporary file that is not a folder is replaced, and a hard-linked configuration is copied.
        left = {entry(path) for path in data.iterdir()}
        is_temporary = name == ".autoharp.conf.new" and kind != "folder"
        is_copied = name == "autoharp.conf" and kind == "hard link"
        assert (planted in left) != (is_temporary or is_copied), (kind, name)


@pytest.mark.quick
@as_root
def test_migration_killed_at_any_step_is_completed_by_the_next_run(program, tmp_path):
    data, reported = tmp_path / "data", tmp_path / "report"
    kills = 0
    for call in CALLS:
        for number in range(1, 100):
            old_layout(data)
            shutil.rmtree(reported, ignore_errors=True)
            done = subprocess.run(
                ["strace", "-qq", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}",
                 program, data, reported])
            was_killed = done.returncode != 0
            shutil.rmtree(reported, ignore_errors=True)
            subprocess.run([program, data, reported], check=True, stdout=subprocess.DEVNULL)
            assert_complete(data)
            kills += was_killed
            if not was_killed:
                break
    print(f"killed {kills} times")
    assert kills >= 30

"""Kills the erasing of the personal data at each of its steps, and then runs it again. The folder is on the host."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from test_layout_steps import as_root, program  # noqa: F401

CALLS = ("openat", "unlinkat", "syncfs", "fsync", "getdents64", "write")
MARK = "autoharp/erase-personal-data"
PERSONAL = (
    "autoharp/state", "autoharp/state.damaged", "autoharp/queue", "autoharp/recent", "autoharp/settings.conf.damaged",
    "autoharp/of-a-later-version", "autoharp/artwork/0a/cover", "autoharp/playlists/Favourites.m3u8",
    "autoharp/playlists/Favourites.m3u8.before-1", "autoharp/playlists/Bookmarks.m3u8",
    "autoharp/playlists/.opinions.m3u8", "autoharp/playlists/.new", "library/library.db", "library/covers.db-wal",
    "bluetooth/00:1B:DC:00:00:01/02:00:00:00:00:07/info", "bluetooth/00:1B:DC:00:00:01/cache/02:00:00:00:00:08",
    "log/autoharp.3", "log/kernel.1", "log/repair", "lost+found/#12", "aside-bluetooth-1/bond", "state", "artwork/cover",
)
KEPT = (
    "music/song.flac", "music/lists/Favourites.m3u8", "autoharp.conf", "autoharp/settings.conf", "autoharp/clock",
    "autoharp/playlists/Drive.m3u8", "autoharp/playlists/Drive.m3u8.before-1", "autoharp/playlists/Favourites 2.m3u8",
    "aside-music-1/song.flac", "of-the-owner/notes",
)


def fill(data: Path, is_marked: bool = True) -> None:
    shutil.rmtree(data, ignore_errors=True)
    # Older images kept the entries `state` and `artwork` in /data itself. make_layout() does not move them here,
    # because the daemon's folder has entries with the same names.
    for name in (*PERSONAL, *KEPT, *([MARK] if is_marked else [])):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("text")


def files(data: Path) -> set[str]:
    return {str(path.relative_to(data)) for path in data.rglob("*") if not path.is_dir() or path.is_symlink()}


def erase(program: Path, data: Path, *before: str) -> tuple[int, str]:
    reported = data.parent / "report"
    shutil.rmtree(reported, ignore_errors=True)
    done = subprocess.run([*before, program, data, reported], capture_output=True, text=True, timeout=60)
    notice = reported / "notice"
    return done.returncode, notice.read_text().splitlines()[-1].split()[0] if notice.exists() else ""


@pytest.mark.quick
@as_root
def test_erasing_removes_personal_data_and_the_mark_and_keeps_the_rest(program, tmp_path):
    data = tmp_path / "data"
    fill(data)
    assert erase(program, data) == (0, "data.erased")
    assert files(data) == set(KEPT)
    assert erase(program, data) == (0, "")
    assert files(data) == set(KEPT)


@pytest.mark.quick
@as_root
@pytest.mark.parametrize("kind", ["none", "link", "folder"])
def test_without_a_mark_nothing_is_erased(program, tmp_path, kind):
    data = tmp_path / "data"
    fill(data, is_marked=False)
    if kind == "link":
        (data / MARK).symlink_to("state")
    if kind == "folder":
        (data / MARK).mkdir()
    before = files(data)
    assert erase(program, data) == (0, "")
    assert files(data) == before


@pytest.mark.quick
@as_root
def test_erasing_follows_no_link_and_removes_other_kinds_of_files(program, tmp_path):
    data, outside = tmp_path / "data", tmp_path / "outside"
    fill(data)
    outside.mkdir()
    (outside / "file").write_text("untouched")
    for folder in ("library", "autoharp/playlists"):
        shutil.rmtree(data / folder)
        (data / folder).symlink_to(outside)
    (data / "bluetooth/link").symlink_to(outside)
    os.mkfifo(data / "log/fifo")
    (data / "log/deep").mkdir()
    os.link(outside / "file", data / "log/hard")
    assert erase(program, data)[1] == "data.not-erased"
    assert (data / MARK).exists()
    # A link in place of a folder of the daemon stays, and nothing in the target of the link is removed.
    (data / "autoharp/playlists").unlink()
    assert erase(program, data) == (0, "data.erased")
    assert (outside / "file").read_text() == "untouched"
    assert not list((data / "log").iterdir()) and not list((data / "bluetooth").iterdir())


@pytest.mark.quick
@as_root
def test_more_levels_of_folders_than_permitted_leave_the_mark(program, tmp_path):
    data = tmp_path / "data"
    fill(data)
    (data / "log" / "/".join("d" * 80)).mkdir(parents=True)
    assert erase(program, data)[1] == "data.not-erased"
    assert (data / MARK).exists()
    # Only the folders that are nested too deeply stay. All personal files are erased.
    assert not files(data) & set(PERSONAL)


@pytest.mark.quick
@as_root
def test_thousands_of_files_are_all_erased(program, tmp_path):
    data = tmp_path / "data"
    fill(data)
    for number in range(20_000):
        (data / f"library/{number:05}").touch()
    assert erase(program, data) == (0, "data.erased")
    assert files(data) == set(KEPT)


@pytest.mark.quick
@as_root
def test_erasing_killed_at_any_step_is_completed_by_the_next_run(program, tmp_path):
    data = tmp_path / "data"
    kills = 0
    for call in CALLS:
        for number in range(1, 200):
            fill(data)
            status, _ = erase(program, data, "strace", "-qq", "-o", "/dev/null", "-e",
                              f"inject={call}:signal=KILL:when={number}")
            # The mark is the last entry that is removed.
            assert (data / MARK).exists() or files(data) == set(KEPT)
            assert set(KEPT) <= files(data)
            assert erase(program, data)[0] == 0
            assert files(data) == set(KEPT)
            kills += status != 0
            if status == 0:
                break
    print(f"killed {kills} times")
    assert kills >= 60


@pytest.mark.quick
@as_root
@pytest.mark.parametrize("call", ["unlinkat", "syncfs", "fsync", "getdents64"])
def test_call_that_fails_leaves_the_mark_or_has_erased_everything(program, tmp_path, call):
    data = tmp_path / "data"
    for number in range(1, 60):
        fill(data)
        erase(program, data, "strace", "-qq", "-o", "/dev/null", "-e", f"inject={call}:error=EIO:when={number}")
        assert (data / MARK).exists() or files(data) == set(KEPT), number
        assert erase(program, data)[0] == 0
        assert files(data) == set(KEPT)

"""The demo collection: complete after an interruption, made again after a change, and with correct tags."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from demomusic import albums, collection, covers, sounds

from xserver import PROJECT


@pytest.fixture
def small(monkeypatch, tmp_path) -> Path:
    """A collection that is made within seconds."""
    lines = [line for line in albums.ALBUMS.splitlines() if line.split(" | ")[0] in ("Umber", "Cedar Row", "Τα Κύματα")]
    assert len(lines) == 3
    monkeypatch.setattr(collection, "ALBUMS", "\n".join(lines))
    monkeypatch.setattr(collection, "PLAYLISTS", {"One": (0, ["Clay", "Αιγαίο"])})
    monkeypatch.setattr(collection, "make_open_road", lambda music: None)
    monkeypatch.setattr(sounds, "COUNTS", {".mp3": 1, ".flac": 1, ".ogg": 1})
    return tmp_path / "demo"


def files(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_interrupted_collection_is_finished_without_making_its_albums_again(small, monkeypatch):
    make_album = collection.make_album

    def make_and_interrupt(music, album, pieces):
        if album.title == "Αιγαίο":
            raise KeyboardInterrupt
        make_album(music, album, pieces)
    monkeypatch.setattr(collection, "make_album", make_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        collection.make(small)
    half = files(small / "music")
    assert any("Cedar Row" in name for name in half) and not any("Αιγαίο" in name for name in half)
    monkeypatch.setattr(collection, "make_album", make_album)
    collection.make(small)
    whole = files(small / "music")
    assert half.items() <= whole.items()
    assert any("Αιγαίο" in name for name in whole)
    assert all((small / "music" / "Playlists" / line).exists()
               for line in (small / "music" / "Playlists" / "One.m3u8").read_text().splitlines()[1:])
    collection.make(small)
    assert files(small / "music") == whole


def test_collection_of_an_older_version_is_made_again(small, monkeypatch):
    collection.make(small)
    stray = small / "music" / "Old album"
    stray.mkdir()
    collection.make(small)
    assert stray.exists()
    monkeypatch.setattr(collection, "own_version", lambda: "newer")
    collection.make(small)
    assert not stray.exists() and (small / "music" / "Umber" / "Clay").exists()


def test_player_reads_tags_and_sound_of_each_format(small):
    collection.make(small)
    for path in (small / "music").rglob("01 *"):
        done = subprocess.run([PROJECT / "build" / "autoharp", "probe", "--json", "--verify", path],
                              stdout=subprocess.PIPE)
        assert done.returncode == 0, done.stdout
        text = json.dumps(json.loads(done.stdout), ensure_ascii=False)
        assert path.parts[-3] in text and path.parts[-2] in text


def test_covers_differ_and_are_always_the_same():
    assert covers.cover("a") == covers.cover("a") != covers.cover("b")


def test_all_albums_have_other_folders_and_enough_songs():
    found = albums.albums() + albums.albums(albums.STICK)
    assert len({(album.artist, album.title) for album in found}) == len(found) == 60
    assert all(3 <= len(set(album.songs)) == len(album.songs) <= 7 for album in found)

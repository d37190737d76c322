"""Makes the demo collection: some 60 albums, playlists, a file that cannot be played, and the files of a stick."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from . import covers, sounds, tags
from .albums import ALBUMS, STICK, Album, albums

HERE = Path(__file__).resolve().parent
OPEN_ROAD = HERE.parent / "host" / "make-demo-album.sh"
STICK_NAME = "HOLIDAY"
# The folder with the file that cannot be played.
UNPLAYABLE = "Radio"
# For each playlist: the index of the song that the playlist takes from each album, and the titles of the albums.
PLAYLISTS = {
    "Night drive": (0, ["Nachtbus", "Contraflow", "Signals at Dusk", "Northbound", "夜の駅", "Last Stop"]),
    "Sunday morning": (1, ["Second Cup", "Café du Canal", "Små timer", "雨の日曜日", "Rua da Manhã"]),
    "Around the world": (2, ["أمواج", "אור ראשון", "桜の手紙", "Письма", "Φεγγάρι", "Ciudad Dormida", "Skärgård"]),
}


def music_of(folder: Path) -> Path:
    return folder / "music"


def playable(folder: Path) -> list[Path]:
    """All folders with music except the folder with the file that cannot be played."""
    return sorted(path for path in music_of(folder).iterdir() if path.name != UNPLAYABLE)


def stick_of(folder: Path) -> Path:
    return folder / STICK_NAME


def make(folder: Path) -> None:
    """Makes the missing parts of the collection. If `own_version` has changed, makes the whole collection again."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock"):
        version, made = own_version(), folder / "version"
        if made.exists() and made.read_text() == version:
            return
        begun = folder / "begun"
        if not begun.exists() or begun.read_text() != version:
            for path in folder.iterdir():
                if path.name != "lock":
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            begun.write_text(version)
        make_all(folder)
        made.write_text(version)


def own_version() -> str:
    """A hash of the program files that make the collection."""
    code = hashlib.sha256()
    for path in [*sorted(HERE.glob("*.py")), OPEN_ROAD]:
        code.update(path.read_bytes())
    return code.hexdigest()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock on a file. Waits first, if another process makes the collection and holds the lock."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_all(folder: Path) -> None:
    print(f"Making the demo collection in {os.path.relpath(folder)} (only once, about 20 s)", flush=True)
    music, pieces = music_of(folder), folder / "pieces"
    pieces.mkdir(exist_ok=True)
    music.mkdir(exist_ok=True)
    todo = [lambda name=name: make_piece(pieces / name) for name in sounds.names()]
    todo.append(lambda: make_open_road(music))
    found = [(music, album) for album in albums(ALBUMS)]
    found += [(stick_of(folder), album) for album in albums(STICK)]
    progress = Progress(len(todo) + len(found))
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        # The albums need the pieces, so the pieces are made first.
        for job in [todo, [lambda each=each: make_album(*each, pieces) for each in found]]:
            for _ in pool.map(lambda step: step(), job):
                progress.advance()
    finally:
        # After an error or Ctrl-C, no further step begins.
        pool.shutdown(cancel_futures=True)
    write_playlists(music)
    write_unplayable(music)
    shutil.rmtree(pieces)
    progress.end()


class Progress:
    """Shows the progress in one line, if the output is a terminal."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done = steps, 0

    def advance(self) -> None:
        self.done += 1
        if sys.stdout.isatty():
            print(f"\r  {100 * self.done // self.steps} %", end="", flush=True)

    def end(self) -> None:
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)


def make_piece(path: Path) -> None:
    if not path.exists():
        sounds.make(path)


def make_open_road(music: Path) -> None:
    subprocess.run([OPEN_ROAD, music / "Autoharp" / "Open Road"], check=True, stdout=subprocess.DEVNULL)


def folder_of(music: Path, album: Album) -> Path:
    return music / album.artist / album.title


def make_album(music: Path, album: Album, pieces: Path) -> None:
    """Makes an album. Its folder gets the final name when it is complete, so an interrupted run leaves no incomplete
    album."""
    place = folder_of(music, album)
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    making = place.with_name(f".{album.title}")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    kind = ".flac" if album.number % 9 == 3 else ".ogg" if album.number % 9 in (5, 8) else ".mp3"
    names = [name for name in sounds.names() if name.endswith(kind)]
    for number, title in enumerate(album.songs, 1):
        piece = pieces / names[(5 * album.number + 7 * number) % len(names)]
        tags.write(piece, making / f"{number:02} {title}{kind}", {
            "TITLE": title, "ARTIST": album.artist, "ALBUM": album.title, "ALBUMARTIST": album.artist,
            "TRACKNUMBER": str(number), "DATE": album.year, "GENRE": album.genre})
    if album.has_cover:
        (making / "cover.png").write_bytes(covers.cover(f"{album.artist} {album.title}"))
    making.rename(place)


def write_playlists(music: Path) -> None:
    known = {album.title: album for album in albums(ALBUMS)}
    (music / "Playlists").mkdir(exist_ok=True)
    for name, (number, titles) in PLAYLISTS.items():
        lines = ["#EXTM3U"]
        for title in titles:
            songs = sorted(path for path in folder_of(music, known[title]).iterdir() if path.name[0].isdigit())
            lines.append(f"../{songs[number].relative_to(music)}")
        (music / "Playlists" / f"{name}.m3u8").write_text("\n".join(lines) + "\n")


def write_unplayable(music: Path) -> None:
    """Writes a file in a format that the player does not support."""
    place = music / UNPLAYABLE / "Voice memo.m4a"
    place.parent.mkdir(exist_ok=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:duration=2", "-c:a", "aac",
                    place], check=True, stdin=subprocess.DEVNULL)

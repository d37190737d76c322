"""Makes collections that reach the limits of a scan: many songs, large tags, files that cannot be read, deep folders,
long names and loops of links. As a program, it writes a collection into a folder."""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from sound import flac, mp3, noise

WORDS = [
    "Moon", "River", "Under", "Glass", "Stone", "Über", "Größe", "Étoile", "Ночь", "Снег", "Νύχτα", "ليل", "לילה",
    "茶", "夜の", "고요", "Light", "Winter", "Car", "Road", "Slow", "Garden", "Echo", "Salt", "North",
]
SONGS_OF_ALBUM = 12
# The type number of a block of tags, and the flag that marks the last block (RFC 9639, section 8.1).
TAG_BLOCK, LAST_BLOCK = 4, 0x80
# The longest name of a file on Linux, in bytes.
NAME_BYTES = 255

Files = Iterator[tuple[str, bytes]]


@functools.cache
def template() -> tuple[bytes, bytes]:
    """The two parts of a short FLAC file without tags: the marker with the STREAMINFO block, and the frames."""
    data = flac(noise(0.01, seed=1))
    at, is_last = 4, False
    while not is_last:
        is_last = bool(data[at] & LAST_BLOCK)
        at += 4 + int.from_bytes(data[at + 1:at + 4], "big")
    head = bytearray(data[:4 + 4 + 34])
    head[4] &= ~LAST_BLOCK
    return bytes(head), data[at:]


def song(tags: list[tuple[str, str]]) -> bytes:
    """A song with these tags, encoded as the Vorbis comment specification describes it."""
    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack("<I", len(data)) + data

    block = text("generated") + struct.pack("<I", len(tags)) + b"".join(text(f"{n}={v}") for n, v in tags)
    head, frames = template()
    return head + bytes([TAG_BLOCK | LAST_BLOCK]) + len(block).to_bytes(3, "big") + block + frames


@functools.cache
def mpeg_frames() -> bytes:
    """A short MP3 file without tags."""
    return mp3(noise(0.1, seed=1))


# The tags that have a frame of their own in ID3v2.3. Other tags use the frame TXXX, with the name of the tag as its
# description.
ID3_NAMES = {
    "TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB", "ALBUMARTIST": "TPE2", "DATE": "TYER", "GENRE": "TCON",
    "TRACKNUMBER": "TRCK", "DISCNUMBER": "TPOS", "LABEL": "TPUB", "ALBUMARTISTSORT": "TSO2",
}


def mp3_song(tags: list[tuple[str, str]]) -> bytes:
    """An MP3 file with these tags in ID3v2.3. The texts are in UTF-16, as most taggers write them."""
    def text(value: str) -> bytes:
        return b"\xff\xfe" + value.encode("utf-16-le")

    frames = b""
    for name, value in tags:
        frame = ID3_NAMES.get(name, "TXXX")
        description = text(name) + b"\0\0" if frame == "TXXX" else b""
        content = b"\1" + description + text(value)
        frames += frame.encode() + struct.pack(">IH", len(content), 0) + content
    size = bytes(len(frames) >> shift & 127 for shift in (21, 14, 7, 0))
    return b"ID3\3\0\0" + size + frames + mpeg_frames()


Song = Callable[[list[tuple[str, str]]], bytes]


def usual_songs(count: int, seed: int = 1, song: Song = song, suffix: str = "flac") -> Files:
    """Songs with 18 tags each, as taggers write them. An album has twelve songs and a folder of its own."""
    chance = random.Random(seed)

    def name() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))

    def identity() -> str:
        return f"{chance.getrandbits(32):08x}-{chance.getrandbits(48):012x}-{chance.getrandbits(48):012x}"

    for number in range(count):
        album, track = divmod(number, SONGS_OF_ALBUM)
        if track == 0:
            artist, title = name(), name()
            shared = [
                ("ARTIST", artist), ("ALBUM", title), ("ALBUMARTIST", artist), ("DATE", "2019-03-01"),
                ("GENRE", "Rock"), ("TRACKTOTAL", str(SONGS_OF_ALBUM)), ("DISCNUMBER", "1"), ("LABEL", "Label"),
                ("ALBUMARTISTSORT", artist), ("MUSICBRAINZ_ALBUMID", identity()),
                ("MUSICBRAINZ_ARTISTID", identity()), ("MUSICBRAINZ_ALBUMARTISTID", identity()),
                ("REPLAYGAIN_ALBUM_GAIN", "-7.25 dB"), ("REPLAYGAIN_ALBUM_PEAK", "0.987654"),
            ]
        own = [
            ("TITLE", f"{name()} {number}"), ("TRACKNUMBER", str(track + 1)), ("MUSICBRAINZ_TRACKID", identity()),
            ("REPLAYGAIN_TRACK_GAIN", "-6.5 dB"),
        ]
        yield f"{artist}/{album:05} {title}/{track + 1:02} {own[0][1]}.{suffix}", song(shared + own)


def songs_with_large_tags(count: int, size: int, song: Song = song, suffix: str = "flac") -> Files:
    """Songs with `size` bytes of tags each, in values of 60 000 bytes."""
    for number in range(count):
        lyrics = [(f"LYRICS{index}", "la" * 30_000) for index in range(size // 60_000)]
        yield f"large {number:05}.{suffix}", song([("TITLE", f"Large {number}"), *lyrics])


def unreadable_files(count: int) -> Files:
    """Files with the name of a song and other contents."""
    return ((f"{number % 100:02}/unreadable {number:05}.flac", b"no music") for number in range(count))


def long_names(count: int) -> Files:
    """Songs with the longest possible names."""
    for number in range(count):
        end = f" {number:05}.flac"
        yield "n" * (NAME_BYTES - len(end)) + end, song([("TITLE", f"Long {number}")])


def deep_folders(levels: int) -> Files:
    """One song in each folder of a chain of folders."""
    return (("d/" * level + "song.flac", song([("TITLE", f"Level {level}")])) for level in range(levels))


def write(folder: Path, files: Files) -> int:
    """Writes files into a folder. Returns their number."""
    made: set[Path] = set()
    count = 0
    for name, data in files:
        path = folder / name
        if path.parent not in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            made.add(path.parent)
        path.write_bytes(data)
        count += 1
    return count


def make_loops(folder: Path, count: int) -> None:
    """Makes links to the folder itself."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        os.symlink(".", folder / f"loop {number}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="is created; must be empty or missing")
    parser.add_argument("--songs", type=int, default=0, metavar="N", help="songs with usual tags")
    parser.add_argument("--large", type=int, default=0, metavar="N", help="songs with 1 MB of tags each")
    parser.add_argument("--mp3", type=int, default=0, metavar="N", help="MP3 files with usual tags")
    parser.add_argument("--large-mp3", type=int, default=0, metavar="N", help="MP3 files with 1 MB of tags each")
    parser.add_argument("--unreadable", type=int, default=0, metavar="N", help="files that cannot be played")
    parser.add_argument("--long", type=int, default=0, metavar="N", help="songs with names of 255 bytes")
    parser.add_argument("--deep", type=int, default=0, metavar="N", help="nested folders with a song in each")
    parser.add_argument("--loops", type=int, default=0, metavar="N", help="links that lead back to their folder")
    given = parser.parse_args()
    if given.folder.exists() and any(given.folder.iterdir()):
        parser.error(f"{given.folder} is not empty")
    parts = itertools.chain(
        usual_songs(given.songs), songs_with_large_tags(given.large, 1_000_000), unreadable_files(given.unreadable),
        long_names(given.long), deep_folders(given.deep), usual_songs(given.mp3, song=mp3_song, suffix="mp3"),
        songs_with_large_tags(given.large_mp3, 500_000, song=mp3_song, suffix="mp3"))
    given.folder.mkdir(parents=True, exist_ok=True)
    count = write(given.folder, parts)
    if given.loops:
        make_loops(given.folder / "loops", given.loops)
    print(f"{count} files in {given.folder}")


if __name__ == "__main__":
    main()

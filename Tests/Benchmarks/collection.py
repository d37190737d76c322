"""Makes a collection of music for tests and benchmarks of the library: many files with real headers and
different tags, names in many scripts, and names and folders that are hard to read.

    collection.py FOLDER [--files 10000] [--silent] [--artists N] [--hard]

The same arguments make the same collection. The sound of a file is noise of about a second. With --silent it is
silence of half a minute and all files are FLAC. Such a file has about 2 KB, so a collection of 100 000 songs needs
only about 200 MB.
"""

from __future__ import annotations

import argparse
import os
import struct
import subprocess
import tempfile
import unicodedata
from pathlib import Path
from random import Random

# The words from which names are made, in eight scripts.
WORDS = {
    "latin": "moon safari blue river night café Über straße Ångström señor love stone paper wild heart road "
             "summer garden electric silver golden dance fire rain winter".split(),
    "cyrillic": "Москва ночь звезда любовь поезд река город песня ветер дождь".split(),
    "greek": "θάλασσα νύχτα αγάπη ουρανός φεγγάρι δρόμος βροχή".split(),
    "arabic": "قمر ليل حب مدينة بحر سماء طريق مطر".split(),
    "hebrew": "ירח לילה אהבה עיר ים שמיים דרך גשם".split(),
    "han": "月亮 北京 天空 河流 夜晚 爱情 山水 春天".split(),
    "kana": "さくら つき そら うみ カタカナ メロディー ゆき".split(),
    "hangul": "서울 달빛 사랑 바다 하늘 노래 겨울".split(),
}
# Most names of a collection are Latin.
SCRIPTS = ["latin"] * 14 + [name for name in WORDS if name != "latin"]
GENRES = ["Rock", "Pop", "Jazz", "Classical", "Electronic", "Folk", "Hip-Hop", "Soundtrack", "ロック"]
TRACKS = (6, 14)


def name_of(random: Random, words: int) -> str:
    script = random.choice(SCRIPTS)
    picked = [random.choice(WORDS[script]) for _ in range(random.randint(1, words))]
    text = " ".join(picked).title() if script == "latin" else " ".join(picked)
    if script == "latin" and random.random() < 0.15:
        text = "The " + text
    # Macs write names in the normal form NFD.
    return unicodedata.normalize("NFD", text) if random.random() < 0.2 else text


class Encoded:
    """An encoded sound whose tags can be replaced."""

    def __init__(self, folder: Path, seconds: float, seed: int, is_silent: bool = False) -> None:
        self._folder = folder
        raw = folder / "noise.raw"
        size = int(seconds * 44100) * 4
        raw.write_bytes(bytes(size) if is_silent else Random(seed).randbytes(size))
        self.flac = self._encode(
            raw, ["flac", "--silent", "--force", "--force-raw-format", "--endian=little", "--sign=signed",
                  "--channels=2", "--bps=16", "--sample-rate=44100", "--no-padding"])
        self.vorbis_path = folder / f"{seed}.ogg"
        subprocess.run(["oggenc", "--quiet", "--raw", "-o", self.vorbis_path, raw], check=True)

    def _encode(self, raw: Path, command: list[str]) -> bytes:
        path = self._folder / "noise.flac"
        subprocess.run([*command, "-o", path, raw], check=True)
        return path.read_bytes()

    def tagged_flac(self, tags: list[str], number: int) -> bytes:
        """A FLAC file with these tags. `number` makes its MD5 different from the MD5 of other files."""
        info = bytearray(self.flac[8:42])
        info[18:22] = struct.pack("<I", struct.unpack("<I", info[18:22])[0] ^ number)
        at = 4
        while not self.flac[at] & 0x80:
            at += 4 + int.from_bytes(self.flac[at + 1:at + 4], "big")
        frames = self.flac[at + 4 + int.from_bytes(self.flac[at + 1:at + 4], "big"):]
        texts = [tag.encode() for tag in tags]
        comments = struct.pack("<I", 4) + b"test" + struct.pack("<I", len(texts))
        comments += b"".join(struct.pack("<I", len(text)) + text for text in texts)
        return (b"fLaC" + bytes([0, 0, 0, 34]) + bytes(info) + b"\x84" + len(comments).to_bytes(3, "big")
                + comments + frames)

    def write_vorbis(self, path: Path, tags: list[str]) -> None:
        text = "\n".join(tags).encode()
        command = ["vorbiscomment", "--raw", "--write", self.vorbis_path, path]
        subprocess.run(command, input=text, check=True)


def tags_of(random: Random, artist: str, album: str, title: str, number: int, year: int) -> list[str]:
    """About as many tags as a file of a real collection has."""
    tags = [f"TITLE={title}", f"ARTIST={artist}", f"ALBUM={album}", f"ALBUMARTIST={artist}",
            f"TRACKNUMBER={number}", f"DATE={year}", f"GENRE={random.choice(GENRES)}", "DISCNUMBER=1",
            "REPLAYGAIN_TRACK_GAIN=-7.12 dB", "REPLAYGAIN_TRACK_PEAK=0.98",
            "REPLAYGAIN_ALBUM_GAIN=-7.00 dB", "REPLAYGAIN_ALBUM_PEAK=0.99"]
    for name in ("ALBUMID", "ARTISTID", "TRACKID", "RELEASEGROUPID"):
        number = random.getrandbits(128) if name != "ALBUMID" else hash_of(artist, album)
        tags.append(f"MUSICBRAINZ_{name}={number:032x}")
    return tags


def hash_of(*texts: str) -> int:
    return int.from_bytes(Random("\0".join(texts)).randbytes(16), "big")


def make(folder: Path, files: int, sounds: int = 24, is_silent: bool = False, artists: int | None = None) -> None:
    """Makes albums of some tracks, each album in its own folder. 78 % of the albums are FLAC, the rest Vorbis. With
    `artists`, there are at most this many artists, and all albums have 10 tracks."""
    random = Random(25)
    with tempfile.TemporaryDirectory() as scrap:
        encoded = [Encoded(Path(scrap), 20 + seed if is_silent else 0.8 + 1.4 * seed / sounds, seed, is_silent)
                   for seed in range(sounds)]
        names = [f"{name_of(random, 3)} {number}" for number in range(artists or 0)]
        made = 0
        while made < files:
            artist = random.choice(names) if names else name_of(random, 3)
            album = name_of(random, 3)
            year = random.randint(1960, 2026)
            place = folder / artist.replace("/", "-") / f"{album} {made}".replace("/", "-")
            place.mkdir(parents=True)
            is_vorbis = random.random() < 0.22 and not is_silent
            tracks = 10 if names else random.randint(*TRACKS)
            for number in range(1, min(tracks, files - made) + 1):
                made += 1
                title = name_of(random, 4)
                tags = tags_of(random, artist, album, title, number, year)
                sound = random.choice(encoded)
                if is_vorbis:
                    sound.write_vorbis(place / f"{number:02} {title}.ogg", tags)
                else:
                    (place / f"{number:02} {title}.flac").write_bytes(sound.tagged_flac(tags, made))


def make_hard(folder: Path, flat: int = 10_000) -> None:
    """Makes names and folders that are hard to read: eight scripts, 255 bytes, invalid UTF-8, a folder with many files,
    folders in more than 64 levels, links in circles, one name in two normal forms."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scrap:
        sound = Encoded(Path(scrap), 0.1, 0)
    path = os.fsencode(folder)

    def write(name: bytes, title: str, number: int) -> None:
        os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
        with open(os.path.join(path, name), "wb") as file:
            file.write(sound.tagged_flac([f"TITLE={title}"], number))

    write(b"long/" + b"x" * 250 + b".flac", "long", 1)
    write(b"bytes/b\xf6se \xff\xfe.flac", "bytes", 2)
    write("forms/é.flac".encode(), "composed", 3)
    write(unicodedata.normalize("NFD", "forms/é.flac").encode(), "decomposed", 4)
    write(b"/".join([b"deep"] + [b"d"] * 62) + b"/a.flac", "deep", 5)
    write(b"/".join([b"deeper"] + [b"d"] * 80) + b"/a.flac", "too deep", 6)
    os.symlink(b"..", os.path.join(path, b"long", b"circle"))
    os.symlink(b"nowhere", os.path.join(path, b"long", b"broken.flac"))
    for number, (script, words) in enumerate(WORDS.items()):
        title = " ".join(words[-3:])
        write(f"scripts/{script} {title}.flac".encode(), title, 10 + number)
    for number in range(flat):
        write(b"flat/%d.flac" % number, f"Flat {number}", 100 + number)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes a collection of music for tests of the library.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10_000, help="number of files (default: 10000)")
    parser.add_argument("--silent", action="store_true", help="silence, FLAC only, small files")
    parser.add_argument("--artists", type=int, help="number of artists; each album then has 10 tracks")
    parser.add_argument("--hard", action="store_true", help="names and folders that are hard to read")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.hard:
        make_hard(options.folder)
    else:
        make(options.folder, options.files, is_silent=options.silent, artists=options.artists)


if __name__ == "__main__":
    main()

"""Writes tags into encoded music, without encoding it again."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

# The ID3 frame for each Vorbis tag.
FRAMES = {"TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB", "ALBUMARTIST": "TPE2", "TRACKNUMBER": "TRCK",
          "DATE": "TDRC", "GENRE": "TCON"}
Tags = dict[str, str]


def write(sound: Path, path: Path, tags: Tags) -> None:
    """Copies encoded music to `path`, with these tags. The suffix of `sound` selects the format."""
    kind = sound.suffix
    if kind == ".flac":
        path.write_bytes(flac(sound.read_bytes(), tags))
    elif kind == ".mp3":
        path.write_bytes(mp3(sound.read_bytes(), tags))
    else:
        lines = "\n".join(f"{name}={value}" for name, value in tags.items())
        subprocess.run(["vorbiscomment", "--raw", "--write", sound, path], input=lines.encode(), check=True)


def flac(data: bytes, tags: Tags) -> bytes:
    """Keeps the first block of a FLAC file, STREAMINFO, and replaces all other blocks by one block
    with the tags."""
    at, is_last = 4, False
    while not is_last:
        is_last = bool(data[at] & 0x80)
        at += 4 + int.from_bytes(data[at + 1:at + 4], "big")
    texts = [f"{name}={value}".encode() for name, value in tags.items()]
    comments = struct.pack("<I", 4) + b"demo" + struct.pack("<I", len(texts))
    comments += b"".join(struct.pack("<I", len(text)) + text for text in texts)
    return (b"fLaC" + bytes([0, 0, 0, 34]) + data[8:42] + b"\x84" + len(comments).to_bytes(3, "big") + comments
            + data[at:])


def mp3(data: bytes, tags: Tags) -> bytes:
    """Puts an ID3v2.4 tag before an MP3 file that has no tag. In ID3, the encoding 3 is UTF-8."""
    frames = b""
    for name, value in tags.items():
        text = b"\3" + value.encode()
        frames += FRAMES[name].encode() + syncsafe(len(text)) + b"\0\0" + text
    return b"ID3\4\0\0" + syncsafe(len(frames)) + frames + data


def syncsafe(number: int) -> bytes:
    """The number as ID3 stores sizes: four bytes with seven bits each."""
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))

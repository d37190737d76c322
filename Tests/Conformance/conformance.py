#!/usr/bin/env python3
"""Decodes every file of some folders to a WAV, and compares the WAV with the WAV of `flac -d`, `oggdec`, `opusdec`,
`mpg123` or `sox`.

    conformance.py --autoharp BIN [--made] [--lossless] [DIR...]

--made adds a set of files that flac, oggenc, opusenc, lame and sox generate, so that the comparison needs no corpus.
--lossless leaves out MP3, Vorbis and Opus. The decoders of these formats compute with floats, so the samples depend on
the versions of the libraries and on the processor. The versions and the processor can differ between BIN and the
references.

A file passes if the samples are identical to the samples of the reference. It also passes if both programs reject the
file, and autoharp prints the name of the file and the reason. A file never passes if autoharp crashes or hangs. If the
reference plays a file without a message, autoharp must also play it without a message. If the reference only warns,
autoharp is allowed to report an error. If the format changes within the file, the reference stops. autoharp is then
allowed to continue, and to write each further part to a numbered WAV.
"""

from __future__ import annotations

import argparse
import array
import concurrent.futures
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, NamedTuple

TIMEOUT_S = 120
LOSSLESS = {"FLAC", "Ogg FLAC", "WAV", "AIFF"}
SUFFIXES = {".flac", ".oga", ".ogg", ".wav", ".wave", ".aif", ".aiff", ".aifc", ".mp3", ".mp2", ".opus"}


# --- WAV ----------------------------------------------------------------------------------------


class Wav(NamedTuple):
    channels: int
    rate: int
    container_bits: int
    valid_bits: int
    data: bytes

    @property
    def frame_bytes(self) -> int:
        return self.channels * self.container_bits // 8

    @property
    def frames(self) -> int:
        return len(self.data) // self.frame_bytes

    @property
    def format(self) -> str:
        return f"{self.rate}/{self.valid_bits}/{self.channels}"


def read_wav(path: Path) -> Wav | None:
    """Reads a WAV. Returns None if the file is missing or is not a valid WAV. If the data size is
    wrong, the data ends at the end of the file."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        return None
    channels = rate = block = bits = valid = 0
    at = 12
    while at + 8 <= len(content):
        kind, size = struct.unpack_from("<4sI", content, at)
        at += 8
        if kind == b"fmt ":
            tag, channels, rate, _, block, bits = struct.unpack_from("<HHIIHH", content, at)
            valid = bits
            if tag == 0xFFFE:  # WAVE_FORMAT_EXTENSIBLE
                valid = struct.unpack_from("<H", content, at + 18)[0] or bits
                tag = struct.unpack_from("<H", content, at + 24)[0]
            if tag != 1 or channels == 0 or block % channels != 0:
                return None
        elif kind == b"data":
            if block == 0:
                return None
            rest = len(content) - at
            if size > rest or (size == 0 and rest > 0):
                size = rest
            return Wav(channels, rate, block // channels * 8, valid, content[at : at + size])
        at += size + size % 2
    return None


def first_difference(a: Wav, b: Wav) -> str:
    """Describes the difference between two WAVs of the same format."""
    length = min(len(a.data), len(b.data))
    if a.data[:length] == b.data[:length]:
        return f"{b.frames} frames instead of {a.frames}"
    low, high = 0, length  # equal before `low`; the first difference is before `high`
    while high - low > 1:
        middle = (low + high) // 2
        if a.data[low:middle] == b.data[low:middle]:
            low = middle
        else:
            high = middle
    frame, byte = divmod(low, a.frame_bytes)
    text = f"first at frame {frame}, channel {byte * a.channels // a.frame_bytes}"
    if a.frames != b.frames:
        text += f"; {b.frames} frames instead of {a.frames}"
    return text


# --- Codec of a file ------------------------------------------------------------------------------


def codec_of(path: Path) -> str:
    """Detects the codec by the content, as autoharp does. If the content does not show the codec, uses the file name,
    because flac and oggdec also accept files whose start is missing."""
    with path.open("rb") as file:
        head = file.read(10)
        start = 0
        while head[:3] == b"ID3" and len(head) == 10:
            a, b, c, d = head[6:10]
            start += 10 + (a << 21 | b << 14 | c << 7 | d)
            file.seek(start)
            head = file.read(10)
        file.seek(start)
        head = file.read(27 + 255 + 8)
    if head[:4] == b"fLaC":
        return "FLAC"
    if head[:4] in (b"RIFF", b"RF64", b"BW64"):
        return "WAV"
    if head[:4] == b"FORM":
        return "AIFF"
    if path.suffix.lower() in (".mp3", ".mp2"):
        return "MPEG"
    if head[:4] == b"OggS" and len(head) > 27:
        packet = head[27 + head[26] :]
        if packet[:5] == b"\x7fFLAC":
            return "Ogg FLAC"
        if packet[:8] == b"OpusHead":
            return "Ogg Opus"
        return "Ogg Vorbis"
    return "FLAC?" if path.suffix.lower() == ".flac" else "Ogg?"


# --- The two players ------------------------------------------------------------------------------


class Played(NamedTuple):
    wav: Wav | None
    code: int
    output: str
    timed_out: bool

    @property
    def failure(self) -> str | None:
        if self.timed_out:
            return f"HANGS: not finished after {TIMEOUT_S} s"
        if self.code < 0:
            return f"CRASHES: {signal.Signals(-self.code).name}"
        if self.code > 1:
            return f"EXIT CODE {self.code}"
        return None

    @property
    def refused(self) -> bool:
        return self.failure is not None or self.code != 0 or self.wav is None


def run(command: list[str], wav: Path | None = None) -> Played:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return Played(None, 0, "", True)
    # stderr comes first, because a verdict quotes the first line that contains the name of the file. This must be an
    # error line.
    output = (done.stderr + b"\n" + done.stdout).decode("utf-8", "replace")
    return Played(read_wav(wav) if wav else None, done.returncode, output, False)


def play_reference(path: Path, codec: str, temp: Path) -> Played:
    """Decodes with the reference. In the result, `output` contains only errors and warnings."""
    if codec in ("WAV", "AIFF"):
        return play_uncompressed(path, temp)
    if codec == "MPEG":
        return play_floats(["mpg123", "-q", "-e", "f32", "-w", str(temp / "ref.wav"), str(path)], temp)
    if codec == "Ogg Opus":
        command = ["opusdec", "--quiet", "--float", "--rate", "48000"]
        return play_floats([*command, str(path), str(temp / "ref.wav")], temp)
    return play_flac(path, codec, temp) if "FLAC" in codec else play_vorbis(path, temp)


def play_uncompressed(path: Path, temp: Path) -> Played:
    wav = temp / "ref.wav"
    # With -D, sox does not add noise when it reduces the bits.
    return run(["sox", "-D", str(path), str(wav)], wav)


def play_floats(command: list[str], temp: Path) -> Played:
    """Runs mpg123 or opusdec, which decode to floats. Rounds the samples in the same way as autoharp."""
    wav = temp / "ref.wav"
    played = run(command)
    messages = [line for line in played.output.splitlines() if re.search("[Ww]arning|rror", line)]
    played = played._replace(output="\n".join(messages))
    if played.failure or played.code != 0 or not wav.exists() or wav.stat().st_size < 100:
        return played
    channels, rate = struct.unpack_from("<HI", wav.read_bytes(), 22)
    content = wav.read_bytes()
    floats = array.array("f", content[content.index(b"data") + 8 :])
    samples = array.array("h", (max(-32768, min(32767, round(s * 32768))) for s in floats))
    return played._replace(wav=Wav(channels, rate, 16, 16, samples.tobytes()))


def play_flac(path: Path, codec: str, temp: Path) -> Played:
    wav = temp / "ref.wav"
    # flac detects the container by the file name, so use a link with the right name.
    link = temp / ("in.oga" if codec == "Ogg FLAC" else "in.flac")
    link.symlink_to(path.resolve())
    container = ["--ogg"] if codec == "Ogg FLAC" else []
    played = run(["flac", "-d", "-s", "-f", *container, "-o", str(wav), str(link)], wav)
    if "no STREAMINFO" in played.output and played.wav:
        # Without STREAMINFO, flac 1.4 first writes a WAV header of 44 bytes. Later it writes a header
        # of 68 bytes over this header and the first samples. Raw output has no header and is correct.
        raw = temp / "ref.raw"
        signed = ["--force-raw-format", "--endian=little", "--sign=signed"]
        run(["flac", "-d", "-s", "-f", *container, *signed, "-o", str(raw), str(link)])
        played = played._replace(wav=played.wav._replace(data=raw.read_bytes()))
    messages = [line for line in played.output.splitlines() if re.search("WARN|ERROR", line)]
    return played._replace(output="\n".join(messages))


# For each channel of a WAV, the number of the same channel in Vorbis (Vorbis specification, section
# 4.3.9).
WAV_FROM_VORBIS = {
    3: (0, 2, 1),
    5: (0, 2, 1, 3, 4),
    6: (0, 2, 1, 5, 3, 4),
    7: (0, 2, 1, 6, 5, 3, 4),
    8: (0, 2, 1, 7, 5, 6, 3, 4),
}


def play_vorbis(path: Path, temp: Path) -> Played:
    # Decodes to raw samples and orders the channels here. The WAV of oggdec 1.4 has faults: in 5.1 the
    # order of the last three channels is wrong, 5.0 has the order of Vorbis, and 6.1 and 7.1 contain
    # uninitialized memory.
    raw = temp / "ref.raw"
    # The option --quiet is not used, because it would also suppress messages about holes.
    played = run(["oggdec", "--raw", "-o", str(raw), str(path)])
    messages = [
        line
        for line in re.split(r"[\r\n]+|\t\[ *[0-9.]+%\]", played.output)
        if re.search("WARN|ERROR|hole|not supported", line)
    ]
    content = path.read_bytes()
    start = content.find(b"\x01vorbis")
    if played.failure or played.code != 0 or start < 0 or not raw.exists():
        return played._replace(output="\n".join(messages))
    channels, rate = struct.unpack_from("<BI", content, start + 11)
    data = raw.read_bytes()
    samples = array.array("h", data[: len(data) - len(data) % (2 * channels)])
    ordered = array.array("h", samples)
    for to, source in enumerate(WAV_FROM_VORBIS.get(channels, ())):
        ordered[to::channels] = samples[source::channels]
    # oggdec reports neither gaps nor a missing end of a stream, but ogginfo does.
    info = run(["ogginfo", "-q", str(path)])
    if info.code != 0:
        messages += [line for line in info.output.splitlines() if line][-1:]
    wav = Wav(channels, rate, 16, 16, ordered.tobytes())
    return played._replace(wav=wav, output="\n".join(messages))


def play_autoharp(binary: str, path: Path, temp: Path) -> Played:
    wav = temp / "out.wav"
    return run([binary, "play", "--output", f"wav:{wav}", str(path)], wav)


# --- Verdict --------------------------------------------------------------------------------------


@dataclass
class Row:
    name: str
    codec: str
    format: str
    frames: str
    verdict: str
    passed: bool


# The messages of flac and oggdec when the format changes. A WAV has only one format.
FORMAT_CHANGES = re.compile("in frame but .* in STREAMINFO|changing parameters")


def message_of(played: Played, path: Path) -> str | None:
    """The first line of autoharp's output that contains the name of the file, shortened. Error lines come before other
    lines."""
    lines = [line.strip() for line in played.output.splitlines() if path.name in line]
    if not lines:
        return None
    text = re.sub(r"\S*" + re.escape(path.name), "…", lines[0].replace(str(path), "…"))
    return text if len(text) <= 120 else text[:119] + "…"


def judge(path: Path, ours: Played, reference: Played, more: list[Wav]) -> tuple[str, bool]:
    if ours.failure:
        return ours.failure, False
    message = message_of(ours, path) if ours.code else None

    if FORMAT_CHANGES.search(reference.output) and more:
        formats = ", ".join(wav.format for wav in more)
        return f"continues as {formats}" + (f"; {message}" if message else ""), True
    if reference.refused or FORMAT_CHANGES.search(reference.output):
        if ours.code == 0:
            last = (reference.output.splitlines() or ["no message"])[-1]
            return f"ACCEPTED, the reference refuses: {last}", False
        if message is None:
            return "REFUSED without naming the file", False
        return f"both refuse: {message}", True

    theirs = reference.wav
    assert theirs is not None
    if ours.wav is None:
        # If a file has no frames, autoharp does not have to write a WAV.
        if theirs.frames == 0 and (ours.code == 0 or message):
            return "both silent" + (f": {message}" if message else ""), True
        return f"NOTHING WRITTEN: {message or 'no message'}", False
    for what in ("channels", "rate", "container_bits"):
        a, b = getattr(theirs, what), getattr(ours.wav, what)
        if a != b:
            return f"DIFFERS: {what.replace('_', ' ')} {b} instead of {a}", False
    if theirs.data != ours.wav.data:
        return f"DIFFERS: {first_difference(theirs, ours.wav)}", False
    if more:
        return f"DIFFERS: continues in {len(more)} more WAVs", False
    if ours.code == 0:
        return "identical", True
    if message is None:
        return "identical, but FAILS without naming the file", False
    if not reference.output:
        return f"identical, but REPORTS DAMAGE: {message}", False
    return f"identical, both report damage: {message}", True


def compare(binary: str, path: Path, name: str) -> Row:
    codec = codec_of(path)
    with tempfile.TemporaryDirectory(prefix="conformance.") as folder:
        temp = Path(folder)
        reference = play_reference(path, codec, temp)
        ours = play_autoharp(binary, path, temp)
        numbered = sorted(temp.glob("out-*.wav"), key=lambda wav: int(wav.stem[4:]))
        more = [wav for wav in map(read_wav, numbered) if wav]
        verdict, passed = judge(path, ours, reference, more)
    known = (None if reference.refused else reference.wav) or ours.wav
    return Row(
        name=name,
        codec=codec,
        format=known.format if known else "-",
        frames=str(known.frames) if known else "-",
        verdict=verdict,
        passed=passed,
    )


# --- The generated set ----------------------------------------------------------------------------

# Speaker masks of WAVE_FORMAT_EXTENSIBLE: the layouts of FLAC and Vorbis for 1 to 8 channels.
MASKS = {1: 0x4, 2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F}


def made_wav(bits: int, rate: int, channels: int, frames: int, kind: str = "music") -> bytes:
    """A WAV with 4 to 32 bits per sample. All channels differ, so that swapped channels are detected.
    `kind` is "music", "noise" or "silence". The samples of "music" rise and fall irregularly, and reach
    the largest and the smallest value."""
    chance = random.Random(f"{bits}/{channels}/{kind}")
    high, low = (1 << (bits - 1)) - 1, -(1 << (bits - 1))
    size = (bits + 7) // 8
    shift = size * 8 - bits  # WAV stores a sample in the upper bits of its bytes
    offset = 128 if size == 1 else 0  # samples of one byte are unsigned
    levels, slopes = [0.0] * channels, [0.0] * channels
    data = bytearray()
    for frame in range(frames):
        for channel in range(channels):
            if kind == "silence":
                value = 0
            elif kind == "noise":
                value = chance.randint(low, high)
            else:
                slopes[channel] += chance.uniform(-1, 1) / (8 + 4 * channel)
                slopes[channel] -= levels[channel] * 0.004
                slopes[channel] *= 0.995
                levels[channel] += slopes[channel]
                value = int(levels[channel] / 30 * high) + chance.randint(-1, 1)
                if frame % 5000 == 4000 + channel:
                    value = high if frame % 10000 < 5000 else low
                value = max(low, min(high, value))
            data += ((value << shift) + offset).to_bytes(size, "little", signed=offset == 0)
    pcm = bytes.fromhex("0100000000001000800000aa00389b71")
    block = channels * size
    form = struct.pack("<HHIIHH", 0xFFFE, channels, rate, rate * block, block, size * 8)
    form += struct.pack("<HHI", 22, bits, MASKS[channels]) + pcm
    data_size = len(data)
    data += b"\0" * (data_size % 2)
    body = b"WAVE" + struct.pack("<4sI", b"fmt ", len(form)) + form
    body += struct.pack("<4sI", b"data", data_size) + data
    return struct.pack("<4sI", b"RIFF", len(body)) + body


class Maker:
    """Fills a folder with files. `source` writes a WAV, from which the next files are encoded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wav = folder / "source.wav"

    def source(
        self,
        bits: int = 16,
        rate: int = 44100,
        channels: int = 2,
        frames: int = 20011,  # odd, so this is not a multiple of a block size
        kind: str = "music",
    ) -> None:
        self.wav.write_bytes(made_wav(bits, rate, channels, frames, kind))

    def tool(self, *command: str) -> None:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr.decode('utf-8', 'replace')}")

    def flac(self, name: str, *options: str) -> Path:
        path = self.folder / name
        self.tool("flac", "-s", "-f", "--lax", *options, "-o", str(path), str(self.wav))
        return path

    def vorbis(self, name: str, *options: str) -> Path:
        path = self.folder / name
        self.tool("oggenc", "-Q", "--serial", "1", *options, "-o", str(path), str(self.wav))
        return path

    def opus(self, name: str, *options: str) -> Path:
        path = self.folder / name
        self.tool("opusenc", "--quiet", "--serial", "1", *options, str(self.wav), str(path))
        return path

    def mpeg(self, name: str, *options: str) -> Path:
        path = self.folder / name
        self.tool("twolame" if name.endswith(".mp2") else "lame", "--quiet", *options,
                  str(self.wav), str(path))
        return path

    def sox(self, name: str, *options: str) -> Path:
        path = self.folder / name
        self.tool("sox", "-D", str(self.wav), *options, str(path))
        return path

    def write(self, name: str, *parts: bytes) -> None:
        (self.folder / name).write_bytes(b"".join(parts))


def make_flac_set(make: Maker) -> None:
    for bits in (4, 8, 12, 16, 20, 24, 32):
        make.source(bits=bits)
        make.flac(f"flac {bits:02} bits.flac")
    for rate in (1, 8000, 44101, 96000, 192000, 655350):
        make.source(bits=24 if rate >= 96000 else 16, rate=rate)
        make.flac(f"flac {rate} Hz.flac")
    for channels in range(1, 9):
        make.source(channels=channels)
        make.flac(f"flac {channels} channels.flac")
        make.flac(f"ogg flac {channels} channels.oga", "--ogg")
    make.source(kind="noise")
    make.flac("flac noise, verbatim.flac", "-0")
    make.source(kind="silence")
    make.flac("flac silence, constant.flac")

    make.source()
    make.flac("flac largest blocks.flac", "-b", "65535", "-l", "32")
    make.flac("flac smallest blocks.flac", "-b", "16", "-l", "4")
    make.flac("flac no seek table.flac", "--no-seektable", "--no-padding")
    make.flac("flac fast.flac", "-0")
    whole = make.flac("flac best.flac", "-8", "-e", "-p").read_bytes()
    ogg = make.flac("ogg flac.oga", "--ogg").read_bytes()

    # If flac reads from a pipe and writes to a pipe, it can store neither the length nor the checksum.
    piped = subprocess.run(
        ["flac", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed"]
        + ["--channels=2", "--bps=16", "--sample-rate=44100", "-"],
        input=make.wav.read_bytes()[68:],
        capture_output=True,
        check=True,
    ).stdout
    make.write("flac unknown length.flac", piped)

    id3v2 = b"ID3\x04\0\0" + bytes([0, 0, 8, 0]) + bytes(1024)
    make.write("flac behind ID3v2.flac", id3v2, whole)
    make.write("flac with a wrong name.ogg", whole)
    make.write("ogg flac with a wrong name.flac", ogg)

    make.write("broken flac, truncated.flac", whole[: len(whole) * 2 // 3])
    make.write("broken flac, unknown length, truncated.flac", piped[: len(piped) * 2 // 3])
    make.write("broken flac, only the marker.flac", whole[:4])
    make.write("broken flac, only STREAMINFO.flac", whole[:42])
    half = len(whole) // 2
    make.write("broken flac, zeros inside.flac", whole[:half], bytes(3000), whole[half + 3000 :])
    make.write("broken flac, a piece missing.flac", whole[:half], whole[half + 9000 :])
    make.write("broken ogg flac, truncated.oga", ogg[: len(ogg) // 2])


def make_vorbis_set(make: Maker) -> None:
    for channels in range(1, 9):
        make.source(channels=channels)
        make.vorbis(f"vorbis {channels} channels.ogg", "-q", "4")
    for rate in (8000, 22050, 48000, 96000):
        make.source(rate=rate)
        make.vorbis(f"vorbis {rate} Hz.ogg")
    make.source()
    for quality in (-1, 1, 6, 10):
        make.vorbis(f"vorbis quality {quality}.ogg", "-q", str(quality))
    make.source(kind="noise")
    noise = make.vorbis("vorbis noise.ogg", "--serial", "2").read_bytes()
    make.source(kind="silence")
    make.vorbis("vorbis silence.ogg")

    make.source()
    short = make.vorbis("vorbis.ogg").read_bytes()
    make.write("vorbis chained, one format.ogg", short, noise)
    make.source(channels=1, rate=48000)
    mono = make.vorbis("vorbis mono.ogg", "--serial", "3").read_bytes()
    make.write("vorbis chained, two formats.ogg", short, mono)

    # This file has several pages, so that parts of it can be played if one page is damaged.
    make.source(kind="noise", frames=100003)
    whole = make.vorbis("vorbis, many pages.ogg").read_bytes()
    make.write("vorbis with a wrong name.flac", whole)
    make.write("broken vorbis, truncated.ogg", whole[: len(whole) * 2 // 3])
    make.write("broken vorbis, only the first page.ogg", whole[:58])
    half = len(whole) // 2
    damaged = bytes(byte ^ 0x55 for byte in whole[half : half + 100])
    make.write("broken vorbis, a damaged page.ogg", whole[:half], damaged, whole[half + 100 :])
    make.write("broken vorbis, zeros inside.ogg", whole[:half], bytes(9000), whole[half + 9000 :])


def make_uncompressed_set(make: Maker) -> None:
    for bits in (8, 16, 24, 32):
        make.source(bits=bits)
        for suffix in ("wav", "aiff", "aifc"):
            make.sox(f"{suffix} {bits} bits.{suffix}")
    for channels in (1, 3, 4, 5, 6, 8):
        make.source(channels=channels)
        make.sox(f"wav {channels} channels.wav")
    for rate in (8000, 11025, 48000, 192000):
        make.source(rate=rate)
        make.sox(f"aiff {rate} Hz.aiff")
    make.source()
    whole = make.sox("wav.wav").read_bytes()
    make.write("wav with a wrong name.flac", whole)
    make.write("wav of unknown length.wav", whole[:40], b"\xff\xff\xff\xff", whole[44:])
    for encoding in ("ms-adpcm", "a-law", "mu-law"):
        make.sox(f"wav that is {encoding}.wav", "-e", encoding)


def make_mpeg_set(make: Maker) -> None:
    make.source(kind="music", frames=60011)
    for rate in (64, 128, 320):
        make.mpeg(f"mp3 {rate} kbit.mp3", "-b", str(rate))
    for quality in (0, 4, 9):
        make.mpeg(f"mp3 quality {quality}.mp3", "-V", str(quality))
    make.mpeg("mp3 average rate.mp3", "--abr", "150")
    make.mpeg("mp3 mono.mp3", "-m", "m")
    make.mpeg("mp3 with checksums.mp3", "-p")
    plain = make.mpeg("mp3 without information.mp3", "-t", "-V", "4").read_bytes()
    make.mpeg("mp2.mp2", "-b", "192")
    tags = ("--tt", "Title", "--ta", "Artist", "--add-id3v2", "--pad-id3v2-size", "50000")
    make.mpeg("mp3 with tags.mp3", *tags)
    for rate in (8, 11.025, 12, 16, 22.05, 24, 32, 48):
        make.mpeg(f"mp3 {rate} kHz.mp3", "--resample", str(rate))
    make.write("mp3 after zeros.mp3", bytes(3000), plain)


def make_opus_set(make: Maker) -> None:
    for channels in (1, 2, 3, 5, 6, 8):
        make.source(rate=48000, channels=channels)
        make.opus(f"opus {channels} channels.opus")
    for rate in (8000, 16000, 44100, 96000):
        make.source(rate=rate)
        make.opus(f"opus {rate} Hz.opus")
    make.source(rate=48000)
    for rate in (6, 32, 128, 400):
        make.opus(f"opus {rate} kbit.opus", "--bitrate", str(rate))
    for size in ("2.5", "5", "10", "40", "60"):
        make.opus(f"opus with packets of {size} ms.opus", "--framesize", size)
    whole = make.opus("opus.opus").read_bytes()
    make.source(rate=48000, kind="noise")
    make.tool("opusenc", "--quiet", "--serial", "2", str(make.wav), str(make.folder / "noise.opus"))
    noise = (make.folder / "noise.opus").read_bytes()
    make.write("opus chained.opus", whole, noise)
    make.write("opus with a wrong name.flac", whole)


def make_set(folder: Path) -> None:
    make = Maker(folder)
    make_flac_set(make)
    make_vorbis_set(make)
    make_uncompressed_set(make)
    make_mpeg_set(make)
    make_opus_set(make)
    make.write("not music, text.flac", b"The engine was still warm.\n" * 40)
    make.write("not music, text.ogg", b"The engine was still warm.\n" * 40)
    make.write("not music, empty.flac")
    make.write("not music, empty.ogg")
    make.wav.unlink()


# --- Table ----------------------------------------------------------------------------------------


def files_of(folder: Path) -> Iterator[tuple[Path, str]]:
    if folder.is_file():
        yield folder, folder.name
        return
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in SUFFIXES:
            yield path, str(path.relative_to(folder))


def print_table(binary: str, folder: Path, heading: str, lossless: bool) -> tuple[int, int]:
    files = [file for file in files_of(folder) if not lossless or codec_of(file[0]) in LOSSLESS]
    print(f"\n{heading}: {len(files)} files")
    if not files:
        print("no files to compare")
        return 0, 1
    width = max(len(name) for _, name in files)
    print(f"{'file':{width}}  {'codec':10}  {'rate/bits/ch':>12}  {'frames':>9}  verdict")
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row in pool.map(lambda file: compare(binary, *file), files):
            passed += row.passed
            facts = f"{row.codec:10}  {row.format:>12}  {row.frames:>9}"
            print(f"{row.name:{width}}  {facts}  {row.verdict}", flush=True)
    return passed, len(files) - passed


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares autoharp with flac -d and oggdec.")
    parser.add_argument("--autoharp", required=True, metavar="BIN")
    parser.add_argument("--made", action="store_true", help="also compare a generated set of files")
    parser.add_argument("--lossless", action="store_true", help="compare only FLAC, WAV and AIFF")
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    options = parser.parse_args()
    if not options.made and not options.folders:
        parser.error("give a DIR or --made")
    binary = shutil.which(options.autoharp)
    if binary is None:
        parser.error(f"cannot run {options.autoharp}")
    binary = os.path.abspath(binary)
    for folder in options.folders:
        if not folder.exists():
            parser.error(f"{folder} does not exist")

    passed = failed = 0
    if options.made:
        with tempfile.TemporaryDirectory(prefix="conformance.") as temp:
            make_set(Path(temp))
            passed, failed = print_table(binary, Path(temp), "generated files", options.lossless)
    for folder in options.folders:
        more_passed, more_failed = print_table(binary, folder, str(folder), options.lossless)
        passed, failed = passed + more_passed, failed + more_failed
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

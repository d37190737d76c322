"""The music for the benchmarks of decoding and playback."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from report import log


class Music(NamedTuple):
    """The same music in each format."""

    flac: Path
    vorbis: Path
    mp3: Path
    opus: Path


def make_audio(folder: Path, seconds: int) -> Music:
    """Makes audio that compresses like music: tones with a changing pitch, a loudness that rises and
    falls, and noise."""
    wav = folder / "in.wav"
    music = Music(*(folder / f"in.{suffix}" for suffix in ("flac", "ogg", "mp3", "opus")))
    log(f"making {seconds} s of 44.1 kHz stereo")
    command = ["sox", "-R", "-V1", "-n", "-r", "44100", "-b", "16", "-c", "2", str(wav)]
    command += ["synth", str(seconds), "brownnoise", "pinknoise"]
    command += ["synth", str(seconds), "sine", "mix", "110-880", "sine", "mix", "165-660"]
    command += ["synth", str(seconds), "triangle", "mix", "220", "sawtooth", "mix", "277"]
    command += ["tremolo", "2.1", "70", "gain", "-n", "-6"]
    subprocess.run(command, check=True)
    subprocess.run(["flac", "-s", "-5", "-o", str(music.flac), str(wav)], check=True)
    subprocess.run(["oggenc", "-Q", "-q", "5", "-o", str(music.vorbis), str(wav)], check=True)
    subprocess.run(["lame", "--quiet", "-V", "2", str(wav), str(music.mp3)], check=True)
    subprocess.run(["opusenc", "--quiet", "--bitrate", "128", str(wav), str(music.opus)], check=True)
    size = wav.stat().st_size
    for file in music:
        log(f"  {file.name}: {100 * file.stat().st_size / size:.0f} % of the WAV")
    wav.unlink()
    return music


def scratch_folder(needed: int) -> str | None:
    """A folder in memory, because a disk would affect the results. None if memory has no room for
    `needed` bytes."""
    shm = "/dev/shm"
    if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > needed:
        return shm
    log("/dev/shm is too small; writing to the temporary folder instead")
    return None

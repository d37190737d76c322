"""The sound of the demo collection: short pieces for plucked strings. Several songs share a piece."""

from __future__ import annotations

import math
import subprocess
import tempfile
from pathlib import Path
from random import Random

# The shortest length of a piece, in seconds.
SECONDS = 20
# How many pieces there are in each format.
COUNTS = {".mp3": 18, ".flac": 6, ".ogg": 6}
# The notes of each scale, in semitones above the first note of the scale.
SCALES = [(0, 2, 4, 7, 9), (0, 3, 5, 7, 10), (0, 2, 3, 5, 7, 9, 10), (0, 2, 4, 5, 7, 9, 11)]
ENCODERS = {
    ".mp3": ["lame", "--quiet", "-V", "5"],
    ".flac": ["flac", "--silent", "-f", "-o"],
    ".ogg": ["oggenc", "--quiet", "--quality", "4", "-o"],
}


def names() -> list[str]:
    return [f"{number:02}{kind}" for kind, count in COUNTS.items() for number in range(count)]


def make(path: Path) -> None:
    """Makes a piece. The same name of the file always gives the same piece."""
    random = Random(path.name)
    key, scale = random.randint(-14, -4), random.choice(SCALES)
    step = random.choice([0.16, 0.2, 0.24, 0.3, 0.36])
    with tempfile.TemporaryDirectory(dir=path.parent) as scrap:
        folder = Path(scrap)
        for name in ("a", "b"):
            phrase(folder / f"{name}.wav", random, key, scale, step)
        # Phrase a is played more often than phrase b. Each phrase takes 16 steps.
        phrases = "aabaabab"[:math.ceil(SECONDS / (16 * step))]
        seconds = 16 * step * len(phrases)
        sox(*[folder / f"{name}.wav" for name in phrases], folder / "tune.wav")
        chord = [f"triangle %{key + note}" for note in (0, scale[len(scale) // 2], 12)]
        sox("-n", "-r", 44100, "-b", 16, folder / "chord.wav", "synth", seconds, *" ".join(chord).split(),
            "remix", "1,2", "2,3", "lowpass", 600, "tremolo", 0.3, 30, "norm", -16)
        sox("-m", folder / "tune.wav", folder / "chord.wav", "-b", 16, folder / "piece.wav", "gain", -4,
            "reverb", 35, 40, 70, "gain", "-n", -2, "fade", "t", 0, "-0", 2)
        made = folder / path.name
        encode = ENCODERS[path.suffix]
        pair = [made, folder / "piece.wav"] if encode[-1] == "-o" else [folder / "piece.wav", made]
        subprocess.run([*encode, *pair], check=True)
        made.rename(path)


def phrase(path: Path, random: Random, key: int, scale: tuple[int, ...], step: float) -> None:
    """Makes a phrase of 16 steps: a bass note on each fourth step, and a melody with small
    intervals."""
    strings, delays, place = [], [], random.randrange(len(scale))
    for beat in range(16):
        if beat % 4 == 0:
            strings += ["pluck", f"%{key - 12 + scale[random.choice([0, 0, 2, -1])]}"]
            delays.append(f"{beat * step:.3f}")
        if random.random() < 0.75:
            place = max(0, min(2 * len(scale) - 1, place + random.choice([-2, -1, -1, 0, 1, 1, 2])))
            octave, degree = divmod(place, len(scale))
            strings += ["pluck", f"%{key + 12 * octave + scale[degree]}"]
            delays.append(f"{beat * step:.3f}")
    numbers = range(1, len(delays) + 1)
    # Each string has its own position between left and right.
    left = ",".join(f"{number}v0.{number * 3 % 7 + 2}" for number in numbers)
    right = ",".join(f"{number}v0.{8 - number * 3 % 7}" for number in numbers)
    sox("-n", "-r", 44100, "-b", 16, path, "synth", 16 * step, *strings, "delay", *delays, "remix", left, right,
        "trim", 0, 16 * step, "norm", -6)


def sox(*arguments: object) -> None:
    """With -R, sox uses the same pseudo-random numbers in each run."""
    subprocess.run(["sox", "-R", "-V1", *map(str, arguments)], check=True)

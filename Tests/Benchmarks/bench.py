#!/usr/bin/env python3
"""Measures autoharp beside flac, oggdec and a plain C loop; a table of what it is, no pass or fail.

    bench.py --autoharp BIN [--seconds 480] [--runs 7] [--markdown FILE]

The programs of one comparison take turns (A B C A B C ...), so that a machine that slows down
slows all of them; each number is the median of the runs. CPU is user + system time. --markdown
writes the table into FILE, between its two "benchmark table" comments if it has them.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
LIBRARIES = ("flac", "vorbisfile")
STARTS = 50
BEGIN, END = "<!-- benchmark table: begin -->", "<!-- benchmark table: end -->"


# --- Measuring ------------------------------------------------------------------------------------


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


@dataclass
class Run:
    cpu_s: float
    wall_s: float


def start(command: list[str]) -> int:
    """posix_spawn, because forking a Python costs more than some of what is measured."""
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    return os.posix_spawnp(command[0], command, os.environ, file_actions=quiet)


def measure(command: list[str]) -> Run:
    begin = time.perf_counter()
    pid = start(command)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"failed, exit code {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return Run(usage.ru_utime + usage.ru_stime, wall)


def peak_memory_mb(command: list[str]) -> float:
    """The high-water mark that the kernel keeps, read until the program is gone. (ru_maxrss is no
    use: a program that Python starts inherits the peak of Python.)"""
    pid = start(command)
    peak_kb = 0
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        status = Path(f"/proc/{pid}/status").read_text()
        if mark := re.search(r"VmHWM:\s*(\d+)", status):
            peak_kb = max(peak_kb, int(mark[1]))
        time.sleep(0.002)
    return peak_kb / 1024


def take_turns(programs: dict[str, list[str]], runs: int, clean: list[Path]) -> dict[str, float]:
    """Median CPU seconds by name. `clean` is what the programs write."""
    results: dict[str, list[Run]] = {name: [] for name in programs}
    for number in range(runs + 1):
        for name, command in programs.items():
            run = measure(command)
            for path in clean:
                path.unlink(missing_ok=True)
            if number == 0:  # brings files and programs into memory
                continue
            results[name].append(run)
            say(f"  {number}/{runs} {name:24} {run.cpu_s:7.3f} s CPU {run.wall_s:7.3f} s")
    return {name: median(run.cpu_s for run in of) for name, of in results.items()}


# --- What is measured -----------------------------------------------------------------------------


@dataclass
class Line:
    what: str
    ours: str
    other: str
    ratio: str
    aim: str


def compared(what: str, ours_s: float, other: str, other_s: float, aim: str) -> Line:
    return Line(
        what, f"{ours_s:.3f} s", f"{other}: {other_s:.3f} s", f"{ours_s / other_s:.2f}", aim
    )


def make_audio(folder: Path, seconds: int) -> tuple[Path, Path]:
    """Something that compresses like music: moving tones and beats over a floor of noise."""
    wav, flac, ogg = folder / "in.wav", folder / "in.flac", folder / "in.ogg"
    say(f"making {seconds} s of 44.1 kHz stereo")
    command = ["sox", "-R", "-V1", "-n", "-r", "44100", "-b", "16", "-c", "2", str(wav)]
    command += ["synth", str(seconds), "brownnoise", "pinknoise"]
    command += ["synth", str(seconds), "sine", "mix", "110-880", "sine", "mix", "165-660"]
    command += ["synth", str(seconds), "triangle", "mix", "220", "sawtooth", "mix", "277"]
    command += ["tremolo", "2.1", "70", "gain", "-n", "-6"]
    subprocess.run(command, check=True)
    subprocess.run(["flac", "-s", "-5", "-o", str(flac), str(wav)], check=True)
    subprocess.run(["oggenc", "-Q", "-q", "5", "-o", str(ogg), str(wav)], check=True)
    size = wav.stat().st_size
    for file in (flac, ogg):
        say(f"  {file.name}: {100 * file.stat().st_size / size:.0f} % of the WAV")
    wav.unlink()
    return flac, ogg


def build_loop(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        sys.exit("there is no C compiler for decode_loop.c")
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "flac", "vorbisfile"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    loop = folder / "decode_loop"
    source = str(HERE / "decode_loop.c")
    subprocess.run([compiler, "-O2", "-o", str(loop), source, *flags], check=True)
    return loop


def measure_all(autoharp: str, folder: Path, seconds: int, runs: int) -> list[Line]:
    loop = str(build_loop(folder))
    flac, ogg = make_audio(folder, seconds)
    out = folder / "out.wav"
    lines = []

    def play(file: Path) -> list[str]:
        return [autoharp, "play", "--output", f"wav:{out}", str(file)]

    say("decoding FLAC")
    cpu = take_turns(
        {
            "autoharp play": play(flac),
            "flac -d": ["flac", "-d", "-s", "-f", "-o", str(out), str(flac)],
            "C loop": [loop, "flac", str(flac), str(out)],
        },
        runs,
        [out],
    )
    ours = cpu["autoharp play"]
    lines.append(compared("FLAC to WAV, CPU", ours, "flac -d", cpu["flac -d"], "≤ 0.8"))
    lines.append(compared("FLAC to WAV, CPU", ours, "C loop", cpu["C loop"], "≤ 1.15"))

    say("decoding Ogg Vorbis")
    cpu = take_turns(
        {
            "autoharp play": play(ogg),
            "oggdec": ["oggdec", "-Q", "-o", str(out), str(ogg)],
            "C loop": [loop, "vorbis", str(ogg), str(out)],
        },
        runs,
        [out],
    )
    ours = cpu["autoharp play"]
    lines.append(compared("Vorbis to WAV, CPU", ours, "oggdec", cpu["oggdec"], "≤ 1.05"))
    lines.append(compared("Vorbis to WAV, CPU", ours, "C loop", cpu["C loop"], "≤ 1.15"))

    say("verifying FLAC")
    cpu = take_turns(
        {
            "autoharp probe --verify": [autoharp, "probe", "--verify", str(flac)],
            "flac -t": ["flac", "-t", "-s", str(flac)],
        },
        runs,
        [],
    )
    ours = cpu["autoharp probe --verify"]
    lines.append(compared("FLAC verified, CPU", ours, "flac -t", cpu["flac -t"], "≤ 1.0"))

    say("memory")
    for name, file in (("FLAC", flac), ("Vorbis", ogg)):
        peaks = []
        for number in range(1, runs + 1):
            peaks.append(peak_memory_mb(play(file)))
            out.unlink(missing_ok=True)
            say(f"  {number}/{runs} {name:24} {peaks[-1]:7.1f} MB")
        peak = f"{median(peaks):.1f} MB"
        lines.append(Line(f"{name} to WAV, peak RSS", peak, "", "", "≤ 12 MB"))

    say(f"start, {STARTS} times")
    walls: dict[str, list[float]] = {"autoharp": [], "true": []}
    for _ in range(STARTS):
        walls["autoharp"].append(measure([autoharp, "--version"]).wall_s * 1000)
        walls["true"].append(measure(["true"]).wall_s * 1000)
    lines.append(
        Line(
            "Start, --version, wall",
            f"{median(walls['autoharp']):.1f} ms",
            f"true: {median(walls['true']):.1f} ms",
            "",
            "≤ 5 ms",
        )
    )
    return lines


# --- Telling --------------------------------------------------------------------------------------


def words_of(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() or done.stderr.strip()


def machine(swift: str) -> list[tuple[str, str]]:
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    library = [f"{name} {words_of('pkg-config', '--modversion', name)}" for name in LIBRARIES]
    version = re.search(r"Swift version (\S+)", words_of(swift, "--version"))
    facts = [
        ("CPU", f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores"),
        ("System", f"{system[1] if system else 'Linux'}, kernel {platform.release()}"),
        ("Reference", f"{words_of('flac', '--version')}; {words_of('oggdec', '--version')}"),
        ("Libraries", ", ".join(library)),
        ("Swift", version[1] if version else "unknown"),
        ("Date", datetime.date.today().isoformat()),
    ]
    return facts


HEADINGS = Line("What", "autoharp", "Beside", "Ratio", "Aim")


def cells(line: Line) -> list[str]:
    return [line.what, line.ours, line.other, line.ratio, line.aim]


def plain(lines: list[Line]) -> str:
    rows = [cells(HEADINGS)] + [cells(line) for line in lines]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )


def markdown(lines: list[Line], facts: list[tuple[str, str]], seconds: int, runs: int) -> str:
    rows = [cells(HEADINGS), ["---", "--:", "---", "--:", "--:"]] + [cells(line) for line in lines]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    about = "\n".join(f"- {name}: {value}" for name, value in facts)
    method = (
        f"Medians of {runs} runs that take turns, on {seconds} s of 44.1 kHz 16-bit stereo "
        f"(flac -5, oggenc -q 5), written to memory. CPU is user + system time. The C loop is "
        f"`Tests/Benchmarks/decode_loop.c`. Start is the median of {STARTS}."
    )
    return f"{table}\n\n{method}\n\n{about}\n"


def write_markdown(path: Path, section: str) -> None:
    block = f"{BEGIN}\n{section}{END}"
    text = path.read_text() if path.exists() else f"# Benchmarks\n\n{BEGIN}\n{END}\n"
    if BEGIN in text and END in text:
        before, rest = text.split(BEGIN, 1)
        text = before + block + rest.split(END, 1)[1]
    else:
        text = text.rstrip() + f"\n\n{block}\n"
    path.write_text(text)


def scratch_folder(seconds: int) -> str | None:
    """Memory if there is room for the WAVs: a disk would be measured too."""
    needed = 4 * seconds * 44100 * 4
    shm = "/dev/shm"
    if os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > needed:
        return shm
    say("/dev/shm is too small; writing to the temporary folder instead")
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description="measure autoharp beside flac and oggdec")
    parser.add_argument("--autoharp", required=True, metavar="BIN")
    parser.add_argument("--seconds", type=int, default=480, help="of test audio (480)")
    parser.add_argument("--runs", type=int, default=7, help="per program (7)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there too")
    parser.add_argument("--swift", default=os.environ.get("SWIFT", "swift"), metavar="BIN")
    options = parser.parse_args()
    binary = shutil.which(options.autoharp)
    if binary is None:
        parser.error(f"cannot run {options.autoharp}")

    room = scratch_folder(options.seconds)
    with tempfile.TemporaryDirectory(prefix="autoharp-bench.", dir=room) as folder:
        lines = measure_all(os.path.abspath(binary), Path(folder), options.seconds, options.runs)
    facts = machine(options.swift)
    print("\n".join(f"{name:10} {value}" for name, value in facts) + "\n")
    print(plain(lines))
    if options.markdown:
        section = markdown(lines, facts, options.seconds, options.runs)
        write_markdown(options.markdown, section)
        say(f"written to {options.markdown}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares decoding with flac, oggdec, mpg123, opusdec and a C loop, and playback with mpd and mpv.

    bench.py --autoharp BIN [--only decoding|playing] [--quick] [--markdown FILE]

Prints tables of figures, and does not judge the figures. The programs of one comparison take turns
(A B C A B C ...), so if the machine slows down, this affects all of them equally. CPU is user +
system time. For decoding, each number is the median of the runs. playing.py describes the numbers
for playback. --markdown writes the tables into the sections "decoding" and "playing" of FILE.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import playing
import report
from music import make_audio, scratch_folder
from report import log

HERE = Path(__file__).resolve().parent
LIBRARIES = ("flac", "vorbisfile", "libmpg123", "opusfile", "opus")
STARTS = 50


# --- Measuring ------------------------------------------------------------------------------------


@dataclass
class Run:
    cpu_s: float
    wall_s: float


def start(command: list[str]) -> int:
    """Starts a program with posix_spawn. A fork of Python would need more CPU time than some of the
    measured programs."""
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
    """Peak memory (VmHWM), read from /proc until the program ends. ru_maxrss cannot be used, because a
    program that Python starts inherits Python's peak."""
    pid = start(command)
    peak_kb = 0
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        status = Path(f"/proc/{pid}/status").read_text()
        if mark := re.search(r"VmHWM:\s*(\d+)", status):
            peak_kb = max(peak_kb, int(mark[1]))
        time.sleep(0.002)
    return peak_kb / 1024


def run_in_turns(programs: dict[str, list[str]], runs: int, clean: list[Path]) -> dict[str, float]:
    """Returns the median CPU time of each program in seconds, keyed by its name. `clean` lists the
    files that the programs write; they are removed after each run."""
    results: dict[str, list[Run]] = {name: [] for name in programs}
    for number in range(runs + 1):
        for name, command in programs.items():
            run = measure(command)
            for path in clean:
                path.unlink(missing_ok=True)
            if number == 0:  # this run loads files and programs into the page cache, and is not counted
                continue
            results[name].append(run)
            log(f"  {number}/{runs} {name:24} {run.cpu_s:7.3f} s CPU {run.wall_s:7.3f} s")
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


def build_loop(folder: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        sys.exit("no C compiler found for decode_loop.c")
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
    music = make_audio(folder, seconds)
    flac, ogg = music.flac, music.vorbis
    out = folder / "out.wav"
    verify_command = [autoharp, "probe", "--verify"]
    lines = []

    def play(file: Path) -> list[str]:
        return [autoharp, "play", "--output", f"wav:{out}", str(file)]

    log("decoding FLAC")
    cpu = run_in_turns(
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

    log("decoding Ogg Vorbis")
    cpu = run_in_turns(
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

    log("verifying FLAC")
    cpu = run_in_turns(
        {
            "autoharp probe --verify": [*verify_command, str(flac)],
            "flac -t": ["flac", "-t", "-s", str(flac)],
        },
        runs,
        [],
    )
    ours = cpu["autoharp probe --verify"]
    lines.append(compared("FLAC verified, CPU", ours, "flac -t", cpu["flac -t"], "≤ 1.0"))

    # mpg123 -t decodes without an output. opusdec has no such option, so it writes to /dev/null.
    for name, file, other, reference in (
        ("MP3", music.mp3, "mpg123 -t", ["mpg123", "-q", "-t", str(music.mp3)]),
        ("Opus", music.opus, "opusdec", ["opusdec", "--quiet", str(music.opus), "/dev/null"]),
    ):
        log(f"decoding {name}")
        verify = "autoharp probe --verify"
        cpu = run_in_turns({verify: [*verify_command, str(file)], other: reference}, runs, [])
        lines.append(compared(f"{name} without output, CPU", cpu[verify], other, cpu[other], "≤ 1.05"))

    log("memory")
    for name, file in (("FLAC", flac), ("Vorbis", ogg), ("MP3", music.mp3), ("Opus", music.opus)):
        peaks = []
        for number in range(1, runs + 1):
            peaks.append(peak_memory_mb(play(file)))
            out.unlink(missing_ok=True)
            log(f"  {number}/{runs} {name:24} {peaks[-1]:7.1f} MB")
        peak = f"{median(peaks):.1f} MB"
        lines.append(Line(f"{name} to WAV, peak RSS", peak, "", "", "≤ 12 MB"))

    log(f"start, {STARTS} times")
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


# --- Report ---------------------------------------------------------------------------------------


def version_of(program: str) -> str:
    return report.output_of(program, "--version").splitlines()[0]


def facts_of(swift: str) -> report.Facts:
    output_of = report.output_of
    library = [f"{name} {output_of('pkg-config', '--modversion', name)}" for name in LIBRARIES]
    version = re.search(r"Swift version (\S+)", output_of(swift, "--version"))
    return [
        *report.machine(),
        ("Reference", "; ".join(map(version_of, ("flac", "oggdec", "mpg123", "opusdec")))),
        ("Libraries", ", ".join(library)),
        ("Swift", version[1] if version else "unknown"),
        *report.today(),
    ]


def rows_of(lines: list[Line]) -> report.Rows:
    head = ["What", "autoharp", "Compared with", "Ratio", "Aim"]
    return [head] + [[line.what, line.ours, line.other, line.ratio, line.aim] for line in lines]


def markdown(rows: report.Rows, facts: report.Facts, seconds: int, runs: int) -> str:
    method = (
        f"All values are medians of {runs} runs; the programs take turns. Each run decodes {seconds} s "
        f"of 44.1 kHz 16-bit stereo (flac -5,\noggenc -q 5, lame -V 2, opusenc --bitrate 128) and writes "
        f"to memory, except for *verified* and *without output*. CPU is\nuser + system time. The C loop "
        f"is `Tests/Benchmarks/decode_loop.c`. The start time is the median of {STARTS} starts."
    )
    return f"{report.table(rows, left=(0, 2))}\n\n{method}\n\n{report.bullets(facts)}"


def decoding(options: argparse.Namespace, autoharp: str) -> None:
    room = scratch_folder(4 * options.seconds * 44100 * 4)
    with tempfile.TemporaryDirectory(prefix="autoharp-bench.", dir=room) as folder:
        lines = measure_all(autoharp, Path(folder), options.seconds, options.runs)
    facts, rows = facts_of(options.swift), rows_of(lines)
    print(f"{report.lines_of(facts)}\n\n{report.plain(rows)}\n", flush=True)
    if options.markdown:
        text = markdown(rows, facts, options.seconds, options.runs)
        report.write_section(options.markdown, "decoding", text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Compares autoharp with flac, oggdec, mpg123, opusdec, mpd and mpv."
    )
    parser.add_argument("--autoharp", required=True, metavar="BIN")
    parser.add_argument("--only", choices=["decoding", "playing"], help="run only this part")
    parser.add_argument("--seconds", type=int, help="seconds of audio to decode (default: 480)")
    parser.add_argument("--runs", type=int, help="runs of each decoder (default: 7)")
    parser.add_argument("--playing", type=int, metavar="S", help="seconds for each file and player (default: 60)")
    parser.add_argument("--quick", action="store_true", help="a short trial: 60 s, 2 runs, 5 s")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables into FILE")
    parser.add_argument("--swift", default=os.environ.get("SWIFT", "swift"), metavar="BIN")
    options = parser.parse_args()
    usual = (60, 2, 5) if options.quick else (480, 7, 60)
    options.seconds, options.runs, options.playing = (
        usual[index] if given is None else given
        for index, given in enumerate((options.seconds, options.runs, options.playing))
    )
    if min(options.seconds, options.runs, options.playing) < 1:
        parser.error("--seconds, --runs and --playing must be at least 1")
    binary = shutil.which(options.autoharp)
    if binary is None:
        parser.error(f"cannot run {options.autoharp}")
    binary = os.path.abspath(binary)
    if options.only != "playing":
        decoding(options, binary)
    if options.only != "decoding":
        playing.run(binary, options.playing, options.markdown)


if __name__ == "__main__":
    main()

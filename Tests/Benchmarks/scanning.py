#!/usr/bin/env python3
"""Measures the scans of a music collection by autoharp-library and by mpd.

    scanning.py --library BIN [--files 10000] [--collection FOLDER] [--rounds 3] [--markdown FILE]

Both programs scan the same collection (collection.py), in turns. In each round, a program first scans without a
database, and then scans again without a change of the files. Then the caches of the kernel are emptied (only as root),
and the program scans once more without a database. This scan shows how many bytes the medium must deliver. A round ends
with scans of a collection with names and folders that are hard to read.

CPU is the time of the whole process from its start, because mpd scans when it starts. For the scan without a change,
the CPU of mpd is the CPU of the command `update`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import collection
import report
from report import log

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


@dataclass
class Scan:
    """The cost of one scan."""

    cpu_s: float
    wall_s: float
    read_kb: int = 0
    written_kb: int = 0
    peak_kb: int = 0


def io_of(pid: int) -> dict[str, int]:
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return {name: int(value) for name, value in (line.split(": ") for line in lines)}


def peak_of(pid: int) -> int:
    """The largest memory of a process so far, in KB. 0 if the process has ended."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


class Library:
    """autoharp-library: a process for each scan."""

    name = "autoharp"

    def __init__(self, binary: Path, folder: Path, music: Path) -> None:
        self._folder = folder / "library"
        self._command = [binary, "scan", "--database", self._folder, music]

    def forget(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def scan(self) -> Scan:
        begin = time.monotonic()
        child = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        # The memory of a process can be read only while the process runs. Its other figures can be read until `wait4`.
        peak = 0
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            peak = max(peak, peak_of(child.pid))
            time.sleep(0.005)
        wall, io = time.monotonic() - begin, io_of(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"autoharp-library has ended with {child.returncode}")
        return Scan(usage.ru_utime + usage.ru_stime, wall, io["read_bytes"] // 1024,
                    io["write_bytes"] // 1024, peak)

    def scan_again(self) -> Scan:
        return self.scan()


class MPD:
    """mpd: a process that scans when it starts, and at the command `update`."""

    name = "mpd"

    def __init__(self, folder: Path, music: Path) -> None:
        self._database, self._socket = folder / "mpd.db", folder / "mpd.socket"
        self._configuration = folder / "mpd.conf"
        self._configuration.write_text(
            f'music_directory "{music}"\ndb_file "{self._database}"\nbind_to_address "{self._socket}"\n'
            'audio_output {\n type "null"\n name "none"\n}\n')
        self._child: subprocess.Popen | None = None
        self._wire = None

    def forget(self) -> None:
        self.end()
        self._database.unlink(missing_ok=True)
        self._socket.unlink(missing_ok=True)

    def end(self) -> None:
        if self._child:
            self._child.terminate()
            self._child.wait()
        self._child = None

    def scan(self) -> Scan:
        begin = time.monotonic()
        command = ["mpd", "--no-daemon", str(self._configuration)]
        self._child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._connect()
        return self._wait(begin, 0, {"read_bytes": 0, "write_bytes": 0})

    def scan_again(self) -> Scan:
        assert self._child
        begin, cpu, io = time.monotonic(), self._cpu(), io_of(self._child.pid)
        self._send("update")
        return self._wait(begin, cpu, io)

    def _wait(self, begin: float, cpu: float, io: dict[str, int]) -> Scan:
        assert self._child
        while any(line.startswith("updating_db") for line in self._send("status")):
            time.sleep(0.01)
        now = io_of(self._child.pid)
        return Scan(self._cpu() - cpu, time.monotonic() - begin,
                    (now["read_bytes"] - io["read_bytes"]) // 1024,
                    (now["write_bytes"] - io["write_bytes"]) // 1024, peak_of(self._child.pid))

    def _cpu(self) -> float:
        assert self._child
        fields = Path(f"/proc/{self._child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * TICK_S

    def _connect(self) -> None:
        assert self._child
        while True:
            try:
                wire = socket.socket(socket.AF_UNIX)
                wire.connect(str(self._socket))
                break
            except OSError:
                if self._child.poll() is not None:
                    sys.exit("mpd does not start")
                time.sleep(0.005)
        self._wire = wire.makefile("rw")
        self._wire.readline()

    def _send(self, command: str) -> list[str]:
        assert self._wire
        self._wire.write(command + "\n")
        self._wire.flush()
        lines = []
        while (line := self._wire.readline()) and line != "OK\n" and not line.startswith("ACK"):
            lines.append(line)
        if not line:
            sys.exit("mpd has ended")
        return lines


def empty_caches() -> bool:
    try:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
        return True
    except OSError:
        return False


def rows_of(found: dict[str, dict[str, list[Scan]]]) -> report.Rows:
    rows = [["", *found]]

    def row(name: str, kind: str, value) -> None:
        cells = [statistics.median(value(scan) for scan in scans[kind]) if scans.get(kind) else None
                 for scans in found.values()]
        rows.append([name, *("–" if cell is None else f"{cell:.2f}" if cell < 10 else f"{cell:.1f}" for cell in cells)])

    row("First scan, CPU in s", "first", lambda scan: scan.cpu_s)
    row("First scan, time in s", "first", lambda scan: scan.wall_s)
    row("First scan, written in MB", "first", lambda scan: scan.written_kb / 1024)
    row("Peak of the memory in MB", "first", lambda scan: scan.peak_kb / 1024)
    row("Scan without a change, CPU in s", "again", lambda scan: scan.cpu_s)
    row("Scan without a change, time in s", "again", lambda scan: scan.wall_s)
    row("First scan without caches, read in MB", "cold", lambda scan: scan.read_kb / 1024)
    row("First scan without caches, time in s", "cold", lambda scan: scan.wall_s)
    row("Hard names, first scan, CPU in s", "hard first", lambda scan: scan.cpu_s)
    row("Hard names, scan without a change, CPU in s", "hard again", lambda scan: scan.cpu_s)
    return rows


METHOD = """\
{files} files in {folders} folders, {size} MB. Each figure is the median of {rounds} rounds; the programs take turns. The
collection with hard names has 10 000 files in one folder, names in eight scripts, names of 255 bytes and of invalid
UTF-8, folders in more than 64 levels, and links in circles."""


def scanners_of(library: Path, folder: Path, music: Path) -> list[Library | MPD]:
    """The programs. `folder` is the folder of their databases."""
    folder.mkdir()
    scanners: list[Library | MPD] = [Library(library.resolve(), folder, music)]
    return scanners + [MPD(folder, music)] if shutil.which("mpd") else scanners


def measure_first_and_again(one: Library | MPD, scans: dict[str, list[Scan]], prefix: str = "") -> None:
    # The scan before the measured scans fills the caches, and is not counted.
    one.forget()
    one.scan()
    one.forget()
    scans.setdefault(prefix + "first", []).append(one.scan())
    scans.setdefault(prefix + "again", []).append(one.scan_again())
    one.forget()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how autoharp-library and mpd scan a collection.")
    parser.add_argument("--library", type=Path, required=True, help="the program autoharp-library")
    parser.add_argument("--files", type=int, default=10_000, help="files of the collection (default: 10000)")
    parser.add_argument("--collection", type=Path, help="a collection that was made before")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="writes the table into this page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="autoharp-scanning.") as scrap:
        folder = Path(scrap)
        music = options.collection or folder / "music"
        if not options.collection:
            log(f"making {options.files} files")
            collection.make(music, options.files)
        log("making the collection with hard names")
        collection.make_hard(folder / "hard-names")
        scanners = scanners_of(options.library, folder / "databases", music)
        hard = scanners_of(options.library, folder / "hard-databases", folder / "hard-names")
        found: dict[str, dict[str, list[Scan]]] = {one.name: {} for one in scanners}
        disturbance = report.Disturbance()
        for number in range(options.rounds):
            log(f"round {number + 1} of {options.rounds}")
            for one in scanners:
                measure_first_and_again(one, found[one.name])
                if empty_caches():
                    found[one.name].setdefault("cold", []).append(one.scan())
                    one.forget()
            for one in hard:
                measure_first_and_again(one, found[one.name], "hard ")
        sizes = [(len(files), sum((Path(path) / name).stat().st_size for name in files))
                 for path, _, files in os.walk(music)]
    rows = rows_of(found)
    facts = report.machine() + report.player_versions() + disturbance.facts() + report.today()
    print(report.lines_of(facts) + "\n\n" + report.plain(rows))
    if options.markdown:
        method = METHOD.format(files=sum(count for count, _ in sizes), folders=len(sizes), rounds=options.rounds,
                               size=sum(size for _, size in sizes) >> 20)
        text = "\n\n".join([report.table(rows), method, report.bullets(facts)])
        report.write_section(options.markdown, "scanning", text)


if __name__ == "__main__":
    main()

"""Functions that the reports of all benchmarks share: tables, the machine, the written page."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

# The cells of a table. The first row is the header.
Rows = list[list[str]]
Facts = list[tuple[str, str]]

# The sections of docs/benchmarks.md, in the order of the page. Each section has a marker and a heading.
SECTIONS = {
    "decoding": "Decoding",
    "playing": "Playing",
    "latency": "From a command to the ear",
    "soak-playing": "Soak: playing",
    "soak-commands": "Soak: commands",
    "scanning": "Scanning a collection",
    "library": "Asking the library",
    "library-image": "Memory of the library in the unit",
    "screen": "The screen",
    "phone-playing": "A phone that plays",
    "phone-drift": "A phone whose clock differs",
    "app-playing": "A program that is a source",
}


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def output_of(*command: str) -> str:
    """The output of a program, such as its version. Empty if the program is missing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() or done.stderr.strip()


# --- The machine ----------------------------------------------------------------------------------


def machine() -> Facts:
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    return [
        ("CPU", f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores"),
        ("System", f"{system[1] if system else 'Linux'}, kernel {platform.release()}"),
    ]


def today() -> Facts:
    return [("Date", datetime.date.today().isoformat())]


def player_versions() -> Facts:
    found = []
    for name in ("mpd", "mpv"):
        version = re.search(r"\d+\.\d+[.\d]*", output_of(name, "--version"))
        found.append(f"{name} {version[0]}" if version else f"{name} is not installed")
    return [("Compared with", ", ".join(found))]


class Disturbance:
    """Other activity on the machine during the run: the load, and the time that a virtual machine did
    not get from its host (steal)."""

    def __init__(self) -> None:
        self.begin = self._steal()

    @staticmethod
    def _steal() -> tuple[int, int]:
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return ticks[7], sum(ticks)

    def steal_percent(self) -> float:
        stolen, total = (now - then for now, then in zip(self._steal(), self.begin))
        return 100 * stolen / total if total else 0

    def facts(self) -> Facts:
        load = ", ".join(Path("/proc/loadavg").read_text().split()[:3])
        steal = f"{self.steal_percent():.2f} % of the time stolen by the host"
        return [("Other load", f"{steal}; load {load} at the end")]


# --- Tables ---------------------------------------------------------------------------------------


def plain(rows: Rows) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )


def table(rows: Rows, left: tuple[int, ...] = (0,)) -> str:
    """A Markdown table. The columns in `left` contain text and are aligned left. The other columns
    contain numbers."""
    rule = ["---" if column in left else "--:" for column in range(len(rows[0]))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], rule] + rows[1:])


def bullets(facts: Facts) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts)


def lines_of(facts: Facts) -> str:
    return "\n".join(f"{name:14} {value}" for name, value in facts)


def write_section(path: Path, name: str, text: str) -> None:
    """Writes `text` into the page, between the two markers of section `name`. If the page does not have
    these markers, adds the section at the end of the page."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    block = f"{begin}\n{text.strip()}\n{end}"
    page = path.read_text() if path.exists() else "# Benchmarks\n"
    if begin in page and end in page:
        before, rest = page.split(begin, 1)
        page = before + block + rest.split(end, 1)[1]
    else:
        page = f"{page.rstrip()}\n\n## {SECTIONS[name]}\n\n{block}\n"
    path.write_text(page)
    log(f"written to {path}")


# --- Numbers --------------------------------------------------------------------------------------


def percentile(values: list[float], percent: float) -> float:
    """The percentile by nearest rank: the smallest value for which at least `percent` % of all values
    are equal or smaller."""
    ordered = sorted(values)
    rank = -(-len(ordered) * percent // 100)  # rounded up
    return ordered[max(0, int(rank) - 1)]


def spread(values: list[float], digits: int = 1) -> str:
    """The text "p50 / p99 / max" with the numbers of these values."""
    if not values:
        return "–"
    marks = (percentile(values, 50), percentile(values, 99), max(values))
    return " / ".join(f"{mark:.{digits}f}" for mark in marks)

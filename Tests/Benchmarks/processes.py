"""Starts processes, reads their resource usage from /proc, and ends them in every case."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType


class Children:
    """Processes that are ended at the end of the `with` block. They also end at Ctrl-C, and if this
    program is killed."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen] = []
        # The kernel ends the child when its parent ends for any reason.
        setpriv = shutil.which("setpriv")
        self.die_with_parent = [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []

    def __enter__(self) -> Children:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._leave)
        return self

    @staticmethod
    def _leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    def start(self, command: list[str], **options) -> subprocess.Popen:
        # The child has a separate session, so Ctrl-C reaches only this program. Then this program ends
        # the child properly.
        child = subprocess.Popen(self.die_with_parent + command, start_new_session=True, **options)
        self.running.append(child)
        return child

    def end(self, child: subprocess.Popen) -> None:
        if child in self.running:
            self.running.remove(child)
        if child.poll() is not None:
            return
        child.terminate()
        try:
            child.wait(3)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def __exit__(self, *_: object) -> None:
        for child in list(self.running):
            self.end(child)


# --- /proc ----------------------------------------------------------------------------------------


def _number_after(text: str, key: str) -> int:
    for line in text.splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


@dataclass
class Usage:
    """The resources that a process has used so far."""

    cpu_ns: dict[int, int]  # by thread
    wakes: dict[int, int]  # voluntary context switches, by thread
    rss_kb: int
    peak_rss_kb: int
    files: int

    @property
    def threads(self) -> int:
        return len(self.cpu_ns)


def usage(pid: int) -> Usage:
    cpu: dict[int, int] = {}
    wakes: dict[int, int] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            cpu[int(task.name)] = _thread_cpu_ns(task)
            status = (task / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended meanwhile
        wakes[int(task.name)] = _number_after(status, "voluntary_ctxt_switches:")
    status = Path(f"/proc/{pid}/status").read_text()
    return Usage(
        cpu,
        wakes,
        _number_after(status, "VmRSS:"),
        _number_after(status, "VmHWM:"),
        len(os.listdir(f"/proc/{pid}/fd")),
    )


def _thread_cpu_ns(task: Path) -> int:
    """User and system time: in nanoseconds if the kernel counts them, otherwise in ticks."""
    schedstat = task / "schedstat"
    if schedstat.exists():
        return int(schedstat.read_text().split()[0])
    fields = (task / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def growth(before: dict[int, int], after: dict[int, int]) -> int:
    """The growth of the values of all current threads, added up. The value of a new thread starts at
    0."""
    return sum(value - before.get(thread, 0) for thread, value in after.items())


def scheduling(pid: int) -> str:
    """Describes the threads with real-time priority, as text."""
    found = []
    for task in sorted(Path(f"/proc/{pid}/task").iterdir(), key=lambda task: int(task.name)):
        try:
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            name = (task / "comm").read_text().strip()
        except (FileNotFoundError, ProcessLookupError):
            continue
        policy = {"1": "FIFO", "2": "round robin"}.get(fields[38])
        if policy:
            found.append(f"{name} {policy} {fields[37]}")
    return ", ".join(found) or "no real-time priority"

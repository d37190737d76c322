"""Starts programs whose processes end when this process ends, or when one of the programs ends."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
ENDING_S = 5


class Processes:
    """Starts programs, waits until one of them ends, and ends all of them."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None)
        # A program whose parent has ended becomes a child of this process, so that `end` can end it too.
        self._libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._selector = selectors.DefaultSelector()
        self._running: dict[str, subprocess.Popen] = {}
        self._ends: dict[str, int] = {}
        self._watch_signals()

    def _watch_signals(self) -> None:
        """Makes `wait` return after a signal."""
        signals, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        self._selector.register(signals, selectors.EVENT_READ, "signal")

    def start(
        self, name: str, command: list, log: Path, environment: dict[str, str] | None = None,
        has_terminal: bool = False,
    ) -> None:
        """Starts a program. If `has_terminal` is false, the program runs in its own session, so keys of the terminal
        send it no signals."""
        options: dict = {"env": {**os.environ, **(environment or {})}, "preexec_fn": self._end_with_parent}
        with log.open("a") as file:
            if not has_terminal:
                options |= {"stdin": subprocess.DEVNULL, "stdout": file, "start_new_session": True}
            process = subprocess.Popen(command, stderr=file, **options)
        self._running[name] = process
        self._ends[name] = os.pidfd_open(process.pid)
        self._selector.register(self._ends[name], selectors.EVENT_READ, name)

    def _end_with_parent(self) -> None:
        """Runs in the new process before the program. Tells the kernel to end the program if its parent is killed."""
        self._libc.prctl(SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)

    def watch(self, descriptor: int, name: str) -> None:
        self._selector.register(descriptor, selectors.EVENT_READ, name)

    def wait(self) -> str:
        """Waits for an event. Returns the name of a program that has ended or of a descriptor that can be read, or
        `signal`."""
        return self._selector.select()[0][0].data

    def status(self, name: str) -> int:
        return self._running[name].wait()

    def ended(self, name: str) -> int:
        """The status of a program that has ended. `wait` does not return its name any more."""
        self._selector.unregister(self._ends.pop(name))
        return self._running.pop(name).wait()

    def end(self, names: list[str]) -> None:
        """Ends the programs in this order, each with a time limit."""
        for name in names:
            if process := self._running.get(name):
                process.terminate()
                try:
                    process.wait(ENDING_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self._end_orphans()

    def _end_orphans(self) -> None:
        """Waits for the programs that the ended programs have started, such as the library, and kills the programs that
        do not end."""
        deadline = time.monotonic() + ENDING_S
        while self._has_children(lambda: os.waitpid(-1, os.WNOHANG)):
            if time.monotonic() > deadline:
                for pid in children():
                    os.kill(pid, signal.SIGKILL)
            # No event reports the end of a program that another program has started.
            time.sleep(0.02)

    @staticmethod
    def _has_children(reap: Callable) -> bool:
        try:
            reap()
        except ChildProcessError:
            return False
        return True


def children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]

"""`make run` in a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import shlex
import signal
import subprocess
import time
import uuid
from pathlib import Path

from xserver import DEADLINE_S, PROJECT, Desktop, wait_until


class Run:
    """The processes of `make run`. An environment variable marks these processes, so that `processes` finds them."""

    def __init__(self, data: Path, desktop: Desktop | None, music: Path | None, options: list) -> None:
        self._data = data
        self._mark = f"AUTOHARP_TEST={uuid.uuid4()}"
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", "MAKELEVEL", "MUSIC", "ARGS")}
        name, value = self._mark.split("=")
        environment |= {name: value, "TERM": "vt102", "SDL_AUDIODRIVER": "dummy"}
        if desktop:
            environment["DISPLAY"] = desktop.name
        if music:
            environment["MUSIC"] = str(music)
        command = ["make", "--no-print-directory", "-C", str(PROJECT), "run",
                   f"ARGS={shlex.join(map(str, options))}"]
        self.begin = time.monotonic()
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.execvpe("make", command, environment)
        self.output = ""
        self._status: int | None = None

    def type(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def read_until(self, text: str) -> None:
        """Reads the output of the programs until it contains `text`."""
        deadline = time.monotonic() + DEADLINE_S
        while text not in self.output:
            assert self._read(deadline), f"waited in vain for '{text}': {self.output}"

    def show(self, keys: str, text: str) -> None:
        """Types keys, and reads the new output until it contains `text`."""
        self.output = ""
        self.type(keys)
        self.read_until(text)

    def _read(self, deadline: float) -> bool:
        if not select.select([self._terminal], [], [], max(0, deadline - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self._terminal, 4096)
        except OSError:  # the last program has closed the terminal
            return False
        self.output += data.decode(errors="replace")
        return bool(data)

    def wait(self) -> int:
        """Waits until make ends. Returns its exit status."""
        deadline = time.monotonic() + DEADLINE_S
        while self._read(deadline):
            pass
        if self._status is None:
            wait_until(self._has_ended, "make ends")
        assert self._status is not None
        return self._status

    def _has_ended(self) -> bool:
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if pid:
            self._status = os.waitstatus_to_exitcode(status)
        return bool(pid)

    def processes(self) -> dict[int, str]:
        """The names of the running processes, keyed by process id. The daemon starts the library without an
        environment, so the library is found by its command line."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
                if self._mark.encode() in (folder / "environ").read_bytes() or os.fsencode(self._data) in command:
                    found[int(folder.name)] = (folder / "comm").read_text().strip()
            except OSError:  # the process has ended
                pass
        return found

    def process(self, name: str, argument: str) -> int:
        """The id of the process that runs this program with this argument."""
        for pid, found in self.processes().items():
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if found.startswith(name) and argument.encode() in words:
                return pid
        raise AssertionError(f"{name} does not run")

    def log(self) -> str:
        """What the programs of the unit have written to their log."""
        return (self.socket.parent / "log").read_text()

    def hang_up(self) -> None:
        """Closes the terminal."""
        os.close(self._terminal)
        self._terminal = -1

    def kill(self) -> None:
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._status is None:
            os.waitpid(self._pid, 0)
        if self._terminal >= 0:
            os.close(self._terminal)

    @property
    def socket(self) -> Path:
        return next(self._data.glob("*/unit.conf")).parent / "control"

    def ask(self, *words: str) -> dict:
        """Sends a command to the console of the unit. Returns the answer."""
        done = subprocess.run([PROJECT / "build" / "autoharp", "console", "--json", "--socket", self.socket, *words],
                              stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

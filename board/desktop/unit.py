"""The files of the unit on a desktop: its configuration, its data, its lock."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path

from demomusic import collection

from .options import Failure, Options
from .sound import problem_of_default

# The greatest length of a path that fits into the address of a socket.
SOCKET_BYTES = 107


class Unit:
    """The folder with the data of the unit. Each folder of music has its own data."""

    def __init__(self, options: Options) -> None:
        self.options = options
        music = options.music
        name = "demo" if music is None else f"{music.name}-{zlib.crc32(os.fsencode(music)):08x}"
        self.folder = options.data.resolve() / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = self._take_lock()
        self._short: str | None = None
        self.socket = self._socket()
        self.configuration, self.log = self.folder / "unit.conf", self.folder / "log"

    def _take_lock(self):
        """Locks the folder. The kernel removes the lock at the end of this process."""
        file = (self.folder / "lock").open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise Failure(f"Autoharp already runs with this music (process {file.read().strip()}). "
                          "Close its window first.") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        return file

    def _socket(self) -> Path:
        path = self.folder / "control"
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return path
        self._short = tempfile.mkdtemp(prefix="autoharp-")
        return Path(self._short) / "control"

    def prepare(self) -> None:
        """Writes the configuration, and tells the library about the demo collection's stick."""
        options = self.options
        music = options.music or collection.music_of(options.demo.resolve())
        state = self.folder / "state"
        lines = {"music-folder": music, "state-folder": state, "artwork-folder": self.folder / "artwork",
                 "library-folder": self.folder / "library", "control-socket": self.socket, "bluetooth": "no"}
        # The first start plays. At later starts, the setting `start` decides, which the driver can
        # change.
        if not state.exists():
            lines["start"] = "play"
        state.mkdir(exist_ok=True)
        lines["output"] = options.output or self._default_output()
        if options.is_parked:
            lines["parked"] = "always"
        if options.light:
            lines["screen-light"] = options.light
        if options.language:
            lines["screen-language"] = options.language
        self.configuration.write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
        if options.music is None:
            self._add_stick()

    def _default_output(self) -> str:
        problem = problem_of_default()
        if problem is None:
            return "default"
        print(f"No sound: ALSA's output 'default' cannot be opened ({problem}). The music plays silently, in real "
              "time.\n'build/autoharp --list-outputs' lists the outputs; to use one: make run ARGS='--output NAME'",
              flush=True)
        return "null"

    def _add_stick(self) -> None:
        """Scans the files of the stick. The configuration does not contain their folder, so the stick is absent."""
        library = self.folder / "library"
        if (library / "library.db").exists():
            return
        command = [self.options.programs / "autoharp-library", "scan", "--database", library,
                   collection.stick_of(self.options.demo.resolve())]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise Failure(f"The library cannot be made: {done.stderr.strip()}")

    def last_lines(self, begin: str = "") -> str:
        """The last lines of the log that begin with this text."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join([line for line in lines if line.startswith(begin)][-5:])

    def close(self) -> None:
        if self._short:
            shutil.rmtree(self._short, ignore_errors=True)

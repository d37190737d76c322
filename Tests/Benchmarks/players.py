"""The measured players: autoharp (controlled by keys), mpd and mpv (each by its socket)."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import re
import shutil
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from paced import Card, Cards, EventReader
from processes import Children
from report import log

# On a sound card that can be rewritten, autoharp uses a deep buffer. On any other sound card, autoharp
# chooses two periods of 256 frames by itself, at 44.1 and 48 kHz. autoharp does not recognize the paced
# card as a sound card, so these arguments select the same buffers.
DEEP = "--latency rewind"
ON_A_CARD = "--latency periods --period 256 --buffer 11"
PLAY_HELP = "more arguments for play (default: %(default)s, as on a sound card that cannot be rewritten)"
# Number of frames in 0.1 ms. The position of a card with DMA advances in steps of this size.
REWIND_STEP = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of all benchmarks that compare players."""
    parser.add_argument("--autoharp", required=True, metavar="BIN")
    parser.add_argument("--play", default=ON_A_CARD, metavar="'ARG ...'", help=PLAY_HELP)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables into FILE")


def find_autoharp(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    """The path of autoharp. The path is absolute, because players start in another folder."""
    binary = shutil.which(options.autoharp)
    if binary is None:
        parser.error(f"cannot run {options.autoharp}")
    return os.path.abspath(binary)


@dataclass
class Buffering:
    """The number of frames per period, and the largest number of frames in the card (`Run.ahead`)."""

    period: int
    buffer: int
    rate: int

    def text(self) -> str:
        return f"{self.period} / {self.buffer}"


def missing_players() -> list[str]:
    missing = [name for name in ("mpd", "mpv") if not shutil.which(name)]
    if missing:
        names = " and ".join(missing)
        log(f"{names}: not installed, so not compared. To install (Debian):")
        log(f"  apt-get install --no-install-recommends {' '.join(missing)}")
        if "mpd" in missing:
            log("  systemctl disable --now mpd.service mpd.socket   # not used here")
    return missing


class Player:
    """A player that plays to `card`. `press` sends a command and returns the time of the command."""

    def __init__(self, name: str, card: Card, cards: Cards, children: Children) -> None:
        self.name = name
        self.card = card
        self.folder = cards.folder / f"{name.replace(' ', '-')}.player"
        self.folder.mkdir(exist_ok=True)
        self.environment = cards.environment()
        self.children = children
        self.process: subprocess.Popen | None = None

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def start(self, files: list[Path]) -> None:
        raise NotImplementedError

    def press(self, command: str, forwards: bool = True) -> int:
        """Sends one of pause, resume, next, previous, seek, quieter, louder, mute, unmute.
        Returns the monotonic time right before the command was sent."""
        raise NotImplementedError

    def can(self, command: str) -> bool:
        return True

    def keep_alive(self) -> None:
        """Reads what the player has sent, so that the player does not block."""

    def end(self) -> None:
        if self.process:
            self.children.end(self.process)
        self.process = None

    def check_running(self) -> None:
        if not self.process or self.process.poll() is None:
            return
        output = self.log.read_text(errors="replace")[-2000:] if self.log.exists() else ""
        sys.exit(f"{self.name} has ended with exit code {self.process.returncode}\n{output}")

    def _connect(self, path: Path) -> socket.socket:
        for _ in range(500):
            self.check_running()
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(str(path))
                return connection
            except OSError:
                connection.close()
                time.sleep(0.01)
        sys.exit(f"{self.name} does not open its socket")


# --- autoharp -------------------------------------------------------------------------------------


class Autoharp(Player):
    """autoharp. If `has_view` is true, it shows its view on a terminal, and keys control it. Otherwise
    it has no view and gets no commands."""

    KEYS = {
        "pause": b" ",
        "resume": b" ",
        "next": b"n",
        "previous": b"p",
        "quieter": b"-",
        "louder": b"+",
        "mute": b"m",
        "unmute": b"m",
    }

    def __init__(
        self,
        binary: str,
        card: Card,
        cards: Cards,
        children: Children,
        name: str = "autoharp",
        has_view: bool = True,
        arguments: tuple[str, ...] = (),
    ) -> None:
        super().__init__(name, card, cards, children)
        self.command = [binary, "play", "--output", card.name, "--repeat", *arguments]
        self.has_view = has_view
        self._terminal = -1
        manual = subprocess.run([binary, "play", "--help"], capture_output=True, text=True).stdout
        self._has_mute = re.search(r"^.*\bm\s+mute\b", manual, re.M) is not None

    def start(self, files: list[Path]) -> None:
        command = self.command + [str(file) for file in files]
        with self.log.open("wb") as log_file:
            if not self.has_view:
                self.process = self.children.start(
                    command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log_file, stderr=log_file
                )
                return
            self._terminal, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 100, 0, 0))
            self.process = self.children.start(
                command, env=self.environment, stdin=theirs, stdout=theirs, stderr=log_file
            )
            os.close(theirs)
        threading.Thread(target=self._watch, args=(self._terminal,), daemon=True).start()

    @staticmethod
    def _watch(terminal: int) -> None:
        """Reads the view, because the player would block on a full terminal."""
        try:
            while os.read(terminal, 1 << 16):
                pass
        except OSError:
            pass  # the player has ended

    def can(self, command: str) -> bool:
        return self.has_view and (self._has_mute or command not in ("mute", "unmute"))

    def press(self, command: str, forwards: bool = True) -> int:
        key = self.KEYS.get(command) or (b"\x1b[C" if forwards else b"\x1b[D")
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        os.write(self._terminal, key)
        return now

    def end(self) -> None:
        super().end()
        if self._terminal >= 0:
            os.close(self._terminal)
        self._terminal = -1


def shipped_buffering(
    binary: str, files: list[Path], cards: Cards, arguments: tuple[str, ...] = ()
) -> Buffering:
    """The period and buffer that autoharp chooses for a paced card."""
    card = cards.add("probe", records=False)
    reader = EventReader(card)
    with Children() as children:
        player = Autoharp(
            binary, card, cards, children, name="probe", has_view=False, arguments=arguments
        )
        player.start(files[:1])
        for _ in range(500):
            time.sleep(0.01)
            player.check_running()
            reader.refresh()
            if reader.runs:
                run = reader.runs[0]
                player.end()
                reader.close()
                return Buffering(run.period, run.ahead, run.rate)
    sys.exit("autoharp does not play to the paced sound card")


# --- mpd ------------------------------------------------------------------------------------------


class MPD(Player):
    """mpd with its default buffer, or with the given buffer."""

    COMMANDS = {
        "pause": "pause 1",
        "resume": "pause 0",
        "next": "next",
        "previous": "previous",
        "quieter": "setvol 90",
        "louder": "setvol 100",
        "mute": "setvol 0",
        "unmute": "setvol 100",
    }

    def __init__(
        self,
        name: str,
        card: Card,
        cards: Cards,
        children: Children,
        buffering: Buffering | None = None,
        has_volume: bool = True,
    ) -> None:
        super().__init__(name, card, cards, children)
        self._socket = self.folder / "socket"
        self._connection: socket.socket | None = None
        output = [f'device "{card.name}"', f'mixer_type "{"software" if has_volume else "none"}"']
        if buffering:
            # The values are in microseconds. They are rounded, so that mpd computes the same numbers of
            # frames from them.
            for key, frames in (("buffer", buffering.buffer), ("period", buffering.period)):
                output.append(f'{key}_time "{round(frames * 1e6 / buffering.rate)}"')
        self._configuration = self.folder / "mpd.conf"
        self._configuration.write_text(
            f'bind_to_address "{self._socket}"\npid_file "{self.folder}/pid"\n'
            'zeroconf_enabled "no"\naudio_output {\n type "alsa"\n name "car"\n '
            + "\n ".join(output)
            + "\n}\n"
        )

    def start(self, files: list[Path]) -> None:
        with self.log.open("wb") as log_file:
            self.process = self.children.start(
                ["mpd", "--no-daemon", "--stderr", str(self._configuration)],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
            )
        self._connection = self._connect(self._socket)
        self._answer()
        for file in files:
            self._ask(f'add "file://{file}"')
        for line in ("repeat 1", "setvol 100", "play 0"):
            # Without a mixer `setvol` fails.
            self._ask(line, may_fail=line.startswith("setvol"))

    def press(self, command: str, forwards: bool = True) -> int:
        line = self.COMMANDS.get(command) or f"seekcur {'+' if forwards else '-'}15"
        return self._ask(line)

    def keep_alive(self) -> None:
        self._ask("ping")  # mpd closes connections that are idle for a minute

    def _ask(self, line: str, may_fail: bool = False) -> int:
        assert self._connection
        data = f"{line}\n".encode()
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self._connection.sendall(data)
        answer = self._answer()
        if answer.startswith("ACK") and not may_fail:
            log(f"{self.name}: {line}: {answer}")
        return now

    def _answer(self) -> str:
        assert self._connection
        self._connection.settimeout(5)
        answer = b""
        while not answer.endswith(b"\n"):
            try:
                block = self._connection.recv(4096)
            except TimeoutError:
                return "ACK: no answer for 5 s"
            if not block:
                self.check_running()
                sys.exit(f"{self.name} closed the connection")
            answer += block
        return answer.decode(errors="replace").strip()

    def end(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
        super().end()


# --- mpv ------------------------------------------------------------------------------------------


class MPV(Player):
    """mpv with its default settings."""

    COMMANDS: dict[str, list] = {
        "pause": ["set_property", "pause", True],
        "resume": ["set_property", "pause", False],
        "next": ["playlist-next"],
        "previous": ["playlist-prev"],
        "quieter": ["set_property", "volume", 90],
        "louder": ["set_property", "volume", 100],
        "mute": ["set_property", "mute", True],
        "unmute": ["set_property", "mute", False],
    }

    def __init__(self, name: str, card: Card, cards: Cards, children: Children) -> None:
        super().__init__(name, card, cards, children)
        self._socket = self.folder / "socket"
        self._connection: socket.socket | None = None

    def start(self, files: list[Path]) -> None:
        command = ["mpv", "--no-config", "--no-terminal", "--no-video", "--loop-playlist=inf"]
        command += ["--ao=alsa", f"--audio-device=alsa/{self.card.name}"]
        command += [f"--input-ipc-server={self._socket}"]
        self.process = self.children.start(
            command + [str(file) for file in files],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._connection = self._connect(self._socket)
        self._connection.setblocking(False)

    def press(self, command: str, forwards: bool = True) -> int:
        assert self._connection
        self.keep_alive()
        request = self.COMMANDS.get(command) or ["seek", 15 if forwards else -15]
        data = json.dumps({"command": request}).encode() + b"\n"
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self._connection.send(data)
        return now

    def keep_alive(self) -> None:
        assert self._connection
        try:
            while self._connection.recv(1 << 16):
                pass
            self.check_running()
        except BlockingIOError:
            pass

    def end(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
        super().end()

"""Runs the daemon, the screen in a window, and the console in the terminal, until one of these programs ends."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys

from demomusic import collection

from .options import Failure, Options, parse
from .processes import Processes
from .unit import Unit

WELCOME = """\
Autoharp runs in the window. The mouse replaces the finger, and the arrow keys replace the knob.
In the window, ? lists the keys.
Here is the prompt of the unit: ? lists its commands. Ctrl-C, 'quit' or closing the window ends everything."""


def main(arguments: list[str]) -> int:
    try:
        return run(parse(arguments))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"Autoharp cannot be started: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(options: Options) -> int:
    if options.music is None:
        collection.make(options.demo)
    elif not options.music.is_dir():
        raise Failure(f"{options.music} is not a folder. Set MUSIC to a folder with music: make run MUSIC=FOLDER")
    if options.is_terminal and not options.app and (options.play or not can_draw()):
        return play(options)
    unit = Unit(options)
    try:
        unit.prepare()
        return show(options, unit)
    finally:
        unit.close()


def play(options: Options) -> int:
    """Replaces this process by `autoharp play`."""
    program = options.programs / "autoharp"
    output = ["--output", options.output] if options.output else []
    # `autoharp play` would report the unplayable file of the demo collection as an error, so it does not get this file.
    music = [options.music] if options.music else collection.playable(options.demo)
    os.execv(program, [program, "play", *output, *options.play, "--", *music])


def show(options: Options, unit: Unit) -> int:
    processes = Processes()
    unit.log.write_text("")
    ready = NotifySocket()
    processes.watch(ready.descriptor, "notification")
    daemon = [options.programs / "autoharp", "serve", "--config", unit.configuration]
    processes.start("daemon", daemon, unit.log, {"NOTIFY_SOCKET": ready.address})
    screen = [options.programs / "autoharp-screen", "--config", unit.configuration]
    if options.is_terminal:
        processes.start("screen", [*screen, "--terminal"], unit.log, has_terminal=True)
    else:
        # SDL must not look for other displays, such as the graphics card itself.
        only = {"SDL_VIDEODRIVER": "x11,wayland", **os.environ}
        processes.start("screen", [*screen, "--window", options.size], unit.log, only)
    try:
        while (event := processes.wait()) in ("notification", "app"):
            if event == "app":
                print(f"The program {options.app[0]} has ended with the status {processes.ended('app')}. "
                      f"The log: {unit.log}", flush=True)
            elif ready.becomes_ready():
                if options.app:
                    processes.start("app", options.app, unit.log, {"AUTOHARP_SOCKET": str(unit.socket)})
                if not options.is_terminal:
                    start_prompt(options, unit, processes)
    finally:
        processes.end(["app", "console", "screen", "daemon"])
    if event not in ("daemon", "screen") or not (status := processes.status(event)):
        return 0
    if event == "screen" and status == 1 and not options.is_terminal:
        raise Failure(no_window(unit))
    # The status of a program that a signal has ended is negative.
    how = f"signal {-status}" if status < 0 else "an error"
    raise Failure(f"The {event} has ended with {how}:\n{unit.last_lines()}\nThe whole log: {unit.log}")


def has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def can_draw() -> bool:
    """True if pages can be drawn on the terminal. Otherwise `autoharp play` writes plain lines."""
    return has_terminal() and os.environ.get("TERM") != "dumb"


def start_prompt(options: Options, unit: Unit, processes: Processes) -> None:
    if not has_terminal():
        print("Autoharp runs in the window.", flush=True)
        return
    print(WELCOME, flush=True)
    console = [options.programs / "autoharp", "console", "--socket", unit.socket, "--history",
               unit.folder / "history", "--end-on-interrupt"]
    processes.start("console", console, unit.log, has_terminal=True)


def no_window(unit: Unit) -> str:
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    return (f"No window can be opened on the display {display}:\n{unit.last_lines('autoharp-screen: display')}\n"
            "To play in the terminal: make run ARGS=--terminal")


class NotifySocket:
    """The socket on which the daemon reports that it is ready, and later its status. On a head unit, the daemon sends
    these messages to systemd. All messages must be read, because the daemon waits if the socket is full."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        # An abstract address. It is not a file, so the limits of a path do not apply.
        self._is_ready = False
        self._socket.bind(f"\0autoharp-run-{os.getpid()}")

    @property
    def address(self) -> str:
        return f"@autoharp-run-{os.getpid()}"

    @property
    def descriptor(self) -> int:
        return self._socket.fileno()

    def becomes_ready(self) -> bool:
        """Reads all messages. True if the daemon says for the first time that it is ready. The daemon repeats this
        message after each reload of its configuration."""
        was_ready = self._is_ready
        with contextlib.suppress(BlockingIOError):
            while True:
                self._is_ready = b"READY=1" in self._socket.recv(4096).split(b"\n") or self._is_ready
        return self._is_ready and not was_ready

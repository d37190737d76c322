"""The command line of board/run."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class Failure(Exception):
    """A reason why the unit cannot run, in words for the person at the terminal."""


@dataclass
class Options:
    programs: Path = PROJECT / "build"
    demo: Path = PROJECT / "build" / "demo"
    data: Path = PROJECT / "build" / "run"
    # None if the demo collection is played.
    music: Path | None = None
    is_terminal: bool = False
    is_parked: bool = False
    light: str | None = None
    language: str | None = None
    size: str = "800x480"
    output: str | None = None
    # A program that is a source, and its arguments. Empty if there is none.
    app: list[str] = field(default_factory=list)
    # Options of `autoharp play`.
    play: list[str] = field(default_factory=list)


def size(text: str) -> str:
    found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", text)
    if not found or not 320 <= int(found[1]) <= 4096 or not 240 <= int(found[2]) <= 4096:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size from 320x240 to 4096x4096, such as 800x480")
    return text


def has_desktop() -> bool:
    return bool(os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY"))


def parse(arguments: list[str]) -> Options:
    parser = argparse.ArgumentParser(
        prog="board/run", usage="%(prog)s [OPTION]...", allow_abbrev=False,
        description="Runs the head unit in a window, with a prompt in the terminal. Without a desktop, the pages of the "
        "screen are in the terminal. Options of 'autoharp play' select this player without pages.")
    add = parser.add_argument
    add("--music", type=Path, metavar="FOLDER", help="a folder with music (default: a demo collection)")
    add("--size", type=size, default="800x480", metavar="WxH", help="size of the screen (default: 800x480)")
    add("--parked", action="store_true", help="behave as in a parked car (default: as in a moving car)")
    light = parser.add_mutually_exclusive_group()
    light.add_argument("--day", dest="light", action="store_const", const="day", help="colours of the day")
    light.add_argument("--night", dest="light", action="store_const", const="night", help="colours of the night")
    add("--language", metavar="TAG", help="language of the screen: en, de, fr, ar, he")
    add("--output", metavar="NAME", help="output of the sound, an ALSA PCM or 'null' (default: default)")
    add("--app", type=shlex.split, default=[], metavar="COMMAND", help="a program that is a source; it is started with "
        "the unit (docs/sources.md)")
    add("--terminal", action="store_true", help="use the terminal as the screen, even if there is a desktop")
    add("--programs", type=Path, default=Options.programs, metavar="DIR", help=argparse.SUPPRESS)
    add("--demo", type=Path, default=Options.demo, metavar="DIR", help=argparse.SUPPRESS)
    add("--data", type=Path, default=Options.data, metavar="DIR", help=argparse.SUPPRESS)
    is_terminal = "--terminal" in arguments or not has_desktop()
    found, unknown = parser.parse_known_args(arguments)
    if unknown and not is_terminal:
        parser.error(f"unknown option '{unknown[0]}'. With --terminal, the options of 'autoharp play' are possible.")
    music = found.music.expanduser().resolve() if found.music else None
    return Options(found.programs, found.demo, found.data, music, is_terminal, found.parked, found.light,
                   found.language, found.size, found.output, found.app, unknown)

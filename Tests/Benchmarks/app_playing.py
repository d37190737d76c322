#!/usr/bin/env python3
"""Measures the processor time of a program that is a source, and of mpd with the same PCM. Reports figures, and does not
judge them.

    app_playing.py --autoharp BIN --app BIN [--seconds 20] [--rounds 3] [--markdown FILE]

`cat` writes PCM to `autoharp-app`, whose source plays on the daemon. mpd plays a WAV file with the same PCM. Both play to
simulated sound cards (paced.py), in turns.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import report
from music import scratch_folder
from paced import Card, Cards, EventReader
from phone_playing import DEADLINE_S, PERIODS, SETTLE_S
from players import MPD, Buffering
from processes import Children, growth, usage
from report import log

MUSIC_S = 120


@dataclass
class Cost:
    """The cost of one program, over all rounds."""

    wall_s: float = 0
    cpu_ns: int = 0
    wakes: int = 0
    peak_rss_kb: int = 0

    def row(self, name: str) -> list[str]:
        return [name, f"{self.cpu_ns / 1e9 * 60 / self.wall_s:.3f} s", f"{self.wakes / self.wall_s:.0f}",
                f"{self.peak_rss_kb / 1024:.1f} MB"]


@dataclass
class Bench:
    costs: dict[str, Cost] = field(default_factory=dict)

    def measure(self, seconds: float, processes: dict[str, int], card: Card) -> None:
        time.sleep(SETTLE_S)
        reader = EventReader(card)
        reader.refresh()
        dry, begin = reader.dry, time.monotonic()
        before = {name: usage(pid) for name, pid in processes.items()}
        time.sleep(seconds)
        wall_s = time.monotonic() - begin
        for name, pid in processes.items():
            cost, after = self.costs.setdefault(name, Cost()), usage(pid)
            cost.wall_s += wall_s
            cost.cpu_ns += growth(before[name].cpu_ns, after.cpu_ns)
            cost.wakes += growth(before[name].wakes, after.wakes)
            cost.peak_rss_kb = max(cost.peak_rss_kb, after.peak_rss_kb)
        reader.refresh()
        if reader.dry != dry:
            log(f"  the card of {', '.join(processes)} ran dry {reader.dry - dry} times")
        reader.close()


def wait(what: str, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.1)


def measure_app(bench: Bench, options: argparse.Namespace, children: Children, cards: Cards, card: Card,
                folder: Path) -> None:
    folder.mkdir()
    (folder / "unit.conf").write_text(
        f"music-folder = {folder}\nlibrary = no\nbluetooth = no\noutput = {card.name}\nstart = paused\n"
        f"control-socket = {folder}/control\nstate-folder = {folder}\nartwork-folder = {folder}/art\n{PERIODS}")
    environment = {**cards.environment(), "AUTOHARP_SOCKET": f"{folder}/control"}
    with (folder / "log").open("w") as output:
        daemon = children.start([str(options.autoharp), "serve", "--config", f"{folder}/unit.conf"],
                                stdin=subprocess.DEVNULL, stderr=output, env=environment)
        app = children.start(
            [str(options.app), "--id", "bench", "--name", "Bench", "--restart", "always", "--", "cat",
             f"{folder.parent}/music.raw"], stdin=subprocess.DEVNULL, stderr=output, env=environment)

    def console(*words: str) -> str:
        command = [str(options.autoharp), "console", "--socket", f"{folder}/control", *words]
        return subprocess.run(command, capture_output=True, text=True).stdout

    wait("the app", lambda: "app:bench" in console("--json", "library"))
    console("source", "bench")
    wait("the sound", lambda: '"status": "playing"' in console("--json", "now"))
    bench.measure(options.seconds, {"autoharp": daemon.pid, "autoharp-app": app.pid}, card)
    children.end(app)
    children.end(daemon)


def measure_mpd(bench: Bench, options: argparse.Namespace, player: MPD, card: Card, file: Path) -> None:
    reader = EventReader(card)
    reader.refresh()
    runs = len(reader.runs)
    player.start([file])

    def has_begun() -> bool:
        reader.refresh()
        return len(reader.runs) > runs

    wait("mpd", has_begun)
    reader.close()
    bench.measure(options.seconds, {player.name: player.pid}, card)
    player.end()


METHOD = """\
`cat` writes 44.1 kHz stereo with 16 bits to `autoharp-app`, and mpd plays a WAV file with the same samples, with its
default buffer and with the buffer of autoharp. Each plays to a paced sound card, {} s at a time, in {} rounds. CPU is
user and system time for a minute of music."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--autoharp", type=Path, required=True, metavar="BIN")
    parser.add_argument("--app", type=Path, required=True, metavar="BIN", help="the program autoharp-app")
    parser.add_argument("--seconds", type=int, default=20, help="seconds for each measurement (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements of each kind (default: 3)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table into FILE")
    options = parser.parse_args()
    options.autoharp, options.app = options.autoharp.absolute(), options.app.absolute()
    disturbance, bench = report.Disturbance(), Bench()
    with tempfile.TemporaryDirectory(prefix="autoharp-app.", dir=scratch_folder(1 << 28)) as name, \
            Children() as children:
        folder = Path(name)
        noise = ["synth", str(MUSIC_S), "brownnoise", "pinknoise", "gain", "-n", "-6"]
        sox = ["sox", "-R", "-V1", "-n", "-r", "44100", "-b", "16", "-c", "2"]
        subprocess.run([*sox, folder / "music.wav", *noise], check=True)
        subprocess.run([*sox, "-t", "raw", "-e", "signed", folder / "music.raw", *noise], check=True)
        cards = Cards(folder)
        card = cards.add("unit", "S16_LE S32_LE", records=False)
        players = []
        for title, buffering in (("mpd", None), ("mpd, the buffer of autoharp", Buffering(256, 512, 44100))):
            its_card = cards.add(f"mpd{len(players)}", "S16_LE S32_LE", records=False)
            players.append((MPD(title, its_card, cards, children, buffering), its_card))
        for number in range(options.rounds):
            measure_app(bench, options, children, cards, card, folder / f"unit-{number}")
            for player, its_card in players:
                measure_mpd(bench, options, player, its_card, folder / "music.wav")
            log(f"  round {number + 1} of {options.rounds}")
    rows = [["Program", "CPU per min", "Wake-ups/s", "Peak RSS"], *(cost.row(name) for name, cost in bench.costs.items())]
    facts = report.machine() + report.player_versions() + disturbance.facts() + report.today()
    print(f"{report.lines_of(facts)}\n\n{report.plain(rows)}", flush=True)
    if options.markdown:
        text = f"{report.table(rows)}\n\n{METHOD.format(options.seconds, options.rounds)}\n\n{report.bullets(facts)}"
        report.write_section(options.markdown, "app-playing", text)


if __name__ == "__main__":
    main()

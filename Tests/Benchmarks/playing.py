#!/usr/bin/env python3
"""Measures the cost of playing in real time for autoharp, mpd and mpv. Reports figures, and does not judge them.

    playing.py --autoharp BIN [--seconds 60] [--markdown FILE]

Each player plays the same music as FLAC, Ogg Vorbis, MP3 and Opus to a paced sound card of 16 or 32 bits
(Tests/Audio/PacedPCM/paced.c). The card records no frames. The players take turns: in each slice of time only one
player plays. CPU, wake-ups and threads are measured in the slice, but not during the first seconds after the start.
Peak memory is the peak of the whole process. mpd is measured with its default buffer and with autoharp's buffer.

--markdown writes the table into the section "playing" of FILE, and a picture into the folder
"pictures" beside FILE.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import pictures
import report
from music import make_audio, scratch_folder
from paced import Card, Cards, EventReader
from players import (
    MPD,
    MPV,
    DEEP,
    ON_A_CARD,
    REWIND_STEP,
    Autoharp,
    Buffering,
    Player,
    missing_players,
    shipped_buffering,
)
from processes import Children, growth, usage
from report import log

SLICE_S = 20
# After this time the buffers are full, so the values of steady playback are measured.
SETTLE_S = 3
FORMATS = "S16_LE S32_LE"


@dataclass
class Cost:
    """The cost of one player and one file, over all slices."""

    cpu_ns: int = 0
    wakes: int = 0
    wall_s: float = 0
    peak_rss_kb: int = 0
    threads: int = 0
    dry: int = 0
    buffering: Buffering | None = None

    @property
    def cpu_per_minute_s(self) -> float:
        return self.cpu_ns / 1e9 * 60 / self.wall_s

    @property
    def wakes_per_second(self) -> float:
        return self.wakes / self.wall_s


def measure_slice(player: Player, card: Card, file: Path, seconds: float, cost: Cost) -> None:
    # The event file of the card also contains earlier runs, which do not count.
    reader = EventReader(card)
    reader.refresh()
    runs, dry = len(reader.runs), reader.dry
    player.start([file])
    for _ in range(500):
        time.sleep(0.02)
        player.check_running()
        reader.refresh()
        if len(reader.runs) > runs:
            break
    else:
        sys.exit(f"{player.name} does not start to play")
    time.sleep(SETTLE_S)
    player.check_running()
    before, begin = usage(player.pid), time.monotonic()
    time.sleep(seconds)
    player.check_running()
    after = usage(player.pid)
    cost.wall_s += time.monotonic() - begin
    cost.cpu_ns += growth(before.cpu_ns, after.cpu_ns)
    cost.wakes += growth(before.wakes, after.wakes)
    cost.peak_rss_kb = max(cost.peak_rss_kb, after.peak_rss_kb)
    cost.threads = max(cost.threads, after.threads)
    reader.refresh()
    cost.dry += reader.dry - dry
    run = reader.runs[-1]
    cost.buffering = Buffering(run.period, run.buffer if card.rewind_step else run.ahead, run.rate)
    player.end()
    reader.close()


def measured_players(
    autoharp: str, files: list[Path], cards: Cards, children: Children
) -> dict[str, tuple[Player, Card]]:
    missing = missing_players()
    found: dict[str, tuple[Player, Card]] = {}

    def add(name: str, make: Callable[[Card], Player], rewind_step: int | None = None) -> None:
        card = cards.add(f"card{len(found)}", FORMATS, records=False, rewind_step=rewind_step)
        found[name] = (make(card), card)

    def ours(name: str, arguments: str, has_view: bool = False) -> None:
        options = tuple(arguments.split())
        step = REWIND_STEP if arguments == DEEP else None
        add(name, lambda card: Autoharp(autoharp, card, cards, children, name, has_view, options), step)

    ours("autoharp", DEEP)
    ours("autoharp, with view", DEEP, has_view=True)
    ours("autoharp, periods", ON_A_CARD)
    if "mpd" not in missing:
        same = shipped_buffering(autoharp, files, cards, tuple(ON_A_CARD.split()))
        for name, buffering in (("mpd as it ships", None), ("mpd, same buffer", same)):
            add(name, lambda card: MPD(name, card, cards, children, buffering, has_volume=False))
    if "mpv" not in missing:
        add("mpv as it ships", lambda card: MPV("mpv", card, cards, children))
    return found


def measure(autoharp: str, folder: Path, seconds: int) -> dict[str, dict[str, Cost]]:
    """The costs, keyed by the format of the file and then by the player."""
    music = make_audio(folder, SLICE_S + 60)
    files = dict(zip(("FLAC", "Vorbis", "MP3", "Opus"), music))
    costs: dict[str, dict[str, Cost]] = {}
    slices = max(1, round(seconds / SLICE_S))
    length = seconds / slices
    cards = Cards(folder)
    with Children() as children:
        playing = measured_players(autoharp, [music.flac], cards, children)
        minutes = len(files) * slices * len(playing) * (length + SETTLE_S + 1) / 60
        log(f"playing, {length:.0f} s at a time, {minutes:.0f} min")
        for what, file in files.items():
            costs[what] = {name: Cost() for name in playing}
            for number in range(1, slices + 1):
                for name, (player, card) in playing.items():
                    cost = costs[what][name]
                    measure_slice(player, card, file, length, cost)
                    log(
                        f"  {number}/{slices} {what:7} {name:20} "
                        f"{cost.cpu_per_minute_s:6.3f} s/min CPU "
                        f"{cost.wakes_per_second:6.1f} wake-ups/s {cost.peak_rss_kb / 1024:6.1f} MB"
                    )
    return costs


# --- Report ---------------------------------------------------------------------------------------

METHOD = """\
Each player plays 44.1 kHz 16-bit stereo (Opus: 48 kHz) in real time to a paced sound card of 16 or 32 bits, for {} s.
The players take turns. *autoharp* has a card whose buffer can be rewritten; all others have a card that takes frames
when they are handed over. CPU is user + system time per minute of music. Wake-ups are voluntary context switches of
all threads. CPU and wake-ups are counted from {} s after the start. Memory is the peak of the whole process. The
column ÷ is the value of autoharp, without the terminal display, divided by the value of the player in that row. Aim
compared with mpd: ≤ 0.5 in CPU and memory. mpd plays with its mixer switched off, mpv without video."""


def rows_of(costs: dict[str, dict[str, Cost]]) -> report.Rows:
    head = ["File", "Player", "Period / buffer", "CPU per min", "÷", "Peak RSS", "÷"]
    rows = [head + ["Threads", "Wake-ups/s", "Ran dry"]]
    for what, by_player in costs.items():
        ours = by_player["autoharp"]
        for name, cost in by_player.items():
            is_ours = name.startswith("autoharp")
            assert cost.buffering
            rows.append(
                [
                    what,
                    name,
                    cost.buffering.text(),
                    f"{cost.cpu_per_minute_s:.3f} s",
                    "" if is_ours else f"{ours.cpu_per_minute_s / cost.cpu_per_minute_s:.2f}",
                    f"{cost.peak_rss_kb / 1024:.1f} MB",
                    "" if is_ours else f"{ours.peak_rss_kb / cost.peak_rss_kb:.2f}",
                    str(cost.threads),
                    f"{cost.wakes_per_second:.0f}",
                    str(cost.dry),
                ]
            )
    return rows


def run(autoharp: str, seconds: int, page: Path | None) -> None:
    with tempfile.TemporaryDirectory(
        prefix="autoharp-playing.", dir=scratch_folder(1 << 28)
    ) as folder:
        disturbance = report.Disturbance()
        costs = measure(autoharp, Path(folder), seconds)
    facts = report.machine() + report.player_versions() + disturbance.facts() + report.today()
    rows = rows_of(costs)
    print(f"{report.lines_of(facts)}\n\n{report.plain(rows)}", flush=True)
    if page:
        method = METHOD.format(seconds, SETTLE_S)
        text = f"{report.table(rows, left=(0, 1))}\n\n{method}\n\n{report.bullets(facts)}"
        report.write_section(page, "playing", text)
        used = {
            what: {name: cost.cpu_per_minute_s for name, cost in by_player.items()}
            for what, by_player in costs.items()
        }
        path = pictures.folder_beside(page) / "playing.png"
        pictures.bars(path, "Processor time for a minute of music", "s", used)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measures the cost of playing in real time, for autoharp, mpd and mpv."
    )
    parser.add_argument("--autoharp", required=True, metavar="BIN")
    parser.add_argument("--seconds", type=int, default=60, help="seconds for each file and player (default: 60)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table into FILE")
    options = parser.parse_args()
    binary = shutil.which(options.autoharp)
    if binary is None:
        parser.error(f"cannot run {options.autoharp}")
    if options.seconds < 1:
        parser.error("--seconds must be at least 1")
    run(os.path.abspath(binary), options.seconds, options.markdown)


if __name__ == "__main__":
    main()

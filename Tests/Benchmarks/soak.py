#!/usr/bin/env python3
"""Plays for hours, at the same time as mpd, on a busy machine. Reports problems, and does not judge them.

    soak.py --autoharp BIN [--minutes 60] [--only PHASE] [--markdown FILE]

autoharp and mpd play at the same time. Each player has its own paced sound card
(Tests/Audio/PacedPCM/paced.c), and mpd has the same period and buffer as autoharp. A busy loop of
nice 0 runs on one core.

In the phase "playing", the players play for --minutes without commands, and every frame is compared
with the expected frame. In the phase "commands", both players get random commands for the same time,
and the effects are measured as in latency.py. The phases run one after the other. If two runs with
--only are started at the same time, their busy loops use the same core.

A hand-over is due when the card has room for a period. The lateness of a hand-over is the time from
this moment to the hand-over. A card runs dry if it plays its last frame before it gets the next one.

--markdown writes the tables into the sections "soak-playing" and "soak-commands" of FILE.
"""

from __future__ import annotations

import argparse
import array
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import report
from coded import CodedTracks
from hearing import Baseline
from latency import KINDS, MeasuredPlayer, lost_of, milliseconds, of_kind, start_player
from music import scratch_folder
from paced import SECOND_NS, Cards, Run, Stamp
from players import (
    MPD,
    Autoharp,
    add_arguments,
    find_autoharp,
    missing_players,
    shipped_buffering,
)
from processes import Children, Usage, growth, usage
from report import log

# The growth of memory is measured only after this time, because caches are filled during this time.
WARM_S = 30
COMMANDS = ["pause", "next", "previous", "seek", "quieter"]
UNDONE_BY = {"pause": "resume", "quieter": "louder"}


@dataclass
class Timeliness:
    """The lateness of the hand-overs of one player in one phase."""

    runs: list[Run]
    late_us: array.array = field(default_factory=lambda: array.array("d"))
    minimum_margin_us: float = float("inf")
    _last_dry: Run | None = None

    def note(self, stamps: list[Stamp]) -> None:
        for stamp in stamps:
            run = self._run_of(stamp.ns)
            if run is None:
                continue  # no run has begun yet, so no hand-over is due
            # `written` is the number of frames of this run before this hand-over. If the card ran dry,
            # it waited for the frame at `run.end`, so a hand-over at a later position counts as a
            # hand-over of that frame.
            written = (stamp.offset if run.end is None else min(stamp.offset, run.end)) - run.base
            due_ns = run.start_ns + (written + run.wake - run.buffer) * SECOND_NS // run.rate
            # A hand-over that takes place before it is due is early, and not late. Ignore it.
            if stamp.ns >= due_ns:
                self.late_us.append((stamp.ns - due_ns) / 1000)
                # The margin is the time until the card plays its last frame. Compute it from the clock,
                # because the card counts only whole frames.
                left_ns = run.start_ns + written * SECOND_NS // run.rate - stamp.ns
                self.minimum_margin_us = min(self.minimum_margin_us, max(0, left_ns) / 1000)

    def _run_of(self, ns: int) -> Run | None:
        """The run to which a hand-over belongs. If the card ran dry, the next hand-over belongs to the
        run that has ended."""
        for run in reversed(self.runs):
            if run.start_ns >= ns:
                continue
            if run.end is None or ns <= run.end_ns:
                return run
            if run.is_dry and run is not self._last_dry:
                self._last_dry = run
                return run
            return None
        return None


class FrameCheck:
    """Compares every played frame with the expected frame."""

    def __init__(self, measured_player: MeasuredPlayer) -> None:
        self.measured_player = measured_player
        self.checked = 0
        self.breaks = 0
        self._before: Baseline | None = None

    def check(self) -> None:
        observer = self.measured_player.observer
        if self._before is None:
            self._before = observer.where()
            if self._before is None or self._before.place is None:
                self._before = None
                return
        before = self._before
        assert before.place
        end = observer.reader.captured
        found = observer.first_difference(before.frame, before.place, 1.0, end)
        self.checked += (end if found is None else found) - before.frame
        if found is None:
            place = observer.tracks.advance(before.place, end - before.frame)
            self._before = Baseline(end, place)
        else:
            self.breaks += 1
            self._before = None  # the place is determined again after the break
        observer.reader.forget()


@dataclass
class Phase:
    """The results of one player in one phase."""

    measured_player: MeasuredPlayer
    timeliness: Timeliness
    frame_check: FrameCheck | None
    begin: Usage
    begin_s: float
    begin_dry: int
    settled: Usage | None = None
    end: Usage | None = None
    end_s: float = 0
    dry: int = 0

    @staticmethod
    def of(measured_player: MeasuredPlayer, compares_frames: bool) -> Phase:
        reader = measured_player.observer.reader
        reader.refresh()  # skips what was played before
        timeliness = Timeliness(reader.runs)
        reader.on_stamps = timeliness.note
        return Phase(
            measured_player,
            timeliness,
            FrameCheck(measured_player) if compares_frames else None,
            usage(measured_player.player.pid),
            time.monotonic(),
            reader.dry,
        )

    def poll(self) -> None:
        self.measured_player.player.check_running()
        self.measured_player.observer.reader.refresh()
        if self.frame_check:
            self.frame_check.check()
        if self.settled is None and time.monotonic() - self.begin_s > WARM_S:
            self.settled = usage(self.measured_player.player.pid)

    def finish(self) -> None:
        self.poll()
        self.end = usage(self.measured_player.player.pid)
        self.end_s = time.monotonic()
        self.dry = self.measured_player.observer.reader.dry - self.begin_dry

    def dry_so_far(self) -> int:
        return self.measured_player.observer.reader.dry - self.begin_dry


def progress(title: str, phases: list[Phase], begin: float, seconds: float) -> None:
    left = max(0, begin + seconds - time.monotonic())
    parts = []
    for phase in phases:
        now = usage(phase.measured_player.player.pid)
        worst = max(phase.timeliness.late_us, default=0) / 1000
        parts.append(
            f"{phase.measured_player.name}: dry {phase.dry_so_far()}, late at most {worst:.2f} ms, "
            f"{now.rss_kb / 1024:.1f} MB, {now.files} files"
        )
    end = time.strftime("%H:%M", time.localtime(time.time() + left))
    log(f"  {title}, {left / 60:.0f} min left (until {end}); {'; '.join(parts)}")


def play_only(measured: list[MeasuredPlayer], seconds: float) -> list[Phase]:
    phases = [Phase.of(measured_player, compares_frames=True) for measured_player in measured]
    begin = reported_at = time.monotonic()
    kept_alive_at = begin
    while time.monotonic() < begin + seconds:
        time.sleep(0.25)
        for phase in phases:
            phase.poll()
        if time.monotonic() - kept_alive_at > 20:
            kept_alive_at = time.monotonic()
            for measured_player in measured:
                measured_player.player.keep_alive()
        if time.monotonic() - reported_at > 60:
            reported_at = time.monotonic()
            progress("playing", phases, begin, seconds)
    for phase in phases:
        phase.finish()
    return phases


def play_with_commands(measured: list[MeasuredPlayer], seconds: float) -> list[Phase]:
    phases = [Phase.of(measured_player, compares_frames=False) for measured_player in measured]
    begin = reported_at = time.monotonic()
    while time.monotonic() < begin + seconds:
        name = random.choice(COMMANDS)
        for phase in random.sample(phases, len(phases)):
            done = phase.measured_player.command(name)
            phase.poll()
            if done and name in UNDONE_BY:
                phase.measured_player.command(UNDONE_BY[name])
            phase.poll()
        if time.monotonic() - reported_at > 60:
            reported_at = time.monotonic()
            progress("commands", phases, begin, seconds)
    for phase in phases:
        phase.finish()
    return phases


# --- Report ---------------------------------------------------------------------------------------


def megabytes(before: Usage | None, after: Usage | None) -> str:
    if not after:
        return "–"
    if not before:
        return f"{after.rss_kb / 1024:.1f} MB"
    grown_kb = after.rss_kb - before.rss_kb
    return f"{before.rss_kb / 1024:.1f} → {after.rss_kb / 1024:.1f} MB ({grown_kb:+} kB)"


def rows_of(title: str, phases: list[Phase]) -> report.Rows:
    """A table with one column per player."""
    rows = [[title, *(phase.measured_player.name for phase in phases)]]

    def row(name: str, cell) -> None:
        rows.append([name, *(cell(phase) for phase in phases)])

    row("Ran dry", lambda phase: str(phase.dry))
    row("Hand-overs", lambda phase: str(len(phase.timeliness.late_us)))
    row(
        "Late by, p50 / p99 / max",
        lambda phase: report.spread([us / 1000 for us in phase.timeliness.late_us], 3) + " ms",
    )
    row(
        "Late by, p99.9",
        lambda phase: f"{report.percentile(phase.timeliness.late_us, 99.9) / 1000:.3f} ms"
        if phase.timeliness.late_us
        else "–",
    )
    row(
        "Shortest time left before the card would run dry",
        lambda phase: f"{phase.timeliness.minimum_margin_us / 1000:.2f} ms",
    )
    if phases[0].frame_check:
        row("Frames compared", lambda phase: f"{phase.frame_check.checked}")
        row("Differences", lambda phase: f"{phase.frame_check.breaks}")
    row("Memory (RSS), settled → end", lambda phase: megabytes(phase.settled, phase.end))
    row("Open files, begin → end", lambda phase: f"{phase.begin.files} → {phase.end.files}")
    row("Threads, begin → end", lambda phase: f"{phase.begin.threads} → {phase.end.threads}")

    def rates(phase: Phase) -> str:
        seconds = phase.end_s - phase.begin_s
        cpu = growth(phase.begin.cpu_ns, phase.end.cpu_ns) / 1e9 * 60 / seconds
        wakes = growth(phase.begin.wakes, phase.end.wakes) / seconds
        return f"{cpu:.3f} s/min, {wakes:.0f}/s"

    row("CPU, wake-ups", rates)
    return rows


def command_rows(measured: list[MeasuredPlayer]) -> report.Rows:
    rows = [["Command", "Player", "n", "Lost", "Handed over", "Heard", "Result heard"]]
    for kind in KINDS:
        for one in measured:
            answers, lost = of_kind(one, kind), lost_of(one, kind)
            if not answers and not lost:
                continue
            parts = ("handed_ns", "heard_ns", "arrived_ns")
            spreads = [
                report.spread(milliseconds([getattr(answer, part) for answer in answers]))
                for part in parts
            ]
            rows.append([kind, one.name, str(len(answers)), str(lost), *spreads])
    return rows


METHODS = {
    "playing": """\
autoharp and mpd play at the same time for {minutes} minutes. Each has its own paced sound card, and the period and
buffer of autoharp. Meanwhile, {load}. The lateness of a hand-over is the time
from the moment when the card has room for a period to the hand-over. A card runs dry if it plays its last frame before
it gets the next one. The first value of the memory was measured after {warm} s.""",
    "commands": """\
This phase is the same as above, but both players also get random commands. It takes {minutes} minutes, during which
{load}. The times of the commands are p50 / p99 / max in milliseconds, measured as in
[From a command to the ear](#from-a-command-to-the-ear).""",
}


def begin_load(children: Children, count: int) -> str:
    """Starts `count` busy loops and binds each to one core, beginning with the highest core number.
    Returns a description of the load."""
    cores = sorted(os.sched_getaffinity(0))[::-1][:count]
    for core in cores:
        loop = children.start([sys.executable, "-c", "while True: pass"])
        os.sched_setaffinity(loop.pid, {core})
    if not cores:
        return "no other load runs"
    names = ", ".join(str(core) for core in cores)
    where = f"core {names}" if len(cores) == 1 else f"each of the cores {names}"
    return f"a busy loop of nice 0 runs on {where} (of {os.cpu_count()})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Plays for hours next to mpd on a busy machine, and reports problems.",
        epilog="Takes twice the minutes: first playing, then commands.",
    )
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=60, help="minutes of each phase (default: 60)")
    parser.add_argument("--only", choices=list(METHODS), help="run only this phase")
    parser.add_argument("--load", type=int, default=1, metavar="N", help="number of busy cores (default: 1)")
    options = parser.parse_args()
    binary = find_autoharp(parser, options)
    if options.minutes <= 0:
        parser.error("--minutes must be greater than 0")
    arguments = tuple(options.play.split())

    with tempfile.TemporaryDirectory(
        prefix="autoharp-soak.", dir=scratch_folder(1 << 30)
    ) as folder, Children() as children:
        cards = Cards(Path(folder))
        log("making tracks")
        tracks = CodedTracks(Path(folder))
        load = begin_load(children, options.load)
        log(f"starting the players, while {load}")
        players = [Autoharp(binary, cards.add("autoharp"), cards, children, arguments=arguments)]
        if "mpd" not in missing_players():
            same = shipped_buffering(binary, tracks.files, cards, arguments)
            players.append(MPD("mpd, same buffer", cards.add("mpd"), cards, children, same))
        measured = [start_player(player, tracks) for player in players]
        disturbance = report.Disturbance()
        seconds = options.minutes * 60
        tables: dict[str, list[report.Rows]] = {}
        if options.only != "commands":
            log(f"playing for {options.minutes:g} min")
            tables["playing"] = [rows_of("Playing", play_only(measured, seconds))]
        if options.only != "playing":
            log(f"commands for {options.minutes:g} min")
            rows = rows_of("With commands", play_with_commands(measured, seconds))
            tables["commands"] = [rows, command_rows(measured)]
        disturbed = disturbance.facts()
        for measured_player in measured:
            measured_player.end()

    facts = report.machine() + report.player_versions()
    for one in measured:
        assert one.buffering
        text = f"period / buffer {one.buffering.text()} frames; {one.scheduling}"
        text += f"; commands disturbed: {one.disturbed}" if one.disturbed else ""
        facts.append((one.name, text))
    facts += disturbed + report.today()
    print(report.lines_of(facts))
    for phase, parts in tables.items():
        for rows in parts:
            print("\n" + report.plain(rows))
        if options.markdown:
            method = METHODS[phase].format(
                load=load, minutes=f"{options.minutes:g}", warm=WARM_S
            )
            text = [report.table(parts[0])]
            text += [report.table(rows, left=(0, 1)) for rows in parts[1:]]
            text += [method, report.bullets(facts)]
            report.write_section(options.markdown, f"soak-{phase}", "\n\n".join(text))


if __name__ == "__main__":
    main()

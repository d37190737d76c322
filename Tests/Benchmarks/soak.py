#!/usr/bin/env python3
"""Plays for hours, at the same time as mpd, on a busy machine. Reports problems, and does not judge them.

    soak.py --autoharp BIN [--minutes 60] [--only PHASE] [--stalls 20,50,100] [--markdown FILE]

Four players play at the same time: autoharp with a buffer that is rewritten, autoharp with periods, mpd
as it ships, and mpd with the periods of autoharp. Each player has its own paced sound card
(Tests/Audio/PacedPCM/paced.c). A busy loop of nice 0 runs on one core. In the phase "playing", stalls.c
stops all other threads on all cores for some milliseconds, once in some seconds.

In the phase "playing", the players play for --minutes without commands, and every frame is compared with
the expected frame. In the phase "commands", all players get random commands for the same time, and the
effects are measured as in latency.py. The phases run one after the other. If two runs with --only are
started at the same time, their busy loops use the same core.

A hand-over is due when the card has room for a period. The lateness of a hand-over is the time from this
moment to the hand-over. A card runs dry if it plays its last frame before it gets the next frame. For a
card whose buffer can be rewritten, only the shortest time that was left in the buffer is reported.

--markdown writes the tables into the sections "soak-playing" and "soak-commands" of FILE, and a
picture of the buffers into the folder "pictures" beside FILE.
"""

from __future__ import annotations

import argparse
import array
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass, field
from pathlib import Path

import pictures
import report
from coded import CodedTracks
from hearing import Baseline
from latency import KINDS, MeasuredPlayer, lost_of, milliseconds, of_kind, start_player
from music import scratch_folder
from paced import SECOND_NS, Cards, Run, Stamp
from players import (
    DEEP,
    MPD,
    REWIND_STEP,
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
# The picture shows the levels of the buffers for this time from the start of the phase, in seconds.
SHOWN_S = 12
# The time between two stalls, in milliseconds.
BETWEEN_STALLS_MS = (2000, 5000)
COMMANDS = ["pause", "next", "previous", "seek", "quieter"]
UNDONE_BY = {"pause": "resume", "quieter": "louder"}


@dataclass
class Timeliness:
    """The lateness of the hand-overs of one player in one phase, and the level of its buffer."""

    runs: list[Run]
    is_rewritten: bool
    late_us: array.array = field(default_factory=lambda: array.array("d"))
    minimum_margin_us: float = float("inf")
    # The time in nanoseconds and the level in frames, before and after each change of the level.
    levels: list[tuple[int, int]] = field(default_factory=list)
    shown_until_ns: int = 0
    _last_dry: Run | None = None

    def note(self, stamps: list[Stamp]) -> None:
        for stamp in stamps:
            run = self._run_of(stamp.ns)
            if run is None:
                continue  # no run has begun yet, so no hand-over is due
            if self.is_rewritten:
                self._note_played(stamp, run)
                continue
            # `written` is the number of frames of this run before this hand-over. If the card ran dry,
            # it waited for the frame at `run.end`, so a hand-over at a later position counts as a
            # hand-over of the frame at `run.end`.
            written = (stamp.offset if run.end is None else min(stamp.offset, run.end)) - run.base
            due_ns = run.start_ns + (written + run.wake - run.buffer) * SECOND_NS // run.rate
            self._show((stamp.ns, stamp.ahead), (stamp.ns, stamp.ahead + stamp.frames))
            # A hand-over that takes place before it is due is early, and not late. Ignore it.
            if stamp.ns >= due_ns:
                self.late_us.append((stamp.ns - due_ns) / 1000)
                # The margin is the time until the card plays its last frame. Compute it from the clock,
                # because the card counts only whole frames.
                left_ns = run.start_ns + written * SECOND_NS // run.rate - stamp.ns
                self.minimum_margin_us = min(self.minimum_margin_us, max(0, left_ns) / 1000)

    def _note_played(self, stamp: Stamp, run: Run) -> None:
        """Evaluates the record of frames that were played from a buffer that is rewritten."""
        left = stamp.ahead - stamp.frames
        end_ns = stamp.ns + stamp.frames * SECOND_NS // run.rate
        self._show((stamp.ns, stamp.ahead), (end_ns, left))
        self.minimum_margin_us = min(self.minimum_margin_us, left * 1e6 / run.rate)

    def _show(self, *points: tuple[int, int]) -> None:
        if points[0][0] < self.shown_until_ns:
            self.levels += points

    def _run_of(self, ns: int) -> Run | None:
        """The run to which a hand-over belongs. If the card ran dry, the next hand-over belongs to the
        run that has ended."""
        for run in reversed(self.runs):
            if run.start_ns > ns:
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
        timeliness = Timeliness(reader.runs, measured_player.player.card.rewind_step is not None)
        timeliness.shown_until_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + SHOWN_S * SECOND_NS
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
    row("Hand-overs", lambda phase: str(len(phase.timeliness.late_us) or "–"))
    row(
        "Late by, p50 / p99 / max",
        lambda phase: report.spread([us / 1000 for us in phase.timeliness.late_us], 3) + " ms"
        if phase.timeliness.late_us
        else "–",
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
The players play at the same time for {minutes} minutes, each to its own paced sound card. *autoharp* has a card whose
buffer can be rewritten. All others have a card that takes frames when they are handed over. *Same buffer* means the same
period and buffer as *autoharp, periods*. Meanwhile, {load}. {stalls}The lateness of a
hand-over is the time from the moment when the card has room for a period to the hand-over. A card runs dry if it has
played its last frame before it gets the next frame. The value *settled* of the memory was measured after {warm} s.""",
    "commands": """\
This phase is the same as above, but without stalls, and all players also get random commands. It takes {minutes}
minutes, during which {load}. The times of the commands are p50 / p99 / max in
milliseconds, measured as in [From a command to the ear](#from-a-command-to-the-ear).""",
}


class Stalls:
    """Stops all threads on all cores again and again (stalls.c)."""

    def __init__(self, durations: str, folder: Path, children: Children) -> None:
        self.durations = [int(word) for word in durations.split(",") if word]
        self._record = folder / "stalls.record"
        self._child = None
        if not self.durations:
            return
        program = folder / "stalls"
        source = Path(__file__).resolve().with_name("stalls.c")
        compiler = shutil.which("cc") or shutil.which("clang")
        assert compiler, "the paced sound card was compiled"
        subprocess.run([compiler, "-std=gnu11", "-O2", "-pthread", "-o", program, source], check=True)
        self._program = program
        self._children = children

    def begin(self) -> None:
        if not self.durations:
            return
        words = [str(number) for number in (*BETWEEN_STALLS_MS, *self.durations)]
        with self._record.open("wb") as record:
            self._child = self._children.start([str(self._program), *words], stdout=record)
        try:
            self._child.wait(0.5)
        except subprocess.TimeoutExpired:
            return
        sys.exit("the stalls need the right to use real-time priority")

    def end(self) -> None:
        if self._child is None:
            return
        if self._child.poll() is not None:
            sys.exit("stalls.c has ended")
        self._children.end(self._child)

    def done(self) -> list[tuple[int, int]]:
        """The time of each stall in nanoseconds, and its duration in milliseconds."""
        if self._child is None:
            return []
        lines = self._record.read_text().splitlines()
        return [(int(begin), int(duration)) for begin, duration in (line.split() for line in lines)]

    def text(self) -> str:
        if self._child is None:
            return ""
        found = [duration for _, duration in self.done()]
        counts = ", ".join(f"{found.count(each)} × {each} ms" for each in sorted(set(self.durations)))
        return f"All threads on all cores are stopped by a loop with real-time priority: {counts}. "


def draw_levels(path: Path, phases: list[Phase], stalls: Stalls) -> None:
    shown = [phase for phase in phases if phase.timeliness.levels]
    if not shown:
        return
    start_ns = min(phase.timeliness.levels[0][0] for phase in shown)

    def points(phase: Phase) -> list[tuple[float, float]]:
        rate = phase.measured_player.observer.reader.runs[-1].rate
        return [((ns - start_ns) / 1e9, 1000 * frames / rate) for ns, frames in phase.timeliness.levels]

    marks = [((ns - start_ns) / 1e9, (ns - start_ns) / 1e9 + ms / 1000) for ns, ms in stalls.done()]
    pictures.levels(
        path,
        "Level of the buffer of the sound card. Grey: all threads are stopped.",
        {phase.measured_player.name: points(phase) for phase in shown},
        [mark for mark in marks if mark[0] < SHOWN_S],
    )


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
    stalls_help = "milliseconds for which all threads are stopped while the players play (default: %(default)s)"
    parser.add_argument("--stalls", default="20,50,100", metavar="MS,...", help=stalls_help)
    options = parser.parse_args()
    binary = find_autoharp(parser, options)
    if options.minutes <= 0:
        parser.error("--minutes must be greater than 0")
    if re.fullmatch(r"(\d+(,\d+)*)?", options.stalls) is None:
        parser.error("--stalls takes numbers with commas between them")
    arguments = tuple(options.play.split())

    with tempfile.TemporaryDirectory(
        prefix="autoharp-soak.", dir=scratch_folder(1 << 30)
    ) as folder, Children() as children:
        cards = Cards(Path(folder))
        log("making tracks")
        tracks = CodedTracks(Path(folder))
        load = begin_load(children, options.load)
        log(f"starting the players, while {load}")
        deep = cards.add("autoharp", rewind_step=REWIND_STEP)
        players = [
            Autoharp(binary, deep, cards, children, arguments=tuple(DEEP.split())),
            Autoharp(binary, cards.add("periods"), cards, children, "autoharp, periods", arguments=arguments),
        ]
        if "mpd" not in missing_players():
            players.append(MPD("mpd as it ships", cards.add("mpd"), cards, children))
            same = shipped_buffering(binary, tracks.files, cards, arguments)
            players.append(MPD("mpd, same buffer", cards.add("mpd_same"), cards, children, same))
        measured = [start_player(player, tracks) for player in players]
        disturbance = report.Disturbance()
        stalls = Stalls(options.stalls, Path(folder), children)
        seconds = options.minutes * 60
        tables: dict[str, list[report.Rows]] = {}
        if options.only != "commands":
            log(f"playing for {options.minutes:g} min")
            stalls.begin()
            phases = play_only(measured, seconds)
            stalls.end()
            tables["playing"] = [rows_of("Playing", phases)]
            if options.markdown:
                draw_levels(pictures.folder_beside(options.markdown) / "buffers.png", phases, stalls)
        if options.only != "playing":
            log(f"commands for {options.minutes:g} min")
            rows = rows_of("With commands", play_with_commands(measured, seconds))
            tables["commands"] = [rows, command_rows(measured)]
        disturbed, stalled = disturbance.facts(), stalls.text()
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
                load=load, minutes=f"{options.minutes:g}", warm=WARM_S, stalls=stalled
            )
            text = [report.table(parts[0])]
            text += [report.table(rows, left=(0, 1)) for rows in parts[1:]]
            text += [textwrap.fill(method, 120), report.bullets(facts)]
            report.write_section(options.markdown, f"soak-{phase}", "\n\n".join(text))


if __name__ == "__main__":
    main()

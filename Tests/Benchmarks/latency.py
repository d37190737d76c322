#!/usr/bin/env python3
"""Measures the time from a command to the change of the sound, for autoharp, mpd and mpv. Reports
figures, and does not judge them.

    latency.py --autoharp BIN [--commands 500] [--markdown FILE]

All players play at the same time, and each player has its own paced sound card
(Tests/Audio/PacedPCM/paced.c). The card takes frames in real time and records when they were handed
over. Each command is sent to all players, one after the other in random order, at random moments.
Every played frame is known, so the first frame that the command changed can be found (hearing.py).

  handed over   from the command to the hand-over of the first changed frame
  heard         from the command until that frame is played
  result heard  from the command until the requested result is heard: the new place, silence, or
                the first sound. docs/benchmarks.md also calls it "heard as asked"
  step          the largest level step from the change to the result: 100 % is a cut, which clicks

If a player stops its card to pause or to skip, no frame is changed. Then the time of the stop counts
as handed over and as heard. A command without an effect within 5 s counts as lost.

--markdown writes the tables into the section "latency" of FILE, and a picture into the folder
"pictures" beside FILE.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pictures
import report
from coded import RATE, CodedTracks, Place
from hearing import Effect, EffectWatch, SoundObserver
from music import scratch_folder
from paced import Cards
from players import (
    DEEP,
    MPD,
    MPV,
    REWIND_STEP,
    Autoharp,
    Buffering,
    Player,
    add_arguments,
    find_autoharp,
    missing_players,
    shipped_buffering,
)
from processes import Children, scheduling
from report import log

# Each entry contains the commands that are sent one after the other. The second command undoes the first command. Each
# command is sent after a random delay.
UNITS = [
    ("pause", "resume"),
    ("next", "previous"),
    ("seek",),
    ("quieter", "louder"),
    ("mute", "unmute"),
]
# Commands that share one row of a table.
KINDS = {
    "pause": ("pause",),
    "resume": ("resume",),
    "next": ("next",),
    "previous": ("previous",),
    "seek": ("seek",),
    "volume": ("quieter", "louder"),
    "mute": ("mute", "unmute"),
}
# autoharp with a buffer that is rewritten, on cards whose position advances in steps of 0.1 ms and 1 ms.
DEEP_PLAYERS = (("autoharp", REWIND_STEP), ("autoharp 1 ms", 10 * REWIND_STEP))
PERIODS = "autoharp periods"
LEAST_WAIT_S, MOST_WAIT_S = 0.02, 0.12


@dataclass
class MeasuredPlayer:
    """A player, the observation of its sound, and the effects of its commands."""

    player: Player
    observer: SoundObserver
    effects: dict[str, list[Effect]] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    disturbed: int = 0
    is_held: bool = False
    buffering: Buffering | None = None
    scheduling: str = ""
    # For each pause, the number of frames that are never heard: the frames between the last frame
    # that is heard before the pause and the first frame that is heard after the pause.
    skipped: list[int] = field(default_factory=list)
    held_at: Place | None = None

    @property
    def name(self) -> str:
        return self.player.name

    def begin(self) -> None:
        """Waits until the player plays."""
        if not self.observer.settle(10):
            self.player.check_running()
            sys.exit(f"{self.name} does not start to play")
        run = self.observer.reader.runs[-1]
        self.buffering = Buffering(run.period, run.ahead, run.rate)
        self.scheduling = scheduling(self.player.pid)

    def command(self, command: str) -> Effect | None:
        """Sends the command at a random moment and waits for its effect."""
        self.player.keep_alive()
        before = self.observer.settle(plays=not self.is_held)
        if before is None:
            # If the sound before the command is not known, its change cannot be recognized.
            self._record_lost(command, "the sound before the command is not known")
            self.recover()
            return None
        forwards = before.place is None or before.place.frame < 60 * RATE
        time.sleep(random.uniform(LEAST_WAIT_S, MOST_WAIT_S))
        sent_ns = self.player.press(command, forwards)
        watch = EffectWatch(self.observer, command, before, sent_ns)
        effect = watch.poll()
        while effect is None and not watch.is_late:
            time.sleep(0.005)
            effect = watch.poll()
        self.disturbed += watch.disturbed
        self.observer.reader.forget()
        if effect is None:
            self._record_lost(command, watch.failure_reason)
            self.recover()
            return None
        self.effects.setdefault(command, []).append(effect)
        self.is_held = command in ("pause", "mute")
        if command == "pause":
            self.held_at = effect.place
        elif command == "resume" and self.held_at and effect.place:
            if self.held_at.track == effect.place.track:
                self.skipped.append(effect.place.frame - self.held_at.frame)
        return effect

    def _record_lost(self, command: str, reason: str) -> None:
        self.lost[command] = self.lost.get(command, 0) + 1
        log(f"  lost: {command} to {self.name}: {reason}")

    def recover(self) -> None:
        """Makes the player play at full level again, whatever state the player is in."""
        self.player.check_running()
        for _ in range(5):
            now = self.observer.settle(2)
            if now and now.gain == 1:
                self.is_held = False
                return
            self.player.press("louder" if now else "resume")
        sys.exit(f"{self.name} does not play again")

    def end(self) -> None:
        self.player.end()
        self.observer.close()


def start_player(player: Player, tracks: CodedTracks) -> MeasuredPlayer:
    measured_player = MeasuredPlayer(player, SoundObserver(player.card, tracks))
    player.start(tracks.files)
    measured_player.begin()
    shape = measured_player.buffering.text() if measured_player.buffering else ""
    log(f"  {player.name:26} {shape} frames; {measured_player.scheduling}")
    return measured_player


def players(
    autoharp: str, arguments: tuple[str, ...], tracks: CodedTracks, cards: Cards, children: Children
) -> list[Player]:
    deep = tuple(DEEP.split())
    found: list[Player] = [
        Autoharp(autoharp, cards.add(name.replace(" ", "_"), rewind_step=step), cards, children, name, arguments=deep)
        for name, step in DEEP_PLAYERS
    ]
    found.append(
        Autoharp(autoharp, cards.add("periods"), cards, children, PERIODS, arguments=arguments)
    )
    missing = missing_players()
    if "mpd" not in missing:
        found.append(MPD("mpd as it ships", cards.add("mpd"), cards, children))
        same = shipped_buffering(autoharp, tracks.files, cards, arguments)
        found.append(MPD("mpd, same buffer", cards.add("mpd_same"), cards, children, same))
    if "mpv" not in missing:
        found.append(MPV("mpv as it ships", cards.add("mpv"), cards, children))
    return found


def measure(measured: list[MeasuredPlayer], rounds: int) -> None:
    begin = reported_at = time.monotonic()
    for number in range(1, rounds + 1):
        for unit in random.sample(UNITS, len(UNITS)):
            participants = [c for c in measured if all(c.player.can(command) for command in unit)]
            if unit[0] == "mute" and not measured[0].player.can("mute"):
                continue  # autoharp cannot mute, so there is nothing to compare
            skipped: list[MeasuredPlayer] = []
            for command in unit:
                for measured_player in random.sample(participants, len(participants)):
                    if measured_player in skipped:
                        continue
                    if measured_player.command(command) is None:
                        skipped.append(measured_player)
        now = time.monotonic()
        if now - reported_at > 30 or number in (1, rounds):
            reported_at = now
            left = (now - begin) / number * (rounds - number)
            log(f"  round {number} of {rounds}, {left / 60:.0f} min left")


# --- Report ---------------------------------------------------------------------------------------


def of_kind(measured_player: MeasuredPlayer, kind: str) -> list[Effect]:
    return [effect for name in KINDS[kind] for effect in measured_player.effects.get(name, [])]


def lost_of(measured_player: MeasuredPlayer, kind: str) -> int:
    return sum(measured_player.lost.get(name, 0) for name in KINDS[kind])


def milliseconds(values: list[int | None]) -> list[float]:
    return [value / 1e6 for value in values if value is not None]


def measured_kinds(measured: list[MeasuredPlayer]) -> list[str]:
    return [
        kind
        for kind in KINDS
        if any(of_kind(one, kind) or lost_of(one, kind) for one in measured)
    ]


def overview(measured: list[MeasuredPlayer], title: str, part: str) -> report.Rows:
    """A table with the p99 of each player, and the ratio of autoharp to each other player."""
    names = [one.name for one in measured]
    rows = [[f"{title}, p99", *names, *(f"÷ {name}" for name in names[1:])]]
    for kind in measured_kinds(measured):
        marks = []
        for one in measured:
            values = milliseconds([getattr(effect, part) for effect in of_kind(one, kind)])
            marks.append(report.percentile(values, 99) if values else None)
        cells = [f"{mark:.1f} ms" if mark is not None else "–" for mark in marks]
        for mark in marks[1:]:
            known = marks[0] is not None and mark is not None
            cells.append(f"{marks[0] / mark:.2f}" if known else "–")
        rows.append([kind, *cells])
    return rows


def details(measured: list[MeasuredPlayer]) -> report.Rows:
    rows = [["Command", "Player", "n", "Lost", "Handed over", "Heard", "Result heard", "Step"]]
    for kind in measured_kinds(measured):
        for one in measured:
            effects = of_kind(one, kind)
            rows.append(
                [
                    kind,
                    one.name,
                    str(len(effects)),
                    str(lost_of(one, kind)),
                    report.spread(milliseconds([effect.handed_ns for effect in effects]))
                    if one.player.card.rewind_step is None
                    else "–",
                    report.spread(milliseconds([effect.heard_ns for effect in effects])),
                    report.spread(milliseconds([effect.arrived_ns for effect in effects])),
                    f"{100 * median(effect.step for effect in effects):.1f} %" if effects else "–",
                ]
            )
    return rows


def deep_aims(measured: list[MeasuredPlayer]) -> report.Rows:
    """Compares the latency of autoharp with a deep buffer with the aims. The aims depend on the step of the card,
    because the safeguard is 1.5 steps plus 1.33 ms."""
    rows = [["deep buffer, heard, p99", *(f"{one.name}, aim {5 + 2 * n} ms" for n, one in enumerate(measured))]]
    for kind in measured_kinds(measured):
        marks = [milliseconds([effect.heard_ns for effect in of_kind(one, kind)]) for one in measured]
        rows.append([kind, *(f"{report.percentile(mark, 99):.1f} ms" if mark else "–" for mark in marks)])
    return rows


def aims(ours: MeasuredPlayer) -> report.Rows:
    """Compares the player whose buffer is filled by periods with its aims. The aims are multiples of the period."""
    assert ours.buffering
    period_ms = 1000 * ours.buffering.period / ours.buffering.rate
    rows = [[f"{ours.name}, p99", "handed over", "aim: 1 period", "heard", "aim: 3 periods + 2 ms"]]
    for kind in measured_kinds([ours]):
        effects = of_kind(ours, kind)
        if not effects:
            continue
        handed = report.percentile(milliseconds([effect.handed_ns for effect in effects]), 99)
        heard = report.percentile(milliseconds([effect.heard_ns for effect in effects]), 99)
        rows.append(
            [
                kind,
                f"{handed:.1f} ms",
                f"{period_ms:.1f} ms",
                f"{heard:.1f} ms",
                f"{3 * period_ms + 2:.1f} ms",
            ]
        )
    return rows


def pauses(measured: list[MeasuredPlayer]) -> report.Rows:
    """A table of the music that a pause skips."""
    rows = [["Music skipped by a pause", "p50 / p99 / max"]]
    for one in measured:
        skipped = [1000 * frames / RATE for frames in one.skipped]
        rows.append([one.name, f"{report.spread(skipped)} ms" if skipped else "–"])
    return rows


def draw(path: Path, measured: list[MeasuredPlayer]) -> None:
    values = {
        one.name: milliseconds([effect.heard_ns for kind in KINDS for effect in of_kind(one, kind)])
        for one in measured
    }
    pictures.histograms(path, "From a command until its first change is heard, all commands", "ms", values)


METHOD = """\
All players play at the same time, each to its own paced sound card. Each player gets the same commands, one after the
other, in random order and at random moments. All times are p50 / p99 / max in milliseconds, and begin when the command
is sent: as a key, or as a line on the socket. *Handed over*: until the first frame that the command changed is handed
over. *Heard*: until that frame is played. *Result heard*: until the requested position, silence or sound is played.
*Step*: the median of the largest jump of the level between two frames during the change. 100 % is a cut, which clicks;
a smaller value is a fade. A player that stops its card to pause or skip changes no frame. In this case the time of the
stop counts as *handed over* and as *heard*. A card whose buffer is rewritten does not record when a frame was handed
over. A command that has no effect within 5 s counts as lost. *Music skipped by a pause* is the music that was in the
buffer when the card was stopped. Aim compared with mpd as it ships: ≤ 0.1."""


def facts_of(measured: list[MeasuredPlayer], disturbance: report.Disturbance) -> report.Facts:
    facts = report.machine() + report.player_versions()
    for one in measured:
        assert one.buffering
        rate = f"{one.buffering.rate // 1000} kHz"
        text = f"period / buffer {one.buffering.text()} frames at {rate}"
        text += f"; {one.scheduling}; ran dry {one.observer.reader.dry} times"
        text += f"; commands disturbed: {one.disturbed}" if one.disturbed else ""
        facts.append((one.name, text))
    return facts + disturbance.facts() + report.today()


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measures the time from a command until it is heard, for autoharp, mpd and mpv.",
        epilog="A command takes about 7 s with all players; 500 commands take an hour.",
    )
    add_arguments(parser)
    parser.add_argument("--commands", type=int, default=500, help="number of commands of each kind (default: 500)")
    options = parser.parse_args()
    binary = find_autoharp(parser, options)
    if options.commands < 1:
        parser.error("--commands must be at least 1")

    with tempfile.TemporaryDirectory(
        prefix="autoharp-latency.", dir=scratch_folder(1 << 30)
    ) as folder, Children() as children:
        cards = Cards(Path(folder))
        log("making tracks")
        tracks = CodedTracks(Path(folder))
        log("starting the players: period / buffer")
        arguments = tuple(options.play.split())
        chosen = players(binary, arguments, tracks, cards, children)
        measured = [start_player(player, tracks) for player in chosen]
        disturbance = report.Disturbance()
        log(f"{options.commands} commands of each kind")
        measure(measured, options.commands)
        for measured_player in measured:
            measured_player.end()
    facts = facts_of(measured, disturbance)

    tables = [
        overview(measured, "First change heard", "heard_ns"),
        overview(measured, "Heard as asked", "arrived_ns"),
        deep_aims(measured[: len(DEEP_PLAYERS)]),
        aims(next(one for one in measured if one.name == PERIODS)),
        pauses(measured),
        details(measured),
    ]
    print(report.lines_of(facts))
    for rows in tables:
        print("\n" + report.plain(rows))
    if options.markdown:
        text = "\n\n".join(report.table(rows) for rows in tables[:-1])
        text += f"\n\n{report.table(tables[-1], left=(0, 1))}"
        text += f"\n\n{METHOD}\n\n{report.bullets(facts)}"
        report.write_section(options.markdown, "latency", text)
        draw(pictures.folder_beside(options.markdown) / "latency.png", measured)


if __name__ == "__main__":
    main()

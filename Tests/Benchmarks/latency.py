#!/usr/bin/env python3
"""Measures the time from a command to the ear, for autoharp, mpd and mpv; no pass or fail.

    latency.py --autoharp BIN [--commands 500] [--markdown FILE]

All players play at the same time, each to its own paced sound card
(Tests/Audio/PacedPCM/paced.c), which takes frames in real time and records when they were handed
over. Each command goes to all players in random order, one at a time, at random moments. Every
played frame is known, so the first frame that the command changed is known too (hearing.py).

  handed over  from the command to the hand-over of the first changed frame
  heard        from the command until that frame is played
  as asked     until the requested result is heard: the new place, silence, the first sound
  step         the largest level step in that time: 100 % is a cut, which clicks

A player that stops its card to pause or to skip has no changed frame. Then the time of the stop
counts as handed over and as heard. A command without effect for 5 s is counted as lost.

--markdown writes the tables into the section "latency" of FILE.
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

import report
from coded import RATE, CodedTracks, Place
from hearing import Answer, Listener, Watch
from music import scratch_folder
from paced import Cards
from players import (
    MPD,
    MPV,
    Autoharp,
    Buffering,
    Player,
    add_arguments,
    find_autoharp,
    missing_peers,
    shipped_buffering,
)
from processes import Children, scheduling
from report import say

# The commands of a pair undo each other; a random delay precedes each command.
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
LEAST_WAIT_S, MOST_WAIT_S = 0.02, 0.12


@dataclass
class Contestant:
    """A player, the observation of its sound, and the answers to its commands."""

    player: Player
    listener: Listener
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    disturbed: int = 0
    is_held: bool = False
    buffering: Buffering | None = None
    scheduling: str = ""
    # Music that a pause skips: frames between the last one heard before it and the first after it.
    skipped: list[int] = field(default_factory=list)
    held_at: Place | None = None

    @property
    def name(self) -> str:
        return self.player.name

    def begin(self) -> None:
        """Waits until the player plays."""
        if not self.listener.settle(10):
            self.player.must_run()
            sys.exit(f"{self.name} does not begin to play what it was given")
        run = self.listener.reader.runs[-1]
        self.buffering = Buffering(run.period, run.ahead, run.rate)
        self.scheduling = scheduling(self.player.pid)

    def command(self, command: str) -> Answer | None:
        """Sends the command at a random moment and waits for its effect."""
        self.player.tend()
        before = self.listener.settle(plays=not self.is_held)
        if before is None:
            # Without a known baseline the effect of the command cannot be recognized.
            self._lose(command, "what it played before is not known")
            self.recover()
            return None
        forwards = before.place is None or before.place.frame < 60 * RATE
        time.sleep(random.uniform(LEAST_WAIT_S, MOST_WAIT_S))
        sent_ns = self.player.press(command, forwards)
        watch = Watch(self.listener, command, before, sent_ns)
        answer = watch.look()
        while answer is None and not watch.is_late:
            time.sleep(0.005)
            answer = watch.look()
        self.disturbed += watch.disturbed
        self.listener.reader.forget()
        if answer is None:
            self._lose(command, watch.words)
            self.recover()
            return None
        self.answers.setdefault(command, []).append(answer)
        self.is_held = command in ("pause", "mute")
        if command == "pause":
            self.held_at = answer.place
        elif command == "resume" and self.held_at and answer.place:
            if self.held_at.track == answer.place.track:
                self.skipped.append(answer.place.frame - self.held_at.frame)
        return answer

    def _lose(self, command: str, why: str) -> None:
        self.lost[command] = self.lost.get(command, 0) + 1
        say(f"  lost: {command} to {self.name}: {why}")

    def recover(self) -> None:
        """Makes the player play at full level again, whatever its current state."""
        self.player.must_run()
        for _ in range(5):
            now = self.listener.settle(2)
            if now and now.gain == 1:
                self.is_held = False
                return
            self.player.press("louder" if now else "resume")
        sys.exit(f"{self.name} cannot be brought back to playing")

    def end(self) -> None:
        self.player.end()
        self.listener.close()


def enter(player: Player, tracks: CodedTracks) -> Contestant:
    contestant = Contestant(player, Listener(player.card, tracks))
    player.start(tracks.files)
    contestant.begin()
    shape = contestant.buffering.words() if contestant.buffering else ""
    say(f"  {player.name:26} {shape} frames; {contestant.scheduling}")
    return contestant


def players(
    autoharp: str, arguments: tuple[str, ...], tracks: CodedTracks, cards: Cards, children: Children
) -> list[Player]:
    found: list[Player] = [
        Autoharp(autoharp, cards.add("autoharp"), cards, children, arguments=arguments)
    ]
    missing = missing_peers()
    if "mpd" not in missing:
        found.append(MPD("mpd as it ships", cards.add("mpd"), cards, children))
        same = shipped_buffering(autoharp, tracks.files, cards, arguments)
        found.append(MPD("mpd, same buffer", cards.add("mpd_same"), cards, children, same))
    if "mpv" not in missing:
        found.append(MPV("mpv as it ships", cards.add("mpv"), cards, children))
    return found


def measure(contestants: list[Contestant], rounds: int) -> None:
    begin = said = time.monotonic()
    for number in range(1, rounds + 1):
        for unit in random.sample(UNITS, len(UNITS)):
            taking = [c for c in contestants if all(c.player.can(command) for command in unit)]
            if unit[0] == "mute" and not contestants[0].player.can("mute"):
                continue  # nothing to compare with
            skipped: list[Contestant] = []
            for command in unit:
                for contestant in random.sample(taking, len(taking)):
                    if contestant in skipped:
                        continue
                    if contestant.command(command) is None:
                        skipped.append(contestant)
        now = time.monotonic()
        if now - said > 30 or number in (1, rounds):
            said = now
            left = (now - begin) / number * (rounds - number)
            say(f"  round {number} of {rounds}, {left / 60:.0f} min left")


# --- Report ---------------------------------------------------------------------------------------


def of_kind(contestant: Contestant, kind: str) -> list[Answer]:
    return [answer for name in KINDS[kind] for answer in contestant.answers.get(name, [])]


def lost_of(contestant: Contestant, kind: str) -> int:
    return sum(contestant.lost.get(name, 0) for name in KINDS[kind])


def milliseconds(values: list[int | None]) -> list[float]:
    return [value / 1e6 for value in values if value is not None]


def asked_kinds(contestants: list[Contestant]) -> list[str]:
    return [
        kind
        for kind in KINDS
        if any(of_kind(one, kind) or lost_of(one, kind) for one in contestants)
    ]


def overview(contestants: list[Contestant], title: str, part: str) -> report.Rows:
    """The p99 of each player, and the ratio of autoharp to each other player."""
    names = [one.name for one in contestants]
    rows = [[f"{title}, p99", *names, *(f"÷ {name}" for name in names[1:])]]
    for kind in asked_kinds(contestants):
        marks = []
        for one in contestants:
            values = milliseconds([getattr(answer, part) for answer in of_kind(one, kind)])
            marks.append(report.percentile(values, 99) if values else None)
        cells = [f"{mark:.1f} ms" if mark is not None else "–" for mark in marks]
        for mark in marks[1:]:
            known = marks[0] is not None and mark is not None
            cells.append(f"{marks[0] / mark:.2f}" if known else "–")
        rows.append([kind, *cells])
    return rows


def details(contestants: list[Contestant]) -> report.Rows:
    rows = [["Command", "Player", "n", "Lost", "Handed over", "Heard", "As asked", "Step"]]
    for kind in asked_kinds(contestants):
        for one in contestants:
            answers = of_kind(one, kind)
            rows.append(
                [
                    kind,
                    one.name,
                    str(len(answers)),
                    str(lost_of(one, kind)),
                    report.spread(milliseconds([answer.handed_ns for answer in answers])),
                    report.spread(milliseconds([answer.heard_ns for answer in answers])),
                    report.spread(milliseconds([answer.arrived_ns for answer in answers])),
                    f"{100 * median(answer.step for answer in answers):.1f} %" if answers else "–",
                ]
            )
    return rows


def aims(ours: Contestant) -> report.Rows:
    """Compares autoharp with its aims, which are given in its own periods."""
    assert ours.buffering
    period_ms = 1000 * ours.buffering.period / ours.buffering.rate
    rows = [["autoharp, p99", "handed over", "aim: 1 period", "heard", "aim: 3 periods + 2 ms"]]
    for kind in asked_kinds([ours]):
        answers = of_kind(ours, kind)
        if not answers:
            continue
        handed = report.percentile(milliseconds([answer.handed_ns for answer in answers]), 99)
        heard = report.percentile(milliseconds([answer.heard_ns for answer in answers]), 99)
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


def pauses(contestants: list[Contestant]) -> report.Rows:
    """How much music a pause skips."""
    rows = [["Music left out by a pause", "p50 / p99 / max"]]
    for one in contestants:
        skipped = [1000 * frames / RATE for frames in one.skipped]
        rows.append([one.name, f"{report.spread(skipped)} ms" if skipped else "–"])
    return rows


METHOD = """All players play at once, each to a paced sound card of its own; the same command goes
to each in turn, in random order, at random moments. *Handed over*: from the key or the line on the
socket to the hand-over of the first frame that the command changed. *Heard*: until that frame is
played. *As asked*: until the new place, the silence or the sound is played that was asked for.
p50 / p99 / max, in milliseconds. *Step*: the largest jump of the level between two frames
meanwhile, median; 100 % is a cut, which clicks, less is a fade. A player that stops its card to
pause or skip changes no frame: the stop counts as handed over and heard. A command without effect
for 5 s is lost. What a pause leaves out was in the buffer when the card was stopped, and is never
played. Aim beside mpd as it ships: ≤ 0.1."""


def facts_of(contestants: list[Contestant], noise: report.Disturbance) -> report.Facts:
    facts = report.machine() + report.peer_versions()
    for one in contestants:
        assert one.buffering
        rate = f"{one.buffering.rate // 1000} kHz"
        words = f"period / buffer {one.buffering.words()} frames at {rate}"
        words += f"; {one.scheduling}; ran dry {one.listener.reader.dry} times"
        words += f"; commands disturbed: {one.disturbed}" if one.disturbed else ""
        facts.append((one.name, words))
    return facts + noise.facts() + report.today()


def main() -> None:
    parser = argparse.ArgumentParser(
        description="measure the time from a command to the ear, beside mpd and mpv",
        epilog="Takes about 7 s per command with all players: 500 are an hour.",
    )
    add_arguments(parser)
    parser.add_argument("--commands", type=int, default=500, help="of each kind (500)")
    options = parser.parse_args()
    binary = find_autoharp(parser, options)
    if options.commands < 1:
        parser.error("at least one command")

    with tempfile.TemporaryDirectory(
        prefix="autoharp-latency.", dir=scratch_folder(1 << 30)
    ) as folder, Children() as children:
        cards = Cards(Path(folder))
        say("making tracks")
        tracks = CodedTracks(Path(folder))
        say("starting the players: period / buffer")
        arguments = tuple(options.play.split())
        entering = players(binary, arguments, tracks, cards, children)
        contestants = [enter(player, tracks) for player in entering]
        noise = report.Disturbance()
        say(f"{options.commands} commands of each kind")
        measure(contestants, options.commands)
        for contestant in contestants:
            contestant.end()
    facts = facts_of(contestants, noise)

    tables = [
        overview(contestants, "First change heard", "heard_ns"),
        overview(contestants, "Heard as asked", "arrived_ns"),
        aims(contestants[0]),
        pauses(contestants),
        details(contestants),
    ]
    print(report.lines_of(facts))
    for rows in tables:
        print("\n" + report.plain(rows))
    if options.markdown:
        text = "\n\n".join(report.table(rows) for rows in tables[:-1])
        text += f"\n\n{report.table(tables[-1], left=(0, 1))}"
        text += f"\n\n{METHOD}\n\n{report.bullets(facts)}"
        report.write_section(options.markdown, "latency", text)


if __name__ == "__main__":
    main()

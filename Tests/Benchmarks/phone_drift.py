#!/usr/bin/env python3
"""Reports how the lead follows its target if the clocks of streaming phones differ from the clock of the sound card.

    phone_drift.py --autoharp BIN --phone BIN [--minutes 10] [--ppm 300,-300] [--markdown FILE]

The lead is the time from the arrival of a frame until the frame is heard. Each phone is a `StreamingPhone` with its own
daemon and its own simulated sound card (paced.py). All phones stream at the same time, in real time.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import report
from music import make_audio, scratch_folder
from paced import Cards, EventReader
from phone_playing import PERIODS, Unit, raw_minute
from processes import Children
from report import log

# At 300 ppm, the level (the average of the lead) changes by 0.3 ms per second. After 50 s it differs from its target by
# 15 ms, and the unit begins to resample. Then the level returns to its target.
SETTLE_S = 120
# A late packet raises the target at once. The level follows slowly, because a fast change of the pitch would be heard.
# So for FOLLOWS_S after a raise, the level is not compared with the target.
FOLLOWS_S = 60
EVERY_S = 1


@dataclass
class Drift:
    """What a unit reports while its phone streams."""

    ppm: int
    unit: Unit
    cards_dry: EventReader
    resampled_after_s: float | None = None
    errors_ms: list[int] = field(default_factory=list)  # level minus target, after SETTLE_S
    dry: int = 0
    target_ms: int = 0
    raised: list[float] = field(default_factory=list)  # the times after SETTLE_S at which the target was raised
    facts: dict[str, str] = field(default_factory=dict)

    def note(self, seconds: float) -> None:
        self.facts = self.read()
        lead = re.fullmatch(r"(\d+) of (\d+) ms, (resampled|not resampled)", self.facts.get("lead", ""))
        if lead is None:
            sys.exit(f"the phone of {self.ppm:+} ppm no longer streams: {self.facts}")
        if self.resampled_after_s is None and lead[3] == "resampled":
            self.resampled_after_s = seconds
        before, self.target_ms = self.target_ms, int(lead[2])
        if seconds >= SETTLE_S:
            if self.target_ms > before:
                self.raised.append(seconds)
                log(f"  {seconds:.0f} s: {self.ppm:+} ppm: the target goes from {before} to {self.target_ms} ms")
            if not self.raised or seconds >= self.raised[-1] + FOLLOWS_S:
                self.errors_ms.append(int(lead[1]) - self.target_ms)
        self.cards_dry.refresh()
        if self.cards_dry.dry > self.dry:
            self.dry = self.cards_dry.dry
            log(f"  {seconds:.0f} s: {self.ppm:+} ppm: the card has run dry")

    def read(self) -> dict[str, str]:
        """The facts about the phone that `bt` shows."""
        reply = json.loads(self.unit.console("--json", "bt"))
        [phone] = [section for name, section in reply.items() if name.startswith("phone ")]
        return {name: fact["value"] if isinstance(fact, dict) else fact for name, fact in phone.items()}

    def row(self) -> list[str]:
        after = "never" if self.resampled_after_s is None else f"{self.resampled_after_s:.0f} s"
        return [f"{self.ppm:+} ppm", after, self.facts["clock"], f"{self.target_ms} ms", str(len(self.raised)),
                f"{min(self.errors_ms):+} … {max(self.errors_ms):+} ms", self.facts["holes"], self.facts["dropped frames"],
                str(self.dry)]


def measure(options: argparse.Namespace, folder: Path) -> list[Drift]:
    music = make_audio(folder, 60)
    for file in music[1:]:
        file.unlink()
    music.flac.rename(folder / "song.flac")
    raw_minute(folder)
    cards = Cards(folder)
    with Children() as children:
        drifts = []
        for ppm in options.ppm:
            card = cards.add(f"card{ppm}", "S16_LE S32_LE", records=False)
            unit = Unit(children, cards, card, options.autoharp, options.phone, folder / f"unit{ppm}", PERIODS)
            unit.play_phone()
            unit.tell_phone(f"ppm {ppm}")
            drifts.append(Drift(ppm, unit, EventReader(card)))
        begin = time.monotonic()
        while (seconds := time.monotonic() - begin) < options.minutes * 60:
            for drift in drifts:
                drift.note(seconds)
            if int(seconds) % 60 == 0:
                log(f"  {seconds / 60:.0f} min: " + ", ".join(f"{drift.ppm:+} {drift.facts['clock']}" for drift in drifts))
            time.sleep(EVERY_S)
        return drifts


METHOD = """\
Each phone streams {0} minutes to a daemon with a paced sound card (*periods*, 256 frames) of its own, in real time and
side by side. The level is the average of the lead over a second, read every second from `bt`. The first {1} s are left
out: in this time the difference between the level and its target grows to 15 ms, the unit begins to resample, and the
level returns. Aim: within ±15 ms, no hole. A packet that the machine delivers late raises the target. The level
follows within {2} s; these {2} s are left out too."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--autoharp", type=Path, required=True, metavar="BIN")
    parser.add_argument("--phone", type=Path, required=True, metavar="BIN", help="the program StreamingPhone")
    parser.add_argument("--minutes", type=float, default=10, help="how long each phone streams (default: 10)")
    parser.add_argument("--ppm", type=lambda text: [int(word) for word in text.split(",")], default=[300, -300],
                        help="by how many ppm the clock of each phone is faster than the clock of the card "
                             "(default: 300,-300)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table into FILE")
    options = parser.parse_args()
    if options.minutes * 60 <= SETTLE_S + EVERY_S:
        parser.error(f"--minutes must be above {SETTLE_S // 60}")
    options.autoharp = options.autoharp.absolute()
    disturbance = report.Disturbance()
    with tempfile.TemporaryDirectory(prefix="autoharp-drift.", dir=scratch_folder(1 << 28)) as folder:
        drifts = measure(options, Path(folder))
    facts = report.machine() + disturbance.facts() + report.today()
    rows = [["Clock of the phone", "Resampled after", "Estimate", "Target", "Raised", "Level − target", "Holes", "Dropped frames",
             "Card ran dry"]] + [drift.row() for drift in drifts]
    print(f"{report.lines_of(facts)}\n\n{report.plain(rows)}", flush=True)
    if options.markdown:
        text = f"{report.table(rows, left=(0,))}\n\n{METHOD.format(f'{options.minutes:g}', SETTLE_S, FOLLOWS_S)}\n\n{report.bullets(facts)}"
        report.write_section(options.markdown, "phone-drift", text)


if __name__ == "__main__":
    main()

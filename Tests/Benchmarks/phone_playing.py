#!/usr/bin/env python3
"""Measures the processor time of the daemon while a phone plays and, for comparison, while a FLAC file plays. Reports
figures, and does not judge them.

    phone_playing.py --autoharp BIN --phone BIN [--seconds 20] [--rounds 3] [--threads] [--markdown FILE]

The phone is `StreamingPhone`, which simulates bluetoothd. Phone and file play the same music to the same simulated
sound card (paced.py), in turns.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import report
from music import make_audio, scratch_folder
from paced import Card, Cards, EventReader
from players import REWIND_STEP
from processes import Children, usage
from report import log

# The buffer that autoharp uses at 44.1 kHz on a real card that cannot be rewritten.
PERIODS = "output-latency = periods\noutput-period = 256\noutput-buffer = 11 ms\n"
REWIND = "output-latency = rewind\n"
SETTLE_S = 3
DEADLINE_S = 60
# The clock of the phone runs faster by SHIFT_PPM until the unit resamples. Then it runs faster by DRIFT_PPM, as the
# clock of a real phone can.
SHIFT_PPM, DRIFT_PPM = 3000, 100

FLAC, EXACT, RESAMPLED = "FLAC", "phone, not resampled", "phone, resampled"


@dataclass
class Cost:
    """The cost of one source with one buffer, over all rounds."""

    wall_s: float = 0
    cpu_ns: dict[str, int] = field(default_factory=dict)  # keyed by the name of the thread
    wakes: dict[str, int] = field(default_factory=dict)
    peak_rss_kb: int = 0

    def cpu_per_minute_s(self, thread: str | None = None) -> float:
        used = sum(self.cpu_ns.values()) if thread is None else self.cpu_ns.get(thread, 0)
        return used / 1e9 * 60 / self.wall_s

    def wakes_per_second(self, thread: str | None = None) -> float:
        return (sum(self.wakes.values()) if thread is None else self.wakes.get(thread, 0)) / self.wall_s


class Unit:
    """A daemon that plays one song, and a simulated phone that is connected to it."""

    def __init__(self, children: Children, cards: Cards, card: Card, binary: Path, phone: Path, folder: Path,
                 buffering: str) -> None:
        self._binary, self._card, self._children = binary, card, children
        folder.mkdir()
        self.log = folder / "log"
        self.phone = children.start([str(phone), str(folder.parent / "music.raw")], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True)
        assert self.phone.stdout
        address = self.phone.stdout.readline().strip()
        configuration = folder / "unit.conf"
        configuration.write_text(
            f"music-folder = {folder.parent}\nlibrary = no\noutput = {card.name}\nstart = paused\n"
            f"control-socket = {folder}/control\nstate-folder = {folder}\n"
            f"artwork-folder = {folder}/art\nreplay-gain = off\n{buffering}")
        with self.log.open("w") as file:
            self.daemon = children.start(
                [str(binary), "serve", "--config", str(configuration)], stdin=subprocess.DEVNULL, stderr=file,
                env={**cards.environment(), "DBUS_SYSTEM_BUS_ADDRESS": address})
        self._socket = folder / "control"
        self.when("the song", lambda: "song" in self.console("queue"))
        self.when("the phone", lambda: "registered, 1 times" in self.console("bt"))

    def console(self, *words: str) -> str:
        """The reply to a command of the console. Options, for example `--json`, must come before the command."""
        command = [str(self._binary), "console", "--socket", str(self._socket), *words]
        return subprocess.run(command, capture_output=True, text=True).stdout

    def tell_phone(self, line: str) -> None:
        assert self.phone.stdin
        self.phone.stdin.write(line + "\n")
        self.phone.stdin.flush()

    def when(self, what: str, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not condition():
            if self.daemon.poll() is not None or self.phone.poll() is not None:
                sys.exit(f"a program has ended: {self.log.read_text()}")
            if time.monotonic() > deadline:
                sys.exit(f"waited in vain for {what}: {self.console('bt')}\n{self.log.read_text()}")
            time.sleep(0.1)

    def end(self) -> None:
        for child in (self.daemon, self.phone):
            self._children.end(child)

    def play_file(self) -> None:
        self.console("play")
        self.when("the file", lambda: re.search(r"playing.* from local", self.console("status")) is not None)

    def play_phone(self) -> None:
        self.tell_phone("ppm 0")
        self.tell_phone("stream")
        self.when("the phone", lambda: re.search(r"sound +heard", self.console("bt")) is not None)

    def resample(self) -> None:
        self.tell_phone(f"ppm {SHIFT_PPM}")
        self.when("the resampler", self.is_resampled)
        self.tell_phone(f"ppm {DRIFT_PPM}")

    def is_resampled(self) -> bool:
        return ", resampled" in self.console("bt")

    def measure(self, seconds: float, cost: Cost) -> None:
        time.sleep(SETTLE_S)
        reader = EventReader(self._card)
        reader.refresh()
        dry = reader.dry
        before, begin = usage(self.daemon.pid), time.monotonic()
        time.sleep(seconds)
        after = usage(self.daemon.pid)
        cost.wall_s += time.monotonic() - begin
        for thread, used in after.cpu_ns.items():
            name = Path(f"/proc/{self.daemon.pid}/task/{thread}/comm").read_text().strip()
            cost.cpu_ns[name] = cost.cpu_ns.get(name, 0) + used - before.cpu_ns.get(thread, 0)
            wakes = after.wakes[thread] - before.wakes.get(thread, 0)
            cost.wakes[name] = cost.wakes.get(name, 0) + wakes
        cost.peak_rss_kb = max(cost.peak_rss_kb, after.peak_rss_kb)
        reader.refresh()
        if reader.dry != dry:
            log(f"  the card ran dry {reader.dry - dry} times")
        reader.close()


def measure_round(unit: Unit, seconds: float) -> dict[str, Cost] | None:
    """Measures the file first, because the phone pauses the file. If the machine is too busy, packets arrive late, and
    the unit resamples although the clocks of phone and card agree. In this case, returns None."""
    costs = {source: Cost() for source in (FLAC, EXACT, RESAMPLED)}
    unit.play_file()
    unit.measure(seconds, costs[FLAC])
    unit.play_phone()
    unit.measure(seconds, costs[EXACT])
    if unit.is_resampled():
        return None
    unit.resample()
    unit.measure(seconds, costs[RESAMPLED])
    return costs


def add(cost: Cost, other: Cost) -> None:
    cost.wall_s += other.wall_s
    for mine, others in ((cost.cpu_ns, other.cpu_ns), (cost.wakes, other.wakes)):
        for name, value in others.items():
            mine[name] = mine.get(name, 0) + value
    cost.peak_rss_kb = max(cost.peak_rss_kb, other.peak_rss_kb)


def raw_minute(folder: Path) -> None:
    """Decodes the first minute of the song for the phone."""
    command = ["flac", "-s", "-d", "--force-raw-format", "--endian=little", "--sign=signed", "--until=1:00"]
    subprocess.run([*command, "-o", str(folder / "music.raw"), str(folder / "song.flac")], check=True)


def measure(options: argparse.Namespace, folder: Path) -> dict[str, dict[str, Cost]]:
    """The costs, keyed by the name of the buffer and then by the source."""
    seconds = options.seconds
    music = make_audio(folder, 10 * 60)
    for file in music[1:]:
        file.unlink()
    music.flac.rename(folder / "song.flac")
    raw_minute(folder)
    cards = Cards(folder)
    costs: dict[str, dict[str, Cost]] = {}
    with Children() as children:
        outputs = {name: (cards.add(name, "S16_LE S32_LE", records=False, rewind_step=step), buffering)
                   for name, buffering, step in (("periods", PERIODS, None), ("rewind", REWIND, REWIND_STEP))}
        for number in range(1, options.rounds + 1):
            for name, (card, buffering) in outputs.items():
                unit = Unit(children, cards, card, options.autoharp, options.phone, folder / f"{name}-{number}",
                            buffering)
                measured = measure_round(unit, seconds)
                unit.end()
                if measured is None:
                    log(f"  {number}/{options.rounds} {name}: left out, because the machine was too busy")
                    continue
                for source, cost in measured.items():
                    add(costs.setdefault(name, {}).setdefault(source, Cost()), cost)
                log(f"  {number}/{options.rounds} {name}: " + ", ".join(
                    f"{source} {cost.cpu_per_minute_s():.3f}" for source, cost in costs[name].items()) + " s/min")
    if "periods" not in costs:
        sys.exit("the machine was too busy in each round")
    return costs


METHOD = """\
Each source plays the same music to the same paced sound card, {} s at a time, in {} rounds. *periods* has periods of
256 frames and a buffer of two, and *rewind* a deep buffer that is rewritten. The phone sends a packet of 7 SBC frames
every 20 ms through a socket of the kind that bluetoothd hands over; bluetoothd is simulated. In the rows *resampled*,
the clock of the phone is {} ppm faster than the clock of the card. CPU is user and system time of the daemon for a
minute of music, and the column ÷ compares it with FLAC and *periods*. Aim: ≤ 1.2 without the resampler and ≤ 1.5 with
it, with *periods*."""


def rows_of(costs: dict[str, dict[str, Cost]]) -> report.Rows:
    rows = [["Buffer", "Source", "CPU per min", "÷", "Wake-ups/s", "Peak RSS"]]
    base = costs["periods"][FLAC].cpu_per_minute_s()
    for buffering, by_source in costs.items():
        for source, cost in by_source.items():
            used = cost.cpu_per_minute_s()
            rows.append([buffering, source, f"{used:.3f} s", f"{used / base:.2f}", f"{cost.wakes_per_second():.0f}",
                         f"{cost.peak_rss_kb / 1024:.1f} MB"])
    return rows


def thread_rows(costs: dict[str, dict[str, Cost]]) -> report.Rows:
    rows = [["Buffer", "Source", "Thread", "CPU per min", "Wake-ups/s"]]
    for buffering, by_source in costs.items():
        for source, cost in by_source.items():
            for thread in sorted(cost.cpu_ns):
                rows.append([buffering, source, thread, f"{cost.cpu_per_minute_s(thread):.3f} s",
                             f"{cost.wakes_per_second(thread):.0f}"])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--autoharp", type=Path, required=True, metavar="BIN")
    parser.add_argument("--phone", type=Path, required=True, metavar="BIN", help="the program StreamingPhone")
    parser.add_argument("--seconds", type=int, default=20, help="seconds for each measurement (default: 20)")
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements of each kind (default: 3)")
    parser.add_argument("--threads", action="store_true", help="also print the values of each thread")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table into FILE")
    options = parser.parse_args()
    options.autoharp = options.autoharp.absolute()
    disturbance = report.Disturbance()
    with tempfile.TemporaryDirectory(prefix="autoharp-phone.", dir=scratch_folder(1 << 29)) as folder:
        costs = measure(options, Path(folder))
    facts = report.machine() + disturbance.facts() + report.today()
    rows = rows_of(costs)
    print(f"{report.lines_of(facts)}\n\n{report.plain(rows)}", flush=True)
    if options.threads:
        print(f"\n{report.plain(thread_rows(costs))}")
    if options.markdown:
        method = METHOD.format(options.seconds, options.rounds, DRIFT_PPM)
        text = f"{report.table(rows, left=(0, 1))}\n\n{method}\n\n{report.bullets(facts)}"
        report.write_section(options.markdown, "phone-playing", text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the screen: the time of painting at each size, the time from a touch to the picture, the
time of the start, and the cost of playback.

The screen program paints into memory (`--scripted`). A daemon that plays to the output `null` runs at
the same time. The results do not include the time of a real panel, which has to copy the changed part
and shows it at the next refresh.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

import report
from music import make_audio, scratch_folder
from processes import Children, growth, usage

SIZE = "800x480"
# The position of the play button, as in Tests/Screen/ScreenLayoutTests/Goldens/playing.txt.
PLAY = (596, 348)
AIMS = {"800×480": ("≤ 4", "≤ 0.2")}


class Screen:
    """A running screen program, which reports its pictures on a pipe."""

    def __init__(self, children: Children, binary: Path, configuration: Path) -> None:
        self.children = children
        self.began = time.monotonic()
        self.process = children.start(
            [str(binary), "--scripted", SIZE, "--config", str(configuration)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )

    def wait_for_picture(self) -> tuple[float, int]:
        """The time of the next picture, and how many of its pixels were painted."""
        fields = self.process.stdout.readline().split()
        assert fields[:1] == ["shown"], fields
        return time.monotonic(), int(fields[2])

    def wait_until_quiet(self) -> None:
        """Waits for a picture in which few pixels were painted. Such a picture is an update of the
        elapsed time, so all earlier changes are shown."""
        while self.wait_for_picture()[1] > 20_000:
            pass

    def send(self, *words: object) -> float:
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return time.monotonic()

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(10)
        self.children.end(self.process)


TIME = r"([\d.]+) \(([\d.]+)\) ms"


def paint_rows(lines: str) -> report.Rows:
    """A table of the measurements of Now Playing by autoharp-screen-preview."""
    rows = [["Size", "Full paint", "Aim", "Paint after 1 s", "Aim", "Layout alone", "New cover"]]
    for line in lines.splitlines()[1:]:
        found = re.match(rf"(\S+)\s+{TIME}\s+{TIME}\s+{TIME}\s+\d+\s+{TIME}", line)
        assert found, line
        size, full, _, layout, _, second, _, cover, _ = found.groups()
        aims = AIMS.get(size, ("", ""))
        rows.append([size, full, aims[0], second, aims[1], layout, cover])
    return rows


def page_rows(lines: str) -> report.Rows:
    """A table of the measurements of the pages behind Now Playing by autoharp-screen-preview."""
    rows = [["Page", "Shown first", "Shown again", "Back"]]
    for line in lines.splitlines()[1:]:
        found = re.match(rf"(\S+)\s+([\d.]+) ms\s+{TIME}\s+{TIME}", line)
        assert found, line
        page, first, again, _, back, _ = found.groups()
        rows.append([page, first, again, back])
    return rows


def measure_start(children: Children, binary: Path, configuration: Path, times: int) -> list[float]:
    """The times from the start to the first picture, with the program's files in the page cache."""
    found = []
    for number in range(times + 1):
        screen = Screen(children, binary, configuration)
        shown, _ = screen.wait_for_picture()
        if number:  # the first start reads from the disk, so it does not count
            found.append(1000 * (shown - screen.began))
        screen.end()
    return found


def measure_touch(screen: Screen, times: int) -> tuple[list[float], list[float]]:
    """Two lists of times: from a touch on a button to the picture of the pressed button, and from the
    release to the daemon's answer on the screen."""
    pressed, answered = [], []
    for _ in range(times):
        screen.wait_until_quiet()
        sent = screen.send("down", 0, *PLAY)
        pressed.append(1000 * (screen.wait_for_picture()[0] - sent))
        sent = screen.send("up", 0, *PLAY)
        screen.wait_for_picture()  # the picture of the released button
        answered.append(1000 * (screen.wait_for_picture()[0] - sent))
        # The touch has paused playback, and during a pause the screen paints nothing. So start playback
        # again.
        screen.send("tap", *PLAY)
    return pressed, answered


def measure_playback(screen: Screen, seconds: float) -> report.Facts:
    screen.wait_until_quiet()
    before, begin = usage(screen.process.pid), time.monotonic()
    pictures = pixels = 0
    while (now := time.monotonic()) < begin + seconds:
        pictures += 1
        pixels += screen.wait_for_picture()[1]
    after = usage(screen.process.pid)
    cpu = growth(before.cpu_ns, after.cpu_ns) / 1e9
    smaps = Path(f"/proc/{screen.process.pid}/smaps_rollup").read_text()
    own = sum(map(int, re.findall(r"^Private_Dirty:\s+(\d+)", smaps, re.MULTILINE)))
    return [
        ("CPU while playing", f"{60 * cpu / (now - begin):.3f} s in a minute, "
         f"{100 * cpu / (now - begin):.2f} % of a core (aim ≤ 1 %)"),
        ("Pictures", f"{pictures / (now - begin):.2f} a second, of {pixels // pictures} pixels"),
        ("Memory", f"{after.rss_kb / 1024:.1f} MB resident, {own / 1024:.1f} MB of it private"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the screen: painting, touch to picture, start, playback.")
    parser.add_argument("--autoharp", type=Path, required=True, help="the program of the daemon")
    parser.add_argument("--screen", type=Path, required=True, help="the program of the screen")
    parser.add_argument("--preview", type=Path, required=True, help="the program that measures painting alone")
    parser.add_argument("--markdown", type=Path, help="also write the tables into this page")
    parser.add_argument("--touches", type=int, default=50)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()

    disturbance = report.Disturbance()
    measured = subprocess.run([str(options.preview), "--bench"], check=True, capture_output=True, text=True)
    sizes, _, pages = measured.stdout.partition("\n\n")
    painting, pages = paint_rows(sizes), page_rows(pages)
    report.log(f"{report.plain(painting)}\n\n{report.plain(pages)}")
    with tempfile.TemporaryDirectory(
        prefix="autoharp-screen.", dir=scratch_folder(1 << 28)
    ) as name, Children() as children:
        folder = Path(name)
        make_audio(folder, 480)
        configuration = folder / "unit.conf"
        configuration.write_text(
            f"music-folder = {folder}\noutput = null\nstart = play\n"
            f"state-folder = {folder}/state\nartwork-folder = {folder}/art\n"
            f"control-socket = {folder}/control\nlibrary = no\n"
        )
        daemon = children.start([str(options.autoharp), "serve", "--config", str(configuration)],
                                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        starts = measure_start(children, options.screen, configuration, options.starts)
        screen = Screen(children, options.screen, configuration)
        pressed, answered = measure_touch(screen, options.touches)
        facts = measure_playback(screen, options.seconds)
        screen.end()
        children.end(daemon)

    facts = [
        ("Finger → pressed picture", f"{report.spread(pressed, 2)} ms (p50 / p99 / max, "
         f"{len(pressed)} touches)"),
        ("Finger lifted → the daemon's answer shown", f"{report.spread(answered, 2)} ms"),
        ("Start → first picture", f"{report.spread(starts)} ms ({len(starts)} starts, files in memory)"),
        *facts,
    ]
    print("\n\n".join([report.plain(painting), report.plain(pages), report.lines_of(facts)]))
    if options.markdown:
        about = ("All times are medians in milliseconds: 200 paints per value, 100 for *Paint after 1 s*, "
                 "20 for *New cover*. The program is a release build, runs on one core and paints into "
                 "memory. The second table is the way from Now Playing to a page and back at 800×480, with the "
                 f"layout: the first time, and the median of 100 times. The values below are for the whole program at {SIZE}.")
        every = facts + disturbance.facts() + report.machine() + report.today()
        report.write_section(
            options.markdown, "screen",
            f"{report.table(painting)}\n\n{report.table(pages)}\n\n{about}\n\n{report.bullets(every)}")


if __name__ == "__main__":
    main()

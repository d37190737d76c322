#!/usr/bin/env python3
"""Measures the screen on its panel: the time from a touch to the picture, the memory while pages with covers are
turned, and the wake-ups of a page without touches.

The times are measured in frames of the captured sound: one frame is 1/44100 s of the machine's time. QEMU writes the
file every 23 ms, so a single time is uncertain by 23 ms. Under emulation, each instruction takes a fixed time, so the
times do not depend on the load of the host.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import paths  # noqa: F401
from daemon import on_data
from figures import SECOND, Times, frames
from headunit import HeadUnit, Image
from picture import Picture
from png import png
from reference_painter import BAR, CLOCK
from sound import flac, noise

# Positions on the screen at 800 × 480, from playing.txt, library.txt, letters.txt, songs.txt and albums.txt in
# Tests/Screen/ScreenLayoutTests/Goldens.
CORNER, ALBUMS, SONGS, FIRST_COVER, BACK = (736, 44), (455, 322), (668, 322), (212, 164), (168, 44)
FIRST_LETTER, LAST_KEY, UP_NEXT = (185, 137), (732, 392), (609, 44)
ALBUM_COUNT = 12
# Two pages differ in more than PAGE pixels, a pressed button in more than PRESSED. Neither a pressed button nor a new
# cover changes PAGE pixels.
PAGE, PRESSED = 20_000, 50
PROCESSES = ("autoharp", "autoharp-library", "autoharp-screen", "autoharp-cover", "bluetoothd")


def cover(seed: int) -> bytes:
    """A PNG of 1000 × 1000 pixels that compresses badly, like a photograph."""
    side, source = 1000, random.Random(seed)
    # 200 random rows that repeat: decoding takes as long as for a photograph, but the file stays below 1 MB.
    rows = [b"\0" + source.randbytes(3 * side) for _ in range(200)]
    return png(side, b"".join(rows[y * 200 // side] for y in range(side)))


def music() -> dict[str, bytes]:
    """Albums with covers. The first song is long, so that it plays during the whole measurement."""
    files: dict[str, bytes] = {}
    for number in range(ALBUM_COUNT):
        name = f"{chr(ord('A') + number)}lbum"
        for song in (1, 2):
            sound = noise(600 if number == 0 and song == 1 else 3, seed=number)
            tags = {"TITLE": f"{chr(ord('A') + number)}song {song}", "ALBUM": name, "ARTIST": name,
                    "TRACKNUMBER": str(song)}
            files[f"{number:02}/{song}.flac"] = flac(sound, tags=tags)
        files[f"{number:02}/cover.png"] = cover(number)
    return files


class Touches:
    """The times from a touch until the screen shows the result, by the name of the result."""

    def __init__(self, unit: HeadUnit) -> None:
        self.unit = unit
        self.times = Times("From the touch")

    def measure(self, name: str, place: tuple[int, int]) -> None:
        """Touches a position. Adds the time from the touch to the pressed button, and the time from the release to the
        next page."""
        before = self.unit.picture()
        # The last touch was at least a second ago, so no pause is needed before this touch.
        self.unit.was_touched = False
        begin = frames(self.unit)
        self.unit.touch(*place, held=True)
        self._add("a button is pressed", begin, before, PRESSED)
        begin = frames(self.unit)
        self.unit.touch(*place, held=False)
        self._add(name, begin, before, PAGE)
        self.unit.shell("sleep 1")

    def _add(self, name: str, begin: int, before: Picture, pixels: int) -> None:
        deadline = time.monotonic() + 30
        shots: list[tuple[int, bytes]] = []
        # Comparing pictures is slow, so all pictures are taken before any is compared.
        while frames(self.unit) - begin < SECOND // 2 or not self._differs(before, shots[-1][1], pixels):
            file = self.unit.folder / "figure.ppm"
            self.unit.machine.monitor("screendump", filename=str(file))
            shots.append((frames(self.unit), file.read_bytes()))
            assert time.monotonic() < deadline, f"{name}: the picture has not changed"
        at = next(at for at, data in shots if self._differs(before, data, pixels))
        self.times.add(name, at - begin)

    @staticmethod
    def _differs(before: Picture, data: bytes, pixels: int) -> bool:
        return Picture.read(data).difference(before, [BAR, CLOCK]) > pixels


class Memory:
    """The largest memory of each process, in kB (PSS), and of the whole system."""

    def __init__(self, unit: HeadUnit) -> None:
        self.unit = unit
        self.largest: dict[str, int] = {}

    def look(self) -> None:
        parts = "; ".join(
            f"for p in $(pidof {name}); do echo {name} $(sed -n 's/^Pss: *//p' /proc/$p/smaps_rollup 2>/dev/null); done"
            for name in PROCESSES)
        system = "sed -n 's/^MemTotal: */total /p; s/^MemAvailable: */available /p' /proc/meminfo"
        facts: dict[str, int] = {}
        for line in self.unit.shell(f"{parts}; {system}").splitlines():
            words = line.split()
            if len(words) >= 2:
                facts[words[0]] = facts.get(words[0], 0) + int(words[1])
        facts["whole system"] = facts.pop("total") - facts.pop("available")
        for name, value in facts.items():
            self.largest[name] = max(self.largest.get(name, 0), value)

    def print(self) -> None:
        for name, value in self.largest.items():
            print(f"{name:34} {value / 1024:6.1f} MB")


def switches(unit: HeadUnit) -> int:
    """How often the threads of the screen have waited so far."""
    text = unit.shell("cat /proc/$(pidof autoharp-screen)/task/*/status | sed -n 's/^voluntary_ctxt_switches:\\s*//p'")
    return sum(map(int, text.split()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=180, help="how long a page is left alone")
    options = parser.parse_args()
    unit = HeadUnit.boot(Image.built(), Path(tempfile.mkdtemp(prefix="unit-")),
                         data=on_data(music(), start="play"))
    try:
        unit.wait_until_booted()
        unit.wait_until(f"autoharp console --json library | grep -q '\"songs\": {2 * ALBUM_COUNT}'")
        unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Tablet", unit="autoharp-screen")
        unit.wait_until_playing()
        unit.wait_for_sound(SECOND)
        touches, memory = Touches(unit), Memory(unit)
        memory.look()
        for _ in range(options.rounds):
            touches.measure("Now Playing → Up Next", UP_NEXT)
            touches.measure("Up Next → Now Playing", UP_NEXT)
            touches.measure("Now Playing → library", CORNER)
            touches.measure("library → letters of the songs", SONGS)
            touches.measure("letters → songs", FIRST_LETTER)
            touches.measure("back to the letters", BACK)
            touches.measure("back to the library", BACK)
            touches.measure("library → albums", ALBUMS)
            for _ in range(2):
                touches.measure("albums: another page", LAST_KEY)
                memory.look()
                touches.measure("albums: the page before", (LAST_KEY[0], 152))
                memory.look()
            touches.measure("albums → album", FIRST_COVER)
            touches.measure("back to the albums", BACK)
            touches.measure("albums → Now Playing", CORNER)
            memory.look()
        touches.times.print()
        memory.print()
        unit.console("pause")
        unit.touch(*CORNER)
        unit.shell("sleep 15")
        before = switches(unit)
        unit.shell(f"sleep {options.seconds}", timeout=3600)
        print(f"wake-ups of the screen in {options.seconds} s on the page of the library: {switches(unit) - before}")
    finally:
        unit.close()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures a phone that plays through the unit: the time of commands, and the memory.

The times are measured in frames of the captured sound: one frame is 1/44100 s of the machine's time. QEMU writes the
file every 23 ms, so a single time is uncertain by 23 ms. The processor time is not measured here, but by `make
bench-phone`: on a slow host, the packets arrive at uneven times, so the unit resamples and needs more time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Callable

import paths  # noqa: F401
from car import car, json_matches, wait_for
from driving import SECOND, full_volume, phone_of, tone
from figures import Times, frames
from headunit import HeadUnit, Image
from radio import Radio
from sound import flac, noise
from source_phone import SourcePhone

CGROUP = "/sys/fs/cgroup/system.slice"
# Windows of this number of frames are compared to find a change of the level. Two periods of the tone fit into a
# window, so all windows have the same level.
WINDOW = 63
HERTZ = SECOND * 2 // WINDOW


def change_after(unit: HeadUnit, begin: int, part: float) -> int:
    """The first frame after `begin` at which the sound is quieter than the fraction `part` of its level before
    `begin`."""
    before = unit.sound()[begin - SECOND // 2 : begin].level()
    deadline = time.monotonic() + 60
    at = begin
    while time.monotonic() < deadline:
        heard = unit.sound()
        while at + WINDOW <= len(heard):
            if heard[at : at + WINDOW].level() < before * part:
                return at
            at += WINDOW
        time.sleep(0.1)  # polls, because no event reports that a file of another process grows
    raise AssertionError("the sound has not changed")


def measure_commands(unit: HeadUnit, phone: SourcePhone, count: int) -> None:
    times = Times("From the command")
    phone.load(tone(HERTZ), repeats=True)
    console = unit._line("console")
    unit.console("trace on")

    def shown(status: str) -> Callable[[], int]:
        begin = len(console.text)

        def wait() -> int:
            console.wait_for(status, begin)
            return frames(unit)

        return wait

    for _ in range(count):
        unit.console("volume 100")
        unit.wait_for_sound(frames(unit) + SECOND)
        begin = frames(unit)
        phone.set_volume(20)
        times.add("volume of the phone, until it is heard", change_after(unit, begin, 0.985) - begin)

        unit.console("volume 100")
        unit.wait_for_sound(frames(unit) + SECOND)
        begin = frames(unit)
        unit.key("volumedown", held=True)
        times.add("volume key of the unit, until it is heard", change_after(unit, begin, 0.985) - begin)
        unit.key("volumedown", held=False)

        wait = shown(r"state \d+: pause")
        begin = frames(unit)
        phone.pause()
        times.add("pause on the phone, until the unit shows it", wait() - begin)
        times.add("pause on the phone, until it is heard", change_after(unit, begin, 0.3) - begin)
        phone.play()
        wait_for(unit, "playing")
        unit.wait_for_sound(frames(unit) + SECOND)

        wait, keys = shown(r"state \d+: pause"), len(phone.keys)
        begin = frames(unit)
        unit.key("audioplay")
        phone.wait_for(lambda: len(phone.keys) > keys)
        times.add("pause at the unit, until it is on the air", frames(unit) - begin)
        times.add("pause at the unit, until the unit shows it", wait() - begin)
        times.add("pause at the unit, until it is heard", change_after(unit, begin, 0.3) - begin)
        phone.play()
        wait_for(unit, "playing")
        unit.wait_for_sound(frames(unit) + SECOND)
    unit.console("trace off")
    times.print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", type=int, default=10, help="number of commands of each kind")
    options = parser.parse_args()
    radio = Radio(Path(tempfile.mkdtemp(prefix="unit-")))

    def boot(**settings) -> HeadUnit:
        return HeadUnit.boot(Image.built(), Path(tempfile.mkdtemp(prefix="unit-")), **settings)

    unit = car(boot, radio, {"1.flac": flac(noise(60, seed=1))}, output_latency="periods")
    try:
        full_volume(unit)
        phone = phone_of(unit, opens_sound_first=True)
        phone.load(noise(10, seed=2), repeats=True)
        phone.play()
        wait_for(unit, "playing")
        unit.wait_until(json_matches("now", '"source": "phone'))
        # The resampler starts when the level of the live input has changed by 15 ms, and then stays in use.
        phone.speed = 1.003
        unit.wait_until("autoharp console bt | grep -q ', resampled'")
        phone.speed = 1.0003
        print(unit.console("bt"))
        measure_commands(unit, phone, options.commands)
        print("memory.peak of the daemon:", unit.shell(f"cat {CGROUP}/autoharp.service/memory.peak"))
        print(unit.shell(f"grep -E 'VmHWM|VmRSS' /proc/{unit.main_pid()}/status"))
    finally:
        unit.close()
        radio.close()


if __name__ == "__main__":
    main()

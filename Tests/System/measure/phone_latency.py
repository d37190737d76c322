#!/usr/bin/env python3
"""Measures the times from a phone's press until it is accepted, and until the phone gets the result.

bluetoothd accepts the press. The result is the notification of the new status. The program also prints
the times that the daemon has measured. The phone uses the clock of the host, and the daemon uses the
clock of the machine. This program never compares the two clocks. bluetoothd first calls the daemon and
then answers the phone, so the time until the answer is an upper bound of the time from the phone to the
daemon. Under emulation the times are those of a slow processor. They show the cost of the path, not the
speed of a board.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import paths  # noqa: F401
from car import album, pair, wait_for_phones
from daemon import on_data
from headunit import HeadUnit, Image
from radio import Radio


def row(name: str, times: list[float]) -> str:
    times = sorted(times)
    last = len(times) - 1
    return (f"| {name} | {len(times)} | {statistics.median(times):.1f} | "
            f"{times[round(last * 0.9)]:.1f} | {times[-1]:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--presses", type=int, default=60, help="number of presses (default: 60)")
    count = parser.parse_args().presses
    radio = Radio(Path(tempfile.mkdtemp(prefix="unit-")))
    folder = Path(tempfile.mkdtemp(prefix="unit-"))
    unit = HeadUnit.boot(Image.built(), folder, radio=radio, data=on_data(album(600)))
    try:
        wait_for_phones(unit)
        phone = unit.phone()
        pair(unit, phone)
        phone.press("play")
        phone.wait_for_event("playback_status_changed", "playing")
        accepted, notified = [], []
        for number in range(count):
            key, status = [("pause", "paused"), ("play", "playing")][number % 2]
            phone.forget_events()
            pressed = time.monotonic()
            phone.key(key, True)
            accepted.append((time.monotonic() - pressed) * 1000)
            event = phone.wait_for_event("playback_status_changed", status)
            notified.append((event.time - pressed) * 1000)
            phone.key(key, False)
        print("| From the press | n | p50 | p90 | max |\n| --- | --: | --: | --: | --: |")
        print(row("accepted by bluetoothd, which has called the daemon", accepted))
        print(row("the phone is notified of the new status", notified))
        print("\n| In the daemon, from the call | n | p50 | p95 | max |")
        print("| --- | --: | --: | --: | --: |")
        for entry in unit.ask("latency"):
            if entry["surface"] == "phone":
                print("| {command}, {stage} | {count} | {p50:.1f} | {p95:.1f} | {longest:.1f} |"
                      .format(**entry))
    finally:
        unit.close()
        radio.close()


if __name__ == "__main__":
    main()

"""The library of a unit: its state, its songs, and the queue of songs."""

from __future__ import annotations

from headunit import HeadUnit
from sound import flac, noise

MANY = 500


def wait_for_library(unit: HeadUnit, songs: int) -> dict:
    """Waits until the library has read this number of songs. Returns its state."""
    unit.wait_until(
        "autoharp console --json library | "
        f"""grep -q '^{{"condition": "ready","songs": {songs},'""")
    return unit.ask("library")


def queue(unit: HeadUnit) -> list[tuple[str, bool]]:
    return [(entry["title"], entry["isAbsent"]) for entry in unit.ask("queue 1")["entries"]]


def many_songs() -> dict[str, bytes]:
    """More songs than the library reads during a step of a test."""
    return {
        f"Many/{number // 100}/{number:03}.flac": flac(
            noise(0.05, seed=1000 + number),
            tags={"TITLE": f"Many {number}", "ALBUM": f"Many {number // 100}"})
        for number in range(MANY)
    }

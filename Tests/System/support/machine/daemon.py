"""The configuration and music of the daemon under test, as files on /data."""

from __future__ import annotations

# The buffer has 100 ms instead of two periods, because under emulation a thread can wake up 20 ms late. The setting
# start-volume-maximum permits full volume at the start. At full volume, the samples at the card are the samples of the
# file.
SETTINGS = {
    "output-period": "1024",
    "output-buffer": "100 ms",
    "start-volume-maximum": "100 %",
}


def on_data(music: dict[str, bytes] | None = None, **settings: str) -> dict[str, bytes]:
    """The files for /data: the music, keyed by file name, and a configuration. `settings` override `SETTINGS`. With
    `start="play"` the daemon plays at once."""
    chosen = SETTINGS | {name.replace("_", "-"): value for name, value in settings.items()}
    text = "".join(f"{name} = {value}\n" for name, value in chosen.items())
    files = {f"music/{name}": data for name, data in (music or {}).items()}
    return files | {"autoharp.conf": text.encode()}

"""What the daemon under test is told, as files on /data."""

from __future__ import annotations

# A hundred milliseconds in the card, where two periods would do: under emulation a wake-up may be
# twenty late. And as loud as the file, or its samples would not be the card's.
SETTINGS = {
    "output-period": "1024",
    "output-buffer": "100 ms",
    "start-volume-maximum": "100 %",
}


def on_data(music: dict[str, bytes] | None = None, **settings: str) -> dict[str, bytes]:
    """Files for /data: music by name, and the settings that differ from `SETTINGS`; `start="play"`
    for a daemon that plays at once."""
    chosen = SETTINGS | {name.replace("_", "-"): value for name, value in settings.items()}
    text = "".join(f"{name} = {value}\n" for name, value in chosen.items())
    files = {f"music/{name}": data for name, data in (music or {}).items()}
    return files | {"autoharp.conf": text.encode()}

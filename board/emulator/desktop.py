"""What the desktop of the host offers to the emulated machine."""

from __future__ import annotations

import os
from pathlib import Path


def has_desktop() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def audio_of_desktop() -> str:
    """QEMU's name of the output for the sound: `pa`, `alsa`, or `none`. Without a desktop, it is `none`."""
    if has_desktop() and has_sound_server():
        return "pa"
    return "alsa" if has_desktop() and has_sound_card() else "none"


def has_sound_server() -> bool:
    """True if there is a socket of PulseAudio. PipeWire has this socket too."""
    if os.environ.get("PULSE_SERVER"):
        return True
    return (Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / "pulse/native").is_socket()


def has_sound_card() -> bool:
    return any(os.access(device, os.W_OK) for device in Path("/dev/snd").glob("pcm*p"))

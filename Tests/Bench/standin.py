"""What stands in for the daemon and its console until `autoharp serve` and `autoharp console` are
there: drop-ins that are handed to systemd from outside. Nothing of this is in the image."""

from __future__ import annotations


def plays(*paths: str, options: str = "", at_once: bool = False) -> dict[str, str]:
    """autoharp.service plays these paths with `autoharp play`, in the sandbox of the daemon, at
    once or when `play` says so; the console is a shell with the console's prompt."""
    # 100 ms in the card: under emulation a wake-up may be 20 ms late.
    play = f"/usr/bin/autoharp play --output hw:0,0 --period 1024 --buffer 100 {options}".strip()
    return {
        "autoharp.service": (
            f"[Unit]\nOnFailure=\n{'' if at_once else 'ConditionPathExists=/run/play'}\n"
            "[Service]\nType=exec\nWatchdogSec=0\nRestart=no\nExecStart=\n"
            f"ExecStart={play} {' '.join(paths)}\n"
        ),
        "autoharp-console@ttyS0.service": CONSOLE,
    }


def play(unit) -> None:
    """Starts it, when the boot is over: what is compared then is the sound, not the boot."""
    unit.shell("touch /run/play; systemctl start autoharp.service")


def idles() -> dict[str, str]:
    """autoharp.service runs, and does nothing."""
    return {
        "autoharp.service": (
            "[Unit]\nOnFailure=\n[Service]\nType=exec\nWatchdogSec=0\nExecStart=\n"
            "ExecStart=/usr/bin/busybox sleep infinity\n"
        ),
        "autoharp-console@ttyS0.service": CONSOLE,
    }


def probes(script: str) -> dict[str, str]:
    """autoharp.service runs a shell script, in the sandbox of the daemon, and then stays."""
    return {
        "autoharp.service": (
            "[Unit]\nOnFailure=\n[Service]\nType=exec\nWatchdogSec=0\nRestart=no\nExecStart=\n"
            f"ExecStart=/usr/bin/busybox sh {script}\n"
        ),
        "autoharp-console@ttyS0.service": CONSOLE,
    }


# A prompt, a line, its answer; without an editor, which would ask the terminal questions.
CONSOLE = (
    "[Service]\nExecStart=\nEnvironment=TERM=dumb\n"
    "ExecStart=/usr/bin/busybox sh -c "
    """'while printf "autoharp> "; read -r line; do eval "$line"; done'\n"""
)

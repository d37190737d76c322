"""Simulated GPIO lines that stand for the wires of a car. The lines belong to the kernel's module gpio-sim. The image
does not contain this module; `--step testprograms` builds it."""

from __future__ import annotations

import pytest

from headunit import HeadUnit, Image
from kernel_modules import load, module_files

# The lines of the chip, in the order of their numbers.
NAMES = ("HEADLIGHTS", "REVERSE", "PARKING", "IGNITION", "ENCODER_A", "ENCODER_B", "ENCODER_PUSH", "POWER_HOLD",
         "AMP_MUTE")
SETTINGS = {
    "headlight_line": "HEADLIGHTS", "reverse_line": "REVERSE", "parking_line": "PARKING",
    "ignition_line": "IGNITION",
}
ENCODER = {
    "encoder_line_a": "ENCODER_A,active-low,pull-up", "encoder_line_b": "ENCODER_B,active-low,pull-up",
    "encoder_button_line": "ENCODER_PUSH,active-low,pull-up",
}
CONFIGURATION = "/sys/kernel/config/gpio-sim/car"


def modules() -> dict[str, bytes]:
    """The modules, as files for /data."""
    image = Image.built()
    if not image.gpio_sim.exists():
        pytest.skip("the module gpio-sim is missing: board/build-image BOARD --step testprograms builds it")
    return module_files("configfs") | {"gpio-sim.ko": image.gpio_sim.read_bytes()}


class CarWires:
    """A simulated GPIO chip. A test sets the levels of its lines."""

    def __init__(self, unit: HeadUnit, active: tuple[str, ...] = ()) -> None:
        """Adds the chip. The lines in `active` are high from the start."""
        self.unit = unit
        load(unit, "configfs", "gpio-sim")
        unit.shell("mount -t configfs none /sys/kernel/config")
        lines = "; ".join(f"mkdir line{number}; echo {name} >line{number}/name"
                          for number, name in enumerate(NAMES))
        unit.shell(f"mkdir -p {CONFIGURATION}/bank0 && cd {CONFIGURATION}/bank0 && echo {len(NAMES)} >num_lines && "
                   f"{{ {lines}; }}; cd /")
        # The daemon can open a line as soon as the chip exists, so the same command also sets the first levels.
        pulls = "".join(f"echo pull-up >$chip/sim_gpio{NAMES.index(name)}/pull; " for name in active)
        self.folder = unit.shell(
            f"echo 1 >{CONFIGURATION}/live; "
            f"chip=/sys/devices/platform/$(cat {CONFIGURATION}/dev_name)/$(cat {CONFIGURATION}/bank0/chip_name); "
            f"{pulls}echo $chip").strip()

    def pull(self, name: str) -> str:
        """The file that pulls a line up or down."""
        return f"{self.folder}/sim_gpio{NAMES.index(name)}/pull"

    def level(self, name: str) -> str:
        """The file with the level of a line. For an output, this is the level that the daemon has set."""
        return f"{self.folder}/sim_gpio{NAMES.index(name)}/value"

    def move(self, name: str, is_high: bool) -> None:
        self.unit.shell(f"echo pull-{'up' if is_high else 'down'} >{self.pull(name)}")

    def wait_until_used(self, *names: str) -> None:
        """Waits until the daemon has opened these lines."""
        for name in names:
            self.unit.wait_until(f"autoharp console --json status | grep -q '\"{name}\": \"o[nf]'")

    def turn(self, clicks: int) -> float:
        """Turns the rotary encoder by this number of clicks, to the right if the number is positive. A closed contact
        connects its line to ground. Returns how long the turn took, in seconds of the machine's clock."""
        first, second = ("ENCODER_A", "ENCODER_B") if clicks > 0 else ("ENCODER_B", "ENCODER_A")
        moves = [(first, "down"), (second, "down"), (first, "up"), (second, "up")]
        script = "".join(f"echo pull-{way} >{self.pull(name)}\n" for name, way in moves)
        self.unit.shell(f"cat >/run/turn <<'END'\nread a b </proc/uptime\n{script * abs(clicks)}"
                        "read c d </proc/uptime\necho $a $c\nEND")
        begin, end = self.unit.shell("busybox sh /run/turn").split()
        return float(end) - float(begin)

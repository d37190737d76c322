"""A panel whose brightness can be set in a file below /sys/class/backlight.

QEMU does not emulate a panel with a brightness. So an ACPI table adds an output with a brightness to QEMU's graphics
card, like the firmware of a notebook. Debian's module `video` makes a backlight device from this output. The image does
not contain this module.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from devices import Device
from headunit import HeadUnit
from kernel_modules import load, module_files

LIGHT = "/sys/class/backlight/acpi_video0"
# The highest level of brightness. The kernel numbers the levels from 0.
HIGHEST = 20
TABLE = """
DefinitionBlock ("", "SSDT", 2, "TEST", "LIGHT", 1) {
  External (\\_SB.PCI0, DeviceObj)
  Scope (\\_SB.PCI0) {
    Device (CARD) {
      Name (_ADR, 0x%(slot)02x0000)
      Method (_DOS, 1) {}
      Method (_DOD) { Return (Package () { 0x80000110 }) }
      Device (LCD) {
        Name (_ADR, 0x0110)
        Name (LEVL, 100)
        // The levels with and without mains, then all levels.
        Method (_BCL) { Return (Package () { 100, 100, %(levels)s }) }
        Method (_BCM, 1) { LEVL = Arg0 }
        Method (_BQC) { Return (LEVL) }
      }
    }
  }
}
"""


def light_device(slot: int) -> Device:
    """The ACPI table that adds the output to the graphics card in this slot of the PCI bus."""
    folder = Path(tempfile.mkdtemp(prefix="unit-"))
    levels = ", ".join(str(100 * level // HIGHEST) for level in range(HIGHEST + 1))
    (folder / "light.asl").write_text(TABLE % {"slot": slot, "levels": levels})
    subprocess.run(["iasl", "-oa", "light.asl"], cwd=folder, check=True, capture_output=True)
    return Device(("-acpitable", f"file={folder / 'light.aml'}"), arguments="acpi_backlight=video")


def light_modules() -> dict[str, bytes]:
    return module_files("wmi", "video")


def add_light(unit: HeadUnit) -> None:
    """Loads the modules. If no graphics driver requests the backlight, the module `video` adds it one second after it
    is loaded."""
    load(unit, "wmi", "video register_backlight_delay=1")
    unit.wait_until(f"test -e {LIGHT}")

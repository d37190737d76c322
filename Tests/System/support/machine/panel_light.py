"""A panel whose light the kernel offers below /sys/class/backlight.

QEMU has no such panel. A table for ACPI gives its graphics card an output with brightness, as the firmware of a
notebook does, and Debian's module `video` offers this output as a light. The image does not have this module.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from devices import Device
from headunit import HeadUnit
from kernel_modules import load, module_files

LIGHT = "/sys/class/backlight/acpi_video0"
# The kernel numbers these levels from 0.
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
    """The output of the graphics card in this slot of the bus."""
    folder = Path(tempfile.mkdtemp(prefix="unit-"))
    levels = ", ".join(str(100 * level // HIGHEST) for level in range(HIGHEST + 1))
    (folder / "light.asl").write_text(TABLE % {"slot": slot, "levels": levels})
    subprocess.run(["iasl", "-oa", "light.asl"], cwd=folder, check=True, capture_output=True)
    return Device(("-acpitable", f"file={folder / 'light.aml'}"), arguments="acpi_backlight=video")


def light_modules() -> dict[str, bytes]:
    return module_files("wmi", "video")


def add_light(unit: HeadUnit) -> None:
    """Loads the modules. A program without a graphics driver for the light has to wait one second."""
    load(unit, "wmi", "video register_backlight_delay=1")
    unit.wait_until(f"test -e {LIGHT}")

"""What a machine has beside processors and disk, as data. A test that needs more names it:

    unit = boot(devices=[WATCHDOG])

A device is a few of QEMU's options. One with a socket is a line of the machine that somebody else
speaks on: QEMU listens at `unit.folder / NAME`, and one may connect at any time.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    options: tuple[str, ...]
    # Names of character devices: each is a socket in the unit's folder.
    sockets: tuple[str, ...] = ()
    # What the kernel's command line must say for it.
    arguments: str = ""


def plain(*drivers: str) -> Device:
    """Devices that QEMU knows by their name, with their properties."""
    return Device(tuple(word for driver in drivers for word in ("-device", driver)))


SCREEN = plain("bochs-display,xres=800,yres=480")
# Firmware draws only on this one.
SCREEN_OF_FIRMWARE = plain("virtio-vga,xres=800,yres=480")
KEYBOARD = plain("virtio-keyboard-pci")
# Absolute places, as a touch screen has them.
TABLET = plain("virtio-tablet-pci")
USB = plain("qemu-xhci,id=usb")
WATCHDOG = Device(("-device", "i6300esb", "-action", "watchdog=reset"))

USUAL = (KEYBOARD, TABLET, USB, WATCHDOG)

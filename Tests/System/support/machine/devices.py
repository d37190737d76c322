"""Additional devices of a machine, as data. A test lists the devices that it needs:

    unit = boot(devices=[WATCHDOG])

A device is a list of QEMU options. Some devices are lines, such as a serial line. The other end of a line is a socket
of the host: QEMU listens at `unit.folder / NAME`, and a client can connect at any time.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    options: tuple[str, ...]
    # Names of character devices. Each of them has a socket in the unit's folder.
    sockets: tuple[str, ...] = ()
    # Arguments that the device requires on the kernel's command line.
    arguments: str = ""


def plain(*drivers: str) -> Device:
    """Devices, from the names and properties of their QEMU drivers."""
    return Device(tuple(word for driver in drivers for word in ("-device", driver)))


def screen_of(card: str) -> Device:
    return plain(f"{card},xres=800,yres=480")


KEYBOARD = plain("virtio-keyboard-pci")
# This device reports absolute positions, like a touch screen.
TABLET = plain("virtio-tablet-pci")
USB = plain("qemu-xhci,id=usb")
WATCHDOG = Device(("-device", "i6300esb", "-action", "watchdog=reset"))

# With mixer=off, QEMU's volume control does not change the samples. With use-timer=off, the card has no additional
# buffer. A card with this buffer drops 2048 frames when QEMU is late.
HDA = plain("ich9-intel-hda", "hda-output,audiodev=sound,mixer=off,use-timer=off")
AC97 = plain("AC97,audiodev=sound")
# The captured samples of this card differ from the samples of the files, because QEMU resamples them.
USB_AUDIO = plain("usb-audio,audiodev=sound")
NO_CARD = Device(())

USUAL = (KEYBOARD, TABLET, USB, WATCHDOG)

"""QEMU's Raspberry Pi 3B with the image on an SD card. QEMU itself loads the kernel and the device tree from the SD
card, because it does not emulate the firmware of the board. It does not emulate HDMI, I2S sound and the GPIO expander
either.

In most tests, the serial line of the radio is a root shell, so the device tree has no radio. In tests with a radio, the
root shell replaces the console."""

from __future__ import annotations

import subprocess
from pathlib import Path

from broadcom import BroadcomRadio
from emulator.card import boot_file, card_options, grow_to_card
from headunit import HeadUnit, Image
from machine import Machine
from sticks import Stick

RADIO = "/soc/serial@7e201000/bluetooth"


def change_tree(tree: Path, *arguments: str) -> None:
    subprocess.run(["fdtput", *arguments[:1], tree, *arguments[1:]], check=True)


class RaspberryPi(HeadUnit):
    def __init__(
        self, image: Image, folder: Path, *, data: dict[str, bytes], variant: str = "", stick: Stick | None = None,
        radio: BroadcomRadio | None = None, address: str = "00 00 00 00 00 00", serial: str = "00000000a1b2c3d4",
    ) -> None:
        """
        data      the files on /data before the first boot
        variant   the folder of a set of device trees, such as `dac`
        stick     a stick that is plugged in
        radio     the radio on the board
        address   the address that the firmware of the board would write into the tree, its lowest byte first
        serial    the serial number that the firmware of the board writes into the tree
        """
        super().__init__(image, folder, {"radio": radio})
        self.variant, self.address, self.serial, self.plugged = variant, address, serial, stick
        self.disk.fill_data(data)
        grow_to_card(self.disk.file)
        self.boot_again()

    def boot_again(self) -> None:
        self._finish()
        self.boots += 1
        self.capture = self.folder / f"sound-{self.boots}.wav"
        emulator = self.image.emulator
        name = f"{self.variant}/{emulator.devicetree}" if self.variant else emulator.devicetree
        tree = boot_file(self.disk.file, name, self.folder / "tree.dtb")
        change_tree(tree, "-ts", "/", "serial-number", self.serial)
        radio = self.options["radio"]
        arguments = "systemd.wants=root-shell@ttyAMA0.service"
        if radio:
            # QEMU does not emulate the GPIO expander, so a Bluetooth controller that needs a line of the expander would
            # never start.
            change_tree(tree, "-d", RADIO, "shutdown-gpios")
            change_tree(tree, "-tbx", RADIO, "local-bd-address", *self.address.split())
            arguments = ("systemd.mask=autoharp-console@ttyS1.service systemd.wants=root-shell@ttyS1.service")
        else:
            change_tree(tree, "-r", RADIO)
        options = [
            *card_options(emulator, self.image.folder, self.disk.file, tree, arguments),
            *("-audiodev", f"wav,id=sound,path={self.capture},out.frequency=48000,out.channels=2,out.format=s16"),
            *("-device", "usb-audio,audiodev=sound"),
        ]
        if self.plugged:
            options += ["-drive", f"file={self.plugged.file},if=none,id=stick,format=raw",
                        "-device", "usb-storage,drive=stick"]
        if radio:
            options += ["-chardev", f"socket,id=radio,path={radio.chip}",
                        "-serial", "chardev:radio", "-serial", "chardev:shell"]
        else:
            options += ["-serial", "chardev:shell", "-serial", "chardev:console"]
        lines = ["shell"] if radio else ["console", "shell"]
        self.machine = Machine(self.folder, emulator.program, options, lines, [])
        self.shell_ready = False

"""A machine that starts from an SD card, such as QEMU's Raspberry Pi."""

from __future__ import annotations

from pathlib import Path

from imagebuilder.board import SLOTS
from imagebuilder.commands import run
from imagebuilder.disk import find_partition

from .settings import CardEmulator


def grow_to_card(disk: Path) -> None:
    """Grows the copy of an image to a size that QEMU accepts for an SD card: a power of two."""
    size = disk.stat().st_size
    with open(disk, "r+b") as file:
        file.truncate(1 << (size - 1).bit_length())


def boot_file(disk: Path, name: str, to: Path) -> Path:
    """Copies the file `name` from the folder of the first slot on the boot partition of an image."""
    start, _ = find_partition(disk, "esp")
    run("mcopy", "-o", "-i", f"{disk}@@{start}", f"::{SLOTS[0]}/{name}", to)
    return to


def card_options(
    emulator: CardEmulator, image: Path, disk: Path, devicetree: Path, arguments: str
) -> list[str]:
    """The options for the machine, its kernel and its SD card, without its serial ports. `image` is the
    folder with the results of the build, and `arguments` are further arguments for the kernel. The
    machine has four processors, because the device tree says so."""
    line = " ".join(
        part for part in ((image / "cmdline").read_text().strip(), emulator.arguments, arguments) if part
    )
    return [
        *("-M", emulator.machine, "-m", emulator.memory, "-smp", "4", "-accel", "tcg,thread=multi"),
        *("-kernel", str(image / "vmlinux"), "-initrd", str(image / "initrd")),
        *("-dtb", str(devicetree), "-append", line),
        *("-drive", f"file={disk},if=sd,format=raw"),
    ]

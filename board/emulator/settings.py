"""The section [qemu] of board.conf: how QEMU emulates a board."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, fields
from pathlib import Path

from imagebuilder.board import Board
from imagebuilder.commands import BuildError


@dataclass(frozen=True)
class Emulator:
    """The settings of a machine with PCI and UEFI. In board.conf, the names have - in place of _. Each
    setting is required."""

    program: str  # the program of QEMU
    machine: str  # -machine
    processor: str  # -cpu, if KVM is not used
    arguments: str  # for the kernel, if KVM is not used
    firmware: str  # the file of UEFI, for -drive if=pflash
    firmware_variables: str  # the file with the variables of a new machine
    display: str  # the device that is the screen
    test_display: str  # the device that is the screen of most system tests
    radio: str  # the device that is the serial line of a Bluetooth controller
    radio_port: str  # the name of this line in Linux

    @classmethod
    def of(cls, board: Board) -> Emulator:
        """Reads the settings of a board. Raises BuildError if board.conf has no section [qemu], or if
        a setting is missing or unknown."""
        return cls(**read_settings(board, cls))

    def firmware_options(self, variables: Path) -> list[str]:
        """The options for a boot by UEFI. `variables` is the file that keeps the variables of this
        machine. If it is missing, it is made. Raises BuildError if the firmware is not installed."""
        for file in (self.firmware, self.firmware_variables):
            if not Path(file).exists():
                raise BuildError("no-firmware", f"{file} is missing. `make image-deps BOARD=NAME` "
                                 "installs the packages that emulate a board.")
        if not variables.exists():
            shutil.copyfile(self.firmware_variables, variables)
        return [
            *("-drive", f"if=pflash,format=raw,readonly=on,file={self.firmware}"),
            *("-drive", f"if=pflash,format=raw,file={variables}"),
        ]


@dataclass(frozen=True)
class CardEmulator:
    """The settings of a machine that has an SD card and USB, but neither PCI nor UEFI. QEMU loads the
    kernel and the device tree in place of the firmware of the board."""

    program: str  # the program of QEMU
    machine: str  # -machine
    memory: str  # -m, in MiB
    arguments: str  # for the kernel
    devicetree: str  # the name of the device tree's file, in the folder of the slot on the boot partition

    @classmethod
    def of(cls, board: Board) -> CardEmulator:
        """Reads the settings of a board. Raises BuildError in the same cases as Emulator.of."""
        return cls(**read_settings(board, cls))


def emulator_of(board: Board) -> Emulator | CardEmulator:
    """A CardEmulator if the section [qemu] contains `devicetree`, else an Emulator. Raises BuildError in the same cases
    as Emulator.of."""
    has_card = board.qemu is not None and "devicetree" in board.qemu
    return CardEmulator.of(board) if has_card else Emulator.of(board)


def read_settings(board: Board, kind: type) -> dict[str, str]:
    if board.qemu is None:
        raise BuildError("no-emulator", f"board/{board.name}/board.conf has no section [qemu], "
                         "so this board can be built but not emulated.")
    known = {field.name.replace("_", "-") for field in fields(kind)}
    named = set(board.qemu)
    for problem, names in (("lacks", known - named), ("has unknown", named - known)):
        if names:
            raise BuildError("wrong-emulator-settings", f"board/{board.name}/board.conf, section "
                             f"[qemu], {problem} settings: {', '.join(sorted(names))}")
    return {name.replace("-", "_"): value for name, value in board.qemu.items()}


def board_of_image(folder: Path) -> str:
    """The name of the board of an image."""
    try:
        return (folder / "board").read_text().strip()
    except FileNotFoundError:
        raise BuildError("no-board-of-image", f"{folder} has no file `board`, which names the board "
                         "of the image. `make image` writes it.")

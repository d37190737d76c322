"""The command board/boot: starts the image of a board in QEMU."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from imagebuilder.board import Board
from imagebuilder.commands import BuildError

from .desktop import audio_of_desktop, has_desktop
from .kvm import OPTIONS, kvm_boots
from .card import boot_file, card_options, grow_to_card
from .settings import CardEmulator, Emulator, emulator_of

HELP = """\
The serial console is in this terminal. Ctrl-A X ends QEMU. With a desktop, the screen of the unit
is in a window, and the mouse replaces the finger. Closing the window ends QEMU.

variables of the environment:
  AUTOHARP_ACCEL=kvm|tcg   the accelerator (default: kvm if a kernel boots with KVM on this machine,
                           else tcg; this test takes a few seconds)
  AUTOHARP_APPEND=...      further arguments for the kernel's command line, for example
                           systemd.wants=root-shell@hvc0.service
  AUTOHARP_FIRMWARE=1      boots from the disk by UEFI; without this setting QEMU loads the kernel
  AUTOHARP_DISPLAY=sdl     where the screen is: sdl, gtk, none (default: sdl with a desktop, else
                           none). With gtk, QEMU gives the screen the size of its window.
  AUTOHARP_AUDIO=pa        where the sound goes: pa, alsa, wav,path=FILE, none (default: with a
                           desktop pa if a sound server runs, or alsa if there is a sound card; else
                           none)

The files that the unit writes to /data are kept in build/image/BOARD/running.img, until the image
is built again.
"""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="boot", description="Starts the image of a board in QEMU.", epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("board", nargs="?", default="qemu-x86_64", help="a folder of board/")
    parser.add_argument("music", nargs="?", type=Path,
                        help="a folder with music; the unit gets a USB stick with the files of this folder")
    parser.add_argument("--realtime", action="store_true",
                        help="the image with the PREEMPT_RT kernel")
    return parser.parse_args(arguments)


def accelerator(emulator: Emulator, kernel: Path) -> tuple[list[str], str]:
    """The options for the processor, and the arguments that the kernel needs with this processor."""
    chosen = os.environ.get("AUTOHARP_ACCEL") or ("kvm" if kvm_boots(emulator, kernel) else "tcg")
    if chosen == "kvm":
        return [*OPTIONS], ""
    return ["-accel", "tcg,thread=multi", "-cpu", emulator.processor], emulator.arguments


def boot_options(emulator: Emulator, image: Path, arguments: str) -> list[str]:
    """The options that load the kernel, or the firmware that loads the kernel from the disk."""
    if os.environ.get("AUTOHARP_FIRMWARE"):
        return emulator.firmware_options(image / "uefi-variables")
    own = (image / "cmdline").read_text().strip()
    line = " ".join(part for part in (own, arguments, os.environ.get("AUTOHARP_APPEND")) if part)
    kernel, initrd = image / "vmlinux", image / "initrd"
    return ["-kernel", str(kernel), "-initrd", str(initrd), "-append", line]


def running_disk(image: Path) -> Path:
    """The copy of the image to which the emulated unit writes. If the image is newer than the copy, makes a new
    copy."""
    original, disk = image / "autoharp.img", image / "running.img"
    if not disk.exists() or disk.stat().st_mtime_ns <= original.stat().st_mtime_ns:
        subprocess.run(["cp", "--sparse=always", original, disk], check=True)
    return disk


def make_stick(board: Board, image: Path, music: Path) -> list[str]:
    """Makes a USB stick with the files of `music`. Returns the options of QEMU that plug the stick in."""
    stick = image / "stick.img"
    made = subprocess.run([board.common / "host/make-stick.sh", music.absolute(), stick])
    if made.returncode:
        sys.exit(made.returncode)
    drive = f"file={stick},if=none,id=stick,format=raw"
    return ["-drive", drive, "-device", "usb-storage,drive=stick"]


def qemu_command(chosen: argparse.Namespace) -> list[str]:
    """The command that runs QEMU. Raises BuildError if there is no image or no emulator."""
    board = Board(chosen.board, realtime=chosen.realtime)
    emulator, image = emulator_of(board), board.work
    if not (image / "autoharp.img").exists():
        raise BuildError("no-image", f"the board {board.name} has no image. Build it: "
                         f"make image BOARD={board.name}")
    if isinstance(emulator, CardEmulator):
        return card_command(board, emulator, chosen)
    options, arguments = accelerator(emulator, image / "vmlinux")
    display = os.environ.get("AUTOHARP_DISPLAY") or ("sdl" if has_desktop() else "none")
    audio = os.environ.get("AUTOHARP_AUDIO") or audio_of_desktop()
    if display != "none" and audio == "none":
        print("No sound: there is no sound server and no sound card.", flush=True)
    return [
        *(emulator.program, *options, *boot_options(emulator, image, arguments)),
        *("-M", emulator.machine, "-smp", "2", "-m", "512", "-nodefaults"),
        *("-display", display, "-serial", "mon:stdio"),
        *("-drive", f"file={running_disk(image)},if=none,id=disk,format=raw"),
        *("-device", "virtio-blk-pci,drive=disk,bootindex=1"),
        *("-audiodev", f"{audio},id=sound"),
        *("-device", "ich9-intel-hda", "-device", "hda-output,audiodev=sound,mixer=off"),
        *("-device", f"{emulator.display},xres=800,yres=480"),
        *("-device", "virtio-keyboard-pci", "-device", "virtio-tablet-pci"),
        *("-device", "qemu-xhci", "-device", "i6300esb"),
        *(make_stick(board, image, chosen.music) if chosen.music else []),
    ]


def card_command(board: Board, emulator: CardEmulator, chosen: argparse.Namespace) -> list[str]:
    """The command for a machine that starts from an SD card. The machine has no screen, because QEMU does not emulate
    the screen of the board."""
    image, disk = board.work, running_disk(board.work)
    grow_to_card(disk)
    tree = boot_file(disk, emulator.devicetree, image / "devicetree.dtb")
    audio = os.environ.get("AUTOHARP_AUDIO") or audio_of_desktop()
    append = os.environ.get("AUTOHARP_APPEND", "")
    return [
        *(emulator.program, *card_options(emulator, image, disk, tree, append)),
        # The first serial port is the line to the Bluetooth chip, which QEMU does not emulate.
        *("-nodefaults", "-display", "none", "-serial", "null", "-serial", "mon:stdio"),
        *("-audiodev", f"{audio},id=sound", "-device", "usb-audio,audiodev=sound"),
        *("-device", "usb-kbd"),
        *(make_stick(board, image, chosen.music) if chosen.music else []),
    ]


def main(arguments: list[str]) -> None:
    try:
        command = qemu_command(parse(arguments))
        os.execvp(command[0], command)
    except BuildError as error:
        sys.exit(f"boot: {error}")
    except FileNotFoundError as error:
        sys.exit(f"boot: {error.filename or command[0]} is missing. `make image-deps` installs it.")

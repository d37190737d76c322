"""The boot partition of a board with its own firmware: its files, its device trees and sector 0."""

import gzip
import re
import struct
import subprocess

import pytest

from conftest import PROJECT
from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.devicetrees import compile_overlay, make_devicetrees, merge
from imagebuilder.disk import layout, write_hybrid_mbr, write_table
from imagebuilder.files import empty_file
from imagebuilder.firmware import fill_for_firmware
from imagebuilder.kernel import Kernel
from imagebuilder.lock import Lock
from project import make_package, write_files

TREE = """\
/dts-v1/;
/ {{ #address-cells = <1>; #size-cells = <1>; model = "{0}"; rmem: memory {{ }}; bt: radio {{ }}; }};
"""
OVERLAY = """\
/dts-v1/;
/plugin/;
&{0} {{ {1}; }};
"""


@pytest.fixture
def pi(board, tmp_path):
    """The board `small` with its own firmware and the device trees of two models."""
    conf = board.folder / "board.conf"
    text = re.sub(r"efi-.*\n", "", conf.read_text())
    conf.write_text(text.replace("[board]\n", """[board]
boot-configuration = config.txt
boot-files = start.elf
devicetrees = one-model two-model
"""))
    write_files(board.folder, {
        "config.txt": "os_prefix=a/\n",
        "overlays/always/radio.dts": OVERLAY.format("bt", "address = [00]"),
        "overlays/always/two-memory.dts": OVERLAY.format("rmem", "size = <2>"),
        "overlays/variants/dac.dts": OVERLAY.format("bt", "dac"),
        "overlays/optional/clock.dts": OVERLAY.format("bt", "clock"),
    })
    return Board("small", project=tmp_path)


@pytest.fixture
def kernel(pi):
    """An unpacked kernel package with the device trees of the two models."""
    tree = pi.work / "kernel"
    folder = tree / "usr/lib/linux-image-6.12/vendor"
    folder.mkdir(parents=True)
    for name in ("one-model", "two-model"):
        subprocess.run(["dtc", "-q", "-@", "-o", folder / f"{name}.dtb", "-"],
                       input=TREE.format(name), text=True, check=True)
    (pi.work / "vmlinuz").write_bytes(b"kernel" * 1000)
    (pi.work / "initrd").write_bytes(b"initrd")
    return Kernel(tree, pi.work / "vmlinuz")


def properties(tree, node):
    shown = subprocess.run(["fdtget", "-p", tree, node], capture_output=True, text=True, check=True)
    return set(shown.stdout.split())


def test_board_without_a_loader_for_uefi_has_its_own_firmware(board, pi):
    assert (board.has_uefi, pi.has_uefi) == (True, False)


def test_trees_have_the_overlays_of_all_models_and_of_their_own(pi, kernel, tmp_path):
    made = tmp_path / "trees"
    make_devicetrees(pi, kernel.tree, made)
    assert properties(made / "one-model.dtb", "/radio") >= {"address"}
    assert "size" not in properties(made / "one-model.dtb", "/memory")
    assert "size" in properties(made / "two-model.dtb", "/memory")
    for name in ("one-model", "two-model"):
        assert "dac" not in properties(made / f"{name}.dtb", "/radio")
        assert properties(made / f"dac/{name}.dtb", "/radio") >= {"address", "dac"}
    assert (made / "overlays/clock.dtbo").exists()


def test_missing_tree_is_an_error_with_its_name(pi, kernel, tmp_path):
    next(kernel.tree.rglob("two-model.dtb")).unlink()
    with pytest.raises(BuildError, match="^no-devicetree: .*two-model"):
        make_devicetrees(pi, kernel.tree, tmp_path / "trees")


def firmware_package(pi, files):
    documents = {"usr/share/doc/firmware/copyright": "redistribution is permitted"}
    return Lock([make_package(pi.debs, "boot", "firmware", files | documents)], 0)


def test_boot_partition_has_firmware_configuration_licence_and_slot(pi, kernel, tmp_path):
    lock = firmware_package(pi, {"usr/lib/firmware-files/start.elf": "starts", "usr/lib/x/other": ""})
    tree = tmp_path / "tree"
    tree.mkdir()
    fill_for_firmware(pi, lock, kernel, pi.work / "initrd", tree)
    names = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    assert names == {
        "start.elf", "config.txt", "licences/firmware.txt", "a/vmlinuz", "a/initrd", "a/cmdline.txt",
        "a/one-model.dtb", "a/two-model.dtb", "a/dac/one-model.dtb", "a/dac/two-model.dtb",
        "a/overlays/clock.dtbo", "a/overlays/README",
    }
    packed = (tree / "a/vmlinuz").read_bytes()
    assert gzip.decompress(packed) == b"kernel" * 1000
    assert packed[4:8] == bytes(4)  # without a date
    assert (tree / "a/cmdline.txt").read_text() == "console=ttyS0 quiet gpt autoharp.slot=a\n"


def test_missing_file_of_the_firmware_is_an_error_with_its_name(pi, kernel, tmp_path):
    lock = firmware_package(pi, {"usr/lib/x/other": ""})
    with pytest.raises(BuildError, match="^no-firmware: .*start.elf"):
        fill_for_firmware(pi, lock, kernel, pi.work / "initrd", tmp_path)


def test_sector_0_lists_the_boot_partition_and_protects_the_gpt(pi, tmp_path):
    disk = empty_file(tmp_path / "disk", 100)
    write_table(pi, disk, layout(pi))
    gpt = disk.read_bytes()[512:]
    write_hybrid_mbr(disk, layout(pi)[0])
    content = disk.read_bytes()
    entries = [struct.unpack("<B3sB3sII", content[at : at + 16]) for at in range(446, 510, 16)]
    assert [(kind, start, size) for _, _, kind, _, start, size in entries] == [
        (0x0C, 2048, 40 * 2048), (0xEE, 1, 2047), (0, 0, 0), (0, 0, 0)]
    assert content[510:512] == b"\x55\xaa" and content[512:] == gpt
    shown = subprocess.run(["sfdisk", "--verify", disk], capture_output=True, text=True, check=True)
    assert "No errors detected" in shown.stdout


# --- the Raspberry Pi -----------------------------------------------------------------------


def settings_of(name):
    lines = (PROJECT / "board/raspberrypi" / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_every_file_that_the_configuration_of_a_raspberry_pi_names_is_made():
    board = Board("raspberrypi")
    trees = board.settings["devicetrees"].split()
    config, dac = settings_of("config.txt"), settings_of("dac.txt")
    assert {"os_prefix=a/", "kernel=vmlinuz", "initramfs initrd followkernel"} <= set(config)
    named = [line.removeprefix("device_tree=") for line in dac if line.startswith("device_tree=")]
    assert sorted(named) == sorted(f"dac/{tree}.dtb" for tree in trees)
    text = (board.folder / "config.txt").read_text()
    offered = set(re.findall(r"^#dtoverlay=(\S+)$", text, re.MULTILINE))
    assert offered == {path.stem for path in (board.folder / "overlays/optional").glob("*.dts")}
    assert re.findall(r"^#include (\S+)$", text, re.MULTILINE) == ["dac.txt"]
    assert board.settings["boot-configuration"].split() == ["config.txt", "dac.txt"]
    assert "start.elf" in board.settings["boot-files"] and "fixup4.dat" in board.settings["boot-files"]


def test_firmware_of_a_raspberry_pi_finds_the_place_for_the_address_of_the_radio(tmp_path):
    tree = """/dts-v1/; / { aliases { serial0 = "/soc/serial@7e201000"; }; soc { serial@7e201000 {
        bt: bluetooth { }; }; }; };"""
    subprocess.run(["dtc", "-q", "-@", "-o", tmp_path / "in.dtb", "-"], input=tree, text=True, check=True)
    radio = PROJECT / "board/raspberrypi/overlays/always/radio.dts"
    compile_overlay(radio, tmp_path / "radio.dtbo")
    merge(tmp_path / "in.dtb", [tmp_path / "radio.dtbo"], tmp_path / "out.dtb")

    def value(*arguments):
        shown = subprocess.run(["fdtget", *arguments], capture_output=True, text=True, check=True)
        return shown.stdout.strip()

    node = value(tmp_path / "out.dtb", "/aliases", "bluetooth")
    assert value("-tbx", tmp_path / "out.dtb", node, "local-bd-address") == "0 0 0 0 0 0"
    assert value(tmp_path / "out.dtb", "/aliases", "serial0") == "/soc/serial@7e201000"


def test_console_of_a_raspberry_pi_is_the_mini_uart():
    board = Board("raspberrypi")
    assert board.settings["console"] == "ttyS1"
    assert "console=ttyS1,115200" in board.command_line().split()
    assert "enable_uart=1" in settings_of("config.txt")

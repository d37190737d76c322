"""The image of a Raspberry Pi on QEMU's machine raspi3b. The sound of its USB card is not compared with the file: the
emulated bus drops parts of the sound."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from broadcom import DEFAULT_ADDRESS, DOWNLOAD, LAUNCH, SET_ADDRESS, BroadcomRadio, firmware_of
from daemon import on_data
from emulator.settings import CardEmulator
from partition_table import partitions
from raspberry_pi import RaspberryPi
from sound import flac, noise
from sticks import Stick
from storage import report, state


@pytest.fixture
def boot_card(image, request):
    """A function that boots the image from an SD card."""
    if not isinstance(image.emulator, CardEmulator):
        pytest.skip("this board does not start from a card")
    units: list[RaspberryPi] = []
    request.node.head_units = units

    def start(**options) -> RaspberryPi:
        unit = RaspberryPi(image, Path(tempfile.mkdtemp(prefix="unit-")), **options)
        units.append(unit)
        return unit

    yield start
    for unit in units:
        unit.close()


def test_card_boots_to_the_prompt_and_data_grows(boot_card):
    unit = boot_card(data=on_data())
    with open(unit.disk.file, "rb") as disk:
        first = disk.read(512)
    # Sector 0 lists the boot partition as FAT (0x0C), and marks the GPT (0xEE).
    assert first[446 + 4] == 0x0C and first[462 + 4] == 0xEE
    assert unit.wait_until_booted() == "running"
    assert unit.failed_units() == []
    assert unit.image.board.name in unit.console("version")
    assert "mmcblk" in unit.shell("grep ' / ' /proc/mounts; cat /proc/partitions")
    assert state(unit) == "disk"
    unit.wait_until("systemctl show -p SubState grow-data.service | grep -qx SubState=exited")
    assert {"grow.partition", "grow.file-system"} <= set(report(unit))
    unit.switch_off()
    with open(unit.disk.file, "rb") as disk:
        assert disk.read(512) == first
    size = unit.disk.file.stat().st_size // 512
    assert partitions(unit.disk.file)["autoharp-data"][1] > size - 4096


def test_stick_plays_at_a_usb_card(boot_card, tmp_path):
    song = flac(noise(60, seed=61), rate=48000)
    unit = boot_card(data=on_data(), stick=Stick.make(tmp_path, {"song.flac": song}))
    unit.wait_until_booted()
    unit.wait_for_stick()
    unit.wait_for_files(1)
    assert "USB" in unit.shell("cat /proc/asound/cards")
    unit.console("play")
    unit.wait_until_playing()
    unit.wait_for_sound(48000)
    assert unit.failed_units() == []


def test_dac_of_its_device_tree_is_a_sound_card(boot_card):
    unit = boot_card(data=on_data(), variant="dac")
    unit.wait_until_booted()
    unit.wait_until("grep -q '\\[dac' /proc/asound/cards")
    assert unit.shell("cat /proc/device-tree/sound-dac/status 2>/dev/null || echo okay") == "okay"


@pytest.fixture
def broadcom():
    radio = BroadcomRadio(Path(tempfile.mkdtemp(prefix="unit-")))
    yield radio
    radio.close()


def test_radio_gets_its_firmware_and_the_address_of_the_board(boot_card, broadcom, image):
    unit = boot_card(data=on_data(bluetooth="yes"), radio=broadcom, address="56 34 12 eb 27 b8")
    unit.wait_until_booted()
    unit.wait_until("busctl get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Address "
                    "| grep -q B8:27:EB:12:34:56")
    [chip] = broadcom.chips
    order = [chip.opcodes.index(opcode) for opcode in (DOWNLOAD, LAUNCH, SET_ADDRESS)]
    assert order == sorted(order)
    assert chip.address != DEFAULT_ADDRESS
    sent = unit.shell("cd /usr/lib/firmware/brcm; ls").split()
    assert sent == ["BCM43430A1.hcd", "BCM43430B0.hcd", "BCM4345C0.hcd", "BCM4345C5.hcd"]
    file = image.folder / "tree/usr/lib/firmware/brcm/BCM43430A1.hcd"
    assert bytes(chip.firmware) == firmware_of(file)
    assert unit.failed_units() == []


def test_radio_without_an_address_of_the_firmware_gets_that_of_the_serial_number(boot_card, broadcom):
    unit = boot_card(data=on_data(), radio=broadcom)
    unit.wait_until_booted()
    # The address ends with the last three bytes of the serial number, with every second bit inverted.
    unit.wait_until("busctl get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Address "
                    "| grep -q B8:27:EB:18:69:7E")
    [chip] = broadcom.chips
    assert chip.address == bytes.fromhex("7e 69 18 eb 27 b8")
    assert unit.logged("radio-address.set", unit="radio-address") != []
    assert unit.failed_units() == []

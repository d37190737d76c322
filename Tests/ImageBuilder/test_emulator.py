"""The section [qemu] of board.conf."""

import subprocess
from pathlib import Path

import pytest

from conftest import PROJECT
from emulator.card import boot_file, card_options, grow_to_card
from emulator.settings import CardEmulator, Emulator, board_of_image, emulator_of
from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.disk import layout, write_table
from imagebuilder.files import MIB, empty_file

QEMU = """
[qemu]
program            = qemu-system-small
machine            = tiny
processor          = slow
arguments          =
firmware           = {firmware}
firmware-variables = {variables}
display            = panel
test-display       = panel
radio              = line
radio-port         = ttyS7
"""


@pytest.fixture
def emulated(board, tmp_path):
    """The board `small` with a section [qemu], in which the files of the firmware exist."""
    firmware, variables = tmp_path / "code", tmp_path / "variables"
    firmware.write_text("code")
    variables.write_text("as delivered")
    append(board, QEMU.format(firmware=firmware, variables=variables))
    return Board("small", project=tmp_path)


def append(board, text):
    with open(board.folder / "board.conf", "a") as conf:
        conf.write(text)


def test_settings_are_those_of_the_section(emulated):
    emulator = Emulator.of(emulated)
    assert (emulator.program, emulator.machine, emulator.processor) == ("qemu-system-small", "tiny", "slow")
    assert (emulator.radio, emulator.radio_port, emulator.arguments) == ("line", "ttyS7", "")


def test_board_without_the_section_can_be_built_but_not_emulated(board):
    assert board.qemu is None
    with pytest.raises(BuildError, match=r"^no-emulator: board/small/board.conf .*\[qemu\]"):
        Emulator.of(board)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("machine            = tiny\n", "", "lacks settings: machine$"),
     ("machine ", "machin ", "lacks settings: machine$"),
     ("radio-port", "sound = hda\nradio-port", "has unknown settings: sound$")],
)
def test_missing_and_unknown_settings_are_refused_with_their_names(board, tmp_path, old, new, message):
    append(board, QEMU.replace(old, new))
    with pytest.raises(BuildError, match=f"^wrong-emulator-settings: board/small/.*{message}"):
        Emulator.of(Board("small", project=tmp_path))


def test_firmware_gets_variables_of_its_own_which_later_boots_keep(emulated, tmp_path):
    emulator, own = Emulator.of(emulated), tmp_path / "own"
    options = emulator.firmware_options(own)
    assert f"if=pflash,format=raw,readonly=on,file={emulator.firmware}" in options
    assert f"if=pflash,format=raw,file={own}" in options
    assert own.read_text() == "as delivered"
    own.write_text("changed")
    emulator.firmware_options(own)
    assert own.read_text() == "changed"


def test_missing_firmware_is_refused_with_the_command_that_installs_it(emulated, tmp_path):
    emulator = Emulator.of(emulated)
    Path(emulator.firmware).unlink()
    with pytest.raises(BuildError, match="^no-firmware: .*code is missing. `make image-deps"):
        emulator.firmware_options(tmp_path / "own")


def test_image_names_its_board(tmp_path):
    (tmp_path / "board").write_text("qemu-x86_64\n")
    assert board_of_image(tmp_path) == "qemu-x86_64"
    (tmp_path / "board").unlink()
    with pytest.raises(BuildError, match="^no-board-of-image: "):
        board_of_image(tmp_path)


CARD = """
[qemu]
program            = qemu-system-small
machine            = tiny
memory             = 64
arguments          = quick
devicetree         = tiny.dtb
"""


@pytest.fixture
def with_card(board, tmp_path):
    append(board, CARD)
    return Board("small", project=tmp_path)


def test_machine_with_a_card_has_no_uefi(with_card):
    assert emulator_of(with_card) == CardEmulator("qemu-system-small", "tiny", "64", "quick", "tiny.dtb")


def test_machine_with_a_card_refuses_settings_of_uefi(with_card, board, tmp_path):
    append(board, "firmware = code\n")
    with pytest.raises(BuildError, match="^wrong-emulator-settings: .*has unknown settings: firmware$"):
        emulator_of(Board("small", project=tmp_path))


def test_card_has_a_power_of_two_bytes_and_keeps_its_contents(tmp_path):
    disk = tmp_path / "disk"
    disk.write_bytes(b"x" * 5000)
    grow_to_card(disk)
    assert (disk.stat().st_size, disk.read_bytes()[:5000]) == (8192, b"x" * 5000)
    grow_to_card(disk)
    assert disk.stat().st_size == 8192


def test_kernel_of_a_card_gets_the_arguments_of_the_image_and_of_the_emulator(with_card, tmp_path):
    (tmp_path / "cmdline").write_text("console=ttyS1\n")
    options = card_options(emulator_of(with_card), tmp_path, tmp_path / "disk", tmp_path / "tree", "more")
    assert options[options.index("-append") + 1] == "console=ttyS1 quick more"
    assert f"file={tmp_path}/disk,if=sd,format=raw" in options
    assert options[options.index("-dtb") + 1] == f"{tmp_path}/tree"


def test_emulator_of_every_board_is_complete_and_its_packages_are_listed():
    boards = [Board(path.parent.name) for path in PROJECT.glob("board/*/board.conf")]
    for board in boards:
        if board.qemu is not None:
            emulator_of(board)
            assert (board.common / f"host/{board.name}-packages.list").exists()


def test_file_of_the_slot_is_read_from_the_card_that_has_grown(board, tmp_path):
    disk = empty_file(tmp_path / "card.img", layout(board)[-1].end + 1)
    write_table(board, disk, layout(board))
    grow_to_card(disk)
    (tmp_path / "a").mkdir()
    (tmp_path / "a/tree.dtb").write_text("a device tree")
    start = f"{disk}@@{layout(board)[0].start * MIB}"
    subprocess.run(["mformat", "-i", start, "-F", "-T", str(40 * MIB // 512), "-h", "64", "-s", "32", "::"], check=True)
    subprocess.run(["mcopy", "-s", "-i", start, tmp_path / "a", "::"], check=True)
    assert boot_file(disk, "tree.dtb", tmp_path / "copy").read_text() == "a device tree"

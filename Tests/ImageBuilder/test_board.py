"""The contents of board.conf and cmdline, and the paths of the results."""

import pytest

from imagebuilder.board import Board
from imagebuilder.commands import BuildError


def test_board_has_the_settings_of_its_folder(board, tmp_path):
    assert board.architecture == "amd64"
    assert board.triple == "x86_64-unknown-linux-gnu"
    assert board.processor == "x86_64"
    assert board.sizes == {"esp": 40, "root": 4, "data": 16}
    assert board.settings["console"] == "ttyS0"
    assert board.lock == tmp_path / "board/small/packages.lock"
    assert board.work == board.shared == tmp_path / "build/image/small"


def test_data_size_replaces_the_size_of_the_board(tmp_path, board):
    assert Board("small", data_size=99, project=tmp_path).sizes == {"esp": 40, "root": 4, "data": 99}


def test_realtime_variant_shares_results_that_are_independent_of_the_kernel(tmp_path, board):
    realtime = Board("small", realtime=True, project=tmp_path)
    assert realtime.work == tmp_path / "build/image/small-rt"
    assert realtime.shared == board.shared
    assert (board.kernel_part, realtime.kernel_part) == ("kernel", "kernel-rt")


def test_board_with_one_kernel_has_no_variant(tmp_path, board):
    conf = board.folder / "board.conf"
    conf.write_text(conf.read_text().replace("kernel-rt    = linux-image-rt-amd64\n", ""))
    realtime = Board("small", realtime=True, project=tmp_path)
    assert (realtime.kernel_parts, realtime.kernel_part) == (["kernel"], "kernel")
    assert realtime.work == realtime.shared == tmp_path / "build/image/small"


def test_unknown_board_is_refused_with_the_known_names(tmp_path, board):
    with pytest.raises(BuildError, match="^unknown-board: .*'large'.*small$"):
        Board("large", project=tmp_path)


def test_command_line_has_the_arguments_without_reasons(board):
    assert board.command_line() == "console=ttyS0 quiet gpt autoharp.slot=a"


def test_identity_depends_on_names_only():
    board = Board("qemu-x86_64")
    # Existing images have these UUIDs, so they must not change.
    assert board.identity("disk") == "792593B9-44AB-53F4-BB8F-47E6B2E88217"
    assert board.identity("data") == "980317B2-F233-5DCF-AF25-0EB82D6C381C"

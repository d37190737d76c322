"""Makes a small project in a temporary folder for each test. Its board has tiny packages."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "board"))
os.environ["PATH"] += ":/usr/sbin:/sbin"
os.environ["AUTOHARP_MIRROR"] = "file:/nonexistent"  # no test uses the network

from imagebuilder.board import Board
from project import make_project


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """The board `small`. Its lock names no packages yet."""
    make_project(tmp_path)
    board = Board("small", project=tmp_path)
    board.make_folders()
    return board

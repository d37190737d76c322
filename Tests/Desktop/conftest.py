"""A virtual desktop for each test, and the demo collection, which is made once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "board"))

from demomusic import collection
from desktop_run import Run
from xserver import Desktop


@pytest.fixture(scope="session")
def demo() -> Path:
    folder = PROJECT / "build" / "demo"
    collection.make(folder)
    return folder


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Desktop]:
    with Desktop(tmp_path) as desktop:
        yield desktop


@pytest.fixture
def start(tmp_path: Path, demo: Path) -> Iterator:
    """A function that starts `make run` in a terminal, with options of board/run. At the end of the test, the fixture
    ends the processes that are left."""
    runs: list[Run] = []

    def start(*options: object, desktop: Desktop | None = None, music: Path | None = None) -> Run:
        runs.append(Run(tmp_path / "data", desktop, music, [*options, "--data", tmp_path / "data"]))
        return runs[-1]
    yield start
    for run in runs:
        run.kill()

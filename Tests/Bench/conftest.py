"""Fixtures: a head unit per test, and what is kept when a test fails."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Callable, Iterator

import pytest

from headunit import HeadUnit, Image
from machine import PROJECT

FAILURES = PROJECT / "build" / "bench-failures"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "quick: belongs to `make test`")
    config.addinivalue_line("markers", "waits_for_serve: needs `autoharp serve` and its console")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("waits_for_serve"):
            item.add_marker(pytest.mark.skip(reason="needs `autoharp serve`, not there yet"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.failed:
        for unit in getattr(item, "head_units", []):
            folder = FAILURES / item.name.replace("/", "-")
            unit.keep(folder)
            report.sections.append(("kept", str(folder)))
    return report


@pytest.fixture(scope="session")
def image() -> Image:
    return Image.built()


@pytest.fixture
def boot(image: Image, request: pytest.FixtureRequest) -> Iterator[Callable[..., HeadUnit]]:
    """`boot(...)` boots a head unit that is gone when the test ends."""
    units: list[HeadUnit] = []
    request.node.head_units = units

    def start(**options) -> HeadUnit:
        # Short, because the path of a socket may have 107 bytes.
        folder = Path(tempfile.mkdtemp(prefix="bench-"))
        unit = HeadUnit.boot(image, folder, **options)
        units.append(unit)
        return unit

    yield start
    for unit in units:
        unit.close()

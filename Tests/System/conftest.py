"""Fixtures that make a head unit for each test. If a test fails, the files of its head units are kept."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterator

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(folder) for folder in (HERE / "support").iterdir()]

from headunit import HeadUnit, Image
from machine import PROJECT

if TYPE_CHECKING:
    from radio import Radio

FAILURES = PROJECT / "build" / "system-failures"
# The folder of a test is its group. A group takes at most 40 minutes under emulation: see docs/testing.md.
GROUPS = sorted(folder.name for folder in (HERE / "cases").iterdir())
SHOWN_LINES = 30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--group", choices=GROUPS, help="run only the tests of this group")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "quick: belongs to `make test`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if wanted := config.getoption("--group"):
        others = [item for item in items if item.path.parent.name != wanted]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if report.when == "call" and report.failed:
        for unit in getattr(item, "head_units", []):
            folder = FAILURES / item.name.replace("/", "-")
            unit.keep(folder)
            (folder / "why.txt").write_text(report.longreprtext + "\n")
            console = folder / "console.log"
            if console.exists():
                lines = console.read_text(errors="replace").splitlines()[-SHOWN_LINES:]
                report.sections.append(("last lines of the serial console", "\n".join(lines)))
            report.sections.append(("kept", str(folder)))
    return report


@pytest.fixture(scope="session")
def image() -> Image:
    return Image.built()


@pytest.fixture(scope="session")
def realtime_image(image: Image) -> Image:
    """The image with the PREEMPT_RT kernel: a variant of the image, or the image itself if its board has no separate
    PREEMPT_RT kernel."""
    if "kernel-rt" not in image.board.kernel_parts:
        return image
    folder = image.folder
    folder = folder.with_name(f"{folder.name}-rt")
    if not (folder / "autoharp.img").exists():
        pytest.skip("the image with the PREEMPT_RT kernel is missing: `make image REALTIME=1` builds this image")
    return Image(folder)


@pytest.fixture
def boot(image: Image, request: pytest.FixtureRequest) -> Iterator[Callable[..., HeadUnit]]:
    """A function that boots a head unit. After the test, the fixture ends all units that were booted, and removes their
    files."""
    units: list[HeadUnit] = []
    request.node.head_units = units

    def start(image: Image = image, **options) -> HeadUnit:
        # The folder name is short, because the path of a socket has at most 107 bytes.
        folder = Path(tempfile.mkdtemp(prefix="unit-"))
        unit = HeadUnit.boot(image, folder, **options)
        units.append(unit)
        return unit

    yield start
    for unit in units:
        unit.close()


@pytest.fixture(params=["as it ships", "with sanitizer"])
def boot_phones_unit(
    boot: Callable[..., HeadUnit], image: Image, radio: Radio, request: pytest.FixtureRequest
) -> Callable[[dict[str, bytes]], HeadUnit]:
    """`boot_phones_unit(data)` boots a head unit for phones. The test runs once with the image's
    bluetoothd and once with a bluetoothd that has the address sanitizer. If AUTOHARP_BLUETOOTHD names
    a program, this program replaces the image's bluetoothd in the first run."""
    import bluetoothd
    from car import wait_for_phones

    other = os.environ.get("AUTOHARP_BLUETOOTHD")
    if request.param == "with sanitizer":
        other = image.sanitized_bluetoothd
        if not other.exists():
            pytest.skip("the bluetoothd with the address sanitizer is missing: "
                        "`make test-system` builds this bluetoothd")

    def start(data: dict[str, bytes]) -> HeadUnit:
        unit = boot(radio=radio, data=data | (bluetoothd.files(Path(other)) if other else {}))
        wait_for_phones(unit)
        if other:
            bluetoothd.replace(unit)
        return unit

    return start


@pytest.fixture
def radio() -> Iterator[Radio]:
    """The radio link of one head unit and its phones: `boot(radio=radio)`, then `unit.phone()`."""
    from radio import Radio  # imported here, because bumble is large and most tests do not use it

    radio = Radio(Path(tempfile.mkdtemp(prefix="unit-")))
    yield radio
    radio.close()

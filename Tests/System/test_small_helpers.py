"""release-power and restore-clock read files that the daemon has written, and use nothing else than a file of the right
form. The programs run on the host: they get folders of the test, GPIO chips that do not exist, and times of the past, so
they change nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from machine import PROJECT

HELPERS = PROJECT / "board" / "helpers"


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("helpers")
    for name in ("release-power", "restore-clock"):
        subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-o", made / name,
                        HELPERS / f"{name}.c", HELPERS / "files.c"], check=True)
    return made


def release(programs: Path, run: Path, action: str = "poweroff") -> tuple[int, str]:
    done = subprocess.run([programs / "release-power", action, "--run", run], capture_output=True, text=True)
    return done.returncode, done.stderr


def restore(programs: Path, data: Path) -> tuple[int, str]:
    done = subprocess.run([programs / "restore-clock", "--data", data], capture_output=True, text=True)
    return done.returncode, done.stderr.split(":")[0]


# A chip that no host has.
CHIP = "gpiochip999999"


@pytest.mark.parametrize("text", [f"{CHIP} 3\n", f"{CHIP} 3 active-low\n", f"{CHIP} 3 active-low pull-up"])
def test_release_power_opens_the_line_of_the_file(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").write_text(text)
    status, message = release(programs, tmp_path)
    assert status == 1 and f"{CHIP} 3" in message
    # A restart needs the supply.
    assert release(programs, tmp_path, "reboot") == (0, "")


@pytest.mark.parametrize("text", [
    "", "\n", CHIP, f"{CHIP} -3\n", f"{CHIP} 3 open-drain\n", f"{CHIP} 1234567\n", "gpiochip1234567 3\n", "sda 3\n",
    "gpiochip0/../sda 3\n", f"{CHIP} 3 {'active-low ' * 20}\n", f"{CHIP} 3x\n",
])
def test_release_power_refuses_a_file_of_another_form(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").write_text(text)
    status, message = release(programs, tmp_path)
    assert status == 1 and CHIP not in message


def test_release_power_follows_no_link_and_waits_for_no_fifo(programs, tmp_path):
    (tmp_path / "line").write_text(f"{CHIP} 3\n")
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").symlink_to("../line")
    os.mkfifo(tmp_path / "autoharp/ignition")
    assert release(programs, tmp_path) == (0, "")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/power-hold").write_text(f"{CHIP} 3\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/autoharp").symlink_to("../folder")
    assert release(programs, tmp_path / "other") == (0, "")


def test_release_power_without_a_file_does_nothing(programs, tmp_path):
    assert release(programs, tmp_path) == (0, "")


def test_restore_clock_keeps_a_clock_that_is_ahead(programs, tmp_path):
    (tmp_path / "autoharp").mkdir()
    # The beginning of 2025.
    (tmp_path / "autoharp/clock").write_text("1735689600\n")
    assert restore(programs, tmp_path) == (0, "")


@pytest.mark.parametrize("text", [
    "", "\n", "1735689599\n", "4102444800\n", "99999999999999999999\n", "-1735689601\n", "1735689601", "1735689601 \n",
    "1735689601\n1735689601\n", "0x7fffffff\n", " 1735689601\n",
])
def test_restore_clock_refuses_a_time_that_is_not_plausible(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/clock").write_text(text)
    assert restore(programs, tmp_path) == (1, "restore-clock.unusable")


def test_restore_clock_follows_no_link(programs, tmp_path):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "time").write_text("1735689601\n")
    (tmp_path / "autoharp/clock").symlink_to("../time")
    assert restore(programs, tmp_path) == (1, "restore-clock.unusable")

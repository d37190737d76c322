"""board/host/install-packages.sh, with programs of the test in place of dpkg, apt, sudo and Swift."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

HOST = Path(__file__).resolve().parents[2] / "board/host"
SWIFT = "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'"


@pytest.fixture
def machine(tmp_path: Path):
    """A function that runs install-packages.sh. PATH contains only the programs of the test and some
    standard tools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "sed", "grep", "dirname", "env"):
        (folder / name).symlink_to(Path("/bin") / name)

    def run(*, user: int = 1000, installed: str = "", **programs: str) -> subprocess.CompletedProcess:
        listed = "".join(f"{name} installed\\n" for name in installed.split())
        usual = {"id": f"echo {user}", "dpkg-query": f"printf '{listed}'", "apt-get": f"echo apt-get $* >> {tmp_path}/apt",
                 "swift": SWIFT}
        for name, script in (usual | programs).items():
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        return subprocess.run(["/bin/sh", HOST / "install-packages.sh"], env={"PATH": str(folder)},
                              capture_output=True, text=True, timeout=60)

    run.apt = tmp_path / "apt"
    return run


def packages() -> list[str]:
    lines = (HOST / "packages.list").read_text().splitlines()
    return [line.split()[0] for line in lines if re.match("[a-z0-9]", line)]


def one_line(output: str) -> str:
    return next(line.strip() for line in output.splitlines() if line.strip().startswith("su "))


def test_nothing_is_printed_if_nothing_is_missing(machine):
    result = machine(installed=" ".join(packages()))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("sudo", [None, "exit 1"], ids=["no-sudo", "refused"])
def test_without_root_one_line_is_printed_that_installs_all(machine, sudo):
    programs = {} if sudo is None else {"sudo": sudo}
    result = machine(installed=" ".join(packages()[2:]), **programs)
    assert result.returncode == 1
    assert not machine.apt.exists(), "nothing was tried"
    assert one_line(result.stdout) == (
        "su - -c 'apt-get update && apt-get install --no-install-recommends " + " ".join(packages()[:2]) + "'")


def test_with_sudo_the_missing_packages_are_installed(machine):
    result = machine(installed=" ".join(packages()[1:]), sudo='[ "$1" = -v ] || exec "$@"')
    assert result.returncode == 0, result.stderr
    assert re.search(f"install .*--no-install-recommends {packages()[0]}$", machine.apt.read_text(), re.MULTILINE)
    assert packages()[0] in result.stdout


@pytest.mark.parametrize("script, expected", [
    ("echo 'error while loading shared libraries: libncurses.so.6' >&2; exit 127", "libncurses.so.6"),
    ("echo unusual", "unusual"), ("echo 'Swift version 5.9'", "5.9"),
])
def test_reason_is_shown_if_swift_cannot_be_used(machine, script, expected):
    result = machine(installed=" ".join(packages()), swift=script)
    assert result.returncode == 1
    assert expected in result.stderr and "6.3" in result.stderr


def test_list_has_the_libraries_that_the_programs_of_swift_need():
    assert {"libncurses6", "libsqlite3-0", "libcurl4-openssl-dev", "libxml2", "libuuid1", "zlib1g"} <= set(packages())

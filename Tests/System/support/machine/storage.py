"""Reads the state of /data: the reports that the unit writes, and the file system itself."""

from __future__ import annotations

import re
from pathlib import Path

from headunit import HeadUnit
from sticks import run

# Owner and mode of each folder. docs/board.md explains both.
FOLDERS = {
    "/data": "root 755",
    "/data/autoharp": "autoharp 755",
    "/data/music": "autoharp 755",
    "/data/bluetooth": "root 700",
    "/data/log": "root 750",
}


def notices(unit: HeadUnit, run_folder: str = "/run/data") -> list[str]:
    """The identifiers of the notices, in their order."""
    text = unit.shell(f"cat {run_folder}/notice 2>/dev/null; true")
    return [line.split()[0] for line in text.splitlines()]


def state(unit: HeadUnit, run_folder: str = "/run/data") -> str:
    return unit.shell(f"cat {run_folder}/state")


def format_data(unit: HeadUnit, then: str = "true") -> str:
    """Formats /data. Then runs the shell command `then` before the machine restarts, and returns its output.
    Requires `reboots=True`."""
    output = unit.shell(f"autoharp console --json data format --force --yes; {then}")
    reply, _, rest = output.partition('"code": "storage-formatted"')
    assert rest, reply
    return rest.partition("\n")[2]


def report(unit: HeadUnit, run_folder: str = "/run/data") -> dict[str, str]:
    lines = unit.shell(f"cat {run_folder}/report 2>/dev/null; true").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def attempts(unit: HeadUnit, run_folder: str = "/run/data") -> list[tuple[str, int | None]]:
    """The runs of e2fsck in a check: the options and the exit status of each run. The status is None if e2fsck did not
    end by itself."""
    found = []
    for label, value in report(unit, run_folder).items():
        if label.startswith("e2fsck "):
            status = re.match(r"exit status (\d+)", value)
            found.append((label.removeprefix("e2fsck "), int(status[1]) if status else None))
    return found


def assert_layout(unit: HeadUnit) -> None:
    names = " ".join(FOLDERS)
    owners = unit.shell(f"stat -c '%n %U %a' {names}").splitlines()
    assert dict(line.split(" ", 1) for line in owners) == FOLDERS


def mount_of(unit: HeadUnit, folder: str = "/data") -> tuple[str, set[str]]:
    """File system type and mount options of the topmost mount at `folder`."""
    line = unit.shell(f"grep ' {folder} ' /proc/mounts | tail -n 1").split()
    return line[2], set(line[3].split(","))


def identity(partition: Path) -> tuple[str, str]:
    """Creation time and UUID of the file system, which change if the partition is formatted."""
    text = run("dumpe2fs", "-h", partition).decode()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return fields["Filesystem created"].strip(), fields["Filesystem UUID"].strip()


def superblocks(partition: Path) -> tuple[int, list[int]]:
    """The block size, and the blocks of all superblocks: the first one and its copies."""
    text = run("dumpe2fs", partition).decode()
    size = int(re.search(r"Block size: +(\d+)", text)[1])
    return size, [int(block) for block in re.findall(r"superblock at (\d+)", text)]

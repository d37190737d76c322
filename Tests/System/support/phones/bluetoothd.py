"""Replaces the bluetoothd of the image by another program, for example by a bluetoothd with the address sanitizer."""

from __future__ import annotations

from pathlib import Path

from car import wait_for_phones
from headunit import HeadUnit

NAME = "bluetoothd"
# The program is in /run, where the service forbids to execute programs. The sanitizer needs more address space and more
# system calls than the service permits. So this drop-in removes these restrictions. With abort_on_error=1 a report of
# the sanitizer ends the process, so that the test fails.
DROPIN = """[Service]
NoExecPaths=
ExecPaths=
MemoryMax=infinity
SystemCallFilter=
LockPersonality=no
Environment=ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:abort_on_error=1
"""


def files(program: Path) -> dict[str, bytes]:
    """The files that must be on /data before `replace` is called."""
    return {NAME: program.read_bytes(), f"{NAME}.conf": DROPIN.encode()}


def replace(unit: HeadUnit) -> None:
    """Copies the program from /data to /run, and makes the service run the copy instead of the image's
    bluetoothd, with the same arguments."""
    drop_ins = "/run/systemd/system/bluetooth.service.d"
    # /data is mounted noexec, so the program cannot run there.
    unit.shell(
        f"mkdir -p /run/tested {drop_ins}; cp /data/{NAME} /run/tested/; "
        f"chmod 755 /run/tested/{NAME}; cp /data/{NAME}.conf {drop_ins}/zz-tested.conf; "
        "sed -n 's|^ExecStart=/usr/libexec/bluetooth|ExecStart=/run/tested|p; s|^ExecStart=$|&|p' "
        f"/usr/lib/systemd/system/bluetooth.service.d/board.conf >>{drop_ins}/zz-tested.conf; "
        "systemctl daemon-reload; systemctl restart bluetooth.service"
    )
    program = unit.shell("readlink /proc/$(systemctl show -p MainPID --value bluetooth)/exe")
    assert program == f"/run/tested/{NAME}"
    wait_for_phones(unit)

"""Another bluetoothd than the one of the image: one with the address sanitizer, or Debian's own."""

from __future__ import annotations

from pathlib import Path

from car import wait_for_phones
from headunit import HeadUnit

NAME = "bluetoothd"
# The sanitizer needs address space and system calls that the service has not. A report ends the
# process, so the test sees it.
DROPIN = """[Service]
MemoryMax=infinity
SystemCallFilter=
LockPersonality=no
Environment=ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:abort_on_error=1
"""


def files(program: Path) -> dict[str, bytes]:
    """What has to be on /data."""
    return {NAME: program.read_bytes(), f"{NAME}.conf": DROPIN.encode()}


def replace(unit: HeadUnit) -> None:
    """Runs the program that is on /data in place of the image's, with the same arguments."""
    drop_ins = "/run/systemd/system/bluetooth.service.d"
    # Nothing on /data may be run.
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

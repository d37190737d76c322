"""Finds out whether KVM works."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .settings import Emulator

OPTIONS = ("-accel", "kvm", "-cpu", "host")
SECONDS = 20  # a kernel that has not panicked after this time hangs


def kvm_boots(emulator: Emulator, kernel: Path) -> bool:
    """Boots a kernel with KVM. The existence of /dev/kvm does not prove that KVM works: on some
    machines QEMU fails, or the kernel hangs. KVM also fails if the host has another processor than
    the board.

    The kernel gets no disk and no initrd. So if KVM works, the kernel panics at once, and QEMU ends
    with status 0.
    """
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    trial = subprocess.Popen(
        [emulator.program, *OPTIONS, "-M", emulator.machine, "-m", "256", "-nodefaults",
         "-no-reboot", "-display", "none", "-kernel", kernel, "-append", "panic=-1"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        return trial.wait(SECONDS) == 0
    except subprocess.TimeoutExpired:
        trial.kill()
        trial.wait()
        return False

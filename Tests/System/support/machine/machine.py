"""QEMU as a process: starts and ends the machine of one board, and connects its serial lines and its monitor."""

from __future__ import annotations

import base64
import codecs
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[4]
sys.path.append(str(PROJECT / "board"))  # has the packages emulator and imagebuilder

from emulator.kvm import OPTIONS as KVM, kvm_boots
from emulator.settings import Emulator

# The time limit of all waits. It is long, because a test may run under software emulation on a busy host.
# The limit must end a test that hangs, but not a test that is slow.
TIMEOUT = 600.0


class WaitFailed(Exception):
    """Raised if the machine ended or an expected output did not arrive in time."""


class Line:
    """A serial line of the machine. Its output is stored, and tests can wait for it."""

    def __init__(self, path: Path, log: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.log = log
        self.text = ""
        self.ended = False
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        unfinished = ""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with open(self.log, "ab", buffering=0) as log:
            while True:
                try:
                    data = self.socket.recv(65536)
                except OSError:
                    data = b""
                log.write(data)
                # Remove escape sequences, which move the cursor or query the size of the terminal.
                text = unfinished + decoder.decode(data).replace("\r", "")
                text = re.sub(r"\x1b(\[[0-?]*[!-/]*[@-~]|[^[])", "", text)
                text, escape, rest = text.partition("\x1b")
                unfinished = escape + rest
                with self.changed:
                    self.text += text
                    self.ended = self.ended or not data
                    self.changed.notify_all()
                if not data:
                    return

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def wait_for(self, pattern: str, since: int = 0, timeout: float = TIMEOUT) -> re.Match[str]:
        """Waits until the text from position `since` on matches the pattern."""
        deadline = time.monotonic() + timeout
        with self.changed:
            while True:
                if found := re.compile(pattern, re.MULTILINE).search(self.text, since):
                    return found
                left = deadline - time.monotonic()
                if self.ended or left <= 0:
                    reason = "the machine ended" if self.ended else f"no match in {timeout:.0f} s"
                    raise WaitFailed(f"{reason}; waited for {pattern!r} in\n{self.text[since:][-2000:]}")
                self.changed.wait(left)

    def close(self) -> None:
        self.socket.close()


class Monitor:
    """Controls the machine with QMP, the protocol of QEMU's monitor."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rw")
        self.events: list[dict] = []
        self._read()
        self("qmp_capabilities")

    def _read(self) -> dict:
        line = self.file.readline()
        if not line:
            raise WaitFailed("the machine has closed its monitor")
        return json.loads(line)

    def __call__(self, command: str, **arguments) -> dict:
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while True:
            answer = self._read()
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise RuntimeError(f"{command}: {answer['error']['desc']}")
            self.events.append(answer)

    def wait_for(self, event: str, **data) -> dict:
        """Waits for an event with this data. The data distinguishes events of the same name: for example, each device
        of a USB stick reports its own removal."""
        while True:
            for number, seen in enumerate(self.events):
                if seen.get("event") == event and data.items() <= seen.get("data", {}).items():
                    return self.events.pop(number)
            self.events.append(self._read())

    def close(self) -> None:
        self.socket.close()


def accelerator(emulator: Emulator, kernel: Path) -> list[str]:
    """The options for the fastest accelerator with which the kernel really boots on this host, and for the processors.

    AUTOHARP_ACCEL=kvm, tcg or tcg-fast overrides the choice. tcg-fast uses two processors and the
    clock of the host. With tcg-fast, a busy host causes audible gaps.
    """
    kvm = [*KVM, "-smp", "2"]
    # With -icount each instruction advances the machine's time by 1 ns, so a busy host causes no timeout in the
    # machine. With sleep=on, the machine's time advances like the host's time while the machine waits for its disk.
    # Without sleep=on, the time would jump to the next timer, sometimes by minutes. The machine has one processor. With
    # two processors, QEMU 7.2 sometimes stops the second one for 100 ms while the first one computes. The interrupt of
    # the sound card would then be too late, and the card would run dry.
    tcg = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on", "-cpu", emulator.processor,
           "-smp", "1"]
    fast = ["-accel", "tcg,thread=multi", "-cpu", emulator.processor, "-smp", "2"]
    chosen = os.environ.get("AUTOHARP_ACCEL")
    if chosen:
        return {"kvm": kvm, "tcg": tcg, "tcg-fast": fast}[chosen]
    # The result is stored, because it stays the same until the host reboots.
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    known = PROJECT / "build" / "image" / f"accelerator-{emulator.program}-{boot}"
    if not known.exists():
        known.write_text("kvm" if kvm_boots(emulator, kernel) else "tcg")
    return kvm if known.read_text() == "kvm" else tcg


class Waker:
    """Wakes QEMU's main loop a few times a second, as long as QEMU runs.

    With sleep=on (see `accelerator`) QEMU 7.2 sometimes does not set the timer that ends a wait. The machine
    then stops until an event arrives from outside. Any event makes QEMU's main loop set the timer again.
    """

    def __init__(self, path: Path, process: subprocess.Popen) -> None:
        self.path = path
        self.process = process
        self.ended = threading.Event()
        threading.Thread(target=self._wake, daemon=True).start()

    def _wake(self) -> None:
        while not self.ended.wait(0.2) and self.process.poll() is None:
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(str(self.path))
            except OSError:
                pass  # QEMU is ending, or its folder is removed

    def close(self) -> None:
        self.ended.set()


class Machine:
    """One running QEMU. `folder` has its sockets and logs, and no other machine uses this folder."""

    def __init__(
        self, folder: Path, program: str, options: list[str], lines: list[str], sockets: list[str]
    ) -> None:
        """`program` is the program of QEMU. `lines` are names of character devices. `self.lines[name]` reads their
        output as text. `sockets` are names of character devices for other clients, which connect to `folder / name`."""
        self.folder = folder
        command = [program, "-nodefaults", "-display", "none", *options]
        command += ["-qmp", f"unix:{folder}/qmp,server=on,wait=off"]
        for name in [*lines, *sockets, "wake"]:
            command += ["-chardev", f"socket,id={name},path={folder}/{name},server=on,wait=off"]
        # The kernel ends QEMU when this process ends for any reason.
        die_with_parent = ["setpriv", "--pdeathsig", "KILL", "--"] if shutil.which("setpriv") else []
        for name in ["qmp", *lines, *sockets, "wake"]:
            (folder / name).unlink(missing_ok=True)
        # The machine starts paused (-S). It continues when all lines are connected, so no output is lost.
        with open(folder / "qemu.log", "ab") as log:
            self.process = subprocess.Popen(
                die_with_parent + command + ["-S"], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            self._wait_for_sockets(["qmp", *lines, *sockets, "wake"])
            self.waker = Waker(folder / "wake", self.process)
            self.monitor = Monitor(folder / "qmp")
            self.lines = {name: Line(folder / name, folder / f"{name}.log") for name in lines}
            self.monitor("cont")
        except BaseException:
            self.kill()
            raise
        self.started = time.monotonic()

    def _wait_for_sockets(self, names: list[str]) -> None:
        deadline = time.monotonic() + 30
        while not all((self.folder / name).exists() for name in names):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise WaitFailed("QEMU did not start:\n" + (self.folder / "qemu.log").read_text()[-2000:])
            time.sleep(0.01)  # polls, because there is no event for a socket of another process

    def kill(self) -> None:
        """Ends QEMU as a power cut would."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._close()

    def quit(self) -> None:
        """Ends QEMU properly, so that it writes its files completely."""
        try:
            self.monitor("quit")
        except (WaitFailed, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._close()

    def _close(self) -> None:
        if hasattr(self, "waker"):
            self.waker.close()
        for line in getattr(self, "lines", {}).values():
            line.close()
        if hasattr(self, "monitor"):
            self.monitor.close()


def credential(name: str, text: str) -> str:
    """A kernel argument that passes a credential to systemd. Tests pass drop-ins for systemd units in this way."""
    return f"systemd.set_credential_binary={name}:{base64.b64encode(text.encode()).decode()}"

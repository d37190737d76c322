"""The head unit under test: boots the release image, records the sound of the unit, types at its console, and cuts its
power.

    unit = HeadUnit.boot(image)
    assert "playing" in unit.console("status")
    unit.plug_stick({"song.flac": data})
    unit.cut_power()
    unit.boot_again()

Every HeadUnit has its own folder with a copy of the image's disk, so no state reaches the next test. The
additional devices that a machine can have are in `devices.py`.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterable

from devices import HDA, USUAL, Device, screen_of
from disk import Disk
from machine import TIMEOUT, PROJECT, WaitFailed, Line, Machine, accelerator, credential
from picture import Box, Picture
from sound import Frames, read_capture
from sticks import Stick

# machine.py has added the folder of these packages to the path.
from emulator.settings import CardEmulator, Emulator, board_of_image, emulator_of
from imagebuilder.board import Board

if TYPE_CHECKING:
    from phone import Phone
    from radio import Radio
    from remote import LowEnergyRemote, Remote

PROMPT = r"^autoharp> "


@dataclass
class Image:
    """The folder that `make image` writes."""

    folder: Path

    @cached_property
    def board(self) -> Board:
        """The settings of the image's board, from its board.conf."""
        return Board(board_of_image(self.folder))

    @cached_property
    def emulator(self) -> Emulator | CardEmulator:
        return emulator_of(self.board)

    @classmethod
    def built(cls) -> Image:
        folder = Path(os.environ.get("AUTOHARP_IMAGE", PROJECT / "build/image/qemu-x86_64")).absolute()
        if not (folder / "autoharp.img").exists():
            raise SystemExit(f"{folder} has no image. `make image` builds it.")
        return cls(folder)

    def __getattr__(self, name: str) -> Path:
        files = {"disk": "autoharp.img", "kernel": "vmlinux", "initrd": "initrd",
                 "scripted_source": "ScriptedSource", "tone_generator": "ToneGenerator",
                 "stalls": "stalls", "ask": "ask", "reach": "reach",
                 "sanitized_bluetoothd": "bluetoothd-asan", "peer": "peer.squashfs",
                 "gpio_sim": "gpio-sim.ko"}
        if name in files:
            return self.folder / files[name]
        raise AttributeError(name)

    def command_line(self) -> str:
        return (self.folder / "cmdline").read_text().strip()


class HeadUnit:
    """One head unit. `boot` makes it, and a fixture calls `close`."""

    def __init__(self, image: Image, folder: Path, options: dict) -> None:
        self.image = image
        self.folder = folder
        self.options = options
        self.disk = Disk(folder / "disk.img", image.disk)
        self.stick: Stick | None = None
        self.boots = 0
        self.machine: Machine | None = None

    @classmethod
    def boot(
        cls,
        image: Image,
        folder: Path,
        *,
        arguments: str = "",
        dropins: dict[str, str] | None = None,
        firmware: bool = False,
        memory: int = 512,
        rate: int = 44100,
        shell: bool = True,
        reboots: bool = False,
        devices: Iterable[Device] = (),
        initrd: Path | None = None,
        data: dict[str, bytes] | None = None,
        prepare: Callable[[Disk], None] | None = None,
        faults: str | None = None,
        log_writes: bool = False,
        radio: Radio | None = None,
        screen: Device | None = None,
        sound_card: Device | None = None,
        chip_time: str | None = None,
    ) -> HeadUnit:
        """Boots a copy of the image.

        arguments   arguments that are added to the kernel's command line
        dropins     the text of a drop-in for each systemd unit. The text is passed to systemd as a
                    credential, so the image is not changed
        firmware    if true, UEFI boots from the disk
        rate        the rate of the captured sound
        shell       if true, a root shell runs on a separate line, for `shell()`
        reboots     if true, the machine may restart by itself
        devices     devices in addition to the usual devices
        data        the files on /data before the first boot
        prepare     a function that is called with the disk before the first boot, after `data` was written
        faults      faults of the disk, as the text of a configuration file of QEMU's blkdebug
        log_writes  if true, QEMU logs all writes to the disk (write_log.py)
        radio       the radio link to phones. The unit gets a Bluetooth controller on this link
        screen      a graphics card that replaces the usual one
        sound_card  a sound card that replaces the usual one. It plays to the audiodev "sound"
        chip_time   the date of the clock chip at each boot. By default it has the time of the host
        """
        unit = cls(image, folder, {k: v for k, v in locals().items() if k not in ("cls", "image")})
        if data is not None:
            unit.disk.fill_data(data)
        if prepare is not None:
            prepare(unit.disk)
        unit.boot_again()
        return unit

    def boot_again(self) -> None:
        """Starts the machine with the present contents of the disk."""
        self._finish()
        self.boots += 1
        o, emulator = self.options, self.image.emulator
        self.capture = self.folder / f"sound-{self.boots}.wav"
        options = [
            *accelerator(emulator, self.image.kernel),
            *("-M", emulator.machine, "-m", str(o["memory"])),
            *("-drive", f"{self._disk_drive()},if=none,id=disk,cache=writethrough"),
            *("-device", "virtio-blk-pci,drive=disk,bootindex=1"),
            *("-audiodev", f"wav,id=sound,path={self.capture},out.frequency={o['rate']},"
              "out.channels=2,out.format=s16"),
            *(o["sound_card"] or HDA).options,
            *("-serial", "chardev:console"),
            *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"),
            *("-object", "throttle-group,id=stick"),
        ]
        options += [] if o["reboots"] else ["-no-reboot"]
        options += ["-rtc", f"base={o['chip_time']}"] if o["chip_time"] else []
        sockets = []
        for device in self._devices():
            options += device.options
            sockets += device.sockets
        if o["firmware"]:
            # systemd-boot reads additional arguments for the kernel from the SMBIOS tables of the firmware.
            more = self._more_arguments().replace(",", ",,")
            options += emulator.firmware_options(self.folder / "uefi-variables")
            options += ["-smbios", f"type=11,value=io.systemd.boot.kernel-cmdline-extra={more}"]
        else:
            line = f"{self.image.command_line()} {self._more_arguments()}"
            assert len(line) < 2048, "the command line of the kernel is too long"
            options += ["-kernel", str(self.image.kernel), "-append", line]
            options += ["-initrd", str(o["initrd"] or self.image.initrd)]
        self.machine = Machine(self.folder, emulator.program, options, ["console", "shell"], sockets)
        self.shell_ready = False
        # True if a test has touched the screen, and the last touch has ended.
        self.was_touched = False

    @property
    def write_log(self) -> Path:
        """The log that the option `log_writes` requests. It has the writes since the last start of the machine."""
        return self.folder / "writes.log"

    def _disk_drive(self) -> str:
        """The disk in the syntax of QEMU's option -drive."""
        if self.options["log_writes"]:
            self.write_log.write_bytes(b"")
            return (f"driver=blklogwrites,file.driver=file,file.filename={self.disk.file},"
                    f"log.driver=file,log.filename={self.write_log}")
        if not self.options["faults"]:
            return f"file={self.disk.file},format=raw"
        faults = self.folder / "faults"
        faults.write_text(self.options["faults"])
        return f"file=blkdebug:{faults}:{self.disk.file},format=raw"

    def _devices(self) -> list[Device]:
        emulator = self.image.emulator
        usual = emulator.display if self.options["firmware"] else emulator.test_display
        screen = self.options["screen"] or screen_of(usual)
        radio = [self.options["radio"].device(emulator)] if self.options["radio"] else []
        return [screen, *USUAL, *radio, *self.options["devices"]]

    def _more_arguments(self) -> str:
        o = self.options
        # mitigations=off: an emulated processor needs no mitigations, and the mitigations take a tenth of the time.
        parts = ["mitigations=off", self.image.emulator.arguments, o["arguments"]]
        parts += [device.arguments for device in self._devices()]
        if o["shell"]:
            parts.append("systemd.wants=root-shell@hvc0.service")
        for unit, text in (o["dropins"] or {}).items():
            parts.append(credential(f"systemd.unit-dropin.{unit}", text))
        return " ".join(part for part in parts if part)

    # --- console, shell and log -----------------------------------------------------------------

    def console(self, command: str, timeout: float = TIMEOUT) -> str:
        """Types a line at the console on the serial port and returns its output."""
        line = self._line("console")
        begin = len(line.text)
        line.send("\r")
        line.wait_for(PROMPT, begin, timeout)
        begin = len(line.text)
        line.send(command + "\r")
        # A kernel message makes the console draw its prompt again, so wait for the echo of the command first. Kernel
        # messages can follow the prompt.
        echo = re.escape(command[-8:])
        end = line.wait_for(rf"{echo} *\n((?:.*\n)*)autoharp> (?:\[ *\d+\.\d+\] .*\n)*$", begin, timeout)
        return end[1].removesuffix("\n")

    def wait_for_console(self, command: str, pattern: str) -> str:
        """Types a command repeatedly until its output matches the pattern. Returns this output."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            text = self.console(command)
            if re.search(pattern, text, re.MULTILINE):
                return text
            if time.monotonic() > deadline:
                raise WaitFailed(f"'{command}' never matched {pattern!r}:\n{text}")

    def ask(self, command: str) -> dict:
        """Sends a command through the console's mode for programs. Returns the decoded JSON of the answer."""
        return json.loads(self.try_shell(f"autoharp console --json {command}")[0])

    def status(self) -> str:
        """The playback status, such as "playing" or "paused"."""
        return self.ask("now")["status"]

    def main_pid(self) -> str:
        """PID of the daemon. `pidof` would also find the console, which is the same program."""
        return self.shell("systemctl show --property=MainPID --value autoharp.service")

    def logged(self, event: str = "", value: str = "", unit: str = "autoharp") -> list[str]:
        """The lines in the journal of this boot that begin with the event and contain this value. A value is, for
        example, a path, a name or a number. docs/log.md lists the events."""
        log = self.shell(f"journalctl -b --no-pager -o cat -u {unit}")
        begin = f"{event}: " if event else ""
        return [line for line in log.splitlines() if line.startswith(begin) and value in line]

    def wait_for_log(
        self, event: str, value: str = "", unit: str = "autoharp", count: int = 1
    ) -> None:
        """Waits until the journal has `count` or more lines of the event that contain this value."""
        pattern = re.escape(f"{event}: ") + ".*" + re.escape(value)
        self.wait_until(
            f"test $(journalctl -b --no-pager -o cat -u {unit} | grep -cE {shlex.quote('^' + pattern)})"
            f" -ge {count}")

    def resumed_positions(self) -> list[float]:
        """The positions, in seconds, at which the daemon has resumed playback since the boot."""
        return [float(re.findall(r"([\d.]+) s\b", line)[-1]) for line in self.logged("music.resumed")]

    def shell(self, command: str, timeout: float = TIMEOUT) -> str:
        """Runs a command line as root and returns its output. Fails if the exit status is not 0."""
        output, status = self.try_shell(command, timeout)
        assert status == 0, f"{command}\nexit status {status}\n{output}"
        return output

    def try_shell(self, command: str, timeout: float = TIMEOUT) -> tuple[str, int]:
        """Runs a command line as root. Returns its output and its exit status."""
        line = self._line("shell")
        if not self.shell_ready:
            line.wait_for(r"root# ", timeout=timeout)
            # Switch off echo and prompt, so that the line has only the output of commands.
            begin = len(line.text)
            line.send("stty -echo -onlcr; PS1= PS2=; export SYSTEMD_COLORS=0 TERM=dumb\n")
            line.send("echo ready=$?\n")
            line.wait_for(r"^ready=0$", begin, timeout)
            self.shell_ready = True
        begin = len(line.text)
        line.send(f"{{ {command}\n}} 2>&1; echo \"=end=$?\"\n")
        end = line.wait_for(r"=end=(\d+)\n", begin, timeout)
        return line.text[begin : end.start()].strip("\n"), int(end.group(1))

    def run_as(self, user: str, command: str, *options: str) -> tuple[str, int]:
        """Runs a program as a user, in a service of systemd with these additional options. Returns its output and an
        exit status, which is not 0 if the program fails. `systemd-run --wait` is not used, because it calls systemd
        over the system bus, whose policy forbids this to root."""
        fixed = ["Type=oneshot", "DefaultDependencies=no", "StandardOutput=truncate:/run/output", "StandardError=inherit"]
        words = " ".join([f"-p {option}" for option in [*fixed, *options]])
        _, status = self.try_shell(f"rm -f /run/output; systemd-run --quiet --collect --uid={user} {words} {command}")
        return self.shell("cat /run/output"), status

    def wait_until_booted(self) -> str:
        """Waits until systemd has started all units. Returns the state of the system that systemd reports."""
        return self.try_shell("systemctl is-system-running --wait")[0].strip()

    def wait_until_playing(self) -> None:
        self.wait_until("autoharp console --json now | grep -q '\"status\": \"playing\"'")

    def wait_for_music(self) -> None:
        """Waits until the music of the unit can play. Until then, the daemon refuses *play*."""
        self.wait_until("autoharp console --json now | grep -q '\"source\": \"local\"'")

    def wait_for_files(self, count: int) -> None:
        """Waits until the daemon has found this number of files."""
        self.wait_until(f"autoharp console storage | grep -qE 'files +{count}$'")

    def wait_until(self, condition: str, timeout: float = TIMEOUT) -> None:
        """Waits until a command succeeds in the machine. It polls, because the root shell has no tool
        that waits for an event."""
        try:
            self.shell(f"until {condition} >/dev/null 2>&1; do sleep 0.2; done", timeout)
        except WaitFailed as failure:
            if self._line("shell").ended:
                raise
            # The shell still runs the loop. Ctrl-C ends the loop, so that the shell can read the journal.
            self._line("shell").send("\x03\n")
            raise WaitFailed(f"in {timeout:.0f} s this command did not succeed: {condition}") from failure

    def wait_for_restart(self) -> None:
        """Waits until the machine restarts by itself, which requires `reboots=True`."""
        assert self.machine, "the head unit is off"
        # The last text can be the shell prompt from before the reset, so wait for a new prompt after the reset.
        self.machine.monitor.wait_for("RESET")
        line = self._line("shell")
        line.wait_for(r"root# ", len(line.text))
        self.shell_ready = False

    def uptime(self) -> float:
        """Seconds on the machine's own clock. Under emulation this clock can be slower than the host's clock."""
        return float(self.shell("cat /proc/uptime").split()[0])

    def failed_units(self) -> list[str]:
        lines = self.shell("systemctl list-units --failed --plain --no-legend --full").splitlines()
        return [line.split()[0] for line in lines if line.strip()]

    def _line(self, name: str) -> Line:
        assert self.machine, "the head unit is off"
        return self.machine.lines[name]

    # --- sound, screen and input ----------------------------------------------------------------

    def sound(self) -> Frames:
        """The frames that the sound card has played since this boot and that QEMU has written to the file."""
        return read_capture(self.capture)

    def wait_for_sound(self, frames: int, timeout: float = TIMEOUT) -> Frames:
        """Waits until this number of frames was captured, counted from the first frame that is not silent."""
        deadline = time.monotonic() + timeout
        while True:
            sound = self.sound().from_first_sound()
            if len(sound) >= frames:
                return sound
            if time.monotonic() > deadline:
                raise WaitFailed(f"{len(sound)} of {frames} frames in {timeout:.0f} s")
            time.sleep(0.2)  # polls, because no event reports that a file of another process grows

    def screenshot(self, file: Path | None = None) -> Path:
        """Saves the screen as a PNG file."""
        assert self.machine, "the head unit is off"
        file = file or self.folder / f"screen-{time.monotonic_ns()}.png"
        self.machine.monitor("screendump", filename=str(file), format="png")
        return file

    def picture(self) -> Picture:
        """The screen as pixels."""
        assert self.machine, "the head unit is off"
        file = self.folder / "screen.ppm"
        self.machine.monitor("screendump", filename=str(file))
        return Picture.read(file.read_bytes())

    def wait_for_picture(self, condition: Callable[[Picture], bool], timeout: float = TIMEOUT) -> Picture:
        """Waits until `condition` is true for the screen. It polls, because QEMU has no event for a picture."""
        deadline = time.monotonic() + timeout
        while True:
            picture = self.picture()
            if condition(picture):
                return picture
            if time.monotonic() > deadline:
                raise WaitFailed(f"no screenshot met the condition in {timeout:.0f} s")
            time.sleep(0.2)

    def wait_for_change(
        self, before: Picture, pixels: int, masked: Iterable[Box] = (), timeout: float = TIMEOUT
    ) -> Picture:
        """Waits until more than this number of pixels outside of `masked` differ from `before`."""
        return self._wait_for_difference(before, masked, lambda count: count > pixels, f"more than {pixels}", timeout)

    def wait_for_same(
        self, before: Picture, masked: Iterable[Box] = (), pixels: int = 0, timeout: float = TIMEOUT
    ) -> Picture:
        """Waits until at most this number of pixels outside of `masked` differ from `before`."""
        return self._wait_for_difference(before, masked, lambda count: count <= pixels, f"at most {pixels}", timeout)

    def _wait_for_difference(
        self, before: Picture, masked: Iterable[Box], is_wanted: Callable[[int], bool], wanted: str, timeout: float
    ) -> Picture:
        count = 0

        def matches(picture: Picture) -> bool:
            nonlocal count
            count = picture.difference(before, masked)
            return is_wanted(count)

        try:
            return self.wait_for_picture(matches, timeout)
        except WaitFailed as failure:
            raise WaitFailed(f"in {timeout:.0f} s, {count} pixels differed; wanted: {wanted}") from failure

    def key(self, name: str, held: bool | None = None) -> None:
        """Presses and releases a key by its QEMU name ("audioplay", "audionext", "ret"). held=True only
        presses it, held=False only releases it."""
        assert self.machine, "the head unit is off"
        for down in [True, False] if held is None else [held]:
            event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}}
            self.machine.monitor("input-send-event", events=[event])

    def phone(self, number: int = 1, shows_numbers: bool = True) -> Phone:
        """Makes another phone. The phone is switched on and in range, and has no bond with the unit."""
        from phone import Phone  # imported here, because bumble is large and most tests do not use it

        return Phone.near(self.options["radio"], number, shows_numbers)

    def remote(self, low_energy: bool = False) -> Remote | LowEnergyRemote:
        """Makes a remote control. The remote control is in range and discoverable."""
        from remote import LowEnergyRemote, Remote

        return (LowEnergyRemote if low_energy else Remote).near(self.options["radio"])

    def touch(self, x: int, y: int, held: bool | None = None) -> None:
        """Touches the screen at a pixel and lifts the finger. held=True only touches the screen (or moves the finger),
        held=False only lifts the finger."""
        assert self.machine, "the head unit is off"
        width, height = self.screen_size()
        # QEMU's tablet is a pointer with buttons. If a press follows a release within 25 ms, libinput takes the two for
        # a bouncing contact and ignores both.
        if held is not False and self.was_touched:
            self.shell("sleep 0.05")
        self.was_touched = held is not True
        # QEMU's tablets report positions from 0 to 0x8000 on each axis. Use the middle of the pixel.
        place = {"x": (2 * x + 1) * 0x8000 // (2 * width), "y": (2 * y + 1) * 0x8000 // (2 * height)}
        move = [{"type": "abs", "data": {"axis": axis, "value": at}} for axis, at in place.items()]
        for down in [True, False] if held is None else [held]:
            button = {"type": "btn", "data": {"down": down, "button": "left"}}
            self.machine.monitor("input-send-event", events=move)
            self.machine.monitor("input-send-event", events=[button])

    def screen_size(self) -> tuple[int, int]:
        picture = self.picture()
        return picture.width, picture.height

    # --- disk, stick and power ------------------------------------------------------------------

    def disk_finishes_writes(self, finishes: bool) -> None:
        """If `finishes` is false, each write of 4 KiB to the disk takes seven minutes. Reads stay fast. If `finishes`
        is true, removes this limit, and all waiting writes continue at once."""
        assert self.machine, "the head unit is off"
        limits = dict.fromkeys(("bps", "bps_rd", "iops", "iops_rd", "iops_wr"), 0)
        self.machine.monitor(
            "block_set_io_throttle", device="disk", bps_wr=0 if finishes else 10, **limits)

    def plug_stick(
        self, files: dict[str, bytes] | Stick | None = None, *, port: str = "stick", read_only: bool = False,
        place: str | None = None, bad_sector: int | None = None, **how
    ) -> Stick:
        """Plugs in a USB stick with these files. `port` names the stick for `unplug_stick`, if there are several
        sticks. With `read_only`, a switch on the stick protects it against writing. `place` is the USB port, such as
        `2.1` in a hub. Each read of `bad_sector` fails with an input/output error. `Stick.make` explains the other arguments."""
        assert self.machine, "the head unit is off"
        stick = files if isinstance(files, Stick) else Stick.make(self.folder, files or {}, **how)
        file: dict = {"driver": "file", "filename": str(stick.file)}
        if bad_sector is not None:
            error = {"event": "read_aio", "errno": errno.EIO, "sector": bad_sector}
            file = {"driver": "blkdebug", "image": file, "inject-error": [error]}
        raw = {"driver": "raw", "file": file}
        self.machine.monitor(
            "blockdev-add", **{"driver": "throttle", "node-name": port, "read-only": read_only,
                               "throttle-group": "stick", "file": raw},
        )
        self.machine.monitor("device_add", driver="usb-storage", id=port, drive=port,
                             bus="usb.0", serial=f"AUTOHARP-{port}", **({"port": place} if place else {}))
        self.stick = stick
        return stick

    def stick_answers(self, answers: bool, bytes_per_second: int = 2048) -> None:
        """If `answers` is false, limits all sticks to this rate, also sticks that are plugged in later. If `answers` is
        true, removes this limit."""
        # A read that is already delayed when the limit is removed keeps its delay, which is at most a minute.
        self.limit_sticks(0 if answers else bytes_per_second)

    def limit_sticks(self, bytes_per_second: int, reads_per_second: int = 0) -> None:
        """Limits all sticks together, also sticks that are plugged in later. 0 means no limit."""
        assert self.machine, "the head unit is off"
        limits = {"bps-total": bytes_per_second, "iops-total": reads_per_second}
        self.machine.monitor("qom-set", path="/objects/stick", property="limits", value=limits)

    def unplug_stick(self, port: str = "stick") -> None:
        """Unplugs the stick without unmounting it."""
        assert self.machine, "the head unit is off"
        self.machine.monitor("device_del", id=port)
        self.machine.monitor.wait_for("DEVICE_DELETED", device=port)
        self.machine.monitor("blockdev-del", **{"node-name": port})
        self.stick = None

    def wait_for_stick(self, name: str = "sda1") -> str:
        """Waits until the stick is mounted. Returns its folder."""
        self.wait_until(f"grep -q ' /media/{name} ' /proc/mounts")
        return f"/media/{name}"

    def cut_power(self) -> None:
        """Ends the machine at once, between two instructions."""
        assert self.machine, "the head unit is off"
        self.machine.kill()
        self.machine = None

    def switch_off(self) -> None:
        """Ends QEMU properly, so that QEMU writes the rest of the captured sound."""
        assert self.machine, "the head unit is off"
        self.machine.quit()
        self.machine = None

    def _finish(self) -> None:
        if self.machine:
            self.machine.kill()
            self.machine = None

    def keep(self, folder: Path) -> None:
        """Copies files that help to analyse a failure: console lines, QEMU's log, a screenshot."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.machine and self.machine.process.poll() is None:
            try:
                self.screenshot(folder / "screen.png")
            except (RuntimeError, WaitFailed, OSError):
                pass  # the machine does not respond, so only the logs are copied
            try:
                (folder / "journal.txt").write_text(
                    self.shell("journalctl -b --no-pager -o short-monotonic", timeout=20)
                )
            except (AssertionError, WaitFailed, OSError):
                pass
        for log in self.folder.glob("*.log"):
            shutil.copy(log, folder)
        if radio := self.options["radio"]:
            radio.keep(folder)

    def close(self) -> None:
        self._finish()
        shutil.rmtree(self.folder, ignore_errors=True)

"""The head unit under test: the image that ships, booted, listened to, typed at, and cut off.

    unit = HeadUnit.boot(image)
    assert "playing" in unit.console("status")
    unit.plug_stick({"song.flac": data})
    unit.cut_power()
    unit.boot_again()

Every HeadUnit has a folder of its own with a copy of the image's disk, so that nothing is left to
the next test. What else the machine has is data: `devices.py`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterable

from devices import SCREEN, SCREEN_OF_FIRMWARE, USUAL, Device
from disk import Disk
from machine import PATIENCE, PROJECT, Gone, Line, Machine, accelerator, credential
from picture import Picture
from sound import Frames, read_capture
from sticks import Stick

if TYPE_CHECKING:
    from phone import Phone
    from radio import Radio
    from remote import LowEnergyRemote, Remote

PROMPT = r"^autoharp> "


@dataclass
class Image:
    """What `make image` made, as a folder."""

    folder: Path

    @classmethod
    def built(cls) -> Image:
        folder = Path(os.environ.get("AUTOHARP_IMAGE", PROJECT / "build/image/qemu-x86_64"))
        if not (folder / "autoharp.img").exists():
            raise SystemExit(f"There is no image in {folder}: `make image` builds it.")
        return cls(folder)

    def __getattr__(self, name: str) -> Path:
        files = {"disk": "autoharp.img", "kernel": "vmlinux", "initrd": "initrd",
                 "scripted_source": "ScriptedSource", "endpoint": "endpoint",
                 "sanitized_bluetoothd": "bluetoothd-asan"}
        if name in files:
            return self.folder / files[name]
        raise AttributeError(name)

    def command_line(self) -> str:
        return (self.folder / "cmdline").read_text().strip()


class HeadUnit:
    """Made by `boot`; ends with `close`, which a fixture calls."""

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
        radio: Radio | None = None,
        screen: Device | None = None,
    ) -> HeadUnit:
        """Boots a copy of the image.

        arguments: more for the kernel's command line. dropins: unit → text of a drop-in, handed to
        systemd from outside, so that the image stays the one that ships. firmware: boot by UEFI from
        the disk. rate: of the sound card's capture. shell: a root shell on a line of its own for
        `shell()`. reboots: whether the machine may start again by itself. devices: what it has beside
        the usual. data: files that are on /data before the first boot. prepare: called with the disk
        after that. faults: of the disk, as QEMU's blkdebug reads them from a file. radio: the air that phones are
        in, with a Bluetooth controller for the unit. screen: another graphics card than the usual one.
        """
        unit = cls(image, folder, {k: v for k, v in locals().items() if k not in ("cls", "image")})
        if data is not None:
            unit.disk.fill_data(data)
        if prepare is not None:
            prepare(unit.disk)
        unit.boot_again()
        return unit

    def boot_again(self) -> None:
        """Starts the machine with the disk as it is."""
        self._finish()
        self.boots += 1
        o = self.options
        self.capture = self.folder / f"sound-{self.boots}.wav"
        options = [
            *accelerator(self.image.kernel),
            *("-M", "q35", "-m", str(o["memory"])),
            *("-drive", f"file={self._disk_file()},if=none,id=disk,format=raw,cache=writethrough"),
            *("-device", "virtio-blk-pci,drive=disk,bootindex=1"),
            *("-audiodev", f"wav,id=sound,path={self.capture},out.frequency={o['rate']},"
              "out.channels=2,out.format=s16"),
            # mixer=off: its volume would change the samples. use-timer=off: with its timer the card
            # has a buffer of its own, and drops all that is in it, 2048 frames, when QEMU is late.
            *("-device", "ich9-intel-hda"),
            *("-device", "hda-output,audiodev=sound,mixer=off,use-timer=off"),
            *("-serial", "chardev:console"),
            *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"),
            *("-object", "throttle-group,id=stick"),
        ]
        options += [] if o["reboots"] else ["-no-reboot"]
        sockets = []
        for device in self._devices():
            options += device.options
            sockets += device.sockets
        if o["firmware"]:
            # systemd-boot takes more of the command line from the firmware's tables.
            more = self._more_arguments().replace(",", ",,")
            options += firmware(self.folder)
            options += ["-smbios", f"type=11,value=io.systemd.boot.kernel-cmdline-extra={more}"]
        else:
            line = f"{self.image.command_line()} {self._more_arguments()}"
            assert len(line) < 2048, "the kernel's command line has a limit"
            options += ["-kernel", str(self.image.kernel), "-append", line]
            options += ["-initrd", str(o["initrd"] or self.image.initrd)]
        self.machine = Machine(self.folder, options, ["console", "shell"], sockets)
        self.shell_ready = False

    def _disk_file(self) -> str:
        """The disk as QEMU's block layer names it."""
        if not self.options["faults"]:
            return str(self.disk.file)
        faults = self.folder / "faults"
        faults.write_text(self.options["faults"])
        return f"blkdebug:{faults}:{self.disk.file}"

    def _devices(self) -> list[Device]:
        usual = SCREEN_OF_FIRMWARE if self.options["firmware"] else SCREEN
        screen = self.options["screen"] or usual
        radio = [self.options["radio"].device()] if self.options["radio"] else []
        return [screen, *USUAL, *radio, *self.options["devices"]]

    def _more_arguments(self) -> str:
        o = self.options
        # Emulated processors have no secrets, and the checks cost a tenth of the time. QEMU 7's
        # cmpxchg16b leaves wrong flags, and a kernel that allocates by it crashes now and then.
        parts = ["mitigations=off clearcpuid=cx16", o["arguments"]]
        parts += [device.arguments for device in self._devices()]
        if o["shell"]:
            parts.append("systemd.wants=root-shell@hvc0.service")
        for unit, text in (o["dropins"] or {}).items():
            parts.append(credential(f"systemd.unit-dropin.{unit}", text))
        return " ".join(part for part in parts if part)

    # --- what it says ---------------------------------------------------------------------------

    def console(self, command: str, timeout: float = PATIENCE) -> str:
        """Types a line at the console on the serial port; returns what it answered."""
        line = self._line("console")
        begin = len(line.text)
        line.send("\r")
        line.wait_for(PROMPT, begin, timeout)
        begin = len(line.text)
        line.send(command + "\r")
        # The kernel may have something to say just behind the prompt.
        end = line.wait_for(r"\n((?:.*\n)*)autoharp> (?:\[ *\d+\.\d+\] .*\n)*$", begin, timeout)
        return end[1].removesuffix("\n")

    def wait_for_console(self, command: str, pattern: str) -> str:
        """Types it until the answer matches, and returns that."""
        deadline = time.monotonic() + PATIENCE
        while True:
            text = self.console(command)
            if re.search(pattern, text, re.MULTILINE):
                return text
            if time.monotonic() > deadline:
                raise Gone(f"'{command}' never said {pattern!r}:\n{text}")

    def ask(self, command: str) -> dict:
        """Asks the daemon by the same console, but one for programs: its answer, as JSON."""
        return json.loads(self.try_shell(f"autoharp console --json {command}")[0])

    def status(self) -> str:
        """"playing", "paused" and so on."""
        return self.ask("now")["status"]

    def main_pid(self) -> str:
        """Of the daemon; the console's program is of the same name."""
        return self.shell("systemctl show --property=MainPID --value autoharp.service")

    def said(self, words: str = "", unit: str = "autoharp.service") -> list[str]:
        """Lines of the journal of this boot that have these words."""
        log = self.shell(f"journalctl -b --no-pager -o cat -u {unit}")
        return [line for line in log.splitlines() if words in line]

    def shell(self, command: str, timeout: float = PATIENCE) -> str:
        """Runs a line as root; returns its output, and fails if it failed."""
        output, status = self.try_shell(command, timeout)
        assert status == 0, f"{command}\nexit status {status}\n{output}"
        return output

    def try_shell(self, command: str, timeout: float = PATIENCE) -> tuple[str, int]:
        """The same, with its exit status."""
        line = self._line("shell")
        if not self.shell_ready:
            line.wait_for(r"root# ", timeout=timeout)
            # No echo and no prompt: what comes is what commands say.
            begin = len(line.text)
            line.send("stty -echo -onlcr; PS1= PS2=; export SYSTEMD_COLORS=0 TERM=dumb\n")
            line.send("echo ready=$?\n")
            line.wait_for(r"^ready=0$", begin, timeout)
            self.shell_ready = True
        begin = len(line.text)
        line.send(f"{{ {command}\n}} 2>&1; echo \"=end=$?\"\n")
        end = line.wait_for(r"=end=(\d+)\n", begin, timeout)
        return line.text[begin : end.start()].strip("\n"), int(end.group(1))

    def wait_until_booted(self) -> str:
        """Waits until nothing more is to be started; returns systemd's word for how that went."""
        return self.try_shell("systemctl is-system-running --wait")[0].strip()

    def wait_until_playing(self) -> None:
        self.wait_until("autoharp console --json now | grep -q '\"status\": \"playing\"'")

    def wait_for_files(self, count: int) -> None:
        """Waits until the daemon knows so many files."""
        self.wait_until(f"autoharp console storage | grep -qE 'files +{count}$'")

    def wait_until(self, condition: str) -> None:
        """Waits until a command succeeds in the machine, by asking again: its root shell has nothing
        that could wait for an event."""
        self.shell(f"until {condition} >/dev/null 2>&1; do sleep 0.2; done")

    def wait_for_restart(self) -> None:
        """Waits until the machine starts again by itself; `reboots=True` lets it."""
        assert self.machine, "the head unit is off"
        # The prompt of the shell before may be the last that was said: only one behind it counts.
        self.machine.monitor.wait_for("RESET")
        line = self._line("shell")
        line.wait_for(r"root# ", len(line.text))
        self.shell_ready = False

    def uptime(self) -> float:
        """Seconds on the machine's own clock, which stands still where the host does."""
        return float(self.shell("cat /proc/uptime").split()[0])

    def failed_units(self) -> list[str]:
        lines = self.shell("systemctl list-units --failed --plain --no-legend --full").splitlines()
        return [line.split()[0] for line in lines if line.strip()]

    def _line(self, name: str) -> Line:
        assert self.machine, "the head unit is off"
        return self.machine.lines[name]

    # --- what it does ---------------------------------------------------------------------------

    def sound(self) -> Frames:
        """What the sound card has played since this boot, as far as QEMU has written it."""
        return read_capture(self.capture)

    def wait_for_sound(self, frames: int, timeout: float = PATIENCE) -> Frames:
        """Waits until that many frames came after the first one that is not silence."""
        deadline = time.monotonic() + timeout
        while True:
            sound = self.sound().from_first_sound()
            if len(sound) >= frames:
                return sound
            if time.monotonic() > deadline:
                raise Gone(f"{len(sound)} of {frames} frames in {timeout:.0f} s")
            time.sleep(0.2)  # a file of another process grows without an event that is worth it

    def screenshot(self, file: Path | None = None) -> Path:
        """The screen as a picture (PNG)."""
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

    def wait_for_picture(self, wanted: Callable[[Picture], bool], timeout: float = PATIENCE) -> Picture:
        """Waits until the screen is as wanted: a picture has no event that could be waited for."""
        deadline = time.monotonic() + timeout
        while True:
            picture = self.picture()
            if wanted(picture):
                return picture
            if time.monotonic() > deadline:
                raise Gone(f"the screen was never as wanted in {timeout:.0f} s")
            time.sleep(0.2)

    def key(self, name: str, held: bool | None = None) -> None:
        """Presses and releases a key by its QEMU name ("audioplay", "audionext", "ret"); with
        held=True only presses it, with held=False only releases it."""
        assert self.machine, "the head unit is off"
        for down in [True, False] if held is None else [held]:
            event = {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}}
            self.machine.monitor("input-send-event", events=[event])

    def phone(self, number: int = 1, shows_numbers: bool = True) -> Phone:
        """Another phone that comes near, switched on; the unit has not met it."""
        from phone import Phone  # bumble is large, and most tests need none of it

        return Phone.near(self.options["radio"], number, shows_numbers)

    def remote(self, low_energy: bool = False) -> Remote | LowEnergyRemote:
        """A remote control that comes near and waits to be found."""
        from remote import LowEnergyRemote, Remote

        return (LowEnergyRemote if low_energy else Remote).near(self.options["radio"])

    def touch(self, x: int, y: int, held: bool | None = None) -> None:
        """Touches the screen at a pixel of it, and lets go; with held=True only puts the finger there
        (or moves it), with held=False only lifts it."""
        assert self.machine, "the head unit is off"
        width, height = self.screen_size()
        # QEMU's tablets have a raster of their own; the middle of the pixel is meant.
        place = {"x": (2 * x + 1) * 0x8000 // (2 * width), "y": (2 * y + 1) * 0x8000 // (2 * height)}
        move = [{"type": "abs", "data": {"axis": axis, "value": at}} for axis, at in place.items()]
        for down in [True, False] if held is None else [held]:
            button = {"type": "btn", "data": {"down": down, "button": "left"}}
            self.machine.monitor("input-send-event", events=move)
            self.machine.monitor("input-send-event", events=[button])

    def screen_size(self) -> tuple[int, int]:
        picture = self.picture()
        return picture.width, picture.height

    # --- what is done to it ---------------------------------------------------------------------

    def plug_stick(self, files: dict[str, bytes] | None = None, **how) -> Stick:
        """Plugs a USB stick with these files in; see `Stick.make` for its kind."""
        assert self.machine, "the head unit is off"
        stick = files if isinstance(files, Stick) else Stick.make(self.folder, files or {}, **how)
        raw = {"driver": "raw", "file": {"driver": "file", "filename": str(stick.file)}}
        self.machine.monitor(
            "blockdev-add", **{"driver": "throttle", "node-name": "stick",
                               "throttle-group": "stick", "file": raw},
        )
        self.machine.monitor("device_add", driver="usb-storage", id="stick", drive="stick",
                             bus="usb.0", serial="AUTOHARP")
        self.stick = stick
        return stick

    def stick_answers(self, answers: bool) -> None:
        """Whether reads of the stick come back in any time worth the name, the next one's too."""
        # 2 KiB a second. Not less: a read that waits when the limit is taken away goes on waiting for
        # as long as it would have, which is a minute at the most.
        limits = {"bps-total": 0 if answers else 2048}
        assert self.machine, "the head unit is off"
        self.machine.monitor("qom-set", path="/objects/stick", property="limits", value=limits)

    def unplug_stick(self) -> None:
        """Pulls it out, without asking."""
        assert self.machine, "the head unit is off"
        self.machine.monitor("device_del", id="stick")
        self.machine.monitor.wait_for("DEVICE_DELETED")
        self.machine.monitor("blockdev-del", **{"node-name": "stick"})
        self.stick = None

    def wait_for_stick(self, name: str = "sda1") -> str:
        """Waits until the stick is mounted; returns its folder."""
        self.wait_until(f"grep -q ' /media/{name} ' /proc/mounts")
        return f"/media/{name}"

    def cut_power(self) -> None:
        """Ends the machine between two instructions."""
        assert self.machine, "the head unit is off"
        self.machine.kill()
        self.machine = None

    def switch_off(self) -> None:
        """Ends QEMU in order, so that the capture is whole."""
        assert self.machine, "the head unit is off"
        self.machine.quit()
        self.machine = None

    def _finish(self) -> None:
        if self.machine:
            self.machine.kill()
            self.machine = None

    def keep(self, folder: Path) -> None:
        """Copies what helps to understand a failure: the lines, QEMU's words, a screenshot."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.machine and self.machine.process.poll() is None:
            try:
                self.screenshot(folder / "screen.png")
            except (RuntimeError, Gone, OSError):
                pass  # a machine that answers nothing is what the logs are for
            try:
                (folder / "journal.txt").write_text(
                    self.shell("journalctl -b --no-pager -o short-monotonic", timeout=20)
                )
            except (AssertionError, Gone, OSError):
                pass
        for log in self.folder.glob("*.log"):
            shutil.copy(log, folder)
        if radio := self.options["radio"]:
            radio.keep(folder)

    def close(self) -> None:
        self._finish()
        shutil.rmtree(self.folder, ignore_errors=True)


def firmware(folder: Path) -> list[str]:
    """UEFI (Debian's OVMF), with variables of its own."""
    code = Path("/usr/share/OVMF/OVMF_CODE_4M.fd")
    variables = folder / "uefi-variables"
    if not variables.exists():
        shutil.copyfile("/usr/share/OVMF/OVMF_VARS_4M.fd", variables)
    return [
        *("-drive", f"if=pflash,format=raw,readonly=on,file={code}"),
        *("-drive", f"if=pflash,format=raw,file={variables}"),
    ]

"""A phone that is a second machine with the programs of Debian 13, as Debian builds them.

    phone = DebianPhone.near(boot, radio, unit, {"1.flac": flac(sound)})
    phone.pair()
    phone.connect()
    phone.cmus("player-play")

bluez-alsa is the source of sound, and its encoder is libsbc. The player is cmus, and mpris-proxy registers cmus with
bluetoothd. `make test-system` makes the disk with these programs. They run in a root file system of their own, with
their own D-Bus. From the image, the machine uses the kernel, systemd, the shell and bluetoothd. Debian's bluetoothd is
not used: after it has registered with the unit's player, it reports a track with a wrong label (upstream commit
000dc0882), and the unit would ignore this report.
"""

from __future__ import annotations

import re
import shlex
from typing import Callable

from car import accept, json_matches, open_window
from daemon import on_data
from devices import Device
from headunit import HeadUnit
from radio import SECOND_ADDRESS, UNIT_ADDRESS, Radio

NAME = "Debian Phone"
ROOT = "/run/phone"
DEVICE = "/org/bluez/hci0/dev_" + UNIT_ADDRESS.replace(":", "_")
PCM = f"/org/bluealsa/hci0/dev_{UNIT_ADDRESS.replace(':', '_')}/a2dpsrc/sink"
SESSION = "unix:path=/run/session"
IN_ROOT = f"HOME=/root TERM=linux XDG_RUNTIME_DIR=/run DBUS_SESSION_BUS_ADDRESS={SESSION} busybox chroot {ROOT}"
BUSCTL = f"busctl --address=unix:path={ROOT}/run/dbus/system_bus_socket"
# The player needs a terminal. It gets this virtual terminal of the machine.
TERMINAL = "/dev/tty9"

SESSION_BUS = f"""<busconfig><type>session</type><listen>{SESSION}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""
# With `mpris=true`, cmus is an MPRIS player. `softvol=false` leaves the samples unchanged.
PLAYER = f"""set output_plugin=alsa
set dsp.alsa.device=bluealsa:DEV={UNIT_ADDRESS},PROFILE=a2dp
set softvol=false
set mpris=true
set resume=false
set rewind_offset=-1
"""

MASKED = ("autoharp.service", "autoharp-screen.service", "autoharp-library.service", "bluetooth.service")


def disk_of(unit: HeadUnit) -> Device:
    return Device(
        ("-drive", f"file={unit.image.peer},if=none,id=peer,format=raw,readonly=on",
         "-device", "virtio-blk-pci,drive=peer,serial=peer"),
        arguments=" ".join(f"systemd.mask={name}" for name in MASKED))


class DebianPhone:
    """`DebianPhone.near(boot, radio, unit, music)` boots the machine and starts its programs."""

    address = SECOND_ADDRESS

    def __init__(self, machine: HeadUnit, unit: HeadUnit) -> None:
        self.machine = machine
        self.unit = unit

    @classmethod
    def near(
        cls, boot: Callable[..., HeadUnit], radio: Radio, unit: HeadUnit, music: dict[str, bytes]
    ) -> DebianPhone:
        machine = boot(radio=radio.second_machine(), devices=[disk_of(unit)], data=on_data(music))
        phone = cls(machine, unit)
        phone._make_root()
        phone._start_programs()
        return phone

    def _make_root(self) -> None:
        self.machine.wait_until("test -d /data/music && test -e /dev/disk/by-id/virtio-peer")
        self.machine.shell(
            f"mkdir {ROOT} && mount -t squashfs /dev/disk/by-id/virtio-peer {ROOT} && cd {ROOT} && "
            "for folder in run tmp root var/lib; do mount -t tmpfs tmpfs $folder || exit; done; "
            "mount -t proc proc proc && mount -t sysfs sysfs sys && mount --rbind /dev dev && "
            "mount --bind /data/music home && mount --bind /usr/libexec/bluetooth usr/libexec/bluetooth && "
            "mkdir -p run/dbus var/lib/bluetooth root/.config/cmus; cd /")
        self._write("run/session.conf", SESSION_BUS)
        self._write("root/.config/cmus/rc", PLAYER)

    def _write(self, name: str, text: str) -> None:
        self.machine.shell(f"printf %s {shlex.quote(text)} >{ROOT}/{name}")

    def _start(self, name: str, command: str, streams: str = "</dev/null") -> None:
        """Starts a program that runs until the machine ends. Its output is in /run/NAME.log."""
        self.machine.shell(f"( {IN_ROOT} {command} {streams} >/run/{name}.log 2>&1 & )")

    def _start_programs(self) -> None:
        self.machine.shell(f"{IN_ROOT} dbus-daemon --system --fork --nopidfile")
        self.machine.shell(f"{IN_ROOT} dbus-daemon --config-file=/run/session.conf --fork")
        self.machine.wait_until("test -e /sys/class/bluetooth/hci0")
        self._start("bluetoothd", "/usr/libexec/bluetooth/bluetoothd -n -d")
        self.machine.wait_until(
            f"{BUSCTL} get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered | grep -q true")
        # The unit sets the volume of the stream, as with phones that support absolute volume.
        self._start("bluealsa", "bluealsa -p a2dp-source -c SBC --a2dp-force-audio-cd --a2dp-volume")
        self.machine.wait_until(f"{IN_ROOT} bluealsa-cli status")
        self._start("mpris-proxy", "mpris-proxy")
        self.machine.shell(f"( {IN_ROOT} cmus --listen /run/cmus <{TERMINAL} >{TERMINAL} 2>&1 & )")
        self.machine.wait_until(f"test -S {ROOT}/run/cmus")
        self.cmus("add /home")
        # bluetoothctl reads its commands from this pipe. The shell keeps the pipe open.
        self.machine.shell("mkfifo /run/keyboard && exec 9<>/run/keyboard")
        self._start("bluetoothctl", "bluetoothctl", "<&9")
        self._type(f"system-alias '{NAME}'")

    # --- connecting -----------------------------------------------------------------------------

    def _type(self, line: str) -> None:
        """Types a line into bluetoothctl."""
        self.machine.shell(f"echo {shlex.quote(line)} >&9")

    def _wait_for_output(self, pattern: str) -> str:
        """Waits until bluetoothctl has printed a match. Returns the last line that matches."""
        self.machine.wait_until(f"grep -qE {shlex.quote(pattern)} /run/bluetoothctl.log")
        return self.machine.shell(f"grep -E {shlex.quote(pattern)} /run/bluetoothctl.log | tail -1")

    def pair(self) -> None:
        """Pairs as a person does: finds the unit on the phone, and compares the numbers on both devices."""
        open_window(self.unit)
        self._wait_for_output("Agent registered")
        self._type("scan on")
        self._wait_for_output(f"Device {UNIT_ADDRESS}")
        self._type("scan off")
        self._wait_for_output("Discovery stopped")
        self._type(f"pair {UNIT_ADDRESS}")
        number = re.search(r"passkey (\d{6})", self._wait_for_output("passkey [0-9]{6}"))[1]
        accept(self.unit, number)
        self._type("yes")
        self._wait_for_output("Pairing successful")
        self._type(f"trust {UNIT_ADDRESS}")
        self._wait_for_output("trust succeeded")

    def connect(self) -> None:
        """Connects as a source of sound, as a phone does, and waits until the unit lists the phone."""
        self.machine.wait_until(f"{BUSCTL} call org.bluez {DEVICE} org.bluez.Device1 Connect")
        self.machine.wait_until(f"{IN_ROOT} bluealsa-cli info {PCM}")
        self.unit.wait_until(json_matches("bt", f'"{SECOND_ADDRESS}"'))

    # --- playing --------------------------------------------------------------------------------

    def cmus(self, command: str) -> str:
        """Sends a command to the player, in place of a person."""
        return self.machine.shell(f"{IN_ROOT} cmus-remote --server /run/cmus -C {shlex.quote(command)}")

    def wait_for(self, pattern: str) -> None:
        """Waits until the status of the player matches the pattern."""
        self.machine.wait_until(
            f"{IN_ROOT} cmus-remote --server /run/cmus -Q | grep -qE {shlex.quote(pattern)}")

    def volume(self) -> int:
        """The volume of the stream, from 0 to 127."""
        words = self.machine.shell(f"{IN_ROOT} bluealsa-cli volume {PCM}")
        return int(re.search(r"\d+", words)[0])

    def wait_for_volume(self, volume: int) -> None:
        self.machine.wait_until(f"{IN_ROOT} bluealsa-cli volume {PCM} | grep -qw {volume}")

    def set_volume(self, volume: int) -> None:
        self.machine.shell(f"{IN_ROOT} bluealsa-cli volume {PCM} {volume}")

"""The image boots with QEMU's own loader and by UEFI, and no systemd unit fails."""

from __future__ import annotations

import re

import pytest

from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise


@pytest.mark.quick
def test_boot_starts_all_units_without_failure(boot):
    unit = boot()
    state = unit.wait_until_booted()
    assert unit.failed_units() == []
    assert state == "running"
    # The daemon runs, and the console on the serial port reaches it.
    status, version = unit.console("status"), unit.console("version")
    assert unit.ask("status")["facts"]["unit"]["starts"]["grade"] == "good"
    # bluetoothd has Autoharp's patches. `version` and `status` report the same version.
    patched = re.search(r"^ *bluez +(\S+\+autoharp\.[0-9a-f]{8})$", version, re.MULTILINE)
    assert patched and re.search(rf"^ *bluetoothd +{re.escape(patched[1])}$", status, re.MULTILINE)
    for part in (unit.image.board.name, "linux-image-", "systemd ", "bluez ", "libflac14 "):
        assert part in version

    # No unnecessary service runs. The targets below must not be active, because they would start the other services of
    # Debian.
    active = unit.shell("systemctl list-units --state=active --plain --no-legend --full")
    names = {line.split()[0] for line in active.splitlines()}
    assert "autoharp.service" in names
    for unwanted in ("sysinit.target", "basic.target", "multi-user.target", "network.target"):
        assert unwanted not in names


def test_boot_by_firmware_starts_all_units_without_failure(boot):
    unit = boot(firmware=True)
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert unit.shell("test -d /sys/firmware/efi && echo yes") == "yes"


def test_boot_with_the_real_time_kernel_plays(boot, realtime_image):
    music = {"song.flac": flac(noise(60, seed=21))}
    unit = boot(image=realtime_image, data=on_data(music, start="play"))
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert unit.shell("cat /sys/kernel/realtime") == "1"
    unit.wait_for_sound(44100)


def test_memory_after_boot_is_at_most_80_mb_and_18_mb_for_the_daemon(boot):
    music = {"song.flac": flac(noise(60, seed=22))}
    unit = boot(data=on_data(music, start="play"))
    unit.wait_until_booted()
    unit.wait_for_sound(44100)
    used = int(unit.shell("free -k").splitlines()[1].split()[2])
    daemon = int(unit.shell(f"grep VmHWM /proc/{unit.main_pid()}/status").split()[1])
    print(f"in use {used} KiB, the daemon at most {daemon} KiB")
    assert used <= 80_000_000 / 1024
    assert daemon <= 18 * 1024


def test_root_is_read_only_without_set_id_programs_and_passwords(boot):
    unit = boot()
    unit.wait_until_booted()
    output, status = unit.try_shell("touch /usr/probe")
    assert status != 0 and "Read-only" in output
    assert unit.shell("find / -xdev -perm /6000 -type f") == ""
    assert unit.shell("grep -v ':[*]:' /etc/shadow; true") == ""


def test_hardware_watchdog_is_active_with_a_timeout_of_20_seconds(boot):
    unit = boot()
    unit.wait_until_booted()
    # The module of the watchdog is loaded late, so systemd tries to open the watchdog from time to time.
    unit.wait_until("grep -qx active /sys/class/watchdog/watchdog0/state")
    assert unit.shell("cat /sys/class/watchdog/watchdog0/identity") == "i6300ESB timer"
    assert unit.shell("cat /sys/class/watchdog/watchdog0/timeout") == "20"


def test_root_shell_runs_only_on_the_line_that_the_command_line_names(boot):
    unit = boot()
    unit.wait_until_booted()
    processes = [line.split(None, 2) for line in unit.shell("ps -o user,ppid,args").splitlines()]
    # Count only processes that systemd started: for a moment, a child of a shell has the same arguments as
    # the shell.
    shells = [args for user, parent, args in processes if parent == "1" and "ash -i" in args]
    assert len(shells) == 1  # the shell of this test
    assert [user for user, _, args in processes if "autoharp console" in args] == ["console"]
    assert unit.ask("shell")["code"] == "shell-not-allowed"


def confirm_on_the_console(unit: HeadUnit, command: str) -> None:
    """Types a command, waits for its question, and confirms it."""
    line = unit.machine.lines["console"]
    unit.console("now")
    begin = len(line.text)
    line.send(f"{command}\r")
    line.wait_for(r"\?", begin)
    line.send("yes\r")


def test_console_poweroff_unmounts_data_cleanly(boot):
    unit = boot()
    unit.wait_until_booted()
    confirm_on_the_console(unit, "poweroff")
    assert unit.machine.monitor.wait_for("SHUTDOWN")["data"]["reason"] == "guest-shutdown"
    unit.boot_again()
    unit.wait_until_booted()
    # The unmount was clean: e2fsck had no journal to replay.
    assert "recovering journal" not in unit.shell("cat /run/data/e2fsck")
    assert "stopped" in unit.ask("boot")["starts"].values()


def test_console_reboot_restarts_the_machine(boot):
    unit = boot(reboots=True)
    unit.wait_until_booted()
    old = unit.shell("cat /proc/sys/kernel/random/boot_id")
    confirm_on_the_console(unit, "reboot")
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert unit.shell("cat /proc/sys/kernel/random/boot_id") != old
    assert unit.failed_units() == []
    assert "recovering journal" not in unit.shell("cat /run/data/e2fsck")
    assert "stopped" in unit.ask("boot")["starts"].values()

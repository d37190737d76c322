"""It boots, by either way, and nothing fails."""

from __future__ import annotations

import pytest

import standin


@pytest.mark.quick
def test_boot_of_the_image_fails_no_unit(boot):
    unit = boot(dropins=standin.idles())
    state = unit.wait_until_booted()
    assert unit.failed_units() == []
    assert state == "running"
    assert "Linux" in unit.console("uname")

    # What nobody asked for is not there: these would bring the rest of Debian's start.
    active = unit.shell("systemctl list-units --state=active --plain --no-legend --full")
    names = {line.split()[0] for line in active.splitlines()}
    assert "autoharp.service" in names
    for unwanted in ("sysinit.target", "basic.target", "multi-user.target", "network.target"):
        assert unwanted not in names


def test_boot_by_firmware_from_the_disk_is_the_same(boot):
    unit = boot(dropins=standin.idles(), firmware=True)
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert unit.shell("test -d /sys/firmware/efi && echo yes") == "yes"


def test_memory_in_use_after_boot_is_at_most_80_mb(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    used = int(unit.shell("free -k").splitlines()[1].split()[2])
    assert used <= 80 * 1000_000 / 1024


def test_root_is_read_only_and_nothing_in_it_gives_rights(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    output, status = unit.try_shell("touch /usr/probe")
    assert status != 0 and "Read-only" in output
    assert unit.shell("find / -xdev -perm /6000 -type f") == ""
    assert unit.shell("grep -v ':[*]:' /etc/shadow; true") == ""


def test_watchdog_of_the_hardware_is_fed_by_systemd(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    # systemd looks for it from time to time, since its module comes late.
    unit.wait_until("grep -qx active /sys/class/watchdog/watchdog0/state")
    assert unit.shell("cat /sys/class/watchdog/watchdog0/identity") == "i6300ESB timer"
    assert unit.shell("cat /sys/class/watchdog/watchdog0/timeout") == "20"


def test_root_shell_is_only_where_the_command_line_asks_for_it(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    shells = unit.shell("ps -o user,args | grep -c '^root.*ash -[i]'")
    assert shells == "1"  # this one
    assert unit.console("id -un") == "console"


def test_poweroff_asked_for_by_the_console_ends_in_order(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    assert unit.console("id -un") == "console"
    unit.machine.lines["console"].send("touch /run/console/poweroff\r")
    assert unit.machine.monitor.wait_for("SHUTDOWN")["data"]["guest"] is True
    unit.boot_again()
    unit.wait_until_booted()
    # Clean: e2fsck had nothing to replay.
    assert "recovering journal" not in unit.shell("cat /run/data/e2fsck")

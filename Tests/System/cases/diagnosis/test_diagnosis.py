"""`diagnose` on the booted image: a healthy unit has no fault, and the first line names the cause of a fault."""

from __future__ import annotations

import re
import zlib

from daemon import on_data
from headunit import HeadUnit
from library import wait_for_library
from sound import flac, noise
from sticks import run

MUSIC = on_data(start="play", music={"1.flac": flac(noise(600, seed=64)), "2.flac": flac(noise(600, seed=65))})


def faults(unit: HeadUnit) -> list[str]:
    """The codes of the faults that no other fault explains."""
    checks = unit.ask("diagnose")["checks"]
    return [check["code"] for check in checks if check["grade"] == "bad" and not check.get("cause")]


def wait_for_fault(unit: HeadUnit, code: str) -> dict:
    unit.wait_until(f"autoharp console --json diagnose | grep -q '\"code\": *\"{code}\"'")
    report = unit.ask("diagnose")
    return next(check for check in report["checks"] if check["code"] == code)


def started(boot, **how) -> HeadUnit:
    """A unit that plays and has run for so long that all its units should run."""
    unit = boot(data=MUSIC, **how)
    unit.wait_until_booted()
    unit.wait_until_playing()
    unit.wait_until("read up idle </proc/uptime; test ${up%%.*} -ge 90")
    return unit


def test_healthy_unit_has_no_fault(boot):
    unit = started(boot)
    report = unit.ask("diagnose")
    assert report["isWell"], [check for check in report["checks"] if check["grade"] == "bad"]
    codes = {check["code"] for check in report["checks"]}
    assert {"units.good", "screen.shown", "boot.good", "config.good", "ends.good", "memory.free"} <= codes
    # Each part of the console works without a fault, too.
    for page in ("status", "screen", "devices", "top", "audio", "storage", "boot", "service"):
        unit.shell(f"autoharp console {page}")
    assert faults(unit) == []


def test_units_that_do_not_run_are_named(boot):
    unit = started(boot)
    for name, code in (("systemd-udevd", "udevd"), ("bluetooth", "bluetooth")):
        unit.shell(f"systemctl mask --runtime {name}.service; systemctl stop {name}.service")
        fault = wait_for_fault(unit, f"unit.{code}.masked")
        assert fault["grade"] == "bad" and faults(unit)[0] == fault["code"]
        unit.shell(f"systemctl unmask --runtime {name}.service; systemctl start {name}.service")
    # A unit that need not run, and a process that runs for systemd but does not answer.
    unit.shell("systemctl mask --runtime display-modules.service; systemctl kill -s STOP bluetooth.service")
    wait_for_fault(unit, "unit.display-modules.masked")
    assert "unit.bluetooth.halted" in faults(unit)
    unit.shell("systemctl unmask --runtime display-modules.service; autoharp console service restart bluetooth")
    unit.shell("mkdir -p /run/systemd/system/autoharp-library.service.d && printf "
               "'[Service]\\nExecStart=\\nExecStart=/usr/bin/missing\\n' "
               ">/run/systemd/system/autoharp-library.service.d/x.conf; systemctl daemon-reload; "
               "systemctl kill -s KILL autoharp-library.service")
    assert "program" in wait_for_fault(unit, "unit.library.failed")["found"]
    assert faults(unit)[0] == "unit.library.failed"
    unit.shell("rm -r /run/systemd/system/autoharp-library.service.d; systemctl daemon-reload")
    # The console has the command that its advice names.
    unit.shell("autoharp console service restart library")
    unit.wait_until("autoharp console --json diagnose | grep -q '\"isWell\": *true'")


def test_end_of_the_daemon_is_named(boot):
    unit = started(boot)
    for signal, words in (("SEGV", "SIGSEGV"), ("STOP", "watchdog")):
        # The end of a run that was not steady yet is a failed start.
        unit.wait_until("autoharp console boot | grep -q 'runs steadily'")
        old = unit.main_pid()
        unit.shell(f"kill -{signal} {old}")
        unit.wait_until(f"test \"$(systemctl show -P MainPID autoharp.service)\" != {old}")
        unit.wait_until_playing()
        assert words in wait_for_fault(unit, "ends.crashed")["found"]
        assert faults(unit)[0] == "ends.crashed"


def test_kernel_crash_is_named_after_the_restart(boot):
    unit = boot(data=MUSIC, reboots=True)
    unit.wait_until_booted()
    unit.machine.lines["shell"].send("echo c >/proc/sysrq-trigger\n")
    # With panic=5 the machine restarts by itself.
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert "panic" in wait_for_fault(unit, "kernel.crashed")["found"].lower()
    assert faults(unit)[0] == "kernel.crashed"


BEGIN = "-----BEGIN AUTOHARP REPORT-----"


def assert_complete(lines: list[str]) -> str:
    """Checks the last line of a report. Returns its checksum."""
    first = lines.index(BEGIN)
    count, check = re.search(r"END AUTOHARP REPORT ([0-9]+) ([0-9A-F]{8})", "\n".join(lines)).groups()
    text = "".join(line + "\n" for line in lines[first + 1:first + 1 + int(count)])
    assert f"{zlib.crc32(text.encode()):08X}" == check
    return check


def test_commands_of_a_technician_work_on_the_cable(boot):
    """The console on the serial port has its own user, whose rights must be enough."""
    unit = started(boot)
    stick = unit.plug_stick({"song.flac": flac(noise(30, seed=66))})
    unit.wait_for_stick()
    unit.shell("systemctl start keep-log@probe.service")
    assert "autoharp" in unit.console("log --grep unit.started")
    assert re.search(r"^[0-9]+ lines?", unit.console("log kernel"), re.MULTILINE)
    assert "probe.1" in unit.console("log --previous")
    assert re.search(r"speed +[0-9]+ KB/s", unit.console("storage test sda1"))
    assert "/data/music" in unit.console("--json storage free")
    assert "'storage free' needs" not in unit.console("storage free --yes")
    assert '"code": "nothing-to-repair"' in unit.console("--json config repair")
    assert "permitted" in unit.console("config skip-interval")
    assert "2026-11-30 14:05" in unit.console("clock set 2026-11-30 14:05")
    assert unit.shell("date -u +%F") == "2026-11-30"
    assert '"code": "sound-test"' in unit.console("--json sound test")
    before = unit.shell("systemctl show -P ActiveEnterTimestampMonotonic stick@sda1.service")
    unit.console("stick remount sda1")
    assert unit.shell("systemctl show -P ActiveEnterTimestampMonotonic stick@sda1.service") != before
    assert_complete(unit.console("report", timeout=300).splitlines())
    # The song of the stick plays again and again, also while the report is written to the stick.
    wait_for_library(unit, 3)
    unit.console("repeat one")
    unit.console("play song")
    unit.wait_until_playing()
    for number in (1, 2):
        reply = unit.console("report stick --yes sda1", timeout=300)
        assert f"autoharp-report-{number}.txt" in reply
        file = run("mcopy", "-i", f"{stick.file}@@1M", f"::autoharp-report-{number}.txt", "-").decode()
        lines = file.split("\n")
        assert lines[0] == BEGIN and lines[-1] == ""
        assert assert_complete(lines) in reply
        # The mounts are read-only as before, and the super block is read-only again.
        mounts = unit.shell("grep ' - vfat /dev/sda1 ' /proc/self/mountinfo").splitlines()
        assert len(mounts) == 2
        for mount in mounts:
            before, after = mount.split(" - ")
            assert {"ro", "nosuid", "nodev", "noexec"} <= set(before.split()[5].split(","))
            assert after.split()[2].startswith("ro,")
    now = unit.ask("now")
    assert (now["title"], now["status"]) == ("song", "playing")
    assert unit.failed_units() == []

"""The console and the daemon list the systemd units and restart one of them through a helper that runs as root. The end
of the daemon is kept for its next start. Kept logs can be read by the console, and by no other user."""

from __future__ import annotations

import pytest

from daemon import on_data
from headunit import HeadUnit, Image
from machine import PROJECT

SERVICE = "/run/service"


def with_client(boot, image: Image, **how) -> HeadUnit:
    if not image.ask.exists():
        pytest.skip("the image has no program `ask`; `make test-system` builds this program")
    unit = boot(data=on_data() | {"ask": image.ask.read_bytes()}, **how)
    unit.wait_until_booted()
    unit.shell("cp /data/ask /run/ask && chmod 755 /run/ask")
    return unit


def ask(unit: HeadUnit, request: str, user: str = "console", group: str = "service", socket: str = SERVICE) -> str:
    return unit.run_as(user, f"/run/ask {socket} '{request}'", f"SupplementaryGroups={group}")[0]


def answer(unit: HeadUnit, request: str) -> list[str]:
    """The kind and the identifier of an answer."""
    return ask(unit, request).split()[:2]


def units(unit: HeadUnit) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for block in ask(unit, "list").split("\n\n"):
        fields = dict(line.split("=", 1) for line in block.splitlines())
        assert fields["Id"] not in found
        found[fields["Id"]] = fields
    return found


def test_units_are_listed_and_restarted_without_the_bus(boot, image):
    unit = with_client(boot, image)
    found = units(unit)
    named = {file.name for file in (PROJECT / "rootfs-overlay/usr/lib/systemd/system").iterdir()
             if file.is_file() and not file.is_symlink() and "@" not in file.name}
    assert named - set(found) == set()
    assert (found["autoharp.service"]["ActiveState"], found["autoharp.service"]["NRestarts"]) == ("active", "0")
    # A unit that is masked, and therefore not loaded, is listed too.
    unit.shell("ln -s /dev/null /run/systemd/system/bluetooth.service; systemctl stop bluetooth.service; "
               "systemctl daemon-reload")
    assert units(unit)["bluetooth.service"]["LoadState"] == "masked"
    assert answer(unit, "restart bluetooth.service") == ["refused", "masked"]
    unit.shell("rm /run/systemd/system/bluetooth.service; systemctl daemon-reload")
    # Only units of the table, and sticks that are there.
    for name in ("data.service", "reboot.target", "autoharp.service autoharp.target", "--force", "stick@.service",
                 "stick@../x.service", "stick@a-b.service", "autoharp-console@ttyS0.service", "Autoharp.service", ""):
        assert answer(unit, f"restart {name}") == ["refused", "not-restartable"], name
    # A partition of the unit's own disk is no stick.
    for name in ("sdz", unit.shell("grep -l PARTNAME=autoharp-data /sys/class/block/*/uevent").split("/")[4]):
        assert answer(unit, f"restart stick@{name}.service") == ["refused", "absent"], name
    assert answer(unit, "restart " + "a" * 100) == ["refused", "incomplete"]
    assert answer(unit, "stop autoharp.service") == ["refused", "unknown"]
    # The list and a restart need no bus.
    unit.shell("systemctl stop dbus.socket dbus.service")
    before = unit.main_pid()
    assert answer(unit, "restart autoharp.service") == ["done", "restarted"]
    assert unit.main_pid() != before
    assert units(unit)["dbus.service"]["ActiveState"] == "inactive"
    # A unit that cannot start.
    unit.shell("mkdir -p /run/systemd/system/display-modules.service.d && printf '[Service]\\nExecStart=\\n"
               "ExecStart=/usr/bin/false\\n' >/run/systemd/system/display-modules.service.d/x.conf && "
               "systemctl daemon-reload")
    assert answer(unit, "restart display-modules.service") == ["failed", "start"]
    assert units(unit)["display-modules.service"]["Result"] == "exit-code"
    unit.shell("rm -r /run/systemd/system/display-modules.service.d; systemctl daemon-reload")
    assert answer(unit, "restart display-modules.service") == ["done", "restarted"]
    # A user who is not in the group cannot connect.
    assert unit.shell("stat -c '%U %G %a' /run/service") == "root service 660"
    assert ask(unit, "list", "screen", "video") == f"{SERVICE}: Permission denied"
    # A client that asks again and again waits, and the socket stays.
    for _ in range(25):
        assert answer(unit, "restart x") == ["refused", "not-restartable"]


def test_end_of_the_daemon_is_kept(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    for signal, end in (("SEGV", "core-dump dumped SEGV"), ("KILL", "signal killed KILL"),
                        ("STOP", "watchdog dumped ABRT")):
        old = unit.main_pid()
        unit.shell(f"rm -f /run/autoharp/end; kill -{signal} {old}")
        unit.wait_until(f"grep -qx '{end}' /run/autoharp/end")
        unit.wait_until(f"systemctl is-active autoharp.service && test \"$(systemctl show -P MainPID autoharp.service)\" != {old}")
        # The daemon starts again after each end, and the end remains for it.
        assert unit.shell("stat -c '%U %a' /run/autoharp/end") == "autoharp 640"
    unit.shell("systemctl restart autoharp.service")
    assert unit.shell("cat /run/autoharp/end") == "success exited 0"


def test_kept_logs_can_be_read_by_the_console_only(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    unit.shell("systemctl start keep-log@probe.service")
    assert unit.shell("stat -c '%n %U %G %a' /data/log /data/log/probe.1").splitlines() == [
        "/data/log root systemd-journal 750", "/data/log/probe.1 root systemd-journal 640"]
    read = "sh -c 'ls /data/log; grep -c . /data/log/probe.1'"
    listed, status = unit.run_as("console", read, "SupplementaryGroups=systemd-journal")
    assert status == 0 and listed.splitlines()[0] == "probe.1" and int(listed.splitlines()[-1]) > 10
    assert unit.run_as("autoharp", read, "SupplementaryGroups=audio")[1] != 0


def test_space_of_data_is_counted_and_freed(boot, image):
    unit = with_client(boot, image)
    unit.shell("cd /data; touch log/probe.1 log/probe.2 log/probe.10; mkdir -p autoharp/artwork; "
               "dd if=/dev/zero of=autoharp/artwork/x.jpg bs=1M count=4; "
               "dd if=/dev/zero of=library/covers.db bs=1M count=2; "
               "chown -R autoharp:autoharp autoharp; chown -R library:library library; sync")

    def folders() -> dict[str, tuple[int, int]]:
        *lines, result = ask(unit, "usage", socket="/run/free-space").splitlines()
        assert result.startswith("done counted ")
        fields = [line.split(" ", 3) for line in lines]
        return {path: (int(size), int(files)) for _, size, files, path in fields}

    before, library = folders(), unit.shell("systemctl show -P MainPID autoharp-library.service")
    assert before["/data/autoharp/artwork"][1] == 1 and before["/data/autoharp/artwork"][0] >= 4 << 20
    assert {"/data/music", "/data/autoharp", "/data/library", "/data/log", "/data/bluetooth"} <= set(before)
    kind, identifier, freed, *_ = ask(unit, "free", socket="/run/free-space").split()
    assert (kind, identifier) == ("done", "freed") and int(freed) >= 5 << 20
    after = folders()
    assert after["/data/autoharp/artwork"] == (0, 0) and after["/data/library"][0] < before["/data/library"][0]
    assert unit.shell("cd /data/log; ls | grep probe") == "probe.10"
    # The library was restarted, because it had the file with the thumbnails open.
    unit.wait_until("systemctl is-active autoharp-library.service")
    assert unit.shell("systemctl show -P MainPID autoharp-library.service") != library
    assert ask(unit, "free", "screen", "video", "/run/free-space") == "/run/free-space: Permission denied"

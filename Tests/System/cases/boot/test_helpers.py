"""Programs that run as root write only to folders that no other user can write, and follow no link."""

from __future__ import annotations

import re

from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise
from storage import assert_layout, format_data, notices, state

# In these folders, the unit removes files of another user as this user, so it follows no link with the rights of root.
AS_THEIR_OWNER = {"free-space@example.service": {"/data/autoharp/artwork", "/data/library"}}
# Folders of virtual file systems. The kernel owns these folders, and they have no ordinary files.
VIRTUAL = ("/proc", "/sys", "/dev")


def root_units(unit: HeadUnit) -> dict[str, dict[str, str]]:
    """Each systemd unit of the image that runs a program as root, with its properties from systemd. A template is
    listed with an example instance, which is not started."""
    names = []
    for line in unit.shell(
            "systemctl list-unit-files --type=service --plain --no-legend --full").splitlines():
        name = line.split()[0]
        # This shell is for people, and runs only if the kernel's command line requests it.
        if name.startswith("root-shell@"):
            continue
        names.append(name.replace("@.", "@example.") if "@." in name else name)
    wanted = ("Id,User,DynamicUser,ExecStart,ProtectSystem,ReadWritePaths,ReadOnlyPaths,FragmentPath,"
              "RuntimeDirectory,TemporaryFileSystem,BindPaths")
    found = {}
    for name in names:
        text = unit.shell(f"systemctl show --property={wanted} '{name}'")
        fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        if fields.get("ExecStart") and fields.get("User", "") in ("", "root", "0"):
            found[name] = fields
    return found


def written_folders(unit: HeadUnit, name: str, fields: dict[str, str]) -> list[str]:
    """The folders that a systemd unit writes. If the unit shares the mounts of the system, its file lists the folders
    in X-Writes. Otherwise these are the folders that its sandbox leaves writable. The test fails for a unit without
    X-Writes and without a sandbox."""
    text = unit.shell(f"systemctl cat '{name}'")
    listed = [line.split("=", 1)[1].split() for line in text.splitlines()
            if line.startswith("X-Writes=")]
    if listed:
        return [folder for folders in listed for folder in folders]
    assert fields["ProtectSystem"] == "strict", f"{name}: neither ProtectSystem=strict nor X-Writes="
    # With ProtectProc= or ProcSubset=, ProtectSystem=strict leaves /run writable. It always leaves /dev/shm writable.
    read_only = set(fields["ReadOnlyPaths"].split())
    if fields["TemporaryFileSystem"].startswith("/run:ro"):
        read_only.add("/run")
    assert {"/run", "/dev/shm"} <= read_only, f"{name}: root can write to /run or /dev/shm"
    paths = [path.lstrip("-+") for path in fields["ReadWritePaths"].split()]
    paths += [path.split(":")[0] for path in fields["BindPaths"].split()]
    return paths + [f"/run/{folder}" for folder in fields["RuntimeDirectory"].split()]


def first_path_writable_by_others(unit: HeadUnit, folder: str) -> str:
    """The first folder of the path that a user other than root can change. Empty if only root can change the whole
    path."""
    path = "/"
    for part in ["", *folder.strip("/").split("/")]:
        path = f"{path.rstrip('/')}/{part}" if part else path
        line, status = unit.try_shell(f"stat -c '%u %a' '{path}'")
        if status != 0:
            return ""  # the folder does not exist, and only root can create it
        owner, mode = line.split()
        is_sticky = int(mode, 8) & 0o1000
        if owner != "0" or (int(mode, 8) & 0o022 and not is_sticky):
            return path
    return ""


def test_root_units_write_only_to_folders_of_root(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    assert_layout(unit)
    units = root_units(unit)
    table = {name: written_folders(unit, name, fields) for name, fields in units.items()}
    for name, folders in sorted(table.items()):
        print(f"{name:36} {' '.join(folders)}")
    assert {"data.service", "bluetooth.service", "keep-crash.service", "keep-log@example.service",
            "stick@example.service", "data-format@example.service",
            "free-space@example.service", "service-control@example.service", "set-clock@example.service",
            "stick-report@example.service"} <= set(table)
    shared = {f"{name}: {folder}": path
              for name, folders in table.items() for folder in folders
              if not folder.startswith(VIRTUAL) and folder not in AS_THEIR_OWNER.get(name, ())
              and (path := first_path_writable_by_others(unit, folder))}
    assert shared == {}


def test_saved_logs_are_limited_in_size_and_number(boot):
    unit = boot()
    unit.wait_until_booted()
    # 200 lines of 5 KB each are four times the size that is kept.
    unit.shell("line=$(busybox seq -s - 1100); i=0; while [ $i -lt 200 ]; do "
               "echo \"$i $line\"; i=$((i+1)); done | systemd-cat -t long")
    unit.wait_until("journalctl -b -t long | grep -q ': 199 1-2-'")
    unit.shell("systemctl start keep-log@long.service")
    # keep-log reads the last 256 KiB, and leaves out sentences about phones.
    assert 250 << 10 < int(unit.shell("stat -c %s /data/log/long.1")) <= 256 << 10
    # The end of the log is kept, because the last lines are the most useful.
    assert unit.shell("grep -c ': 199 1-2-' /data/log/long.1") == "1"
    assert unit.try_shell("grep -c ': 100 1-2-' /data/log/long.1")[0] == "0"
    # The number of all kept files together is limited.
    unit.shell("i=0; while [ $i -lt 200 ]; do : >/data/log/name-$i.1; i=$((i+1)); done")
    _, status = unit.try_shell("systemctl start keep-log@one-more.service")
    assert status != 0
    assert unit.shell("ls /data/log | wc -l") == "201"
    # A name must be a plain file name, without a path.
    for name in ("../x", ".x", "a b", "x/y", ""):
        assert unit.try_shell(f"/usr/lib/autoharp/keep-log '{name}'")[1] == 2, name


KINDS = {
    "link": "ln -s /run/victim",
    "hard link": "ln /data/autoharp.conf",
    "folder": "mkdir",
    "FIFO": "mkfifo",
    # `cp -a` copies a socket with mknod, and every user is permitted to make sockets with mknod.
    "socket": "cp -a /run/autoharp/control",
}
# This script runs as the daemon's user. It plants entries in each folder, and succeeds only where the daemon can write.
PLANTED = r"""
for folder in /data /data/log /data/bluetooth /data/music /data/autoharp /run/autoharp /run/data /run; do
  cd / && cd $folder 2>/dev/null || continue
  for name in log .new new repair .repair.new notice autoharp.1 victim.1 .victim.1.new kernel.1 data; do
    PLANT $name
  done
  mv /data/log /data/log.old; mv /data/bluetooth /data/bonds; mv /data/autoharp.conf /data/own.conf
done 2>/dev/null
find /data /run -user autoharp -name victim.1 2>/dev/null | wc -l
"""


def as_daemon(unit: HeadUnit, script: str) -> str:
    """Runs a script as the daemon's user, without the daemon's sandbox."""
    unit.shell(f"cat >/run/script <<'END'\n{script}\nEND")
    output, status = unit.run_as("autoharp", "sh /run/script", "Group=autoharp")
    assert status == 0, output
    return output


def plant(unit: HeadUnit, kind: str) -> None:
    planted = as_daemon(unit, PLANTED.replace("PLANT", KINDS[kind]))
    # Planting succeeds in the daemon's three folders. Only hard links fail, because they require write access to their
    # target.
    assert planted == ("0" if kind == "hard link" else "3"), kind


SHOW_VICTIM = "cat /run/victim; stat -c '%u %g %a' /run/victim"
UNTOUCHED = "untouched\n0 0 644"


def assert_untouched(unit: HeadUnit) -> None:
    assert unit.shell(SHOW_VICTIM) == UNTOUCHED


def make_victim(unit: HeadUnit) -> None:
    unit.shell("echo untouched >/run/victim; chmod 644 /run/victim")


def remove_planted(unit: HeadUnit) -> None:
    as_daemon(unit, PLANTED.replace("PLANT", "rm -rf"))


def test_entries_planted_by_the_daemon_are_ignored_by_all_helpers(boot):
    unit = boot(data=on_data({"a.flac": flac(noise(5, seed=1))}), reboots=True)
    unit.wait_until_booted()
    make_victim(unit)
    # The helper measures its time limit from the start of the kernel. The default limit is over already, so set
    # a longer limit.
    unit.shell("mkdir -p /run/systemd/system/data.service.d; printf '[Service]\\nExecStart=\\n"
               "ExecStart=/usr/lib/autoharp/mount-data --limit 100000\\n' "
               ">/run/systemd/system/data.service.d/limit.conf; systemctl daemon-reload")
    for kind in KINDS:
        plant(unit, kind)
        # No file of root was moved or changed.
        assert_layout(unit)
        assert unit.shell("stat -c '%U %a' /data/autoharp.conf") == "root 644"
        # Run the helpers one after the other.
        for start in ("keep-log@victim", "keep-log@autoharp", "keep-crash"):
            # This loop starts each service more often than systemd permits in ten seconds, so reset the counter.
            unit.shell(f"systemctl reset-failed {start}.service; systemctl restart {start}.service")
        for name in unit.shell("ls -A /data/log").split():
            assert re.fullmatch(r"(autoharp|victim)\.[1-5]", name), kind
        unit.shell("systemctl stop autoharp.service bluetooth.service; umount /data; "
                   "rm -r /run/data/mounted /run/data/decided; systemctl restart data.service; "
                   "systemctl start bluetooth.service autoharp.service")
        assert (notices(unit), state(unit)) == ([], "disk"), kind
        assert_untouched(unit)
        if kind != "socket":
            remove_planted(unit)
    unit.plug_stick({"b.flac": flac(noise(5, seed=2))})
    unit.wait_for_stick()
    unit.unplug_stick()
    assert_untouched(unit)

    # The helpers ignore the planted entries also at the next start.
    unit.cut_power()
    unit.boot_again()
    unit.wait_until_booted()
    assert_layout(unit)
    assert notices(unit) == []
    assert unit.failed_units() == []

    # `data format` makes a new file system although a link is planted.
    make_victim(unit)
    remove_planted(unit)
    plant(unit, "link")
    assert format_data(unit, SHOW_VICTIM) == UNTOUCHED
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert_layout(unit)
    assert (notices(unit), state(unit)) == ([], "disk")
    assert unit.shell("find /data -name victim.1") == ""

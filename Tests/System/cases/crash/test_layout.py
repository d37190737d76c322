"""The migration from the layout of older images runs once and completely. Entries that a compromised daemon can have
planted cause no harm."""

from __future__ import annotations

import os
import random
import time

from daemon import SETTINGS
from disk import Disk
from headunit import HeadUnit
from machine import TIMEOUT
from sound import flac, noise
from sticks import run
from storage import assert_layout, notices, report, state

DAEMON = 800
SONG = flac(noise(60, seed=71))
CONFIGURATION = "".join(f"{key} = {value}\n" for key, value in SETTINGS.items()) + "start = play\n"


def old_layout(disk: Disk, *planted: str) -> None:
    """Makes the /data of an older image: the daemon owns /data itself, the state and the covers. `planted` are
    additional requests to debugfs."""
    folder = disk.file.parent
    (folder / "state").write_bytes(random.Random(1).randbytes(64 * 8192))
    (folder / "conf").write_text(CONFIGURATION)
    (folder / "bond").write_text("a bond")
    (folder / "cover").write_bytes(b"a cover")
    (folder / "song").write_bytes(SONG)
    begin, size = disk.partition("data")
    part = folder / "old.part"
    with open(part, "wb") as file:
        file.truncate(size)
    run("mke2fs", "-q", "-t", "ext4", "-L", "autoharp-data", "-m", "0", "-E", "root_owner=0:0", part)

    def owner(name: str, number: int) -> str:
        return f"sif {name} uid {number}\nsif {name} gid {number}\n"

    requests = (
        f"mkdir music\nmkdir bluetooth\nmkdir log\nmkdir artwork\n"
        f"write {folder}/state state\nwrite {folder}/conf autoharp.conf\n"
        f"write {folder}/song music/song.flac\nwrite {folder}/bond bluetooth/bond\n"
        f"write {folder}/cover artwork/cover\n"
        + "".join(owner(name, DAEMON) for name in
                  ("/", "music", "state", "autoharp.conf", "artwork", "artwork/cover"))
        + "sif bluetooth mode 040700\n" + "\n".join(planted) + "\n")
    run("debugfs", "-w", "-f", "-", part, input=requests.encode())
    disk.put("data", part)
    part.unlink()


def assert_moved(unit: HeadUnit) -> None:
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert state(unit) == "disk"
    assert_layout(unit)
    listed = unit.shell("stat -c '%n %U %a' /data/autoharp.conf /data/autoharp/artwork/cover "
                        "/data/bluetooth/bond /data/autoharp/state* | sort").splitlines()
    names = [line.split()[0] for line in listed]
    assert "/data/autoharp.conf root 644" in listed
    assert "/data/autoharp/artwork/cover" in names and "/data/bluetooth/bond" in names
    # The old state is not valid, so the daemon keeps it under this name and writes a new state.
    assert "/data/autoharp/state.damaged" in names
    assert unit.shell("cat /data/bluetooth/bond") == "a bond"
    assert unit.shell("test -e /data/state || test -e /data/artwork || echo absent") == "absent"
    unit.wait_until_playing()


def test_old_layout_is_migrated_once_and_keeps_all_files(boot):
    unit = boot(prepare=old_layout)
    assert_moved(unit)
    assert notices(unit) == []
    assert "moved" in report(unit)
    unit.cut_power()
    unit.boot_again()
    assert_moved(unit)
    assert "moved" not in report(unit)


def test_power_cuts_during_the_migration_keep_all_files(boot):
    moments = random.Random(8)
    unit = boot(prepare=old_layout)
    for _ in range(4):
        unit.cut_power()
        old_layout(unit.disk)
        # The unit writes only to /data. So its first write is the mount of /data, and the migration follows.
        before = os.stat(unit.disk.file).st_mtime_ns
        unit.boot_again()
        deadline = time.monotonic() + TIMEOUT
        while os.stat(unit.disk.file).st_mtime_ns == before:
            assert time.monotonic() < deadline, "the unit did not write to its disk"
            time.sleep(0.001)  # polls, because no event reports writes of another process
        time.sleep(moments.uniform(0, 0.3))
        unit.cut_power()
        unit.boot_again()
        assert_moved(unit)


def test_links_in_the_old_layout_are_renamed_and_not_followed(boot):
    def plant(disk: Disk) -> None:
        old_layout(disk, "rm autoharp.conf", "symlink autoharp.conf /data/bluetooth/bond",
                   "symlink autoharp /data/bluetooth", "rmdir log", "symlink log /data/bluetooth",
                   "sif bluetooth uid 800")

    unit = boot(prepare=plant)
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert_layout(unit)
    assert state(unit) == "disk"
    assert notices(unit) == ["data.aside"] * 4
    # The daemon owned the folder of bonds, so the bonds can be forged. The unit moves the bonds aside and does not use
    # them.
    assert unit.shell("ls /data/bluetooth") == ""
    assert unit.shell("cat /data/aside-bluetooth-1/bond") == "a bond"
    kept = unit.shell("cd /data; for name in aside-*; do readlink $name; done | sort").splitlines()
    assert kept == ["/data/bluetooth", "/data/bluetooth", "/data/bluetooth/bond"]
    unit.shell("systemctl start keep-log@autoharp.service; test -f /data/log/autoharp.1")

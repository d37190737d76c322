"""/data may be damaged in any way: it boots, and says what was lost."""

from __future__ import annotations

import os
import re

from disk import MIB
from sound import flac, noise
from sticks import run


def notice(unit) -> str:
    return unit.shell("cat /run/data/notice 2>/dev/null; true")


def assert_data_is_usable(unit, kind: str = "ext4") -> None:
    unit.wait_until_booted()
    assert unit.failed_units() == []
    mount = unit.shell("grep ' /data ' /proc/mounts").split()
    assert mount[2] == kind
    assert {"rw", "nosuid", "nodev", "noexec"} <= set(mount[3].split(","))
    owners = unit.shell("stat -c '%U %a %n' /data /data/music /data/bluetooth /data/log")
    assert owners.splitlines() == [
        "autoharp 755 /data",
        "autoharp 755 /data/music",
        "root 700 /data/bluetooth",
        "root 755 /data/log",
    ]


def overwrite_with_noise(unit) -> None:
    for at in range(0, unit.disk.partition("data")[1], 16 * MIB):
        unit.disk.write("data", at, os.urandom(16 * MIB))


def test_data_overwritten_with_noise_is_made_anew(boot):
    unit = boot()
    assert_data_is_usable(unit)
    assert notice(unit) == ""
    unit.cut_power()
    overwrite_with_noise(unit)
    unit.boot_again()
    assert_data_is_usable(unit)
    assert "made anew" in notice(unit)
    # Whoever asks the console hears it, too.
    assert "made anew" in unit.console("diagnose") and unit.said("made anew")
    unit.cut_power()
    unit.boot_again()
    assert_data_is_usable(unit)
    assert notice(unit) == ""


def test_data_that_can_be_repaired_keeps_its_files(boot):
    files = {"kept": b"still here", "lost/one": b"1"}
    unit = boot(data=files)
    assert_data_is_usable(unit)
    unit.shell("sync")
    unit.cut_power()
    # The block bitmap of the first group, by e2fsprogs' own account: all blocks free.
    part = unit.disk.copy("data", unit.folder / "part")
    groups = run("dumpe2fs", part).decode().splitlines()
    bitmap = next(line for line in groups if "Block bitmap at" in line)
    block_size = int(next(line for line in groups if line.startswith("Block size:")).split()[-1])
    unit.disk.write("data", int(bitmap.split()[3].rstrip(",")) * block_size, bytes(block_size))
    # And the mark of a file system that knows it has errors (s_state, superblock offset 58).
    unit.disk.write("data", 1024 + 58, b"\x02\x00")
    unit.boot_again()
    assert_data_is_usable(unit)
    assert unit.shell("cat /data/kept") == "still here"
    assert re.search(r"bitmap|FIXED|MODIFIED", unit.shell("cat /run/data/e2fsck"))


def test_data_that_is_missing_is_in_memory(boot):
    unit = boot()
    assert_data_is_usable(unit)
    unit.cut_power()
    unit.disk.call_partition("data", "something-else")
    unit.boot_again()
    assert_data_is_usable(unit, kind="tmpfs")
    assert "no partition" in notice(unit)


def test_data_overwritten_with_noise_still_plays(boot):
    unit = boot(data={})
    unit.wait_until_booted()
    unit.cut_power()
    overwrite_with_noise(unit)
    unit.boot_again()
    # Everything that was known is lost; what is on a stick is played.
    song = noise(20, seed=41)
    unit.plug_stick({"song.flac": flac(song)})
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(2 * 44100)
    assert unit.status() == "playing"
    assert re.search(r"saved +in /data", unit.console("storage"))

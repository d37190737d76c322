"""Sticks come and go, are read and never written, and may be anything."""

from __future__ import annotations

import os
import struct

import pytest

import standin
from sticks import MIB, Stick

# Nothing beyond sixteen bits: mtools leaves such characters out of FAT's names.
FILES = {"Größe/Čaj 茶.flac": b"tea" * 1000, "plain.flac": b"music" * 1000}


def assert_mounted_read_only(unit, folder: str, kind: str) -> None:
    options = unit.shell(f"grep ' {folder} ' /proc/mounts").split()
    assert options[2] == kind
    assert {"ro", "nosuid", "nodev", "noexec"} <= set(options[3].split(","))


def wait_until_gone(unit, folder: str) -> None:
    unit.wait_until(f"! test -e {folder}")
    unit.wait_until("systemctl is-system-running --quiet")
    assert unit.failed_units() == []
    assert unit.shell("systemctl is-active autoharp.service") == "active"


@pytest.mark.parametrize("kind", ["vfat", "ext4"])
def test_stick_is_mounted_read_only_and_can_be_pulled(boot, kind):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    stick = unit.plug_stick(FILES, kind=kind)
    before = stick.contents()
    folder = unit.wait_for_stick()
    assert_mounted_read_only(unit, folder, kind)
    for name, data in FILES.items():
        length = unit.shell(f"stat -c %s '{folder}/{name}'")
        assert int(length) == len(data), name
    # The daemon, in its own view of the files, sees the same and may read it.
    pid = unit.shell("systemctl show --property=MainPID --value autoharp.service")
    assert unit.shell(f"ls /proc/{pid}/root{folder}/plain.flac")
    rights = unit.shell(f"stat -c '%U %G %a' {folder}/plain.flac")
    assert rights == {"vfat": "root autoharp 550", "ext4": "root root 644"}[kind]
    unit.unplug_stick()
    wait_until_gone(unit, folder)
    assert stick.contents() == before


def test_stick_of_exfat_is_mounted_read_only(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    unit.plug_stick({}, kind="exfat")
    assert_mounted_read_only(unit, unit.wait_for_stick(), "exfat")


def test_stick_that_was_pulled_from_another_machine_while_it_wrote_is_not_written(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    stick = Stick.make(unit.folder, FILES, kind="ext4")
    # A journal that wants to be replayed (feature 4), errors that want a panic (s_errors 3).
    incompatible = struct.unpack_from("<I", stick.contents(), MIB + 1024 + 96)[0]
    stick.write(1024 + 96, struct.pack("<I", incompatible | 4))
    stick.write(1024 + 60, struct.pack("<H", 3))
    before = stick.contents()
    unit.plug_stick(stick)
    folder = unit.wait_for_stick()
    assert unit.shell(f"stat -c %s {folder}/plain.flac") == "5000"
    unit.unplug_stick()
    wait_until_gone(unit, folder)
    assert stick.contents() == before


def test_stick_of_noise_holds_nothing_up(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    stick = Stick.make(unit.folder, FILES, kind="vfat")
    # What it claims to be stays; what it says is noise.
    stick.write(512, os.urandom(4 * MIB))
    unit.plug_stick(stick)
    unit.wait_until("journalctl -b --no-pager | grep -q 'stick@sda1.service'")
    assert unit.shell("systemctl is-active autoharp.service") == "active"
    unit.unplug_stick()
    wait_until_gone(unit, "/media/sda1")


@pytest.mark.waits_for_serve
def test_stick_pulled_while_playing_ends_in_a_notice_and_goes_on_when_it_is_back(boot):
    raise NotImplementedError

"""The unit plays from sticks and writes nothing to them by itself. Sticks can be damaged, and can be removed at any time."""

from __future__ import annotations

import os
import re

import pytest

from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise
from sticks import MIB, Stick, run

SONG = noise(120, seed=51)
# The names have no characters above U+FFFF, because mtools omits such characters in FAT names.
NAME = "Größe/Čaj 茶.flac"
FILES = {NAME: flac(noise(30, seed=52)), "Z.flac": flac(noise(1, seed=53))}


def assert_mounted_read_only(unit: HeadUnit, folder: str, kind: str) -> None:
    options = unit.shell(f"grep ' {folder} ' /proc/mounts").split()
    assert options[2] == kind
    assert {"ro", "nosuid", "nodev", "noexec"} <= set(options[3].split(","))


def wait_until_removed(unit: HeadUnit, folder: str) -> None:
    unit.wait_until(f"! test -e {folder}")
    unit.wait_until("systemctl is-system-running --quiet")
    assert unit.failed_units() == []
    assert unit.shell("systemctl is-active autoharp.service") == "active"


def assert_read_and_not_written(unit: HeadUnit, stick: Stick) -> None:
    """Plugs in a stick with FILES, checks that the unit finds the files, and unplugs the stick. Checks that the
    unit has not written to the stick."""
    before = stick.contents()
    unit.plug_stick(stick)
    folder = unit.wait_for_stick()
    unit.wait_for_files(2)
    unit.unplug_stick()
    wait_until_removed(unit, folder)
    assert stick.contents() == before


def fill_exfat_on_the_unit(unit: HeadUnit) -> None:
    """Fills an exFAT stick from /data/fill, as root of the head unit, because the host has no tool for exFAT."""
    unit.shell(
        "systemctl stop stick@sda1.service; mkdir /run/fill; "
        "mount -t exfat -o iocharset=utf8 /dev/sda1 /run/fill && "
        "cp -r /data/fill/. /run/fill && umount /run/fill"
    )


@pytest.mark.parametrize("kind", ["vfat", "exfat", "ext4"])
def test_stick_is_mounted_read_only_and_played_and_can_be_removed(boot, kind):
    fill = {f"fill/{name}": data for name, data in FILES.items()} if kind == "exfat" else {}
    unit = boot(data=on_data() | fill)
    unit.wait_until_booted()
    stick = unit.plug_stick({} if kind == "exfat" else FILES, kind=kind)
    folder = unit.wait_for_stick()
    if kind == "exfat":
        fill_exfat_on_the_unit(unit)
        unit.unplug_stick()
        wait_until_removed(unit, folder)
        unit.plug_stick(stick)
        unit.wait_for_stick()
    before = stick.contents()
    assert_mounted_read_only(unit, folder, kind)
    for name, data in FILES.items():
        length = unit.shell(f"stat -c %s '{folder}/{name}'")
        assert int(length) == len(data), name
    rights = unit.shell(f"stat -c '%U %G %a' {folder}/Z.flac")
    assert rights == ("autoharp music 644" if kind == "ext4" else "root music 550")
    unit.wait_for_files(2)
    unit.console("play")
    unit.wait_for_sound(44100)
    assert unit.ask("now")["title"] == "Čaj 茶"
    unit.unplug_stick()
    wait_until_removed(unit, folder)
    assert stick.contents() == before


def test_stick_removed_during_playback_is_reported_and_resumes_on_return(boot):
    unit = boot(data=on_data(start="play"))
    unit.wait_until_booted()
    stick = unit.plug_stick({"song.flac": flac(SONG)})
    unit.wait_for_files(1)
    # At full volume the played samples are the samples of the file.
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.unplug_stick()
    unit.wait_for_log("music.removed", "song.flac")
    left = unit.sound().last_position_in(SONG)
    # The daemon does not hang. It answers, and reports the missing file.
    assert unit.status() != "playing"
    assert re.search(r"music\.removed: .*song\.flac", unit.console("log"))
    wait_until_removed(unit, "/media/sda1")
    unit.plug_stick(stick)
    unit.wait_until_playing()
    assert unit.logged("music.returned", "song.flac")
    heard = len(unit.sound().from_first_sound())
    unit.wait_for_sound(heard + 44100)
    # Playback continued at the old position, and no second was skipped.
    assert left < unit.sound().last_position_in(SONG) < left + 20 * 44100
    after = SONG[left + 22050 : left + 22050 + 500]
    assert unit.sound().find(after) >= 0


def test_stick_with_unsupported_formats_is_reported_until_it_is_removed(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    # The header of an ADTS frame with AAC.
    aac = bytes.fromhex("fff15083fffffc") + bytes(100)
    unit.plug_stick({f"{name}.m4a": aac for name in "abc"} | {"notes.mp3": b"text"})
    unit.wait_for_log("music.unsupported", "/media/sda1: 4 files")
    # The console wraps long rows, so the words are joined again. MUSIC is the label of the stick.
    words = " ".join(unit.console("storage").split())
    assert "MUSIC: 0 files; 4 cannot be played: 3 AAC, 1 text" in words
    unit.unplug_stick()
    wait_until_removed(unit, "/media/sda1")
    unit.wait_until("! autoharp console storage | grep -q AAC")


def test_stick_with_a_dirty_journal_is_read_and_not_written(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    stick = Stick.make(unit.folder, FILES, kind="ext4")
    # The file system requests that the kernel panics at an error, and has a journal to replay.
    for change in ("set_super_value errors 3", "feature needs_recovery"):
        run("debugfs", "-w", "-R", change, f"{stick.file}?offset={MIB}")
    assert_read_and_not_written(unit, stick)


def test_stick_with_the_unclean_flag_is_read_and_not_repaired(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    stick = Stick.make(unit.folder, FILES)
    # Set FAT32's flag for an unclean unmount, which is in the boot sector.
    stick.write(0x41, b"\x01")
    assert_read_and_not_written(unit, stick)


def test_unresponsive_stick_leaves_playback_running(boot):
    unit = boot(data=on_data({"song.flac": flac(SONG)}, start="play"))
    unit.wait_until_booted()
    unit.stick_answers(False)
    stick = unit.plug_stick(FILES)
    unit.wait_until("test -e /sys/block/sda")
    heard = len(unit.sound().from_first_sound())
    unit.wait_for_sound(heard + 5 * 44100)
    assert unit.status() == "playing"
    unit.unplug_stick()
    wait_until_removed(unit, "/sys/block/sda")
    unit.stick_answers(True)
    unit.plug_stick(stick)
    unit.wait_for_stick()
    unit.wait_for_files(3)
    assert unit.status() == "playing"


def test_stick_that_stops_responding_is_reported_as_buffering(boot):
    unit = boot(data=on_data(start="play"))
    unit.wait_until_booted()
    stick = unit.plug_stick({"song.flac": flac(SONG)})
    folder = unit.wait_for_stick()
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.stick_answers(False)
    unit.wait_until("autoharp console --json now | grep -q buffering")
    assert unit.logged("track.waits", "/media/sda1/song.flac")
    heard = unit.ask("now")["elapsed"]
    unit.stick_answers(True)
    unit.wait_until("autoharp console --json now | grep -q playing")
    assert unit.logged("track.continues")
    # Playback continued at the old position.
    assert unit.ask("now")["elapsed"] >= heard
    unit.stick_answers(False)
    unit.wait_until("autoharp console --json now | grep -q buffering")
    unit.unplug_stick()
    wait_until_removed(unit, folder)
    unit.stick_answers(True)
    unit.plug_stick(stick)
    unit.wait_until("autoharp console --json now | grep -q playing")


@pytest.mark.parametrize("kind", ["vfat", "exfat", "ext4"])
def test_stick_full_of_noise_leaves_playback_running(boot, kind):
    unit = boot(data=on_data({"song.flac": flac(SONG)}, start="play"))
    unit.wait_until_booted()
    stick = Stick.make(unit.folder, {} if kind == "exfat" else FILES, kind=kind)
    # The first bytes, by which the file system is recognized, stay. The following 4 MiB are noise.
    stick.write(2048 if kind == "ext4" else 512, os.urandom(4 * MIB))
    unit.plug_stick(stick)
    # If no file system is recognized, the unit tries no mount and logs nothing.
    unit.wait_until("test -e /dev/sda1 && udevadm settle")
    unit.wait_until("! systemctl list-jobs | grep -q stick@")
    heard = len(unit.sound().from_first_sound())
    unit.wait_for_sound(heard + 44100)
    assert unit.status() == "playing"
    unit.unplug_stick()
    wait_until_removed(unit, "/media/sda1")

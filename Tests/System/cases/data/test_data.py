"""If /data is damaged in any way, the unit boots, plays and reports the damage. It never formats /data."""

from __future__ import annotations

import hashlib
import random
import tempfile
from pathlib import Path

import pytest

from car import bonded, pair, wait_for_phones
from daemon import on_data
from disk import MIB, Disk
from headunit import HeadUnit
from other_image import with_fake_e2fsck
from reference_painter import HEADER, ReferencePainter
from sound import flac, noise
from sticks import run
from storage import assert_layout, attempts, identity, mount_of, notices, state, superblocks

SONG = flac(noise(30, seed=41))
FILES = {"song.flac": SONG}
MUSIC = on_data(FILES, start="play")
DIGEST = hashlib.sha256(SONG).hexdigest()


@pytest.fixture(scope="module")
def e2fsck_image(image):
    with tempfile.TemporaryDirectory(prefix="unit-image-") as folder:
        yield with_fake_e2fsck(image, Path(folder))


def partition(unit: HeadUnit) -> Path:
    """A copy of the partition of /data."""
    return unit.disk.copy("data", unit.folder / "data.part")


def facts(reply: dict) -> dict[str, str]:
    """The labels and values of all sections of a reply."""
    found = {}
    for section in reply.get("facts", reply).values():
        for label, value in section.items():
            found[label] = value["value"] if isinstance(value, dict) else value
    return found


def assert_works_without_saving(unit: HeadUnit, kind: str, wanted: str) -> None:
    """Checks that the unit works although it cannot save data, and that the console reports the fault."""
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert notices(unit) == [wanted]
    assert state(unit) == ("read-only" if kind == "overlay" else "memory")
    assert mount_of(unit)[0] == kind
    assert {"rw", "nosuid", "nodev", "noexec"} <= mount_of(unit)[1]
    assert_layout(unit)
    # The unit can write bonds and state, and keeps both until the power is cut.
    unit.shell("touch /data/bluetooth/bond")
    unit.wait_until("test -s /data/autoharp/state")
    assert "storage" in facts(unit.ask("status"))
    assert facts(unit.ask("data check"))["notice"]


def assert_song_of_data_is_heard(unit: HeadUnit) -> None:
    unit.wait_for_sound(44100)
    assert unit.shell("sha256sum /data/music/song.flac").split()[0] == DIGEST


def assert_stick_is_heard(unit: HeadUnit) -> None:
    unit.plug_stick({"stick.flac": flac(noise(60, seed=42))})
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(44100)


def test_intact_data_is_mounted_without_a_notice(boot):
    unit = boot()
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert (notices(unit), state(unit), attempts(unit)) == ([], "disk", [("-p", 0)])
    assert mount_of(unit)[0] == "ext4"
    assert {"rw", "nosuid", "nodev", "noexec"} <= mount_of(unit)[1]
    assert_layout(unit)
    assert facts(unit.ask("data check"))["state"] == "disk"
    assert "storage" not in facts(unit.ask("status"))


# --- e2fsck itself fails ------------------------------------------------------------------------


@pytest.mark.parametrize("what, status", [("8", 8), ("kill", None)])
def test_failed_e2fsck_leaves_data_unchanged_and_readable(boot, e2fsck_image, what, status):
    unit = boot(image=e2fsck_image, data=MUSIC, arguments=f"fake-e2fsck={what}")
    before = identity(partition(unit))
    assert_works_without_saving(unit, "overlay", "data.read-only.unchecked")
    assert attempts(unit)[0] == ("-p", status)
    assert_song_of_data_is_heard(unit)
    unit.cut_power()
    assert identity(partition(unit)) == before


def test_music_of_a_stick_starts_within_30_seconds_during_a_long_check(
        boot, e2fsck_image):
    unit = boot(image=e2fsck_image, data=MUSIC, arguments="fake-e2fsck=wait")
    before = identity(partition(unit))
    assert_stick_is_heard(unit)
    first = float(facts(unit.ask("boot"))["first sound"].split()[0])
    assert first <= 30
    assert_works_without_saving(unit, "tmpfs", "data.checking")
    reference = ReferencePainter(unit)
    checking = reference.latest().rows(HEADER)
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) == checking)

    # When e2fsck ends late, the unit reports this and uses the storage from the next start on.
    unit.shell("touch /run/go")
    unit.wait_until("grep -q data.checked /run/data/notice")
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) != checking)
    checked = reference.latest().rows(HEADER)
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) == checked)
    reference.end()
    unit.touch(300, 48)
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) not in (checking, checked))
    assert (notices(unit), state(unit)) == (["data.checked"], "memory")
    unit.wait_until("journalctl -b -u autoharp | grep -q data.checked")
    assert mount_of(unit)[0] == "tmpfs"
    unit.cut_power()
    assert identity(partition(unit)) == before
    unit.options["arguments"] = "fake-e2fsck=real"
    unit.boot_again()
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == ([], "disk")
    assert_song_of_data_is_heard(unit)


def test_killed_check_is_repeated_at_the_next_start(boot, e2fsck_image):
    unit = boot(image=e2fsck_image, data=MUSIC, arguments="fake-e2fsck=wait")
    # Kill the helper, which also ends its e2fsck. When memory is short, the kernel can kill the helper in the same way.
    unit.shell("kill -9 $(cat /run/data/worker)")
    assert_works_without_saving(unit, "tmpfs", "data.checking")
    unit.cut_power()
    unit.options["arguments"] = "fake-e2fsck=real"
    unit.boot_again()
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == ([], "disk")
    assert_song_of_data_is_heard(unit)


def answer_data_format(unit: HeadUnit, answer: str) -> None:
    """Types `data format`, waits for the question, and answers it."""
    line = unit.machine.lines["console"]
    unit.console("now")
    begin = len(line.text)
    line.send("data format\r")
    line.wait_for(r"\bformat\b.*: ?$", begin)
    line.send(f"{answer}\r")


# --- the file system is damaged -----------------------------------------------------------------


def zero_superblocks(disk: Disk, wanted: slice = slice(None)) -> None:
    part = disk.copy("data", disk.file.parent / "superblocks.part")
    size, blocks = superblocks(part)
    part.unlink()
    for block in blocks[wanted]:
        disk.write("data", max(block * size, 1024), bytes(1024))


def write_noise(disk: Disk, seed: int, size: int = 64 * MIB) -> None:
    disk.write("data", 0, random.Random(seed).randbytes(size))


def test_lost_first_superblock_is_repaired_from_a_copy(boot):
    unit = boot(data=MUSIC, prepare=lambda disk: zero_superblocks(disk, slice(1)))
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == (["data.repaired"], "disk")
    assert attempts(unit) == [("-p", 8), ("-f -y", 1)]
    assert_song_of_data_is_heard(unit)
    assert unit.failed_units() == []
    # The report of the repair is still available at the next start.
    first = facts(unit.ask("data check"))
    unit.cut_power()
    unit.boot_again()
    unit.wait_until_booted()
    assert notices(unit) == []
    assert facts(unit.ask("data check"))["e2fsck -f -y"] == first["e2fsck -f -y"]


def test_loss_of_all_superblocks_puts_data_in_memory_until_data_format(boot):
    unit = boot(data=MUSIC, prepare=zero_superblocks, reboots=True)
    held = partition(unit).read_bytes()
    assert_works_without_saving(unit, "tmpfs", "data.memory.no-file-system")
    assert len(attempts(unit)) == 2 + 8
    assert_stick_is_heard(unit)
    assert partition(unit).read_bytes() == held
    assert "data format" in facts(unit.ask("data check"))["notice"]

    # Only the exact word confirms. Every other answer cancels.
    answer_data_format(unit, "yes")
    unit.console("now")
    assert partition(unit).read_bytes() == held
    answer_data_format(unit, "format")
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert (notices(unit), state(unit), attempts(unit)) == ([], "disk", [("-p", 0)])
    assert_layout(unit)
    assert unit.shell("ls /data/music") == ""


def test_noise_in_the_first_64_mb_formats_nothing_and_a_stick_plays(boot):
    unit = boot(data=MUSIC, prepare=lambda disk: write_noise(disk, seed=1))
    assert_stick_is_heard(unit)
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert notices(unit)[0] in ("data.repaired", "data.checking")
    assert_layout(unit)


def test_unknown_file_system_feature_leaves_data_unchanged(boot):
    def add_feature(disk: Disk) -> None:
        part = disk.copy("data", disk.file.parent / "feature.part")
        run("debugfs", "-w", "-R", "feature +FEATURE_I31", part)
        disk.put("data", part)
        part.unlink()

    unit = boot(data=MUSIC, prepare=add_feature)
    held = partition(unit).read_bytes()
    assert_works_without_saving(unit, "tmpfs", "data.memory.unchecked")
    # The unit does not try a copy of the superblock, because the first superblock is valid.
    assert attempts(unit) == [("-p", 8), ("-f -y", 8)]
    assert_stick_is_heard(unit)
    assert partition(unit).read_bytes() == held


def test_unreadable_superblock_leaves_data_unchanged_and_a_stick_plays(boot):
    begin = None

    def find(disk: Disk) -> None:
        nonlocal begin
        begin = disk.partition("data")[0]

    unit = boot(data=MUSIC, prepare=find)
    unit.wait_until_booted()
    before = identity(partition(unit))
    unit.cut_power()
    unit.options["faults"] = (
        f'[inject-error]\nevent = "read_aio"\nerrno = "5"\nsector = "{begin // 512 + 2}"\nonce = "off"\n')
    unit.boot_again()
    assert_works_without_saving(unit, "tmpfs", "data.memory.unchecked")
    assert_stick_is_heard(unit)
    unit.cut_power()
    assert identity(partition(unit)) == before
    unit.options["faults"] = None
    unit.boot_again()
    unit.wait_until_booted()
    assert state(unit) == "disk"
    assert_song_of_data_is_heard(unit)


def test_repaired_data_keeps_its_files(boot):
    def damage(disk: Disk) -> None:
        # Mark all blocks as free in the block bitmap of the first group. dumpe2fs prints the position of this bitmap.
        part = disk.copy("data", disk.file.parent / "bitmap.part")
        groups = run("dumpe2fs", part).decode().splitlines()
        part.unlink()
        bitmap = next(line for line in groups if "Block bitmap at" in line)
        size = int(next(line for line in groups if line.startswith("Block size:")).split()[-1])
        disk.write("data", int(bitmap.split()[3].rstrip(",")) * size, bytes(size))
        # Set the flag for "file system has errors" (s_state, superblock offset 58).
        disk.write("data", 1024 + 58, b"\x02\x00")

    unit = boot(data=MUSIC | {"kept": b"still here"}, prepare=damage)
    unit.wait_until_booted()
    assert unit.shell("cat /data/kept") == "still here"
    assert state(unit) == "disk" and attempts(unit)[-1][1] == 1


def test_missing_data_partition_puts_data_in_memory(boot):
    unit = boot(prepare=lambda disk: disk.rename_partition("data", "something-else"))
    assert_works_without_saving(unit, "tmpfs", "data.memory.no-partition")
    assert_stick_is_heard(unit)


# --- phones while nothing can be saved ----------------------------------------------------------


@pytest.mark.parametrize("kind", ["overlay", "tmpfs"])
def test_phone_pairs_while_data_is_kept_in_memory(boot, radio, e2fsck_image, kind):
    status = "8" if kind == "overlay" else "real"
    zero = zero_superblocks if kind == "tmpfs" else None
    unit = boot(image=e2fsck_image, radio=radio, data=MUSIC | {"bluetooth/known": b"a bond"},
                prepare=zero, arguments=f"fake-e2fsck={status}")
    wait_for_phones(unit)
    assert mount_of(unit)[0] == kind
    # In an overlay, bonds on the disk stay readable. In a tmpfs they are not readable.
    _, missing = unit.try_shell("test -e /data/bluetooth/known")
    assert missing == (kind == "tmpfs")
    phone = unit.phone()
    pair(unit, phone)
    assert bonded(unit) == [phone.address]
    assert phone.address in unit.shell("ls /data/bluetooth/*")


# --- data format --------------------------------------------------------------------------------


def test_data_format_of_intact_data_requires_force(boot):
    unit = boot(data=MUSIC, reboots=True)
    unit.wait_until_booted()
    before = identity(partition(unit))
    assert unit.ask("data format --yes")["code"] == "data-healthy"
    # Only the console can request the format.
    assert unit.shell("stat -c '%U %G %a' /run/data-format") == "console console 600"
    assert unit.status() == "playing"
    assert identity(partition(unit)) == before
    line = unit.machine.lines["console"]
    line.send("data format --force --yes\r")
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == ([], "disk")
    assert unit.shell("ls /data/music") == ""
    assert unit.failed_units() == []
    unit.cut_power()
    assert identity(partition(unit)) != before

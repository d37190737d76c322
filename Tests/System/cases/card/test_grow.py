"""/data grows to the size of the SD card, also if the power is cut while it grows. If the disk has partitions that the
image does not have, /data does not grow and the partition table stays as it is."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from daemon import on_data
from disk import Disk, copy_part
from headunit import HeadUnit
from partition_table import is_first_valid, partitions
from sound import flac, noise
from sticks import run
from storage import notices, report, state
from write_log import SECTOR, writes

from imagebuilder.disk import EFI, Partition, write_hybrid_mbr

GB = 1000 ** 3
MIB = 1 << 20
MUSIC = on_data({"song.flac": flac(noise(5, seed=81))})
TABLE = 34  # sectors at the start of the disk: sector 0 and the first partition table


def card(size: int, *changes):
    """Makes the disk as large as an SD card of `size` bytes, and then calls the functions `changes` with the disk."""
    def prepare(disk: Disk) -> None:
        with open(disk.file, "r+b") as file:
            file.truncate(size)
        for change in changes:
            change(disk)
    return prepare


def make_hybrid(disk: Disk) -> None:
    """Writes a hybrid MBR: the table in sector 0 also lists the boot partition, for a firmware that reads no GPT."""
    begin, size = disk.partition("esp")
    write_hybrid_mbr(disk.file, Partition("esp", EFI, begin // MIB, size // MIB))


def sector_0(disk: Path) -> bytes:
    with open(disk, "rb") as file:
        return file.read(SECTOR)


def wait_until_grown(unit: HeadUnit) -> None:
    unit.wait_until("systemctl show -p SubState grow-data.service | grep -qx SubState=exited")


def mebibytes_of_data(unit: HeadUnit) -> int:
    return int(unit.shell("df -k /data | tail -n 1").split()[1]) // 1024


def check_file_system(disk: Path) -> None:
    """Checks a copy of the file system of /data. Before the check, e2fsck replays the journal, as after a power cut."""
    first, last = partitions(disk)["autoharp-data"]
    copy = copy_part(disk, first * SECTOR, (last + 1 - first) * SECTOR, disk.with_name("checked.part"))
    checked = subprocess.run(["e2fsck", "-f", "-p", copy], capture_output=True, text=True)
    assert checked.returncode in (0, 1), checked.stdout
    copy.unlink()


def end_of_data(size: int) -> int:
    """The last sector of /data on an SD card. /data ends at a multiple of 1 MiB, before the second partition table,
    which has 33 sectors."""
    return (size // SECTOR - 33) * SECTOR // MIB * (MIB // SECTOR) - 1


@pytest.mark.parametrize("size, changes", [(4 * GB, []), (32 * GB, [make_hybrid]), (128 * GB, [])],
                         ids=["4", "32-hybrid", "128"])
def test_data_grows_to_a_card_at_the_first_start(boot, size, changes):
    unit = boot(data=MUSIC, prepare=card(size, *changes))
    first, before = sector_0(unit.disk.file), partitions(unit.disk.file)
    unit.wait_until_booted()
    wait_until_grown(unit)
    assert unit.failed_units() == []
    assert {"grow.partition", "grow.file-system"} <= set(report(unit))
    assert (state(unit), notices(unit)) == ("disk", [])
    # The file system needs at most 2 % of the space for itself.
    assert mebibytes_of_data(unit) >= size / MIB * 0.98 - 400
    print(f"{size / GB:.0f} GB: {report(unit)['grow.file-system']}, done {unit.uptime():.0f} s after the start")

    unit.switch_off()
    after = partitions(unit.disk.file)
    assert after["autoharp-data"] == (before["autoharp-data"][0], end_of_data(size))
    assert after | {"autoharp-data": before["autoharp-data"]} == before
    assert "No errors detected" in run("sfdisk", "--verify", unit.disk.file).decode()
    check_file_system(unit.disk.file)
    # Without a hybrid MBR, the four bytes at 458 of sector 0 are the number of sectors of the disk, which changes. With
    # a hybrid MBR, they are the size of a partition, so sector 0 stays the same.
    now = sector_0(unit.disk.file)
    assert now[:458] + now[462:] == first[:458] + first[462:]
    assert not changes or now == first

    unit.boot_again()
    unit.wait_until_booted()
    wait_until_grown(unit)
    assert not any(label.startswith("grow.") for label in report(unit))
    assert unit.shell("ls /data/music") == "song.flac"


def add_partition(disk: Disk) -> None:
    script = b"size=64MiB, name=other"
    subprocess.run(["sfdisk", "--quiet", "--append", disk.file], input=script, check=True)


def test_disk_with_other_partitions_is_left_as_it_is(boot):
    unit = boot(data=MUSIC, prepare=card(4 * GB, add_partition))
    with open(unit.disk.file, "rb") as file:
        before = file.read(TABLE * SECTOR)
    unit.wait_until_booted()
    wait_until_grown(unit)
    assert report(unit)["grow.left"].endswith("there are other partitions")
    assert unit.failed_units() == []
    unit.switch_off()
    with open(unit.disk.file, "rb") as file:
        assert file.read(TABLE * SECTOR) == before


def test_power_cut_at_any_write_while_growing_keeps_data(boot):
    size = 32 * GB
    def keep_copy(disk: Disk) -> None:
        copy_of(disk.file, disk.file.with_name("before.img"))

    unit = boot(data=MUSIC, prepare=card(size, keep_copy), log_writes=True)
    start = unit.folder / "before.img"
    unit.wait_until_booted()
    wait_until_grown(unit)
    unit.switch_off()
    log = list(writes(unit.write_log))
    old = partitions(start)
    new = old | {"autoharp-data": (old["autoharp-data"][0], end_of_data(size))}

    # The kernel writes blocks of 4 KiB, so the header of a partition table is written together with some of its
    # entries. The test cuts the power also between the sectors of such a write.
    second = [n for n, write in enumerate(log) if write.end > size // SECTOR - 33]
    first = [n for n, write in enumerate(log) if write.sector < TABLE]
    assert second and first and max(second) < min(first)
    table = [*second, *first]
    disk = copy_of(start, unit.folder / "replayed.img")
    kept: list[Path] = []
    middle = random.Random(12).sample(range(table[-1] + 1, len(log)), 3)
    with open(disk, "r+b", buffering=0) as file:
        for number, write in enumerate(log):
            for sectors in range(1, write.end - write.sector) if number in table else ():
                write.apply(file, sectors)
                assert partitions(disk) in (old, new), (number, sectors)
            write.apply(file)
            assert partitions(disk) in (old, new), number
            if number in table or number in middle:
                kept.append(copy_of(disk, unit.folder / f"cut-{number}.img"))
    print(f"{len(log)} writes, {len(table)} of the tables; started again after {len(kept)} of them")
    # On some of these disks, only the second table is valid. The kernel uses this table, and the unit repairs the first
    # table. UEFI also uses and repairs the tables in this way.
    damaged = [disk for disk in kept if not is_first_valid(disk)]
    assert damaged
    by_firmware = copy_of(damaged[0], unit.folder / "by-firmware.img")
    for disk in kept:
        assert_starts_and_grows(unit, disk, new)
    unit.options["firmware"] = True
    assert_starts_and_grows(unit, by_firmware, new)


def copy_of(disk: Path, to: Path) -> Path:
    run("cp", "--sparse=always", disk, to)
    return to


def assert_starts_and_grows(unit: HeadUnit, disk: Path, expected: dict[str, tuple[int, int]]) -> None:
    disk.rename(unit.disk.file)
    unit.boot_again()
    unit.wait_until_booted()
    wait_until_grown(unit)
    assert (state(unit), notices(unit), unit.failed_units()) == ("disk", [], []), disk.name
    assert unit.shell("ls /data/music") == "song.flac", disk.name
    assert mebibytes_of_data(unit) > 29_000, disk.name
    unit.switch_off()
    assert is_first_valid(unit.disk.file), disk.name
    assert partitions(unit.disk.file) == expected, disk.name
    check_file_system(unit.disk.file)

"""Many kinds of damage of /data, on additional disks of one running machine.

The tests call `mount-data` for each partition, as data.service does. After each call, the tests check that
all files that the file system still had can be read, and that nothing was formatted.
"""

from __future__ import annotations

import hashlib
import random
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from devices import Device
from disk import MIB
from headunit import HeadUnit
from sticks import make_ext4, run
from storage import attempts, identity, notices, report, state, superblocks

from imagebuilder.data import FORMAT

# Prefix of the names of the image's own partitions.
PREFIX = "autoharp-"
# The size of the image's /data, which has a group of inodes beyond the first 128 MiB.
SIZE = 256 * MIB
# There are few inodes per group, and each group stores its own inodes. Therefore, from about the hundredth file on, the
# inode of a file is beyond 128 MiB, and its blocks are beyond 64 MiB. On an SD card with a /data of more than 2 GiB,
# the inodes and blocks of some files are also that far from the start, because sixteen groups store their inodes in the
# first of these groups.
INODES = 256
SPREAD = ("-N", INODES, "-G", "1")
FILES = {f"music/{number}.bin": random.Random(number).randbytes(700_000) for number in range(200)}
DIGESTS = {hashlib.sha256(data).hexdigest() for data in FILES.values()}


@dataclass
class Case:
    name: str
    file: Path
    # A program that replaces e2fsck.
    e2fsck: str | None = None
    # The digests of the files that the host can read from the damaged partition.
    held: set[str] = field(default_factory=set)


class Cases:
    """Partitions on one disk. Each partition is a copy of the same file system, with its own damage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sound = make_ext4(folder, FILES, SIZE, *FORMAT[2:], *SPREAD).rename(folder / "sound.part")
        self.block, self.copies = superblocks(self.sound)
        self.identity = identity(self.sound)
        self.cases: list[Case] = []

    def add(self, name: str, damage=lambda file: None, e2fsck: str | None = None) -> Case:
        file = self.folder / f"{name}.part"
        run("cp", "--sparse=always", self.sound, file)
        damage(file)
        case = Case(name, file, e2fsck)
        case.held = self.readable(file)
        self.cases.append(case)
        return case

    def readable(self, file: Path) -> set[str]:
        """Digests of the files that debugfs can read completely with one of the superblocks."""
        target = Path(tempfile.mkdtemp(dir=self.folder))
        for copy in self.copies:
            place = [] if copy == self.copies[0] else ["-s", copy, "-b", self.block]
            # Dump the files by inode, because they have no names if their folder is lost.
            requests = "".join(
                f"dump <{inode}> {target}/{inode}\n" for inode in range(12, INODES + 1))
            run("debugfs", "-c", *place, "-f", "-", file, input=requests.encode())
            if any(path.stat().st_size for path in target.iterdir()):
                break
        found = {hashlib.sha256(path.read_bytes()).hexdigest() for path in target.iterdir()}
        run("rm", "-r", target)
        return found & DIGESTS

    def disk(self) -> Path:
        """A disk with all partitions. The name of a partition is PREFIX and the name of its case. With PREFIX,
        udev does not mount the partitions as sticks."""
        disk = self.folder / "cases.img"
        with open(disk, "wb") as file:
            file.truncate((len(self.cases) * SIZE) + 2 * MIB)
        table = "label: gpt\n" + "".join(
            f"start={1 + n * SIZE // MIB}MiB, size={SIZE // MIB}MiB, name={PREFIX}{case.name}\n"
            for n, case in enumerate(self.cases))
        run("sfdisk", "--quiet", disk, input=table.encode())
        for n, case in enumerate(self.cases):
            run("dd", f"if={case.file}", f"of={disk}", "bs=1M", f"seek={1 + n * SIZE // MIB}",
                "conv=notrunc,sparse")
        return disk


def mount(unit: HeadUnit, name: str, e2fsck: str | None = None) -> str:
    """Calls mount-data for one partition. Returns the folder with the report."""
    folder = f"/run/cases/{name}"
    unit.shell(f"mkdir -p {folder}/at")
    if e2fsck is not None:
        unit.shell(f"printf '#!/bin/sh\\n{e2fsck}\\n' >{folder}/e2fsck; chmod 755 {folder}/e2fsck; "
                   f"mount --bind {folder}/e2fsck /usr/sbin/e2fsck")
    unit.shell(f"/usr/lib/autoharp/mount-data --partition {PREFIX}{name} --at {folder}/at "
               f"--run {folder}/run --limit 100000", timeout=1200)
    if e2fsck is not None:
        unit.shell("umount /usr/sbin/e2fsck")
    return f"{folder}/run"


def digests(unit: HeadUnit, name: str) -> set[str]:
    """Digests of all files of this partition that the unit can read."""
    text, _ = unit.try_shell(
        f"find /run/cases/{name}/at -type f -exec sha256sum {{}} + 2>/dev/null", timeout=600)
    return {line.split()[0] for line in text.splitlines() if "  /" in line}


def unmount(unit: HeadUnit, name: str) -> None:
    folder = f"/run/cases/{name}"
    unit.shell(f"for place in at run/view run/memory run/disk; do umount {folder}/$place; done "
               "2>/dev/null; true")


def assert_not_formatted(unit: HeadUnit, cases: Cases, case: Case, number: int) -> None:
    """Checks that the partition still has the old file system. If the partition has no valid superblock, checks that no
    byte of the partition has changed."""
    part = cases.folder / "after.part"
    run("dd", f"if={cases.folder / 'cases.img'}", f"of={part}", "bs=1M",
        f"skip={1 + number * SIZE // MIB}", f"count={SIZE // MIB}", "conv=sparse")
    try:
        after = identity(part)
    except AssertionError:
        before = case.file.read_bytes()
        assert part.read_bytes() == before
    else:
        assert after == cases.identity
    part.unlink()


def assert_still_plays(unit: HeadUnit) -> None:
    """Checks that the daemon of the head unit runs and that no systemd unit has failed."""
    assert unit.shell("systemctl is-active autoharp.service") == "active"
    assert unit.failed_units() == []


@pytest.fixture
def cases(tmp_path_factory):
    with tempfile.TemporaryDirectory(prefix="unit-cases-") as folder:
        yield Cases(Path(folder))


def boot_with(boot, cases: Cases) -> HeadUnit:
    disk = cases.disk()
    more = Device(("-drive", f"file={disk},if=none,id=cases,format=raw,cache=writethrough",
                   "-device", "virtio-blk-pci,drive=cases"))
    unit = boot(devices=[more], memory=768)
    unit.wait_until_booted()
    unit.wait_until(f"grep -q PARTNAME={PREFIX}{cases.cases[-1].name} /sys/class/block/*/uevent")
    return unit


def test_e2fsck_with_any_result_leaves_files_readable_and_formats_nothing(boot, cases):
    for name, program in [("exit-8", "exit 8"), ("exit-16", "exit 16"), ("exit-32", "exit 32"),
                          ("exit-127", "exit 127"), ("exit-128", "exit 128"),
                          ("killed", "kill -9 $$"), ("ended", "kill $$")]:
        cases.add(name, e2fsck=program)
    cases.add("missing", e2fsck="")
    unit = boot_with(boot, cases)
    for number, case in enumerate(cases.cases):
        if case.name == "missing":
            unit.shell("mkdir -p /run/cases/missing; : >/run/cases/missing/none; "
                       "mount --bind /run/cases/missing/none /usr/sbin/e2fsck")
            folder = mount(unit, case.name)
            unit.shell("umount /usr/sbin/e2fsck")
        else:
            folder = mount(unit, case.name, case.e2fsck)
        assert state(unit, folder) == "read-only", case.name
        assert notices(unit, folder) == ["data.read-only.unchecked"], case.name
        # Only after an operational error (status 8), the helper makes a second attempt with other options.
        assert len(attempts(unit, folder)) == (2 if case.name == "exit-8" else 1), case.name
        assert digests(unit, case.name) >= DIGESTS, case.name
        # The partition is read-only, so a new file is only in memory.
        unit.shell(f"touch /run/cases/{case.name}/at/autoharp/new")
        unmount(unit, case.name)
        assert_not_formatted(unit, cases, case, number)
    assert_still_plays(unit)


def zeroed(cases: Cases, blocks: list[int]):
    def damage(file: Path) -> None:
        with open(file, "r+b") as part:
            for block in blocks:
                part.seek(max(block * cases.block, 1024))
                part.write(bytes(1024))
    return damage


def test_loss_of_any_superblock_copies_keeps_all_files(boot, cases):
    for n, block in enumerate(cases.copies):
        cases.add(f"copy-{n}", zeroed(cases, [block]))
        # Zero all superblocks except this one.
        cases.add(f"only-{n}", zeroed(cases, [b for b in cases.copies if b != block]))
    unit = boot_with(boot, cases)
    for number, case in enumerate(cases.cases):
        folder = mount(unit, case.name)
        assert state(unit, folder) == "disk", (case.name, report(unit, folder))
        assert digests(unit, case.name) >= DIGESTS, case.name
        is_first_lost = case.name.startswith("only-") != (case.name[5:] == "0")
        assert notices(unit, folder) == (["data.repaired"] if is_first_lost else []), case.name
        unmount(unit, case.name)
        assert_not_formatted(unit, cases, case, number)
    assert_still_plays(unit)


def test_noise_in_the_first_64_mb_keeps_all_recoverable_files(boot, cases):
    def noise(seed: int):
        def damage(file: Path) -> None:
            with open(file, "r+b") as part:
                part.write(random.Random(seed).randbytes(64 * MIB))
        return damage

    for seed in range(30):
        cases.add(f"noise-{seed}", noise(seed))
    unit = boot_with(boot, cases)
    for number, case in enumerate(cases.cases):
        folder = mount(unit, case.name)
        kept = digests(unit, case.name)
        print(case.name, state(unit, folder), attempts(unit, folder), len(case.held), len(kept),
              f"{unit.uptime():.0f} s")
        assert len(case.held) > 50, case.name
        assert kept >= case.held, case.name
        unmount(unit, case.name)
        assert_not_formatted(unit, cases, case, number)
    assert_still_plays(unit)


# --- the device fails ---------------------------------------------------------------------------


def failing(cases: Cases, event: str, sector: int) -> Device:
    """A disk with one partition. Each access of kind `event` to `sector` of the partition fails. -1 means all
    sectors."""
    file, faults = cases.folder / "failing.img", cases.folder / "faults"
    with open(file, "wb") as disk:
        disk.truncate(SIZE + 2 * MIB)
    run("sfdisk", "--quiet", file, input=f"label: gpt\nstart=1MiB, size={SIZE // MIB}MiB, name={PREFIX}failing\n".encode())
    run("dd", f"if={cases.sound}", f"of={file}", "bs=1M", "seek=1", "conv=notrunc,sparse")
    place = "" if sector < 0 else f'sector = "{2048 + sector}"\n'
    faults.write_text(f'[inject-error]\nevent = "{event}"\nerrno = "5"\nonce = "off"\n{place}')
    return Device(("-drive", f"file=blkdebug:{faults}:{file},if=none,id=failing,format=raw,"
                   "cache=writethrough,werror=report,rerror=report",
                   "-device", "virtio-blk-pci,drive=failing"))


def first_block_of(cases: Cases, what: str) -> int:
    text = run("dumpe2fs", cases.sound).decode()
    return int(re.search(rf"{what} at (\d+)", text)[1])


@pytest.mark.parametrize("event, what", [
    ("read_aio", "superblock"), ("read_aio", "Inode table"), ("read_aio", "Block bitmap"),
    ("write_aio", "any")])
def test_failing_device_keeps_readable_files_and_formats_nothing(boot, cases, event, what):
    if what == "any":
        sector = -1
    elif what == "superblock":
        sector = 2
    else:
        sector = first_block_of(cases, what) * cases.block // 512
    unit = boot(devices=[failing(cases, event, sector)])
    unit.wait_until_booted()
    folder = mount(unit, "failing")
    print(state(unit, folder), notices(unit, folder), report(unit, folder))
    assert state(unit, folder) in ("disk", "read-only", "memory")
    # A failing device must not be reported as a device without a file system.
    assert "data.memory.no-file-system" not in notices(unit, folder)
    if state(unit, folder) != "memory":
        # The error that QEMU simulates affects a whole cluster of QEMU's disk. The cluster contains several blocks of
        # inodes, so many files can be lost.
        assert len(digests(unit, "failing") & DIGESTS) >= len(DIGESTS) // 2
    assert_still_plays(unit)
    unit.cut_power()
    part = cases.folder / "after.part"
    run("dd", f"if={cases.folder / 'failing.img'}", f"of={part}", "bs=1M", "skip=1",
        f"count={SIZE // MIB}", "conv=sparse")
    assert identity(part) == cases.identity
    assert cases.readable(part) == DIGESTS or event == "read_aio"


def test_partition_of_the_same_name_on_another_disk_is_ignored(boot, cases):
    """The other disk can be a copy of the unit's SD card in a card reader."""
    file = cases.folder / "copy.img"
    with open(file, "wb") as disk:
        disk.truncate(SIZE + 2 * MIB)
    table = f"label: gpt\nstart=1MiB, size={SIZE // MIB}MiB, name=autoharp-data\n"
    run("sfdisk", "--quiet", file, input=table.encode())
    run("dd", f"if={cases.sound}", f"of={file}", "bs=1M", "seek=1", "conv=notrunc,sparse")
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    more = Device(("-drive", f"file={file},if=none,id=copy,format=raw,cache=writethrough",
                   "-device", "virtio-blk-pci,drive=copy"))
    unit = boot(devices=[more], prepare=lambda disk: disk.rename_partition("data", "something-else"))
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == (["data.memory.no-partition"], "memory")
    unit.shell("grep -q PARTNAME=autoharp-data /sys/class/block/*/uevent")
    unit.console("data format --yes")
    assert unit.shell("systemctl is-active autoharp.service") == "active"
    unit.cut_power()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before

"""stick-report writes only to a stick that is mounted, whole, and no part of the unit, and never over a file. The
program runs on the host. A folder stands for the stick, so nothing is mounted; the mounts are tested with the image
(`test_diagnosis.py`)."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from machine import PROJECT

HELPERS = PROJECT / "board" / "helpers"
TEXT = b"line\n" * 1000
MIB = 1 << 20


@dataclass
class Bench:
    """The folders of a unit in which /dev/sda1 is mounted."""

    folder: Path
    program: Path

    def mount(self, name: str = "sda1", kind: str = "vfat", device: str = "8:1", root: str = "/", rights: str = "ro") -> None:
        (self.folder / "media" / name).mkdir(parents=True, exist_ok=True)
        with open(self.folder / "mounts", "a") as mounts:
            mounts.write("20 1 0:5 / / rw - ext4 /dev/root rw\n"
                         f"36 20 {device} {root} media/{name} ro,nosuid shared:7 - {kind} /dev/{name} {rights},uid=0\n")

    def ask(self, request: bytes, *arguments: str, **environment: str) -> str:
        done = subprocess.run([self.program, *arguments], input=request, capture_output=True,
                              cwd=self.folder, env={"CALLS": "calls", **environment})
        assert done.stderr == b"", done.stderr
        return done.stdout.decode()

    def write(self, name: str = "sda1", text: bytes = TEXT, **environment: str) -> list[str]:
        """The kind, the identifier and the text of the answer."""
        answer = self.ask(b"write %s %d\n" % (name.encode(), len(text)) + text, **environment)
        assert answer.count("\n") == 1
        return answer.split(None, 2)

    @property
    def calls(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().split("\n")[:-1] if calls.exists() else []

    @property
    def files(self) -> set[str]:
        return {path.name for path in (self.folder / "media/sda1").iterdir()}


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The program uses the folders below its working folder."""
    made = tmp_path_factory.mktemp("helpers") / "stick-report"
    folders = [f'-D{name}="{name.lower()}"' for name in ("MEDIA", "STICKS", "BLOCK", "MOUNTS")]
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-g", *folders,
                    f"-I{HELPERS}", "-o", made, Path(__file__).with_name("stick_in_a_folder.c"),
                    *(HELPERS / f"{name}.c" for name in ("stick-report", "files", "program", "request"))], check=True)
    return made


@pytest.fixture
def bench(tmp_path, program) -> Bench:
    disk = tmp_path / "devices/sda"
    (disk / "sda1").mkdir(parents=True)
    (disk / "sda1/partition").write_text("1\n")
    for folder, device in ((disk, "8:0"), (disk / "sda1", "8:1")):
        (folder / "dev").write_text(f"{device}\n")
        (folder / "ro").write_text("0\n")
        (folder / "uevent").write_text("MAJOR=8\nPARTNAME=MUSIC\n")
    (tmp_path / "block").mkdir()
    for name, target in (("sda", "sda"), ("sda1", "sda/sda1")):
        (tmp_path / "block" / name).symlink_to(f"../devices/{target}")
    (tmp_path / "sticks").mkdir()
    (tmp_path / "sticks/sda1").write_text("identity vfat 1234-ABCD 1000\n")
    bench = Bench(tmp_path, program)
    bench.mount()
    return bench


@pytest.mark.quick
def test_report_is_written_to_a_new_file(bench):
    stick = bench.folder / "media/sda1"
    outside = bench.folder / "outside"
    (stick / "autoharp-report-1.txt").write_text("older")
    (stick / "autoharp-report-2.txt").symlink_to(outside)
    assert bench.write() == ["done", "written", "autoharp-report-3.txt\n"]
    assert (stick / "autoharp-report-3.txt").read_bytes() == TEXT
    assert (stick / "autoharp-report-1.txt").read_text() == "older" and not outside.exists()
    assert bench.calls == ["writable", "read-only"]
    largest = bytes(range(256)) * (2 * MIB // 256)
    assert bench.write(text=largest)[2] == "autoharp-report-4.txt\n"
    assert (stick / "autoharp-report-4.txt").read_bytes() == largest


@pytest.mark.quick
def test_stick_with_999_reports_gets_no_other_one(bench):
    for number in range(1, 1000):
        (bench.folder / f"media/sda1/autoharp-report-{number}.txt").touch()
    assert bench.write()[:2] == ["refused", "names"]
    assert bench.calls == ["writable", "read-only"] and len(bench.files) == 999


@pytest.mark.quick
def test_stick_that_stays_writable_is_reported(bench):
    kind, identifier, text = bench.write(KEEPS_WRITABLE="1")
    assert (kind, identifier) == ("failed", "read-only") and "autoharp-report-1.txt" in text


@pytest.mark.quick
def test_stick_that_cannot_be_written_is_read_only_again(bench):
    (bench.folder / "media/sda1").rmdir()
    (bench.folder / "media/sda1").symlink_to("/")
    assert bench.write()[:2] == ["failed", "mount"] and bench.calls == ["writable"]


@pytest.mark.quick
@pytest.mark.parametrize("request_line, expected", [
    (b"", "incomplete"), (b"write sda1 5", "incomplete"), (b"x" * 4000 + b"\n", "incomplete"),
    (b"write sda1 5\nline", "incomplete"), (b"write sda1 0\n", "incomplete"), (b"write sda1\0 5\nline\n", "incomplete"),
    (b"\n", "unknown"), (b"write\n", "unknown"), (b"write sda1\n", "unknown"), (b"write sda1 5 6\nline\n", "unknown"),
    (b"write sda1 5x\nline\n", "unknown"), (b"read sda1 5\nline\n", "unknown"), (b"writer sda1 5\nline\n", "unknown"),
    (b"write sda1 -5\nline\n", "too-long"), (b"write sda1 %d\n" % (2 * MIB + 1), "too-long"),
    (b"write sda1 9999999999\n", "unknown"),
    (b"write ../sda1 5\nline\n", "name"), (b"write SDA1 5\nline\n", "name"), (b"write sda-1 5\nline\n", "name"),
    (b"write " + b"a" * 32 + b" 5\nline\n", "name"), (b"write " + b"a" * 31 + b" 5\nline\n", "absent"),
    (b"write sda 5\nline\n", "absent"), (b"write sdb1 5\nline\n", "absent"),
])
def test_other_requests_are_refused(bench, request_line, expected):
    answer = bench.ask(request_line)
    assert answer.split()[:2] == ["refused", expected] and answer.count("\n") == 1
    assert bench.calls == [] and bench.files == set()


def remount(bench: Bench, **how: str) -> None:
    (bench.folder / "mounts").write_text("")
    bench.mount(**how)


REASONS = {
    "another device": ("absent", lambda bench: remount(bench, device="8:2")),
    "a part of a stick": ("absent", lambda bench: remount(bench, root="/folder")),
    "no mount": ("absent", lambda bench: (bench.folder / "mounts").write_text("36 20\n\n - \n1 2 8:1 / /\n")),
    "no mounts": ("absent", lambda bench: (bench.folder / "mounts").unlink()),
    "ext4": ("type", lambda bench: remount(bench, kind="ext4")),
    "NTFS": ("type", lambda bench: remount(bench, kind="ntfs3")),
    "its own partition": ("own-disk", lambda bench: (bench.folder / "block/sda1/uevent").write_text(
        "MAJOR=8\nPARTNAME=autoharp-data\n")),
    "a partition of its own disk": ("own-disk", lambda bench: (
        (bench.folder / "block/sda/sda2").mkdir(),
        (bench.folder / "block/sda/sda2/uevent").write_text("MAJOR=8\nPARTNAME=autoharp-esp\n"))),
    "write-protected": ("protected", lambda bench: (bench.folder / "block/sda1/ro").write_text("1\n")),
    "damaged": ("damaged", lambda bench: (bench.folder / "sticks/sda1").write_text(
        "identity vfat 1234-ABCD 1000\nstick.damaged sda1 has a damaged file system (FAT)\n")),
    "unreadable": ("damaged", lambda bench: (bench.folder / "sticks/sda1").write_text("stick.unreadable sda1 x\n")),
}


@pytest.mark.quick
@pytest.mark.parametrize("reason", REASONS)
def test_stick_that_may_not_be_written_is_left_alone(bench, reason):
    identifier, change = REASONS[reason]
    change(bench)
    assert bench.write()[:2] == ["refused", identifier]
    assert bench.calls == [] and bench.files == set()


@pytest.mark.quick
def test_end_makes_each_stick_read_only_that_is_not(bench):
    assert bench.ask(b"", "--end") == "" and bench.calls == []
    bench.mount("sdb1", rights="rw")
    bench.mount("sdc", "exfat", rights="rw")
    bench.mount("sdd1", "ext4", rights="rw")
    assert bench.ask(b"", "--end") == "" and bench.calls == ["read-only"] * 2


@pytest.mark.quick
def test_whole_disk_can_be_written(bench):
    bench.mount("sda", "exfat", "8:0")
    assert bench.write("sda")[:2] == ["done", "written"]
    assert bench.calls == ["wrong device", "read-only"]

"""release-power and restore-clock read files that the daemon has written, and refuse a file that is not of the right
form. `service` restarts only units of its table. A kept log names no phone. The programs run on the host, with folders of the test, GPIO chips that do not exist,
and times in the past, so they change nothing on the host."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from random import Random

import pytest

from machine import PROJECT

HELPERS = PROJECT / "board" / "helpers"


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("helpers")
    for name in ("release-power", "restore-clock"):
        subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-o", made / name,
                        HELPERS / f"{name}.c", HELPERS / "files.c"], check=True)
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-g",
                    "-o", made / "redact", Path(__file__).with_name("redact_text.c"), *(HELPERS / f"{name}.c" for name in ("redact", "bonds", "files"))], check=True)
    return made


def release(programs: Path, run: Path, action: str = "poweroff") -> tuple[int, str]:
    done = subprocess.run([programs / "release-power", action, "--run", run], capture_output=True, text=True)
    return done.returncode, done.stderr


def restore(programs: Path, data: Path) -> tuple[int, str]:
    done = subprocess.run([programs / "restore-clock", "--data", data], capture_output=True, text=True)
    return done.returncode, done.stderr.split(":")[0]


# A chip that no host has.
CHIP = "gpiochip999999"


@pytest.mark.parametrize("text", [f"{CHIP} 3\n", f"{CHIP} 3 active-low\n", f"{CHIP} 3 active-low pull-up"])
def test_release_power_opens_the_line_of_the_file(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").write_text(text)
    status, message = release(programs, tmp_path)
    assert status == 1 and f"{CHIP} 3" in message
    # The unit needs its power supply for a restart, so the power-hold line is not released.
    assert release(programs, tmp_path, "reboot") == (0, "")


@pytest.mark.parametrize("text", [
    "", "\n", CHIP, f"{CHIP} -3\n", f"{CHIP} 3 open-drain\n", f"{CHIP} 1234567\n", "gpiochip1234567 3\n", "sda 3\n",
    "gpiochip0/../sda 3\n", f"{CHIP} 3 {'active-low ' * 20}\n", f"{CHIP} 3x\n",
])
def test_release_power_refuses_a_file_of_another_form(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").write_text(text)
    status, message = release(programs, tmp_path)
    assert status == 1 and CHIP not in message


def test_release_power_follows_no_link_and_waits_for_no_fifo(programs, tmp_path):
    (tmp_path / "line").write_text(f"{CHIP} 3\n")
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/power-hold").symlink_to("../line")
    os.mkfifo(tmp_path / "autoharp/ignition")
    assert release(programs, tmp_path) == (0, "")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/power-hold").write_text(f"{CHIP} 3\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/autoharp").symlink_to("../folder")
    assert release(programs, tmp_path / "other") == (0, "")


def test_release_power_without_a_file_does_nothing(programs, tmp_path):
    assert release(programs, tmp_path) == (0, "")


def test_restore_clock_keeps_a_clock_that_is_ahead(programs, tmp_path):
    (tmp_path / "autoharp").mkdir()
    # The beginning of 2025.
    (tmp_path / "autoharp/clock").write_text("1735689600\n")
    assert restore(programs, tmp_path) == (0, "")


@pytest.mark.parametrize("text", [
    "", "\n", "1735689599\n", "4102444800\n", "99999999999999999999\n", "-1735689601\n", "1735689601", "1735689601 \n",
    "1735689601\n1735689601\n", "0x7fffffff\n", " 1735689601\n",
])
def test_restore_clock_refuses_a_time_that_is_not_plausible(programs, tmp_path, text):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "autoharp/clock").write_text(text)
    assert restore(programs, tmp_path) == (1, "restore-clock.unusable")


def test_restore_clock_follows_no_link(programs, tmp_path):
    (tmp_path / "autoharp").mkdir()
    (tmp_path / "time").write_text("1735689601\n")
    (tmp_path / "autoharp/clock").symlink_to("../time")
    assert restore(programs, tmp_path) == (1, "restore-clock.unusable")


SYSTEMCTL = """#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
  show*=Id*) printf 'Id=a.service\\nLoadState=loaded\\n\\nLoadState=masked\\nId=b.service\\n\\nId=a.service\\nX=2\\n' ;;
  show*) printf "LoadState=loaded\\nActiveState=failed\\nConditionResult=yes\\n" ;;
  restart*) printf 'Job\\033 failed.\\nSee more.\\n'; exit 1 ;;
esac
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    systemctl = folder / "systemctl"
    systemctl.write_text(SYSTEMCTL)
    systemctl.chmod(0o755)
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-g",
                    f'-DSYSTEMCTL="{systemctl}"', "-o", folder / "service",
                    *(HELPERS / f"{name}.c" for name in ("service", "files", "program", "request"))], check=True)

    def ask(request: bytes) -> tuple[str, list[str]]:
        """The answer, and the calls of systemctl."""
        calls = folder / "calls"
        calls.write_text("")
        done = subprocess.run([folder / "service"], input=request, capture_output=True, env={"CALLS": str(calls)})
        assert done.stderr == b""
        return done.stdout.decode(), [line.split()[0] for line in calls.read_text().splitlines()]

    return ask


@pytest.mark.quick
def test_service_lists_each_unit_once(service):
    assert service(b"list\n") == ("Id=a.service\nLoadState=loaded\n\nLoadState=masked\nId=b.service\n", ["show"])


@pytest.mark.quick
def test_service_says_why_a_unit_does_not_start(service):
    # A failed unit is reset before its restart. The answer is one line without control characters.
    assert service(b"restart autoharp.service\n") == ("failed start Job  failed.\n", ["show", "reset-failed", "restart"])


@pytest.mark.quick
@pytest.mark.parametrize("request_line, expected", [
    (b"", "incomplete"), (b"list", "incomplete"), (b"x" * 4000 + b"\n", "incomplete"), (b"\n", "unknown"),
    (b"list \n", "unknown"), (b"stop autoharp.service\n", "unknown"), (b"restart \n", "not-restartable"),
    (b"restart data.service\n", "not-restartable"), (b"restart autoharp.service \n", "not-restartable"),
    (b"restart --all\n", "not-restartable"), (b"restart autoharp.service\0x\n", "incomplete"),
    (b"restart stick@.service\n", "not-restartable"), (b"restart stick@a/b.service\n", "not-restartable"),
    (b"restart stick@" + b"a" * 33 + b".service\n", "not-restartable"),
    (b"restart stick@zz9.service\n", "absent"),
])
def test_service_refuses_other_requests(service, request_line, expected):
    answer, calls = service(request_line)
    assert answer.split()[:2] == ["refused", expected] and answer.count("\n") == 1 and calls == []


@pytest.fixture
def free_space(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    subprocess.run(["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-g",
                    f'-DDATA="{data}"', "-o", tmp_path / "free-space",
                    *(HELPERS / f"{name}.c" for name in ("free-space", "files", "program", "request"))], check=True)

    def ask(request: str) -> list[str]:
        done = subprocess.run([tmp_path / "free-space"], input=request + "\n", capture_output=True, text=True)
        assert done.stderr == ""
        return done.stdout.replace(str(data), "/data").splitlines()

    for name, size in {
        "music/a/one.flac": 9000, "music/two.flac": 5000, "autoharp/state": 10, "autoharp/artwork/x.jpg": 8192,
        "library/library.db": 4096, "library/covers.db": 2 << 20, "library/covers.db-journal": 4096, "log/repair": 10,
        "log/a.b.1": 4096, "log/a.b.2": 4096, "log/a.b.10": 4096, "log/kernel.3": 4096, "log/ab.1": 4096, "log/.a.b.1": 4096,
        "aside-music-1/x": 4096, "other/x": 4096,
    }.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(bytes(size))
    if os.geteuid() == 0:  # As on the unit: these folders belong to other users.
        for user, folder in ((800, "autoharp"), (806, "library")):
            for path in (data / folder, *(data / folder).rglob("*")):
                os.chown(path, user, user)
    return data, ask


@pytest.mark.quick
def test_usage_counts_each_known_folder_once_and_follows_no_link(free_space):
    data, ask = free_space
    (data / "music/link").symlink_to("/usr")
    (data / "lost+found").symlink_to("/usr")
    (data / "aside-log\nfolder 1 1 x").mkdir()
    *folders, result = ask("usage")
    assert result.split()[:2] == ["done", "counted"]
    lines = [line.split(" ", 3) for line in folders]
    assert {(word, path): int(files) for word, _, files, path in lines} == {
        ("folder", "/data/music"): 3, ("folder", "/data/autoharp"): 1, ("folder", "/data/autoharp/artwork"): 1,
        ("folder", "/data/library"): 3, ("folder", "/data/log"): 7, ("folder", "/data/aside-music-1"): 1}
    sizes = {path: int(size) for _, size, _, path in lines}
    assert 14000 <= sizes["/data/music"] < 60000 and 8192 <= sizes["/data/autoharp/artwork"] < 20000


@pytest.mark.quick
def test_usage_of_a_very_deep_folder_ends_and_says_so(free_space):
    data, ask = free_space
    (data / "music" / "/".join("d" * 60)).mkdir(parents=True)
    assert ask("usage")[-1].split()[:2] == ["done", "partial"]


@pytest.mark.quick
def test_free_removes_only_what_is_made_again(free_space):
    data, ask = free_space
    outside = data.parent / "outside"
    outside.write_text("kept")
    (data / "autoharp/artwork/link.jpg").symlink_to(outside)
    before = {str(path.relative_to(data)) for path in data.rglob("*") if not path.is_dir()}
    kind, identifier, freed, *_ = ask("free")[0].split()
    after = {str(path.relative_to(data)) for path in data.rglob("*") if not path.is_dir()}
    assert (kind, identifier) == ("done", "freed") and int(freed) >= 5 * 4096
    assert before - after == {"autoharp/artwork/x.jpg", "autoharp/artwork/link.jpg", "library/covers.db",
                              "library/covers.db-journal", "log/a.b.1", "log/a.b.2"}
    assert outside.read_text() == "kept"
    # A small file of thumbnails stays. A folder that is a link is left alone.
    (data / "library/covers.db").write_bytes(bytes(4096))
    (data / "autoharp/artwork").rmdir()
    (data / "autoharp/artwork").symlink_to(data / "music")
    assert ask("free")[0].startswith("done freed 0 ")
    assert (data / "music/two.flac").exists() and (data / "library/covers.db").exists()


@pytest.mark.quick
@pytest.mark.parametrize("request_line, expected", [("", "unknown"), ("free all", "unknown"), ("x" * 100, "incomplete")])
def test_free_space_refuses_other_requests(free_space, request_line, expected):
    assert free_space[1](request_line)[0].split()[:2] == ["refused", expected]


def redacted(programs: Path, text: bytes, *arguments: Path | str) -> bytes:
    return subprocess.run([programs / "redact", *arguments], input=text, capture_output=True, check=True).stdout


PREFIX = b"[   12.345678] autoharp kernel: "
DAEMON = b"[   12.345678] autoharp autoharp[412]: "


@pytest.mark.quick
@pytest.mark.parametrize("text, expected", [
    (b"", b""), (b"\n\n", b"\n\n"), (b"no phone at 12:34:56, hci0", b"no phone at 12:34:56, hci0"),
    (b"from 02:00:00:00:00:7f.", b"from [device 1]."), (b"(02:00:00:00:00:7F)\n", b"([device 1])\n"),
    (b"/org/bluez/hci0/dev_02_00_00_00_00_7F/fd1\n", b"/org/bluez/hci0/dev_[device 1]/fd1\n"),
    (b"02:00:00:00:00:7F 02:00:00:00:00:80", b"[device 1] [device 2]"),
    (b"02:00:00:00:00:7F 02:00:00:00:00:80 dev_02_00_00_00_00_7f", b"[device 1] [device 2] dev_[device 1]"),
    # These texts are not addresses: they have a wrong separator, too few digits or too many digits.
    (b"02:00:00:00:00:7 02:00_00:00:00:7F", b"02:00:00:00:00:7 02:00_00:00:00:7F"),
    (b"002:00:00:00:00:7F1", b"002:00:00:00:00:7F1"),
    # The beginning of the address is cut off.
    (b"00:00:00:00:7F is lost\n", b"[device] is lost\n"),
    (PREFIX + b"input: Ana's iPhone (AVRCP) as /devices/virtual/input/input7\nnext\n",
     PREFIX + b"input: * as /devices/virtual/input/input7\nnext\n"),
    (PREFIX + b"input: a as /devices/virtual/ as /devices/virtual/input/input7",
     PREFIX + b"input: * as /devices/virtual/input/input7"),
    (DAEMON + b"bluetooth.connected: Ana's iPhone (02:00:00:00:00:7F) is connected\n" + DAEMON + b"bluetooth.refused: x",
     DAEMON + b"bluetooth.connected: * [device 1]\n" + DAEMON + b"bluetooth.refused: *"),
    (DAEMON + b"bluetooth.connected: x]: bluetooth.adapter-added: Ana", DAEMON + b"bluetooth.connected: *"),
    (DAEMON + b"command.refused: Ana is not connected", DAEMON + b"command.refused: *"),
    (DAEMON + b"phone.stream-ended: Ana has ended its stream", DAEMON + b"phone.stream-ended: *"),
    (DAEMON + b"keys.added: Ana (AVRCP) (/dev/input/event3, Bluetooth)", DAEMON + b"keys.added: *"),
    (b"autoharp autoharp-screen[9]: autoharp-screen: input.added: Ana (AVRCP)",
     b"autoharp autoharp-screen[9]: autoharp-screen: input.added: *"),
    (b"autoharp autoharp[9]: autoharp is ready: Ana", b"autoharp autoharp[9]: autoharp is ready: Ana"),
    (DAEMON + b"bluetooth.player-refused: BlueZ refuses the player", DAEMON + b"bluetooth.player-refused: BlueZ refuses "
     b"the player"),
    (DAEMON + b"track.started: 1/2 phone. Ana.flac", DAEMON + b"track.started: 1/2 phone. Ana.flac"),
    # A keyboard at a cable is not a phone, so its name stays.
    (PREFIX + b"input: A keyboard as /devices/pci0000:00/input/input3", PREFIX + b"input: A keyboard as "
     b"/devices/pci0000:00/input/input3"),
    (PREFIX + b"hid-generic 0005:046D:B342.0001: input,hidraw0: BLUETOOTH HID v1.11 Keyboard [Ana] s [x]] on "
     b"02:00:00:00:00:7F\n", PREFIX + b"hid-generic 0005:046D:B342.0001: input,hidraw0: BLUETOOTH HID v1.11 Keyboard "
     b"[*] on [device 1]\n"),
])
def test_kept_log_has_no_address_and_no_name_of_a_phone(programs, text, expected):
    assert redacted(programs, text) == expected


@pytest.mark.quick
def test_kept_log_of_any_bytes_is_not_longer_and_has_no_address(programs):
    random = Random(57)
    parts = [b"input: ", b" as /devices/virtual/", b"BLUETOOTH HID ", b"[", b"]", b"\n", b"02:", b"7F", b":", b"_", b"\0",
             b"02:00:00:00:00:7F", b"x", b"\xff"]
    for _ in range(300):
        text = b"".join(random.choices(parts, k=random.randrange(60)))
        done = redacted(programs, text)
        assert len(done) <= len(text) and re.search(rb"(?<![0-9A-F])([0-9A-F]{2}:){5}[0-9A-F]{2}(?![0-9A-F])", done) is None


def bond(bonds: Path, address: str, *lines: str) -> None:
    folder = bonds / "00:1B:DC:00:00:01" / address
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "info").write_text("\n".join(("[General]", "Name=Ana's iPhone", *lines, "")))


@pytest.mark.quick
def test_kept_log_names_a_bonded_phone_by_a_code_that_only_its_bond_resolves(programs, tmp_path):
    phone, other = "02:00:00:00:00:7F", "02:00:00:00:00:80"
    text = f"{phone} dev_{phone.replace(':', '_')} {other.lower()}".encode()
    bond(tmp_path, phone, "[LinkKey]", "Key=0123456789ABCDEF0123456789ABCDEF", "Type=4")
    bond(tmp_path, other)
    found = re.fullmatch(rb"(\[phone [0-9A-F]{6}\]) dev_(\[phone [0-9A-F]{6}\]) \[device 1\]",
                         redacted(programs, text, tmp_path))
    assert found and found[1] == found[2]
    code = found[1][7:13].decode()
    # The same bond has the same code in each kept log.
    assert redacted(programs, phone.encode(), tmp_path) == found[1]
    assert redacted(programs, b"", tmp_path, "--codes").decode() == f"{code}  {phone}  Ana's iPhone\n"
    # A bond with another link key has another code. Without the bond, nothing in the log leads to the phone.
    bond(tmp_path, phone, "[LinkKey]", "Key=0123456789ABCDEF0123456789ABCDEE", "Type=4")
    assert redacted(programs, phone.encode(), tmp_path) not in (found[1], b"[device 1]")
    (tmp_path / "00:1B:DC:00:00:01" / phone / "info").unlink()
    assert redacted(programs, text, tmp_path) == b"[device 1] dev_[device 1] [device 2]"


@pytest.mark.quick
def test_codes_of_bonds_follow_no_link_and_accept_no_strange_name(programs, tmp_path):
    bond(tmp_path / "elsewhere", "02:00:00:00:00:7F", "Key=1")
    bonds = tmp_path / "bonds"
    bonds.mkdir()
    (bonds / "00:1B:DC:00:00:01").symlink_to(tmp_path / "elsewhere/00:1B:DC:00:00:01")
    assert redacted(programs, b"02:00:00:00:00:7F", bonds) == b"[device 1]"
    assert redacted(programs, b"", bonds, "--codes") == b""

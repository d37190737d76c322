"""The owner writes settings to the boot partition of the SD card, on another computer."""

from __future__ import annotations

from disk import Disk
from headunit import HeadUnit
from sticks import run
from storage import notices, report, state


def with_settings(text: bytes, name: str = "autoharp.conf"):
    """Writes a file to the boot partition, in place of the file of the image."""
    def prepare(disk: Disk) -> None:
        file = disk.file.with_name("written.conf")
        file.write_bytes(text)
        begin, _ = disk.partition("esp")
        run("mcopy", "-o", "-i", f"{disk.file}@@{begin}", file, f"::{name}")
    return prepare


def settings_of(unit: HeadUnit) -> dict[str, str]:
    unit.wait_until_booted()
    return unit.ask("config")["configuration"]


def test_settings_on_the_card_apply_and_those_on_data_have_priority(boot):
    # Windows writes a byte order mark at the beginning of the file, and CR LF at the end of each line.
    text = b"\xef\xbb\xbfskip-interval = 20 s\r\nlanguage = de\r\nreplay-gain = track\r\n"
    unit = boot(data={"autoharp.conf": b"replay-gain = album\n"}, prepare=with_settings(text))
    settings = settings_of(unit)
    assert settings["skip-interval"] == "20 s  (owner, /run/boot/autoharp.conf:1)"
    assert settings["language"] == "de  (owner, /run/boot/autoharp.conf:2)"
    assert settings["replay-gain"] == "album  (owner, /data/autoharp.conf:1)"
    assert unit.ask("config set language en")["code"] == "setting-fixed"
    assert unit.shell("stat -c '%U %a' /run/boot/autoharp.conf") == "root 644"
    # The unit reads the boot partition only at its start, and never writes it.
    assert unit.shell("grep -c ' vfat ' /proc/mounts; true") == "0"


def test_settings_of_the_image_change_nothing(boot):
    unit = boot()
    assert not any("/run/boot" in value for value in settings_of(unit).values())
    assert unit.shell("head -c 1 /run/boot/autoharp.conf") == "#"
    assert unit.failed_units() == []


def test_settings_that_are_too_large_are_cut_with_a_finding(boot):
    unit = boot(prepare=with_settings(b"language = de\n" + b"# filler\n" * (300 << 10 >> 3)))
    assert settings_of(unit)["language"] == "de  (owner, /run/boot/autoharp.conf:1)"
    assert int(unit.shell("stat -c %s /run/boot/autoharp.conf")) == (256 << 10) + 1
    assert "/run/boot/autoharp.conf" in unit.shell("autoharp config check; true")


def test_damaged_boot_partition_costs_only_its_settings(boot):
    unit = boot(prepare=lambda disk: disk.write("esp", 0, bytes(64 << 10)))
    assert not any("/run/boot" in value for value in settings_of(unit).values())
    assert state(unit) == "disk"
    assert report(unit)["settings"].startswith("the boot partition: ")
    assert unit.failed_units() == []
    # The owner learns why the settings do not apply.
    assert notices(unit) == ["boot.unreadable"]
    assert '"boot.unreadable"' in unit.try_shell("autoharp console --json diagnose")[0]


def test_missing_boot_partition_is_named(boot):
    unit = boot(prepare=lambda disk: disk.rename_partition("esp", "other"))
    unit.wait_until_booted()
    assert (notices(unit), state(unit)) == (["boot.unreadable"], "disk")


def test_boot_partition_without_settings_is_no_fault(boot):
    def remove(disk: Disk) -> None:
        run("mdel", "-i", f"{disk.file}@@{disk.partition('esp')[0]}", "::autoharp.conf")

    unit = boot(prepare=remove)
    unit.wait_until_booted()
    assert notices(unit) == []

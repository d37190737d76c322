"""The unit mounts each kind of stick that it can read. For each other kind, it reports why it cannot read the stick."""

from __future__ import annotations

import re
import shutil

import pytest

from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise
from stick_kinds import KINDS, MUSIC, Kind, Part, exfat, ntfs, partitioned, vfat
from sticks import MIB, Stick, make_ext4, run

SONG = noise(120, seed=63)


def wait_until_settled(unit: HeadUnit, disk: str = "sda") -> None:
    """Waits until stick@.service has decided about the disk and its partitions."""
    unit.wait_until(f"test -e /dev/{disk} && udevadm settle")
    unit.wait_until(
        f"( for path in /sys/class/block/{disk}*; do systemctl is-active stick@${{path##*/}} || exit; done )")


def wait_until_gone(unit: HeadUnit, disk: str = "sda") -> None:
    unit.wait_until(f'test -z "$(ls -d /dev/{disk}* /media/{disk}* /run/sticks/{disk}* /run/library-sticks/{disk}*)"')


def reports(unit: HeadUnit) -> dict[str, str]:
    """What the unit reports about each disk or partition: the identifier and the sentence."""
    lines = unit.shell("cd /run/sticks; grep -H . * 2>/dev/null; true").splitlines()
    return {name: text for name, text in (line.split(":", 1) for line in lines)
            if text.startswith("stick.")}


def about(unit: HeadUnit) -> str:
    return unit.shell("cd /run/sticks; grep -h '^about ' * 2>/dev/null; true").removeprefix("about ")


def mounts(unit: HeadUnit) -> dict[str, str]:
    """The type of each file system below /media, keyed by the kernel's name of the device."""
    lines = [line.split() for line in unit.shell("grep '^/dev/.* /media/' /proc/mounts; true").splitlines()]
    for device, point, _, options, *_ in lines:
        assert point == device.replace("/dev/", "/media/")
        assert {"ro", "nosuid", "nodev", "noexec"} <= set(options.split(",")), options
    return {device.removeprefix("/dev/"): kind for device, _, kind, *_ in lines}


def check(unit: HeadUnit, kind: Kind) -> list[str]:
    """Plugs in a stick of this kind and unplugs it. Returns what is not as expected."""
    folder = unit.folder / "kind"
    folder.mkdir()
    made = kind.make(folder)
    stick = made if isinstance(made, Stick) else Stick(made)
    before = stick.contents()
    unit.plug_stick(stick)
    wait_until_settled(unit)
    said = reports(unit)
    found = {
        "told": {name: text.split()[0] for name, text in said.items()}, "about": about(unit),
        "mounted": mounts(unit),
        "files": {name: unit.shell(f"ls /media/{name}") for name, type in mounts(unit).items() if type != "exfat"},
    }
    expected = {
        "told": kind.told, "about": kind.about, "mounted": kind.mounted,
        "files": {name: "BOOT" if kind.name == "several partitions" and name == "sda1" else "\n".join(MUSIC)
                  for name, type in kind.mounted.items() if type != "exfat"},
    }
    # The console command `storage` and the log contain the sentence, without any text of the stick.
    for name, text in said.items():
        identifier, _, sentence = text.partition(" ")
        assert sentence.startswith(f"{name} "), sentence
        unit.wait_until(f"autoharp console storage | grep -qF {sentence[:40]!r}")
        unit.wait_for_log(identifier, name)
    assert unit.failed_units() == []
    unit.unplug_stick()
    wait_until_gone(unit)
    assert stick.contents() == before, f"the unit has written to {kind.name}"
    shutil.rmtree(folder)
    return [f"{kind.name}: {key}: {found[key]}, expected {expected[key]}"
            for key in found if found[key] != expected[key]]


def test_each_kind_of_stick_is_mounted_or_named(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    # The unit's own disk is not a stick.
    assert (reports(unit), mounts(unit)) == ({}, {})
    differences = [line for kind in KINDS for line in check(unit, kind)]
    assert differences == [], "\n".join(differences)
    # No label has reached the log: the log contains no escape sequence.
    assert unit.shell("journalctl -b -a --no-pager -o cat | grep -c \"$(printf '\\033')\"; true") == "0"
    assert unit.shell("systemctl is-active autoharp.service") == "active"


def test_stick_with_read_errors_is_never_to_be_formatted(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    # The first sector of the disk, of the file system, of its tables, and of the folder with the files.
    folder = unit.folder / "bad"
    folder.mkdir()
    made = vfat(folder / "fat", MUSIC)
    head = made.read_bytes()[:64]
    tables = int.from_bytes(head[14:16], "little")
    root = tables + 2 * int.from_bytes(head[36:40], "little")
    stick = partitioned(folder / "disk", "dos", [Part("0c", made)])
    for sector, name in ((0, "sda"), (2048, "sda1"), (2048 + tables, "sda1"), (2048 + root, "sda1")):
        unit.plug_stick(stick, bad_sector=sector)
        unit.wait_until(f"grep -q '^stick' /run/sticks/{name}")
        assert {name: text.split()[0] for name, text in reports(unit).items()} == {name: "stick.unreadable"}, sector
        # Without the folder, the kernel still mounts the stick. Files in other parts of a folder can be played.
        assert mounts(unit) == ({"sda1": "vfat"} if sector == 2048 + root else {})
        unit.wait_until("autoharp console --json diagnose | grep -q stick.unreadable")
        assert "format" not in unit.shell("cat /run/sticks/*")
        unit.unplug_stick()
        wait_until_gone(unit)


def test_sticks_at_the_same_time_are_all_mounted_and_removed_one_by_one(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    for index, port in enumerate(["first", "second", "third"]):
        (unit.folder / port).mkdir()
        unit.plug_stick(Stick(vfat(unit.folder / port / "disk", {f"{port}.flac": flac(noise(1, seed=index))})),
                        port=port, read_only=port == "second")
        wait_until_settled(unit, f"sd{'abc'[index]}")
    assert mounts(unit) == {"sda": "vfat", "sdb": "vfat", "sdc": "vfat"}
    assert unit.shell("cat /sys/class/block/sdb/ro") == "1"
    unit.wait_for_files(3)
    unit.unplug_stick("first")
    wait_until_gone(unit, "sda")
    unit.wait_for_files(2)
    assert mounts(unit) == {"sdb": "vfat", "sdc": "vfat"}
    assert unit.failed_units() == []


def test_sticks_in_a_hub_are_mounted_and_removed_with_the_hub(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    unit.machine.monitor("device_add", driver="usb-hub", id="hub", bus="usb.0", port="2")
    for number, port in enumerate(["first", "second"]):
        (unit.folder / port).mkdir()
        unit.plug_stick(Stick(vfat(unit.folder / port / "disk", {f"{port}.flac": flac(noise(1, seed=number))})),
                        port=port, place=f"2.{number + 1}")
        wait_until_settled(unit, f"sd{'ab'[number]}")
    assert mounts(unit) == {"sda": "vfat", "sdb": "vfat"}
    unit.wait_for_files(2)
    unit.machine.monitor("device_del", id="hub")
    wait_until_gone(unit, "sd")
    unit.wait_for_files(0)
    assert unit.failed_units() == []


def insert_card(unit: HeadUnit, slot: str, card: str) -> None:
    # In QEMU, a slot for memory cards has a tray, like a drive for discs. The machine sees the card when the tray is
    # closed.
    unit.machine.monitor("blockdev-insert-medium", **{"id": slot, "node-name": card})
    unit.machine.monitor("blockdev-close-tray", id=slot)


def remove_card(unit: HeadUnit, slot: str) -> None:
    unit.machine.monitor("blockdev-open-tray", id=slot, force=True)
    unit.machine.monitor("blockdev-remove-medium", id=slot)


def plug_card_reader(unit: HeadUnit, slots: int, *cards: Stick) -> list[str]:
    """Plugs in a card reader with this number of slots. Slot 0 is empty, and each other slot contains one memory card.
    Returns the kernel's names of the slots. Their order varies, because the kernel examines the slots at the same
    time."""
    monitor = unit.machine.monitor
    monitor("device_add", driver="usb-bot", id="reader", bus="usb.0")
    for number, card in enumerate(cards):
        monitor("blockdev-add", **{"driver": "raw", "node-name": f"card{number}",
                                   "file": {"driver": "file", "filename": str(card.file)}})
    for number in range(slots):
        monitor("device_add", driver="scsi-hd", id=f"slot{number}", drive=f"card{number}", bus="reader.0",
                lun=number, removable=True)
    remove_card(unit, "slot0")
    monitor("qom-set", path="/machine/peripheral/reader", property="attached", value=True)
    names = []
    for number in range(slots):
        place = f"/sys/bus/scsi/devices/*:{number}/block"
        unit.wait_until(f"ls {place}")
        names.append(unit.shell(f"ls {place}"))
    for name in names[1:]:
        wait_until_settled(unit, name)
    # The slot without a card is a disk of size 0.
    assert unit.shell(f"udevadm settle; cat /sys/class/block/{names[0]}/size") == "0"
    assert reports(unit) == {}
    return names


def wait_for_mounts(unit: HeadUnit, *names: str) -> None:
    unit.wait_until(
        f"test \"$(busybox sed -n 's,^/dev/.* /media/\\([^ ]*\\) .*,\\1,p' /proc/mounts | busybox sort | busybox xargs)\" = '{' '.join(sorted(names))}'")


def test_card_reader_with_an_empty_slot_takes_and_gives_cards(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    first, second = plug_card_reader(
        unit, 2, *[Stick(vfat(unit.folder / f"card{number}", MUSIC)) for number in range(2)])
    assert mounts(unit) == {second: "vfat"}
    insert_card(unit, "slot0", "card0")
    wait_for_mounts(unit, first, second)
    # The reader stays plugged in, and its card is removed.
    remove_card(unit, "slot0")
    unit.wait_until(f"! test -e /run/sticks/{first}")
    wait_for_mounts(unit, second)
    assert (mounts(unit), reports(unit)) == ({second: "vfat"}, {})
    assert unit.failed_units() == []


def test_cards_with_partitions_replace_each_other_in_a_card_reader(boot):
    """Until the kernel reads the next memory card, it keeps the partitions of the removed memory card."""
    unit = boot(data=on_data())
    unit.wait_until_booted()

    def card(*songs: str) -> Stick:
        folder = unit.folder / songs[0]
        parts = []
        for song in songs:
            (folder / song).mkdir(parents=True)
            # Each song has a sound of its own. Otherwise the unit would continue with the song of the other card.
            sound = flac(noise(120, seed=200 + ord(song)))
            parts.append(Part("0c", vfat(folder / song / "fat", {f"{song}.flac": sound})))
        return partitioned(folder / "card", "dos", parts)

    plug_card_reader(unit, 1, card("a"), card("b", "c"))
    insert_card(unit, "slot0", "card0")
    wait_for_mounts(unit, "sda1")
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(44100)
    # The card is removed while it plays. The next card has another number of partitions.
    remove_card(unit, "slot0")
    wait_for_mounts(unit)
    unit.wait_for_log("music.removed", "a.flac")
    assert unit.shell("ls -A /media /run/sticks | grep sda; true") == ""
    insert_card(unit, "slot0", "card1")
    wait_for_mounts(unit, "sda1", "sda2")
    assert unit.shell("ls /media/sda1 /media/sda2 | grep flac | busybox xargs") == "b.flac c.flac"
    unit.wait_for_files(2)
    remove_card(unit, "slot0")
    wait_for_mounts(unit)
    insert_card(unit, "slot0", "card0")
    wait_for_mounts(unit, "sda1")
    unit.wait_for_log("music.returned", "a.flac")
    assert unit.failed_units() == []


def test_ntfs_that_was_not_unmounted_is_played(boot):
    """Windows leaves an NTFS stick marked as in use if the stick is pulled out, and after hibernation."""
    unit = boot(data=on_data())
    unit.wait_until_booted()
    stick = Stick(ntfs(unit.folder / "disk", {"song.flac": flac(noise(30, seed=62))}, 32, "--label", "MUSIC"))
    unit.plug_stick(stick)
    wait_until_settled(unit)
    # The kernel's driver for NTFS marks the volume as in use. The stick is removed without an unmount, so the mark
    # stays.
    unit.shell("systemctl stop stick@sda.service; mkdir /run/fill; mount -t ntfs3 -o rw /dev/sda /run/fill && "
               "mkdir '/run/fill/$RECYCLE.BIN' /run/fill/Ordner && cp /run/fill/song.flac '/run/fill/$RECYCLE.BIN/' && "
               "cp /run/fill/song.flac /run/fill/Ordner/Größe.flac && sync")
    unit.unplug_stick()
    unit.shell("umount -l /run/fill")
    wait_until_gone(unit)
    info = run("ntfsinfo", "--mft", "--force", stick.file).decode()
    assert re.search(r"Volume State:.*[1-9]|DIRTY|[Dd]irty", info), info
    before = stick.contents()
    unit.plug_stick(stick)
    wait_until_settled(unit)
    assert mounts(unit) == {"sda": "ntfs3"}
    assert unit.shell("stat -c '%U %G %a' /media/sda/song.flac") == "root music 550"
    # The copy in the recycle bin is not found.
    unit.wait_for_files(2)
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.unplug_stick()
    wait_until_gone(unit)
    assert stick.contents() == before


def test_files_on_exfat_are_found(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    unit.plug_stick({"song.flac": flac(noise(1, seed=76))}, port="other")
    unit.wait_for_stick("sda1")
    stick = Stick(exfat(unit.folder / "exfat"))
    unit.plug_stick(stick)
    wait_until_settled(unit, "sdb")
    assert mounts(unit) == {"sda1": "vfat", "sdb": "exfat"}
    # No program of the host writes files to exFAT, so the kernel of the unit writes them.
    unit.shell("systemctl stop stick@sdb.service; mkdir -p /run/fill; mount -t exfat -o rw /dev/sdb /run/fill && "
               "mkdir /run/fill/Ordner && cp /media/sda1/song.flac /run/fill/Ordner/Größe.flac && umount /run/fill")
    unit.unplug_stick()
    wait_until_gone(unit, "sdb")
    unit.unplug_stick("other")
    wait_until_gone(unit)
    before = stick.contents()
    unit.plug_stick(stick)
    wait_until_settled(unit)
    assert mounts(unit) == {"sda": "exfat"}
    assert unit.shell("stat -c '%U %G %a' /media/sda/Ordner/Größe.flac") == "root music 550"
    unit.wait_for_files(1)
    unit.unplug_stick()
    wait_until_gone(unit)
    assert stick.contents() == before


def test_mount_that_does_not_end_is_given_up_and_named(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    unit.plug_stick(Stick(make_ext4(unit.folder, {"a.flac": flac(noise(1, seed=75))}, 30 * MIB)))
    wait_until_settled(unit)
    unit.shell("systemctl stop stick@sda.service; echo 3 >/proc/sys/vm/drop_caches")
    unit.stick_answers(False, bytes_per_second=200)
    unit.shell("systemctl start --no-block stick@sda.service")
    unit.wait_for_log("stick.silent", "sda")
    assert {name: text.split()[0] for name, text in reports(unit).items()} == {"sda": "stick.silent"}
    # The daemon still answers commands.
    unit.wait_until("autoharp console status | grep -qF 'sda'")
    unit.unplug_stick()
    wait_until_gone(unit)
    assert unit.shell("systemctl is-active autoharp.service") == "active"


def test_links_that_lead_off_an_ext4_stick_are_named_and_not_followed(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    links = {"machine": "/", "album/processes": "/proc", "album/loop": "..", "itself": "itself",
             "again.flac": "album/a.flac", "kept.flac": ".kept/b.flac"}
    unit.plug_stick(Stick(make_ext4(unit.folder, {"album/a.flac": flac(noise(1, seed=77)),
                                                  ".kept/b.flac": flac(noise(1, seed=78))}, 30 * MIB, links=links)))
    wait_until_settled(unit)
    assert mounts(unit) == {"sda": "ext4"}
    # Each song is found once: a.flac under its own name; b.flac through the link kept.flac, because the scan ignores
    # the folder .kept.
    unit.wait_for_files(2)
    unit.wait_until("autoharp console storage | grep -qF '2 links that lead outside'")
    unit.wait_until("autoharp console library | grep -qF '2 links lead outside'")
    for name in ["machine", "album/processes"]:
        unit.wait_for_log("music.unplayable", f"/media/sda/{name}")
    # The next scan ends, too, and finds the same.
    unit.console("library scan")
    unit.wait_until("autoharp console library | grep -q '2 songs.*2 links lead outside.*/media/sda'")
    unit.wait_for_files(2)
    assert unit.failed_units() == []


@pytest.mark.parametrize("owner", [1000, 0])
def test_ext4_files_that_only_their_owner_may_read_are_found(boot, owner):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    size = 30 * MIB
    made = make_ext4(unit.folder, {"a.flac": flac(noise(1, seed=71)), "Folder/b.flac": flac(noise(1, seed=72)),
                                   "Folder/all.flac": flac(noise(1, seed=73))}, size)
    commands = []
    for path, mode in [("Folder", 0o040700), ("a.flac", 0o100600), ("Folder/b.flac", 0o100600)]:
        commands += [f"sif {path} uid {owner}", f"sif {path} gid {owner}", f"sif {path} mode 0{mode:o}"]
    run("debugfs", "-w", "-f", "-", made, input="\n".join(commands).encode())
    stick = Stick(made)
    before = stick.contents()
    unit.plug_stick(stick)
    wait_until_settled(unit)
    assert mounts(unit) == {"sda": "ext4"}
    assert unit.shell("stat -c '%U %G %a' /media/sda/a.flac") == "autoharp music 600"
    # The daemon and the library read these files without additional rights.
    unit.wait_for_files(3)
    seen = "/proc/$(pidof autoharp-library)/root/media/sda/a.flac"
    assert unit.shell(f"stat -c '%U %G %a' {seen}") == "library music 600"
    assert unit.shell("ls -A /media") == "sda"
    unit.unplug_stick()
    wait_until_gone(unit)
    assert stick.contents() == before


def test_saved_position_is_found_on_the_same_stick_under_another_name(boot):
    unit = boot(data=on_data(start="play"))
    unit.wait_until_booted()
    stick = unit.plug_stick({"song.flac": flac(SONG)})
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(5 * 44100)
    left = unit.ask("now")["elapsed"]
    unit.cut_power()
    unit.boot_again()
    unit.wait_until_booted()
    # Another stick has the same file at the old path.
    unit.plug_stick({"song.flac": flac(noise(120, seed=74))}, port="other")
    unit.wait_for_files(1)
    assert unit.logged("music.resumed") == []
    unit.plug_stick(stick, port="first")
    unit.wait_for_log("music.resumed", "/media/sdb1/song.flac")
    unit.wait_until_playing()
    assert unit.resumed_positions()[0] > left - 3
    # A stick that was removed while it played is also recognised if it returns under another name.
    unit.unplug_stick("other")
    wait_until_gone(unit, "sda")
    unit.unplug_stick("first")
    unit.wait_for_log("music.removed", "song.flac")
    wait_until_gone(unit, "sdb")
    unit.plug_stick(stick)
    unit.wait_for_log("music.returned", "/media/sda1/song.flac")

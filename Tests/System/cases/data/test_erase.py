"""*Erase personal data* removes all data that leads to a person, also if the power is cut meanwhile, and keeps all
other data. Kept logs name no phone."""

from __future__ import annotations

from car import bonded, pair, wait_for_phones
from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise
from sticks import run
from storage import assert_layout, notices, state

MUSIC = {"one.flac": flac(noise(30, seed=1)), "two.flac": flac(noise(30, seed=2))}
MARK = "/data/autoharp/erase-personal-data"
# Files with a text that the test recognises. Each stands for files of the same folder whose contents vary.
PLANTED = ("autoharp/artwork/planted", "autoharp/planted", "library/planted", "bluetooth/planted", "log/planted.1")


def personal_data(unit: HeadUnit) -> None:
    """Makes data of each kind that is erased, and data that is kept."""
    unit.wait_for_files(2)
    unit.console("play")
    unit.wait_until_playing()
    for command in ("config set replay-gain album", "like", "bookmark", "stars 4", "queue save Drive", "queue move 2 1"):
        unit.console(command)
    unit.shell("systemctl start keep-log@autoharp.service")
    unit.shell("mkdir -p /data/autoharp/artwork")
    for name in PLANTED:
        unit.shell(f"echo planted >/data/{name}")
    for name in ("Favourites.m3u8", "Bookmarks.m3u8", ".opinions.m3u8", "Drive.m3u8"):
        unit.wait_until(f"test -s /data/autoharp/playlists/{name}")
    unit.wait_until("test -s /data/autoharp/queue")


def assert_erased(unit: HeadUnit) -> None:
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert (notices(unit), state(unit)) == (["data.erased"], "disk")
    assert_layout(unit)
    assert len(unit.logged("data.erased")) == 1
    assert unit.shell("find /data -name 'planted*' -o -name erase-personal-data") == ""
    assert unit.shell("ls -A /data/autoharp/playlists /data/log").split() == [
        "/data/autoharp/playlists:", "Drive.m3u8", "/data/log:"]
    assert unit.shell("grep -c '^/data/music/.*flac' /data/autoharp/playlists/Drive.m3u8") == "2"
    assert unit.shell("cat /data/autoharp/settings.conf | grep ^replay-gain") == "replay-gain = album"
    assert unit.shell("ls /data/music").split() == sorted(MUSIC)
    assert unit.shell("grep -c '' /data/autoharp.conf") != "0"
    assert unit.logged("queue.restored") == [] and unit.logged("state.damaged") == []
    unit.wait_for_files(2)


def assert_kept_log_names_no_phone(unit: HeadUnit) -> None:
    [phone] = unit.ask("bt phones")["phones"]
    assert phone["name"] in unit.shell("journalctl -b --no-pager --lines=200")
    unit.shell("systemctl start keep-log@bluetooth.service")
    kept = unit.shell("cat /data/log/bluetooth.1")
    assert phone["address"].lower() not in kept.lower().replace("_", ":")
    assert phone["name"] not in kept
    code, address = unit.shell("/usr/lib/autoharp/keep-log --codes").split()[:2]
    assert address == phone["address"]
    assert f"bluetooth.connected: * [phone {code}]" in kept


def test_erased_data_is_gone_after_the_restart_and_the_rest_is_kept(boot):
    unit = boot(data=on_data(MUSIC), reboots=True)
    unit.wait_until_booted()
    personal_data(unit)
    # Without a confirmation nothing happens.
    assert "--yes" in unit.try_shell("autoharp console data erase")[0]
    assert unit.try_shell(f"test -e {MARK}")[1] == 1
    assert unit.ask("data erase --yes")["code"] == "data-erase"
    unit.wait_for_restart()
    assert_erased(unit)
    # The notice is shown once.
    unit.shell("systemctl reboot --no-block")
    unit.wait_for_restart()
    unit.wait_until_booted()
    assert notices(unit) == []


def test_power_cut_before_the_disk_has_erased_repeats_it_at_the_next_start(boot):
    unit = boot(data=on_data(MUSIC), reboots=True)
    unit.wait_until_booted()
    personal_data(unit)
    assert unit.ask("data erase --yes")["code"] == "data-erase"
    assert unit.machine
    unit.machine.monitor.wait_for("RESET")
    # From now on, the disk finishes no write. So the erasing waits for the disk, and the unit starts with /data in
    # memory.
    unit.disk_finishes_writes(False)
    unit.wait_for_restart()
    unit.wait_until("test -e /run/data/mounted")
    assert state(unit) == "memory" and "data.erased" not in notices(unit)
    unit.cut_power()
    part = unit.disk.copy("data", unit.folder / "data.part")
    assert b"Inode:" in run("debugfs", "-R", "stat /autoharp/erase-personal-data", part)
    assert b"Inode:" in run("debugfs", "-R", "stat /library/planted", part)
    part.unlink()
    unit.boot_again()
    assert_erased(unit)


def test_erased_bonds_do_not_return(boot, radio):
    unit = boot(radio=radio, data=on_data(MUSIC), reboots=True)
    wait_for_phones(unit)
    pair(unit, unit.phone())
    assert len(bonded(unit)) == 1
    assert_kept_log_names_no_phone(unit)
    assert unit.ask("data erase --yes")["code"] == "data-erase"
    unit.wait_for_restart()
    unit.wait_until_booted()
    wait_for_phones(unit)
    assert notices(unit) == ["data.erased"]
    assert bonded(unit) == []
    assert unit.shell("find /data/bluetooth -name info") == ""

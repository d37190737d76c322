"""If the daemon dies, hangs or cannot start, systemd restarts it and the console reports the reason. The configuration
overrides the settings of the driver. The time of day can be set, and survives a restart.
"""

from __future__ import annotations

import json

from car import json_matches
from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise

SONG = noise(100, seed=11)
MUSIC = on_data({"song.flac": flac(SONG)}, start="play")


def signal_and_wait_for_resume(unit: HeadUnit, signal: str) -> tuple[float, float]:
    """Sends the signal to the daemon and waits until the restarted daemon plays. Returns the
    position before the signal and the position after the restart, in seconds."""
    # At full volume the played samples are the samples of the file.
    unit.console("volume 100")
    unit.wait_for_sound(3 * 44100)
    old, before = unit.main_pid(), unit.ask("now")["elapsed"]
    unit.shell(f"kill -{signal} {old}")
    unit.wait_until(
        "test 1 = $(systemctl show --property=NRestarts --value autoharp.service)"
    )
    unit.wait_until_playing()
    resumed = unit.resumed_positions()
    assert len(resumed) == 1 and unit.main_pid() != old
    began = resumed[0]
    # The sound continues from this position.
    unit.wait_for_sound(len(unit.sound().from_first_sound()) + 44100)
    assert unit.sound().last_position_in(SONG) > began * 44100
    return before, began


def test_killed_daemon_restarts_and_resumes_playback(boot):
    unit = boot(data=MUSIC)
    unit.wait_until_booted()
    before, after = signal_and_wait_for_resume(unit, "KILL")
    assert before - 2 <= after <= before + 1
    assert unit.failed_units() == []
    # The console reports that the last run did not end with a normal stop.
    assert unit.ask("boot")["starts"]["last end"]
    # The log of the daemon that died is on /data.
    assert "track.started: 1/1 " in unit.shell("cat /data/log/autoharp.1")


def test_hanging_daemon_is_ended_by_the_watchdog_and_resumes_playback(boot):
    unit = boot(data=MUSIC)
    unit.wait_until_booted()
    before, after = signal_and_wait_for_resume(unit, "STOP")
    assert before - 2 <= after <= before + 1
    assert unit.logged(value="Watchdog timeout", unit="init.scope") or unit.logged(value="atchdog")
    assert unit.failed_units() == []


def test_daemon_after_three_failed_starts_runs_in_safe_mode(boot):
    unit = boot(data=MUSIC)
    unit.wait_until_booted()
    for number in range(1, 4):
        unit.wait_until_playing()
        unit.shell(f"kill -KILL {unit.main_pid()}")
        unit.wait_until(
            f"test {number} = $(systemctl show --property=NRestarts --value autoharp.service)"
        )
        unit.wait_until("systemctl is-active autoharp.service")
    # The daemon runs but does not play, because playback after the start can be the cause of the crashes.
    assert unit.logged("unit.safe-mode", "3 ")
    assert unit.status() != "playing"
    # The console at the serial port tries to connect once a second.
    unit.wait_for_console("status", r"starts +3\b")
    assert unit.ask("status")["facts"]["unit"]["starts"]["grade"] == "bad"
    # Neither the library nor the playlists start, but music can be played.
    assert unit.ask("artists")["code"] == "safe-mode"
    unit.wait_until("test ! -e /run/autoharp/library.socket")
    unit.console("play")
    unit.wait_until_playing()
    # The daemon ends properly, and systemd starts it again without the safe mode.
    assert unit.ask("boot retry")["code"] == "retry"
    unit.wait_until("test 4 = $(systemctl show --property=NRestarts --value autoharp.service)")
    unit.wait_until_playing()
    unit.wait_until("test -e /run/autoharp/library.socket")
    assert unit.ask("boot retry")["code"] == "no-safe-mode"


def test_daemon_that_cannot_start_leaves_the_console_usable(boot):
    unit = boot(dropins={"autoharp.service": "[Service]\nExecStart=\nExecStart=/usr/bin/false\n"})
    # The console queries systemd over the system bus, which starts late.
    unit.wait_until("busctl status org.freedesktop.systemd1")
    unit.wait_for_console("status", "exit status 1")
    unit.wait_until(json_matches("status", '"daemon": "restarting",.*"code": "unreachable"'))
    assert "Main process exited" in unit.console("log")


def test_configuration_overrides_the_settings_of_the_driver(boot):
    files = {"autoharp.conf": b"skip-interval = 20 s\n",
             "autoharp/settings.conf": b"skip-interval = 30 s\nreplay-gain = album\n"}
    unit = boot(data=files)
    unit.wait_until_booted()
    settings = unit.ask("config")["configuration"]
    assert settings["skip-interval"] == "20 s  (owner, /data/autoharp.conf:1)"
    assert settings["replay-gain"] == "album  (driver)"
    assert unit.ask("config set skip-interval '10 s'")["code"] == "setting-fixed"
    unit.console("config set replay-gain track")
    assert "replay-gain = track" in unit.shell("cat /data/autoharp/settings.conf")
    assert unit.shell("stat -c '%U %a' /data/autoharp/settings.conf") == "autoharp 644"


SET_TIME = ("busctl --address=unix:path=/run/autoharp/control call org.autoharp /org/autoharp "
            "org.autoharp.Settings1 SetTime x")
YEAR_2030 = 1893456000


def test_time_of_day_is_set_for_the_clock_and_the_chip(boot):
    unit = boot()
    unit.wait_until_booted()
    unit.shell(f"{SET_TIME} {YEAR_2030}")
    assert 0 <= int(unit.shell("date +%s")) - YEAR_2030 < 60
    assert 0 <= int(unit.shell("cat /sys/class/rtc/rtc0/since_epoch")) - YEAR_2030 < 60
    assert unit.shell("stat -c '%U %a' /run/clock/set") == "root 644"
    assert unit.ask("status")["facts"]["unit"]["clock"].startswith("2030-01-01")
    for seconds in ("0", "4102444800"):
        assert unit.try_shell(f"{SET_TIME} {seconds}")[1] != 0
    assert int(unit.shell("date +%s")) < YEAR_2030 + 3600


def test_clock_whose_chip_has_lost_the_time_continues_at_the_saved_time_and_is_unknown(boot):
    unit = boot(chip_time="1970-01-01")
    unit.wait_until_booted()
    assert unit.ask("status")["facts"]["unit"]["clock"].startswith("unknown")
    # Set the clock of the system to another time, as if the unit had run for years. The daemon saves this time when it
    # ends.
    unit.shell(f"date -s @{YEAR_2030} && systemctl restart autoharp.service")
    saved = int(unit.shell("cat /data/autoharp/clock"))
    assert 0 <= saved - YEAR_2030 < 60
    assert unit.shell("stat -c '%U' /data/autoharp/clock") == "autoharp"
    unit.boot_again()
    unit.wait_until_booted()
    assert 0 <= int(unit.shell("date +%s")) - saved < 3600
    assert unit.logged("restore-clock.restored", unit="restore-clock")
    assert unit.ask("status")["facts"]["unit"]["clock"].startswith("unknown")
    # If the saved time is not plausible, the clock is not set from it.
    unit.shell("echo 99999999999 >/data/autoharp/clock && sync")
    unit.boot_again()
    unit.wait_until_booted()
    assert int(unit.shell("date +%s")) < YEAR_2030
    assert unit.failed_units() == []


def as_user(unit: HeadUnit, user: str, command: str) -> tuple[str, int]:
    """Runs a command as a user with the group of the control socket. Returns its output and its exit status."""
    return unit.run_as(user, command, "SupplementaryGroups=autoharp")


def test_screen_and_console_set_time_and_zone_and_other_users_cannot(boot):
    unit = boot()
    unit.wait_until_booted()
    zone = "autoharp console --json config set time-zone"
    # The user `library` has no right to change settings, although `as_user` gives it the group that may open the
    # control socket.
    assert as_user(unit, "library", f"{SET_TIME} {YEAR_2030}")[1] != 0
    assert json.loads(as_user(unit, "library", f"{zone} Europe/Berlin")[0])["code"] == "not-allowed"
    assert unit.try_shell("test -e /run/clock/set || grep -q time-zone /data/autoharp/settings.conf")[1] != 0
    for days, (user, place) in enumerate([("screen", "Europe/Berlin"), ("console", "Asia/Tokyo")]):
        wanted = YEAR_2030 + days * 86400
        output, status = as_user(unit, user, f"{SET_TIME} {wanted}")
        assert status == 0, output
        assert 0 <= int(unit.shell("date +%s")) - wanted < 60
        output, status = as_user(unit, user, f"{zone} {place}")
        assert status == 0, output
        assert f"time-zone = {place}" in unit.shell("cat /data/autoharp/settings.conf")
    unit.console("config set time-zone Europe/Berlin")
    # Noon in UTC, on the first days of July and January.
    for noon, shown in ((1909137600, "2030-07-01 14:0"), (YEAR_2030 + 43200, "2030-01-01 13:0")):
        unit.shell(f"{SET_TIME} {noon}")
        assert unit.ask("status")["facts"]["unit"]["clock"].startswith(shown)
    # Only the daemon can connect to the socket of the helper that sets the clock.
    assert unit.shell("stat -c '%U %G %a' /run/set-clock") == "autoharp autoharp 600"


def test_second_daemon_names_the_first_and_plays_nothing(boot):
    unit = boot(data=MUSIC)
    unit.wait_until_booted()
    unit.wait_until_playing()
    output, status = unit.try_shell("autoharp serve")
    assert status == 1 and f"process {unit.main_pid()} (autoharp)" in output
    # If a person has started a daemon, the service waits until this daemon ends.
    unit.shell("systemctl stop autoharp.service")
    unit.shell("(autoharp serve > /run/serve.log 2>&1 & echo $! > /run/person)")
    unit.wait_until("autoharp console now")
    unit.shell("systemctl start --no-block autoharp.service")
    unit.wait_until("systemctl show -p StatusText autoharp.service | grep -q $(cat /run/person)")
    unit.shell("kill $(cat /run/person)")
    unit.wait_until("systemctl is-active -q autoharp.service")
    unit.wait_until("autoharp console now")


def finished_writes(unit: HeadUnit) -> str:
    # The fifth field of the statistics of a block device is the number of finished writes.
    return unit.shell("set -- $(cat /sys/block/vda/stat); echo $5")


def test_commands_are_answered_while_the_disk_finishes_no_write(boot):
    unit = boot(data=MUSIC)
    unit.wait_until_booted()
    unit.wait_until_playing()
    unit.disk_finishes_writes(False)
    # The daemon saves its state after this command, so it soon waits for the disk.
    unit.console("volume 40")
    unit.wait_until("read reads writes </sys/block/vda/inflight && test $writes -gt 0")
    before = finished_writes(unit)
    assert unit.ask("volume 41") and unit.ask("shuffle on") and unit.ask("seek 1:00")
    assert unit.ask("storage") and unit.ask("status")["facts"]["unit"]
    assert unit.ask("now")["elapsed"] >= 60
    unit.wait_for_sound(len(unit.sound().from_first_sound()) + 2 * 44100)
    # All commands were answered before the disk finished a write.
    assert finished_writes(unit) == before
    unit.disk_finishes_writes(True)
    # The daemon saves its state before it ends.
    unit.shell("systemctl stop autoharp.service")
    unit.cut_power()
    unit.boot_again()
    unit.wait_until_booted()
    assert unit.ask("now")["volume"] == 41

"""The library reads sticks and the music of the unit in a process of its own, without rights. If this process fails,
the music continues."""

from __future__ import annotations

from daemon import on_data
from headunit import HeadUnit
from library import MANY, many_songs, queue, wait_for_library
from sound import difference, flac, flac24, noise

SONG = noise(240, seed=61)
ALBUM = {
    f"Air/Moon Safari/{number}.flac": flac(
        noise(1, seed=70 + number),
        tags={"TITLE": f"Part {number}", "ALBUM": "Moon Safari", "ARTIST": "Air"})
    for number in range(1, 4)
}


def library_pid(unit: HeadUnit) -> str:
    return unit.shell("systemctl show --property=MainPID --value autoharp-library.service")


def titles(unit: HeadUnit, command: str) -> list[tuple[str, bool]]:
    return [(row["title"], row["isAbsent"]) for row in unit.ask(command)["rows"]]


def test_a_stick_is_listed_and_is_whole_again_on_another_port(boot):
    unit = boot(data=on_data({"song.flac": flac(noise(1, seed=62))}))
    unit.wait_until_booted()
    wait_for_library(unit, 1)
    stick = unit.plug_stick(ALBUM)
    unit.wait_for_stick()
    state = wait_for_library(unit, 4)
    assert [source["kind"] for source in state["sources"]].count("stick") == 1
    assert titles(unit, "albums moon safari") == [(f"Part {n}", False) for n in (1, 2, 3)]
    assert [row["title"] for row in unit.ask("find air")["rows"]][:2] == ["Air", "Moon Safari"]
    unit.unplug_stick()
    unit.wait_until("autoharp console --json library | grep -q '\"condition\": \"absent\"'")
    assert titles(unit, "artists --all") == [("Air", True)]
    # Another stick takes the device name sda1. So the first stick gets the name sdb1 when it is plugged in again.
    unit.plug_stick({"other.flac": flac(noise(1, seed=63))}, port="other")
    unit.wait_for_stick()
    unit.plug_stick(stick)
    unit.wait_for_stick("sdb1")
    wait_for_library(unit, 5)
    assert titles(unit, "artists --all") == [("Air", False)]
    assert len(unit.ask("albums --all")["rows"]) == 3


def test_a_queue_keeps_the_entries_of_a_stick_and_plays_on_when_it_returns_on_another_port(boot):
    unit = boot(data=on_data({"song.flac": flac(noise(1, seed=62))}))
    unit.wait_until_booted()
    album = {
        f"Air/Moon Safari/{number}.flac": flac(
            noise(60, seed=90 + number),
            tags={"TITLE": f"Part {number}", "ALBUM": "Moon Safari", "ARTIST": "Air"})
        for number in range(1, 4)
    }
    stick = unit.plug_stick(album)
    unit.wait_for_stick()
    wait_for_library(unit, 4)
    unit.console("play moon safari")
    unit.wait_until_playing()
    unit.console("next")
    unit.wait_for_log("track.started", "2.flac")
    playing = [row["title"] for row in unit.ask("albums moon safari")["rows"] if row["isCurrent"]]
    assert playing == ["Part 2"]
    doubts = {part["kind"]: part["count"] for part in unit.ask("library check")}
    assert doubts["songsWithoutTags"] == 1 and doubts["dividedAlbums"] == 0
    whole = [(f"Part {number}", False) for number in (1, 2, 3)]
    assert queue(unit) == whole
    unit.unplug_stick()
    unit.wait_for_log("music.removed")
    unit.wait_until("autoharp console --json queue | grep -q '\"absent\": 3'")
    assert queue(unit) == [(title, True) for title, _ in whole]
    # Another stick takes the device name sda1. So the first stick gets the name sdb1 when it is plugged in again.
    unit.plug_stick({"other.flac": flac(noise(1, seed=63))}, port="other")
    unit.wait_for_stick()
    unit.plug_stick(stick)
    unit.wait_for_stick("sdb1")
    unit.wait_for_log("music.returned", "2.flac")
    unit.wait_until_playing()
    assert queue(unit) == whole
    assert unit.ask("queue")["position"] == 2


def is_scanning(unit: HeadUnit) -> bool:
    return unit.ask("library")["condition"] == "scanning"


def test_a_stick_that_is_pulled_out_during_its_scan_is_whole_again_on_another_port(boot):
    unit = boot(data=on_data({"song.flac": flac(noise(1, seed=62))}))
    unit.wait_until_booted()
    wait_for_library(unit, 1)
    album = {
        f"Air/Moon Safari/{number}.flac": flac(
            noise(60, seed=90 + number),
            tags={"TITLE": f"Part {number}", "ALBUM": "Moon Safari", "ARTIST": "Air"})
        for number in range(1, 4)
    }
    # The sticks of this test are slow, so that the stick is pulled out before its scan ends.
    unit.limit_sticks(12_000_000, 50)
    stick = unit.plug_stick(album | many_songs())
    unit.wait_for_stick()
    unit.wait_until("autoharp console --json albums moon safari | grep -q '\"title\": \"Part 3\"'")
    unit.console("play moon safari")
    unit.wait_for_log("track.started", "Moon Safari/1.flac")
    unit.console("seek 20")
    unit.wait_until("autoharp console --json now | grep -qE '\"elapsed\": 2[2-9]'")
    assert is_scanning(unit)
    unit.unplug_stick()
    unit.wait_for_log("music.removed")
    whole = [f"Part {number}" for number in (1, 2, 3)]
    assert queue(unit) == [(title, True) for title in whole]
    # Another stick takes the device name sda1. So the first stick gets the name sdb1 when it is plugged in again.
    unit.plug_stick({"other.flac": flac(noise(1, seed=63))}, port="other")
    unit.wait_for_stick()
    unit.plug_stick(stick)
    unit.wait_for_stick("sdb1")
    unit.wait_for_log("music.returned", "Moon Safari/1.flac")
    unit.wait_until_playing()
    assert float(unit.ask("now")["elapsed"]) >= 22
    wait_for_library(unit, MANY + 5)
    assert queue(unit) == [(title, False) for title in whole]
    assert len(unit.ask("albums --all")["rows"]) == 8


def test_a_slow_stick_delivers_its_music_in_time_while_it_is_scanned(boot):
    # The unit has no music of its own, because the names of this source (music) and of the stick (MUSIC) would differ
    # only in case.
    unit = boot()
    unit.wait_until_booted()
    unit.limit_sticks(12_000_000, 500)
    loud = {"Air/Moon Safari/1.flac": flac24(40, 7, 96_000, {"TITLE": "Loud", "ALBUM": "Moon Safari"})}
    unit.plug_stick(loud | many_songs())
    unit.wait_for_stick()
    unit.wait_until("autoharp console --json albums moon safari | grep -q '\"title\": \"Loud\"'")
    unit.console("play moon safari")
    unit.wait_for_log("track.started", "Moon Safari/1.flac")
    # On a busy host, the scan can end before the song begins. So the test makes the library read all files again while
    # the song plays.
    state = unit.ask("library")
    stick = next(source["name"] for source in state["sources"] if source["kind"] == "stick")
    unit.console(f"library read {stick}")
    unit.wait_until(
        "! autoharp console --json library | "
        f"""grep -qE '"condition": "scanning"|"revision": {state["revision"]},'""")
    wait_for_library(unit, MANY + 1)
    assert unit.ask("now")["status"] == "playing"
    for event in ("track.waits", "track.continues", "track.damaged"):
        assert unit.logged(event) == []


def test_the_music_goes_on_while_the_library_is_killed_and_stopped(boot):
    unit = boot(data=on_data({"song.flac": flac(SONG)}))
    unit.wait_until_booted()
    wait_for_library(unit, 1)
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    killed = library_pid(unit)
    unit.shell(f"kill -KILL {killed}")
    unit.wait_for_log("library.lost")
    wait_for_library(unit, 1)
    stopped = library_pid(unit)
    assert stopped != killed
    unit.shell(f"kill -STOP {stopped}")
    assert unit.ask("albums")["code"] == "library-unavailable"
    assert unit.ask("library")["condition"] == "unavailable"
    # The watchdog of systemd ends the process, and systemd starts another one.
    wait_for_library(unit, 1)
    assert library_pid(unit) != stopped
    unit.console("pause")
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"paused\"'")
    assert not unit.logged("output.underrun")
    unit.switch_off()
    heard = unit.sound().from_first_sound()
    # The pause fades out, so the last second is not compared.
    exact = len(heard) - 44100
    assert exact > 44100
    assert difference(SONG[:exact], heard) is None


def test_the_library_has_its_own_user_and_priorities_and_opens_no_control_socket(boot):
    songs = {
        f"{artist}.flac": flac(noise(1, seed=64 + number), tags={"ARTIST": artist, "ALBUM": artist})
        for number, artist in enumerate(["The Air", "Moon"])
    }
    unit = boot(data=on_data(songs, library_articles="none"))
    unit.wait_until_booted()
    wait_for_library(unit, 2)
    # The library has read `library-articles = none` from the configuration, so "The Air" is sorted under T.
    assert titles(unit, "artists --all") == [("Moon", False), ("The Air", False)]
    pid = library_pid(unit)
    status = dict(
        line.split(":", 1) for line in unit.shell(f"cat /proc/{pid}/status").splitlines())
    assert status["Uid"].split() == ["806"] * 4
    assert status["Groups"].split() == ["807"] or status["Groups"].split() == ["806", "807"]
    assert int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0
    # SCHED_BATCH is 3. The fields of `stat` begin after the name: nice is the 17th, the policy the 39th.
    fields = unit.shell(f"cat /proc/{pid}/stat").rpartition(")")[2].split()
    assert (fields[16], fields[38]) == ("10", "3")
    assert unit.shell(f"busybox ionice -p {pid}") == "best-effort: prio 7"
    properties = unit.shell("systemctl show --property=MemoryMax --value autoharp-library.service")
    assert int(properties) == 64 << 20
    assert unit.shell("stat -c '%U %G %a' /data/library") == "library library 700"
    files = unit.shell("ls -A /data/library").split()
    assert "library.db" in files
    # The process sees no socket and no state of the daemon, no bonds and no kept logs.
    for path in ("/run/autoharp", "/data/autoharp", "/data/bluetooth", "/data/log"):
        assert unit.try_shell(f"ls -A /proc/{pid}/root{path}")[0] == "", path

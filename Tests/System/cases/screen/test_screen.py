"""The screen shows the correct picture, reacts to touch, and never stops the music."""

from __future__ import annotations

import re

from car import track
from daemon import on_data
from headunit import HeadUnit
from listening import listen
from reference_painter import BAR, CLOCK, HEADER, ReferencePainter
from picture import Picture
from png import png
from sound import difference, flac, noise, silence


def boot_with_music(boot, **settings) -> HeadUnit:
    music = {f"{number}.flac": flac(noise(60, seed=number)) for number in (1, 2, 3)}
    unit = boot(data=on_data(music, **settings))
    unit.wait_until_booted()
    unit.wait_for_files(3)
    return unit


def test_screen_shows_the_reference_picture(boot):
    unit = boot_with_music(boot)
    unit.console("play")
    unit.wait_for_sound(44100)
    painter = ReferencePainter(unit)
    # A new second can begin at different times in the two pictures, so the clock and the bar are not compared.
    deadline = unit.uptime() + 60
    while unit.picture().difference(painter.current(), [CLOCK, BAR]):
        assert unit.uptime() < deadline
    unit.console("pause")
    assert unit.status() == "paused"
    reference = painter.latest()
    shown = unit.wait_for_same(reference, [CLOCK])
    assert not shown.is_plain()
    assert unit.failed_units() == []


def plain_png(side: int, color: tuple[int, int, int]) -> bytes:
    return png(side, (b"\0" + bytes(color) * side) * side)


def test_screen_shows_a_cover_that_the_separate_program_has_decoded(boot):
    color = (255, 0, 170)
    music = {"song.flac": flac(noise(60, seed=1)), "cover.png": plain_png(600, color)}
    unit = boot(data=on_data(music, start="play"))
    # The cover is the only element in exactly this colour.
    unit.wait_for_picture(lambda picture: picture.pixels.count(bytes(color)) > 150 * 150)
    assert not unit.logged("autoharp-screen: cover.failed", unit="autoharp-screen")
    # autoharp-cover has ended by itself: the kernel has not killed it for a system call that its filter refuses.
    assert unit.shell("pidof autoharp-cover; true") == ""
    assert unit.shell("dmesg | grep -c 'autoharp-cover'; true") == "0"


def test_light_sensor_switches_between_day_and_night(boot):
    unit = boot_with_music(boot, screen_light="sensor", light_sensor="/run/light")
    unit.shell("echo 3 >/run/light")
    reference = ReferencePainter(unit)

    def wait_for_own(is_wanted) -> Picture:
        # The screen of the unit and the reference screen each read the light sensor every three seconds, at different
        # times. So the test waits for both.
        unit.wait_for_picture(is_wanted)
        latest = reference.latest()
        return unit.wait_for_same(latest, [CLOCK])

    night = wait_for_own(lambda picture: not picture.is_plain() and picture.brightness() < 100)
    unit.shell("echo 300 >/run/light")
    day = wait_for_own(lambda picture: picture.brightness() > 130)
    unit.shell("echo 3 >/run/light")
    again = wait_for_own(lambda picture: picture.brightness() < 100)
    assert again.difference(night, [CLOCK]) == 0
    # Day and night differ in most of the picture, outside of the clock too.
    assert day.difference(night, [CLOCK]) > 800 * 480 // 2


def test_notice_of_a_removed_stick_is_shown_and_disappears(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    unit.plug_stick({"1.flac": track(1, 240)})
    unit.wait_for_stick()
    unit.wait_for_files(1)
    unit.console("play")
    unit.wait_for_sound(44100)
    reference = ReferencePainter(unit)
    unit.unplug_stick()
    seen: list[Picture] = []
    begin = unit.uptime()
    while unit.uptime() < begin + 15:
        # Polls, because no event reports a picture. Without this pause, the loop would use most of the host's time,
        # and the machine's clock would advance by a few milliseconds in each round.
        unit.shell("sleep 0.1")
        picture = unit.picture()
        if not seen or picture != seen[-1]:
            seen.append(picture)
    # A header shows the notice if it differs from the first header and from the last header.
    passing = [picture for picture in seen if picture.rows(HEADER) != seen[-1].rows(HEADER)
               and picture.rows(HEADER) != seen[0].rows(HEADER)]
    # Compare only the header, for two reasons. Below the header, a new second can begin at different times on the
    # screen of the unit and on the reference screen. And the music can stop just after the notice appears. One of the
    # two screens can then show both changes in one picture, while the other screen shows them in two pictures.
    headers = [made.rows(HEADER) for made in reference.all()]
    assert any(picture.rows(HEADER) in headers for picture in passing)
    assert seen[-1].rows(HEADER) == headers[-1]


def test_storage_notice_stays_until_touched_and_returns_after_a_restart(boot):
    unit = boot(prepare=lambda disk: disk.rename_partition("data", "something-else"))
    unit.wait_until_booted()
    reference = ReferencePainter(unit)
    notice = reference.latest().rows(HEADER)
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) == notice)
    reference.end()
    unit.touch(300, 48)
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) != notice)
    unit.shell("systemctl restart autoharp-screen")
    unit.wait_for_picture(lambda picture: picture.rows(HEADER) == notice)


def kill_the_screen_twenty_times(unit: HeadUnit) -> None:
    seen = set()
    for _ in range(20):
        pid = unit.shell("until pidof autoharp-screen; do sleep 0.1; done")
        assert pid not in seen
        seen.add(pid)
        unit.shell(f"kill -9 {pid}; while [ -d /proc/{pid} ]; do sleep 0.05; done")
    assert unit.status() == "playing", "the song is too short for twenty kills"
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    assert re.search(r"^active", unit.shell("systemctl is-active autoharp-screen"))


def test_screen_killed_twenty_times_leaves_the_sound_bit_exact(boot):
    song = noise(90, seed=5)
    music = {"1.flac": flac(song), "2.flac": flac(silence(1))}
    assert difference(song, listen(boot, music, kill_the_screen_twenty_times)) is None


def test_display_that_is_removed_and_added_again_shows_the_picture(boot):
    unit = boot_with_music(boot)
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    pid = unit.shell("pidof autoharp-screen")
    place = unit.shell("busybox basename $(busybox readlink -f /sys/class/drm/card0/device)")
    driver = unit.shell("busybox readlink -f /sys/class/drm/card0/device/driver")
    unit.shell(f"echo {place} >{driver}/unbind")
    unit.wait_for_log("autoharp-screen: display.missing", unit="autoharp-screen")
    unit.shell(f"echo {place} >{driver}/bind")
    unit.wait_for_log(
        "autoharp-screen: display.opened", "Virtual-1", unit="autoharp-screen", count=2)
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    assert unit.shell("pidof autoharp-screen") == pid

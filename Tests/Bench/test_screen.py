"""The screen: what it shows, what fingers do, and that nothing pretty stops the music."""

from __future__ import annotations

import base64
import re
import zlib

from daemon import on_data
from headunit import HeadUnit
from picture import Picture
from sound import difference, flac, noise, silence

# At 800 × 480: see Tests/ScreenLayoutTests/Goldens/playing.txt.
PLAY, NEXT, PREVIOUS, REPEAT = (596, 348), (713, 348), (479, 348), (652, 432)
CLOCK = (0, 0, 120, 90)


def boot_with_music(boot, **settings) -> HeadUnit:
    music = {f"{number}.flac": flac(noise(60, seed=number)) for number in (1, 2, 3)}
    unit = boot(data=on_data(music, **settings))
    unit.wait_until_booted()
    unit.wait_for_files(3)
    return unit


def wait_for_touch(unit: HeadUnit) -> None:
    """udev comes late, and a finger needs it."""
    unit.wait_until("journalctl -b -u autoharp-screen | grep -q 'uses QEMU Virtio Tablet'")


def painted(unit: HeadUnit) -> Picture:
    """What the painter shows of the unit's state, in memory instead of on the panel."""
    unit.shell(
        "rm -f /tmp/own.ppm; mkfifo /tmp/touches; autoharp-screen --scripted 800x480 "
        "</tmp/touches >/tmp/shown 2>&1 & exec 7>/tmp/touches"
    )
    # The cover comes after the words: the last picture counts.
    unit.wait_until("grep -q shown /tmp/shown")
    unit.shell(
        "until [ \"$(busybox wc -c </tmp/shown)\" = \"$(sleep 3; busybox wc -c </tmp/shown)\" ]; do :; done; "
        "echo shot /tmp/own.ppm >&7"
    )
    unit.wait_until("grep -q '^shot' /tmp/shown")
    text = unit.shell("exec 7>&-; busybox gzip -c /tmp/own.ppm | busybox base64; rm /tmp/touches")
    return Picture.read(zlib.decompress(base64.b64decode(text), 31))


def test_screen_shows_the_painters_own_picture(boot):
    unit = boot_with_music(boot)
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.console("pause")
    assert unit.status() == "paused"
    own = painted(unit)
    shown = unit.wait_for_picture(lambda picture: picture.difference(own, [CLOCK]) == 0)
    assert not shown.is_plain()
    assert unit.failed_units() == []


def test_touch_on_the_buttons_is_obeyed(boot):
    unit = boot_with_music(boot)
    wait_for_touch(unit)
    before = unit.picture()
    unit.touch(*PLAY)
    unit.wait_until_playing()
    unit.wait_for_sound(44100)
    unit.wait_for_picture(lambda picture: picture.difference(before) > 100)
    assert unit.ask("now")["title"] == "1.flac"
    unit.touch(*NEXT)
    unit.wait_until("autoharp console now | grep -q 2.flac")
    unit.touch(*PREVIOUS)
    unit.wait_until("autoharp console now | grep -q 1.flac")
    unit.touch(*REPEAT)
    unit.wait_until("autoharp console now | grep -qE '^repeat +(all|one)'")
    unit.touch(*PLAY)
    unit.wait_until("autoharp console now | grep -qE '^state +paused'")


def test_painter_that_is_killed_twenty_times_leaves_the_sound_bit_exact(boot):
    song = noise(90, seed=5)
    unit = boot(data=on_data({"1.flac": flac(song), "2.flac": flac(silence(1))}))
    unit.wait_until_booted()
    assert "100 %" in unit.console("volume 100") + unit.console("now")
    unit.console("play")
    unit.wait_for_sound(44100)
    seen = set()
    for _ in range(20):
        pid = unit.shell("until pidof autoharp-screen; do sleep 0.1; done")
        assert pid not in seen
        seen.add(pid)
        unit.shell(f"kill -9 {pid}; while [ -d /proc/{pid} ]; do sleep 0.05; done")
    assert unit.status() == "playing", "the song is too short for twenty kills"
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    assert re.search(r"^active", unit.shell("systemctl is-active autoharp-screen"))
    unit.switch_off()
    assert difference(song, unit.sound()) is None


def test_display_that_is_pulled_and_plugged_shows_the_picture_again(boot):
    unit = boot_with_music(boot)
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    pid = unit.shell("pidof autoharp-screen")
    place = unit.shell("busybox basename $(busybox readlink -f /sys/class/drm/card0/device)")
    driver = "/sys/bus/pci/drivers/bochs-drm"
    unit.shell(f"echo {place} >{driver}/unbind")
    unit.wait_until("journalctl -b -u autoharp-screen | grep -q 'there is no display'")
    unit.shell(f"echo {place} >{driver}/bind")
    unit.wait_until("[ $(journalctl -b -u autoharp-screen | grep -c 'display Virtual-1') = 2 ]")
    unit.wait_for_picture(lambda picture: not picture.is_plain())
    assert unit.shell("pidof autoharp-screen") == pid

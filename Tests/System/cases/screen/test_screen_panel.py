"""The screen works with a panel that is rotated, has an old driver, is used by another program, or is on another
graphics card."""

from __future__ import annotations

import pytest

from daemon import on_data
from devices import plain
from headunit import HeadUnit
from panel_light import LIGHT, add_light, light_device, light_modules
from reference_painter import ReferencePainter
from sound import flac, noise

# The area of the clock in a picture of 1024 × 600 pixels.
CLOCK = (0, 0, 160, 110)


def boot_paused(boot, size: str = "800x480", **options) -> tuple[HeadUnit, ReferencePainter]:
    settings = options.pop("settings", {})
    unit = boot(data=on_data({"1.flac": flac(noise(60, seed=1))}, **settings), **options)
    unit.wait_until_booted()
    unit.wait_for_files(1)
    return unit, ReferencePainter(unit, size)


def assert_shows(unit: HeadUnit, reference: ReferencePainter) -> None:
    latest = reference.latest()
    unit.wait_for_same(latest, [CLOCK])


def test_rotated_panel_shows_the_upright_picture_and_rotates_touches(boot):
    unit, reference = boot_paused(boot, "480x800", settings={"screen_rotation": "90"})
    latest = reference.latest().turned()
    # The clock is at the upper left of the picture, which is the upper right of the panel.
    clock = (800 - 90, 0, 90, 120)
    unit.wait_for_same(latest, [clock])
    unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Tablet", unit="autoharp-screen")
    # The play button is at 240, 680 of the picture: Tests/Screen/ScreenLayoutTests/Goldens/480x800.txt.
    unit.touch(800 - 1 - 680, 240)
    unit.wait_until_playing()


def test_driver_without_atomic_mode_setting_shows_the_same_picture(boot):
    # The kernel refuses atomic mode setting to programs whose name begins with an X.
    dropin = (
        "[Service]\nExecStartPre=+/usr/bin/busybox ln -sf /usr/bin/autoharp-screen /run/Xscreen\n"
        "ExecStart=\nExecStart=/run/Xscreen\n"
    )
    unit, reference = boot_paused(boot, dropins={"autoharp-screen.service": dropin})
    assert unit.shell("cat /proc/$(systemctl show -P MainPID autoharp-screen)/comm") == "Xscreen"
    assert_shows(unit, reference)
    # Later pictures appear too. The screen shows these pictures by flips.
    unit.console("repeat all")
    assert_shows(unit, reference)
    unit.console("repeat off")
    assert_shows(unit, reference)
    assert unit.logged("autoharp-screen: display.opened", "legacy", unit="autoharp-screen")


def test_panel_of_another_program_is_opened_after_that_program_ends(boot):
    unit, reference = boot_paused(boot)
    unit.shell("systemctl stop autoharp-screen")
    unit.shell("(exec autoharp-screen) </dev/null >/run/other 2>&1 & echo $! >/run/other.pid")
    unit.wait_until("grep -q 'display.opened: Virtual-1' /run/other")
    unit.shell("systemctl start autoharp-screen")
    unit.wait_for_log("autoharp-screen: display.busy", unit="autoharp-screen")
    unit.shell("kill -9 $(cat /run/other.pid)")
    unit.wait_for_log(
        "autoharp-screen: display.opened", "Virtual-1", unit="autoharp-screen", count=2)
    assert_shows(unit, reference)


def test_console_switch_releases_and_reopens_the_panel(boot):
    unit, reference = boot_paused(boot)
    unit.shell("systemctl stop autoharp-screen; busybox chvt 1")
    # autoharp-screen runs on the virtual console 1, as if a person had started it there.
    unit.shell(
        "busybox setsid sh -c 'exec autoharp-screen </dev/tty1 >/dev/tty1 2>/run/other' & "
        "sleep 0.1")
    unit.wait_until("grep -q 'display.opened: Virtual-1' /run/other")
    assert_shows(unit, reference)
    unit.shell("busybox chvt 2")
    unit.wait_until("grep -q display.lost /run/other")
    unit.shell("busybox chvt 1")
    unit.wait_until("[ $(grep -c 'display.opened: Virtual-1' /run/other) = 2 ]")
    assert_shows(unit, reference)


@pytest.mark.parametrize("card", ["virtio-gpu-pci,xres=1024,yres=600"])
def test_virtio_gpu_shows_the_same_picture(boot, card):
    unit, reference = boot_paused(boot, "1024x600", screen=plain(card))
    assert_shows(unit, reference)
    unit.console("repeat all")
    assert_shows(unit, reference)


def test_brightness_follows_the_settings_by_day_and_at_night(boot):
    data = on_data({"1.flac": flac(noise(60, seed=1))}, screen_light="day")
    unit = boot(data=data | light_modules(), screen=plain("bochs-display,xres=800,yres=480,addr=0x1e"),
                devices=[light_device(0x1E)])
    unit.wait_until_booted()
    unit.wait_for_log("autoharp-screen: display.opened", unit="autoharp-screen")
    # When the backlight device is added, udev permits the screen to write the brightness.
    add_light(unit)
    unit.wait_until(f"test $(stat -c %G {LIGHT}/brightness) = screen")

    def set_and_expect(setting: str, level: int) -> None:
        unit.console(f"config set {setting}")
        unit.wait_until(f"test $(cat {LIGHT}/actual_brightness) = {level}")

    # A perceived brightness of 50 % is a quarter of the light: 5 of 20 levels. The lowest level is 1, because 0 can
    # switch a light off.
    for setting, level in [("brightness-day 50", 5), ("brightness-day 100", 20), ("brightness-day 10", 1)]:
        set_and_expect(setting, level)
    unit.console("config reset brightness-day")
    unit.wait_until(f"test $(cat {LIGHT}/actual_brightness) = 20")
    # Select the colours of the night and start the screen again. At night, the setting brightness-night applies.
    unit.shell("sed -i s/day/night/ /data/autoharp.conf; systemctl restart autoharp-screen")
    unit.wait_until(f"test $(cat {LIGHT}/actual_brightness) = 5")
    assert unit.logged("autoharp-screen: backlight.failed", unit="autoharp-screen") == []

"""The wires of the car have their effects: reverse gear, parking brake, ignition, headlights and a knob. The kernel's
gpio-sim simulates the lines."""

from __future__ import annotations

import functools
import os
import random

import pytest

from car import json_matches, title, track, wait_for, wait_for_title
from car_wires import ENCODER, SETTINGS, CarWires, modules
from daemon import on_data
from headunit import HeadUnit
from sound import Frames, flac, noise

SECOND = 44100
# The number of times that the ignition goes off.
MOMENTS = int(os.environ.get("AUTOHARP_IGNITIONS", "15"))

DIAGNOSE = "autoharp console --json diagnose"


@functools.cache
def song() -> Frames:
    return noise(180, seed=91)


@functools.cache
def music() -> bytes:
    return flac(song())


def car_with_wires(boot, reboots: bool = False, **settings) -> HeadUnit:
    """A unit that plays a long song at full volume."""
    unit = boot(reboots=reboots, data=on_data({"1.flac": music()}, start="play", **SETTINGS | settings) | modules())
    unit.wait_until_booted()
    unit.wait_until_playing()
    unit.console("volume 100")
    unit.wait_for_sound(SECOND)
    return unit


def loudness(unit: HeadUnit) -> float:
    """The level of the half second that is played next, relative to the level of the song."""
    since = len(unit.sound())
    unit.wait_for_sound(len(unit.sound().from_first_sound()) + SECOND)
    return unit.sound()[since + SECOND // 2 : since + SECOND].level() / song()[:SECOND].level()


def wait_for_loudness(unit: HeadUnit, wanted: float) -> None:
    for _ in range(10):
        if (found := loudness(unit)) == pytest.approx(wanted, abs=0.02):
            return
    raise AssertionError(f"the level is {found:.3f} times the level of the song, wanted: {wanted}")


def test_reverse_gear_lowers_or_mutes_the_sound_and_the_music_goes_on(boot):
    unit = car_with_wires(boot)
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("reverse")
    wait_for_loudness(unit, 1)
    wires.move("REVERSE", True)
    wait_for_loudness(unit, 10 ** (-14 / 20))
    # The driver changes the setting `reverse` while the reverse gear is engaged.
    unit.console("config set reverse mute")
    wait_for_loudness(unit, 0)
    assert unit.status() == "playing"
    unit.console("config set reverse none")
    wait_for_loudness(unit, 1)
    # A prompt lowers the music too. The prompt and the reverse gear together lower the music only once.
    unit.console("duck begin prompt")
    wait_for_loudness(unit, 10 ** (-14 / 20))
    unit.console("config set reverse lower")
    wait_for_loudness(unit, 10 ** (-14 / 20))
    wires.move("REVERSE", False)
    wait_for_loudness(unit, 10 ** (-14 / 20))
    unit.console("duck end prompt")
    wait_for_loudness(unit, 1)
    assert unit.ask("now")["volume"] == 100
    assert unit.logged("output.underrun") == []


def test_parking_brake_and_headlights_are_known(boot):
    unit = car_with_wires(boot, headlight_line="")
    # Without the GPIO chip, the state of each wire is unknown, and the log says why.
    unit.wait_for_log("car.line-failed", "parking")
    unit.wait_until(json_matches("status", '"parked": "unknown"'))
    wires = CarWires(unit, active=("IGNITION", "PARKING"))
    unit.wait_until(json_matches("status", '"parked": "yes"'))
    wires.move("PARKING", False)
    unit.wait_until(json_matches("status", '"parked": "no"'))
    day = unit.wait_for_picture(lambda picture: not picture.is_plain())
    # The colours follow the headlights as soon as the configuration contains `headlight-line`. The screen reads the
    # configuration again when the daemon returns.
    unit.shell("sed -i 's/^headlight-line.*/headlight-line = HEADLIGHTS/' /data/autoharp.conf && "
               "systemctl restart autoharp.service")
    wires.wait_until_used("headlights")
    wires.move("HEADLIGHTS", True)
    unit.wait_until(json_matches("status", '"headlights": "on"'))
    night = unit.wait_for_picture(lambda picture: picture.brightness() < 80)
    wires.move("HEADLIGHTS", False)
    unit.wait_for_picture(lambda picture: picture.brightness() > night.brightness() + 40)
    assert day.width == night.width


def test_amplifier_at_a_line_is_muted_until_the_card_plays_and_read_back(boot):
    unit = car_with_wires(boot, amplifier="gpio:AMP_MUTE")
    unit.wait_until(f"{DIAGNOSE} | grep -q amplifier.unreadable")
    wires = CarWires(unit, active=("IGNITION",))
    level = wires.level("AMP_MUTE")
    unit.shell("systemctl stop autoharp.service")
    # Record the changes of the line from now on. The loop runs in a subshell, so that the shell of the test does not
    # report the end of the job.
    unit.shell(f"rm -f /run/levels /run/end; (last=; while test ! -e /run/end; do read now <{level}; "
               "test \"$now\" = \"$last\" || echo $now >>/run/levels; last=$now; done &)")
    unit.shell("systemctl start autoharp.service")
    unit.wait_until_playing()
    unit.wait_until(f"test $(cat {level}) = 0 && test $(tail -n 1 /run/levels) = 0")
    unit.shell("touch /run/end")
    # The amplifier is muted (1) when the daemon starts, and is on (0) when the card plays.
    assert unit.shell("cat /run/levels").split() == ["0", "1", "0"]
    unit.wait_until(f"{DIAGNOSE} | grep -q amplifier.switch")


def switch_off_and_on(unit: HeadUnit, wires: CarWires, seconds: float) -> None:
    """Switches the ignition off for some seconds of the machine's clock. The music must pause, and continue where it
    was."""
    position = unit.sound().last_position_in(song())
    before = len(unit.logged("ignition.off"))
    wires.move("IGNITION", False)
    wait_for(unit, "interrupted")
    heard = len(unit.sound())
    unit.shell(f"sleep {seconds:.2f}")
    wires.move("IGNITION", True)
    unit.wait_until_playing()
    unit.wait_for_sound(len(unit.sound().from_first_sound()) + SECOND)
    assert unit.sound().last_position_in(song()) > position
    assert len(unit.sound()) > heard
    assert len(unit.logged("ignition.off")) == before + 1
    # Apart from the fades at the pauses, the song was heard without a gap and without a repeated part.
    assert unit.logged("output.underrun") == []
    assert unit.failed_units() == []


def power_down_and_start(unit: HeadUnit, wires: CarWires) -> CarWires:
    """Switches the ignition off until the unit powers down. After the next start, the music must continue within one
    second of the last position."""
    wires.move("IGNITION", False)
    assert unit.machine.monitor.wait_for("SHUTDOWN")["data"]["reason"] == "guest-shutdown"
    position = unit.sound().last_position_in(song())
    unit.boot_again()
    unit.wait_until_booted()
    unit.wait_until_playing()
    [resumed] = unit.resumed_positions()
    assert abs(resumed - position / SECOND) <= 1
    unit.wait_for_sound(SECOND)
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("ignition")
    return wires


def test_ignition_off_and_on_at_random_moments_plays_on(boot):
    chance = random.Random(7)
    unit = car_with_wires(boot, ignition_off_delay="8 s")
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("ignition")
    for number in range(MOMENTS):
        if unit.sound().last_position_in(song()) > 120 * SECOND:
            unit.console("seek 10")
            unit.wait_for_sound(len(unit.sound().from_first_sound()) + SECOND)
        unit.shell(f"sleep {chance.uniform(0.1, 5):.2f}")
        # Every third time, the ignition stays off for longer than `ignition-off-delay`.
        if number % 3 == 2:
            wires = power_down_and_start(unit, wires)
        else:
            switch_off_and_on(unit, wires, chance.uniform(0.1, 5))
        print(f"{number + 1} of {MOMENTS}")


def test_contacts_that_bounce_for_less_than_50_ms_change_nothing(boot):
    unit = car_with_wires(boot)
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("ignition")
    before = len(unit.logged("ignition.off"))
    unit.shell(f"for i in 1 2 3 4 5 6 7 8 9 10; do echo pull-down >{wires.pull('IGNITION')}; "
               f"echo pull-up >{wires.pull('IGNITION')}; done")
    # When the daemon reports a later, lasting change of another line, it has had the time to see the bouncing.
    wires.move("REVERSE", True)
    unit.wait_until(json_matches("status", '"reverse": "on"'))
    assert len(unit.logged("ignition.off")) == before


def test_power_hold_stays_active_while_the_daemon_is_down_and_is_inactive_at_the_end(boot):
    unit = car_with_wires(boot, power_hold_line="POWER_HOLD")
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("power hold")
    level = wires.level("POWER_HOLD")
    assert unit.shell(f"cat {level}") == "1"
    # The loop runs in a subshell, so that the shell of the test does not report the end of the job.
    unit.shell(f"rm -f /run/dropped /run/end; (while test ! -e /run/end; do read level <{level}; "
               "test $level = 1 || echo $level >>/run/dropped; done &)")
    killed = unit.main_pid()
    unit.shell(f"kill -9 {killed}")
    unit.wait_until(f"test $(systemctl show --property=MainPID --value autoharp.service) != {killed}")
    wires.wait_until_used("power hold")
    unit.shell("systemctl restart autoharp.service")
    wires.wait_until_used("power hold")
    unit.shell("systemctl stop autoharp.service")
    assert unit.shell(f"cat {level}") == "1"
    unit.shell("systemctl start autoharp.service")
    wires.wait_until_used("power hold")
    unit.shell("touch /run/end; ! test -e /run/dropped")
    # systemd stores only one descriptor of the line, also after several starts of the daemon.
    assert unit.shell("systemctl show --property=NFileDescriptorStore --value autoharp.service") == "1"
    unit.shell("echo 8 >/proc/sys/kernel/printk")
    console = unit.machine.lines["console"]
    unit.shell("systemctl --no-block poweroff")
    console.wait_for(r"release-power: gpiochip\d+ 7 is inactive")
    assert unit.machine.monitor.wait_for("SHUTDOWN")["data"]["reason"] == "guest-shutdown"


def test_ignition_that_is_on_again_during_the_power_down_restarts_the_unit(boot):
    unit = car_with_wires(boot, reboots=True, ignition_off_delay="1 s", power_hold_line="POWER_HOLD")
    wires = CarWires(unit, active=("IGNITION",))
    wires.wait_until_used("ignition", "power hold")
    # The daemon writes this file when it requests the power-down, which cannot be cancelled. The command runs in a
    # systemd unit without the default dependencies, which systemd does not stop before the end of the power-down.
    unit.shell("systemd-run --quiet -p DefaultDependencies=no busybox sh -c 'until test -s /run/autoharp/ignition; do "
               f"sleep 0.02; done; echo pull-up >{wires.pull('IGNITION')}'")
    wires.move("IGNITION", False)
    # The test does not wait for the message of release-power: with PREEMPT_RT, the kernel can restart before it has
    # printed everything.
    unit.wait_for_restart()
    unit.wait_until_booted()
    unit.wait_until_playing()


def test_knob_at_two_lines_loses_no_step_and_its_button_acts(boot):
    data = on_data({f"{number}.flac": track(number) for number in (1, 2)},
                   key="KEY_PLAYPAUSE next on Encoder", **ENCODER)
    unit = boot(data=data | modules())
    unit.wait_until_booted()
    unit.wait_for_files(2)
    wires = CarWires(unit, active=("ENCODER_A", "ENCODER_B", "ENCODER_PUSH"))
    unit.wait_until(json_matches("status", '"encoder": "ready"'))
    unit.console("volume 20")
    before = unit.ask("now")["volume"]
    # 20 clicks in 100 ms are more than a hand can do.
    assert wires.turn(20) <= 0.1
    unit.wait_until(json_matches("now", f'"volume": {before + 50}'))
    assert wires.turn(-20) <= 0.1
    unit.wait_until(json_matches("now", f'"volume": {before}'))
    unit.console("play")
    wait_for_title(unit, 1)
    wires.move("ENCODER_PUSH", False)
    wires.move("ENCODER_PUSH", True)
    wait_for_title(unit, 2)
    assert unit.ask("now")["title"] == title(2)

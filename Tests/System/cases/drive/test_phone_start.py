"""After a power cut the unit waits for the phone that played, and never begins its own music instead."""

from __future__ import annotations

from car import LENGTH, car, json_matches, wait_for, wait_for_title
from driving import SECOND, WINDOW, full_volume, is_tone, phone_of, source_of, times, tone, wait_for_tone
from headunit import HeadUnit
from sound import FADED, PROBE, noise
from source_phone import SourcePhone

HERTZ = 400  # the tone that the phone plays


def unit_without_power(boot, radio, **settings) -> tuple[HeadUnit, SourcePhone]:
    """A unit whose power was cut while a phone played. The unit's own music had played before."""
    unit = car(boot, radio, log_level="debug", **settings)
    full_volume(unit)
    phone = phone_of(unit)
    unit.console("play")
    unit.wait_for_sound(SECOND)
    phone.load(tone(HERTZ), repeats=True)
    phone.play()
    wait_for_title(unit, phone.track.title)
    wait_for_tone(unit, HERTZ)
    # The saved state contains 1 for "the phone played", then the length of the address (17), and then the address.
    unit.wait_until(rf"tr '\001\021' pn </data/autoharp/state | grep -q pn{phone.address}")
    unit.cut_power()
    phone.wait_until_disconnected()
    phone.show("paused")  # a phone that loses its loudspeaker pauses
    return unit, phone


def test_phone_that_played_when_the_power_was_cut_is_called_and_plays_on(boot, radio):
    """The power is cut while the phone plays. At the next start, the unit calls the phone within five seconds and tells
    it to play. Until the phone plays, the driver hears nothing."""
    unit, phone = unit_without_power(boot, radio)
    unit.boot_again()
    phone.wait_until_connected(timeout=600)
    phone.wait_for(lambda: "play up" in phone.pressed())
    assert phone.pressed() == ["play", "play up"]
    wait_for_title(unit, phone.track.title)
    wait_for_tone(unit, HERTZ)
    assert unit.ask("now")["source"] == source_of(phone)
    wait_for(unit, "playing")

    power = times(unit, "bluetooth.adapter-power: ")[0]
    called = times(unit, "bluetooth.connecting: ")[0]
    connected = times(unit, "bluetooth.controls: ")[0]
    streamed = times(unit, "phone.stream-began: ")[0]
    print(f"the radio is on after {power:.2f} s. From then on, the unit calls the phone after {called - power:.2f} s, "
          f"has its remote control after {connected - power:.2f} s, and its stream after {streamed - power:.2f} s")
    assert 0 <= called - power < 5
    unit.switch_off()
    # The first sound can be a fade.
    assert is_tone(unit.sound().from_first_sound()[FADED : FADED + WINDOW], HERTZ)


def test_unit_stays_silent_if_the_phone_that_played_does_not_come(boot, radio):
    """The power is cut while the phone plays, and the phone is away at the next start. The unit shows that it waits for
    the phone. Later it offers its own music, which begins only when the driver presses play."""
    unit, phone = unit_without_power(boot, radio, start="play", phone_wait="30 s")
    phone.leave_range()
    unit.boot_again()
    unit.wait_until(json_matches("now", '"status": "buffering"'))
    shown = unit.ask("now")
    assert (shown["title"], shown["source"]) == (phone.name, source_of(phone))
    assert unit.status() == "buffering"
    begin = times(unit, "unit.started: ")[0]
    # Each poll takes long under emulation, so poll only every two seconds.
    unit.shell(f"until ! {json_matches('now', 'buffering')}; do sleep 2; done")
    waited = unit.uptime() - begin
    print(f"the unit has waited for {waited:.1f} s")
    assert 30 <= waited < 40
    offered = unit.ask("now")
    assert offered["status"] in ("stopped", "paused")
    assert offered["source"] == "local"
    assert offered["commands"]["play"]

    # No music begins by itself, also after the unit has called the phone again.
    unit.shell("sleep 10")
    assert unit.status() == offered["status"]
    assert len(unit.sound().from_first_sound()) == 0
    unit.console("play")
    wait_for(unit, "playing")
    heard = unit.wait_for_sound(2 * SECOND)[SECOND : SECOND + PROBE]
    assert any(noise(LENGTH, seed=number).find(heard) >= 0 for number in (1, 2, 3))


def test_music_of_the_phone_plays_on_after_the_daemon_was_killed(boot, radio):
    """The phone plays, and the daemon crashes. The next daemon waits for the phone, which continues to play by
    itself."""
    unit = car(boot, radio)
    full_volume(unit)
    phone = phone_of(unit)
    phone.load(tone(HERTZ), repeats=True)
    phone.play()
    wait_for_title(unit, phone.track.title)
    wait_for_tone(unit, HERTZ)
    unit.wait_until(rf"tr '\001\021' pn </data/autoharp/state | grep -q pn{phone.address}")
    begin = unit.uptime()
    unit.shell("systemctl kill --signal=KILL autoharp.service")
    unit.wait_until("! " + json_matches("now", '"status": "playing"'))
    phone.show("paused")  # a phone that loses its loudspeaker pauses
    wait_for(unit, "playing")
    heard = len(unit.sound().from_first_sound())
    sound = unit.wait_for_sound(heard + 2 * SECOND)
    assert is_tone(sound[len(sound) - WINDOW :], HERTZ)
    print(f"the phone plays again {unit.uptime() - begin:.1f} s after the daemon was killed")
    assert unit.ask("now")["source"] == source_of(phone)
    assert phone.pressed()[-2:] == ["play", "play up"]

"""Two phones and the unit's own music take turns: the unit plays the source that a person has started last."""

from __future__ import annotations

from car import LENGTH, car, json_matches, title, wait_for, wait_for_title
from driving import SECOND, WINDOW, full_volume, phone_of, resumed_at, source_of, tone, tone_in, wait_for_tone
from headunit import HeadUnit
from sound import difference, flac, noise
from source_phone import SourcePhone


def wait_for_source(unit: HeadUnit, phone: SourcePhone) -> None:
    unit.wait_until(json_matches("now", f'"source": "{source_of(phone)}","status": "playing"'))


def test_phone_that_starts_last_is_heard_and_one_that_returns_plays_again(boot, radio):
    """Two people play music on their phones. The phone that starts last is heard, and the other phone pauses. When the
    playing phone leaves the range, the unit is silent. After this phone has come back, it can play as before."""
    unit = car(boot, radio)
    full_volume(unit)
    first, second = phone_of(unit, 1), phone_of(unit, 2)
    hertz = {first: 400, second: 700}
    for phone in hertz:
        phone.load(tone(hertz[phone]), repeats=True)
    first.play()
    wait_for_source(unit, first)
    wait_for_tone(unit, hertz[first])
    for starting, other in [(second, first), (first, second)]:
        keys = len(other.keys)
        begin = len(unit.sound())
        starting.play()
        other.wait_for_keys("pause", "pause up", since=keys)
        wait_for_source(unit, starting)
        wait_for_tone(unit, hertz[starting], begin)
        other.wait_for(lambda: other.shown == "paused")
        assert starting.shown == "playing"
    assert second.pressed() == ["pause", "pause up"]
    assert first.pressed() == ["pause", "pause up"]

    first.leave_range()
    first.wait_until_disconnected()
    unit.wait_for_log("bluetooth.disconnected", first.address)
    unit.wait_until("! " + json_matches("now", '"status": "playing"'))
    first.show("paused")  # a phone that loses its loudspeaker pauses
    begin = len(unit.sound())
    unit.shell("sleep 3")
    assert not any(unit.sound()[begin + SECOND :].data)
    assert second.shown == "paused"

    first.return_to_range()
    first.wait_until_connected()  # the unit connects, because the phone does not
    assert unit.status() != "playing"
    begin = len(unit.sound())
    first.play()
    wait_for_source(unit, first)
    wait_for_tone(unit, hertz[first], begin)
    assert second.pressed() == ["pause", "pause up"]


def test_source_on_the_console_chooses_the_phone_and_the_music_of_the_unit(boot, radio):
    """A driver chooses the phone while music of the unit plays, and the phone plays. The driver chooses the music of
    the unit, and the phone pauses. The music continues at its last position, and the phone stays connected."""
    song = noise(LENGTH, seed=1)
    unit = car(boot, radio, {"1.flac": flac(song, tags={"TITLE": title(1)})})
    full_volume(unit)
    phone = phone_of(unit)
    unit.wait_until(json_matches("library", '"condition": "ready","songs": 1,'))
    unit.console("play")
    unit.wait_for_sound(3 * SECOND)
    phone.load(tone(400), repeats=True)
    unit.console(f"source {phone.name}")
    phone.wait_for_keys("play", "play up")
    wait_for_source(unit, phone)
    wait_for_tone(unit, 400)

    unit.console("source music")
    phone.wait_for_keys("pause", "pause up", since=2)
    wait_for_title(unit, 1)
    wait_for(unit, "playing")
    phone.wait_for(lambda: phone.shown == "paused")
    unit.shell("sleep 3")  # so that enough of the music is heard to find it in the captured sound
    unit.wait_until(json_matches("now", f'"status": "playing","title": "{title(1)}"'))
    assert phone.is_connected()
    assert phone.pressed() == ["play", "play up", "pause", "pause up"]
    unit.switch_off()
    heard = unit.sound()
    begin = tone_in(heard, 400)
    left = heard[:begin].last_position_in(song)
    assert difference(song[:left], heard) is None
    assert abs(resumed_at(song, heard[begin:], left + SECOND) - left) < SECOND / 10


def test_prompt_of_the_phone_is_heard_over_the_music_of_the_unit(boot, radio):
    """The phone speaks a navigation prompt: it streams without the status *playing*. The music of the unit becomes
    quieter, continues, and is loud again when the phone is silent."""
    unit = car(boot, radio, {"1.flac": flac(tone(400, 120), tags={"TITLE": title(1)})})
    full_volume(unit)
    phone = phone_of(unit)
    unit.console("play")
    wait_for_tone(unit, 400)
    elapsed = unit.ask("now")["elapsed"]
    phone.load(tone(700), repeats=True)
    phone.start_stream()
    # The music is lowered by 14 dB, so most of the energy belongs to the prompt.
    wait_for_tone(unit, 700)
    shown = unit.ask("now")
    assert (shown["source"], shown["status"]) == ("local", "playing")
    phone.suspend_stream()
    ended = tone_in(unit.sound(), 700)
    wait_for_tone(unit, 400, ended)
    shown = unit.ask("now")
    assert (shown["source"], shown["status"]) == ("local", "playing")
    assert shown["elapsed"] > elapsed
    assert phone.pressed() == []
    # The prompt was mixed with the music: no part of its last second is silent.
    heard = unit.sound()
    assert all(any(heard[at : at + WINDOW].data) for at in range(ended - SECOND, ended, WINDOW))

"""Two phones and the unit's own music take turns: the last one that a person starts is heard."""

from __future__ import annotations

from car import car, json_matches
from driving import SECOND, full_volume, phone_of, source_of, tone, wait_for_tone
from headunit import HeadUnit
from source_phone import SourcePhone


def wait_for_source(unit: HeadUnit, phone: SourcePhone) -> None:
    unit.wait_until(json_matches("now", f'"source": "{source_of(phone)}","status": "playing"'))


def test_phone_that_starts_last_is_heard_and_one_that_returns_plays_again(boot, radio):
    """Two people play music on their phones. The phone that starts last is heard, and the other one pauses. A phone
    that leaves the range leaves silence. After it has come back, it plays as before."""
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

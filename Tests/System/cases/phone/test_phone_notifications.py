"""A phone reads correct values. The unit notifies the phone of each change, and of nothing else."""

from __future__ import annotations

import re
import time

import pytest

from car import (ALBUM, ARTIST, LENGTH, album, car, pair, title, wait_for, wait_for_phones,
                 wait_for_title)
from daemon import on_data
from headunit import HeadUnit
from machine import TIMEOUT
from phone import Phone
from scripted import ScriptedSource

POSITION_TOLERANCE = 0.2  # seconds
# The identifier of the track if no track is selected (AVRCP 1.6.2, 6.7.2).
NO_TRACK = 0xFFFFFFFFFFFFFFFF


def assert_position_is_correct(unit: HeadUnit, phone: Phone) -> None:
    """Checks that the phone and the unit have the same position. The tolerance is `POSITION_TOLERANCE` plus the
    duration of the query on the host's clock. The machine's clock does not advance by more than this
    duration during the query."""
    if unit.status() != "playing":
        assert abs(phone.position() - unit.ask("now")["elapsed"]) <= POSITION_TOLERANCE
        return
    # The console shows whole seconds, without a delay. At the moment when the second changes, the exact position
    # is known.
    begin = requested = time.monotonic()
    old = seconds_played(unit)
    while True:
        now = time.monotonic()
        if (seconds := seconds_played(unit)) != old:
            break
        assert now < begin + TIMEOUT, f"the position stays at {old} s"
        requested = now
    shown = phone.position()
    took = time.monotonic() - requested
    assert seconds - POSITION_TOLERANCE <= shown <= seconds + took + POSITION_TOLERANCE, (seconds, shown, took)


def seconds_played(unit: HeadUnit) -> int:
    line = re.search(r"^time +(\d+):(\d+)", unit.console("now"), re.MULTILINE)
    return 60 * int(line[1]) + int(line[2])


def test_phone_is_notified_of_each_kind_of_change(boot, radio):
    unit = car(boot, radio, album(LENGTH, LENGTH, 6))
    phone = unit.phone()
    pair(unit, phone)
    assert phone.status() == "stopped" and phone.position() == 0
    assert phone.metadata()["title"] == title(1)

    unit.console("play")
    phone.wait_for_event("playback_status_changed", "playing")
    assert phone.metadata() == {
        "title": title(1), "artist_name": ARTIST, "album_name": ALBUM, "track_number": "1",
        "playing_time": str(LENGTH * 1000),
    }
    assert_position_is_correct(unit, phone)

    phone.forget_events()
    unit.console("pause")
    phone.wait_for_event("playback_status_changed", "paused")
    assert_position_is_correct(unit, phone)

    unit.console("seek 0:20")
    unit.wait_until("autoharp console --json now | grep -q '\"elapsed\": 20'")
    assert_position_is_correct(unit, phone)
    unit.console("play")
    wait_for(unit, "playing")
    assert_position_is_correct(unit, phone)
    unit.console("seek 0:05")
    unit.wait_until("autoharp console --json now | grep -q '\"elapsed\": [56]'")
    assert_position_is_correct(unit, phone)
    # The unit reports each jump once, and never as fast forward or rewind.
    statuses = [event.value for event in phone.events("playback_status_changed")]
    assert statuses == ["paused", "paused", "playing", "playing"]

    phone.forget_events()
    unit.console("next")
    phone.wait_for_event("track_changed")
    wait_for_title(unit, 2)
    assert phone.metadata()["title"] == title(2)
    assert_position_is_correct(unit, phone)

    # The next track is the last track of the queue, and lasts 6 s.
    phone.forget_events()
    unit.console("next")
    phone.wait_for_event("track_changed")
    assert phone.metadata() | {"playing_time": "6000"} == phone.metadata()
    phone.wait_for_event("playback_status_changed", "stopped")
    assert unit.status() == "stopped"
    assert phone.status() == "stopped"


def test_new_cover_sends_no_event_and_advertisements_are_not_counted(boot, radio, image):
    if not image.scripted_source.exists():
        pytest.skip("the test programs are missing; `board/build-image --test-programs` builds them")
    unit = boot(radio=radio, data=on_data() | ScriptedSource.files(image))
    wait_for_phones(unit)
    phone = unit.phone()
    pair(unit, phone)
    phone.disconnect()
    phone.wait_until_disconnected()
    source = ScriptedSource(unit)
    source("track Song 100 30+3")
    source("play")
    phone.connect()
    assert phone.status() == "playing"
    metadata = phone.metadata()
    assert metadata["title"] == "Song" and metadata["playing_time"] == "97000"

    # If the unit reported a change of the cover, this event would come before the event of the seek.
    source("cover first")
    phone.forget_events()
    source("cover second")
    source("seek 29")
    phone.wait_for_event("playback_status_changed", "playing")
    assert [event.name for event in phone.events()] == ["playback_status_changed"]
    assert phone.metadata() == metadata

    def position_error() -> float:
        """Distance, in seconds, between the position that the phone reads and the range of true positions
        during the query. The distance is 0 if the position is inside the range."""
        begin, shown, end = source.elapsed(), phone.position(), source.elapsed()
        return max(begin - shown, shown - end, 0)

    assert position_error() <= POSITION_TOLERANCE
    # BlueZ advances the position during the advertisement too, so the unit corrects the position each second.
    deadline = time.monotonic() + TIMEOUT
    while source.elapsed() < 30:
        assert time.monotonic() < deadline, "the advertisement did not begin"
    within = []
    while source.elapsed() == 30:
        assert time.monotonic() < deadline, "the advertisement did not end"
        within.append(phone.position() - 30)
    print("seconds beyond the content within the advertisement:", max(within))
    assert len(within) > 5 and max(within) < 1 + 2 * POSITION_TOLERANCE, within
    assert position_error() <= POSITION_TOLERANCE
    assert phone.status() == "playing"


def test_no_track_is_reported_again_after_a_track(boot, radio, image):
    if not image.scripted_source.exists():
        pytest.skip("`board/build-image --test-programs` builds what it needs")
    unit = boot(radio=radio, data=on_data() | ScriptedSource.files(image))
    wait_for_phones(unit)
    phone = unit.phone()
    pair(unit, phone)
    phone.disconnect()
    phone.wait_until_disconnected()
    source = ScriptedSource(unit)
    source("nothing")
    phone.connect()
    phone.wait_for(lambda: phone.current.get("TRACK_CHANGED") == NO_TRACK)
    source("track Song 100")
    phone.wait_for_event("track_changed", 0)
    assert phone.metadata()["title"] == "Song"
    phone.forget_events()
    source("nothing")
    phone.wait_for_event("track_changed", NO_TRACK)
    assert phone.metadata() == {}
    # A phone that connects now also reads that no track is selected.
    phone.disconnect()
    phone.wait_until_disconnected()
    phone.connect()
    phone.wait_for(lambda: phone.current.get("TRACK_CHANGED") == NO_TRACK)
    phone.forget_events()
    source("track Song 100")
    phone.wait_for_event("track_changed", 0)
    assert phone.metadata()["title"] == "Song"


def test_steady_playback_sends_no_event(boot, radio):
    unit = car(boot, radio, album(600))
    phone = unit.phone()
    pair(unit, phone)
    phone.press("play")
    phone.wait_for_event("playback_status_changed", "playing")
    unit.shell("sleep 5")  # until the notifications of the start have arrived
    phone.forget_events()
    for _ in range(5):
        unit.shell("sleep 60")
        assert_position_is_correct(unit, phone)
    assert phone.events() == []
    assert phone.status() == "playing"


def test_repeat_and_shuffle_are_equal_on_phone_and_unit(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    assert phone.settings() == {"repeat": "off", "shuffle": "off"}
    for ours, theirs in [("one", "track"), ("all", "all"), ("off", "off")]:
        phone.forget_events()
        unit.console(f"repeat {ours}")
        phone.wait_for_event("player_application_setting_changed")
        assert phone.settings()["repeat"] == theirs
    for ours, theirs in [("all", "all"), ("one", "track"), ("off", "off")]:
        phone.set_repeat(theirs)
        unit.wait_until(f"autoharp console --json now | grep -q '\"repeat\": \"{ours}\"'")
        assert phone.settings()["repeat"] == theirs
    phone.set_shuffle("on")
    unit.wait_until("! autoharp console --json now | grep -q '\"shuffle\": \"off\"'")
    assert phone.settings()["shuffle"] == "on"
    phone.forget_events()
    unit.console("shuffle off")
    phone.wait_for_event("player_application_setting_changed")
    assert phone.settings()["shuffle"] == "off"


def test_two_phones_get_the_same_events_and_can_both_control(boot, radio):
    unit = car(boot, radio)
    first, second = unit.phone(1), unit.phone(2)
    pair(unit, first)
    pair(unit, second)
    first.press("play")
    for phone in (first, second):
        phone.wait_for_event("playback_status_changed", "playing")
        assert_position_is_correct(unit, phone)
        phone.forget_events()
    second.press("forward")
    for phone in (first, second):
        phone.wait_for_event("track_changed")
        assert phone.metadata()["title"] == title(2)
    first.leave_range()
    second.press("pause")
    second.wait_for_event("playback_status_changed", "paused")
    second.press("play")
    wait_for(unit, "playing")
    second.disconnect()
    second.wait_until_disconnected()
    assert unit.status() == "playing", "a disconnected phone paused playback"

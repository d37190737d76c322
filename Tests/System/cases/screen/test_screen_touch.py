"""The effects of touches on the screen are heard, shown on the console, and reported to phones."""

from __future__ import annotations

import time

import pytest

from car import LENGTH, bonded, car, json_matches, pair, title, track, wait_for, wait_for_title
from daemon import on_data
from devices import plain
from driving import phone_of
from headunit import HeadUnit
from machine import TIMEOUT
from reference_painter import BAR, CLOCK, ReferencePainter
from phone import Refused
from png import png
from sound import flac, noise

# Positions on the screen at 800 × 480, as in playing.txt and pairing.txt of Tests/Screen/ScreenLayoutTests/Goldens.
# SHUFFLE, REPEAT and HEART are the positions of three buttons.
PREVIOUS, PLAY, NEXT = (479, 348), (596, 348), (713, 348)
SHUFFLE, REPEAT, HEART = (484, 432), (596, 432), (708, 432)
UP_NEXT, CORNER, SECOND_ROW = (609, 44), (736, 44), (300, 220)
# Positions on the pages behind the corner: library.txt, albums.txt and album-page.txt.
ALBUMS, FIRST_COVER, FIRST_ENTRY, PLAY_ALL = (455, 322), (212, 164), (480, 140), (232, 328)
ARTIST, PAIR = (500, 180), (596, 312)
REJECT, ACCEPT = (244, 404), (556, 404)
TRACK = (424, 249, 344)  # left edge, centre line and length of the bar
# Positions on the pages of phones.txt, phone-page.txt and forget-phone.txt.
PHONE_TAB, FIRST_ROW, PLAY_PHONE, CONNECTION, FIRST_CHOICE, FORGET, YES = (
    (64, 228), (300, 140), (296, 149), (616, 149), (296, 272), (616, 272), (620, 404))
ADD_PHONE = (456, 404)  # on the page without a phone
SECOND = 44100


def wait_for_touch(unit: HeadUnit) -> None:
    """Waits for the touch device, because udev starts late."""
    unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Tablet", unit="autoharp-screen")


def ready(boot, data: dict[str, bytes], files: int) -> HeadUnit:
    """A head unit that has found this number of files on /data and accepts touches."""
    unit = boot(data=data)
    unit.wait_until_booted()
    unit.wait_for_files(files)
    wait_for_touch(unit)
    return unit


def wait_for_silence(unit: HeadUnit) -> None:
    """Waits until the most recent second of the captured sound is silent."""
    deadline = time.monotonic() + TIMEOUT
    unit.shell("sleep 1.5")
    while any(unit.sound()[-SECOND:].data):
        assert time.monotonic() < deadline, "the last second is not silent"
        unit.shell("sleep 0.5")  # polls, because no event reports that a file of another process grows


def wait_until_heard(unit: HeadUnit, number: int, since: int) -> None:
    """Waits until the sound from frame `since` on contains the start of this track. The first quarter of a second is
    not compared, because it can have a fade."""
    beginning = noise(LENGTH, seed=number)[SECOND // 4 : SECOND // 2]
    for _ in range(10):
        unit.wait_for_sound(len(unit.sound().from_first_sound()) + SECOND // 2)
        if unit.sound().find(beginning, since) >= 0:
            return
    raise AssertionError(f"track {number} was not heard")


def test_touch_on_each_button_changes_sound_console_and_phone(boot, radio):
    unit = car(boot, radio)
    phone = unit.phone()
    pair(unit, phone)
    wait_for_touch(unit)
    # At full volume the played samples are the samples of the files.
    unit.console("volume 100")

    unit.touch(*PLAY)
    phone.wait_for_event("playback_status_changed", "playing")
    wait_for(unit, "playing")
    unit.wait_for_sound(SECOND)

    phone.forget_events()
    unit.touch(*PLAY)
    phone.wait_for_event("playback_status_changed", "paused")
    assert unit.status() == "paused"
    wait_for_silence(unit)
    unit.touch(*PLAY)
    phone.wait_for_event("playback_status_changed", "playing")

    phone.forget_events()
    heard = len(unit.sound())
    unit.touch(*NEXT)
    wait_until_heard(unit, 2, heard)
    wait_for_title(unit, 2)
    phone.wait_for_event("track_changed")
    assert phone.metadata()["title"] == title(2)
    unit.console("seek 0")  # later in a track, `previous` goes to the start of the same track
    phone.forget_events()
    heard = len(unit.sound())
    unit.touch(*PREVIOUS)
    wait_until_heard(unit, 1, heard)
    wait_for_title(unit, 1)
    phone.wait_for_event("track_changed")
    assert phone.metadata()["title"] == title(1)

    phone.forget_events()
    unit.touch(*REPEAT)
    phone.wait_for_event("player_application_setting_changed")
    assert unit.ask("now")["repeat"] == "all" and phone.settings()["repeat"] == "all"
    unit.touch(*SHUFFLE)
    unit.wait_until("! autoharp console --json now | grep -q '\"shuffle\": \"off\"'")
    assert phone.settings()["shuffle"] == "on"
    unit.touch(*SHUFFLE)
    unit.wait_until("autoharp console --json now | grep -q '\"shuffle\": \"off\"'")

    for count in (1, 0):
        unit.touch(*HEART)
        unit.wait_until(f"autoharp console --json playlist favourites | grep -q '\"count\": {count},\"rows\"'")

    # The button Up Next belongs to the template. The screen handles this button itself, and shows the list.
    unit.shell("autoharp console trace on >/run/trace 2>&1 </dev/null &")
    before = unit.picture()
    unit.touch(*UP_NEXT)
    rows = unit.wait_for_change(before, 50_000, [BAR])
    unit.wait_until("grep 'upNext' /run/trace | grep -q success")
    unit.touch(*SECOND_ROW)
    wait_for_title(unit, 2)
    # The list of the next tracks stays open, and the mark moves to another row. The button Up Next closes the list.
    marked = unit.wait_for_change(rows, 5_000)
    unit.touch(*UP_NEXT)
    unit.wait_for_change(marked, 150_000)

    # The artist's name opens the page of the artist, which lists the album. The page of the album lists the songs. The
    # corner leads back.
    playing = unit.picture()
    unit.console("pause")
    before = unit.wait_for_change(playing, 100, [BAR, CLOCK])
    unit.touch(*ARTIST)
    unit.wait_for_change(before, 50_000, [CLOCK])
    unit.touch(*CORNER)
    unit.wait_for_same(before, [CLOCK], 5_000)
    unit.touch(*ARTIST)
    artist = unit.wait_for_change(before, 50_000, [CLOCK])
    unit.touch(*FIRST_ENTRY)
    unit.wait_for_change(artist, 5_000, [CLOCK])
    unit.touch(*FIRST_ENTRY)
    wait_for_title(unit, 1)
    assert unit.failed_units() == []


def test_album_is_chosen_by_touch_and_heard(boot):
    """A driver opens the library with the corner, and plays an album."""
    unit = ready(boot, on_data({f"{number}.flac": track(number) for number in (1, 2)}), 2)
    unit.console("volume 100")
    unit.wait_until("autoharp console --json library | grep -q '\"songs\": 2'")
    before = unit.wait_for_picture(lambda picture: not picture.is_plain())
    for place in (CORNER, ALBUMS, FIRST_COVER):
        unit.touch(*place)
        before = unit.wait_for_change(before, 5_000, [BAR, CLOCK])
    since = len(unit.sound())
    unit.touch(*PLAY_ALL)
    wait_for(unit, "playing")
    wait_until_heard(unit, 1, since)
    assert unit.failed_units() == []


def test_phone_is_played_connected_and_forgotten_by_touch(boot, radio):
    """A driver uses a bonded phone with one finger, while music of the unit plays."""
    unit = car(boot, radio)
    phone = phone_of(unit)
    phone.load(noise(5, seed=23), repeats=True)
    wait_for_touch(unit)
    unit.console("play")
    wait_for(unit, "playing")
    assert unit.ask("now")["title"] == title(1)

    def touch(*places: tuple[int, int]) -> None:
        for place in places:
            before = unit.picture()
            unit.touch(*place)
            unit.wait_for_change(before, 2_000, [BAR, CLOCK])

    touch(CORNER, PHONE_TAB, FIRST_ROW)
    unit.touch(*PLAY_PHONE)
    phone.wait_for_keys("play", "play up")
    unit.wait_until(json_matches("now", f'"source": "phone-{phone.address}"'))
    wait_for(unit, "playing")

    # Now Playing is shown again. The corner leads to the library.
    touch(CORNER, PHONE_TAB, FIRST_ROW)
    unit.touch(*FIRST_CHOICE)
    unit.wait_until(json_matches("bt phones", '"isFirstChoice": true'))
    unit.touch(*CONNECTION)
    phone.wait_until_disconnected()
    unit.wait_until(json_matches("bt phones", '"isConnected": false'))
    unit.touch(*CONNECTION)
    phone.wait_until_connected()
    touch(FORGET, YES)
    phone.wait_until_disconnected()
    assert bonded(unit) == []
    assert unit.failed_units() == []


def test_phone_can_be_added_with_three_presses_while_music_plays(boot, radio):
    unit = car(boot, radio)
    wait_for_touch(unit)
    unit.console("play")
    wait_for(unit, "playing")
    for place in (CORNER, PHONE_TAB, ADD_PHONE):
        before = unit.picture()
        unit.touch(*place)
        unit.wait_for_change(before, 2_000, [BAR, CLOCK])
    unit.wait_until(json_matches("bt", '"pairable": "yes"'))
    heard = len(unit.sound())
    unit.wait_for_sound(heard + SECOND)
    assert unit.ask("now")["status"] == "playing"


def test_touch_on_the_empty_screen_opens_the_pairing_window(boot, radio):
    unit = car(boot, radio, {})
    wait_for_touch(unit)
    unit.touch(*PAIR)
    unit.wait_until(json_matches("bt", '"pairable": "yes"'))


def test_hold_drag_and_swipe_seek_and_change_the_track(boot):
    length = 2 * LENGTH
    unit = ready(boot, on_data({f"{number}.flac": track(number, length) for number in (1, 2)}), 2)
    unit.console("play")
    unit.wait_for_sound(SECOND)
    # While a finger stays on the button, the unit fast-forwards. It does not go to the next track.
    unit.touch(*NEXT, held=True)
    unit.wait_until(json_matches("now", '"status": "seekingForward"'))
    unit.touch(*NEXT, held=False)
    wait_for(unit, "playing")
    assert unit.ask("now")["title"] == title(1)
    unit.console("pause")
    wait_for(unit, "paused")
    # Playback is paused, so that only the touch changes the position.
    left, y, width = TRACK
    unit.touch(left + width // 4, y, held=True)
    unit.touch(left + 3 * width // 4, y, held=False)
    unit.wait_until(json_matches("now", '"elapsed": [56][0-9]'))
    assert unit.ask("now")["elapsed"] == pytest.approx(length * 3 / 4, abs=3)
    unit.touch(350, 150, held=True)
    unit.touch(60, 150, held=False)
    wait_for_title(unit, 2)


@pytest.mark.parametrize("place, is_accepted", [(ACCEPT, True), (REJECT, False)])
def test_pairing_request_is_shown_and_answered_by_touch(boot, radio, place, is_accepted):
    unit = car(boot, radio)
    wait_for_touch(unit)
    reference = ReferencePainter(unit)
    phone = unit.phone()
    unit.console("bt pair on")
    before = unit.picture()

    def compare_and_answer(number: str) -> bool:
        latest = reference.latest()
        assert latest.difference(before, [CLOCK]) > 10_000
        unit.wait_for_same(latest, [CLOCK])
        unit.touch(*place)
        return True

    if is_accepted:
        phone.pair(confirm=compare_and_answer)
        phone.wait_until_connected()
        assert bonded(unit) == [phone.address]
    else:
        with pytest.raises(Refused):
            phone.pair(confirm=compare_and_answer)
        assert bonded(unit) == []


def elapsed(now: dict) -> str:
    """The elapsed time as the console's JSON shows it."""
    return f'"elapsed": {now["elapsed"]}'


def test_configured_buttons_are_drawn_and_act(boot):
    song = noise(90, seed=1)
    folders = {f"{name[0]}/{name}.flac": flac(song, tags={"TITLE": name})
               for name in ("a1", "a2", "b1", "b2")}
    files = on_data(folders)
    files["autoharp.conf"] += (
        b"button = skipForward: forward 30 s\nbutton = harp: next-folder\nbutton = thumbsDown: dislike\n"
        b"button-picture = harp: M4 20V4h2v12.5C14 15 17.5 11 18 4h2c-.5 9-6 14.5-14 15.6z\n"
    )
    unit = ready(boot, files, 4)
    forward, harp, thumb = (484, 432), (596, 432), (708, 432)
    unit.console("play")
    unit.wait_for_sound(SECOND)
    unit.console("pause")
    before = unit.ask("now")
    assert before["title"] == "a1" and before["elapsed"] < 20
    unit.touch(*forward)
    # Playback is paused, so that only the touch changes the position.
    unit.wait_until(f"! {json_matches('now', elapsed(before))}")
    # At the request, the buffer of the sound card has up to 100 ms of sound. The tolerance includes this time.
    assert unit.ask("now")["elapsed"] == pytest.approx(before["elapsed"] + 30, abs=0.15)
    unit.touch(*harp)
    wait_for_title(unit, "b1")
    wait_for(unit, "playing")
    unit.console("pause")
    wait_for(unit, "paused")
    assert unit.ask("now")["dislike"] is False
    unit.touch(*thumb)
    unit.wait_until(json_matches("now", '"dislike": true'))
    latest = ReferencePainter(unit).latest()
    shown = unit.wait_for_same(latest, [CLOCK])
    for x, y in (forward, harp, thumb):
        area = shown.rows((x - 16, y - 16, 32, 32))
        assert len({row[3 * place : 3 * place + 3] for row in area for place in range(32)}) > 4


def test_button_of_each_kind_acts_and_shows_a_picture_from_a_file(boot):
    chime = noise(1, seed=77)
    files = on_data({f"{name}/{name}.flac": flac(noise(30, seed=5), tags={"TITLE": name})
                     for name in ("a", "b")}, chime="/data/chime.flac")
    files |= {"chime.flac": flac(chime), "gong.png": half_filled(48)}
    files["autoharp.conf"] += (
        b"button = rate\nbutton = add: volume 100\nbutton = more: next-folder\nbutton = gong: chime\n"
        b"button-picture = gong: /data/gong.png\n"
    )
    unit = ready(boot, files, 2)
    rate, add, more, gong = (440, 432), (544, 432), (648, 432), (752, 432)
    before = unit.ask("now")
    # Files have only one playback rate, so the button is grey.
    unit.touch(*rate)
    unit.shell("sleep 2")
    assert unit.ask("now") == before
    unit.touch(*add)
    unit.wait_until(json_matches("now", '"volume": 100'))
    # The music is paused, so only the chime is heard.
    unit.touch(*gong)
    unit.wait_for_sound(SECOND)
    assert unit.sound().find(chime[SECOND // 4 : SECOND // 2]) >= 0
    latest = ReferencePainter(unit).latest()
    shown = unit.wait_for_same(latest, [CLOCK])
    left, right = (shown.at(gong[0] + side, gong[1]) for side in (-7, 7))
    # The button is light at night and dark by day, so only the difference is tested.
    assert abs(max(left) - max(right)) > 60, "the left half must be filled, the right half empty"
    unit.touch(*more)
    wait_for_title(unit, "b")


def half_filled(side: int) -> bytes:
    """A PNG file with alpha whose left half is opaque."""
    row = b"\0" + b"\xff\xff\xff\xff" * (side // 2) + bytes(4 * (side // 2))
    return png(side, row * side, has_alpha=True)


def test_mouse_pointer_is_drawn_until_the_mouse_rests(boot):
    unit = boot(devices=[plain("virtio-mouse-pci")])
    unit.wait_until_booted()
    unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Mouse", unit="autoharp-screen")
    before = unit.wait_for_picture(lambda picture: not picture.is_plain())
    move = [{"type": "rel", "data": {"axis": axis, "value": 10}} for axis in ("x", "y")]
    unit.machine.monitor("input-send-event", events=move)
    shown = unit.wait_for_change(before, 100, [CLOCK])
    # The pointer is a dot, which starts in the middle of the screen. All other parts are equal.
    assert shown.difference(before, [CLOCK, (390, 230, 60, 60)]) == 0
    unit.wait_for_same(before, [CLOCK])


def test_keys_bound_to_the_focus_move_it_and_select(boot):
    files = on_data({"1.flac": track(1), "2.flac": track(2)})
    files["autoharp.conf"] += b"key = KEY_F5 focus-next\nkey = KEY_F6 select\n"
    unit = boot(data=files)
    unit.wait_until_booted()
    unit.wait_for_files(2)
    unit.wait_for_console("keys", r"QEMU Virtio Keyboard")
    # From the moment when the touch device is ready, only the test changes the picture.
    wait_for_touch(unit)
    before = unit.wait_for_picture(lambda picture: not picture.is_plain())
    button = (PLAY[0] - 60, PLAY[1] - 60, 120, 120)
    # The first key press only shows the focus, on the play button.
    unit.key("f5")
    unit.wait_for_picture(lambda picture: picture.rows(button) != before.rows(button))
    unit.key("f6")
    wait_for(unit, "playing")
    unit.wait_for_sound(SECOND)
    # The next control is the button for the next track.
    unit.key("f5")
    unit.key("f6")
    wait_for_title(unit, 2)

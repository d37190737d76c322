"""After a process of the unit was killed, the pages behind the corner and the music come back."""

from __future__ import annotations

from daemon import on_data
from headunit import HeadUnit
from picture import Picture
from reference_painter import CLOCK
from sound import flac, noise

# Positions on the screen at 800 × 480, as in playing.txt, library.txt, albums.txt and album-page.txt of
# Tests/Screen/ScreenLayoutTests/Goldens.
CORNER, ALBUMS, FIRST_COVER, BACK = (736, 44), (455, 322), (212, 164), (168, 44)
SECOND = 44100
SONG = noise(240, seed=81)
ALBUM_NAMES = ("Air", "Moon", "Stone")


def music() -> dict[str, bytes]:
    """A long song in the first album, and two more albums."""
    sounds = {name: SONG if name == "Air" else noise(5, seed=82) for name in ALBUM_NAMES}
    return {
        f"{name}/1.flac": flac(sound, tags={"TITLE": f"Song of {name}", "ALBUM": name, "ARTIST": name})
        for name, sound in sounds.items()
    }


def touch(unit: HeadUnit, place: tuple[int, int], before: Picture) -> Picture:
    """Touches a position, and waits until another page is shown."""
    unit.touch(*place)
    return unit.wait_for_change(before, 5_000, [CLOCK])


def settled(unit: HeadUnit) -> Picture:
    """Waits until the picture has not changed for three seconds of the machine's clock, because covers appear later.
    Returns this picture."""
    latest = unit.picture()
    for _ in range(20):
        before = latest
        unit.shell("sleep 3")
        latest = unit.picture()
        if latest.difference(before, [CLOCK]) == 0:
            return latest
    raise AssertionError("the picture did not stay the same for three seconds")


def open_albums(unit: HeadUnit) -> Picture:
    """Opens the albums from Now Playing, and returns their picture."""
    playing = unit.wait_for_picture(lambda picture: not picture.is_plain())
    touch(unit, ALBUMS, touch(unit, CORNER, playing))
    return settled(unit)


def assert_page_works(unit: HeadUnit, albums: Picture) -> None:
    """Checks that the albums are shown, that a touch opens an album, and that the button *back* leads to the albums."""
    unit.wait_for_same(albums, [CLOCK])
    touch(unit, FIRST_COVER, albums)
    unit.touch(*BACK)
    unit.wait_for_same(albums, [CLOCK])


def position_of_sound(unit: HeadUnit) -> int:
    """The position in the song, in frames, of the last sound that was heard."""
    return unit.sound().last_position_in(SONG)


def wait_until_heard_after(unit: HeadUnit, position: int) -> None:
    """Waits until the song is heard after this position."""
    unit.wait_for_sound(len(unit.sound().from_first_sound()) + SECOND)
    assert position_of_sound(unit) > position


def pid_of(unit: HeadUnit, name: str) -> str:
    return unit.shell(f"systemctl show --property=MainPID --value {name}.service")


def kill(unit: HeadUnit, name: str) -> int:
    """Kills the process of a service, and waits until systemd has started a new process. Returns the position of the
    sound at the kill."""
    position = position_of_sound(unit)
    killed = pid_of(unit, name)
    unit.shell(f"kill -KILL {killed}")
    unit.wait_until(f"systemctl is-active --quiet {name}.service && "
                    f"test $(systemctl show --property=MainPID --value {name}.service) != {killed}")
    return position


def wait_for_library(unit: HeadUnit) -> None:
    unit.wait_until("autoharp console --json library | "
                    f"""grep -q '^{{"condition": "ready","songs": {len(ALBUM_NAMES)},'""")


def test_killed_library_daemon_and_screen_come_back_with_the_page_and_the_music(boot):
    unit = boot(data=on_data(music(), start="play"))
    unit.wait_until_booted()
    wait_for_library(unit)
    unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Tablet", unit="autoharp-screen")
    unit.console("volume 100")
    unit.wait_until_playing()
    unit.wait_for_sound(SECOND)
    albums = open_albums(unit)
    assert_page_works(unit, albums)

    # The music continues without the library.
    position = kill(unit, "autoharp-library")
    wait_for_library(unit)
    assert_page_works(unit, albums)
    wait_until_heard_after(unit, position)
    assert unit.logged("music.resumed") == []

    position = kill(unit, "autoharp")
    unit.wait_until_playing()
    wait_for_library(unit)
    assert_page_works(unit, albums)
    [resumed] = unit.resumed_positions()
    assert abs(resumed - position / SECOND) <= 2
    wait_until_heard_after(unit, position)

    # The new process of the screen begins with Now Playing. The same touches lead from there to the albums.
    position = kill(unit, "autoharp-screen")
    unit.wait_for_log("autoharp-screen: input.added", "QEMU Virtio Tablet", unit="autoharp-screen", count=2)
    unit.wait_for_change(albums, 5_000, [CLOCK])
    again = open_albums(unit)
    assert again.difference(albums, [CLOCK]) == 0
    assert_page_works(unit, albums)
    wait_until_heard_after(unit, position)
    assert unit.failed_units() == []

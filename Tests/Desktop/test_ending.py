"""Each way to end `make run` ends all processes. Errors are reported in plain words."""

from __future__ import annotations

import os
import signal

import pytest

from xserver import wait_until

OPTIONS = ["--output", "null"]
PROMPT = "autoharp> "


def by_window(run, desktop):
    desktop.key("alt+F4")


def by_quit(run, desktop):
    run.type("quit\r")


def by_interrupt(run, desktop):
    run.type("\x03")


def by_hang_up(run, desktop):
    """The terminal window is closed."""
    run.hang_up()


def by_kill(run, desktop):
    os.kill(run.process("python3", "board/run"), signal.SIGKILL)


@pytest.mark.parametrize("end", [by_window, by_quit, by_interrupt, by_hang_up, by_kill])
def test_end_leaves_no_process(start, desktop, end):
    run = start(*OPTIONS, desktop=desktop)
    desktop.wait_for_window()
    run.read_until(PROMPT)
    names = set(run.processes().values())
    assert {"autoharp", "autoharp-screen", "autoharp-librar"} <= names, names
    end(run, desktop)
    if end in (by_window, by_quit, by_interrupt):
        assert run.wait() == 0
    wait_until(lambda: not run.processes(), "all processes have ended")


def test_crash_of_the_daemon_is_reported_and_ends_the_window(start, desktop):
    run = start(*OPTIONS, desktop=desktop)
    desktop.wait_for_window()
    run.read_until(PROMPT)
    os.kill(run.process("autoharp", "serve"), signal.SIGSEGV)
    run.read_until("The daemon has ended with signal 11")
    assert run.wait() != 0
    wait_until(lambda: not run.processes(), "all processes have ended")


def test_second_player_with_the_same_music_is_refused(start, desktop):
    run = start(*OPTIONS, desktop=desktop)
    run.read_until(PROMPT)
    second = start(*OPTIONS, desktop=desktop)
    second.read_until("Autoharp already runs with this music")
    assert second.wait() != 0
    assert run.ask("now")["status"] == "playing"


def test_display_that_does_not_exist_is_reported(start, monkeypatch):
    class NoDesktop:
        name = ":4711"
    run = start(*OPTIONS, desktop=NoDesktop())
    run.read_until("No window can be opened on the display :4711")
    run.read_until("autoharp-screen: display.failed: a window cannot be opened")
    assert run.wait() != 0
    wait_until(lambda: not run.processes(), "all processes have ended")


def test_missing_sound_card_is_reported_and_the_music_plays_silently(start, desktop, monkeypatch):
    # Without a configuration, ALSA has no output `default`.
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/dev/null")
    run = start(desktop=desktop)
    run.read_until("No sound: ALSA's output 'default' cannot be opened")
    run.read_until(PROMPT)
    wait_until(lambda: run.ask("now").get("status") == "playing", "the music plays")


def test_folder_that_does_not_exist_is_reported(start, desktop, tmp_path):
    run = start(*OPTIONS, desktop=desktop, music=tmp_path / "nothing")
    run.read_until("nothing is not a folder")
    assert run.wait() != 0

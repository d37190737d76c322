"""`make run` without a desktop: the pages of the screen as text, and the keys of the terminal."""

from __future__ import annotations

import pytest

from xserver import wait_until

OPTIONS = ["--output", "null"]
DOWN, RIGHT, ENTER = "\x1b[B", "\x1b[C", "\r"
INTERRUPT = "\x03"


@pytest.fixture
def shown(start):
    """A unit that plays, and whose library knows the demo collection."""
    run = start(*OPTIONS)
    run.read_until("Alder & Ash")
    wait_until(lambda: run.ask("library").get("condition") == "ready", "the library knows the collection")
    return run


def test_search_finds_an_album_and_plays_it(shown):
    shown.show("/", "Artist, album, song")
    shown.show("nach", "Nachtbus")
    # DOWN moves the focus from the keys of the search to the first result.
    shown.type(DOWN)
    shown.show(ENTER, "Shuffle")
    shown.type(DOWN)
    shown.show(ENTER, "Up Next")
    wait_until(lambda: shown.ask("now")["album"] == "Nachtbus", "the album plays")


def test_arrows_and_enter_choose_an_album(shown):
    shown.show("l", "Playlists")
    shown.type(DOWN)
    shown.show(RIGHT + ENTER, "漢")  # opens the page with the headings of the list
    shown.type(DOWN)
    shown.show(ENTER, "Anchors")
    shown.type(DOWN)
    shown.show(ENTER, "Shuffle")
    shown.type(DOWN)
    shown.show(ENTER, "Up Next")
    wait_until(lambda: shown.ask("now")["album"] == "Anchors", "the album plays")


def test_keys_command_the_music(shown):
    title = shown.ask("now")["title"]
    shown.type("n")
    wait_until(lambda: shown.ask("now")["title"] != title, "the next song plays")
    shown.type(" ")
    wait_until(lambda: shown.ask("now")["status"] == "paused", "the music is paused")


def test_question_mark_lists_the_keys_and_any_key_closes_the_list(shown):
    shown.show("?", "next track, previous track")
    shown.show(" ", "Alder & Ash")
    assert shown.ask("now")["status"] == "playing", "the key only closes the list"


def test_program_that_is_a_source_runs_with_the_unit(start):
    """Its end is reported, and does not end the unit."""
    program = "sh -c 'test -S $AUTOHARP_SOCKET; exit $((10 + $?))'"
    run = start(*OPTIONS, "--app", program)
    run.read_until("The program sh has ended with the status 10")
    run.read_until("Alder & Ash")


@pytest.mark.parametrize("key", ["q", INTERRUPT])
def test_end_restores_the_terminal_and_leaves_no_process(shown, key):
    shown.show(key, "\x1b[?1049l")
    assert shown.wait() == 0
    assert not shown.processes()


def test_options_of_the_player_select_the_player(start):
    run = start(*OPTIONS, "--shuffle")
    run.read_until("q quit")
    run.type("q")
    assert run.wait() == 0

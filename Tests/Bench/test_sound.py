"""What the sound card was given is what is in the files."""

from __future__ import annotations

import pytest

import standin
from sound import Frames, difference, flac, noise

SILENCE = Frames(bytes(4 * 44100))


@pytest.mark.quick
def test_sound_of_the_card_equals_the_files_across_a_join(boot):
    first, second = noise(3, seed=1), noise(3, seed=2)
    # The card's last frames are lost with the machine, so silence comes last.
    files = {
        "music/01.flac": flac(first),
        "music/02.flac": flac(second),
        "music/03.flac": flac(SILENCE),
    }
    for attempt in range(3):
        unit = boot(dropins=standin.plays("/data/music"), data=files)
        unit.wait_until_booted()
        standin.play(unit)
        unit.wait_until("! systemctl is-active --quiet autoharp.service")
        said = unit.shell("journalctl -b --no-pager -u autoharp.service")
        assert "Failed" not in said and "cannot" not in said, said
        unit.switch_off()
        if "ran dry" in said:
            continue  # the host was too busy: what was heard is not to be judged
        assert difference(first + second, unit.sound()) is None
        return
    pytest.skip("not judged: the output ran dry each time, as the host is too busy")


def test_difference_finds_what_is_wrong():
    music = noise(0.2, seed=3)
    lead = Frames(bytes(4 * 100))
    assert difference(music, lead + music + lead) is None
    assert "missing" in difference(music, lead + music[:2000] + music[2010:])
    assert "too many" in difference(music, lead + music[:2000] + lead + music[2000:])
    assert "all those are right" in difference(music, music[:5000])
    assert "is wrong" in difference(music, music[:1000] + noise(1, seed=9))


@pytest.mark.waits_for_serve
def test_pause_and_resume_from_the_console_leave_nothing_else_out(boot):
    raise NotImplementedError


@pytest.mark.waits_for_serve
def test_daemon_that_is_killed_or_stopped_is_back_and_playing(boot):
    raise NotImplementedError

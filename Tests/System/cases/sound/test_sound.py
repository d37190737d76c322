"""The sound card gets exactly the samples of the files."""

from __future__ import annotations

import pytest

from headunit import HeadUnit
from listening import listen
from sound import Frames, difference, flac, noise, pause_in, silence


@pytest.mark.quick
def test_sound_of_the_card_equals_the_files_across_a_join(boot):
    first, second = noise(3, seed=1), noise(3, seed=2)
    # When the machine ends, the last frames of the card are lost. Therefore the last track is silent.
    music = {"1.flac": flac(first), "2.flac": flac(second), "3.flac": flac(silence(1))}
    heard = listen(boot, music, lambda unit: None)
    assert difference(first + second, heard) is None


def test_console_pause_and_resume_skip_no_frame(boot):
    def pause(unit: HeadUnit) -> None:
        unit.console("pause")
        assert unit.status() == "paused"
        # A pause that is shorter than the card's period can be inaudible.
        unit.shell("sleep 1")
        unit.console("play")

    song = noise(12, seed=3)
    heard = listen(boot, {"1.flac": flac(song), "2.flac": flac(silence(1))}, pause)
    assert pause_in(song, heard) is None


def test_difference_identifies_each_kind_of_error():
    music, lead = noise(0.2, seed=3), silence(0.01)
    assert difference(music, lead + music + lead) is None
    kinds = [
        ("missing", lead + music[:2000] + music[2010:]),
        ("added", lead + music[:2000] + lead + music[2000:]),
        ("too-short", music[:5000]),
        ("wrong", music[:1000] + noise(1, seed=9)),
    ]
    for kind, heard in kinds:
        assert difference(music, heard).partition(":")[0] == kind


def test_pause_in_identifies_each_kind_of_error():
    def scaled(frames: Frames, gains: range) -> Frames:
        pairs = zip(frames.samples(), (gain for gain in gains for _ in range(2)))
        return Frames(b"".join(int(v * g / 220).to_bytes(2, "little", signed=True) for v, g in pairs))

    music, pause = noise(0.5, seed=4), silence(0.1)
    fade_out = scaled(music[5000:5220], range(220, 0, -1))
    fade_in = scaled(music[5220:5440], range(220))
    begin, end = music[:5000], music[5440:]
    assert pause_in(music, begin + fade_out + pause + fade_in + end) is None
    assert pause_in(music, music).startswith("no-pause:")
    assert pause_in(music, begin + fade_out[1:] + pause + fade_in + music[5460:]) is not None
    assert pause_in(music, begin + fade_out + pause + fade_in + music[5430:]) is not None
    assert pause_in(music, begin + fade_out + noise(0.1, seed=5) + fade_in + end) is not None
    assert pause_in(music, music[:4000] + fade_out + pause + fade_in + end) is not None
    assert pause_in(music, begin + fade_out + pause) is not None

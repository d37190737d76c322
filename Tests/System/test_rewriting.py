"""The buffer of a sound card is deep, and is rewritten when a command changes the sound."""

from __future__ import annotations

import pytest

from daemon import on_data
from devices import AC97, HDA, USB_AUDIO, Device
from sound import Frames, flac, noise, pauses_in, silence

PAUSES = 125


def song_with_a_silent_end(seconds: float) -> tuple[Frames, dict[str, bytes]]:
    # When the machine ends, the last frames of the card are lost. Therefore the last track is silent.
    song = noise(seconds, seed=17)
    return song, {"1.flac": flac(song), "2.flac": flac(silence(2))}


@pytest.mark.parametrize("card", [HDA, AC97], ids=["hda", "ac97"])
def test_each_of_250_commands_changes_a_deep_buffer_without_losing_a_frame(boot, card: Device):
    song, music = song_with_a_silent_end(90)
    unit = boot(data=on_data(music, output_buffer="0"), sound_card=card)
    unit.wait_until_booted()
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "rewritten" in unit.console("audio")
    unit.shell(
        f"i=0; while [ $i -lt {PAUSES} ]; do autoharp console pause; autoharp console play; i=$((i+1)); done "
        "> /dev/null", timeout=600)
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
    underruns = unit.logged("output.underrun")
    unit.switch_off()
    pauses, difference = pauses_in(song, unit.sound())
    assert difference is None
    assert not underruns
    # Two commands in one block are heard as none.
    assert pauses > PAUSES / 2


def test_hda_with_periods_says_so_and_plays(boot):
    song, music = song_with_a_silent_end(3)
    unit = boot(data=on_data(music, output_latency="periods"))
    unit.wait_until_booted()
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "by periods; 'output-latency' requests this" in " ".join(unit.console("audio").split())


def test_usb_card_is_filled_by_periods_and_plays(boot):
    _, music = song_with_a_silent_end(10)
    unit = boot(data=on_data(music), sound_card=USB_AUDIO)
    unit.wait_until_booted()
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "by periods; the card cannot be rewritten" in " ".join(unit.console("audio").split())

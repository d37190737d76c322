"""The buffer of a sound card is deep, and is rewritten when a command changes the sound."""

from __future__ import annotations

import pytest

from daemon import on_data
from devices import AC97, HDA, NO_CARD, USB_AUDIO, Device
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
    # A pause and its end in the same block are not heard. A silent frame in a fade counts as a silence.
    assert pauses > PAUSES / 2


def test_hda_with_periods_says_so_and_plays(boot):
    _, music = song_with_a_silent_end(3)
    unit = boot(data=on_data(music, output_latency="periods"))
    unit.wait_until_booted()
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "by periods; 'output-latency' requests this" in " ".join(unit.console("audio").split())


def test_usb_card_is_filled_by_periods_and_plays(boot):
    _, music = song_with_a_silent_end(10)
    unit = boot(data=on_data(music), sound_card=NO_CARD, devices=[USB_AUDIO])
    unit.wait_until_booted()
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "by periods; the card cannot be rewritten" in " ".join(unit.console("audio").split())


def test_pauses_in_identifies_each_kind_of_error():
    def scaled(frames: Frames, gains: range) -> Frames:
        pairs = zip(frames.samples(), (gain for gain in gains for _ in range(2)))
        return Frames(b"".join(int(v * g / 220).to_bytes(2, "little", signed=True) for v, g in pairs))

    def with_pauses(music: Frames, places: list[int]) -> Frames:
        heard, begin = Frames(b""), 0
        for place in places:
            fades = scaled(music[place : place + 220], range(220, 0, -1)) + silence(0.02)
            fades += scaled(music[place + 220 : place + 440], range(220))
            heard, begin = heard + music[begin:place] + fades, place + 440
        return heard + music[begin:]

    music = noise(0.5, seed=6)
    # The music between the second and the third pause is shorter than a fade.
    heard = with_pauses(music, [3000, 5000, 5540, 9000])
    assert pauses_in(music, heard) == (4, None)
    assert pauses_in(music, heard[:2000] + heard[2010:])[1] is not None
    assert pauses_in(music, heard[:2000] + heard[1990:])[1] is not None
    assert pauses_in(music, heard[:2000] + noise(1, seed=7))[1] is not None
    in_fade = 3000 + 100
    assert pauses_in(music, heard[:in_fade] + heard[in_fade + 40 :])[1] is not None

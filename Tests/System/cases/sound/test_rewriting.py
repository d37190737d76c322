"""The buffer of a sound card is deep, and is rewritten when a command changes the sound."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from daemon import on_data
from devices import AC97, HDA, NO_CARD, USB_AUDIO, Device
from headunit import Image
from sound import Frames, flac, noise, pauses_in, silence

BURSTS = 25
COMMANDS = 20  # in a burst


def song_with_a_silent_end(seconds: int) -> tuple[Frames, dict[str, bytes]]:
    """A song in tracks of one second, so a deep buffer always contains a join of two tracks. When the machine ends, the
    last frames of the card are lost. Therefore the last track is silent."""
    song = noise(seconds, seed=17)
    tracks = [song[at : at + 44100] for at in range(0, len(song), 44100)] + [silence(2)]
    return song, {f"{number:02}.flac": flac(track) for number, track in enumerate(tracks)}


def bursts_of_commands(seed: int) -> bytes:
    """A shell script that sends bursts of commands. After each burst, the song continues at full level."""
    random = Random(seed)
    choice = ["pause", "play", "toggle", "volume 40", "volume 100", "mute on", "mute off"]
    lines = []
    for _ in range(BURSTS):
        burst = [random.choice(choice) for _ in range(COMMANDS - 3)] + ["mute off", "volume 100", "play"]
        lines.append("cat <<end | autoharp console\n" + "\n".join(burst) + "\nend\n")
        # About every third burst comes before the buffer is full again.
        lines.append(f"sleep {random.choice([0.05, 1, 2]) + random.random() / 10:.3f}\n")
    return "".join(lines).encode()


@pytest.mark.parametrize(
    "card, latency", [(HDA, "auto"), (AC97, "auto"), (HDA, "periods")], ids=["hda", "ac97", "hda-periods"])
def test_each_of_500_commands_in_bursts_changes_the_sound_without_losing_a_frame(
    boot, image: Image, card: Device, latency: str
):
    if card is AC97 and image.board.processor != "x86_64":
        pytest.skip("Debian's kernel for this processor has no driver for this card")
    song, music = song_with_a_silent_end(80)
    # With `output_buffer` 0, the unit chooses a deep buffer itself. With `periods`, the buffer has the 100 ms of
    # `daemon.SETTINGS`, because of the emulation.
    settings = {"output_buffer": "0"} if latency == "auto" else {"output_latency": "periods"}
    files = on_data(music, **settings) | {"bursts.sh": bursts_of_commands(seed=24)}
    unit = boot(data=files, sound_card=card)
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    assert ("rewritten" in unit.console("audio")) == (latency == "auto")
    unit.shell("sh /data/bursts.sh > /dev/null", timeout=900)
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
    underruns = unit.logged("output.underrun")
    unit.switch_off()
    pauses, difference = pauses_in(song, unit.sound())
    assert difference is None
    # A deep buffer must have no underrun. With periods, underruns are permitted, because they lose no frame.
    assert latency == "periods" or not underruns
    assert pauses >= BURSTS / 3


@pytest.fixture
def stalls(image: Image) -> dict[str, bytes]:
    """A program that stops all other threads of the machine for some milliseconds, as a file on /data."""
    if not image.stalls.exists():
        pytest.skip("the image has no program `stalls`; `make test-system` builds this program")
    return {"stalls": image.stalls.read_bytes()}


def test_threads_that_stop_for_100_ms_cause_no_underrun_and_keep_the_position(boot, stalls):
    """While the threads stop, files are read, and little memory is free."""
    song, music = song_with_a_silent_end(80)
    unit = boot(data=on_data(music, output_buffer="0") | stalls)
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("volume 100")
    available = "busybox awk '/MemAvailable/ { print $2 }' /proc/meminfo"
    unit.shell("cp /data/stalls /run/stalls; chmod 755 /run/stalls")
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.shell("/run/stalls 200 600 20 50 100 > /run/stalled & load=$!; "
               "while :; do find /usr /data/music -type f -exec cat {} +; done > /dev/null 2>&1 & load=\"$load $!\"; "
               "mkdir /run/full; mount -t tmpfs -o size=100% tmpfs /run/full; "
               f"while [ $({available}) -gt 20000 ]; do busybox head -c 4000000 /dev/zero >> /run/full/zeros; done",
               timeout=300)
    unit.wait_until("[ $(busybox wc -l < /run/stalled) -ge 20 ]")
    assert int(unit.shell(available)) < 25_000
    # Stop the load, so that no stall delays the pause itself.
    unit.shell("kill $load; umount /run/full")
    unit.console("pause")
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"paused\"'")
    now = json.loads(unit.shell("autoharp console --json now"))
    # The silence of the pause is heard as soon as the card has played the frames that cannot be rewritten.
    unit.shell("sleep 1")
    unit.console("play")
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
    assert not unit.logged("output.underrun")
    unit.switch_off()
    sound = unit.sound().from_first_sound()
    pauses, difference = pauses_in(song, sound)
    assert (pauses, difference) == (1, None)
    paused = sound.find(silence(0.5)) / 44100
    track = int(now["title"].removesuffix(".flac"))
    # The position of a pause is the position at the command (P2). The sound ends after the safeguard (17 ms), a step of
    # the card (10 ms), a fade (5 ms) and the time of the command itself.
    assert 0 <= paused - (track + now["elapsed"]) < 0.07


def test_card_that_was_suspended_continues_without_losing_a_frame(boot):
    """The kernel suspends all devices for some seconds, and does not suspend the processor."""
    song, music = song_with_a_silent_end(14)
    # Unlike in a real suspend, the clock of the watchdog continues during these five seconds.
    patient = {"autoharp.service": "[Service]\nWatchdogSec=60s\n"}
    unit = boot(data=on_data(music, output_buffer="0"), dropins=patient)
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    unit.shell("echo devices > /sys/power/pm_test; echo freeze > /sys/power/state", timeout=300)
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
    unit.switch_off()
    sound = unit.sound().from_first_sound()
    heard = 0  # frames before the suspend
    while song[heard : heard + 10].data == sound[heard : heard + 10].data:
        heard += 10
    assert heard >= 44100
    # The card has read some frames that it did not play: up to 0.1 s in QEMU's PC, 0.15 s in `virt`. These frames are
    # heard after the suspend.
    resumed = next(at for at in range(heard, len(sound), 100) if song.find(sound[at : at + 300]) >= 0)
    behind = resumed - song.find(sound[resumed : resumed + 300])
    pause = sound.find(silence(0.001), heard)
    begin = heard if pause < 0 or pause > resumed else pause + len(sound[pause:resumed]) - len(
        sound[pause:resumed].from_first_sound())
    assert heard - 8820 <= begin - behind <= heard + 10
    assert sound.find(song[resumed - behind :]) == resumed


def test_hda_with_periods_says_so_and_plays(boot):
    _, music = song_with_a_silent_end(3)
    unit = boot(data=on_data(music, output_latency="periods"))
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("play")
    unit.wait_for_sound(44100)
    assert "by periods; 'output-latency' requests this" in " ".join(unit.console("audio").split())


def test_usb_card_is_filled_by_periods_and_plays(boot):
    _, music = song_with_a_silent_end(10)
    unit = boot(data=on_data(music), sound_card=NO_CARD, devices=[USB_AUDIO])
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("play")
    unit.wait_for_sound(44100)
    audio = " ".join(unit.console("audio").split())
    assert "by periods; the card cannot be rewritten" in audio
    # By default the unit takes a USB card.
    assert re.search(r"hw:CARD=\w+,DEV=0 \(usb\)", audio)


def test_usb_card_that_is_missing_is_awaited_and_another_card_is_not_used(boot):
    _, music = song_with_a_silent_end(10)
    unit = boot(data=on_data(music, sound="usb", start="play"))
    unit.wait_until_booted()
    unit.wait_for_log("output.failed", "'usb'")
    unit.wait_until("autoharp console --json diagnose | grep -q output.card-absent")
    assert unit.logged("output.opened") == []


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
    # Between the second and the third pause, the music is shorter than a fade. These must still count as two pauses.
    heard = with_pauses(music, [3000, 5000, 5540, 9000])
    assert pauses_in(music, heard) == (4, None)
    assert pauses_in(music, heard[:2000] + heard[2010:])[1] is not None
    assert pauses_in(music, heard[:2000] + heard[1990:])[1] is not None
    assert pauses_in(music, heard[:2000] + noise(1, seed=7))[1] is not None
    in_fade = 3000 + 100
    assert pauses_in(music, heard[:in_fade] + heard[in_fade + 40 :])[1] is not None

"""A program that is a source: its folder gets into an image, and a driver chooses, hears and commands it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Iterator

import pytest

from daemon import on_data
from headunit import HeadUnit, Image
from other_image import with_apps
from sound import Frames, flac, noise

SERVICE = """\
[Unit]
DefaultDependencies=no
After=autoharp.service
Conflicts=shutdown.target
Before=shutdown.target
[Service]
ExecStart=/usr/lib/autoharp-apps/tone/tone
User=tone
Restart=always
MemoryMax=24M
RestrictAddressFamilies=AF_UNIX
ProtectSystem=strict
"""


@pytest.fixture(scope="module")
def tone_image(image: Image) -> Iterator[Image]:
    """The image with the example of docs/examples as an app."""
    if not image.tone_generator.exists():
        pytest.skip("the program of the example is missing: `make test-system` builds it")
    with tempfile.TemporaryDirectory() as folder:
        app = Path(folder) / "app"
        app.mkdir()
        (app / "tone.app").write_text("user = tone\nname = Tones\n")
        (app / "tone.service").write_text(SERVICE)
        (app / "tone").write_bytes(image.tone_generator.read_bytes())
        (app / "tone").chmod(0o755)
        made = Path(folder) / "image"
        made.mkdir()
        yield with_apps(image, made, [app])


def has(command: str, text: str) -> str:
    return f"autoharp console --json {command} | grep -q '{text}'"


def frequency(frames: Frames) -> float:
    """The frequency of a tone in the left channel, from its changes to positive samples."""
    left = frames.samples()[::2]
    crossings = [n for n in range(1, len(left)) if left[n - 1] < 0 <= left[n]]
    return (len(crossings) - 1) / (crossings[-1] - crossings[0])


def test_app_is_chosen_heard_and_commanded_and_comes_back_after_its_end_and_the_daemons(boot, tone_image):
    unit: HeadUnit = boot(image=tone_image, data=on_data({"song.flac": flac(noise(60, seed=62))}, start="play"))
    unit.wait_until_booted()
    unit.wait_until_playing()
    unit.wait_until(has("library", '"app:tone"'))
    row = next(source for source in unit.ask("library")["sources"] if source["id"] == "app:tone")
    assert (row["kind"], row["name"], row["condition"]) == ("app", "Tones", "ready")
    # The program has started by itself, which does not end the music.
    assert unit.ask("now")["source"] == "local"
    # The identity is a name, too.
    unit.console("source app:tone")
    unit.wait_until(has("now", '"status": "playing"') + " && " + has("now", '"source": "app-tone"'))
    shown = unit.ask("now")
    assert (shown["title"], shown["artist"], shown["duration"]) == ("Concert A", "440.0 Hz", 60)
    begin = len(unit.sound())
    unit.wait_until(has("now", '"elapsed": [4-9]'))
    tone = unit.sound()[begin + 44100 : begin + 2 * 44100]
    assert len(tone) == 44100
    middle_c = frequency(tone)
    unit.console("next")
    unit.wait_until(has("now", '"title": "Middle C"'))
    # Both notes are heard at the rate of the card, so their interval tells that they are the right ones.
    begin = len(unit.sound())
    unit.wait_until(has("now", '"elapsed": [4-9]'))
    other = unit.sound()[begin + 44100 : begin + 2 * 44100]
    assert frequency(other) / middle_c == pytest.approx(261.63 / 440, rel=0.01)
    unit.console("pause")
    assert unit.status() == "paused"
    unit.console("play")
    unit.wait_until_playing()
    unit.shell("systemctl kill --signal=KILL tone.service")
    unit.wait_for_log("app.lost")
    unit.wait_for_log("app.opened", count=2)
    unit.wait_until(has("now", '"status": "playing"') + " && " + has("now", '"source": "app-tone"'))
    unit.shell("systemctl kill --signal=KILL autoharp.service")
    unit.wait_for_log("app.opened", count=3)
    unit.wait_until(has("now", '"status": "playing"') + " && " + has("now", '"source": "app-tone"'))
    assert unit.logged("output.underrun") == []


def test_app_sees_only_its_own_session(boot, tone_image):
    unit: HeadUnit = boot(image=tone_image, data=on_data({"song.flac": flac(noise(60, seed=62))}))
    unit.wait_until_booted()
    unit.wait_until(has("library", '"condition": "ready"'))
    # The program of the app can do what its user can do. The console is refused as this user.
    output, status = unit.try_shell("busybox su -s /bin/sh tone -c 'autoharp console now'")
    assert status != 0
    assert "song" not in output

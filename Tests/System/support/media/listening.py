"""Records the sound that the card receives during an action, in a run without underruns."""

from __future__ import annotations

from typing import Callable

import pytest

from daemon import on_data
from headunit import HeadUnit
from sound import Frames


def listen(boot: Callable[..., HeadUnit], music: dict[str, bytes],
           do: Callable[[HeadUnit], None]) -> Frames:
    """Boots with this music, starts the music from the console, and runs `do`. Returns the whole sound. If
    the output had an underrun, the result is discarded and the run is repeated, up to three runs in all."""
    for _ in range(3):
        unit = boot(data=on_data(music))
        unit.wait_until_booted()
        # On a slow board, the library finds the music only after systemd has started all units.
        unit.wait_for_files(len(music))
        unit.console("volume 100")
        assert unit.ask("now")["volume"] == 100
        unit.console("play")
        unit.wait_for_sound(44100)
        do(unit)
        unit.wait_until("autoharp console --json now | grep -q '\"status\": \"stopped\"'")
        underruns = unit.logged("output.underrun")
        unit.switch_off()
        if not underruns:
            return unit.sound()
    pytest.skip("no result: the output had an underrun in each run, because the host is too busy")

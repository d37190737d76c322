"""Power is cut at every stop of the car, and that is the normal way to switch off."""

from __future__ import annotations

import os
import random
import time

import pytest

import standin

CUTS = int(os.environ.get("AUTOHARP_CUTS", "30"))


def test_power_cuts_at_random_moments_always_boot(boot):
    moments = random.Random(6)
    unit = boot(dropins=standin.idles())
    duration = None
    for cut in range(CUTS):
        begun = time.monotonic()
        unit.wait_until_booted()
        duration = duration or time.monotonic() - begun
        assert unit.failed_units() == [], f"after cut {cut}"
        assert unit.shell("cat /run/data/notice 2>/dev/null; true") == ""
        # Something to be torn: files written and renamed as fast as it goes.
        unit.shell(
            "(cd /data; while :; do date >new; sync new; mv new state; cp state music/$$; done) "
            ">/dev/null 2>&1 &"
        )
        time.sleep(moments.uniform(0, 2))
        unit.cut_power()
        unit.boot_again()
        if cut % 3 == 2:
            # And once more while it boots.
            time.sleep(moments.uniform(0, 1.2 * duration))
            unit.cut_power()
            unit.boot_again()
    unit.wait_until_booted()
    assert unit.failed_units() == []


@pytest.mark.waits_for_serve
def test_power_cuts_in_the_middle_of_state_writes_lose_two_seconds_at_most(boot):
    raise NotImplementedError

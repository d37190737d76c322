"""It boots, by either way, and nothing fails."""

from __future__ import annotations

import pytest

import standin


@pytest.mark.quick
def test_boot_of_the_image_fails_no_unit(boot):
    unit = boot(dropins=standin.idles())
    state = unit.wait_until_booted()
    assert unit.failed_units() == []
    assert state == "running"


def test_boot_does_not_bring_what_nobody_asked_for(boot):
    unit = boot(dropins=standin.idles())
    unit.wait_until_booted()
    active = unit.shell("systemctl list-units --state=active --plain --no-legend --full")
    names = {line.split()[0] for line in active.splitlines()}
    for unwanted in ("sysinit.target", "basic.target", "multi-user.target", "network.target"):
        assert unwanted not in names
    assert "autoharp.service" in names

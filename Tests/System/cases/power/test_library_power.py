"""Cuts the power while the library scans and the queue is edited. No entry of the queue, of the playlists and of the
favourites is lost."""

from __future__ import annotations

import os
import random
import time

from daemon import on_data
from headunit import HeadUnit
from library import MANY, many_songs, queue, wait_for_library
from sound import flac, noise

CUTS = int(os.environ.get("AUTOHARP_CUTS", "8"))
COUNT = 12
ALBUM = {
    f"{number:02}.flac": flac(
        noise(4, seed=120 + number),
        tags={"TITLE": f"Part {number:02}", "ALBUM": "Moon Safari", "ARTIST": "Air"})
    for number in range(COUNT)
}
ALL = COUNT + MANY
DATABASE = "/data/library/library.db"


def titles(unit: HeadUnit, command: str) -> list[str]:
    return [row["title"] for row in unit.ask(command)["rows"]]


def test_power_cuts_in_scans_and_in_edits_of_the_queue_lose_nothing(boot):
    moments = random.Random(9)
    # With so many songs a scan takes longer than the power stays on.
    unit = boot(data=on_data(ALBUM | many_songs()))
    unit.wait_until_booted()
    wait_for_library(unit, ALL)
    unit.console("repeat all")
    unit.console("play moon safari")
    unit.wait_until_playing()
    unit.console("queue save Trip")
    unit.console("like on")
    trip, favourites = titles(unit, "playlist Trip"), titles(unit, "playlist Favourites")
    assert len(trip) == COUNT and len(favourites) == 1
    for _ in range(CUTS):
        before = [title for title, _ in queue(unit)]
        place, target = moments.sample(range(COUNT), 2)
        after = before.copy()
        after.insert(target, after.pop(place))
        if moments.random() < 0.5:
            unit.console("library read music")
        else:
            # Without the database, the next scan fills a new database.
            unit.shell("systemctl stop autoharp-library.service")
            unit.shell(f"rm {DATABASE}*")
            unit.shell("systemctl start autoharp-library.service")
        unit.console(f"queue move {place + 1} {target + 1}")
        time.sleep(moments.uniform(0, 1))
        unit.cut_power()
        unit.boot_again()
        unit.wait_until_booted()
        assert unit.failed_units() == []
        unit.wait_until_playing()
        unit.wait_for_log("queue.restored", f"{COUNT} entries")
        found = queue(unit)
        assert [title for title, _ in found] in (before, after)
        assert not any(is_absent for _, is_absent in found)
        wait_for_library(unit, ALL)
        assert titles(unit, "playlist Trip") == trip
        assert titles(unit, "playlist Favourites") == favourites

"""Another machine with BlueZ controls the unit. Its bluetoothd reads values from the unit as AVRCP specifies, and keeps
a value until a notification makes it read the value again."""

from __future__ import annotations

from bluez_controller import BluezController
from car import ALBUM, ARTIST, LENGTH, car, title, wait_for, wait_for_title

POSITION_TOLERANCE = 0.5  # seconds


def test_bluez_as_controller_reads_the_track_and_presses_keys(boot, radio):
    unit = car(boot, radio)
    controller = BluezController.paired(boot, radio, unit)
    controller.wait_for("Track", title(1))
    assert controller.get("Status") == "stopped"

    controller.press("Play")
    wait_for(unit, "playing")
    controller.wait_for("Status", "playing")
    # The unit knows the length only after it has opened the file.
    controller.wait_for("Track", '"Duration":{"type":"u","data":%d}' % (LENGTH * 1000))
    wanted = {"Title": title(1), "Artist": ARTIST, "Album": ALBUM, "TrackNumber": 1, "Duration": LENGTH * 1000}
    assert controller.track() | wanted == controller.track()
    unit.wait_until("autoharp console --json bt phones | grep -q '\"hasPressedKey\": true'")
    controller.press("Next")
    wait_for_title(unit, 2)
    controller.wait_for("Track", title(2))
    controller.press("Pause")
    wait_for(unit, "paused")
    controller.wait_for("Status", "paused")
    assert abs(controller.position() - unit.ask("now")["elapsed"]) <= POSITION_TOLERANCE

    # PREVIOUS within a track starts the track again, while the unit plays and while it is paused.
    for key, status in (("Play", "playing"), ("Pause", "paused")):
        unit.console("play")
        wait_for(unit, "playing")
        unit.console("seek 0:20")
        unit.wait_until("autoharp console --json now | grep -q '\"elapsed\": 2[0-9]'")
        unit.console("pause")
        controller.wait_for("Status", "paused")
        controller.press(key)
        wait_for(unit, status)
        controller.wait_for("Status", status)
        assert controller.position() >= 20 - POSITION_TOLERANCE
        controller.press("Previous")
        controller.wait_for("Position", '"data":[0-9]\\{1,4\\}}')  # less than ten seconds
        assert unit.ask("now")["title"] == title(2)
        assert unit.status() == status
        controller.press("Pause")
        wait_for(unit, "paused")
        controller.wait_for("Status", "paused")
        assert abs(controller.position() - unit.ask("now")["elapsed"]) <= POSITION_TOLERANCE

    controller.set("Repeat", "singletrack")
    unit.wait_until("autoharp console --json now | grep -q '\"repeat\": \"one\"'")
    controller.wait_for("Repeat", "singletrack")
    unit.console("shuffle on")
    controller.wait_for("Shuffle", "alltracks")

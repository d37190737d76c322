"""The qualification cases of AVRCP for a controller: the unit sends commands to a tester."""

from __future__ import annotations

from bumble import avc

from car import car, json_matches, pair, wait_for, wait_for_title
from headunit import HeadUnit
from qualification import Cases
from sound import noise
from source_phone import RELEASED, Track
from target_phone import (
    POSITION_CHANGED, STATUS_CHANGED, TRACK_CHANGED, VOLUME_CHANGED,
)
from test_phone_cases_target import SET_ABSOLUTE_VOLUME, wait_for_volume
from tester import Tester

KEYS = avc.PassThroughFrame.OperationId
# The longest time from the press to the release of a key, in seconds of the host. The host's clock is never slower than
# the machine's clock, so the time on the machine's clock is not longer.
RELEASED_WITHIN = 2
# A service record as in a later version of AVRCP: all features, also features that are not defined yet.
LATER_RECORD = ((1, 9), 0xFFFF)


def presses(tester: Tester, since: int) -> list[tuple[str, float]]:
    """The keys from number `since` on, each with the time until its release. Fails if another key comes before the
    release."""
    found = []
    for at in range(since, len(tester.keys), 2):
        key, release = tester.keys[at : at + 2]
        assert release == key | RELEASED, tester.pressed(since)
        found.append((KEYS(key).name.lower(), tester.key_times[at + 1] - tester.key_times[at]))
    return found


def call_control(unit: HeadUnit, tester: Tester, method: str) -> None:
    """Makes bluetoothd press a key that the unit itself never presses."""
    path = f"/org/bluez/hci0/dev_{tester.address.replace(':', '_')}"
    unit.shell(f"busctl call org.bluez {path} org.bluez.MediaControl1 {method}")


def test_cases_of_a_controller(boot, radio):
    """A phone can rely on the unit as its remote control: the unit connects, presses keys and follows the volume."""
    cases = Cases("test_cases_of_a_controller")
    unit = car(boot, radio, music={}, dial_phones="no")
    tester = Tester.near(
        radio, unit=unit, supported=(STATUS_CHANGED, TRACK_CHANGED, POSITION_CHANGED, VOLUME_CHANGED))
    with cases("AVRCP/CT/CEC/BV-02-I"):
        pair(unit, tester)
        assert tester.opened_by_unit == 0
        unit.wait_until(json_matches("bt phones", '"isControlling": true'))
    with cases("AVRCP/CT/NFY/BV-01-C"):
        tester.wait_for_registration(STATUS_CHANGED, TRACK_CHANGED)
    with cases("AVRCP/CT/VLH/BV-03-C"):
        tester.wait_for_registration(VOLUME_CHANGED)
    tester.open_stream()
    cases_of_keys(cases, unit, tester)
    cases_of_the_volume(cases, unit, tester)

    with cases("AVRCP/CT/CRC/BV-02-I"):
        tester.release_control()
        unit.wait_until(json_matches("bt phones", '"isControlling": false'))
    leave(unit, tester)
    with cases("AVRCP/CT/CEC/BV-01-I"):
        connect_from_unit(unit, tester)
        plays_and_pauses(unit, tester)
    with cases("AVRCP/CT/CRC/BV-01-I"):
        assert tester.is_connected()
        unit.console(f"bt disconnect {tester.address}")
        tester.wait_until_disconnected()
    later = Tester.near(radio, 2, unit=unit, browsing=True, record=LATER_RECORD)
    with cases("IOPT/CL/AVRCP-CT/SFC/BV-03-I"):
        pair(unit, later)
        leave(unit, later)
        connect_from_unit(unit, later)
        later.plays_track(Track("Of a Later Version"))
        plays_and_pauses(unit, later)
        wait_for_title(unit, "Of a Later Version")
    assert unit.failed_units() == []
    assert unit.shell("systemctl show --property=NRestarts --value bluetooth.service") == "0"
    cases.check()


def leave(unit: HeadUnit, tester: Tester) -> None:
    """Disconnects the tester, and waits until the unit knows this."""
    tester.disconnect()
    tester.wait_until_disconnected()
    unit.wait_until("! " + json_matches("bt phones", '"isConnected": true'))


def connect_from_unit(unit: HeadUnit, tester: Tester) -> None:
    """Connects the tester from the unit, as a person does. The unit must open the AVRCP channel."""
    before = tester.opened_by_unit
    unit.console(f"bt connect {tester.address}")
    tester.wait_until_connected()
    assert tester.opened_by_unit == before + 1


def plays_and_pauses(unit: HeadUnit, tester: Tester) -> None:
    """Plays music on the tester, and then pauses and plays it from the unit, as a person does."""
    tester.load(noise(5, seed=1), repeats=True)
    tester.play()
    wait_for(unit, "playing")
    since = len(tester.keys)
    for command, status in [("pause", "paused"), ("play", "playing"), ("pause", "paused")]:
        unit.console(command)
        wait_for(unit, status)
    tester.wait_for(lambda: len(tester.keys) == since + 6)
    found = presses(tester, since)
    print("seconds from press to release:", found)
    assert [key for key, _ in found] == ["pause", "play", "pause"]
    assert max(time for _, time in found) < RELEASED_WITHIN


def cases_of_keys(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    with cases("AVRCP/CT/PTH/BV-01-C"):
        plays_and_pauses(unit, tester)
    with cases("AVRCP/CT/PTT/BV-02-I"):
        since = len(tester.keys)
        call_control(unit, tester, "VolumeUp")
        call_control(unit, tester, "VolumeDown")
        tester.wait_for(lambda: len(tester.keys) == since + 4)
        assert [key for key, _ in presses(tester, since)] == ["volume_up", "volume_down"]


def cases_of_the_volume(cases: Cases, unit: HeadUnit, tester: Tester) -> None:
    # Wait, because for two seconds after the connection the unit answers a volume of the phone with its own volume.
    unit.shell("sleep 3")
    with cases("AVRCP/CT/VLH/BV-01-I"):
        tells_volume(unit, tester, 50)
    with cases("AVRCP/CT/VLH/BI-04-C"):
        # The highest bit of the volume has no meaning, so the unit must ignore it.
        tells_volume(unit, tester, 40, highest_bit=0x80)
    # SetAbsoluteVolume is a command of sources of sound. The unit is a sink, so it must report its volume only as a
    # target.
    unit.console("volume 60")
    wait_for_volume(unit, 76)
    tester.status()  # BlueZ answers this only after it has sent all earlier commands
    assert tester.count(SET_ABSOLUTE_VOLUME) == 0


def tells_volume(unit: HeadUnit, tester: Tester, step: int, highest_bit: int = 0) -> None:
    """The tester changes its volume to this step (0 to 127). The unit must follow, and register again."""
    tester.states[VOLUME_CHANGED] = bytes([highest_bit | step])
    tester.notify(VOLUME_CHANGED, tester.states[VOLUME_CHANGED])
    wait_for_volume(unit, step)
    tester.wait_for_registration(VOLUME_CHANGED)

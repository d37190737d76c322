"""The console shows the state of the controllers and the signal of phones."""

from __future__ import annotations

from car import car, json_matches, pair

# The virtual controller reports -7 dB.
SIGNAL = "7 dB"


def test_console_reports_the_controller_and_the_signal_of_a_phone(boot, radio):
    unit = car(boot, radio)
    unit.wait_until(json_matches("bt", '"controller": ".*Bluetooth [0-9]'))
    phone = unit.phone()
    pair(unit, phone)
    for command in ("bt", "bt phones"):
        unit.wait_until(f"autoharp console {command} | grep -q '{SIGNAL}'")
    # A helper program that is linked with libbluetooth queries the controller. The daemon is not linked
    # with libbluetooth, and reaps the helper.
    pid = unit.main_pid()
    assert unit.shell(f"grep -c libbluetooth /proc/{pid}/maps || true").strip() == "0"
    unit.wait_until(f"test -z \"$(cat /proc/{pid}/task/{pid}/children)\"")
    # Signal and quality are measured while the phone is connected, without traffic to the phone.
    measured = unit.ask("bt phones")["phones"][0]
    assert (measured["signal"], measured["isSignalAbsolute"], measured["quality"]) == (-7, False, 251)
    phone.disconnect()
    phone.wait_until_disconnected()
    unit.wait_until(json_matches("bt phones", '"signal": null'))

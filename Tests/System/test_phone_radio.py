"""The console shows the state of the controllers, the signal of phones, and how long a key press takes from
the radio to the daemon."""

from __future__ import annotations

from car import car, json_matches, pair, wait_for

# The virtual controller reports -7 dB.
SIGNAL = "7 dB"
HELPER = "systemctl show --property=MainPID --value autoharp-radio.service"


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


def test_radio_times_are_measured_only_if_configured(boot, radio):
    unit = car(boot, radio, radio_times="yes")
    unit.wait_until(f"test $({HELPER}) != 0")
    pid = unit.shell(HELPER)
    # The helper has only one capability, bit 13 (CAP_NET_RAW). All its files except one are sockets: its own
    # socket and the socket that systemd has passed.
    status = unit.shell(f"cat /proc/{pid}/status")
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    assert {fields[name].strip() for name in ("CapEff", "CapBnd", "CapPrm")} == {"0000000000002000"}
    assert fields["Uid"].split() == ["804"] * 4 and fields["Groups"].strip() in ("", "804")
    assert fields["NoNewPrivs"].strip() == "1" and fields["Seccomp"].strip() == "2"
    files = unit.shell(f"for file in /proc/{pid}/fd/*; do readlink $file; done").split()
    assert sum(name.startswith("socket:") for name in files) == len(files) - 1, files

    phone = unit.phone()
    pair(unit, phone)
    for key, state in [("play", "playing"), ("pause", "paused")] * 5:
        phone.press(key)
        wait_for(unit, state)
    phone.press("volume_down")  # arrives by the phone's input device
    unit.wait_until("autoharp console --json latency | grep -q '\"surface\": \"keys\"'")
    table = unit.ask("latency")
    rows = [row for row in table if row["stage"] == "from the radio"]
    accepted = {(row["surface"], row["command"]): row["count"] for row in table
                if row["stage"] == "accepted"}
    assert {row["surface"] for row in rows} == {"phone", "keys"}
    for row in rows:
        assert row["count"] == accepted[row["surface"], row["command"]]
        # The daemon gets the press after the radio has received its packet, but within 250 ms.
        assert 0 < row["longest"] < 250, row
    print([(row["surface"], row["command"], row["p50"], row["longest"]) for row in rows])

    # When the setting is removed, the helper ends at the next press and is not started again.
    unit.shell("sed -i 's/^radio-times.*//' /data/autoharp.conf")
    unit.shell("systemctl reload autoharp.service")
    unit.wait_until("! test -e /run/autoharp/radio")
    phone.press("play")
    unit.wait_until(f"test $({HELPER}) = 0")
    assert unit.failed_units() == []

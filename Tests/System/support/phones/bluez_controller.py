"""A second machine whose real bluetoothd is an AVRCP controller of the head unit, as on a Linux computer.

The machine runs the same image. Its daemon pairs with the unit, and then ends. After this, bluetoothd has no player of
its own, and only the test sends commands to bluetoothd, over D-Bus.
"""

from __future__ import annotations

import json
from typing import Any, Callable

from car import json_matches, open_window, wait_for_phones
from daemon import on_data
from headunit import HeadUnit
from radio import UNIT_ADDRESS, Radio

DEVICE = "/org/bluez/hci0/dev_" + UNIT_ADDRESS.replace(":", "_")
TARGET = "0000110c-0000-1000-8000-00805f9b34fb"  # the AVRCP target, which is the role of the unit


class BluezController:
    """`BluezController.paired(boot, radio, unit)` boots the machine, pairs and connects."""

    def __init__(self, machine: HeadUnit) -> None:
        self.machine = machine
        self.player = ""

    @classmethod
    def paired(cls, boot: Callable[..., HeadUnit], radio: Radio, unit: HeadUnit) -> BluezController:
        machine = boot(radio=radio.second_machine(), data=on_data({}, dial_phones="no"))
        wait_for_phones(machine)
        open_window(unit)
        machine.console("bt find")
        machine.wait_until(json_matches("bt phones", UNIT_ADDRESS))
        machine.shell(f"autoharp console bt add {UNIT_ADDRESS} >/run/added 2>&1 </dev/null &")
        for side in (unit, machine):
            side.wait_until(json_matches("bt phones", '"passkey": "'))
        numbers = [side.ask("bt phones")["request"]["passkey"] for side in (unit, machine)]
        assert numbers[0] == numbers[1]
        for side in (unit, machine):
            side.shell("autoharp console bt accept")
        machine.wait_until(json_matches("bt phones", '"isBonded": true'))
        unit.wait_until(json_matches("bt phones", '"isBonded": true'))
        machine.shell("systemctl stop autoharp.service")
        controller = cls(machine)
        controller.connect()
        return controller

    def connect(self) -> None:
        """Connects as a controller, and waits until bluetoothd has a player for the unit."""
        self.machine.wait_until(f"busctl call org.bluez {DEVICE} org.bluez.Device1 ConnectProfile s {TARGET}")
        self.machine.wait_until(f"busctl tree org.bluez --list | grep -q '^{DEVICE}/player'")
        paths = self.machine.shell("busctl tree org.bluez --list").splitlines()
        self.player = next(path.strip() for path in paths if path.startswith(f"{DEVICE}/player"))

    def _property(self, name: str) -> str:
        """A shell command that prints a property of the player, as JSON."""
        return (f"busctl --json=short get-property org.bluez {self.player} org.bluez.MediaPlayer1 {name}")

    def get(self, name: str) -> Any:
        return json.loads(self.machine.shell(self._property(name)))["data"]

    def set(self, name: str, value: str) -> None:
        self.machine.shell(
            f"busctl set-property org.bluez {self.player} org.bluez.MediaPlayer1 {name} s {value}")

    def press(self, key: str) -> None:
        """Calls a method of the player, such as "Next"."""
        self.machine.shell(f"busctl call org.bluez {self.player} org.bluez.MediaPlayer1 {key}")

    def wait_for(self, name: str, pattern: str) -> None:
        """Waits until the JSON text of a property matches the pattern."""
        self.machine.wait_until(f"{self._property(name)} | grep -q '{pattern}'")

    def track(self) -> dict[str, Any]:
        return {name: value["data"] for name, value in self.get("Track").items()}

    def position(self) -> float:
        """The position in seconds. bluetoothd computes it from the last position that it has read from the unit."""
        return self.get("Position") / 1000

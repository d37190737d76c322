"""A remote control as it lies in a shop: HID over the classic radio, without a display. It calls nobody
before it is paired; bumble is its stack.

    remote = unit.remote()
    unit.console("bt find"); unit.console("bt add Ring")
    remote.wait_until_connected()
    remote.press("next")
"""

from __future__ import annotations

import asyncio
from typing import Any, Callable

from bumble import core, hci, sdp
from bumble.device import Device, DeviceConfiguration
from bumble.hid import HID_CONTROL_PSM, HID_INTERRUPT_PSM
from bumble.hid import Device as Service
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

from radio import PATIENCE, UNIT_ADDRESS, Radio

# Usages of the consumer page, in the order of their bits in a report.
KEYS = {"play_pause": 0xCD, "next": 0xB5, "previous": 0xB6, "louder": 0xE9, "quieter": 0xEA}
REPORT_MAP = (
    bytes.fromhex("050c 0901 a101 1500 2501 7501 9508")
    + b"".join(bytes([0x09, usage]) for usage in KEYS.values())
    + bytes.fromhex("8102 c0")
)
HANDLE = 0x10001


class Remote:
    """One remote. Made by `Remote.near(radio)`; `HeadUnit.remote()` does that."""

    name = "Ring"
    address = "F0:F1:F2:F3:F4:71"

    def __init__(self, radio: Radio) -> None:
        self.radio = radio
        self.controller = radio.controller(self.name, self.address, None)
        config = DeviceConfiguration(
            name=self.name, address=hci.Address(self.address), class_of_device=0x00050C,
            classic_enabled=True, le_enabled=False, classic_smp_enabled=False,
        )
        self.device = Device.from_config_with_hci(config, self.controller, self.controller)
        self.device.keystore = MemoryKeyStore()
        nothing = PairingDelegate(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT)
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=False, bonding=True, delegate=nothing
        )
        self.device.sdp_service_records = {HANDLE: record()}
        self.service = Service(self.device)

    @classmethod
    def near(cls, radio: Radio) -> Remote:
        """In range, switched on, in the mode in which it is found."""
        async def switch_on() -> Remote:
            remote = cls(radio)
            await remote.device.power_on()
            await remote.device.set_discoverable(True)
            await remote.device.set_connectable(True)
            return remote

        return radio.run(switch_on())

    def call(self) -> None:
        """As it does when a key is pressed: it calls whom it is paired with, and opens its channels."""
        async def call() -> None:
            connection = await self.device.connect(
                hci.Address(UNIT_ADDRESS, hci.Address.PUBLIC_DEVICE_ADDRESS),
                transport=core.PhysicalTransport.BR_EDR, timeout=PATIENCE,
            )
            await connection.authenticate()
            await connection.encrypt()
            # Until the kernel has read the key's size it refuses.
            await asyncio.sleep(0.4)
            await self.service.connect_control_channel()
            await self.service.connect_interrupt_channel()

        self.radio.run(call())

    def leave(self) -> None:
        """Falls asleep, as such things soon do."""
        async def leave() -> None:
            if self.service.connection:
                await self.service.connection.disconnect()

        self.radio.run(leave())

    def is_connected(self) -> bool:
        return self.service.l2cap_intr_channel is not None

    def wait_until_connected(self) -> None:
        self._wait(self.is_connected)

    def press(self, key: str) -> None:
        """Presses and releases a key of `KEYS`."""
        bit = 1 << list(KEYS).index(key)

        async def press() -> None:
            for report in (bit, 0):
                self.service.send_data(bytes([report]))

        self.radio.run(press())

    def _wait(self, condition: Callable[[], Any]) -> None:
        async def wait() -> None:
            while not condition():
                await asyncio.sleep(0.1)

        self.radio.run(wait())


def record() -> list[sdp.ServiceAttribute]:
    """What hosts read of it before they connect (HID 1.1, 5.3)."""
    data, uuid = sdp.DataElement, sdp.DataElement.uuid
    number8, number16 = data.unsigned_integer_8, data.unsigned_integer_16

    def protocols(psm: int) -> sdp.DataElement:
        return data.sequence([
            data.sequence([uuid(core.BT_L2CAP_PROTOCOL_ID), number16(psm)]),
            data.sequence([uuid(core.BT_HIDP_PROTOCOL_ID)]),
        ])

    hid = core.BT_HUMAN_INTERFACE_DEVICE_SERVICE
    attributes = {
        sdp.SDP_SERVICE_RECORD_HANDLE_ATTRIBUTE_ID: data.unsigned_integer_32(HANDLE),
        sdp.SDP_SERVICE_CLASS_ID_LIST_ATTRIBUTE_ID: data.sequence([uuid(hid)]),
        sdp.SDP_PROTOCOL_DESCRIPTOR_LIST_ATTRIBUTE_ID: protocols(HID_CONTROL_PSM),
        sdp.SDP_BROWSE_GROUP_LIST_ATTRIBUTE_ID: data.sequence([uuid(sdp.SDP_PUBLIC_BROWSE_ROOT)]),
        sdp.SDP_BLUETOOTH_PROFILE_DESCRIPTOR_LIST_ATTRIBUTE_ID: data.sequence(
            [data.sequence([uuid(hid), number16(0x0101)])]),
        sdp.SDP_ADDITIONAL_PROTOCOL_DESCRIPTOR_LIST_ATTRIBUTE_ID: data.sequence(
            [protocols(HID_INTERRUPT_PSM)]),
        0x0201: number16(0x0111),  # version of the report's language
        0x0202: number8(0x0C),  # a remote control
        0x0203: number8(0),  # of no country
        0x0204: data.boolean(False),  # no virtual cable
        0x0205: data.boolean(True),  # it calls by itself
        0x0206: data.sequence([data.sequence([number8(0x22), data.text_string(REPORT_MAP)])]),
        0x020E: data.boolean(False),  # not for a BIOS
    }
    return [sdp.ServiceAttribute(number, value) for number, value in attributes.items()]

"""Remote controls as shops sell them: HID over BR/EDR or low energy, without a display. A remote does not
connect by itself before it is paired. The Bluetooth stack of the remotes is bumble.

    remote = unit.remote()
    unit.console("bt find")
    unit.console("bt add Ring")
    remote.press("next")
"""

from __future__ import annotations

import asyncio

from bumble import core, gatt, hci, sdp
from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.hid import HID_CONTROL_PSM, HID_INTERRUPT_PSM
from bumble.hid import Device as Service
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

from dual_controller import DualController
from radio import TIMEOUT, UNIT_ADDRESS, Radio

# Usages of the HID consumer page, in the order of their bits in a report.
KEYS = {"play_pause": 0xCD, "next": 0xB5, "previous": 0xB6, "louder": 0xE9, "quieter": 0xEA}
REPORT_MAP = (
    bytes.fromhex("050c 0901 a101 1500 2501 7501 9508")
    + b"".join(bytes([0x09, usage]) for usage in KEYS.values())
    + bytes.fromhex("8102 c0")
)
# The same report map with a report ID, which HID over GATT requires.
NUMBERED_MAP = REPORT_MAP.replace(b"\xa1\x01", b"\xa1\x01\x85\x01")
HANDLE = 0x10001


def reports(key: str) -> tuple[bytes, bytes]:
    """The report for "this key is down", and the report for "no key is down"."""
    return bytes([1 << list(KEYS).index(key)]), b"\0"


class Remote:
    """One remote. `Remote.near(radio)` makes it, and `HeadUnit.remote()` calls `Remote.near`."""

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
        """A remote in range, switched on and discoverable."""
        async def switch_on() -> Remote:
            remote = cls(radio)
            await remote.device.power_on()
            await remote.device.set_discoverable(True)
            await remote.device.set_connectable(True)
            return remote

        return radio.run(switch_on())

    def hide_keys(self) -> None:
        """Removes the HID record. The remote then looks like a phone that can act as a keyboard, but on which no app
        does this."""
        self.device.sdp_service_records = {}

    def show_keys(self) -> None:
        self.device.sdp_service_records = {HANDLE: record()}

    def connect(self) -> None:
        """Connects to the paired unit and opens the HID channels, as a real remote does on a key press."""
        async def connect() -> None:
            connection = await self.device.connect(
                hci.Address(UNIT_ADDRESS, hci.Address.PUBLIC_DEVICE_ADDRESS),
                transport=core.PhysicalTransport.BR_EDR, timeout=TIMEOUT,
            )
            await connection.authenticate()
            await connection.encrypt()
            # The kernel of the unit refuses the HID channels until it has read the size of the encryption key.
            await asyncio.sleep(0.4)
            await self.service.connect_control_channel()
            await self.service.connect_interrupt_channel()

        self.radio.run(connect())

    def disconnect(self) -> None:
        async def disconnect() -> None:
            for connection in list(self.device.connections.values()):
                await connection.disconnect()

        self.radio.run(disconnect())

    def press(self, key: str) -> None:
        """Presses and releases a key of `KEYS`."""
        async def press() -> None:
            for report in reports(key):
                self.service.send_data(report)

        self.radio.run(press())


def record() -> list[sdp.ServiceAttribute]:
    """The SDP record that a host reads before it connects (HID 1.1, 5.3)."""
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
        0x0201: number16(0x0111),  # HID parser version
        0x0202: number8(0x0C),  # a remote control
        0x0203: number8(0),  # country code: not localized
        0x0204: data.boolean(False),  # no virtual cable
        0x0205: data.boolean(True),  # the remote reconnects by itself
        0x0206: data.sequence([data.sequence([number8(0x22), data.text_string(REPORT_MAP)])]),
        0x020E: data.boolean(False),  # no boot protocol
    }
    return [sdp.ServiceAttribute(number, value) for number, value in attributes.items()]


class LowEnergyRemote:
    """One remote with low energy (HID over GATT 1.0). The remote advertises, and its bonded host connects."""

    name = "Clicker"
    address = "F0:F1:F2:F3:F4:72"

    def __init__(self, radio: Radio) -> None:
        self.radio = radio
        self.controller = radio.controller(self.name, self.address, None, DualController)
        config = DeviceConfiguration(
            name=self.name, address=hci.Address(self.address), classic_enabled=False, le_enabled=True
        )
        self.device = Device.from_config_with_hci(config, self.controller, self.controller)
        self.device.keystore = MemoryKeyStore()
        nothing = PairingDelegate(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT)
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=False, bonding=True, delegate=nothing,
            identity_address_type=PairingConfig.AddressType.PUBLIC,
        )
        self.report = self._characteristic(
            gatt.GATT_REPORT_CHARACTERISTIC, b"\0", notifies=True,
            descriptors=[gatt.Descriptor(
                gatt.GATT_REPORT_REFERENCE_DESCRIPTOR, gatt.Descriptor.READABLE, b"\1\1")])
        self.device.add_service(gatt.Service(gatt.GATT_HUMAN_INTERFACE_DEVICE_SERVICE, [
            self._characteristic(gatt.GATT_PROTOCOL_MODE_CHARACTERISTIC, b"\1"),
            # HID 1.11, country code 0, cannot wake the host, normally connectable.
            self._characteristic(gatt.GATT_HID_INFORMATION_CHARACTERISTIC, b"\x11\x01\0\x02"),
            self._characteristic(gatt.GATT_REPORT_MAP_CHARACTERISTIC, NUMBERED_MAP),
            self.report,
        ]))

    @staticmethod
    def _characteristic(uuid, value: bytes, notifies: bool = False, descriptors=()):
        kinds = gatt.Characteristic.Properties.READ
        if notifies:
            kinds |= gatt.Characteristic.Properties.NOTIFY
        # Permit only encrypted reads, as the profile requires.
        return gatt.Characteristic(
            uuid, kinds, gatt.Characteristic.READ_REQUIRES_ENCRYPTION, value, list(descriptors))

    @classmethod
    def near(cls, radio: Radio) -> LowEnergyRemote:
        """A remote in range, switched on and advertising."""
        async def switch_on() -> LowEnergyRemote:
            remote = cls(radio)
            await remote.device.power_on()
            return remote

        remote = radio.run(switch_on())
        remote.connect()
        return remote

    def connect(self) -> None:
        """Advertises until a host connects, as a real remote does on a key press."""
        data = AdvertisingData([
            (AdvertisingData.FLAGS, b"\x05"),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()),
            (AdvertisingData.APPEARANCE, (0x0180).to_bytes(2, "little")),
            (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
             bytes(gatt.GATT_HUMAN_INTERFACE_DEVICE_SERVICE)),
        ])
        self.radio.run(self.device.start_advertising(
            own_address_type=hci.OwnAddressType.PUBLIC, advertising_data=bytes(data)))

    def press(self, key: str) -> None:
        """Presses and releases a key of `KEYS`."""
        async def press() -> None:
            for report in reports(key):
                await self.device.notify_subscribers(self.report, report)

        self.radio.run(press())

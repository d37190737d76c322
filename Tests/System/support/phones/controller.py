"""A virtual BR/EDR controller on bumble's virtual link. It has the features that Linux and BlueZ need.

bumble's own controller is mainly for low energy. This class adds features, buffer sizes, inquiry, page timeouts, stored
link keys and encryption. It does not simulate Secure Connections or air time. `dual_controller.py` adds low energy.
"""

from __future__ import annotations

import asyncio
import struct

from bumble import core, hci
from bumble.controller import Connection, Controller

PAGE_TIMEOUT = 0x04
AUTHENTICATION_FAILED = 0x05
KEY_MISSING = 0x06
LINK_LOST = 0x08
NO_CONNECTION = 0x02

# Commands with a fixed answer. Each value has the parameters of the answer after the status.
ANSWERS = {
    hci.HCI_SET_EVENT_FILTER_COMMAND: b"",
    hci.HCI_READ_STORED_LINK_KEY_COMMAND: b"\0\0\0\0",
    hci.HCI_DELETE_STORED_LINK_KEY_COMMAND: b"\0\0",
    hci.HCI_WRITE_CONNECTION_ACCEPT_TIMEOUT_COMMAND: b"",
    hci.HCI_WRITE_PAGE_TIMEOUT_COMMAND: b"",
    hci.HCI_READ_PAGE_SCAN_ACTIVITY_COMMAND: struct.pack("<HH", 0x800, 0x12),
    hci.HCI_WRITE_PAGE_SCAN_ACTIVITY_COMMAND: b"",
    hci.HCI_WRITE_INQUIRY_SCAN_ACTIVITY_COMMAND: b"",
    hci.HCI_READ_VOICE_SETTING_COMMAND: b"\x60\0",
    hci.HCI_WRITE_VOICE_SETTING_COMMAND: b"",
    hci.HCI_READ_NUMBER_OF_SUPPORTED_IAC_COMMAND: b"\1",
    hci.HCI_READ_CURRENT_IAC_LAP_COMMAND: b"\1\x33\x8b\x9e",
    hci.HCI_WRITE_CURRENT_IAC_LAP_COMMAND: b"",
    hci.HCI_READ_INQUIRY_MODE_COMMAND: b"\0",
    hci.HCI_WRITE_INQUIRY_MODE_COMMAND: b"",
    hci.HCI_READ_PAGE_SCAN_TYPE_COMMAND: b"\0",
    hci.HCI_WRITE_PAGE_SCAN_TYPE_COMMAND: b"",
    hci.HCI_READ_INQUIRY_RESPONSE_TRANSMIT_POWER_LEVEL_COMMAND: b"\0",
    hci.HCI_WRITE_SECURE_CONNECTIONS_HOST_SUPPORT_COMMAND: b"",
    hci.HCI_WRITE_DEFAULT_LINK_POLICY_SETTINGS_COMMAND: b"",
    hci.HCI_SET_EVENT_MASK_PAGE_2_COMMAND: b"",
    hci.HCI_INQUIRY_CANCEL_COMMAND: b"",
    hci.HCI_HOST_BUFFER_SIZE_COMMAND: b"",
    hci.HCI_SET_CONTROLLER_TO_HOST_FLOW_CONTROL_COMMAND: b"",
    hci.HCI_WRITE_SYNCHRONOUS_FLOW_CONTROL_ENABLE_COMMAND: b"",
    hci.HCI_READ_LE_HOST_SUPPORT_COMMAND: b"\0\0",
    hci.HCI_WRITE_LE_HOST_SUPPORT_COMMAND: b"",
}

IMPLEMENTED = """INQUIRY INQUIRY_CANCEL CREATE_CONNECTION DISCONNECT ACCEPT_CONNECTION_REQUEST
    LINK_KEY_REQUEST_REPLY LINK_KEY_REQUEST_NEGATIVE_REPLY AUTHENTICATION_REQUESTED
    SET_CONNECTION_ENCRYPTION REMOTE_NAME_REQUEST READ_REMOTE_SUPPORTED_FEATURES
    READ_REMOTE_EXTENDED_FEATURES READ_REMOTE_VERSION_INFORMATION SET_EVENT_MASK RESET
    WRITE_SCAN_ENABLE WRITE_LOCAL_NAME READ_LOCAL_NAME READ_CLASS_OF_DEVICE WRITE_CLASS_OF_DEVICE
    WRITE_EXTENDED_INQUIRY_RESPONSE WRITE_SIMPLE_PAIRING_MODE READ_SIMPLE_PAIRING_MODE
    IO_CAPABILITY_REQUEST_REPLY IO_CAPABILITY_REQUEST_NEGATIVE_REPLY USER_CONFIRMATION_REQUEST_REPLY
    USER_CONFIRMATION_REQUEST_NEGATIVE_REPLY READ_LOCAL_VERSION_INFORMATION
    READ_LOCAL_SUPPORTED_FEATURES READ_LOCAL_EXTENDED_FEATURES READ_BUFFER_SIZE READ_BD_ADDR
    READ_ENCRYPTION_KEY_SIZE READ_RSSI"""

FEATURES = hci.LmpFeatureMask


class ClassicController(Controller):
    """A BR/EDR controller with the features of an older Bluetooth adapter for USB."""

    lmp_features = (
        FEATURES.ENCRYPTION
        | FEATURES.ROLE_SWITCH
        | FEATURES.SNIFF_MODE
        | FEATURES.RSSI_WITH_INQUIRY_RESULTS
        | FEATURES.EXTENDED_INQUIRY_RESPONSE
        | FEATURES.SECURE_SIMPLE_PAIRING_CONTROLLER_SUPPORT
        | FEATURES.EXTENDED_FEATURES
    )
    lmp_features_max_page_number = 1
    acl_data_packet_length = 1021
    total_num_acl_data_packets = 8
    supported_commands = {getattr(hci, f"HCI_{name}_COMMAND") for name in IMPLEMENTED.split()}

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.class_of_device = b"\0\0\0"
        self.inquiry_response = bytes(240)
        self.trace = None  # radio.Trace, if HCI is recorded

    # --- to and from the host -------------------------------------------------------------------

    def on_packet(self, packet: bytes) -> None:
        if self.trace:
            self.trace.write(packet, to_host=False)
        if packet[0] == hci.HCI_COMMAND_PACKET:
            (code,) = struct.unpack_from("<H", packet, 1)
            if handle := OURS.get(code):
                handle(self, code, packet[4:])
                return
            if code in ANSWERS:
                self.complete(code, ANSWERS[code])
                return
        super().on_packet(packet)

    def to_host(self, packet: bytes) -> None:
        if self.trace:
            self.trace.write(packet, to_host=True)
        if self.host:
            asyncio.get_running_loop().call_soon(self.host.on_packet, packet)

    def send_hci_packet(self, packet: hci.HCI_Packet) -> None:
        # bumble always reports a P-256 key. Linux then expects AES-CCM, which is not implemented here, and drops the
        # link. Therefore this method reports a P-192 key: 4 is unauthenticated, 5 is authenticated.
        if isinstance(packet, hci.HCI_Link_Key_Notification_Event):
            pairing = self.classic_connections[packet.bd_addr].ssp_state
            capabilities = (pairing.local_io_capability, pairing.peer_io_capability)
            kind = 4 if hci.IoCapability.NO_INPUT_NO_OUTPUT in capabilities else 5
            self.event(0x18, bytes(packet.bd_addr) + packet.link_key + bytes([kind]))
            return
        self.to_host(bytes(packet))

    def event(self, code: int, parameters: bytes) -> None:
        self.to_host(bytes([hci.HCI_EVENT_PACKET, code, len(parameters)]) + parameters)

    def complete(self, code: int, parameters: bytes, status: int = 0) -> None:
        self.event(0x0E, struct.pack("<BHB", 1, code, status) + parameters)

    def pending(self, code: int, status: int = 0) -> None:
        self.event(0x0F, struct.pack("<BBH", status, 1, code))

    # --- names, classes, signal -----------------------------------------------------------------

    def write_class_of_device(self, code: int, parameters: bytes) -> None:
        self.class_of_device = parameters[:3]
        self.complete(code, b"")

    def read_class_of_device(self, code: int, _: bytes) -> None:
        self.complete(code, self.class_of_device)

    def write_inquiry_response(self, code: int, parameters: bytes) -> None:
        self.inquiry_response = parameters[1:241].ljust(240, b"\0")
        self.complete(code, b"")

    def write_local_name(self, code: int, parameters: bytes) -> None:
        self.local_name = parameters.split(b"\0")[0].decode("utf-8", "replace")
        self.complete(code, b"")

    def read_local_name(self, code: int, _: bytes) -> None:
        self.complete(code, self.local_name.encode()[:247].ljust(248, b"\0"))

    def write_link_policy(self, code: int, parameters: bytes) -> None:
        self.complete(code, parameters[:2])

    def read_encryption_key_size(self, code: int, parameters: bytes) -> None:
        self.complete(code, parameters[:2] + bytes([16]))

    def read_rssi(self, code: int, parameters: bytes) -> None:
        # 7 dB below the range of best reception (the golden receive power range).
        self.complete(code, parameters[:2] + struct.pack("b", -7))

    def read_link_quality(self, code: int, parameters: bytes) -> None:
        self.complete(code, parameters[:2] + b"\xfb")

    def read_clock_offset(self, code: int, parameters: bytes) -> None:
        self.pending(code)
        self.event(0x1C, b"\0" + parameters[:2] + b"\0\0")

    def read_remote_version(self, code: int, parameters: bytes) -> None:
        self.pending(code)
        self.event(0x0C, b"\0" + parameters[:2] + b"\x09\xf1\x05\0\0")

    def inquiry(self, code: int, _: bytes) -> None:
        self.pending(code)
        for other in self.link.controllers:
            if other is not self and other.classic_scan_enable & 1:
                found = b"\1" + bytes(other.public_address) + b"\1\0" + other.class_of_device
                found += b"\0\0" + struct.pack("b", -60) + other.inquiry_response
                self.event(0x2F, found)
        # The shortest inquiry: 1.28 s.
        asyncio.get_running_loop().call_later(1.28, self.event, 0x01, b"\0")

    # --- paging ---------------------------------------------------------------------------------

    def on_hci_create_connection_command(self, command) -> None:
        self.pending(command.op_code)
        self.page(command, asyncio.get_running_loop().time() + 5.12)

    def page(self, command, deadline: float) -> None:
        """Pages repeatedly until the other controller listens for pages or `deadline` has passed."""
        loop = asyncio.get_running_loop()
        peer = self.link.find_classic_controller(command.bd_addr)
        if peer is not None and peer.classic_scan_enable & 2:
            # `pending` has sent the command status already. bumble would send it again, so suppress this.
            self._send_hci_command_status = lambda *_: None
            super().on_hci_create_connection_command(command)
            del self._send_hci_command_status
        elif loop.time() < deadline:
            loop.call_later(0.1, self.page, command, deadline)
        else:
            failed = struct.pack("<BH", PAGE_TIMEOUT, 0) + bytes(command.bd_addr) + b"\1\0"
            self.event(0x03, failed)

    def on_hci_remote_name_request_command(self, command) -> None:
        if self.link.find_classic_controller(command.bd_addr):
            super().on_hci_remote_name_request_command(command)
            return
        self.pending(command.op_code)
        self.event(0x07, bytes([PAGE_TIMEOUT]) + bytes(command.bd_addr) + bytes(248))

    def on_hci_reset_command(self, command):
        # A reset ends all links. After the reset the controller does not listen for pages.
        self.lose_all_links(notifies_host=False)
        self.classic_scan_enable = 0
        return super().on_hci_reset_command(command)

    # --- keys and encryption --------------------------------------------------------------------

    def peer_of(self, connection: Connection) -> ClassicController | None:
        return self.link.find_classic_controller(connection.peer_address)

    def connection_to(self, address: bytes) -> Connection | None:
        key = hci.Address(address[:6], hci.Address.PUBLIC_DEVICE_ADDRESS)
        return self.classic_connections.get(key)

    def authentication_requested(self, code: int, parameters: bytes) -> None:
        (handle,) = struct.unpack_from("<H", parameters)
        connection = self.find_classic_connection_by_handle(handle)
        self.pending(code, 0 if connection else NO_CONNECTION)
        if connection:
            connection.ssp_state = type(connection.ssp_state)(is_initiator=True)
            self.event(0x17, bytes(connection.peer_address))

    def link_key_reply(self, code: int, parameters: bytes) -> None:
        self.complete(code, parameters[:6])
        connection = self.connection_to(parameters)
        peer = self.peer_of(connection) if connection else None
        if not peer:
            return
        connection.link_key = parameters[6:22]
        if connection.ssp_state.is_initiator:
            peer.event(0x17, bytes(self.public_address))
        else:
            peer.key_compared(self.public_address, connection.link_key)

    def link_key_negative_reply(self, code: int, parameters: bytes) -> None:
        self.complete(code, parameters[:6])
        connection = self.connection_to(parameters)
        peer = self.peer_of(connection) if connection else None
        if not peer:
            return
        if connection.ssp_state.is_initiator:
            # In the peer, clear the state of an earlier attempt to pair.
            if theirs := peer.classic_connections.get(self.public_address):
                theirs.ssp_state = type(theirs.ssp_state)()
            self.event(0x31, bytes(connection.peer_address))
        else:
            peer.key_compared(self.public_address, None)

    def key_compared(self, peer: hci.Address, key: bytes | None) -> None:
        connection = self.classic_connections.get(peer)
        if not connection:
            return
        connection.ssp_state.is_initiator = False
        status = 0 if key == connection.link_key else AUTHENTICATION_FAILED
        status = KEY_MISSING if key is None else status
        self.event(0x06, struct.pack("<BH", status, connection.handle))

    def set_encryption(self, code: int, parameters: bytes) -> None:
        handle, enabled = struct.unpack_from("<HB", parameters)
        connection = self.find_classic_connection_by_handle(handle)
        self.pending(code, 0 if connection else NO_CONNECTION)
        peer = self.peer_of(connection) if connection else None
        theirs = peer.classic_connections.get(self.public_address) if peer else None
        if theirs:
            self.event(0x08, struct.pack("<BHB", 0, handle, enabled))
            peer.event(0x08, struct.pack("<BHB", 0, theirs.handle, enabled))

    # --- data -----------------------------------------------------------------------------------

    def on_link_acl_data(self, sender, transport, data: bytes) -> None:
        if transport == core.PhysicalTransport.LE:
            super().on_link_acl_data(sender, transport, data)
            return
        connection = self.classic_connections.get(sender)
        if not connection:
            return
        for at in range(0, len(data), self.acl_data_packet_length):
            part = data[at : at + self.acl_data_packet_length]
            # The packet boundary flag says whether a packet starts a message or continues it.
            flags = 0x2000 if at == 0 else 0x1000
            header = struct.pack("<BHH", 2, connection.handle | flags, len(part))
            self.to_host(header + part)

    def lose_all_links(self, notifies_host: bool = True) -> None:
        """Loses all links, as when the controller goes out of range or loses its power. The peers end their
        links because of the supervision timeout."""
        for address in list(self.classic_connections):
            peer = self.link.find_classic_controller(address)
            if peer and self.public_address in peer.classic_connections:
                peer.on_classic_disconnected(self.public_address, LINK_LOST)
            if notifies_host:
                self.on_classic_disconnected(address, LINK_LOST)
            else:
                del self.classic_connections[address]


OURS = {
    hci.HCI_WRITE_CLASS_OF_DEVICE_COMMAND: ClassicController.write_class_of_device,
    hci.HCI_READ_CLASS_OF_DEVICE_COMMAND: ClassicController.read_class_of_device,
    hci.HCI_WRITE_EXTENDED_INQUIRY_RESPONSE_COMMAND: ClassicController.write_inquiry_response,
    hci.HCI_WRITE_LOCAL_NAME_COMMAND: ClassicController.write_local_name,
    hci.HCI_READ_LOCAL_NAME_COMMAND: ClassicController.read_local_name,
    hci.HCI_WRITE_LINK_POLICY_SETTINGS_COMMAND: ClassicController.write_link_policy,
    hci.HCI_READ_ENCRYPTION_KEY_SIZE_COMMAND: ClassicController.read_encryption_key_size,
    hci.HCI_READ_RSSI_COMMAND: ClassicController.read_rssi,
    hci.HCI_READ_LINK_QUALITY_COMMAND: ClassicController.read_link_quality,
    hci.HCI_READ_CLOCK_OFFSET_COMMAND: ClassicController.read_clock_offset,
    hci.HCI_READ_REMOTE_VERSION_INFORMATION_COMMAND: ClassicController.read_remote_version,
    hci.HCI_INQUIRY_COMMAND: ClassicController.inquiry,
    hci.HCI_AUTHENTICATION_REQUESTED_COMMAND: ClassicController.authentication_requested,
    hci.HCI_LINK_KEY_REQUEST_REPLY_COMMAND: ClassicController.link_key_reply,
    hci.HCI_LINK_KEY_REQUEST_NEGATIVE_REPLY_COMMAND: ClassicController.link_key_negative_reply,
    hci.HCI_SET_CONNECTION_ENCRYPTION_COMMAND: ClassicController.set_encryption,
}

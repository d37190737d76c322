"""A phone that plays music: an AVRCP target. The test supplies each byte of its answers.

    phone = TargetPhone.near(radio)
    pair(unit, phone)
    phone.plays(element_attributes({TITLE: "Café".encode()}))
    phone.replies[GET_PLAY_STATUS] = play_status(PLAYING)

Phones have both AVRCP roles, so this class is also a controller: it is a subclass of `Phone`. bumble answers
only a few commands of a controller, and cannot send incorrect answers. So this class answers the commands
itself, before bumble parses them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Callable

from bumble import avrcp, l2cap

from phone import Phone, new_remote
from radio import TIMEOUT, Radio

GET_CAPABILITIES = 0x10
LIST_ATTRIBUTES = 0x11
GET_CURRENT_VALUE = 0x13
GET_ELEMENT_ATTRIBUTES = 0x20
GET_PLAY_STATUS = 0x30
REGISTER_NOTIFICATION = 0x31
REQUEST_CONTINUING = 0x40
ABORT_CONTINUING = 0x41
SET_ADDRESSED_PLAYER = 0x60
SET_BROWSED_PLAYER = 0x70
GET_FOLDER_ITEMS = 0x71
CHANGE_PATH = 0x72
GET_ITEM_ATTRIBUTES = 0x73
GET_TOTAL_NUMBER_OF_ITEMS = 0x75

STATUS_CHANGED, TRACK_CHANGED, POSITION_CHANGED = 0x01, 0x02, 0x05
SETTINGS_CHANGED, NOW_PLAYING_CHANGED, PLAYERS_CHANGED = 0x08, 0x09, 0x0A
ADDRESSED_PLAYER_CHANGED, UIDS_CHANGED, VOLUME_CHANGED = 0x0B, 0x0C, 0x0D

ACCEPTED, REJECTED, STABLE, CHANGED, INTERIM = 0x09, 0x0A, 0x0C, 0x0D, 0x0F
TITLE, ARTIST, ALBUM, NUMBER, COUNT, GENRE, DURATION = range(1, 8)
PLAYING = 1
UTF8 = 106

SIG = bytes.fromhex("001958")
AVRCP_PID = 0x110E
PASS_THROUGH = 0x7C
BROWSING_PSM = 0x1B
# Maximum number of bytes that an AVRCP command or answer has in one AV/C frame.
FRAGMENT = 502

# bumble sets the F bit in each I-frame. Linux drops an I-frame with an F bit if Linux sent no poll. So the defaults are
# changed to 0.
l2cap.InformationEnhancedControlField.__init__.__defaults__ = (0, 0)


def attribute(number: int, text: bytes, charset: int = UTF8, length: int | None = None) -> bytes:
    """One attribute of a track. `length` is the length field, which can be wrong."""
    return struct.pack(">IHH", number, charset, len(text) if length is None else length) + text


def element_attributes(texts: dict[int, bytes]) -> bytes:
    return bytes([len(texts)]) + b"".join(attribute(key, text) for key, text in texts.items())


def play_status(status: int, length: int = 180_000, position: int = 1000) -> bytes:
    return struct.pack(">IIB", length, position, status)


def event_data(event: int) -> bytes:
    """The default data of an event."""
    return {
        STATUS_CHANGED: b"\x01", TRACK_CHANGED: struct.pack(">Q", 1),
        POSITION_CHANGED: struct.pack(">I", 1000), SETTINGS_CHANGED: b"\x01\x02\x01",
        ADDRESSED_PLAYER_CHANGED: b"\x00\x01\x00\x00", UIDS_CHANGED: b"\x00\x01",
        VOLUME_CHANGED: b"\x40",
    }.get(event, b"")


def player_item(number: int, name: bytes, length: int | None = None) -> bytes:
    """A player in the answer to GetFolderItems. The player plays, can be browsed, and has a Now Playing list."""
    features = bytearray(16)
    features[7], features[8] = 0x18, 0x02
    length = len(name) if length is None else length
    return item(1, struct.pack(">HBIB", number, 1, 0, 1) + bytes(features)
                + struct.pack(">HH", UTF8, length) + name)


def folder_item(uid: int, name: bytes, length: int | None = None) -> bytes:
    length = len(name) if length is None else length
    return item(2, struct.pack(">QBBHH", uid, 0, 1, UTF8, length) + name)


def media_item(
    uid: int, name: bytes, attributes: bytes = b"\0", length: int | None = None
) -> bytes:
    length = len(name) if length is None else length
    return item(3, struct.pack(">QBHH", uid, 0, UTF8, length) + name + attributes)


def item(kind: int, body: bytes, length: int | None = None) -> bytes:
    return struct.pack(">BH", kind, len(body) if length is None else length) + body


def folder_items(*items: bytes, count: int | None = None) -> bytes:
    """The answer to GetFolderItems: success, UID counter, and the items."""
    return struct.pack(">BHH", 4, 0, len(items) if count is None else count) + b"".join(items)


@dataclass
class Answer:
    """An answer with an unusual code, length or packet type. `frame` replaces the whole AV/C frame. If
    `is_sent` is false, the phone sends no answer."""

    parameters: bytes = b""
    code: int = STABLE
    length: int | None = None
    packet_type: int = 0
    frame: bytes | None = None
    is_sent: bool = True


@dataclass
class Command:
    """A command from the unit."""

    pdu: int
    parameters: bytes


class TargetPhone(Phone):
    """`TargetPhone.near(radio, number)` makes a phone. `is_player`, `has_settings` and `browsing` control the
    service record of the phone. `supported` lists the events that the phone offers."""

    is_player = True
    has_settings = False
    browsing = False
    supported: tuple[int, ...] = (STATUS_CHANGED, TRACK_CHANGED)
    # True if the phone does not answer keys.
    ignores_keys = False

    @classmethod
    def near(cls, radio: Radio, number: int = 1, **offers) -> TargetPhone:
        phone = cls(radio, f"F0:F1:F2:F3:F4:{number:02X}", f"Phone {number}", True)
        for name, value in offers.items():
            setattr(phone, name, value)
        radio.run(phone._switch_on())
        return phone

    async def _switch_on(self) -> None:
        self.commands: list[Command] = []
        # Keys that the unit pressed. The highest bit marks a release.
        self.keys: list[int] = []
        # Answers of the unit that match no command of this phone.
        self.stray: list[bytes] = []
        self.registered: dict[int, int] = {}
        self.rest = b""
        self.browsing_channel: l2cap.ClassicChannel | None = None
        # The reply to each PDU: parameters, an `Answer`, or a function that makes one of these from the parameters of
        # the command.
        self.replies: dict[int, bytes | Answer | Callable] = {
            GET_CAPABILITIES: lambda _: bytes([3, len(self.supported), *self.supported]),
            LIST_ATTRIBUTES: b"\x01\x02",
            GET_CURRENT_VALUE: b"\x01\x02\x01",
            GET_ELEMENT_ATTRIBUTES: element_attributes({TITLE: b"Title", ARTIST: b"Artist"}),
            GET_PLAY_STATUS: play_status(PLAYING),
            SET_ADDRESSED_PLAYER: Answer(b"\x04", ACCEPTED),
            SET_BROWSED_PLAYER: struct.pack(">BHIHB", 4, 0, 1, UTF8, 0),
            GET_FOLDER_ITEMS: folder_items(player_item(1, b"Player")),
            GET_ITEM_ATTRIBUTES: b"\x04" + element_attributes({TITLE: b"Title"}),
            CHANGE_PATH: struct.pack(">BI", 4, 1),
            GET_TOTAL_NUMBER_OF_ITEMS: struct.pack(">BHI", 4, 0, 1),
        }
        # The answers to registrations, keyed by event: the data of the event, or an `Answer`. For other events, the
        # phone sends the default data.
        self.states: dict[int, bytes | Answer] = {}
        await super()._switch_on()
        features = avrcp.TargetFeatures.CATEGORY_2
        if self.is_player:
            features |= avrcp.TargetFeatures.CATEGORY_1
        if self.has_settings:
            features |= avrcp.TargetFeatures.PLAYER_APPLICATION_SETTINGS
        if self.browsing:
            features |= avrcp.TargetFeatures.SUPPORTS_BROWSING
            self.device.create_l2cap_server(
                # Linux requires the checksum. The long timeout prevents retransmissions, because Linux does not
                # understand bumble's requests for them. Retransmissions are not needed, because no packet is lost here.
                l2cap.ClassicChannelSpec(
                    BROWSING_PSM, mtu=1024, mode=l2cap.TransmissionMode.ENHANCED_RETRANSMISSION,
                    fcs_enabled=True, retransmission_timeout=60,
                ),
                self._on_browsing_opened,
            )
        record = avrcp.TargetServiceSdpRecord(0x10002, (1, 4), (1, 6), features)
        self.device.sdp_service_records[0x10002] = record.to_service_attributes()

    def _new_remote(self) -> avrcp.Protocol:
        remote = new_remote()
        opened = remote._on_avctp_channel_open

        def open_target(channel: l2cap.ClassicChannel) -> None:
            opened(channel)
            self.registered, self.rest = {}, b""
            own = remote.avctp_protocol.command_handlers[AVRCP_PID]
            known = remote.avctp_protocol.response_handlers[AVRCP_PID]

            def on_command(label: int, payload: bytes) -> None:
                if payload[1:6] == b"\x48\x00" + SIG:
                    self._command(remote, label, payload[6:])
                    return
                if payload[2] == PASS_THROUGH:
                    self._on_key(payload[3])
                    if self.ignores_keys:
                        return
                own(label, payload)

            def on_response(label: int, payload: bytes | None) -> None:
                if label not in remote.pending_commands:
                    self.stray.append(payload or b"")
                known(label, payload)

            remote.avctp_protocol.command_handlers[AVRCP_PID] = on_command
            remote.avctp_protocol.response_handlers[AVRCP_PID] = on_response

        remote._on_avctp_channel_open = open_target
        return remote

    def _on_key(self, key: int) -> None:
        """Called when the unit has pressed or released a key."""
        self.keys.append(key)
        self._notify()

    # --- answering ------------------------------------------------------------------------------

    def _command(self, remote: avrcp.Protocol, label: int, data: bytes) -> None:
        pdu, parameters = data[0], data[4:]
        if pdu == REQUEST_CONTINUING:
            self._send_parts(remote, label, parameters[0], self.rest, 2)
        elif pdu == ABORT_CONTINUING:
            self.rest = b""
            self._send(remote, label, pdu, Answer(b"", ACCEPTED))
        elif pdu == REGISTER_NOTIFICATION:
            event = parameters[0]
            self.registered[event] = label
            state = self.states.get(event, event_data(event))
            if not isinstance(state, Answer):
                state = Answer(bytes([event]) + state, INTERIM)
            self._send(remote, label, pdu, state)
        elif pdu in self.replies:
            answer = self._answer(pdu, parameters)
            if len(answer.parameters) > FRAGMENT and answer.packet_type:
                self._send_parts(remote, label, pdu, answer.parameters, 1)
            else:
                self._send(remote, label, pdu, answer)
        else:
            self._send(remote, label, pdu, Answer(b"\x00", REJECTED))
        self.commands.append(Command(pdu, parameters))
        self._notify()

    def _answer(self, pdu: int, parameters: bytes) -> Answer:
        answer = self.replies[pdu]
        if callable(answer):
            answer = answer(parameters)
        return answer if isinstance(answer, Answer) else Answer(answer)

    def _send_parts(
        self, remote: avrcp.Protocol, label: int, pdu: int, data: bytes, kind: int
    ) -> None:
        """Sends the next fragment. `kind` is the packet type: 1 for the first fragment, 2 for each later fragment. The
        last fragment gets the type 3."""
        part, self.rest = data[:FRAGMENT], data[FRAGMENT:]
        kind = 3 if kind == 2 and not self.rest else kind
        self._send(remote, label, pdu, Answer(part, STABLE, packet_type=kind))

    def _send(self, remote: avrcp.Protocol, label: int, pdu: int, answer: Answer) -> None:
        if not answer.is_sent:
            return
        length = len(answer.parameters) if answer.length is None else answer.length
        frame = answer.frame
        if frame is None:
            frame = (bytes([answer.code, 0x48, 0x00]) + SIG
                     + struct.pack(">BBH", pdu, answer.packet_type, length) + answer.parameters)
        header = struct.pack(">BH", label << 4 | 2, AVRCP_PID)
        remote.avctp_protocol.l2cap_channel.write(header + frame)

    # --- browsing -------------------------------------------------------------------------------

    def _on_browsing_opened(self, channel: l2cap.ClassicChannel) -> None:
        def opened() -> None:
            self.browsing_channel = channel
            channel.sink = lambda packet: self._browsing_command(channel, packet)
            self._notify()

        def closed() -> None:
            self.browsing_channel = None
            self._notify()

        channel.on(channel.EVENT_OPEN, opened)
        channel.on(channel.EVENT_CLOSE, closed)

    def _browsing_command(self, channel: l2cap.ClassicChannel, packet: bytes) -> None:
        label, pdu, parameters = packet[0] >> 4, packet[3], packet[6:]
        if packet[0] & 2:
            return  # an answer, which is ignored because this phone does not browse the unit
        answer = self._answer(pdu, parameters) if pdu in self.replies else Answer(b"\x00")
        length = len(answer.parameters) if answer.length is None else answer.length
        frame = answer.frame
        if frame is None:
            frame = struct.pack(">BH", pdu, length) + answer.parameters
        if answer.is_sent:
            channel.write(struct.pack(">BH", label << 4 | 2, AVRCP_PID) + frame)
        self.commands.append(Command(pdu, parameters))
        self._notify()

    # --- for tests ------------------------------------------------------------------------------

    def notify(self, event: int, data: bytes | Answer | None = None) -> None:
        """Notifies the unit of a registered event. If `data` is an `Answer`, its parameters include the number
        of the event."""
        async def send(remote: avrcp.Protocol) -> None:
            self._notify_event(remote, event, data)

        self._ask(send)

    def _notify_event(
        self, remote: avrcp.Protocol, event: int, data: bytes | Answer | None
    ) -> None:
        data = event_data(event) if data is None else data
        if not isinstance(data, Answer):
            data = Answer(bytes([event]) + data, CHANGED)
        self._send(remote, self.registered.pop(event), REGISTER_NOTIFICATION, data)

    def wait_for_registration(self, *events: int, timeout: float = TIMEOUT) -> None:
        self._wait(lambda: all(event in self.registered for event in events), timeout)

    def count(self, pdu: int) -> int:
        """Number of times that the unit has sent this command."""
        return sum(command.pdu == pdu for command in list(self.commands))

    def wait_for_command(self, pdu: int, count: int, timeout: float = TIMEOUT) -> None:
        """Waits until the unit has sent this command `count` times."""
        self._wait(lambda: self.count(pdu) >= count, timeout)

    def send_browsing(self, packet: bytes) -> None:
        """Writes bytes to the browsing channel."""
        async def send(_: avrcp.Protocol) -> None:
            self.browsing_channel.write(packet)

        self._ask(send)

    def plays(self, answer: bytes | Answer, pdu: int = GET_ELEMENT_ATTRIBUTES) -> None:
        """Notifies the unit of a new track. Waits until the unit has requested the track and received `answer`."""
        self.replies[pdu] = answer
        before = self.count(pdu)
        self.wait_for_registration(TRACK_CHANGED)
        self.notify(TRACK_CHANGED)
        self.wait_for_command(pdu, before + 1)

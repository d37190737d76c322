"""The tester of the qualification cases: a phone that sends commands whose bytes the test supplies, and that streams
sound.

    tester = Tester.near(radio, unit=unit)
    pair(unit, tester)
    assert tester.ask(GET_CAPABILITIES, b"\\x02").parameters == bytes.fromhex("0201001958")

The tester has both roles of AVRCP and is an A2DP source. Unlike a phone, it does not register for events by itself.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass
from typing import Any, Callable

from bumble import avdtp, avrcp, core, l2cap, sdp

from phone import RAW_LABEL
from radio import TIMEOUT
from source_phone import SourcePhone
from target_phone import AVRCP_PID, CHANGED, REGISTER_NOTIFICATION, REQUEST_CONTINUING, SIG, UTF8

CONTROL, STATUS, NOTIFY = 0, 1, 3
PANEL, VENDOR_DEPENDENT = 0x48, 0x00
SBC, AAC = 0x00, 0x02
SUCCESS = 0x04  # of AVRCP's browsing commands
STREAM_STATES = avdtp.State


@dataclass(frozen=True)
class Reply:
    """An answer of AVRCP."""

    code: int
    pdu: int
    packet_type: int
    parameters: bytes

    @classmethod
    def read(cls, frame: bytes) -> Reply:
        (length,) = struct.unpack_from(">H", frame, 8)
        assert frame[1:6] == bytes([PANEL, VENDOR_DEPENDENT]) + SIG and len(frame) == 10 + length, frame.hex()
        return cls(frame[0], frame[6], frame[7], frame[10:])


def attributes(parameters: bytes) -> dict[int, str]:
    """The attributes of a track in an answer."""
    found, at = {}, 1
    for _ in range(parameters[0]):
        number, charset, length = struct.unpack_from(">IHH", parameters, at)
        assert charset == UTF8
        found[number] = parameters[at + 8 : at + 8 + length].decode()
        at += 8 + length
    assert at == len(parameters)
    return found


@dataclass(frozen=True)
class Player:
    """A player of the unit."""

    number: int
    kind: int
    status: int
    features: bytes
    name: str

    @classmethod
    def read_all(cls, parameters: bytes) -> list[Player]:
        """The players of an answer to GetFolderItems."""
        status, _, count = struct.unpack_from(">BHH", parameters)
        assert status == SUCCESS
        players, at = [], 5
        for _ in range(count):
            item, length = struct.unpack_from(">BH", parameters, at)
            number, kind, _, play = struct.unpack_from(">HBIB", parameters, at + 3)
            charset, size = struct.unpack_from(">HH", parameters, at + 27)
            assert (item, charset, length) == (1, UTF8, 28 + size)
            players.append(cls(number, kind, play, parameters[at + 11 : at + 27],
                               parameters[at + 31 : at + 31 + size].decode()))
            at += 3 + length
        assert at == len(parameters)
        return players


class Tester(SourcePhone):
    """`Tester.near(radio, number, unit=unit)` makes a tester. `record` replaces the version and the features in the
    service record of the target role."""

    watched = ()
    categories = avrcp.ControllerFeatures.CATEGORY_1 | avrcp.ControllerFeatures.CATEGORY_2
    record: tuple[tuple[int, int], int] | None = None

    async def _switch_on(self) -> None:
        # The frames of answers to `ask_frame` and to registrations, and the answers on the browsing channel.
        self.answers: list[bytes] = []
        self.browsed: list[tuple[int, bytes]] = []
        # For each entry of `keys`: the time at which the unit has pressed or released the key.
        self.key_times: list[float] = []
        # Number of AVRCP channels that the unit has opened.
        self.opened_by_unit = 0
        await super()._switch_on()
        if self.record:
            version, features = self.record
            record = avrcp.TargetServiceSdpRecord(0x10002, (1, 4), version, features)
            self.device.sdp_service_records[0x10002] = record.to_service_attributes()

    # --- AVRCP ----------------------------------------------------------------------------------

    def _new_remote(self) -> avrcp.Protocol:
        remote = super()._new_remote()
        opened = remote._on_avctp_channel_open

        def open_tester(channel: l2cap.ClassicChannel) -> None:
            opened(channel)
            handlers = remote.avctp_protocol.response_handlers
            known = handlers[AVRCP_PID]

            def on_response(label: int, payload: bytes | None) -> None:
                if label != RAW_LABEL:
                    known(label, payload)
                    return
                self.answers.append(payload or b"")
                self._notify()

            handlers[AVRCP_PID] = on_response

        remote._on_avctp_channel_open = open_tester
        return remote

    def _on_remote_opened(self, channel: l2cap.ClassicChannel) -> None:
        self.opened_by_unit += 1
        super()._on_remote_opened(channel)

    def _on_key(self, key: int) -> None:
        self.key_times.append(time.monotonic())
        super()._on_key(key)

    def ask_frame(self, frame: bytes, matches: Callable[[bytes], bool] = bool) -> bytes:
        """Sends an AV/C frame and returns the first matching frame that follows."""
        before = len(self.answers)

        def found() -> list[bytes]:
            return [answer for answer in self.answers[before:] if matches(answer)]

        self.send_raw(struct.pack(">BH", RAW_LABEL << 4, AVRCP_PID) + frame)
        return self._wait(found, TIMEOUT)[0]

    def ask(self, pdu: int, parameters: bytes = b"", kind: int = STATUS) -> Reply:
        """Sends a command and returns the answer."""
        header = bytes([kind, PANEL, VENDOR_DEPENDENT]) + SIG + struct.pack(">BBH", pdu, 0, len(parameters))
        # RequestContinuing continues the answer to an earlier command, so the answer has the PDU of this command.
        expected = {pdu, parameters[0]} if pdu == REQUEST_CONTINUING else {pdu}
        return Reply.read(self.ask_frame(
            header + parameters, lambda frame: frame[6] in expected and frame[0] != CHANGED))

    def register(self, event: int) -> Reply:
        """Registers for an event, and returns the first answer."""
        self.answers.clear()
        return self.ask(REGISTER_NOTIFICATION, bytes([event, 0, 0, 0, 0]), NOTIFY)

    def wait_for_change(self, event: int) -> Reply:
        """Waits until the unit has notified the tester of the event after `register`."""
        def changes() -> list[Reply]:
            known = [Reply.read(frame) for frame in self.answers]
            return [reply for reply in known
                    if reply.code == CHANGED and reply.parameters[:1] == bytes([event])]

        return self._wait(changes, TIMEOUT)[0]

    def _browsing_command(self, channel: l2cap.ClassicChannel, packet: bytes) -> None:
        if packet[0] & 2:
            (length,) = struct.unpack_from(">H", packet, 4)
            self.browsed.append((packet[3], packet[6 : 6 + length]))
            self._notify()
            return
        super()._browsing_command(channel, packet)

    def browse(self, pdu: int, parameters: bytes) -> tuple[int, bytes]:
        """Sends a command on the browsing channel, and returns the PDU and the parameters of the answer."""
        self._wait(lambda: self.browsing_channel, TIMEOUT)
        before = len(self.browsed)
        header = struct.pack(">BHBH", RAW_LABEL << 4, AVRCP_PID, pdu, len(parameters))
        self.send_browsing(header + parameters)
        self._wait(lambda: len(self.browsed) > before, TIMEOUT)
        return self.browsed[before]

    def release_control(self) -> None:
        """Closes the AVRCP channel, and keeps the link."""
        async def release(remote: avrcp.Protocol) -> None:
            await remote.avctp_protocol.l2cap_channel.disconnect()

        self._ask(release)
        self._wait(lambda: self.remote is None, TIMEOUT)

    # --- A2DP -----------------------------------------------------------------------------------

    def _use_avdtp(self, protocol: avdtp.Protocol) -> None:
        super()._use_avdtp(protocol)
        source = protocol.local_endpoints[-1]
        source.on(source.EVENT_DELAY_REPORT, lambda _: self._notify())

    def answer_to_configuration(self, kind: int, configuration: bytes) -> int:
        """Configures an endpoint of the unit with these bytes of a codec. Returns the error code of the answer, or 0
        if the unit accepts them."""
        async def configure() -> int:
            protocol = await self._open_avdtp()
            found = list(await protocol.discover_remote_endpoints())
            sink = next(endpoint for endpoint in found if not endpoint.in_use)
            transport = avdtp.ServiceCapabilities(avdtp.AVDTP_MEDIA_TRANSPORT_SERVICE_CATEGORY)
            configured = avdtp.ServiceCapabilities(
                avdtp.AVDTP_MEDIA_CODEC_SERVICE_CATEGORY,
                bytes([avdtp.AVDTP_AUDIO_MEDIA_TYPE << 4, kind]) + configuration)
            try:
                await protocol.set_configuration(sink.seid, 1, [transport, configured])
            except core.ProtocolError as error:
                return int(error.error_code)
            await protocol.abort(sink.seid)
            return 0

        return self.radio.run(configure())

    # --- service records ------------------------------------------------------------------------

    def records(self, service: int) -> list[dict[int, Any]]:
        """The unit's service records of the class `service`: for each record, its attributes by number."""
        async def search() -> list[dict[int, Any]]:
            client = sdp.Client(self.connection)
            await client.connect()
            found = await client.search_attributes([core.UUID.from_16_bits(service)], [(0, 0xFFFF)])
            await client.disconnect()
            return [{one.id: plain(one.value) for one in record} for record in found]

        return self.radio.run(search())


def plain(element: sdp.DataElement) -> Any:
    """The value of a data element. A UUID becomes a number."""
    if element.type in (sdp.DataElement.SEQUENCE, sdp.DataElement.ALTERNATIVE):
        return [plain(part) for part in element.value]
    if element.type == sdp.DataElement.UUID:
        return int.from_bytes(element.value.to_bytes(force_128=True)[::-1][:4])
    return element.value



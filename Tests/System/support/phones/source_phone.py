"""A phone that plays music over the unit: an A2DP source, and an AVRCP target like `TargetPhone`.

    phone = SourcePhone.near(radio, unit=unit)
    pair(unit, phone)
    phone.load(sound)
    phone.plays_track(Track("Café"))
    phone.play()
    phone.wait_until_sent()

The phone has the service records of unmodified Android: a source of sound, a player, and a controller only for the
volume.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterable

from bumble import a2dp, avc, avdtp, core, l2cap
from bumble.avrcp import ControllerFeatures

import sbc
from card_clock import CardClock
from phone import Refused
from radio import TIMEOUT
from sound import Frames, silence
from target_phone import (
    ALBUM, ARTIST, COUNT, DURATION, GENRE, GET_ELEMENT_ATTRIBUTES, GET_ITEM_ATTRIBUTES,
    GET_PLAY_STATUS, NUMBER, POSITION_CHANGED, STATUS_CHANGED, TITLE, TRACK_CHANGED, TargetPhone, element_attributes,
    play_status,
)

if TYPE_CHECKING:
    from headunit import HeadUnit

SOURCE_RECORD = 0x10003
KEYS = avc.PassThroughFrame.OperationId
RELEASED = 0x80
STATUSES = {"stopped": 0, "playing": 1, "paused": 2, "forward-seek": 3, "reverse-seek": 4}
# The number of SBC frames in a packet of Android.
FRAMES_PER_PACKET = 7
# The RTP header, and the byte with the number of SBC frames.
HEADER_BYTES = 13


@dataclass
class Track:
    """The track that the phone reports to the unit. `length` is in milliseconds."""

    title: str = "Of the Phone"
    artist: str = "The Phone's Artist"
    album: str = "The Phone's Album"
    genre: str = "Folk"
    number: int = 3
    count: int = 12
    length: int = 200_000

    def attributes(self) -> bytes:
        texts = {TITLE: self.title, ARTIST: self.artist, ALBUM: self.album, NUMBER: str(self.number),
                 COUNT: str(self.count), GENRE: self.genre, DURATION: str(self.length)}
        return element_attributes({key: text.encode() for key, text in texts.items() if text})


class Pump:
    """Sends the packets of a stream. Replaces bumble's pump, which does not send the last packet and has its own
    clock."""

    def __init__(self, phone: SourcePhone) -> None:
        self.phone = phone
        self.task: asyncio.Task | None = None

    async def start(self, channel: l2cap.ClassicChannel) -> None:
        self.task = asyncio.get_running_loop().create_task(self._send(channel))

    async def stop(self) -> None:
        if self.task:
            self.task.cancel()
            self.task = None

    async def _send(self, channel: l2cap.ClassicChannel) -> None:
        phone, coding = self.phone, self.phone.coding
        clock = phone.clock()
        # SBC frames of two channels can be so long that fewer than FRAMES_PER_PACKET fit into a packet.
        longest = max(len(frame) for frame in [phone.silence, *phone.sound])
        count = min(FRAMES_PER_PACKET, (channel.peer_mtu - HEADER_BYTES) // longest)
        due = clock.now()
        phone.lateness = 0.0
        try:
            while True:
                await clock.wait_until(due)
                phone.lateness = max(phone.lateness, clock.now() - due)
                due += count * coding.frames / coding.rate
                # If the phone is quiet, time passes, but no packets are sent.
                if not phone.is_quiet:
                    for data in phone.next_packets(count):
                        channel.write(data)
        except l2cap.InvalidStateError:
            pass  # the unit has closed the channel


def packet(
    frames: list[bytes], sequence: int, timestamp: int = 0, count: int | None = None, **fields
) -> bytes:
    """An RTP packet with SBC frames. `count` is the number of SBC frames in the header, which can be wrong. `fields`
    are other fields of the RTP header."""
    field = {"version": 2, "padding": 0, "extension": 0, "sources": 0, "marker": 0, "type": 96} | fields
    header = bytes([
        field["version"] << 6 | field["padding"] << 5 | field["extension"] << 4 | field["sources"],
        field["marker"] << 7 | field["type"],
    ])
    header += (sequence & 0xFFFF).to_bytes(2) + (timestamp & 0xFFFFFFFF).to_bytes(4) + bytes(4)
    return header + bytes([len(frames) if count is None else count]) + b"".join(frames)


def codec(configuration: bytes) -> avdtp.ServiceCapabilities:
    """The capability "SBC" with this configuration, which can be invalid."""
    return avdtp.ServiceCapabilities(
        avdtp.AVDTP_MEDIA_CODEC_SERVICE_CATEGORY,
        bytes([avdtp.AVDTP_AUDIO_MEDIA_TYPE << 4, a2dp.A2DP_SBC_CODEC_TYPE]) + configuration)


def is_codec(capability: avdtp.ServiceCapabilities) -> bool:
    return capability.service_category == avdtp.AVDTP_MEDIA_CODEC_SERVICE_CATEGORY


class SourcePhone(TargetPhone):
    """`SourcePhone.near(radio, number, unit=unit)` makes a phone that sends its packets by the clock of the unit's
    sound card."""

    categories = ControllerFeatures.CATEGORY_2
    watched = ("VOLUME_CHANGED",)
    supported = (STATUS_CHANGED, TRACK_CHANGED, POSITION_CHANGED)
    unit: HeadUnit
    # True if the keys of the unit play and pause the music of the phone.
    obeys = True
    # True if the phone has an open stream without packets.
    is_quiet = False
    # The ratio of the speed of the phone's clock to the speed of the card's clock.
    speed = 1.0
    # True if the phone opens a stream before its AVRCP channel, as most phones do. bluetoothd offers the volume only on
    # an AVRCP channel that is opened while a stream exists.
    opens_sound_first = False
    # The largest delay of a packet of the stream, in seconds of the card's clock. On a busy host, this process can
    # stall while the unit continues to play.
    lateness = 0.0

    async def _switch_on(self) -> None:
        self.avdtp: avdtp.Protocol | None = None
        self.stream: avdtp.Stream | None = None
        self.sequence = 0
        self.samples = 0
        self.sound: list[bytes] = []
        self.repeats = False
        self.sent = 0
        self.instead: deque[Callable] = deque()
        self.use(sbc.USUAL)
        self.shown = "stopped"
        self.track = Track()
        self.position = 0
        # The delays that the unit has reported, in tenths of a millisecond.
        self.delays: list[int] = []
        await super()._switch_on()
        self.replies[GET_ELEMENT_ATTRIBUTES] = lambda _: self.track.attributes()
        # If the unit browses the phone, it reads the track with this command. The answer begins with the status "no
        # error".
        self.replies[GET_ITEM_ATTRIBUTES] = lambda _: b"\x04" + self.track.attributes()
        self.replies[GET_PLAY_STATUS] = lambda _: play_status(
            STATUSES[self.shown], self.track.length, self.position)
        self._store_states()
        record = a2dp.make_audio_source_service_sdp_records(SOURCE_RECORD)
        self.device.sdp_service_records[SOURCE_RECORD] = record
        self.listener = avdtp.Listener.for_device(self.device)
        self.listener.on(avdtp.Listener.EVENT_CONNECTION, self._use_avdtp)

    # --- sound ----------------------------------------------------------------------------------

    def clock(self) -> CardClock:
        return CardClock(self.unit, lambda: self.speed)

    def use(self, coding: sbc.Coding) -> None:
        """Sets the coding of the next music and of the next stream."""
        self.coding = coding
        self.silence = sbc.encode(silence(0.1), coding)[-1]

    def load(self, sound: Frames, repeats: bool = False) -> Frames:
        """Sets the music of the phone, which plays from its beginning. After the music, the phone sends silence.
        Returns the music after coding and decoding."""
        return self.load_frames(sbc.encode(sound, self.coding), repeats)

    def load_frames(self, frames: list[bytes], repeats: bool = False) -> Frames:
        """Sets the music of the phone as SBC frames."""
        self.sound, self.repeats, self.sent = frames, repeats, 0
        return sbc.decode(frames, self.coding)

    def next_frames(self, count: int) -> list[bytes]:
        """The next SBC frames of the music."""
        frames = []
        for number in range(self.sent, self.sent + count):
            number = number % len(self.sound) if self.repeats else number
            frames.append(self.sound[number] if number < len(self.sound) else self.silence)
        self.sent += count
        self._notify()
        return frames

    def next_packets(self, count: int) -> list[bytes]:
        """What the phone sends now: usually one packet, with this number of SBC frames."""
        frames = self.next_frames(count)
        make = self.instead.popleft() if self.instead else packet
        data = make(frames, self.sequence, self.samples)
        self.sequence += 1
        self.samples += len(frames) * self.coding.frames
        self._notify()
        return data if isinstance(data, list) else [data]

    def send_instead(self, *packets: Callable[[list[bytes], int, int], bytes | list[bytes]]) -> None:
        """Replaces the next packets. Each function gets the SBC frames, the sequence number and the timestamp that the
        phone would send, and returns the packet or the packets to send instead. Waits until all functions were
        called."""
        self.instead.extend(packets)
        self._wait(lambda: not self.instead, TIMEOUT)

    def lose(self, count: int) -> tuple[int, int]:
        """Drops the next packets, as if the radio lost them. Returns the first frame of the dropped music, and the
        frame after it."""
        lost = []
        self.send_instead(*[lambda *_: lost.append(self.sent) or []] * count)
        return self._frames_before(lost)

    def delay(self, count: int) -> tuple[int, int]:
        """Holds the next packets, as if the radio was disturbed, and sends them together with the packet that follows.
        Returns the first frame of the held music, and the frame after it."""
        held, ends = [], []

        def hold(*of_packet) -> list[bytes]:
            held.append(packet(*of_packet))
            ends.append(self.sent)
            return []

        self.send_instead(*[hold] * count, lambda *of_packet: [*held, packet(*of_packet)])
        return self._frames_before(ends)

    def _frames_before(self, ends: list[int]) -> tuple[int, int]:
        """The first frame of consecutive packets, and the frame after them. `ends` has the number of SBC frames up to
        the end of each packet."""
        return (ends[0] - FRAMES_PER_PACKET) * self.coding.frames, ends[-1] * self.coding.frames

    def wait_until_sent(self, seconds: float | None = None, timeout: float = TIMEOUT) -> None:
        """Waits until this number of seconds of the music was sent. None means the whole music."""
        count = len(self.sound) if seconds is None else int(seconds * self.coding.rate / self.coding.frames)
        self._wait(lambda: self.sent >= count, timeout)

    # --- stream ---------------------------------------------------------------------------------

    def _use_avdtp(self, protocol: avdtp.Protocol) -> None:
        self.avdtp = protocol
        information = a2dp.SbcMediaCodecInformation.from_bytes(sbc.USUAL.configuration)
        capabilities = avdtp.MediaCodecCapabilities(
            media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE, media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
            media_codec_information=information)
        source = protocol.add_source(capabilities, Pump(self), delay_reporting=True)
        source.on(source.EVENT_DELAY_REPORT, self.delays.append)
        protocol.on(protocol.EVENT_CLOSE, lambda: self._close_avdtp(protocol))

    def _close_avdtp(self, protocol: avdtp.Protocol) -> None:
        if self.avdtp is protocol:
            self.radio.loop.create_task(self._stop_pump())
            self.avdtp, self.stream = None, None
            # The next channel that the unit opens begins a new AVDTP connection.
            self.listener.servers.clear()
            self._notify()

    def _on_disconnection(self, reason: int) -> None:
        if self.avdtp:
            self._close_avdtp(self.avdtp)
        self.listener.servers.clear()
        super()._on_disconnection(reason)

    async def _stop_pump(self) -> None:
        for endpoint in self.avdtp.local_endpoints if self.avdtp else []:
            await endpoint.packet_pump.stop()

    async def _open_avdtp(self) -> avdtp.Protocol:
        """Opens AVDTP, if the unit has not opened it. The unit refuses the channel until its kernel has read the size
        of the encryption key."""
        for attempt in range(20):
            if self.avdtp:
                break
            try:
                protocol = await avdtp.Protocol.connect(self.connection, (1, 3))
            except (core.ProtocolError, l2cap.L2capError) as error:
                if attempt == 19:
                    raise Refused(str(error)) from error
                await asyncio.sleep(0.1 * (attempt + 1))
                continue
            if not self.avdtp:
                self.listener.set_server(self.connection, protocol)
                self._use_avdtp(protocol)
        return self.avdtp

    async def _open_remote(self) -> None:
        if self.opens_sound_first:
            await self._open_stream()
        await super()._open_remote()

    async def _stream_of_unit(self, protocol: avdtp.Protocol) -> avdtp.Stream | None:
        """The stream that the unit has configured, after it is open. None if the unit has configured none."""
        endpoint = protocol.local_endpoints[0]
        while (stream := endpoint.stream) and stream.state in (avdtp.State.CONFIGURED, avdtp.State.OPEN):
            channel = stream.rtp_channel
            if channel and channel.state == l2cap.ClassicChannel.State.OPEN:
                return stream
            await asyncio.sleep(0.05)  # polls, because bumble reports no event for this
        return None

    async def _open_stream(self) -> avdtp.Stream:
        if self.stream:
            return self.stream
        protocol = await self._open_avdtp()
        # If the unit has connected to the phone, the unit has also configured a stream.
        self.stream = await self._stream_of_unit(protocol)
        if self.stream:
            return self.stream
        found = list(await protocol.discover_remote_endpoints())
        sink = next(endpoint for endpoint in found if not endpoint.in_use)
        source = protocol.local_endpoints[0]
        source.configuration = [codec(self.coding.configuration) if is_codec(capability) else capability
                                for capability in source.capabilities]
        stream = await protocol.create_stream(source, sink)
        await stream.open()
        self.stream = stream
        return stream

    async def _start_stream(self) -> None:
        stream = await self._open_stream()
        if stream.state != avdtp.State.STREAMING:
            await stream.start()

    async def _suspend_stream(self) -> None:
        if self.stream and self.stream.state == avdtp.State.STREAMING:
            await self.stream.stop()

    def open_stream(self) -> None:
        """Finds an A2DP sink of the unit, and configures and opens a stream."""
        self.radio.run(self._open_stream())

    def start_stream(self) -> None:
        """Begins to send the music. Opens the stream if it is not open."""
        self.radio.run(self._start_stream())

    def suspend_stream(self) -> None:
        self.radio.run(self._suspend_stream())

    def close_stream(self) -> None:
        async def close() -> None:
            if self.stream:
                stream, self.stream = self.stream, None
                await stream.close()

        self.radio.run(close())

    def configure_raw(self, configuration: bytes) -> str | None:
        """Configures an endpoint of the unit with these bytes as its SBC configuration, and then aborts. Returns None
        if the unit accepts the bytes, and otherwise the error of AVDTP."""
        async def configure() -> str | None:
            protocol = await self._open_avdtp()
            found = list(await protocol.discover_remote_endpoints())
            sink = next(endpoint for endpoint in found if not endpoint.in_use)
            transport = avdtp.ServiceCapabilities(avdtp.AVDTP_MEDIA_TRANSPORT_SERVICE_CATEGORY)
            try:
                await protocol.set_configuration(sink.seid, 1, [transport, codec(configuration)])
            except core.ProtocolError as error:
                return avdtp.ErrorCode(error.error_code).name
            await protocol.abort(sink.seid)
            return None

        return self.radio.run(configure())

    # --- player ---------------------------------------------------------------------------------

    def wait_until_connected(self, timeout: float = TIMEOUT) -> None:
        """Waits until the unit watches the status and the track of the phone."""
        self._wait(lambda: self.remote is not None, timeout)
        self.wait_for_registration(STATUS_CHANGED, TRACK_CHANGED, timeout=timeout)

    def play(self) -> None:
        """Plays the music, as if a person pressed play on the phone."""
        self.radio.run(self._play())

    def pause(self) -> None:
        """Pauses the music, as if a person pressed pause on the phone."""
        self.radio.run(self._pause())

    async def _play(self) -> None:
        await self._start_stream()
        self._show("playing")

    async def _pause(self) -> None:
        self._show("paused")
        await self._suspend_stream()

    def show(self, status: str, position: int | None = None) -> None:
        """Reports a status to the unit, without a change of the stream."""
        async def show() -> None:
            self._show(status, position)

        self.radio.run(show())

    def _show(self, status: str, position: int | None = None) -> None:
        self.position = self.position if position is None else position
        is_changed, self.shown = status != self.shown, status
        self._store_states()
        if is_changed:
            self._tell(STATUS_CHANGED)
        if position is not None:
            self._tell(POSITION_CHANGED)

    def plays_track(self, track: Track, position: int = 0) -> None:
        """Changes the track, and notifies the unit."""
        async def change() -> None:
            self.track, self.position = track, position
            self._store_states()
            self._tell(TRACK_CHANGED)

        self.radio.run(change())

    def change_tracks(self, tracks: Iterable[Track], per_second: float) -> int:
        """Goes from track to track, at a rate by the clock of the unit's card. Returns the number of changes of which
        the unit was notified: a phone can notify the unit only after the unit has registered again."""
        async def change() -> int:
            clock = self.clock()
            begin, told = clock.now(), 0
            for number, self.track in enumerate(tracks):
                await clock.wait_until(begin + number / per_second)
                told += TRACK_CHANGED in self.registered
                self._tell(TRACK_CHANGED)
            return told

        return self.radio.run(change(), TIMEOUT * 5)

    def _store_states(self) -> None:
        self.states[STATUS_CHANGED] = bytes([STATUSES[self.shown]])
        self.states[POSITION_CHANGED] = self.position.to_bytes(4)

    def _tell(self, event: int) -> None:
        """Notifies the unit, if it has registered."""
        if self.remote and event in self.registered:
            self._notify_event(self.remote, event, self.states.get(event))

    def _on_key(self, key: int) -> None:
        super()._on_key(key)
        if not self.obeys or key & RELEASED:
            return
        reactions = {KEYS.PLAY: self._play, KEYS.PAUSE: self._pause, KEYS.STOP: self._pause}
        if reaction := reactions.get(key):
            self._start_task(reaction())

    def pressed(self, since: int = 0) -> list[str]:
        """The keys that the unit pressed and released, such as "play" and "play up"."""
        return [KEYS(key & 0x7F).name.lower() + (" up" if key & RELEASED else "")
                for key in self.keys[since:]]

    def wait_for_keys(self, *keys: str, since: int = 0) -> None:
        """Waits until the unit has sent as many keys as `keys` contains. Fails if the unit has sent other keys."""
        self._wait(lambda: len(self.keys) >= since + len(keys), TIMEOUT)
        assert self.pressed(since) == list(keys)

"""A phone with an independent Bluetooth stack: bumble as an AVRCP controller.

    phone = unit.phone()
    phone.pair(confirm=lambda number: unit.console("bt accept"))
    phone.press("play")
    assert phone.status() == "playing"

A test calls the methods in its own thread. A method blocks until the answer has arrived, and raises an
exception on failure.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Any, Awaitable, Callable

from bumble import avc, avrcp, core, hci, l2cap
from bumble.avctp import AVCTP_PSM
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

from radio import TIMEOUT, UNIT_ADDRESS, Radio

KEYS = avc.PassThroughFrame.OperationId
# There are sixteen transaction labels for commands. `send_raw` uses label 15, and bumble uses the other labels.
RAW_LABEL = 15
CONTROL = avc.CommandFrame.CommandType.CONTROL
NOTIFY = avc.CommandFrame.CommandType.NOTIFY
SETTING = avrcp.ApplicationSetting
REPEAT = {"off": 1, "track": 2, "all": 3, "group": 4}
SHUFFLE = {"off": 1, "on": 2, "group": 3}
WATCHED = ("PLAYBACK_STATUS_CHANGED", "TRACK_CHANGED", "TRACK_REACHED_END", "TRACK_REACHED_START",
           "PLAYER_APPLICATION_SETTING_CHANGED", "AVAILABLE_PLAYERS_CHANGED",
           "ADDRESSED_PLAYER_CHANGED", "VOLUME_CHANGED")


@avrcp.Event.event
@dataclass
class TrackReachedEnd(avrcp.Event):
    """The event "track reached end". bumble lacks this event and the event of the next class."""

    event_id = avrcp.EventId.TRACK_REACHED_END


@avrcp.Event.event
@dataclass
class TrackReachedStart(avrcp.Event):
    event_id = avrcp.EventId.TRACK_REACHED_START


class Refused(Exception):
    """The head unit rejected a pairing, a connection or a command."""


@dataclass(frozen=True)
class Event:
    """A change of which the unit notified the phone by AVRCP."""

    name: str
    value: Any
    time: float


class Pairing(PairingDelegate):
    """Passes the number of a pairing to the test, and returns the answer of the test."""

    def __init__(self, phone: Phone) -> None:
        capability = PairingDelegate.IoCapability
        super().__init__(
            capability.DISPLAY_OUTPUT_AND_YES_NO_INPUT if phone.shows_numbers
            else capability.NO_OUTPUT_NO_INPUT
        )
        self.phone = phone

    async def compare_numbers(self, number: int, digits: int) -> bool:
        return await self.phone._confirm_in_test(f"{number:0{digits}}")

    async def confirm(self, auto: bool = False) -> bool:
        return await self.phone._confirm_in_test(None)


class Phone:
    """One phone. `Phone.near(radio)` makes it, and `HeadUnit.phone()` calls `Phone.near`."""

    # The events for which the phone registers, if the unit offers them.
    watched = WATCHED
    # The categories of the controller in the phone's service record, here category 1 (player). A stock phone lists only
    # category 2 (amplifier), because it sends only the volume.
    categories = avrcp.ControllerFeatures.CATEGORY_1

    def __init__(self, radio: Radio, address: str, name: str, shows_numbers: bool) -> None:
        self.radio = radio
        self.address = address
        self.name = name
        self.shows_numbers = shows_numbers
        self.connection: Connection | None = None
        self.remote: avrcp.Protocol | None = None
        self.received: list[Event] = []
        self.current: dict[str, Any] = {}
        self._watchers: list[asyncio.Task] = []
        self._opens_second_channel = False
        self._answering = threading.Lock()
        self._confirm: Callable[[str | None], bool] = lambda _: True

    @classmethod
    def near(
        cls, radio: Radio, number: int = 1, shows_numbers: bool = True, name: str = ""
    ) -> Phone:
        """A phone that is switched on and in range, and has no bond with the head unit."""
        address = f"F0:F1:F2:F3:F4:{number:02X}"
        phone = cls(radio, address, name or f"Phone {number}", shows_numbers)
        radio.run(phone._switch_on())
        return phone

    async def _switch_on(self) -> None:
        self._changed = asyncio.Condition()
        controller = self.radio.controller(self.name, self.address, None)
        self.controller = controller
        config = DeviceConfiguration(
            name=self.name, address=hci.Address(self.address), class_of_device=0x5A020C,
            classic_enabled=True, le_enabled=False, classic_smp_enabled=False,
        )
        self.device = Device.from_config_with_hci(config, controller, controller)
        self.device.keystore = MemoryKeyStore()
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=self.shows_numbers, bonding=True, delegate=Pairing(self)
        )
        commands = avrcp.ControllerServiceSdpRecord(0x10001, (1, 4), (1, 6), self.categories)
        volume = avrcp.TargetServiceSdpRecord(
            0x10002, (1, 4), (1, 6), avrcp.TargetFeatures.CATEGORY_2
        )
        self.device.sdp_service_records = {
            0x10001: commands.to_service_attributes(), 0x10002: volume.to_service_attributes(),
        }
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)
        self.device.create_l2cap_server(
            l2cap.ClassicChannelSpec(AVCTP_PSM), self._on_remote_opened
        )
        await self.device.power_on()

    # --- connecting -----------------------------------------------------------------------------

    def pair(self, confirm: Callable[[str | None], Any] | None = None) -> None:
        """Pairs and connects. Calls `confirm` with the number that the phone shows, or with None if the phone
        shows no number. The phone rejects the pairing if `confirm` returns False, and otherwise confirms."""
        if confirm:
            # `confirm` can block in a console command, so it runs in another thread.
            def locked(number: str | None) -> bool:
                with self._answering:
                    return confirm(number) is not False

            self._confirm = locked
        try:
            self.connect()
        finally:
            # A rejection can arrive before `confirm` has returned, so wait for `confirm`.
            with self._answering:
                self._confirm = lambda _: True

    def connect(self, keys: bool = True) -> None:
        """Connects like a phone that comes into range: link, key, encryption, then AVRCP."""
        self.radio.run(self._connect(keys))

    async def _connect(self, keys: bool) -> None:
        address = hci.Address(UNIT_ADDRESS, hci.Address.PUBLIC_DEVICE_ADDRESS)
        try:
            if not self.connection:
                self.connection = await self.device.connect(
                    address, transport=core.PhysicalTransport.BR_EDR, timeout=TIMEOUT
                )
            if keys:
                await self.connection.authenticate()
                await self.connection.encrypt()
            await self._open_remote()
        except (hci.HCI_Error, core.BaseBumbleError, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and asyncio.current_task().cancelling():
                raise
            raise Refused(f"{type(error).__name__}: {error}") from error

    async def _open_remote(self) -> None:
        # Phones search for the service first.
        found = await avrcp.TargetServiceSdpRecord.find(self.connection)
        if not found:
            raise Refused("no AVRCP target service")
        for attempt in range(20):
            if self.remote:
                return
            remote = self._new_remote()
            try:
                await remote.connect(self.connection)
            except (core.ProtocolError, l2cap.L2capError) as error:
                # The unit refuses the channel until its kernel has read the size of the encryption key. The unit also
                # refuses the channel while both devices connect to each other.
                if attempt == 19:
                    raise Refused(str(error)) from error
                await asyncio.sleep(0.1 * (attempt + 1))
                continue
            await self._use(remote)

    def _new_remote(self) -> avrcp.Protocol:
        return new_remote()

    def _on_connection(self, connection: Connection) -> None:
        self.connection = connection
        connection.on(Connection.EVENT_DISCONNECTION, self._on_disconnection)
        self._notify()

    def _on_disconnection(self, _: int) -> None:
        self.connection = None
        self._close_remote()

    def _on_remote_opened(self, channel: l2cap.ClassicChannel) -> None:
        """Called when the head unit has connected to the phone and opens the AVRCP channel."""
        if self._opens_second_channel:
            self._opens_second_channel = False
            self._start_task(self._open_second_channel())
        remote = self._new_remote()

        def opened() -> None:
            remote._on_avctp_channel_open(channel)
            self._start_task(self._use(remote))

        channel.on(channel.EVENT_OPEN, opened)

    async def _open_second_channel(self) -> None:
        try:
            await new_remote().connect(self.connection)
        except (core.ProtocolError, l2cap.L2capError, asyncio.CancelledError):
            pass  # expected: both channels are dropped

    async def _use(self, remote: avrcp.Protocol) -> None:
        self.remote = remote
        remote.on(avrcp.Protocol.EVENT_STOP, self._close_remote)
        supported = {event.name for event in await remote.get_supported_events()}
        self.supported_events = supported
        for name in self.watched:
            if name in supported:
                self._start_task(self._watch(remote, avrcp.EventId[name]))
        self._notify()

    def _close_remote(self) -> None:
        # bumble does not end pending commands when a channel closes.
        for pending in self.remote.pending_commands.values() if self.remote else []:
            if not pending.response.done():
                pending.response.set_exception(Refused("the head unit closed the channel"))
        self.remote = None
        self.current = {}
        for task in self._watchers:
            task.cancel()
        self._watchers = []
        self._notify()

    def disconnect(self) -> None:
        """Disconnects properly, and stays in range."""
        async def disconnect() -> None:
            if self.connection:
                await self.connection.disconnect()

        self.radio.run(disconnect())

    def leave_range(self) -> None:
        """Goes out of range without a disconnect. The phone is unreachable."""
        async def remove() -> None:
            self.controller.lose_all_links()
            self.radio.link.remove_controller(self.controller)

        self.radio.run(remove())

    def return_to_range(self) -> None:
        """Comes back into range. The phone does not connect by itself."""
        async def add() -> None:
            self.radio.link.add_controller(self.controller)

        self.radio.run(add())

    def reject_avrcp_channels(self) -> None:
        """From now on rejects AVRCP channels that the unit opens. The phone can still open a channel."""
        async def close_server() -> None:
            self.device.l2cap_channel_manager.servers.pop(AVCTP_PSM, None)

        self.radio.run(close_server())

    def open_second_channel_next_time(self) -> None:
        """The next time that the head unit opens the AVRCP channel, the phone opens a second channel at the same
        moment."""
        self._opens_second_channel = True

    def forget_unit(self) -> None:
        """Removes the bond on the phone only."""
        self.device.keystore = MemoryKeyStore()

    def become_discoverable(self) -> None:
        """From now on the phone is discoverable."""
        self.radio.run(self.device.set_discoverable(True))

    def finds_unit(self) -> bool:
        """Runs one inquiry. Returns True if the inquiry finds the unit."""
        async def search() -> bool:
            found, done = [], asyncio.Event()
            self.device.on("inquiry_result", lambda address, *_: found.append(str(address)))
            self.device.host.once("inquiry_complete", lambda *_: done.set())
            await self.device.start_discovery(auto_restart=False)
            await done.wait()
            return any(address.startswith(UNIT_ADDRESS) for address in found)

        return self.radio.run(search())

    def answers(self) -> bool:
        """True if the AVRCP channel is open and the unit answers on it."""
        async def ask(remote: avrcp.Protocol) -> bool:
            try:
                await asyncio.wait_for(remote.get_play_status(), 5)
                return True
            except (TimeoutError, Refused):
                return False

        return self.is_connected() and self._ask(ask)

    def is_connected(self) -> bool:
        """True if the AVRCP channel is open and ready."""
        return self.remote is not None

    def wait_until_connected(self, timeout: float = TIMEOUT) -> None:
        self._wait(lambda: self.remote is not None and self.current, timeout)

    def wait_until_disconnected(self, timeout: float = TIMEOUT) -> None:
        self._wait(lambda: self.remote is None and self.connection is None, timeout)

    # --- commands -------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Presses and releases a key ("play", "forward", "volume_up"). True if the unit accepted the press and
        the release."""
        return self.key(key, True) & self.key(key, False)

    def key(self, key: str, pressed: bool) -> bool:
        response = self._ask(lambda remote: remote.send_key_event(KEYS[key.upper()], pressed))
        return response.response == avc.ResponseFrame.ResponseCode.ACCEPTED

    def hold(self, key: str, count: int, while_held: Callable[[], Any]) -> None:
        """Reports a key as pressed `count` times, then releases the key. Calls `while_held` after each report.
        `while_held` should take one second, because the specification requires one second between two reports."""
        for _ in range(count):
            self.key(key, True)
            while_held()
        self.key(key, False)

    def flood(self, key: str, count: int) -> int:
        """Presses and releases a key `count` times, as fast as answers arrive. Returns the number of answers."""
        async def flood(remote: avrcp.Protocol) -> int:
            answered = 0
            for _ in range(0, count, 8):
                both = [remote.send_key_event(KEYS[key.upper()], down)
                        for _ in range(8) for down in (True, False)]
                answered += len(await asyncio.gather(*both)) // 2
            return answered

        return self._ask(flood, TIMEOUT * 5)

    def metadata(self) -> dict[str, str]:
        """Metadata of the track by name ("title", "artist_name"), without empty fields."""
        wanted = [avrcp.MediaAttributeId(number) for number in range(1, 8)]
        found = self._ask(lambda remote: remote.get_element_attributes(0, wanted))
        return {entry.attribute_id.name.lower(): entry.attribute_value
                for entry in found if entry.attribute_value}

    def play_status(self) -> avrcp.SongAndPlayStatus:
        return self._ask(lambda remote: remote.get_play_status())

    def status(self) -> str:
        return self.play_status().play_status.name.lower()

    def position(self) -> float:
        """Position in seconds."""
        return self.play_status().song_position / 1000

    def settings(self) -> dict[str, int]:
        wanted = [SETTING.AttributeId.REPEAT_MODE, SETTING.AttributeId.SHUFFLE_ON_OFF]
        found = self._ask(lambda remote: remote.get_player_app_settings(wanted))
        return {"repeat": name_of(REPEAT, found[wanted[0]]),
                "shuffle": name_of(SHUFFLE, found[wanted[1]])}

    def set_repeat(self, mode: str) -> None:
        """`mode` is off, track, all or group."""
        self._set(SETTING.AttributeId.REPEAT_MODE, REPEAT[mode])

    def set_shuffle(self, mode: str) -> None:
        """`mode` is off, on or group."""
        self._set(SETTING.AttributeId.SHUFFLE_ON_OFF, SHUFFLE[mode])

    def _set(self, attribute: Any, value: int) -> None:
        command = avrcp.SetPlayerApplicationSettingValueCommand([attribute], [value])
        self._request(command)

    def set_volume(self, volume: int) -> None:
        """`volume` is 0 to 127."""
        self._request(avrcp.SetAbsoluteVolumeCommand(volume))

    def _request(self, command: avrcp.Command) -> avrcp.Response:
        answer = self._ask(lambda remote: remote.send_avrcp_command(CONTROL, command)).response
        if isinstance(answer, (avrcp.RejectedResponse, avrcp.NotImplementedResponse)):
            raise Refused(str(answer))
        return answer

    def send_raw(self, *frames: bytes) -> None:
        """Writes bytes to the AVRCP channel and does not wait for an answer. The bytes can be invalid."""
        async def send(remote: avrcp.Protocol) -> None:
            for frame in frames:
                remote.avctp_protocol.l2cap_channel.write(frame)

        self._ask(send)

    # --- notifications --------------------------------------------------------------------------

    def events(self, *names: str) -> list[Event]:
        """The received notifications: all of them, or only the notifications with these names."""
        return [event for event in list(self.received) if not names or event.name in names]

    def forget_events(self) -> None:
        self.received.clear()

    def wait_for_event(self, name: str, value: Any = None, timeout: float = TIMEOUT) -> Event:
        """Returns a notification that arrived after `forget_events`. If there is none, waits for it."""
        def matching() -> Event | None:
            return next((event for event in self.events(name)
                         if value is None or event.value == value), None)

        return self._wait(matching, timeout)

    async def _watch(self, remote: avrcp.Protocol, event: avrcp.EventId) -> None:
        """Registers for an event again and again. If the value in an interim response is new, the value has
        changed between two registrations, and this counts as an event too."""
        while True:
            command = avrcp.RegisterNotificationCommand(event, 0)
            response = await remote.send_avrcp_command(NOTIFY, command)
            if isinstance(response, remote.InterimResponse):
                value = value_of(response.response.event)
                if event.name in self.current and self.current[event.name] != value:
                    self._notified(event, value)
                self.current[event.name] = value
                self._notify()
                response = await response.final
            code = avc.ResponseFrame.ResponseCode.CHANGED
            if getattr(response, "response_code", None) != code:
                return  # the unit does not offer this event yet, such as the volume before a volume is set
            self._notified(event, value_of(response.response.event))

    def _notified(self, event: avrcp.EventId, value: Any) -> None:
        self.current[event.name] = value
        self.received.append(Event(event.name.lower(), value, time.monotonic()))
        self._notify()

    # --- internals ------------------------------------------------------------------------------

    def _ask(self, what: Callable[[avrcp.Protocol], Awaitable], timeout: float = TIMEOUT) -> Any:
        async def ask() -> Any:
            if not self.remote:
                raise Refused(f"{self.name} is not connected")
            return await what(self.remote)

        return self.radio.run(ask(), timeout)

    def wait_for(self, condition: Callable[[], object], timeout: float = TIMEOUT) -> None:
        """Waits until a condition on the state of this phone is true."""
        self._wait(condition, timeout)

    def _wait(self, condition: Callable[[], Any], timeout: float) -> Any:
        async def wait() -> Any:
            async with self._changed:
                return await self._changed.wait_for(condition)

        return self.radio.run(wait(), timeout)

    def _notify(self) -> None:
        async def notify() -> None:
            async with self._changed:
                self._changed.notify_all()

        self._keep = self.radio.loop.create_task(notify())

    def _start_task(self, work) -> None:
        self._watchers.append(self.radio.loop.create_task(work))

    async def _confirm_in_test(self, number: str | None) -> bool:
        return await self.radio.loop.run_in_executor(None, self._confirm, number)


def new_remote() -> avrcp.Protocol:
    """An AVRCP connection that leaves one transaction label to `send_raw`."""
    remote = avrcp.Protocol()
    remote.free_commands = asyncio.Queue()
    for label in range(RAW_LABEL):
        remote.free_commands.put_nowait(remote.PendingCommand(label))
    return remote


def name_of(table: dict[str, int], number: int) -> str:
    return next(name for name, value in table.items() if value == int(number))


def value_of(event: avrcp.Event) -> Any:
    """The value of an event, as a word or a number."""
    match event:
        case avrcp.PlaybackStatusChangedEvent():
            return event.play_status.name.lower()
        case avrcp.TrackChangedEvent():
            return event.uid
        case avrcp.VolumeChangedEvent():
            return event.volume
        case avrcp.PlayerApplicationSettingChangedEvent():
            return {setting.attribute_id: setting.value_id
                    for setting in event.player_application_settings}
    return None

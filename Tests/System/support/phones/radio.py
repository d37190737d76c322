"""The radio link between a head unit and phones: virtual controllers on one virtual link, in this process.

QEMU connects a serial line of the machine to a socket, and the head unit's controller is at the other end of the
socket. This is HCI over a UART, as on many boards. The Bluetooth hosts of the phones run in this process. The computer
that runs the tests needs no Bluetooth controller.
"""

from __future__ import annotations

import asyncio
import shutil
import struct
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Coroutine

from bumble import hci
from bumble.link import LocalLink
from bumble.transport.common import StreamPacketSource

from controller import ClassicController
from devices import Device
from dual_controller import DualController

if TYPE_CHECKING:
    from emulator.settings import Emulator

TIMEOUT = 120.0
UNIT_ADDRESS = "00:1A:7D:DA:71:01"
SECOND_ADDRESS = "00:1A:7D:DA:71:02"


class Radio:
    """A thread with the link and all controllers of this link. Call `close` to end the thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "radio"
        self.unit: ClassicController | None = None
        self.boots = 0
        # True if the unit's controller supports low energy. Set it before the boot.
        self.low_energy = False
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.run(self._open())

    def run(self, work: Coroutine[Any, Any, Any], timeout: float = TIMEOUT) -> Any:
        """Runs a coroutine in the radio's thread and returns its result."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result(timeout)
        except TimeoutError:
            future.cancel()
            raise

    async def _open(self) -> None:
        self.link = LocalLink()
        await self.loop.create_unix_server(lambda: Wire(self, UNIT_ADDRESS), self.socket)

    def second_machine(self) -> SecondMachine:
        """The radio of a second machine on the same link: `boot(radio=radio.second_machine())`."""
        second = SecondMachine(self)

        async def listen() -> None:
            await self.loop.create_unix_server(lambda: Wire(self, SECOND_ADDRESS), second.socket)

        self.run(listen())
        return second

    def controller(
        self, name: str, address: str, sink, kind: type = ClassicController
    ) -> ClassicController:
        """Makes a controller. Call it only in the radio's thread."""
        public = hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
        return kind(name, host_sink=sink, link=self.link, public_address=public)

    def device(self, emulator: Emulator) -> Device:
        """The serial line of a machine for Bluetooth, connected to a controller."""
        return device_at(self.socket, emulator)

    def keep(self, folder: Path) -> None:
        """Copies the HCI traces, for btmon and Wireshark."""
        for trace in self.folder.glob("*.btsnoop"):
            shutil.copy(trace, folder)

    async def _cancel(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self) -> None:
        self.run(self._cancel())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(TIMEOUT)
        shutil.rmtree(self.folder, ignore_errors=True)


class SecondMachine:
    """The radio of a machine that is not the head unit under test, on the link of a `Radio`."""

    def __init__(self, radio: Radio) -> None:
        self.socket = radio.folder / "radio-of-second-machine"

    def device(self, emulator: Emulator) -> Device:
        return device_at(self.socket, emulator)

    def keep(self, _: Path) -> None:
        """Does nothing, because the `Radio` keeps the traces of all machines."""


def device_at(socket: Path, emulator: Emulator) -> Device:
    return Device(
        ("-chardev", f"socket,id=radio,path={socket}", "-device", f"{emulator.radio},chardev=radio"),
        arguments=f"systemd.wants=btattach@{emulator.radio_port}.service",
    )


class Wire(asyncio.Protocol):
    """The serial line between QEMU and the controller of a machine. The controller exists as long as the line
    is connected."""

    def __init__(self, radio: Radio, address: str) -> None:
        self.radio = radio
        self.address = address

    def connection_made(self, transport) -> None:
        self.transport = transport
        self.source = StreamPacketSource()
        radio = self.radio
        radio.boots += 1
        kind = DualController if radio.low_energy else ClassicController
        name = "unit" if self.address == UNIT_ADDRESS else "second machine"
        self.controller = radio.controller(name, self.address, self, kind)
        self.controller.trace = Trace(radio.folder / f"radio-{radio.boots}.btsnoop")
        self.source.set_packet_sink(self.controller)
        if self.address == UNIT_ADDRESS:
            radio.unit = self.controller

    def on_packet(self, packet: bytes) -> None:
        self.transport.write(packet)

    def data_received(self, data: bytes) -> None:
        self.source.data_received(data)

    def connection_lost(self, _: Exception | None) -> None:
        self.controller.lose_all_links()
        self.controller.host = None
        self.radio.link.remove_controller(self.controller)
        if self.radio.unit is self.controller:
            self.radio.unit = None


class Trace:
    """The HCI traffic of the head unit's controller, as a btsnoop file for btmon and Wireshark."""

    EPOCH = 0x00E03AB44A676000  # microseconds from the year 0 to 1970, as btsnoop counts

    def __init__(self, path: Path) -> None:
        self.file = open(path, "wb")
        self.file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))

    def write(self, packet: bytes, to_host: bool) -> None:
        is_data = packet[0] == hci.HCI_ACL_DATA_PACKET
        flags = int(to_host) | (0 if is_data else 2)
        when = self.EPOCH + time.time_ns() // 1000
        size = len(packet)
        self.file.write(struct.pack(">IIIIq", size, size, flags, 0, when) + packet)
        self.file.flush()

"""The radio on a Raspberry Pi: a controller of Broadcom that starts without its firmware. The kernel sends the
firmware before it uses the controller."""

from __future__ import annotations

import asyncio
import struct
from pathlib import Path

from bumble.transport.common import StreamPacketSource

from radio import Radio

COMMAND = 1
RESET, READ_VERSION, READ_ADDRESS = 0x0C03, 0x1001, 0x1009
SET_ADDRESS, DOWNLOAD, WRITE_RAM, LAUNCH = 0xFC01, 0xFC2E, 0xFC4C, 0xFC4E
READ_CONFIGURATION, READ_FEATURES, SET_SPEED, SET_CLOCK = 0xFC79, 0xFC6E, 0xFC18, 0xFC45
# The parameters of the answers, after the status. The kernel checks only the lengths of these answers.
ANSWERS = {SET_SPEED: b"", SET_CLOCK: b"", DOWNLOAD: b"", WRITE_RAM: b"", LAUNCH: b"", SET_ADDRESS: b"",
           READ_CONFIGURATION: bytes(6), READ_FEATURES: bytes(8)}
# HCI 4.1 and the numbers by which the kernel recognises a BCM43430A1; 15 is Broadcom.
VERSION = struct.pack("<BHBHH", 7, 0, 7, 15, 0x2209)
# The address that all chips without an address of their own have.
DEFAULT_ADDRESS = bytes.fromhex("43 43 a1 12 1f ac")[::-1]


class BroadcomRadio(Radio):
    """The radio of a unit whose controller is on the board."""

    async def _open(self) -> None:
        await super()._open()
        self.chip = self.folder / "chip"
        self.chips: list[BroadcomChip] = []
        await self.loop.create_unix_server(lambda: BroadcomChip(self), self.chip)


class BroadcomChip(asyncio.Protocol):
    """The controller at the end of a serial line. It answers the commands that are special to the chip, and passes all
    other commands to a usual controller."""

    def __init__(self, radio: BroadcomRadio) -> None:
        self.radio = radio
        self.opcodes: list[int] = []
        self.address = DEFAULT_ADDRESS
        self.firmware = bytearray()
        radio.chips.append(self)

    def connection_made(self, transport) -> None:
        self.transport = transport
        self.source = StreamPacketSource()
        self.source.set_packet_sink(self)
        self.controller = self.radio.controller("chip", "00:00:00:00:00:01", self)

    def data_received(self, data: bytes) -> None:
        self.source.data_received(data)

    def on_packet(self, packet: bytes) -> None:
        """Handles a command from the kernel, or sends a packet of the usual controller to the kernel."""
        if packet[0] != COMMAND:
            self.transport.write(packet)
            return
        opcode, = struct.unpack("<H", packet[1:3])
        parameters = packet[4:]
        self.opcodes.append(opcode)
        if opcode == WRITE_RAM:
            self.firmware += parameters[4:]
        if opcode == SET_ADDRESS:
            self.address = parameters
        special = ANSWERS | {READ_VERSION: VERSION, READ_ADDRESS: self.address}
        if opcode in special:
            self.answer(opcode, special[opcode])
        else:
            self.controller.on_packet(packet)

    def answer(self, opcode: int, parameters: bytes) -> None:
        complete = struct.pack("<BHB", 1, opcode, 0) + parameters
        self.transport.write(bytes([4, 0x0E, len(complete)]) + complete)


def firmware_of(file: Path) -> bytes:
    """The bytes that the records of a firmware file write to the memory of the chip."""
    content, at, found = file.read_bytes(), 0, bytearray()
    while at < len(content):
        opcode, length = struct.unpack("<HB", content[at:at + 3])
        if opcode == WRITE_RAM:
            found += content[at + 7:at + 3 + length]
        at += 3 + length
    return bytes(found)

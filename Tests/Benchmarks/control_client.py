"""A client of the control socket, for measurements: sends a call, and waits for the answer.

jeepney encodes and decodes the messages. The measured time is the time from the first byte sent to the last byte
received. It does not include the encoding and decoding.
"""

from __future__ import annotations

import socket
import time
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from jeepney import DBusAddress, HeaderFields, MessageType, Parser, new_method_call
from jeepney.io.blocking import prep_socket
from jeepney.low_level import calc_msg_size

# Number of bytes in the fixed part of a message. This part contains the size of the whole message.
HEAD = 16


class Refused(Exception):
    """The daemon has answered with an error."""

    def __init__(self, name: str, words: tuple) -> None:
        super().__init__(name, *words)
        self.code = words[1] if len(words) > 1 else name


class Answer(NamedTuple):
    values: tuple
    ms: float


class ControlClient:
    """A connection to the daemon."""

    def __init__(self, path: Path) -> None:
        self._socket = prep_socket(str(path))
        self._socket.settimeout(60)
        self._serials = count(1)

    def close(self) -> None:
        self._socket.close()

    def ask(self, interface: str, method: str, signature: str = "", *arguments: Any) -> Answer:
        """Calls a method. Raises `Refused` if the daemon returns an error."""
        address = DBusAddress("/org/autoharp", "org.autoharp", f"org.autoharp.{interface}")
        call = new_method_call(address, method, signature or None, arguments)
        serial = next(self._serials)
        data = call.serialise(serial=serial)
        begin = time.perf_counter()
        self._socket.sendall(data)
        while True:
            received = self._receive()
            ms = 1000 * (time.perf_counter() - begin)
            parser = Parser()
            parser.add_data(received)
            message = parser.get_next_message()
            assert message
            # A signal can arrive before the answer.
            if message.header.fields.get(HeaderFields.reply_serial) == serial:
                break
        if message.header.message_type is MessageType.error:
            raise Refused(message.header.fields[HeaderFields.error_name], message.body)
        return Answer(message.body, ms)

    def _receive(self) -> bytes:
        data = self._exactly(HEAD)
        return data + self._exactly(calc_msg_size(data) - HEAD)

    def _exactly(self, size: int) -> bytes:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            got = self._socket.recv_into(view, len(view), socket.MSG_WAITALL)
            if not got:
                raise ConnectionError("the daemon has closed the connection")
            view = view[got:]
        return bytes(data)


def plain(row: dict) -> dict:
    """The values of an `a{sv}` without their signatures."""
    return {key: value for key, (_, value) in row.items()}

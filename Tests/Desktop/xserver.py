"""An X server without hardware, with a window manager and a real pointer."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import time
import zlib
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
GOLDENS = PROJECT / "Tests" / "Screen" / "ScreenLayoutTests" / "Goldens"
DEADLINE_S = 20
# The time between two polls. No event reports a change of another program's picture or state.
INTERVAL_S = 0.02

# While music plays, about 40 rows of pixels of Now Playing change: the bar and the times. If more than this number of
# rows change, another page is shown.
PROGRESS_ROWS = 60


def wait_until(condition: Callable, what: str):
    """Waits until the condition is true. Returns its value."""
    deadline = time.monotonic() + DEADLINE_S
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(INTERVAL_S)
    return value


def place(page: str, part: str) -> tuple[int, int]:
    """The centre of an area that reacts to a touch, at 800 × 480. The golden files of the layout list all these
    areas."""
    text = (GOLDENS / f"{page}.txt").read_text()
    found = re.search(rf"^hit {re.escape(part)}  (\d+),(\d+) (\d+)×(\d+)", text, re.MULTILINE)
    assert found, f"{page} has no {part}"
    x, y, width, height = map(int, found.groups())
    return x + width // 2, y + height // 2


class WindowGone(Exception):
    """The window was closed."""


class Desktop:
    """A screen of 1024 × 768 pixels."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen] = []
        self.window = ""

    def __enter__(self) -> Desktop:
        read, write = os.pipe()
        # Xvfb chooses a free display number, and writes this number when it accepts clients. Without -noreset, Xvfb
        # resets when its only client, such as xprop, has ended.
        self._start("Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset",
                    "-fbdir", str(self._folder), pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as numbers:
            self.name = f":{int(numbers.readline())}"
        self.environment = {**os.environ, "DISPLAY": self.name}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self._start("openbox", env=self.environment)
        wait_until(lambda: "window id" in self._ask("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "openbox runs")
        return self

    def _start(self, *command: str, **options) -> None:
        self._processes.append(subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options))

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()

    def _ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL).stdout

    def wait_for_window(self) -> None:
        """Waits until the window shows a picture."""
        wait_until(self._finds_picture, "a window shows a picture")

    def _finds_picture(self) -> bool:
        """SDL creates a window, and then replaces it with a window that is suitable for its renderer. So the window
        must still exist after its picture was read."""
        self.window = self._find_window()
        try:
            return (self.window.isdigit() and len(set(self.pixels())) > 20
                    and self.window == self._find_window())
        except WindowGone:
            return False

    def _find_window(self) -> str:
        return self._ask("xdotool", "search", "--onlyvisible", "--name", "^Autoharp$").strip()

    @property
    def frame(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the window's picture on the screen."""
        text = self._ask("xwininfo", "-id", self.window)
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        found = [re.search(rf"{name}: +(\d+)", text) for name in names]
        if not all(found):
            raise WindowGone(text)
        return tuple(int(value[1]) for value in found)  # type: ignore[return-value]

    def rows(self) -> list[bytes]:
        """The rows of the window's picture: four bytes for a pixel, in the order blue, green, red."""
        data = (self._folder / "Xvfb_screen0").read_bytes()
        # The format of xwd: a header of numbers, a table of colours, the rows.
        header = struct.unpack(">25I", data[:100])
        begin, stride = header[0] + 12 * header[19], header[12]
        left, top, width, height = self.frame
        return [data[begin + y * stride + 4 * left:][:4 * width] for y in range(top, top + height)]

    def pixels(self) -> memoryview:
        return memoryview(b"".join(self.rows())).cast("I")

    def save(self, path: Path) -> None:
        """Writes the picture as a PNG."""
        rows = self.rows()

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        lines = bytearray()
        for row in rows:
            line = bytearray(len(row) // 4 * 3)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            lines += b"\0" + line
        header = struct.pack(">IIBBBBB", len(rows[0]) // 4, len(rows), 8, 2, 0, 0, 0)
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(lines)))
                         + chunk(b"IEND", b""))

    def content(self) -> list[bytes]:
        """The rows below the header. The header contains the time of day and messages."""
        return self.rows()[88:]

    def is_still(self) -> bool:
        """True if the picture does not change within 0.1 s."""
        before = self.content()
        time.sleep(5 * INTERVAL_S)
        return before == self.content()

    def click(self, x: int, y: int) -> None:
        """Clicks, and moves the pointer out of the window."""
        self._ask("xdotool", "mousemove", "--window", self.window, str(x), str(y), "click", "1",
                  "mousemove", "1020", "760")

    def open(self, page: str, part: str, rows: int = PROGRESS_ROWS) -> None:
        """Clicks on a part, and waits until another page is shown."""
        before = self.content()
        self.click(*place(page, part))
        self.wait_for_other(before, rows)

    def wait_for_other(self, before: list[bytes], rows: int = PROGRESS_ROWS) -> None:
        """Waits until more than this number of rows of pixels have changed, and two consecutive pictures are equal. The
        second condition is needed because the clicked part looks different while the button of the mouse is pressed."""
        last = [before, before]

        def is_new() -> bool:
            last[:] = last[1:] + [self.content()]
            changed = sum(old != new for old, new in zip(before, last[-1]))
            return changed > rows and last[0] == last[1]
        wait_until(is_new, "another page is shown")

    def key(self, name: str) -> None:
        """Presses a key in the window."""
        self._ask("xdotool", "windowfocus", "--sync", self.window, "key", name)

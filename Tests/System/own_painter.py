"""The painter's own picture of what a unit shows: a second screen on the same unit, in memory.

It keeps its last pictures, one for each time that something was painted: so what passes can be
compared, too. It takes the place of the unit's screen as a surface, which then looks on.
"""

from __future__ import annotations

import base64
import zlib

from headunit import HeadUnit
from picture import Picture

# What has a time of its own at 800 × 480, and differs between two screens for a moment: see
# Tests/Screen/ScreenLayoutTests/Goldens/playing.txt.
CLOCK = (0, 0, 120, 90)
BAR = (416, 228, 384, 76)
# Where a notice is: see Tests/Screen/ScreenLayoutTests/Goldens/notice.txt.
HEADER = (120, 0, 680, 88)

FOLDER = "/run/own"
KEPT = 16  # pictures of a megabyte, in memory


class OwnPainter:
    def __init__(self, unit: HeadUnit, size: str = "800x480") -> None:
        self.unit = unit
        # Each word that something was painted is answered with the wish to have it.
        unit.shell(
            f"mkdir {FOLDER}; mkfifo {FOLDER}/asks; (sh -c 'echo $$ >{FOLDER}/pid; "
            f"exec autoharp-screen --scripted {size}' <{FOLDER}/asks 2>{FOLDER}/log | "
            f"while read word number rest; do echo $word $number >>{FOLDER}/said; "
            f"[ $word != shown ] || echo shot {FOLDER}/$((number % {KEPT})).ppm; "
            f"done >{FOLDER}/asks) </dev/null >/dev/null 2>&1 &"
        )
        unit.wait_until(f"grep -q shot {FOLDER}/said")

    def latest(self) -> Picture:
        """The last one, when nothing more was painted for three seconds: covers come later."""
        return self._read(self._count_when_quiet())

    def current(self) -> Picture:
        """The last one, whether or not more is to come."""
        number = int(self.unit.shell(f"grep -c shown {FOLDER}/said"))
        self.unit.wait_until(f"test $(grep -c shot {FOLDER}/said) -ge {number}")
        return self._read(number)

    def all(self) -> list[Picture]:
        """Those that are kept, when nothing more was painted for three seconds."""
        last = self._count_when_quiet()
        return [self._read(number) for number in range(max(1, last - KEPT + 1), last + 1)]

    def _count_when_quiet(self) -> int:
        lines = f"$(busybox wc -l <{FOLDER}/said)"
        self.unit.shell(
            f'until [ "{lines}" = "$(sleep 3; busybox wc -l <{FOLDER}/said)" ]; do :; done')
        self.unit.wait_until(f"busybox tail -n 1 {FOLDER}/said | grep -q shot")
        return int(self.unit.shell(f"grep -c shown {FOLDER}/said"))

    def _read(self, number: int) -> Picture:
        text = self.unit.shell(
            f"busybox gzip -c {FOLDER}/{number % KEPT}.ppm | busybox base64")
        return Picture.read(zlib.decompress(base64.b64decode(text), 31))

    def end(self) -> None:
        self.unit.shell(
            f"kill $(cat {FOLDER}/pid); while [ -d /proc/$(cat {FOLDER}/pid) ]; do sleep 0.1; done; "
            f"rm -r {FOLDER}")

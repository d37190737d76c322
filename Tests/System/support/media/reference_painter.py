"""Makes the expected picture of a unit's screen: a second autoharp-screen on the same unit paints into memory.

The second program keeps the last pictures that it painted, so tests can also compare states that are
shown only for a moment. While the second program runs, it is registered with the daemon as the surface
"screen" in place of the unit's screen. The unit's screen continues to show the state.
"""

from __future__ import annotations

import base64
import zlib

from headunit import HeadUnit
from picture import Picture

# Parts of the picture at 800 × 480 that change with time. They can differ between two screens, so a comparison masks
# them. Tests/Screen/ScreenLayoutTests/Goldens/playing.txt has their positions.
CLOCK = (0, 0, 120, 90)
BAR = (416, 228, 384, 76)
# The place of a notice: see Tests/Screen/ScreenLayoutTests/Goldens/notice.txt.
HEADER = (120, 0, 680, 88)

FOLDER = "/run/reference"
KEPT = 16  # pictures, about 1 MB each, in memory


class ReferencePainter:
    def __init__(self, unit: HeadUnit, size: str = "800x480") -> None:
        self.unit = unit
        # Each time the program reports that it has painted, this script requests the picture.
        unit.shell(
            f"mkdir {FOLDER}; mkfifo {FOLDER}/requests; (sh -c 'echo $$ >{FOLDER}/pid; "
            f"exec autoharp-screen --scripted {size}' <{FOLDER}/requests 2>{FOLDER}/log | "
            f"while read word number rest; do echo $word $number >>{FOLDER}/events; "
            f"[ $word != shown ] || echo shot {FOLDER}/$((number % {KEPT})).ppm; "
            f"done >{FOLDER}/requests) </dev/null >/dev/null 2>&1 &"
        )
        unit.wait_until(f"grep -q shot {FOLDER}/events")

    def latest(self) -> Picture:
        """Waits until the program has painted nothing for three seconds, because it paints a cover later than the rest.
        Returns the last picture."""
        return self._read(self._count_when_quiet())

    def current(self) -> Picture:
        """The last picture so far. Does not wait for further pictures."""
        number = int(self.unit.shell(f"grep -c shown {FOLDER}/events"))
        self.unit.wait_until(f"test $(grep -c shot {FOLDER}/events) -ge {number}")
        return self._read(number)

    def all(self) -> list[Picture]:
        """Waits until the program has painted nothing for three seconds. Returns the kept pictures."""
        last = self._count_when_quiet()
        return [self._read(number) for number in range(max(1, last - KEPT + 1), last + 1)]

    def _count_when_quiet(self) -> int:
        lines = f"$(busybox wc -l <{FOLDER}/events)"
        self.unit.shell(
            f'until [ "{lines}" = "$(sleep 3; busybox wc -l <{FOLDER}/events)" ]; do :; done')
        self.unit.wait_until(f"busybox tail -n 1 {FOLDER}/events | grep -q shot")
        return int(self.unit.shell(f"grep -c shown {FOLDER}/events"))

    def _read(self, number: int) -> Picture:
        text = self.unit.shell(
            f"busybox gzip -c {FOLDER}/{number % KEPT}.ppm | busybox base64")
        return Picture.read(zlib.decompress(base64.b64decode(text), 31))

    def end(self) -> None:
        self.unit.shell(
            f"kill $(cat {FOLDER}/pid); while [ -d /proc/$(cat {FOLDER}/pid) ]; do sleep 0.1; done; "
            f"rm -r {FOLDER}")

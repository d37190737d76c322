"""Measures when a command takes effect, from the frames that a simulated sound card (paced.py) played.

Before a command, the current track, position and volume are known, so all following frames can be
predicted. The first frame that differs from the prediction is the change. The stamp of this frame
(`paced.Stamp`) contains the time at which the frame was handed over. The frame is heard when the clock
of the card reaches it. mpd and mpv stop the card for pause and skip. In this case the sound changes,
but no frame differs. Then the time of the stop counts twice: as the time at which the change is handed
over, and as the time at which the change is heard.
"""

from __future__ import annotations

import array
import time
from dataclasses import dataclass

from coded import CodedTracks, Place
from paced import SECOND_NS, Card, CardReader, Run

# The level is examined from the first changed frame until this number of frames after the requested
# result begins.
_FADE_FRAMES = 720
# A command without an audible effect within this time counts as lost.
LOST_NS = 5 * SECOND_NS
_CHUNK = 16384
# The largest change of a 16-bit sample by rounding and dither, on the scale of 32 bits.
_ROUNDING = 3 << 16
_JUMPS = ("next", "previous", "seek")
_SILENCING = ("pause", "mute")


@dataclass
class Effect:
    """The effect of a command. Times are nanoseconds since the command was sent."""

    command: str
    handed_ns: int  # hand-over of the first changed frame, or the stop of the card
    heard_ns: int  # the first changed frame is heard
    # The time at which the requested result is heard: the new place, or silence.
    arrived_ns: int | None = None
    by_stop: bool = False
    # The largest level step between two adjacent frames, as a fraction of the highest level. A cut
    # has the value 1, and a fade has a smaller value.
    step: float = 1.0
    # After a command that silences: the place of the last music. After a jump or a start: the place of
    # the first new music.
    place: Place | None = None


@dataclass
class Baseline:
    """The last sound of the player. From this sound, all following frames are predicted."""

    frame: int  # position in the card's file
    place: Place | None  # None if the card plays silence or has stopped
    gain: float = 1.0


class SoundObserver:
    """Finds out what one player plays, from the records of its card."""

    def __init__(self, card: Card, tracks: CodedTracks) -> None:
        self.reader = CardReader(card)
        self.tracks = tracks
        self._anchor: tuple[int, Place] | None = None

    def close(self) -> None:
        self.reader.close()

    # --- Present sound ----------------------------------------------------------------------------

    def where(self) -> Baseline | None:
        """The baseline at the end of the frames that the card has played so far. None if the last frames
        are neither silent nor recognized."""
        self.reader.refresh()
        end = self.reader.captured
        frame = end - 8
        if frame < 0:
            return None
        last = self.reader.samples(frame, 8)
        if not any(last):
            return Baseline(end, None)
        if place := self.tracks.locate(last):
            self._anchor = (frame, place)
            return Baseline(end, self.tracks.advance(place, 8))
        return self._baseline_at_other_volume(end)

    def _baseline_at_other_volume(self, end: int) -> Baseline | None:
        """The baseline if the volume has changed: the expected place with another gain. None if the
        level still changes."""
        if not self._anchor or end - self._anchor[0] < 512:
            return None
        place = self.tracks.advance(self._anchor[1], end - 512 - self._anchor[0])
        known = self.tracks.frame(place)[0]
        left = self.reader.samples(end - 512, 512)[::2]
        gain = left[0] / known
        if max(left) - min(left) > 2 * _ROUNDING + (8 << 16) or not 0 < gain < 4:
            return None  # the level still changes
        return Baseline(end, self.tracks.advance(place, 512), gain)

    def settle(self, seconds: float = 3, plays: bool = True) -> Baseline | None:
        """Waits until the player plays recognized frames. If `plays` is false, waits until the player
        is silent. Returns the baseline, or None if this takes longer than `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            now = self.where()
            if now and plays and now.place and self.is_running:
                return now
            if not plays and (not self.is_running or (now and now.place is None)):
                return Baseline(self.reader.captured, None)
            time.sleep(0.01)
        return None

    @property
    def is_running(self) -> bool:
        return bool(self.reader.runs) and self.reader.runs[-1].end is None

    # --- Comparing --------------------------------------------------------------------------------

    def first_difference(self, frame: int, place: Place, gain: float, end: int) -> int | None:
        """The first frame before `end` that differs from the prediction."""
        while frame < end:
            expected = self.tracks.stretch(place, min(_CHUNK, end - frame))
            count = len(expected) // 2
            if gain == 1:
                found = _first_difference(self.reader.read(frame, count), expected.tobytes())
            else:
                left = self.reader.samples(frame, count)[::2]
                found = _first_outside(left, gain * expected[0], _ROUNDING)
            if found is not None:
                return frame + found
            frame += count
            place = self.tracks.advance(place, count)
        return None

    def first_sound(self, frame: int, end: int) -> int | None:
        while frame < end:
            data = self.reader.read(frame, min(_CHUNK, end - frame))
            if rest := data.lstrip(b"\0"):
                return frame + (len(data) - len(rest)) // 8
            frame += len(data) // 8
        return None

    def first_silence(self, frame: int, end: int) -> int | None:
        """The first frame from `frame` on with which eight silent frames in sequence begin."""
        data = self.reader.read(frame, max(0, end - frame))
        at = data.find(bytes(64 + 7))
        return None if at < 0 else frame + -(-at // 8)

    def arrival(self, frame: int, end: int, old: Baseline) -> tuple[int, Place] | None:
        """Searches from `frame` on for the first frame whose place does not follow from the old place.
        After silence every place is new. Returns this frame and its place.

        If the new sound fades in, its first frames are not recognized. So when a later frame is
        recognized, the search goes backwards to the first frame of the fade. This is possible because
        both channels have the same gain during the fade.
        """
        for found in range(frame, end - 3, 16):
            place = self.tracks.locate(self.reader.samples(found, 4))
            if place is None:
                continue
            if old.place and place == self.tracks.advance(old.place, found - old.frame):
                continue
            while found > frame and place.frame > 0:
                earlier = Place(place.track, place.frame - 1)
                if not _is_scaled(self.reader.samples(found - 1, 1), self.tracks.frame(earlier)):
                    break
                found, place = found - 1, earlier
            return found, place
        return None


def _first_difference(one: bytes, other: bytes) -> int | None:
    if one == other:
        return None
    low, high = 0, min(len(one), len(other)) // 8  # the first `low` frames are equal
    while low < high:
        middle = (low + high) // 2
        if one[8 * low : 8 * middle + 8] == other[8 * low : 8 * middle + 8]:
            low = middle + 1
        else:
            high = middle
    return low


def _first_outside(values: array.array, middle: float, tolerance: float) -> int | None:
    low, high = middle - tolerance, middle + tolerance
    if min(values) >= low and max(values) <= high:
        return None
    return next(index for index, value in enumerate(values) if not low <= value <= high)


def _is_scaled(frame: array.array, known: tuple[int, int]) -> bool:
    gain = frame[0] / known[0]
    return 0 < gain <= 1 and abs(frame[1] - gain * known[1]) < 1 << 14


class EffectWatch:
    """Waits for the effect of one command. Call `poll` until it returns a result, or until
    `is_late` is true."""

    def __init__(self, observer: SoundObserver, command: str, before: Baseline, sent_ns: int) -> None:
        self.observer = observer
        self.command = command
        self.before = before
        self.sent_ns = sent_ns
        # Number of changes that cannot be an effect of the command, because they were handed over
        # before the command was sent.
        self.disturbed = 0
        self._frame = before.frame
        self._effect: Effect | None = None
        self._changed_at = 0

    def poll(self) -> Effect | None:
        self.observer.reader.refresh()
        if self._effect is None:
            self._find_change()
        if self._effect is not None and self._is_complete(self._effect):
            return self._effect
        return None

    @property
    def failure_reason(self) -> str:
        """The reason why `poll` has returned no effect."""
        if self._effect is None:
            return "the sound did not change"
        return "the sound changed, but the requested result did not follow"

    @property
    def is_late(self) -> bool:
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) > self.sent_ns + LOST_NS

    def _find_change(self) -> None:
        observer, reader = self.observer, self.observer.reader
        end = reader.captured
        if self.before.place is None:
            found = observer.first_sound(self._frame, end)
            if found is not None:
                self._change(found)
            self._frame = end
            return
        stop = self._run_ended_by_player()
        if stop:
            end = min(end, stop.end or 0)
        place = observer.tracks.advance(self.before.place, self._frame - self.before.frame)
        found = observer.first_difference(self._frame, place, self.before.gain, end)
        self._frame = end
        if found is not None:
            self._change(found)
        elif stop and stop.end == end:
            self._changed_at = end
            heard_ns = stop.end_ns - self.sent_ns
            self._effect = Effect(self.command, heard_ns, heard_ns, by_stop=True)

    def _run_ended_by_player(self) -> Run | None:
        """The first run that the player ended after the command. The player ends a run by stopping the
        card. For a pause or a mute, the player can also let the card run dry. If the card ran dry and
        the player continued, the player was only late, so that run is ignored."""
        runs = self.observer.reader.runs
        for run in runs:
            if run.end is None or run.end_ns < self.sent_ns:
                continue
            if not run.is_dry or (run is runs[-1] and self._is_permanently_dry(run)):
                return run
        return None

    def _is_permanently_dry(self, run: Run) -> bool:
        now_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return self.command in _SILENCING and now_ns > run.end_ns + SECOND_NS

    def _change(self, frame: int) -> None:
        reader = self.observer.reader
        handed_ns, heard_ns = reader.handed_ns(frame), reader.heard_ns(frame)
        if handed_ns is None or heard_ns is None or handed_ns < self.sent_ns:
            self._restart_after_disturbance(frame)
            return
        self._changed_at = frame
        self._effect = Effect(self.command, handed_ns - self.sent_ns, heard_ns - self.sent_ns)

    def _restart_after_disturbance(self, frame: int) -> None:
        """Determines the baseline again after a change that cannot be an effect of the command."""
        self.disturbed += 1
        now = self.observer.settle(1, plays=self.before.place is not None)
        if now:
            self.before, self._frame = now, now.frame

    def _is_complete(self, effect: Effect) -> bool:
        observer, reader = self.observer, self.observer.reader
        end = reader.captured
        found: int | None = self._changed_at
        if self.command in _JUMPS or self.before.place is None:
            new = observer.arrival(self._changed_at, end, self.before)
            found, effect.place = new if new else (None, None)
        elif self.command in _SILENCING:
            found = end if effect.by_stop else observer.first_silence(self._changed_at, end)
            if found is None and not observer.is_running:
                found = end  # the player faded out and stopped the card
            if found is None:
                return False
            effect.place = observer.tracks.advance(self.before.place, found - self.before.frame)
            run = reader.runs[-1]
            if found == run.end:
                effect.arrived_ns = run.end_ns - self.sent_ns
                effect.step = 1.0 if effect.by_stop else self._largest_step(found)
                return True
        if found is None or end < found + _FADE_FRAMES:
            return False
        heard_ns = reader.heard_ns(found)
        if heard_ns is not None:
            effect.arrived_ns = heard_ns - self.sent_ns
        if not effect.by_stop:
            effect.step = self._largest_step(found + _FADE_FRAMES)
        return True

    def _largest_step(self, end: int) -> float:
        levels = self.observer.reader.samples(self._changed_at, end - self._changed_at)[::2]
        before = 0.0
        if self.before.place:
            before = self.before.gain * self.observer.tracks.frame(self.before.place)[0]
        steps = [abs(levels[0] - before)]
        steps += [abs(one - other) for one, other in zip(levels, levels[1:])]
        return max(steps) / max(before, *levels)

"""Captures, locates and compares the frames that the sound card received. Also generates music.

The wav driver of QEMU writes the samples of the guest's card to a file. It does not change the samples if QEMU's mixer
is off and the driver has the rate and the format of the card. The driver writes in blocks, so the last 1500 frames are
missing until QEMU ends, and some of these frames are never written. Therefore a test plays silence after the part that
it compares.
"""

from __future__ import annotations

import math
import random
import subprocess
import tempfile
from array import array
from dataclasses import dataclass
from pathlib import Path

BYTES_PER_FRAME = 4  # two channels of sixteen bits
FADED = 2 * 256  # two fades of 5 ms
DITHER = 2  # added by the fades
QUIET = 8  # number of frames at the quiet end of a fade that can be rounded to silence
LONGEST_PAUSE = 5 * 44100
SHORT_PROBE = 24  # number of frames that identify a position near an expected one
PROBE = 250  # number of frames that identify a position


@dataclass(frozen=True)
class Frames:
    """Interleaved stereo frames of sixteen bits."""

    data: bytes

    def __repr__(self) -> str:
        return f"<{len(self)} frames>"

    def __len__(self) -> int:
        return len(self.data) // BYTES_PER_FRAME

    def __add__(self, other: Frames) -> Frames:
        return Frames(self.data + other.data)

    def __getitem__(self, part: slice) -> Frames:
        begin, end, _ = part.indices(len(self))
        return Frames(self.data[begin * BYTES_PER_FRAME : end * BYTES_PER_FRAME])

    def samples(self) -> array:
        return array("h", self.data)

    def level(self) -> float:
        """The root of the mean square of the samples."""
        samples = self.samples()
        return (sum(sample * sample for sample in samples) / max(1, len(samples))) ** 0.5

    def from_first_sound(self) -> Frames:
        """The frames without the silence at the start."""
        silent = len(self.data) - len(self.data.lstrip(b"\0"))
        return Frames(self.data[silent - silent % BYTES_PER_FRAME :])

    def find(self, other: Frames, start: int = 0) -> int:
        """The first position of these frames at or after `start`, or -1."""
        at = start * BYTES_PER_FRAME
        while (at := self.data.find(other.data, at)) >= 0:
            if at % BYTES_PER_FRAME == 0:
                return at // BYTES_PER_FRAME
            at += 1
        return -1

    def last_position_in(self, song: Frames) -> int:
        """The position in the song, in frames, of the last sound that was heard."""
        # The captured sound may end in silence or in a fade, so search backwards from its end.
        for back in range(PROBE, len(self), PROBE):
            found = song.find(self[len(self) - back : len(self) - back + PROBE])
            if found >= 0:
                return found + PROBE
        raise AssertionError(f"{self} contains no part of the song")


def pause_in(expected: Frames, heard: Frames) -> str | None:
    """Compares `heard` with `expected`. Returns None if `heard` has exactly one pause and is otherwise equal, without a
    missing or an added frame. A pause is a fade out, silence and a fade in. In all other cases, the function returns an
    identifier and a description of the difference."""
    heard = heard.from_first_sound()
    tail = expected[len(expected) - 4096 :]
    pause = heard.find(tail) + len(tail) - len(expected)
    if pause <= 0:
        return "no-pause: there is no pause, or the end is not heard after the pause"
    begin = heard.find(Frames(bytes(pause * BYTES_PER_FRAME)))
    if begin < 0:
        return f"not-silent: {pause} frames must be silent"
    # Without the silence, only the frames of the two fades may differ.
    joined = heard[:begin] + heard[begin + pause : len(expected) + pause]
    pairs = list(zip(expected.samples(), joined.samples()))
    other = [number for number, (wanted, played) in enumerate(pairs) if wanted != played]
    first, last = other[0] // 2, other[-1] // 2
    if last - first >= FADED:
        return f"frames-differ: frames {first} to {last}, and the pause is at {begin}"
    louder = [n for n in other if abs(pairs[n][1]) > abs(pairs[n][0]) + DITHER]
    return f"fade-too-loud: frame {louder[0] // 2} is louder than the music" if louder else None


def pauses_in(expected: Frames, heard: Frames) -> tuple[int, str | None]:
    """Compares `heard` with `expected`. A pause is a fade out, silence and a fade in; the music between two
    pauses may be shorter than a fade. Returns the number of silences, and None if `heard` is otherwise equal,
    without a missing or an added frame. Otherwise returns a description of the difference."""
    song, played = expected.samples(), heard.from_first_sound().samples()
    pauses = at = position = 0  # in frames: `at` in what was heard, `position` in the song
    while True:
        same = _equal_frames(song, position, played, at)
        at, position = at + same, position + same
        if position >= len(expected):
            return pauses, None
        # Search for the next frames at full level.
        silences, sounding, after = 0, 0, at
        was_silent = False
        while True:
            if after - at > LONGEST_PAUSE or 2 * (after + SHORT_PROBE) > len(played):
                return pauses, f"frames-differ: frame {position} of the song, frame {at} of what was heard"
            probe = played[2 * after : 2 * (after + SHORT_PROBE)]
            # The frames of the fades are frames of the song. But their quietest frames are silent and were not counted
            # in `sounding`, so the search also tries positions a few frames later in the song.
            for skipped in range(sounding, sounding + QUIET * (2 * silences + 1)):
                begin = 2 * (position + skipped)
                if song[begin : begin + 2 * SHORT_PROBE] == probe:
                    break
            else:
                is_silent = not any(played[2 * after : 2 * after + 2])
                silences += is_silent and not was_silent
                sounding += not is_silent
                if not is_silent and not _is_quieter(song, position + sounding - 1, played, after, silences):
                    return pauses, f"too-loud: frame {after} of what was heard"
                was_silent = is_silent
                after += 1
                continue
            break
        pauses, at, position = pauses + silences, after, position + skipped


def _is_quieter(song: array, position: int, played: array, at: int, silences: int) -> bool:
    """True if the played frame can be a faded frame of the song. Some frames of a fade are rounded to silence, so the
    frame of the song is at `position` or is one of the next few."""
    loudest = max(abs(value) for value in song[2 * position : 2 * (position + QUIET * (2 * silences + 1) + 1)])
    return abs(played[2 * at]) <= loudest + DITHER


def _equal_frames(song: array, position: int, played: array, at: int) -> int:
    """The number of equal frames from these two positions on."""
    limit = min(len(song) // 2 - position, len(played) // 2 - at)
    count, step = 0, 1 << 16
    while step and count < limit:
        one, other = 2 * (position + count), 2 * (at + count)
        if song[one : one + 2 * step] == played[other : other + 2 * step] and count + step <= limit:
            count += step
        else:
            step //= 2
    return count


def read_capture(path: Path) -> Frames:
    # The header is ignored, because the length in the header is correct only after QEMU has ended.
    data = path.read_bytes()[44:] if path.exists() else b""
    return Frames(data[: len(data) // BYTES_PER_FRAME * BYTES_PER_FRAME])


def capture_bytes_per_second(path: Path) -> int:
    """The number of bytes per second of the captured sound, from the header, which QEMU writes before the frames."""
    with open(path, "rb") as file:
        return int.from_bytes(file.read(32)[28:], "little")


def difference(expected: Frames, heard: Frames) -> str | None:
    """None if `heard`, without silence at the start, begins with `expected`. Otherwise the kind of the difference, a
    colon, and the position."""
    heard = heard.from_first_sound()
    expected = expected.from_first_sound()
    if heard.data.startswith(expected.data):
        return None
    pairs = zip(range(len(expected)), range(len(heard)))
    for number, _ in pairs:
        if expected[number : number + 1] != heard[number : number + 1]:
            break
    else:
        return f"too-short: {len(heard)} of {len(expected)} frames were heard, all of them correct"
    again = heard.find(expected[number : number + 64], number)
    where = f"frame {number} of {len(expected)}"
    if again > number:
        return f"added: {again - number} frames at {where}"
    lost = expected.find(heard[number : number + 64], number)
    if lost > number:
        return f"missing: {lost - number} frames at {where}"
    return f"wrong: {where}"


# Tables for the bytes of random little-endian samples. They make white noise of thirteen bits. HIGH makes the high
# bytes small. LOW makes the low bytes odd, so that no sample is 0.
HIGH = bytes((byte % 32 - 16) % 256 for byte in range(256))
LOW = bytes(byte | 1 for byte in range(256))


def noise(seconds: float, seed: int, rate: int = 44100) -> Frames:
    """Generated music in which every part is unique and no frame is silent."""
    random_bytes = random.Random(seed).randbytes(int(seconds * rate) * BYTES_PER_FRAME)
    samples = bytearray(random_bytes)
    samples[0::2] = random_bytes[0::2].translate(LOW)
    samples[1::2] = random_bytes[1::2].translate(HIGH)
    return Frames(bytes(samples))


def sweep(seconds: float, first: float, last: float, level: float = 0.97, rate: int = 44100) -> Frames:
    """A tone whose frequency goes from `first` to `last`, on both channels. It begins and ends with fades."""
    samples = array("h", bytes(BYTES_PER_FRAME * int(seconds * rate)))
    for number in range(len(samples) // 2):
        at = number / rate
        phase = 2 * math.pi * (first + (last - first) * at / seconds / 2) * at
        gain = 32767 * level * min(1.0, at / 0.02, (seconds - at) / 0.02)
        samples[2 * number] = samples[2 * number + 1] = round(gain * math.sin(phase))
    return Frames(samples.tobytes())


def silence(seconds: float, rate: int = 44100) -> Frames:
    return Frames(bytes(int(seconds * rate) * BYTES_PER_FRAME))


def mp3(frames: Frames, rate: int = 44100) -> bytes:
    """Encodes the frames with LAME. The MP3 file has no tags. Its info frame has the length of the sound."""
    with tempfile.TemporaryDirectory(prefix="unit-") as folder:
        file = Path(folder) / "song.mp3"
        command = ["lame", "--quiet", "-r", "-s", str(rate / 1000), "-V", "2", "-", str(file)]
        subprocess.run(command, input=frames.data, check=True)
        return file.read_bytes()


def flac24(seconds: float, seed: int, rate: int, tags: dict[str, str]) -> bytes:
    """Stereo noise with 24 bits, encoded with the reference encoder."""
    return _encoded(random.Random(seed).randbytes(int(seconds * rate) * 6), 24, rate, tags)


def flac(frames: Frames, rate: int = 44100, tags: dict[str, str] | None = None) -> bytes:
    """Encodes the frames with the reference encoder."""
    return _encoded(frames.data, 16, rate, tags or {})


def _encoded(samples: bytes, bits: int, rate: int, tags: dict[str, str]) -> bytes:
    """Encodes little-endian stereo samples. The encoder writes to a file instead of a pipe, because the encoder
    seeks back to store the length."""
    with tempfile.TemporaryDirectory(prefix="unit-") as folder:
        file = Path(folder) / "song.flac"
        command = ["flac", "--silent", "--force-raw-format", "--endian=little", "--sign=signed"]
        command += ["--channels=2", f"--bps={bits}", f"--sample-rate={rate}", f"--output-name={file}"]
        command += [f"--tag={name}={value}" for name, value in tags.items()]
        subprocess.run([*command, "-"], input=samples, check=True)
        return file.read_bytes()

"""Cuts the power, which is the normal way to switch the unit off: each stop of the car cuts the power."""

from __future__ import annotations

import os
import random
import time

from daemon import on_data
from headunit import HeadUnit
from sound import flac, noise

# Number of cuts at random moments. A second test makes two thirds of this number of cuts, each in the middle of
# a write of the state.
CUTS = int(os.environ.get("AUTOHARP_CUTS", "30"))
SECTOR = 512
LENGTH = 60
SONG = noise(LENGTH, seed=31)
# The paths are long, so that the state has several sectors. At a cut, any subset of these sectors can have been
# written.
FOLDER = "/".join(letter * 250 for letter in "abc")
MUSIC = on_data({f"{FOLDER}/song.flac": flac(SONG)}, start="play")


def assert_playback_resumes(unit: HeadUnit, left: float | None) -> None:
    """Checks that the unit has booted without a failure, and that playback continues at the old position
    or up to two seconds before it."""
    unit.wait_until_booted()
    assert unit.failed_units() == []
    assert unit.shell("cat /run/data/notice 2>/dev/null; true") == ""
    unit.wait_until_playing()
    if left is not None:
        # Journal entries can arrive late, so wait for this entry.
        unit.wait_for_log("music.resumed")
        resumed = unit.resumed_positions()
        assert len(resumed) == 1, unit.logged()
        lost = (left - resumed[0]) % LENGTH
        # The saved position is the position of the frames that were handed to the sound card, so it can be slightly
        # ahead of the sound.
        assert lost <= 2 or lost >= LENGTH - 0.5, f"{lost:.2f} s lost"
        print(f"{lost if lost <= 2 else lost - LENGTH:.2f} s lost")


def position_at_cut(unit: HeadUnit) -> float:
    """The position in the song when power was cut, in seconds."""
    return unit.sound().last_position_in(SONG) / 44100


def test_power_cuts_at_random_moments_resume_at_the_last_position(boot):
    moments = random.Random(6)
    unit = boot(data=MUSIC)
    # At full volume the played samples are the samples of the file.
    unit.console("volume 100")
    unit.console("repeat all")
    left, duration = None, None
    for cut in range(CUTS):
        begun = time.monotonic()
        assert_playback_resumes(unit, left)
        duration = duration or time.monotonic() - begun
        unit.wait_for_sound(3 * 44100)
        # Write other files beside the state, as fast as possible.
        unit.shell(
            "(cd /data; while :; do date >new; sync new; mv new other; cp other music/$$; done) "
            ">/dev/null 2>&1 &"
        )
        time.sleep(moments.uniform(0, 2))
        unit.cut_power()
        left = position_at_cut(unit)
        unit.boot_again()
        if cut % 3 == 2:
            # Cut power again during the boot, possibly before the first sound.
            time.sleep(moments.uniform(0, 1.2 * duration))
            unit.cut_power()
            heard = len(unit.sound().from_first_sound()) > 10_000
            left = position_at_cut(unit) if heard else left
            unit.boot_again()
    assert_playback_resumes(unit, left)


class StateFile:
    """The sectors of /data/autoharp/state on the disk of a running machine."""

    def __init__(self, unit: HeadUnit) -> None:
        self.file = unit.disk.file
        begin, _ = unit.disk.partition("data")
        # The kernel reports the positions of the sectors. The disk itself cannot tell them: the newest metadata may
        # be only in the journal of the file system.
        self.places = []
        for line in unit.shell("filefrag -e -b512 /data/autoharp/state").splitlines():
            columns = [part.strip() for part in line.split(":")]
            if columns[0].isdigit():
                first, last = columns[2].split("..")
                self.places += [begin + n * SECTOR for n in range(int(first), int(last) + 1)]
        assert len(self.places) * SECTOR >= 64 * 8192

    def sectors(self) -> list[bytes]:
        with open(self.file, "rb") as disk:
            return [os.pread(disk.fileno(), SECTOR, place) for place in self.places]

    def wait_for_write(self) -> list[bytes]:
        """Waits for a write. Returns the contents of the sectors before the write."""
        before = self.sectors()
        while self.sectors() == before:
            time.sleep(0.001)  # polls, because no event reports writes of another process
        return before

    def tear(self, before: list[bytes], keep: random.Random) -> int:
        """Keeps a random subset of the written sectors and restores the other sectors. Returns the number of sectors
        that the write has changed."""
        written = [n for n, now in enumerate(self.sectors()) if now != before[n]]
        with open(self.file, "r+b") as disk:
            for number in written:
                if keep.random() < 0.5:
                    os.pwrite(disk.fileno(), before[number], self.places[number])
        return len(written)


def test_power_cuts_during_state_writes_lose_at_most_two_seconds(boot):
    chance = random.Random(7)
    unit = boot(data=MUSIC)
    # At full volume the played samples are the samples of the file.
    unit.console("volume 100")
    unit.console("repeat all")
    left, torn = None, []
    for _ in range(CUTS * 2 // 3):
        assert_playback_resumes(unit, left)
        unit.wait_for_sound(3 * 44100)
        state = StateFile(unit)
        before = state.wait_for_write()
        unit.cut_power()
        left = position_at_cut(unit)
        torn.append(state.tear(before, chance))
        unit.boot_again()
    assert_playback_resumes(unit, left)
    print(f"sectors of the writes that were torn: {torn}")
    assert max(torn) > 1

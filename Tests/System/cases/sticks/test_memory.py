"""Collections that reach the limits of a scan: the memory of the daemon stays bounded, and the music goes on."""

from __future__ import annotations

import itertools

import pytest

from daemon import on_data
from headunit import HeadUnit
from large_collections import Files, mp3_song, songs_with_large_tags, unreadable_files, usual_songs
from sound import difference, flac, noise

MIB = 1 << 20


def peak(unit: HeadUnit) -> int:
    """The largest memory of the daemon so far, in bytes. The kernel also counts mapped files."""
    return int(unit.shell(f"grep VmHWM /proc/{unit.main_pid()}/status").split()[1]) * 1024


def kills(unit: HeadUnit) -> int:
    """How often the kernel has ended a process of the daemon, because the daemon's systemd unit reached its
    MemoryMax=."""
    events = unit.shell("cat /sys/fs/cgroup/system.slice/autoharp.service/memory.events")
    return int(dict(line.split() for line in events.splitlines())["oom_kill"])


@pytest.mark.parametrize(
    "collection, count, limit, playable",
    [
        pytest.param(usual_songs(21_000), 21_000, 24 * MIB, 21_000, id="21000-songs"),
        pytest.param(songs_with_large_tags(150, MIB), 150, 32 * MIB, 150, id="150-songs-with-1-mb-of-tags"),
        pytest.param(
            songs_with_large_tags(150, MIB // 2, song=mp3_song, suffix="mp3"), 150, 32 * MIB, 150,
            id="150-mp3-files-with-1-mb-of-tags"),
        pytest.param(unreadable_files(10_000), 10_000, 24 * MIB, 0, id="10000-files-that-cannot-be-read"),
    ])
def test_scan_of_a_stick_stays_within_its_memory_and_the_sound_is_exact(
    boot, collection: Files, count: int, limit: int, playable: int
):
    song = noise(400, seed=41)
    unit = boot(data=on_data({"song.flac": flac(song)}))
    unit.wait_until_booted()
    unit.wait_for_music()
    unit.console("volume 100")
    unit.console("play")
    unit.wait_for_sound(44100)
    before = peak(unit)
    unit.plug_stick(dict(itertools.islice(collection, count)), kind="ext4", size=640)
    unit.wait_for_stick()
    unit.wait_for_log("music.found", f"{playable + 1} files")
    assert unit.status() == "playing", "the song is too short for this scan"
    after = peak(unit)
    print(f"the daemon has used at most {before / MIB:.1f} MiB before the scan and {after / MIB:.1f} MiB after it")
    assert after <= limit
    assert kills(unit) == 0
    assert not unit.logged("output.underrun")
    unit.console("pause")
    unit.wait_until("autoharp console --json now | grep -q '\"status\": \"paused\"'")
    unit.switch_off()
    heard = unit.sound().from_first_sound()
    # The pause fades out, so the last second is not compared.
    exact = len(heard) - 44100
    assert exact > 44100
    assert difference(song[:exact], heard) is None

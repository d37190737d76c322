"""After a crash, /data has the log from before the crash."""

from __future__ import annotations


def test_kernel_crash_saves_its_last_messages_on_data(boot):
    unit = boot(reboots=True)
    unit.wait_until_booted()
    unit.machine.lines["shell"].send("echo crashes on purpose >/dev/kmsg; sync\n")
    unit.machine.lines["shell"].send("echo c >/proc/sysrq-trigger\n")
    # With panic=5 the machine restarts by itself.
    unit.wait_for_restart()
    unit.wait_until_booted()
    unit.wait_until("test -e /data/log/kernel.1")
    words = unit.shell("cat /data/log/kernel.1")
    assert "crashes on purpose" in words
    assert "sysrq" in words.lower()
    assert unit.shell("ls /sys/fs/pstore") == ""


def test_failed_unit_keeps_its_last_eight_journals_on_data(boot):
    unit = boot()
    unit.wait_until_booted()
    for number in range(10):
        # `touch` makes the kept logs old, as if each failure came long after the failure before.
        unit.shell(f"echo failure {number} >/dev/kmsg; /usr/lib/autoharp/keep-log autoharp; touch -d @0 /data/log/*")
    kept = unit.shell("ls /data/log").split()
    assert sorted(kept) == sorted(f"autoharp.{number}" for number in range(3, 11))
    assert "failure 9" in unit.shell("cat /data/log/autoharp.10")


def test_unit_that_fails_again_and_again_is_saved_twice(boot):
    unit = boot()
    unit.wait_until_booted()
    for _ in range(4):
        unit.shell("/usr/lib/autoharp/keep-log autoharp-library")
    assert unit.shell("ls /data/log").split() == ["autoharp-library.1", "autoharp-library.2"]


def test_endless_journal_is_limited_to_four_megabytes(boot):
    unit = boot()
    unit.wait_until_booted()
    # Write to the kernel log. systemd limits the messages of each unit, and that limit would hide the limit under test.
    unit.shell("i=0; while [ $i -lt 120 ]; do "
               "busybox seq -f \"$i %06.0f $(busybox seq -s - 40)\" 400 >/dev/kmsg; i=$((i+1)); done")
    used = unit.shell("du -k -c /run/log/journal | tail -n 1").split()[0]
    assert int(used) <= 4200
    assert unit.failed_units() == []

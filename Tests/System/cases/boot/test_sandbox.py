"""The daemon's sandbox enforces the restrictions of autoharp.service. The test runs inside of the sandbox."""

from __future__ import annotations

from daemon import on_data
from sound import flac, noise

# The unit runs a shell in the daemon's sandbox instead of the daemon.
DROPIN = """[Unit]
OnFailure=
[Service]
Type=exec
WatchdogSec=0
Restart=no
ExecStart=
ExecStart=/usr/bin/busybox sh /data/autoharp/probe.sh
"""
# Each line with `try` has a name and a command. The test replaces CONSOLE by the port of the console. The script writes
# the results to the daemon's folder on /data.
PROBE = r"""
# The sound card may come later than the daemon.
until [ -r /dev/snd/controlC0 ]; do sleep 0.1; done
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name yes"; else echo "$name no"; fi; }
{
  try write-own touch /data/autoharp/probe
  try write-music touch /data/music/probe
  try write-data touch /data/probe
  try write-log touch /data/log/probe
  try write-settings sh -c 'echo >>/data/autoharp.conf'
  try write-run touch /run/autoharp/probe
  try write-tmp touch /tmp/probe
  try write-etc touch /etc/probe
  try write-media touch /media/probe
  try write-run-elsewhere touch /run/probe
  try read-bonds ls /data/bluetooth
  try read-disk dd if=/dev/vda of=/dev/null count=1
  try read-memory dd if=/dev/mem of=/dev/null count=1
  try read-kernel-log dmesg
  try open-sound dd if=/dev/snd/controlC0 of=/dev/null count=0
  try open-console dd if=/dev/CONSOLE of=/dev/null count=0
  try run-from-data /data/autoharp/program
  for folder in /run/autoharp /tmp /var/tmp /dev/shm; do
    printf '#!/bin/sh\n' >$folder/program && chmod 755 $folder/program
    if $folder/program; then echo "runs $folder"; fi
  done
  try mount mount -t tmpfs none /tmp
  try set-hostname hostname probe
  try set-clock sh -c 'date -s 2031-01-01; test $(date +%Y) = 2031'
  try set-kernel sh -c 'echo 1 >/proc/sys/kernel/panic'
  busybox nc -l -p 4711 2>&1 | grep -q 'Address family not supported' || echo network-socket yes
  try see-process-1 cat /proc/1/status
  grep -E '^(Uid|Gid|Groups|CapEff|CapBnd|CapPrm|NoNewPrivs|Seccomp):' /proc/self/status
  grep -E '^Max (realtime priority|locked memory|core file size)' /proc/self/limits
} >/data/autoharp/answers.new 2>&1
mv /data/autoharp/answers.new /data/autoharp/answers
exec sleep 1000000
"""


def test_sandbox_allows_only_what_the_daemon_needs(boot, image):
    program = b"#!/bin/sh\nexit 0\n"
    probe = PROBE.replace("CONSOLE", image.board.settings["console"])
    files = {"autoharp/probe.sh": probe.encode(), "autoharp/program": program, "autoharp.conf": b""}
    unit = boot(dropins={"autoharp.service": DROPIN}, data=files)
    unit.wait_until("test -e /data/autoharp/answers")
    text = unit.shell("cat /data/autoharp/answers")
    answers = dict(line.split() for line in text.splitlines() if line.endswith((" yes", " no")))
    allowed = {name for name, answer in answers.items() if answer == "yes"}
    assert allowed == {"write-own", "write-music", "write-run", "write-tmp", "open-sound"}, text
    assert len(answers) == PROBE.count("\n  try ")
    assert "\nruns " not in text, text

    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    assert fields["Uid"].split() == ["800"] * 4
    # Groups: input, audio, autoharp, gpio, music, service.
    assert sorted(fields["Groups"].split()) == ["104", "29", "800", "805", "807", "808"]
    assert {fields[name].strip() for name in ("CapEff", "CapBnd", "CapPrm")} == {"0" * 16}
    assert fields["NoNewPrivs"].strip() == "1"
    assert fields["Seccomp"].strip() == "2"
    limits = [line.split() for line in text.splitlines() if line.startswith("Max ")]
    assert ["Max", "realtime", "priority", "45", "45"] in limits
    assert any(limit[1] == "core" and limit[4] == "0" for limit in limits), text


def test_daemon_runs_in_the_sandbox_with_real_time_priority(boot):
    unit = boot(data=on_data({"song.flac": flac(noise(30, seed=61))}, start="play"))
    unit.wait_until_booted()
    unit.wait_for_sound(44100)
    status = unit.shell(f"cat /proc/{unit.main_pid()}/status")
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    assert fields["Uid"].split() == ["800"] * 4
    assert {fields[name].strip() for name in ("CapEff", "CapBnd", "CapPrm")} == {"0" * 16}
    assert (fields["NoNewPrivs"].strip(), fields["Seccomp"].strip()) == ("1", "2")
    # One thread has SCHED_FIFO (1) at priority 45: fields 40 and 41 of its stat.
    threads = unit.shell(f"cut -d ' ' -f 40,41 /proc/{unit.main_pid()}/task/*/stat").splitlines()
    assert sorted(threads)[-1] == "45 1" and threads.count("45 1") == 1
    assert unit.logged("output.no-real-time") == []
    # Besides devices and sockets, the daemon has only files in /data, /run and /proc open.
    links = unit.shell(f"ls -l /proc/{unit.main_pid()}/fd | sed -n 's/.* -> //p'").splitlines()
    for link in links:
        assert link.startswith(("/dev/", "/data", "/run/", "socket:", "anon_inode:", "/proc/")), link

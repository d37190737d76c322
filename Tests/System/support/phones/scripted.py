"""Runs Tests/Bluetooth/ScriptedSource on the unit instead of the daemon: the real Bluetooth code of
the product, with a source that a test controls by lines of text."""

from __future__ import annotations

from headunit import HeadUnit, Image

# The source runs as the daemon's user, because the bus policy permits the required calls only to this user.
SERVICE = b"""[Unit]
DefaultDependencies=no

[Service]
User=autoharp
ExecStart=/bin/sh -c "exec /run/scripted-source <>/run/script >/run/answers 2>&1"
"""


class ScriptedSource:
    """Runs the source. A call such as `source("cover other")` sends a line to the source and returns the
    answer."""

    def __init__(self, unit: HeadUnit) -> None:
        self.unit = unit
        # /data is mounted noexec, so the program cannot run there.
        unit.shell("systemctl stop autoharp.service; cp /data/scripted-source /run/; "
                   "chmod 755 /run/scripted-source; mkfifo /run/script; touch /run/answers; "
                   "chown autoharp /run/script /run/answers; mkdir -p /run/systemd/system; "
                   "cp /data/scripted.service /run/systemd/system; systemctl daemon-reload; "
                   "systemctl start scripted.service")
        unit.wait_until("grep -q bluetooth.player-registered /run/answers")

    @staticmethod
    def files(image: Image) -> dict[str, bytes]:
        """The files that must be on /data before a ScriptedSource is made."""
        program = image.scripted_source.read_bytes()
        return {"scripted-source": program, "scripted.service": SERVICE}

    def __call__(self, line: str) -> str:
        answers = "grep -v ^log: /run/answers"
        answer = self.unit.shell(
            f"count=$({answers} | wc -l); echo '{line}' >/run/script; "
            f"until [ $({answers} | wc -l) -gt $count ]; do sleep 0.02; done; {answers} | tail -n 1")
        assert not answer.startswith("not understood"), answer
        return answer

    def elapsed(self) -> float:
        """The elapsed time, in seconds."""
        return float(self("elapsed"))

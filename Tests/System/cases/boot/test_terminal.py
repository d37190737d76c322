"""The serial line shows only text before the first prompt. A shell on it has a prompt, an echo and errors."""

from __future__ import annotations

from daemon import on_data
from headunit import HeadUnit


def type_in_shell(unit: HeadUnit, command: str, answer: str) -> None:
    line = unit._line("console")
    begin = len(line.text)
    line.send(command + "\r")
    # The echo, the answer, and the next prompt.
    line.wait_for(rf"{command}\n(.*\n)*.*{answer}.*\n(.*\n)*[^\n]*[$#] $", begin)


def test_serial_line_has_no_escape_sequence_before_the_banner(boot):
    unit = boot(data=on_data())
    unit.wait_until_booted()
    log = unit.folder / "console.log"
    unit._line("console").wait_for("'help' lists the commands")
    assert b"\x1b" not in log.read_bytes().partition(b"'help' lists")[0]
    assert b"\x1b[!p" not in (unit.folder / "shell.log").read_bytes()
    # Neither when the console is started again.
    begin = len(log.read_bytes())
    place = len(unit._line("console").text)
    unit.shell("systemctl restart 'autoharp-console@*.service'")
    unit._line("console").wait_for("'help' lists the commands", place)
    assert b"\x1b[!p" not in log.read_bytes()[begin:] and b"\x1b[32766" not in log.read_bytes()[begin:]


def test_shell_on_the_serial_line_has_a_prompt_an_echo_and_errors(boot):
    unit = boot(data=on_data() | {"autoharp.conf": b"console-shell = yes\n"})
    unit.wait_until_booted()
    unit.console("status")
    line = unit._line("console")
    begin = len(line.text)
    line.send("shell\r")
    line.wait_for(r"[$#] $", begin)
    type_in_shell(unit, "ls /nowhere", "nowhere: No such file")
    type_in_shell(unit, "no-such-program", "no-such-program: not found")
    type_in_shell(unit, "id -un", "console")
    line.send("exit\r")
    assert "ran dry" in unit.console("status")
    # A console that was killed while the terminal was in raw mode leaves no line without an echo behind.
    place = len(line.text)
    unit.shell("systemctl kill -s KILL 'autoharp-console@*.service'")
    line.wait_for("'help' lists the commands", place)
    unit.console("status")
    begin = len(line.text)
    line.send("shell\r")
    line.wait_for(r"[$#] $", begin)
    type_in_shell(unit, "ls /nowhere", "nowhere: No such file")

"""Writes the limits of board/limits.list into the systemd units that name them."""

from __future__ import annotations

import re
from pathlib import Path

from .commands import BuildError
from .lists import read_list

LINE = re.compile(r"^X-Limits=(.*)\n", re.MULTILINE)


def write_limits(limits: Path, units: Path) -> None:
    """In each unit and in each drop-in of a unit, replaces the line X-Limits= by the settings of the groups that the
    line names. Raises BuildError if a group does not exist."""
    groups: dict[str, list[str]] = {}
    for group, setting, _ in read_list(limits):
        groups.setdefault(group, []).append(f"{setting}\n")
    for path in [*units.glob("*.service"), *units.glob("*.service.d/*.conf")]:
        def settings(line: re.Match[str]) -> str:
            if unknown := set(line[1].split()) - groups.keys():
                raise BuildError("unknown-limits", f"{limits.name} has no group {', '.join(unknown)} for {path.name}")
            return "".join(setting for group in line[1].split() for setting in groups[group])

        text = path.read_text()
        if (limited := LINE.sub(settings, text)) != text:
            path.write_text(limited)

"""Reads the lists of board/. Each line has a name and the reason. A line in brackets begins a
section, and a line with # is a comment."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator


def read_list(path: Path) -> Iterator[tuple[str | None, str, str]]:
    """The entries of a list as (section, name, reason), without comments and empty lines."""
    section = None
    for line in path.read_text().splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            yield section, name, reason.strip()


def names_in(path: Path, section: str) -> list[str]:
    """The names of one section, in the order of the list."""
    return [name for found, name, _ in read_list(path) if found == section]

"""Checks of the files that go into the image."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Iterator

from .commands import BuildError, run


def programs(tree: Path) -> Iterator[Path]:
    """The ELF files of a tree, without modules of the kernel."""
    for path in tree.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.suffix != ".ko":
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def check_libraries(tree: Path, programs: Iterable[Path], remedy: str = "") -> None:
    """Raises BuildError if a program needs a library that is not in the tree. In this case
    packages.list lacks a package, or prune.list removes too much. `remedy` is added to the message."""
    present = {path.name for path in tree.rglob("*.so*")}
    missing = []
    for path in programs:
        for line in run("readelf", "-d", path).splitlines():
            if "(NEEDED)" in line:
                needed = line[line.index("[") + 1 : line.rindex("]")]
                if needed not in present:
                    missing.append(f"{path.name} needs {needed}")
    if missing:
        raise BuildError(
            "missing-library", "the image lacks libraries:\n  " + "\n  ".join(sorted(missing)) + remedy
        )


def check_accounts(tree: Path) -> None:
    """Raises BuildError if two users or two groups have the same name or number. Each of the two
    would have the rights of the other."""
    for name in ("passwd", "group"):
        lines = [line.split(":") for line in (tree / "etc" / name).read_text().splitlines()]
        for column in (0, 2):
            values = [line[column] for line in lines]
            if twice := {value for value in values if values.count(value) > 1}:
                raise BuildError(
                    "duplicate-account",
                    f"etc/{name} has more than one entry with the name or number "
                    f"{', '.join(sorted(twice))}",
                )

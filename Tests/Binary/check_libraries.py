#!/usr/bin/env python3
"""Compares the libraries that programs need with the tables of docs/licences.md.

    check_libraries.py PROGRAM...

It is an error if a needed library has no row, or if a row names a library that the program does not need. Libraries
that a program loads at run time are not compared.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "licences.md"


def named(page: str, heading: str) -> set[str]:
    """The libraries in the first column of the table below this heading."""
    found = re.search(rf"^### {re.escape(heading)}$", page, re.M)
    if found is None:
        sys.exit(f"{PAGE.name} has no section {heading}")
    section = re.split(r"^#", page[found.end():], maxsplit=1, flags=re.M)[0]
    rows = re.findall(r"^\| ([^|]*) \|", section, re.M)
    return {name.strip("* ") for row in rows for name in row.split(",")} - {"library"}


def needed(program: Path) -> set[str]:
    """The libraries that the ELF file needs, without their versions: libFLAC for libFLAC.so.12."""
    done = subprocess.run(["readelf", "--dynamic", "--wide", program], stdout=subprocess.PIPE, check=True)
    found = re.findall(r"\(NEEDED\).*\[(.+)\]$", done.stdout.decode(), re.M)
    if not found:
        sys.exit(f"{program} has no entry NEEDED")
    # The name of the dynamic loader depends on the processor, so it is shortened. Some libraries have a version before
    # `.so`.
    return {"ld-linux" if name.startswith("ld-linux-") else re.sub(r"(-[\d.]+)?\.so(\.\d+)*$", "", name)
            for name in found}


def main() -> None:
    page = PAGE.read_text()
    # These libraries are not compared. The compiler decides whether a program is linked with them as shared libraries.
    everywhere = named(page, "Linked into all programs")
    failed = False
    for program in map(Path, sys.argv[1:]):
        listed, used = named(page, f"`{program.name}`"), needed(program) - everywhere
        for name in sorted(used - listed):
            print(f"{program} needs {name}, which has no row in docs/licences.md", file=sys.stderr)
        for name in sorted(listed - used):
            print(f"docs/licences.md has {name} for {program}, which does not need it", file=sys.stderr)
        failed = failed or used != listed
        print(f"{program} needs {', '.join(sorted(used))}")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()

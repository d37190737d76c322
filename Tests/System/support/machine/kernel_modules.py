"""Modules of Debian's kernel that the image does not contain."""

from __future__ import annotations

import lzma

import pytest

from headunit import HeadUnit, Image


def module_files(*names: str) -> dict[str, bytes]:
    """These modules, as files for /data. Skips the test if the kernel of the board lacks one of the modules."""
    found = {}
    for name in names:
        files = list((Image.built().folder / "kernel").rglob(f"{name}.ko.xz"))
        if not files:
            pytest.skip(f"the kernel of this board has no module {name}")
        [file] = files
        found[f"{name}.ko"] = lzma.decompress(file.read_bytes())
    return found


def load(unit: HeadUnit, *modules: str) -> None:
    """Loads modules that are on /data. Each text is the name of a module, followed by its parameters. The image has no
    `insmod`, so this function makes a link with the name `insmod` to kmod."""
    unit.shell("ln -sf /usr/bin/kmod /run/insmod")
    for module in modules:
        name, _, parameters = module.partition(" ")
        unit.shell(f"/run/insmod /data/{name}.ko {parameters}")

"""Modules of Debian's kernel that the image does not have."""

from __future__ import annotations

import lzma

from headunit import HeadUnit, Image


def module_files(*names: str) -> dict[str, bytes]:
    """These modules, as files for /data."""
    found = {}
    for name in names:
        [file] = (Image.built().folder / "kernel").rglob(f"{name}.ko.xz")
        found[f"{name}.ko"] = lzma.decompress(file.read_bytes())
    return found


def load(unit: HeadUnit, *modules: str) -> None:
    """Loads modules that are on /data. Each text has a name and the parameters. The image has no link for insmod."""
    unit.shell("ln -sf /usr/bin/kmod /run/insmod")
    for module in modules:
        name, _, parameters = module.partition(" ")
        unit.shell(f"/run/insmod /data/{name}.ko {parameters}")

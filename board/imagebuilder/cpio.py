"""Writes archives for initrds, in the format cpio "newc".

This module does not call the program cpio, because the order and the times of the entries must not
depend on the host. The file Documentation/driver-api/early-userspace/buffer-format.rst of the
kernel describes the format.
"""

from __future__ import annotations

import stat
from pathlib import Path


def cpio(tree: Path, epoch: int) -> bytes:
    """Returns an archive of the folders and files in a tree, sorted by name. Does not support
    links.

    All entries belong to root. Their time is `epoch`, in seconds since 1970.
    """
    out = bytearray()

    def pad() -> None:
        out.extend(b"\0" * (-len(out) % 4))

    def add(name: bytes, mode: int, data: bytes, number: int) -> None:
        # inode, mode, user, group, links, time, size, four device numbers, length of name, checksum
        fields = (number, mode, 0, 0, 1, epoch, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        out.extend(b"070701" + b"".join(b"%08X" % field for field in fields) + name + b"\0")
        pad()
        out.extend(data)
        pad()

    for number, path in enumerate(sorted(tree.rglob("*")), 1):
        name = str(path.relative_to(tree)).encode()
        if path.is_dir():
            add(name, stat.S_IFDIR | 0o755, b"", number)
        else:
            mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            add(name, stat.S_IFREG | mode, path.read_bytes(), number)
    add(b"TRAILER!!!", 0, b"", 0)
    return bytes(out)

"""Makes the disk of the second machine of the system tests, which acts as a phone: a small Debian with BlueZ,
bluez-alsa and a player. The image does not contain these programs."""

from __future__ import annotations

from pathlib import Path

from .board import Board
from .commands import progress, run
from .fetch import unpack
from .files import empty_folder
from .lock import Lock
from .parts import fetch_part
from .renew_lock import peer_lines
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp

# dpkg runs no script, so the package base-passwd does not make these files.
FILES = {
    "etc/passwd": "root:x:0:0::/root:/bin/sh\nmessagebus:x:100:100::/:/bin/false\n",
    "etc/group": "root:x:0:\naudio:x:29:\nmessagebus:x:100:\n",
}
MOUNT_POINTS = ("dev", "proc", "root", "run", "sys", "tmp", "var/lib")


def make_peer(board: Board, lock: Lock) -> Path:
    """Returns the disk, a squashfs. Raises BuildError if a package cannot be downloaded."""
    result = board.shared / "peer.squashfs"
    packages = fetch_part(board, lock, "peer", peer_lines)
    key = hash_of([str(package) for package in packages], FILES, MOUNT_POINTS, "1")
    if up_to_date(result, key):
        return result
    progress(f"peer: unpacking {len(packages)} packages")
    remove_stamp(result)
    tree = empty_folder(board.shared / "peer")
    unpack(board, packages, tree)
    for name in MOUNT_POINTS:
        (tree / name).mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text(text)
    run("mksquashfs", tree, result, "-noappend", "-no-progress", "-quiet", "-all-root", "-comp", "zstd",
        "-Xcompression-level", "1")
    write_stamp(result, key)
    return result

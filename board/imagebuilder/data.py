"""Step data: makes an empty file system for /data.

The file system has no folders, because the unit makes the missing folders of /data at each start.
The unit has to do this anyway, because `data format` on the unit makes an empty file system too.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from .board import Board
from .commands import BuildError, progress, run
from .files import empty_file
from .lock import Lock
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp

# Blocks of 4 KiB and one inode for 32 KiB, whatever the size of the file system. mke2fs would give a small file system
# blocks of 1 KiB, and such a file system cannot grow to a disk of more than 32 GiB. `data format` uses the same options
# (board/helpers/format-data.c).
FORMAT = ("-t", "ext4", "-b", "4096", "-i", "32768", "-m", "0")
# superblocks_of lists the copies of the superblock for a file system of this size, which has eight copies. /data can
# reach this size, because it grows to the size of the disk. A smaller file system has only the first of these copies.
LARGE = "8G"


def make_data(board: Board, lock: Lock) -> Path:
    data = board.work / "data.img"
    key = hash_of(board.sizes["data"], lock.epoch, FORMAT)
    if up_to_date(data, key):
        return data
    progress("data: an empty file system")
    remove_stamp(data)
    empty_file(data, board.sizes["data"])
    seed = board.identity("data")
    run(
        *("mke2fs", "-q", *FORMAT, "-L", "autoharp-data", "-U", seed),
        *("-E", f"hash_seed={seed},lazy_itable_init=0,root_owner=0:0", data),
        env=dict(os.environ, E2FSPROGS_FAKE_TIME=str(lock.epoch)),
    )
    write_stamp(data, key)
    return data


def superblocks_of(data: Path) -> str:
    """Returns the positions of the copies of the superblock in an ext4 file system of the size LARGE: the size of a
    block in bytes, then the numbers of the blocks. e2fsck needs these numbers if the first superblock is lost. The
    smaller file system `data` has only the first of these copies. This function does not write to `data`. Raises
    BuildError if mke2fs lists no copies."""
    listed = run("mke2fs", "-n", "-F", *FORMAT, data, LARGE)
    size = re.search(r"with \d+ (\d+)k blocks", listed)
    blocks = re.search(r"Superblock backups stored on blocks:([\s\d,]+)", listed)
    if not size or not blocks:
        raise BuildError("no-superblock-copies", f"mke2fs lists no copies:\n{listed}")
    return f"{int(size[1]) * 1024} {' '.join(re.findall('[0-9]+', blocks[1]))}\n"

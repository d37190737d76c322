"""The source of bluetoothd: Debian's source package of BlueZ and the patches of board/bluez/.

The lock names the files of the source package with their hashes.
"""

from __future__ import annotations

import re
from pathlib import Path

from .apt import Apt
from .board import Board
from .commands import BuildError, run
from .lock import Lock
from .stamps import hash_of


def patches(board: Board) -> list[Path]:
    """Our patches, in the order in which they are applied."""
    return sorted((board.common / "bluez").glob("*.patch"))


def patched_version(board: Board, lock: Lock) -> str:
    """The version of bluetoothd that the image shows: Debian's version and a hash of our
    patches."""
    texts = [(path.name, path.read_text()) for path in patches(board)]
    return f"{lock.of('source')[0].version}+autoharp.{hash_of(texts)[:8]}"


# --- the lock -------------------------------------------------------------------------------


def source_version(version: str) -> str:
    """The version of the source of a package. If Debian rebuilds a package from the same source,
    the version of the package gets the suffix +bN."""
    return re.sub(r"\+b\d+$", "", version)


def resolve_source(apt: Apt, lines: list[str]) -> list[str]:
    """Returns the lines of the lock for the files of the source package of bluez. `lines` are the
    other lines of the lock, which contain the version of bluez. Raises BuildError if Debian has no
    source package of this version."""
    version = next(
        source_version(line.split()[2]) for line in lines if line.startswith("image bluez ")
    )
    for paragraph in apt.run("apt-cache", "showsrc", "--only-source", "bluez").split("\n\n"):
        if f"\nVersion: {version}\n" in paragraph:
            return sorted(
                f"source bluez {version} {name} {sha256} {size}"
                for sha256, size, name in checksums(paragraph)
            )
    raise BuildError("no-source-package", f"Debian has no source package of bluez {version}.")


def checksums(paragraph: str) -> list[list[str]]:
    """The entries of the field Checksums-Sha256: hash, size and name of each file. Each entry is on
    a line of its own that begins with a space."""
    files = []
    for line in paragraph.split("\nChecksums-Sha256:", 1)[1].splitlines()[1:]:
        if not line.startswith(" "):
            break
        files.append(line.split())
    return files


def check_source(lock: Lock) -> None:
    """Raises BuildError if the source of bluez in the lock has another version than the package bluez."""
    package = next(package for package in lock.of("image") if package.name == "bluez")
    have = {file.version for file in lock.of("source")}
    if have != {source_version(package.version)}:
        raise BuildError(
            "source-differs",
            f"packages.lock has bluez {package.version}, but the source of "
            f"{', '.join(sorted(have)) or 'none'}. `make image-lock` takes both from Debian.",
        )


# --- the files ------------------------------------------------------------------------------


def unpack_source(board: Board, lock: Lock, target: Path) -> None:
    """Unpacks the source and applies Debian's patches, then ours.

    Raises BuildError with the name of the first patch that does not apply.
    """
    files = {file.file: board.sources / file.file for file in lock.of("source")}
    original = next(path for name, path in files.items() if ".orig.tar" in name)
    debian = next(path for name, path in files.items() if ".debian.tar" in name)
    run("tar", "--extract", "--file", original, "--strip-components=1", cwd=target)
    run("tar", "--extract", "--file", debian, cwd=target)
    series = (target / "debian/patches/series").read_text().splitlines()
    listed = [line.split()[0] for line in series if line.strip() and not line.startswith("#")]
    for patch in [*(target / "debian/patches" / name for name in listed), *patches(board)]:
        try:
            run(
                *("patch", "--batch", "--forward", "--strip=1", "--fuzz=0"),
                *("--no-backup-if-mismatch", "--input", patch), cwd=target,
            )
        except BuildError as error:
            raise BuildError(
                "patch-failed", f"{patch.name} does not apply to this version of BlueZ:\n{error}"
            )

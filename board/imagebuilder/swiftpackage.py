"""The package of Debian unstable that contains the library of Swift for another processor. The image
and all other packages come from Debian 13, whose Swift is too old for the sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .apt import Apt
from .board import Board
from .commands import BuildError, progress
from .fetch import fetch_packages
from .files import MIB, empty_folder
from .lock import Lock, LockedPackage
from .newest import replaced
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp

# The package contains the whole toolchain (2.6 GB). The build needs only these folders.
FOLDERS = [
    f"./usr/libexec/swift/lib/{kind}/{part}"
    for kind in ("swift", "swift_static") for part in ("linux", "shims")
]


def unpack_swift_package(board: Board, lock: Lock) -> Path:
    """Downloads the package if it is not in the cache. Returns the folder with the part of the package that the build
    needs. Raises BuildError if the lock names no package, or if Debian has replaced the package."""
    packages = lock.of("swift")
    if not packages:
        raise BuildError("no-swift-package", f"{board.lock.name} has no line of the part 'swift'.")
    package = packages[0]
    folder = board.shared / "swift-package"
    key = hash_of(str(package), FOLDERS, "1")
    if up_to_date(folder, key):
        return folder
    if not package.matches(board.debs / package.file):
        download(board, package)
    progress(f"sysroot: unpacking the library of Swift from {package.name} {package.version}")
    remove_stamp(folder)
    extract(board.debs / package.file, empty_folder(folder))
    write_stamp(folder, key)
    return folder


def download(board: Board, package: LockedPackage) -> None:
    progress(
        f"the library of Swift for {board.architecture} comes from {package.name} "
        f"{package.version} of Debian unstable, {package.size / MIB:.0f} MiB"
    )
    apt = Apt(board, unstable=True)
    apt.update()
    if replaced(apt, [package]):
        raise BuildError(
            "version-replaced",
            f"Debian unstable has replaced {package.name} {package.version}, which "
            f"{board.lock.name} names. `make image-lock BOARD={board.name}` takes the newest "
            "version. AUTOHARP_MIRROR can name a mirror that keeps old versions.",
        )
    fetch_packages(board, apt, [package])


def extract(deb: Path, target: Path) -> None:
    """Unpacks FOLDERS of a package."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as package:
        unpacked = subprocess.run(
            ["tar", "--extract", "--directory", target, *FOLDERS], stdin=package.stdout,
            stderr=subprocess.PIPE, text=True,
        )
        # Read the rest. Otherwise dpkg-deb would report that its output was closed.
        package.stdout.read()
    if unpacked.returncode or package.returncode:
        raise BuildError("no-swift-package", f"{deb.name} cannot be unpacked:\n{unpacked.stderr}")

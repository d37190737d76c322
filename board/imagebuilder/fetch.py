"""Step fetch: downloads the files of the lock into a cache. Also unpacks packages for other
steps."""

from __future__ import annotations

from pathlib import Path

from .apt import Apt
from .board import Board
from .commands import BuildError, progress, run
from .files import MIB
from .lock import Lock, LockedPackage

BATCH = 10  # packages per call of apt-get; the progress is printed after each call


def fetch(board: Board, lock: Lock) -> Lock:
    """Downloads the files that this board needs and that are not in the cache. Returns the lock.

    Raises BuildError if a file cannot be downloaded, or if it is not the file that the lock names.
    """
    fetch_packages(board, lock.of("image", "sysroot", "boot", board.kernel_part))
    fetch_source(board, lock)
    return lock


def fetch_packages(board: Board, packages: list[LockedPackage]) -> None:
    missing = [package for package in packages if not package.matches(board.debs / package.file)]
    if not missing:
        return
    apt = Apt(board)
    apt.update()
    total = sum(package.size for package in missing)
    progress(f"fetching {len(missing)} packages, {total / MIB:.0f} MiB")
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        try:
            wanted = [f"{package.name}={package.version}" for package in batch]
            apt.run("apt-get", "--quiet", "download", *wanted, cwd=board.debs)
        except BuildError as error:
            raise BuildError(
                "download-failed",
                f"{error}\nDebian may have replaced a version that {board.lock.name} names. "
                "`make image-lock` takes the newest versions. AUTOHARP_MIRROR can name a mirror "
                "that keeps old versions.",
            )
        check_files(board, batch, board.debs)
        done = sum(package.size for package in missing[: start + BATCH])
        progress(f"  {done / MIB:.0f} of {total / MIB:.0f} MiB")


def fetch_source(board: Board, lock: Lock) -> None:
    """Downloads the source package of BlueZ."""
    files = lock.of("source")
    if all(file.matches(board.sources / file.file) for file in files):
        return
    version = files[0].version
    try:
        apt = Apt(board)
        apt.update()
        progress(f"fetching the source of bluez {version}")
        apt.run(
            "apt-get", "--quiet", "source", "--download-only", f"bluez={version}", cwd=board.sources
        )
    except BuildError as error:
        raise BuildError(
            "download-failed",
            f"{error}\nThe source of bluez {version} cannot be downloaded. The image requires it, "
            "because a phone can crash the bluetoothd that Debian has built. `make image-lock` "
            "takes the newest version. AUTOHARP_MIRROR can name a mirror that keeps old versions.",
        )
    check_files(board, files, board.sources)


def check_files(board: Board, packages: list[LockedPackage], folder: Path) -> None:
    for package in packages:
        if not package.matches(folder / package.file):
            raise BuildError(
                "wrong-file", f"{package.file} differs from the file that {board.lock.name} names."
            )


def unpack(board: Board, packages: list[LockedPackage], target: Path) -> None:
    """Unpacks fetched packages into a folder. No script of a package runs."""
    # Make the links that the package base-files has, because base-files is not always among the
    # packages. Without the links, unpacking would make folders with these names.
    for name in ("bin", "sbin", "lib", "lib64"):
        (target / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (target / name).is_symlink():
            (target / name).symlink_to(f"usr/{name}")
    for package in packages:
        run("dpkg-deb", "--extract", board.debs / package.file, target)

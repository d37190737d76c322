"""Step fetch: downloads the files of the lock into a cache. Also unpacks packages for other
steps."""

from __future__ import annotations

from pathlib import Path

from .apt import Apt
from .board import Board
from .commands import BuildError, progress, run
from .files import MIB
from .lock import Lock, LockedPackage
from .newest import replaced, resolve_newest, stored_lock

BATCH = 10  # packages per call of apt-get; the progress is printed after each call


def fetch(board: Board, lock: Lock, locked: bool = False) -> Lock:
    """Downloads the files that this board needs and that are not in the cache. Returns the lock
    that names these files.

    If Debian has replaced a version that `lock` names, the build uses the newest versions of all
    packages, and the returned lock names them. With `locked` this is an error.

    Raises BuildError if a file cannot be downloaded, or if it is not the file that the lock names.
    """
    if not locked:
        lock = stored_lock(board, lock)
    if not missing(board, lock):
        return lock
    apt = Apt(board)
    apt.update()
    gone = replaced(apt, missing(board, lock))
    if gone:
        names = ", ".join(f"{package.name} {package.version}" for package in gone)
        if locked:
            raise BuildError(
                "version-replaced",
                f"Debian has replaced {names}, which {board.lock.name} names. `make image-lock` "
                "takes the newest versions. AUTOHARP_MIRROR can name a mirror that keeps old "
                "versions. Without --locked the build takes the newest versions by itself.",
            )
        progress(f"Debian has replaced {names}")
        lock = resolve_newest(board, apt, lock)
    fetch_packages(board, apt, [file for file in missing(board, lock) if file.part != "source"])
    fetch_source(board, apt, [file for file in missing(board, lock) if file.part == "source"])
    return lock


def missing(board: Board, lock: Lock) -> list[LockedPackage]:
    """The files of the lock that this board needs and that are not in the cache."""
    return not_cached(board, lock.of("image", "sysroot", "boot", "firmware", board.kernel_part, "source"))


def not_cached(board: Board, files: list[LockedPackage]) -> list[LockedPackage]:
    return [file for file in files if not file.matches(cache_of(board, file) / file.file)]


def cache_of(board: Board, file: LockedPackage) -> Path:
    return board.sources if file.part == "source" else board.debs


def fetch_packages(board: Board, apt: Apt, packages: list[LockedPackage]) -> None:
    if not packages:
        return
    total = sum(package.size for package in packages)
    progress(f"fetching {len(packages)} packages, {total / MIB:.0f} MiB")
    for start in range(0, len(packages), BATCH):
        batch = packages[start : start + BATCH]
        try:
            wanted = [f"{package.exact_name}={package.version}" for package in batch]
            apt.run("apt-get", "--quiet", "download", *wanted, cwd=board.debs)
        except BuildError as error:
            raise BuildError("download-failed", str(error))
        check_files(board, batch, board.debs)
        done = sum(package.size for package in packages[: start + BATCH])
        progress(f"  {done / MIB:.0f} of {total / MIB:.0f} MiB")


def fetch_source(board: Board, apt: Apt, files: list[LockedPackage]) -> None:
    """Downloads the source package of BlueZ."""
    if not files:
        return
    version = files[0].version
    try:
        progress(f"fetching the source of bluez {version}")
        apt.run(
            "apt-get", "--quiet", "source", "--download-only", f"bluez={version}", cwd=board.sources
        )
    except BuildError as error:
        raise BuildError(
            "download-failed",
            f"{error}\nThe source of bluez {version} cannot be downloaded. The image requires it, "
            "because a phone can crash the bluetoothd that Debian has built.",
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
    # Make the links that the package base-files contains, because base-files is not always among
    # the packages. Without the links, unpacking would make folders with these names.
    for name in ("bin", "sbin", "lib", "lib64"):
        (target / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (target / name).is_symlink():
            (target / name).symlink_to(f"usr/{name}")
    for package in packages:
        run("dpkg-deb", "--extract", board.debs / package.file, target)

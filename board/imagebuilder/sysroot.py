"""Step sysroot: unpacks the headers and libraries with which the programs are compiled. They come
from Debian 13, whatever system the host has."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .board import Board
from .commands import progress
from .fetch import unpack
from .files import empty_folder
from .lock import Lock
from .stamps import hash_of, remove_stamp, up_to_date, write_stamp
from .swiftlibrary import KINDS, swift_library


@dataclass(frozen=True)
class Sysroot:
    path: Path
    sdks: Path  # the folder with the Swift SDK that describes the sysroot
    toolchain: Path  # the usr/ folder of Swift, which has clang, lld and llvm-ar too

    @property
    def multiarch(self) -> str:
        """Debian's name of the architecture in paths, such as x86_64-linux-gnu."""
        return next((self.path / "usr/lib").glob("*-linux-gnu*")).name

    @property
    def pkg_config_path(self) -> str:
        return f"{self.path}/usr/lib/{self.multiarch}/pkgconfig:{self.path}/usr/share/pkgconfig"


def make_sysroot(board: Board, lock: Lock, swift: str) -> Sysroot:
    """Makes the sysroot. `swift` is the compiler: a name on the PATH, or a path."""
    path = board.shared / "sysroot"
    wanted = lock.of("image", "sysroot")
    toolchain = Path(shutil.which(swift) or swift).resolve().parent.parent
    library = swift_library(board, lock, toolchain)
    key = hash_of([str(package) for package in wanted], str(toolchain), library.version, "6")
    if not up_to_date(path, key):
        progress(f"sysroot: unpacking {len(wanted)} packages")
        remove_stamp(path)
        unpack(board, wanted, empty_folder(path))
        move_pkg_config(path)
        # The runtime of Swift uses few functions of libstdc++. Without the shared library in the
        # sysroot, the linker links these functions statically, so the image needs no libstdc++.
        for shared in path.glob("usr/lib/gcc/*/*/libstdc++.so"):
            shared.unlink()
        for name in KINDS:  # the linker looks for swiftrt.o here
            (path / "usr/lib" / name).symlink_to(library.path / name)
        write_stamp(path, key)
    return Sysroot(path, write_sdk(board, path, toolchain), toolchain)


def move_pkg_config(sysroot: Path) -> None:
    """Replaces the paths in the files of pkg-config, which are paths on the board, by paths below
    the sysroot. `swift build` reads these files itself, and does not support
    PKG_CONFIG_SYSROOT_DIR.
    """
    for file in sysroot.glob("usr/**/pkgconfig/*.pc"):
        if not file.is_symlink():
            text = re.sub(r"(?<=[=LI])/usr(?=[/\s])", f"{sysroot}/usr", file.read_text())
            file.write_text(text)


def write_sdk(board: Board, sysroot: Path, toolchain: Path) -> Path:
    """Writes the Swift SDK. Returns the folder that contains the SDK."""
    bundle = board.shared / "sdk" / "autoharp.artifactbundle"
    (bundle / "sdk").mkdir(parents=True, exist_ok=True)
    (bundle / "info.json").write_text(
        '{"schemaVersion":"1.0","artifacts":{"autoharp-%s":{"version":"1","type":"swiftSDK",'
        '"variants":[{"path":"sdk"}]}}}' % board.architecture,
    )
    (bundle / "sdk" / "swift-sdk.json").write_text(
        '{"schemaVersion":"4.0","targetTriples":{"%s":{"sdkRootPath":"%s",'
        '"swiftResourcesPath":"%s/usr/lib/swift",'
        '"swiftStaticResourcesPath":"%s/usr/lib/swift_static",'
        '"toolsetPaths":["toolset.json"]}}}' % (board.triple, sysroot, sysroot, sysroot),
    )
    (bundle / "sdk" / "toolset.json").write_text(
        '{"schemaVersion":"1.0","linker":{"path":"%s/bin/ld.lld"},'
        '"swiftCompiler":{"extraCLIOptions":["-use-ld=lld"]}}' % toolchain,
    )
    return bundle.parent

"""Step bluez: compiles bluetoothd from Debian's source package and the patches of board/bluez/.

Debian's bluetoothd (BlueZ 5.82) passes the texts of a phone, such as titles, to libdbus without a
check. libdbus ends the process if a text is not valid UTF-8. The text at the top of each patch
describes the fault that the patch corrects. If a commit of BlueZ corrects the same fault, the text
names this commit.
"""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from .bluez_source import patched_version, patches, unpack_source
from .board import Board
from .commands import progress, run
from .files import copy_program, empty_folder
from .lock import Lock
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp
from .sysroot import Sysroot

# Parts of BlueZ that bluetoothd does not need. Only the plug-in for game pads uses udev, and the
# image does not load this plug-in.
LEFT_OUT = (
    "client obex mesh cups tools monitor manpages test systemd library datafiles udev".split()
)


def build_bluez(board: Board, lock: Lock, sysroot: Sysroot, with_sanitizer: bool = False) -> Path:
    """Returns the program. If `with_sanitizer` is true, builds a second program with the address
    sanitizer, for the system tests, and returns that program."""
    name = "bluetoothd-asan" if with_sanitizer else "bluetoothd"
    result = board.shared / name
    work = board.shared / f"{name}.build"
    settings = flags(board, work, with_sanitizer)
    options = [f"--disable-{part}" for part in LEFT_OUT]
    files = [str(file) for file in lock.of("source")]
    key = hash_of(
        files, *patches(board), key_of(sysroot.path), str(sysroot.toolchain), settings, options, "1"
    )
    if up_to_date(result, key):
        return result
    progress(
        f"{name}: building BlueZ {patched_version(board, lock)} with the {len(patches(board))} "
        "patches of board/bluez; Debian's bluetoothd ends when a phone sends a title that is not "
        "valid UTF-8"
    )
    unpack_source(board, lock, empty_folder(work))
    environment = compiler(board, sysroot, with_sanitizer) | settings
    run(
        # --build and --host differ, so that configure does not try to run the programs that it
        # compiles.
        "./configure", f"--build={platform.machine()}-pc-linux-gnu", f"--host={sysroot.multiarch}",
        *("--prefix=/usr", "--sysconfdir=/etc", "--localstatedir=/var", "--libexecdir=/usr/libexec"),
        *options, cwd=work, env=environment,
    )
    # The target is "all", because make does not generate some headers if only one program is named.
    run("make", f"--jobs={os.cpu_count()}", "all", cwd=work, env=environment)
    remove_stamp(result)
    copy_program(work / "src/bluetoothd", result)
    shutil.rmtree(work)
    write_stamp(result, key)
    return result


def compiler(board: Board, sysroot: Sysroot, with_sanitizer: bool) -> dict[str, str]:
    """The environment in which configure finds the compiler and the libraries of the sysroot."""
    command = f"{sysroot.toolchain}/bin/clang --target={board.triple} --sysroot={sysroot.path}"
    if with_sanitizer:
        command += " -fsanitize=address"
    return dict(
        os.environ, PKG_CONFIG_LIBDIR=sysroot.pkg_config_path, PKG_CONFIG_PATH="", LC_ALL="C",
        CC=command, AR=f"{sysroot.toolchain}/bin/llvm-ar", NM=f"{sysroot.toolchain}/bin/llvm-nm",
        RANLIB=f"{sysroot.toolchain}/bin/llvm-ranlib",
    )


def flags(board: Board, work: Path, with_sanitizer: bool) -> dict[str, str]:
    """The flags for the compiler: Debian's flags for hardening, or the flags for the address
    sanitizer, which replaces the checks of the hardening by its own checks."""
    if with_sanitizer:
        return {"CFLAGS": "-O1 -g1 -fno-omit-frame-pointer", "LDFLAGS": "-fuse-ld=lld"}
    branches = {"amd64": "-fcf-protection", "arm64": "-mbranch-protection=standard"}
    return {
        "CFLAGS": f"-O2 -fPIE -fstack-protector-strong -fstack-clash-protection -Wformat "
        f"-Werror=format-security {branches.get(board.architecture, '')} "
        f"-ffile-prefix-map={work}=.",
        "CPPFLAGS": "-D_FORTIFY_SOURCE=2",
        "LDFLAGS": "-fuse-ld=lld -pie -Wl,-z,relro,-z,now,--strip-all",
    }

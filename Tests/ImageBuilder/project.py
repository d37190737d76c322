"""Makes a project with one small board, and the packages, programs and modules for it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from imagebuilder.board import Board
from imagebuilder.lock import LockedPackage

RELEASE = "6.12.0-test"
ELF_START = ".globl _start\n_start:\n"

FILES = {
    "board/packages.list": "[image]\ntool  a program\n[without]\nmawk  busybox has an awk\n",
    "board/prune.list": "usr/share/doc   not needed\n",
    "board/only.list": "",
    "board/busybox.list": "sh  scripts\nls\n",
    "board/limits.list": "[rights]\nA=1  x\nB=~2  x\n[core]\nC=  x\n[other]\nD=4  x\n",
    "board/small/board.conf": """\
[board]
architecture = amd64
triple       = x86_64-unknown-linux-gnu
kernel       = linux-image-amd64
kernel-rt    = linux-image-rt-amd64
efi-loader   = loader.efi
efi-name     = BOOTX64.EFI
console      = ttyS0

[partitions]
esp  = 40
root = 4
data = 16
""",
    "board/small/cmdline": "# the console\nconsole=ttyS0\nquiet   less text\n",
    "board/small/modules.list": "[root]\nsecond  needs first\n[late]\nthird  comes late\n",
    "rootfs-overlay/etc/passwd": "root:x:0:0::/root:/bin/sh\nautoharp:x:800:800::/:/bin/false\n",
    "rootfs-overlay/etc/group": "root:x:0:\nautoharp:x:800:\n",
    "rootfs-overlay/etc/shadow": "root:*:1::::::\n",
}


def make_project(folder: Path) -> None:
    write_files(folder, FILES)


def write_files(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def write_lock(board: Board, packages: list[LockedPackage]) -> None:
    lines = "".join(f"{package}\n" for package in packages)
    board.lock.write_text(f"# resolved 2026-11-21\n{lines}")


def make_package(
    folder: Path, part: str, name: str, files: dict[str, str | bytes], version: str = "1.0-1",
    architecture: str = "amd64", depends: str = "",
) -> LockedPackage:
    """Makes a real Debian package in `folder`. If `folder` is the cache of a board, the build does
    not download the package. Returns the line of the lock for the package."""
    tree = folder / "tree"
    write_files(tree, files)
    write_files(tree, {"DEBIAN/control": f"Package: {name}\nVersion: {version}\n"
                       f"Architecture: {architecture}\nMaintainer: Test <test@localhost>\n"
                       "Multi-Arch: foreign\n"
                       + (f"Depends: {depends}\n" if depends else "")
                       + "Description: for a test\n"})
    deb = folder / f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Znone", tree, deb],
                   check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, SOURCE_DATE_EPOCH="0"))  # the same files give the same bytes
    shutil.rmtree(tree)
    data = deb.read_bytes()
    return LockedPackage(
        part, name, version, architecture, hashlib.sha256(data).hexdigest(), len(data)
    )


def make_mirror(
    folder: Path, debs: list[Path], sources: str = "",
    suites: tuple[str, ...] = ("trixie", "trixie-updates"), architecture: str = "amd64",
) -> str:
    """Makes a Debian mirror with these packages and without signatures. `sources` is the text of
    the index of source packages. Returns the address of the mirror."""
    pool = folder / "pool"
    pool.mkdir(parents=True, exist_ok=True)
    indexes = {architecture: ""}
    for deb in debs:
        shutil.copy(deb, pool)
        data = deb.read_bytes()
        control = subprocess.run(["dpkg-deb", "--field", deb], check=True, capture_output=True)
        own = re.search(r"Architecture: (.*)", control.stdout.decode())[1]
        place = architecture if own == "all" else own
        indexes[place] = indexes.get(place, "") + (
            f"{control.stdout.decode()}Filename: pool/{deb.name}\nSize: {len(data)}\n"
            f"SHA256: {hashlib.sha256(data).hexdigest()}\n\n"
        )
    for suite in suites:
        files = {f"main/binary-{name}/Packages": index for name, index in indexes.items()}
        files["main/source/Sources"] = sources
        write_files(folder / "dists" / suite, files)
        sums = "".join(
            f" {hashlib.sha256(text.encode()).hexdigest()} {len(text)} {name}\n"
            for name, text in files.items()
        )
        (folder / "dists" / suite / "Release").write_text(
            f"Suite: {suite}\nCodename: {suite}\nComponents: main\n"
            f"Architectures: {' '.join(indexes)}\nSHA256:\n{sums}"
        )
    return f"file:{folder}"


def make_security(mirror: Path) -> str:
    """Makes the mirror of the suite trixie-security, which is empty."""
    address = make_mirror(mirror.with_name(mirror.name + "-security"), [])
    folder = mirror.with_name(mirror.name + "-security") / "dists"
    shutil.copytree(folder / "trixie", folder / "trixie-security")
    release = folder / "trixie-security/Release"
    release.write_text(release.read_text().replace("trixie", "trixie-security"))
    return address


def use_mirror(monkeypatch, mirror: Path, debs: list[Path], sources: str = "") -> None:
    """Makes a mirror of Debian 13 with these packages, and lets the builder use it."""
    monkeypatch.setenv("AUTOHARP_MIRROR", make_mirror(mirror, debs, sources))
    monkeypatch.setenv("AUTOHARP_MIRROR_SECURITY", make_security(mirror))


def assemble(source: str, output: Path) -> Path:
    """Makes an object file from assembler lines that are valid for every processor."""
    output.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["as", "-o", output, "-"], input=source, text=True, check=True)
    return output


def make_module(path: Path, exports: str = "", needs: str = "") -> None:
    """Makes a module that depmod can read. `exports` is a symbol that the module exports, and
    `needs` is a symbol that it needs."""
    assemble(
        '.section .modinfo,"a"\n'
        f'.asciz "name={path.stem}"\n'
        '.section __ksymtab_strings,"a"\n'
        + (f'.asciz "{exports}"\n' if exports else "")
        + (f".data\n.quad {needs}\n" if needs else ""),
        path,
    )


def kernel_files(folder: Path) -> dict[str, bytes]:
    """The files of a kernel package. `second` needs `first`, and `third` is compressed."""
    make_module(folder / "first.ko", exports="first_symbol")
    make_module(folder / "second.ko", needs="first_symbol")
    make_module(folder / "third.ko")
    make_module(folder / "fourth.ko")
    subprocess.run(["xz", folder / "third.ko"], check=True)
    modules = f"usr/lib/modules/{RELEASE}"
    files = {
        f"{modules}/kernel/{path.name}": path.read_bytes() for path in folder.glob("*.ko*")
    }
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        files[f"{modules}/{name}"] = b""
    files[f"{modules}/modules.builtin"] = b"kernel/built_in.ko\n"
    files[f"{modules}/modules.builtin.modinfo"] = b"built_in.file=kernel/built_in\0"
    files[f"boot/vmlinuz-{RELEASE}"] = b"a kernel that is not compressed"
    return files


def make_library(folder: Path, soname: str) -> Path:
    code = assemble(".text\n.globl answer\nanswer:\n", folder / f"{soname}.o")
    library = folder / soname
    subprocess.run(["ld", "-shared", "-soname", soname, "-o", library, code], check=True)
    code.unlink()
    return library


def make_program(path: Path, *libraries: Path) -> Path:
    """Makes a program that is linked to these libraries."""
    code = assemble(f".text\n{ELF_START}", path.with_suffix(".o"))
    subprocess.run(
        ["ld", "--no-as-needed", "-dynamic-linker", "/lib/ld.so", "-o", path, code, *libraries],
        check=True,
    )
    code.unlink()
    return path

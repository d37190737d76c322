"""Step report: prints the sizes of the parts of the image."""

from __future__ import annotations

from pathlib import Path

from .board import Board
from .files import MIB


def report(
    board: Board,
    base: Path,
    root: Path,
    initrd: Path,
    kernel: Path,
    programs: list[Path],
    disk: Path,
) -> None:
    used = disk.stat().st_blocks * 512
    print()
    for name, file, more in (
        ("root, compressed", root, f" of {board.sizes['root']}"),
        ("kernel", kernel, ""),
        ("initrd", initrd, ""),
        *((program.name, program, "") for program in programs),
        ("disk", disk, f", {used / MIB:.1f} of it in use"),
    ):
        print(f"  {name:20} {file.stat().st_size / MIB:7.1f} MiB{more}")
    print("  largest folders, unpacked:")
    for size, path in largest(base):
        print(f"    {str(path.relative_to(base)):28} {size / MIB:6.1f} MiB")
    print()


def largest(base: Path) -> list[tuple[int, Path]]:
    """The eight largest folders in usr/, usr/lib and usr/share, and their sizes in bytes. The
    largest folder comes first."""
    folders = (
        (size_of(path), path)
        for parent in (base / "usr/lib", base / "usr", base / "usr/share")
        for path in parent.iterdir()
        if path.is_dir() and not path.is_symlink()
    )
    return sorted(folders, reverse=True)[:8]


def size_of(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())

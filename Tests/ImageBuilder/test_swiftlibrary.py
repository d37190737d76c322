"""The library of Swift for the processor of the board: where it comes from, and what is copied."""

import subprocess

import pytest

from imagebuilder import apt, renew_lock
from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.lock import Lock, LockedPackage
from imagebuilder.products import strip
from imagebuilder.swiftlibrary import swift_library
from project import assemble, make_mirror, make_package, write_files

COMPILER = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
OLDER = "Swift version 6.2.3 (swift-6.2.3-RELEASE)"


def library_files(place, processor, compiler):
    """The files of a library below `place`."""
    files = {}
    for kind in ("swift", "swift_static"):
        modules = f"{place}/{kind}/linux"
        text = f"// swift-interface-format-version: 1.0\n// swift-compiler-version: {compiler}\n"
        files |= {
            f"{modules}/{processor}/swiftrt.o": "object",
            f"{modules}/Swift.swiftmodule/{processor}-unknown-linux-gnu.swiftinterface": text,
            f"{modules}/Swift.swiftmodule/{processor}-unknown-linux-gnu.swiftmodule": "binary",
            f"{modules}/Foundation.swiftmodule/{processor}.swiftmodule": "binary",
            f"{modules}/{processor}/Dispatch.swiftmodule": "binary",
            f"{modules}/libdispatch.a": "linked into every program",
            f"{place}/{kind}/shims/FoundationShims.h": "a header of the main module",
            f"{place}/{kind}/host/compiler.so": "a part of the compiler",
        }
    return files


@pytest.fixture
def toolchain(tmp_path):
    """A toolchain for x86_64, as on the host."""
    folder = tmp_path / "toolchain/usr"
    write_files(folder, library_files("lib", "x86_64", COMPILER))
    for kind in ("swift", "swift_static"):
        write_files(folder / "lib" / kind, {"clang/include/stddef.h": "header"})
    return folder


@pytest.fixture
def foreign(board, tmp_path, monkeypatch):
    """The board `small` with a processor for which the toolchain has no library."""
    monkeypatch.delenv("SWIFT_ARM64", raising=False)
    conf = board.folder / "board.conf"
    conf.write_text(conf.read_text().replace("amd64", "arm64", 1).replace("x86_64-", "aarch64-"))
    board = Board("small", project=tmp_path)
    board.make_folders()
    return board


def unpacked_toolchain(tmp_path, compiler, place="usr/lib"):
    folder = tmp_path / "other"
    write_files(folder, library_files(place, "aarch64", compiler))
    return folder


def names(library):
    return {str(path.relative_to(library)) for path in library.rglob("*") if path.is_file()}


def test_toolchain_with_the_library_needs_nothing_else(board, toolchain):
    library = swift_library(board, Lock([], 0), toolchain)
    assert library.path == toolchain / "lib"
    assert COMPILER in library.version
    assert not (board.shared / "swift").exists()


@pytest.mark.parametrize("place", ["usr/lib", "lib"])
def test_variable_names_a_toolchain_or_its_usr_folder(foreign, toolchain, tmp_path, monkeypatch, place):
    monkeypatch.setenv("SWIFT_ARM64", str(unpacked_toolchain(tmp_path, COMPILER, place)))
    library = swift_library(foreign, Lock([], 0), toolchain)
    found = names(library.path)
    assert "swift_static/linux/aarch64/swiftrt.o" in found
    assert "swift_static/linux/libdispatch.a" in found
    assert "swift/shims/FoundationShims.h" in found
    assert "swift/linux/Swift.swiftmodule/aarch64-unknown-linux-gnu.swiftmodule" in found
    assert not any("Foundation.swiftmodule" in name or "Dispatch.swift" in name for name in found)
    assert not any("/host/" in name for name in found)
    assert (library.path / "swift_static/clang/include/stddef.h").read_text() == "header"


def test_library_of_another_compiler_keeps_only_the_text_of_its_modules(
    foreign, toolchain, tmp_path, monkeypatch
):
    monkeypatch.setenv("SWIFT_ARM64", str(unpacked_toolchain(tmp_path, OLDER)))
    found = names(swift_library(foreign, Lock([], 0), toolchain).path)
    assert not any(name.endswith(".swiftmodule") for name in found)
    assert "swift/linux/Swift.swiftmodule/aarch64-unknown-linux-gnu.swiftinterface" in found


def test_other_version_is_another_library_and_the_same_version_is_kept(
    foreign, toolchain, tmp_path, monkeypatch
):
    monkeypatch.setenv("SWIFT_ARM64", str(unpacked_toolchain(tmp_path, COMPILER)))
    first = swift_library(foreign, Lock([], 0), toolchain)
    (first.path / "mark").touch()
    assert swift_library(foreign, Lock([], 0), toolchain) == first
    assert (first.path / "mark").exists()
    unpacked_toolchain(tmp_path, OLDER)
    assert swift_library(foreign, Lock([], 0), toolchain).version != first.version
    assert not (first.path / "mark").exists()


def test_folder_without_the_library_is_refused_with_its_name(foreign, toolchain, tmp_path, monkeypatch):
    monkeypatch.setenv("SWIFT_ARM64", str(tmp_path / "empty"))
    with pytest.raises(BuildError, match=r"^no-swift-library: .*/empty .*arm64.*SWIFT_ARM64"):
        swift_library(foreign, Lock([], 0), toolchain)


def test_library_without_a_version_is_refused(foreign, toolchain, tmp_path, monkeypatch):
    monkeypatch.setenv("SWIFT_ARM64", str(unpacked_toolchain(tmp_path, "")))
    with pytest.raises(BuildError, match="^swift-library-damaged: .*/other/usr/lib "):
        swift_library(foreign, Lock([], 0), toolchain)


# --- the package of Debian unstable -----------------------------------------------------------


@pytest.fixture
def unstable(foreign, tmp_path, monkeypatch):
    """A function that makes a mirror of Debian unstable with `version` of the package `swiftlang`. It returns the
    package as a line of a lock."""
    monkeypatch.setattr(apt, "KEY", "trusted=yes")

    def publish(version):
        made = tmp_path / "made" / version
        files = library_files("usr/libexec/swift/lib", "aarch64", OLDER)
        package = make_package(made, "swift", "swiftlang", files, version, "arm64")
        address = make_mirror(tmp_path / f"mirror-{version}", [made / package.file], "",
                              ("unstable",), "arm64")
        monkeypatch.setenv("AUTOHARP_MIRROR", address)
        return package

    return publish


def test_package_of_the_lock_is_downloaded_and_unpacked_once(foreign, toolchain, unstable, monkeypatch):
    lock = Lock([unstable("6.2.3-1")], 0)
    library = swift_library(foreign, lock, toolchain)
    assert "swift_static/linux/aarch64/swiftrt.o" in names(library.path)
    assert (foreign.debs / "swiftlang_6.2.3-1_arm64.deb").exists()
    assert not any("host" in str(path) for path in (foreign.shared / "swift-package").rglob("*"))
    # The next build needs neither the mirror nor the package.
    monkeypatch.setenv("AUTOHARP_MIRROR", "file:/nonexistent")
    (foreign.debs / "swiftlang_6.2.3-1_arm64.deb").unlink()
    assert swift_library(foreign, lock, toolchain) == library


def test_variable_has_priority_over_the_package(foreign, toolchain, unstable, tmp_path, monkeypatch):
    monkeypatch.setenv("SWIFT_ARM64", str(unpacked_toolchain(tmp_path, COMPILER)))
    swift_library(foreign, Lock([unstable("6.2.3-1")], 0), toolchain)
    assert list(foreign.debs.iterdir()) == []


def test_package_that_debian_has_replaced_is_refused_with_what_to_do(foreign, toolchain, unstable):
    lock = Lock([unstable("6.2.3-1")], 0)
    unstable("6.4.0-1")
    with pytest.raises(BuildError) as refusal:
        swift_library(foreign, lock, toolchain)
    text = str(refusal.value)
    assert refusal.value.code == "no-swift-library"
    for part in ("SWIFT_ARM64", "swiftlang 6.2.3-1", "make image-lock BOARD=small"):
        assert part in text


@pytest.mark.parametrize("lock", [Lock([], 0), Lock([LockedPackage("swift", "swiftlang", "1", "arm64", "0" * 64, 1)], 0)])
def test_missing_library_is_refused_with_the_variable_that_names_one(foreign, toolchain, lock):
    # conftest.py names a mirror that does not exist, so the package cannot be downloaded.
    with pytest.raises(BuildError, match="(?s)^no-swift-library: .*arm64.*SWIFT_ARM64"):
        swift_library(foreign, lock, toolchain)


def test_lock_has_the_package_only_if_the_board_names_one(foreign, unstable, tmp_path):
    package = unstable("6.2.3-1")
    assert renew_lock.swift_lines(foreign) == []
    conf = foreign.folder / "board.conf"
    conf.write_text(conf.read_text().replace("[board]\n", "[board]\nswift-package = swiftlang\n"))
    assert renew_lock.swift_lines(Board("small", project=tmp_path)) == [str(package)]


def test_sources_of_the_image_never_name_debian_unstable(foreign):
    assert "unstable" not in apt.sources_list()
    stable, unstable = apt.Apt(foreign), apt.Apt(foreign, unstable=True)
    assert stable.folder != unstable.folder
    assert "unstable" not in (stable.folder / "sources.list").read_text()


# --- stripping ----------------------------------------------------------------------------------


def test_programs_are_stripped_by_the_toolchain(tmp_path):
    # This script replaces llvm-objcopy, which supports every processor.
    write_files(tmp_path, {"bin/llvm-objcopy": '#!/bin/sh\n[ "$1" = --strip-all ] && cp "$2" "$3"\n'})
    (tmp_path / "bin/llvm-objcopy").chmod(0o755)
    program = strip(tmp_path, assemble(".text\n", tmp_path / "made/tool"), tmp_path / "tool")
    assert program.read_bytes()[:4] == b"\x7fELF"
    subprocess.run(["readelf", "-h", program], check=True, stdout=subprocess.DEVNULL)

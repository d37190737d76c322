"""Tests locked versions that Debian has replaced: the build takes the newest versions, or stops with
an error. The tests use the real apt with a mirror on the disk."""

from hashlib import sha256

import pytest

from imagebuilder import apt
from imagebuilder.commands import BuildError
from imagebuilder.fetch import fetch
from imagebuilder.lock import LockedPackage, read_lock
from imagebuilder.newest import newest_lock_file, offered
from project import make_package, use_mirror, write_files, write_lock

DSC = b"the description of the source"


def source(version):
    return LockedPackage(
        "source", "bluez", version, f"bluez_{version}.dsc", sha256(DSC).hexdigest(), len(DSC)
    )


@pytest.fixture
def debian(board, tmp_path, monkeypatch):
    """A function that makes a Debian mirror with `version` of the package `tool`. It returns the packages of the mirror
    as lines of a lock."""
    write_files(board.project, {"board/packages.list": "[image]\ntool  a\nbluez  b\n"})
    monkeypatch.setattr(apt, "KEY", "trusted=yes")

    def publish(version):
        made = tmp_path / "made" / version
        packages = [
            make_package(made, "image", "bluez", {"usr/bluetoothd": "b"}),
            make_package(made, "image", "tool", {"usr/bin/tool": version}, version),
            make_package(made, "kernel", "linux-image-amd64", {"boot/vmlinuz": "k"}),
            make_package(made, "kernel-rt", "linux-image-rt-amd64", {"boot/vmlinuz": "r"}),
            source("1.0-1"),
        ]
        debs = [made / package.file for package in packages if package.part != "source"]
        mirror = tmp_path / f"mirror-{version}"
        write_files(mirror, {"pool/bluez_1.0-1.dsc": DSC})
        use_mirror(
            monkeypatch, mirror, debs,
            "Package: bluez\nBinary: bluez\nVersion: 1.0-1\nDirectory: pool\nChecksums-Sha256:\n"
            f" {sha256(DSC).hexdigest()} {len(DSC)} bluez_1.0-1.dsc\n\n",
        )
        return packages

    return publish


def versions(lock):
    return {package.name: package.version for package in lock.of("image", "kernel", "source")}


def test_version_that_debian_still_has_is_fetched(board, debian):
    write_lock(board, debian("1.0-1"))
    lock = fetch(board, read_lock(board))
    assert versions(lock)["tool"] == "1.0-1"
    assert (board.debs / "tool_1.0-1_amd64.deb").exists()
    assert (board.sources / "bluez_1.0-1.dsc").read_bytes() == DSC
    assert not newest_lock_file(board).exists()


def test_replaced_version_is_built_with_the_newest_one_and_the_date_of_the_lock(board, debian):
    write_lock(board, debian("1.0-1"))
    debian("1.0-2")
    old = read_lock(board)
    lock = fetch(board, old)
    assert versions(lock) == {
        "bluez": "1.0-1", "tool": "1.0-2", "linux-image-amd64": "1.0-1"
    }
    assert lock.epoch == old.epoch
    assert (board.debs / "tool_1.0-2_amd64.deb").exists()
    assert versions(read_lock(board))["tool"] == "1.0-1"


def test_newest_versions_leave_the_library_of_swift_as_the_lock_has_it(board, debian):
    library = LockedPackage("swift", "swiftlang", "6.2.3-1", "amd64", "0" * 64, 1)
    write_lock(board, [*debian("1.0-1"), library])
    debian("1.0-2")
    assert fetch(board, read_lock(board)).of("swift") == [library]


def test_next_build_uses_the_same_versions_without_the_mirror(board, debian, monkeypatch):
    write_lock(board, debian("1.0-1"))
    debian("1.0-2")
    first = fetch(board, read_lock(board))
    monkeypatch.setenv("AUTOHARP_MIRROR", "file:/nonexistent")
    assert fetch(board, read_lock(board)) == first


def test_renewed_lock_is_used_in_place_of_the_newest_versions_of_an_earlier_build(board, debian):
    old = debian("1.0-1")
    write_lock(board, old)
    debian("1.0-2")
    fetch(board, read_lock(board))
    write_lock(board, debian("1.0-3"))
    assert versions(fetch(board, read_lock(board)))["tool"] == "1.0-3"


def test_newest_versions_that_debian_has_replaced_too_are_resolved_again(board, debian):
    write_lock(board, debian("1.0-1"))
    debian("1.0-2")
    fetch(board, read_lock(board))
    (board.debs / "tool_1.0-2_amd64.deb").unlink()
    debian("1.0-3")
    assert versions(fetch(board, read_lock(board)))["tool"] == "1.0-3"


def test_replaced_version_is_refused_with_locked(board, debian):
    write_lock(board, debian("1.0-1"))
    debian("1.0-2")
    with pytest.raises(BuildError, match=r"^version-replaced: .* tool 1\.0-1,"):
        fetch(board, read_lock(board), locked=True)
    assert not newest_lock_file(board).exists()


def test_unreachable_mirror_is_no_reason_for_other_versions(board, debian, monkeypatch):
    write_lock(board, debian("1.0-1"))
    monkeypatch.setenv("AUTOHARP_MIRROR", "file:/nonexistent")
    with pytest.raises(BuildError, match="^program-failed: .*apt-get"):
        fetch(board, read_lock(board))
    assert not newest_lock_file(board).exists()


def test_madison_is_read_with_packages_and_sources():
    assert offered(
        "     bluez | 5.82-1.1 | http://mirror trixie/main amd64 Packages\n"
        "     bluez | 5.82-1.1 | http://mirror trixie/main Sources\n"
        "N: a note\n"
    ) == {(False, "bluez", "5.82-1.1"), (True, "bluez", "5.82-1.1")}

"""The source of bluetoothd, the sysroot, and the source files of the helpers."""

import json
import subprocess

import pytest

from conftest import PROJECT
from imagebuilder.bluez_source import patched_version, unpack_source
from imagebuilder.commands import BuildError
from imagebuilder.helpers import HELPERS
from imagebuilder.publish import publish_source
from imagebuilder.lock import Lock, LockedPackage
from imagebuilder.sysroot import Sysroot, move_pkg_config, write_sdk
from project import write_files

DEBIANS = """\
--- a/src/main.c
+++ b/src/main.c
@@ -1,3 +1,3 @@
 one
-two
+two of Debian
 three
"""
OURS = """\
Why this is needed.

--- a/src/main.c
+++ b/src/main.c
@@ -1,3 +1,3 @@
 one
-two of Debian
+two of ours
 three
"""


@pytest.fixture
def lock(board, tmp_path):
    write_files(tmp_path, {
        "bluez-5.0/src/main.c": "one\ntwo\nthree\n",
        "debian/patches/series": "# applied in this order\nfirst.patch -p1\n\n",
        "debian/patches/first.patch": DEBIANS,
        "debian/patches/unused.patch": "not in the series",
        "board/bluez/01-ours.patch": OURS,
    })
    for name, folder in (("bluez_5.0.orig.tar.gz", "bluez-5.0"),
                         ("bluez_5.0-1.debian.tar.xz", "debian")):
        subprocess.run(["tar", "--create", "--auto-compress", "--file", board.sources / name,
                        "-C", tmp_path, folder], check=True)
    (board.sources / "bluez_5.0-1.dsc").write_text("dsc")
    names = ("bluez_5.0.orig.tar.gz", "bluez_5.0-1.debian.tar.xz", "bluez_5.0-1.dsc")
    return Lock([LockedPackage("source", "bluez", "5.0-1", name, "0" * 64, 0) for name in names], 0)


def test_patches_of_debian_are_applied_before_ours(board, lock, tmp_path):
    target = tmp_path / "work"
    target.mkdir()
    unpack_source(board, lock, target)
    assert (target / "src/main.c").read_text() == "one\ntwo of ours\nthree\n"
    assert not list(target.glob("src/*.orig"))


def test_patch_that_does_not_apply_is_refused_with_its_name(board, lock, tmp_path):
    write_files(tmp_path, {"board/bluez/02-old.patch": OURS})
    target = tmp_path / "work"
    target.mkdir()
    with pytest.raises(BuildError, match="^patch-failed: 02-old.patch "):
        unpack_source(board, lock, target)


def test_patch_with_another_context_is_refused(board, lock, tmp_path):
    # With a fuzz factor above 0, the program `patch` could apply the change at a wrong place.
    write_files(tmp_path, {"board/bluez/01-ours.patch": OURS.replace(" three", " another line")})
    target = tmp_path / "work"
    target.mkdir()
    with pytest.raises(BuildError, match="^patch-failed: 01-ours.patch "):
        unpack_source(board, lock, target)


def test_version_changes_with_the_patches(board, lock, tmp_path):
    before = patched_version(board, lock)
    assert before.startswith("5.0-1+autoharp.") and len(before) == len("5.0-1+autoharp.") + 8
    write_files(tmp_path, {"board/bluez/01-ours.patch": OURS.replace("of ours", "of Ours")})
    assert patched_version(board, lock) != before


def test_source_patches_and_scripts_are_published_beside_the_image(board, lock):
    folder = publish_source(board, lock, [])
    assert folder == board.work / "source"
    assert {path.name for path in folder.iterdir()} == {
        "bluez_5.0.orig.tar.gz", "bluez_5.0-1.debian.tar.xz", "bluez_5.0-1.dsc", "01-ours.patch",
        "bluez.py", "bluez_source.py",
    }


def test_pkg_config_names_paths_below_the_sysroot(tmp_path):
    files = "usr/lib/x86_64-linux-gnu/pkgconfig"
    write_files(tmp_path, {f"{files}/a.pc": "prefix=/usr\nCflags: -I/usr/include -DX=/usrlocal\n"
                           "Libs: -L/usr/lib/x86_64-linux-gnu -la\n"})
    # A link can lead to a file of the host. The file of the host must not be changed.
    (tmp_path / "host.pc").write_text("prefix=/usr\n")
    (tmp_path / files / "b.pc").symlink_to(tmp_path / "host.pc")
    move_pkg_config(tmp_path)
    assert (tmp_path / files / "a.pc").read_text() == (
        f"prefix={tmp_path}/usr\nCflags: -I{tmp_path}/usr/include -DX=/usrlocal\n"
        f"Libs: -L{tmp_path}/usr/lib/x86_64-linux-gnu -la\n"
    )
    assert (tmp_path / "host.pc").read_text() == "prefix=/usr\n"
    sysroot = Sysroot(tmp_path, tmp_path, tmp_path)
    assert sysroot.multiarch == "x86_64-linux-gnu"
    assert sysroot.pkg_config_path == f"{tmp_path}/{files}:{tmp_path}/usr/share/pkgconfig"


def test_sdk_names_sysroot_and_toolchain(board, tmp_path):
    folder = write_sdk(board, tmp_path / "sysroot", tmp_path / "swift/usr")
    bundle = folder / "autoharp.artifactbundle"
    artifacts = json.loads((bundle / "info.json").read_text())["artifacts"]
    assert list(artifacts) == ["autoharp-amd64"]
    sdk = json.loads((bundle / "sdk/swift-sdk.json").read_text())["targetTriples"][board.triple]
    assert sdk["sdkRootPath"] == str(tmp_path / "sysroot")
    toolset = json.loads((bundle / "sdk/toolset.json").read_text())
    assert toolset["linker"]["path"] == str(tmp_path / "swift/usr/bin/ld.lld")


def test_every_file_of_the_helpers_is_compiled():
    listed = {part for name, parts in HELPERS.items() for part in (name, *parts)}
    assert listed == {path.stem for path in (PROJECT / "board/helpers").glob("*.c")}

"""Runs build steps on real packages. Some tests run a step twice, to check which results are kept."""

import shutil
import subprocess
from hashlib import sha256

import pytest

from conftest import PROJECT
from imagebuilder.board import Board
from imagebuilder.commands import BuildError
from imagebuilder.fetch import check_files, fetch
from imagebuilder.files import MIB
from imagebuilder.kernel import make_kernel
from imagebuilder.lock import Lock, LockedPackage, read_lock
from imagebuilder.root import make_root, write_watchdog
from imagebuilder.stamps import key_of, up_to_date
from imagebuilder.steps import Build
from project import (
    RELEASE, kernel_files, make_library, make_package, make_program, write_files, write_lock,
)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder with packages, and the lines of the lock for these packages. The packages contain a program with its
    library, a font, a systemd unit, documentation, and a kernel. All tests use the same packages, because making them
    takes as long as a test."""
    folder = tmp_path_factory.mktemp("packages")
    library = make_library(folder, "libanswer.so.1")
    program = make_program(folder / "program", library)
    tool = {
        "usr/bin/tool": program.read_bytes(),
        "usr/bin/ls": "a program that busybox has too",
        "usr/lib/x86_64-linux-gnu/libanswer.so.1": library.read_bytes(),
        "usr/lib64/ld-linux-x86-64.so.2": "not a program for this machine",
        "usr/lib/autoharp/.keep": "",
        "usr/lib/systemd/system/autoharp.target": "",
        "usr/share/doc/tool/copyright": "text",
        "usr/share/fonts/a.ttf": "",
        "etc/passwd": "root:x:0:0\n",
    }
    bluez = {"usr/libexec/bluetooth/bluetoothd": "Debian's"}
    return folder, [
        make_package(folder, "image", "tool", tool, "1:1.0-1"),
        make_package(folder, "image", "bluez", bluez),
        make_package(folder, "kernel", "linux-image", kernel_files(folder / "modules")),
    ]


@pytest.fixture
def packages(board, made):
    """Puts the packages into the cache and the lock of the board."""
    folder, packages = made
    for package in packages:
        shutil.copy(folder / package.file, board.debs)
    (board.sources / "bluez.dsc").write_text("dsc")
    packages = [
        *packages,
        # This package is not in the cache, because the tests do not build the real-time variant.
        LockedPackage("kernel-rt", "linux-image-rt", "1.0-1", "amd64", "0" * 64, 1),
        LockedPackage("source", "bluez", "1.0-1", "bluez.dsc", sha256(b"dsc").hexdigest(), 3),
    ]
    write_lock(board, packages)
    return packages


def test_cached_files_are_reused(board, packages):
    # conftest.py names a mirror that does not exist, so a download would fail.
    assert fetch(board, read_lock(board)).packages == packages


@pytest.mark.parametrize("lost", ["debs/tool_1%3a1.0-1_amd64.deb", "sources/bluez.dsc"])
def test_missing_file_is_requested_from_the_mirror(board, packages, lost):
    (board.build / lost).unlink()
    with pytest.raises(BuildError, match="(?s)^(program|download)-failed: .*file:/nonexistent"):
        fetch(board, read_lock(board))


def test_fetched_file_that_differs_from_the_lock_is_refused(board, packages):
    (board.debs / packages[0].file).write_bytes(b"another package")
    with pytest.raises(BuildError, match=r"^wrong-file: tool_1%3a1.0-1_amd64.deb "):
        check_files(board, packages[:2], board.debs)


def test_base_has_the_pruned_packages_and_links_to_busybox(board, packages):
    base = Build(board).base
    assert (base / "usr/bin/tool").read_bytes().startswith(b"\x7fELF")
    assert not (base / "usr/share/doc").exists()
    assert (base / "usr/bin/sh").readlink().name == "busybox"
    assert (base / "usr/bin/ls").read_text() == "a program that busybox has too"
    assert (base / "bin").readlink().name == "bin" and (base / "bin/tool").exists()
    assert (base / f"usr/lib/modules/{RELEASE}/kernel/third.ko").exists()
    assert not (base / "boot").exists()


def test_kernel_is_stored_for_the_boot_loader_and_for_qemu(board, packages):
    kernel = Build(board).kernel
    assert kernel.image.read_bytes() == b"a kernel that is not compressed"
    assert (board.work / "vmlinux").read_bytes() == b"a kernel that is not compressed"
    assert (board.work / "cmdline").read_text() == "console=ttyS0 quiet gpt autoharp.slot=a\n"
    assert (board.work / "board").read_text() == "small\n"
    assert (kernel.tree / f"usr/lib/modules/{RELEASE}/modules.dep").exists()


def test_kernel_is_decompressed_for_qemu(board, tmp_path):
    elf = make_program(tmp_path / "vmlinux").read_bytes()
    packed = subprocess.run(["zstd", "-q", "-c"], input=elf, stdout=subprocess.PIPE).stdout
    files = kernel_files(tmp_path / "modules")
    files[f"boot/vmlinuz-{RELEASE}"] = b"MZ and a program" + packed + b"signature"
    lock = Lock([make_package(board.debs, "kernel", "linux-image", files)], 0)
    kernel = make_kernel(board, lock)
    assert kernel.image.read_bytes() == files[f"boot/vmlinuz-{RELEASE}"]
    assert (board.work / "vmlinux").read_bytes() == elf


def test_results_that_are_up_to_date_are_kept(board, packages):
    Build(board).base
    (board.work / "base/mark").touch()
    (board.work / "kernel/mark").touch()
    Build(board).base
    assert (board.work / "base/mark").exists()
    assert (board.work / "kernel/mark").exists()


def test_changed_list_rebuilds_the_base_and_keeps_the_kernel(board, packages):
    Build(board).base
    (board.work / "kernel/mark").touch()
    (board.common / "prune.list").write_text("usr/share/fonts   x\n")
    base = Build(board).base
    assert (base / "usr/share/doc/tool/copyright").exists()
    assert not (base / "usr/share/fonts").exists()
    assert (board.work / "kernel/mark").exists()


@pytest.mark.parametrize("lost", ["vmlinuz", "vmlinux", "kernel"])
def test_kernel_is_unpacked_again_when_a_part_is_missing(board, packages, lost):
    before = Build(board).kernel.image.read_bytes()
    path = board.work / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert Build(board).kernel.image.read_bytes() == before
    assert path.exists()


def test_failed_base_step_invalidates_the_old_result(board, packages):
    key = key_of(Build(board).base)
    (board.common / "only.list").write_text("[usr/lib/systemd/system]\nmissing.service  x\n")
    with pytest.raises(BuildError, match="^missing-entry: .*missing.service$"):
        Build(board).base
    (board.common / "only.list").write_text("")
    assert not up_to_date(board.work / "base", key)
    assert (Build(board).base / "usr/lib/systemd/system/autoharp.target").exists()


def test_program_whose_library_is_pruned_is_refused(board, packages):
    (board.common / "prune.list").write_text("usr/lib/*/libanswer*   x\n")
    with pytest.raises(BuildError, match="(?s)^missing-library: .*tool needs libanswer.so.1"):
        Build(board).base


# --- root -----------------------------------------------------------------------------------


@pytest.fixture
def root(board, packages, tmp_path, monkeypatch):
    """A function that makes the root file system from the base, without a cache of fonts. Small programs replace the
    programs of the project."""
    monkeypatch.setattr("imagebuilder.root.runner_for", lambda board: None)
    own = {name: make_program(tmp_path / name) for name in ("autoharp", "bluetoothd", "helper")}

    def make(*overlays):
        build = Build(board, overlays=list(overlays))
        return make_root(board, build.lock, build.base, [own["autoharp"]], own["bluetoothd"],
                         [own["helper"]], build.data, build.overlays, build.apps)

    return make


def listing(root):
    """Mode, owner and time of each entry, keyed by path."""
    listed = subprocess.run(["unsquashfs", "-llnumeric", root], capture_output=True, text=True,
                            check=True, env={"PATH": "/usr/bin", "TZ": "UTC"}).stdout
    entries = {}
    for line in listed.splitlines():
        if "squashfs-root" in line:
            mode, owner, _, day, hour, path, *_ = line.split()
            entries[path.removeprefix("squashfs-root")] = (mode, owner, f"{day} {hour}")
    return entries


def content(root, path):
    return subprocess.run(["unsquashfs", "-cat", root, path], capture_output=True, check=True).stdout


def test_root_has_base_overlay_and_programs_and_belongs_to_root(board, root, tmp_path):
    image = root()
    entries = listing(image)
    assert {(owner, time) for _, owner, time in entries.values()} == {("0/0", "2026-11-21 00:00")}
    assert entries[""][0] == "drwxr-xr-x"
    assert entries["/etc/shadow"][0] == "-rw-------"
    assert entries["/root"][0] == "drwx------"
    assert entries["/usr/bin/autoharp"][0] == "-rwxr-xr-x"
    for path in ("/data", "/dev", "/var/tmp", "/usr/bin/tool", "/usr/lib/autoharp/helper"):
        assert path in entries
    assert b"autoharp:x:800" in content(image, "etc/passwd")
    # Our bluetoothd replaces Debian's bluetoothd in the image, but not in the base.
    bluetoothd = "usr/libexec/bluetooth/bluetoothd"
    assert content(image, bluetoothd) == (tmp_path / "bluetoothd").read_bytes()
    assert (board.work / "base" / bluetoothd).read_text() == "Debian's"


def test_root_contains_the_versions_of_its_parts(board, root, monkeypatch):
    image = root()
    versions = content(image, "usr/share/autoharp/versions").decode().split("\n\n")
    assert versions[0].splitlines()[:2] == ["binary " + versions[0].split()[1], "board small"]
    assert "commit unknown" in versions[0]
    assert versions[1].splitlines() == ["linux-image 1.0-1", "tool 1:1.0-1"]
    assert versions[2].startswith("bluez 1.0-1+autoharp.")
    assert content(image, "usr/share/autoharp/modules-late") == b"third\n"
    assert content(image, "usr/share/autoharp/modules-display") == b"\n"
    assert content(image, "usr/share/autoharp/data-superblocks") == (
        b"4096 32768 98304 163840 229376 294912 819200 884736 1605632\n")


def test_units_of_the_board_are_enabled(board, root):
    configuration = board.folder / "board.conf"
    configuration.write_text(configuration.read_text().replace(
        "console      = ttyS0", "console = ttyAMA0\nbluetooth-line = ttyS1 h4 921600"))
    board.settings = Board("small", project=board.project).settings
    entries = listing(root())
    units = "/usr/lib/systemd/system"
    assert f"{units}/autoharp.target.wants/autoharp-console@ttyAMA0.service" in entries
    assert f"{units}/late.target.wants/btattach@ttyS1.service" in entries
    settings = content(board.work / "root.squashfs", f"{units}/btattach@ttyS1.service.d/board.conf")
    assert settings == b"[Service]\nEnvironment=PROTOCOL=h4 SPEED=921600\n"


def test_unit_has_the_limits_of_the_groups_that_it_names(board, root):
    units = "usr/lib/systemd/system"
    write_files(board.project / "rootfs-overlay" / units, {
        "a@.service": "[Service]\nX-Limits=core rights\n# The reason.\nA=0\n",
        "b.service.d/late.conf": "[Service]\nX-Limits=other\n",
        "c.service": "[Service]\nE=5\n"})
    image = root()
    assert content(image, f"{units}/a@.service") == b"[Service]\nC=\nA=1\nB=~2\n# The reason.\nA=0\n"
    assert content(image, f"{units}/b.service.d/late.conf") == b"[Service]\nD=4\n"
    assert content(image, f"{units}/c.service") == b"[Service]\nE=5\n"


def test_group_of_limits_that_does_not_exist_is_refused(board, root):
    write_files(board.project, {"rootfs-overlay/usr/lib/systemd/system/a.service": "X-Limits=rights file\n"})
    with pytest.raises(BuildError, match="^unknown-limits: .* no group file for a.service"):
        root()


def test_root_is_reproducible(root):
    first = root().read_bytes()
    root().unlink()
    assert root().read_bytes() == first


def test_root_is_packed_again_only_after_a_change(board, root):
    before = root().stat().st_mtime_ns
    assert root().stat().st_mtime_ns == before
    write_files(board.project, {"rootfs-overlay/etc/new": "new"})
    assert content(root(), "etc/new") == b"new"


def test_later_overlay_replaces_files_of_earlier_overlays(root, tmp_path):
    write_files(tmp_path, {"one/etc/name": "one", "two/etc/name": "two", "one/etc/other": "one"})
    image = root(tmp_path / "one", tmp_path / "two")
    assert content(image, "etc/name") == b"two"
    assert content(image, "etc/other") == b"one"


def test_root_that_does_not_fit_its_partition_is_refused(board, root):
    board.sizes["root"] = 1
    (board.project / "rootfs-overlay/noise").write_bytes(
        subprocess.run(["head", "-c", str(2 * MIB), "/dev/urandom"], capture_output=True).stdout)
    with pytest.raises(BuildError, match=r"^root-too-large: .*2\.\d MiB.* 1 MiB"):
        root()
    assert not (board.work / "root.squashfs").exists()


def test_root_without_a_bluetoothd_to_replace_is_refused(board, root):
    (board.common / "prune.list").write_text("usr/libexec   x\n")
    with pytest.raises(BuildError, match="^no-bluetoothd: .*usr/libexec/bluetooth/bluetoothd"):
        root()


def test_own_program_without_its_library_is_refused(board, root, tmp_path):
    make_program(tmp_path / "helper", make_library(tmp_path, "libabsent.so.3"))
    with pytest.raises(BuildError, match="(?s)^missing-library: .*helper needs libabsent.so.3"):
        root()


@pytest.mark.parametrize(("setting", "written"), [("watchdog = 15\n", "[Manager]\nRuntimeWatchdogSec=15s\n"), ("", None)])
def test_watchdog_of_a_board_replaces_the_usual_time(board, tmp_path, setting, written):
    conf = board.folder / "board.conf"
    conf.write_text(conf.read_text().replace("[board]\n", f"[board]\n{setting}"))
    folder = tmp_path / "tree/etc/systemd/system.conf.d"
    folder.mkdir(parents=True)
    write_watchdog(Board("small", project=tmp_path), tmp_path / "tree")
    # systemd reads the files in the order of their names, so a value in the last file applies.
    usual = PROJECT / "rootfs-overlay/etc/systemd/system.conf.d/autoharp.conf"
    assert "RuntimeWatchdogSec=" in usual.read_text() and usual.name < "board.conf"
    found = folder / "board.conf"
    assert (found.read_text() if found.exists() else None) == written

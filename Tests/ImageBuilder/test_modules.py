"""Tests which kernel modules are copied, and in which order they are loaded. The tests use the real depmod and
modprobe."""

import pytest

from conftest import PROJECT
from imagebuilder.commands import BuildError, run
from imagebuilder.initrd import add_modules
from imagebuilder.kernel import release_of
from imagebuilder.kernelmodule import ModuleSource
from imagebuilder.lists import read_list
from imagebuilder.modules import copy_modules, modules_for
from project import RELEASE, kernel_files, write_files


@pytest.fixture
def kernel(tmp_path):
    tree = tmp_path / "kernel"
    write_files(tree, kernel_files(tmp_path / "modules"))
    run("depmod", "-b", tree / "usr", RELEASE)
    return tree


def names(paths):
    return [path.name for path in paths]


def test_release_is_that_of_the_modules(kernel):
    assert release_of(kernel) == RELEASE


def test_module_follows_its_dependencies(kernel):
    assert names(modules_for(kernel, "second")) == ["first.ko", "second.ko"]
    assert names(modules_for(kernel, "first")) == ["first.ko"]


def test_built_in_module_has_no_file(kernel):
    assert modules_for(kernel, "built_in") == []


def test_unknown_module_is_refused(kernel):
    with pytest.raises(BuildError, match="Module nonsense not found"):
        modules_for(kernel, "nonsense")


def test_listed_modules_are_copied_uncompressed_with_their_dependencies(board, kernel, tmp_path):
    base = tmp_path / "base"
    copy_modules(board, kernel, base, [])
    folder = base / "usr/lib/modules" / RELEASE
    assert sorted(names(folder.rglob("*.ko*"))) == ["first.ko", "second.ko", "third.ko"]
    assert (folder / "kernel/third.ko").read_bytes().startswith(b"\x7fELF")
    # The index in the base lists only the copied modules.
    assert modules_for(base, "third") == [folder / "kernel/third.ko"]
    assert names(modules_for(base, "second")) == ["first.ko", "second.ko"]
    with pytest.raises(BuildError):
        modules_for(base, "fourth")


def test_initrd_lists_modules_in_the_order_of_loading(board, kernel, tmp_path):
    board.modules.write_text("[root]\nsecond\nfirst\nbuilt_in\n[sound]\nfirst\n")
    tree = tmp_path / "initrd"
    tree.mkdir()
    for section in ("root", "sound", "disks"):
        add_modules(board, kernel, tree, section)
    assert (tree / "modules.root").read_text() == "/modules/first.ko\n/modules/second.ko\n"
    assert (tree / "modules.sound").read_text() == "/modules/first.ko\n"
    assert (tree / "modules.disks").read_text() == ""
    assert sorted(names((tree / "modules").iterdir())) == ["first.ko", "second.ko"]


# Each board needs all of these modules: for sticks, sound cards, keys, touch or phones.
FOR_ALL_BOARDS = """squashfs ext4 vfat exfat ntfs3 overlay usb-storage uas sd_mod nls_utf8 snd-usb-audio usbhid
    hid-generic hid-multitouch evdev bluetooth hci_uart btusb rfcomm bnep hidp uhid uinput cmac ccm
    ecdh_generic algif_hash algif_skcipher""".split()


@pytest.mark.parametrize("conf", sorted(PROJECT.glob("board/*/board.conf")), ids=lambda conf: conf.parent.name)
def test_every_board_has_the_modules_that_all_units_need(conf):
    listed = {name for _, name, _ in read_list(conf.parent / "modules.list")}
    assert [name for name in FOR_ALL_BOARDS if name not in listed] == []


def test_module_that_was_built_replaces_that_of_the_kernel(board, kernel, tmp_path):
    built = tmp_path / "built/first.ko"
    built.parent.mkdir()
    built.write_bytes(next(kernel.rglob("fourth.ko")).read_bytes())
    base = tmp_path / "base"
    copy_modules(board, kernel, base, [built])
    assert [path.parent.name for path in base.rglob("first.ko")] == ["updates"]
    assert next(base.rglob("first.ko")).read_bytes() == built.read_bytes()


def test_source_of_a_module_has_its_headers_and_its_patch(tmp_path):
    (tmp_path / "radio.patch").write_text("a patch")
    source = ModuleSource.of_files("drivers/bluetooth/radio.c+radio.h", tmp_path)
    assert (source.name, source.patch) == ("radio", "a patch")
    assert source.files == {"radio.c": "drivers/bluetooth/radio.c", "radio.h": "drivers/bluetooth/radio.h"}
    assert ModuleSource.of_files("drivers/other.c", tmp_path).patch == ""

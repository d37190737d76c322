"""Modules of the kernel, with the real depmod and modprobe."""

import pytest

from imagebuilder.commands import BuildError, run
from imagebuilder.initrd import add_modules
from imagebuilder.kernel import release_of
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

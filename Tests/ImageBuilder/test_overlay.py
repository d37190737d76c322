"""Tests the copy of an overlay over the base."""

import os
import stat

from imagebuilder.overlay import copy_overlay
from project import write_files


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def test_modes_are_independent_of_the_host(tmp_path):
    overlay, tree = tmp_path / "overlay", tmp_path / "tree"
    write_files(tree, {"etc/there": ""})
    (tree / "etc").chmod(0o700)
    write_files(overlay, {"etc/file": "text", "bin/script": "#!/bin/sh"})
    (overlay / "etc/file").chmod(0o600)
    (overlay / "bin/script").chmod(0o700)
    copy_overlay(overlay, tree)
    assert [mode(tree / name) for name in ("etc", "etc/file", "bin/script")] == [0o755, 0o644, 0o755]


def test_replaced_file_leaves_the_file_of_the_base_unchanged(tmp_path):
    overlay, tree, base = tmp_path / "overlay", tmp_path / "tree", tmp_path / "base"
    write_files(base, {"file": "Debian's"})
    tree.mkdir()
    os.link(base / "file", tree / "file")  # make_root makes the same hard links
    write_files(overlay, {"file": "ours"})
    copy_overlay(overlay, tree)
    assert (tree / "file").read_text() == "ours"
    assert (base / "file").read_text() == "Debian's"


def test_links_are_copied_as_links_and_replace_existing_entries(tmp_path):
    overlay, tree = tmp_path / "overlay", tmp_path / "tree"
    write_files(tree, {"target": "kept", "becomes-link": "old"})
    (tree / "was-link").symlink_to("target")
    write_files(overlay, {"was-link": "a file now"})
    (overlay / "becomes-link").symlink_to("/dev/null")
    copy_overlay(overlay, tree)
    assert os.readlink(tree / "becomes-link") == "/dev/null"
    assert (tree / "was-link").read_text() == "a file now"
    assert (tree / "target").read_text() == "kept"

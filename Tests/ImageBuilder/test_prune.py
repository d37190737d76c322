"""Tests what `prune` removes from the unpacked packages."""

import os
import stat

import pytest

from imagebuilder.commands import BuildError
from imagebuilder.prune import clear_set_id_bits, keep_only, prune, remove_patterns
from project import write_files


def entries(tree):
    return sorted(str(path.relative_to(tree)) for path in tree.rglob("*"))


def test_patterns_remove_files_links_and_whole_folders(tmp_path):
    tree = tmp_path / "tree"
    write_files(tree, {"doc/a/b": "", "lib/x.a": "", "lib/x.so": "", "kept/file": ""})
    (tree / "lib/link.a").symlink_to("../kept")
    (tmp_path / "list").write_text("doc   not needed\nlib/*.a   for linkers\nabsent/*  none\n")
    remove_patterns(tree, tmp_path / "list")
    assert entries(tree) == ["kept", "kept/file", "lib", "lib/x.so"]


def test_only_listed_entries_of_a_folder_are_kept(tmp_path):
    tree = tmp_path / "tree"
    write_files(tree, {"units/a.service": "", "units/b.service": "", "units/b.d/conf": "",
                       "units/c.wants/x": "", "rules/1": "", "free/y": ""})
    (tmp_path / "list").write_text("[units]\na.service  the log\nb.d  its settings\n[rules]\n1  x\n")
    keep_only(tree, tmp_path / "list")
    assert entries(tree) == ["free", "free/y", "rules", "rules/1", "units", "units/a.service",
                             "units/b.d", "units/b.d/conf"]


def test_missing_listed_entry_is_refused(tmp_path):
    tree = tmp_path / "tree"
    write_files(tree, {"units/a.service": ""})
    (tmp_path / "only.list").write_text("[units]\nz.service  x\nb.service  x\na.service  x\n")
    with pytest.raises(BuildError, match="^missing-entry: only.list: units .*b.service, z.service$"):
        keep_only(tree, tmp_path / "only.list")


def test_set_id_bits_are_removed_from_all_programs(tmp_path):
    for name, mode in (("su", 0o4755), ("wall", 0o2755), ("both", 0o6711), ("plain", 0o644)):
        (tmp_path / name).write_text("")
        os.chmod(tmp_path / name, mode)
    (tmp_path / "folder").mkdir()
    os.chmod(tmp_path / "folder", 0o2775)
    clear_set_id_bits(tmp_path)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"su": 0o755, "wall": 0o755, "both": 0o711, "plain": 0o644, "folder": 0o2775}


def test_prune_applies_both_lists_and_the_modes(tmp_path):
    tree = tmp_path / "tree"
    write_files(tree, {"doc/a": "", "units/a": "", "units/b": "", "bin/su": ""})
    os.chmod(tree / "bin/su", 0o4755)
    write_files(tmp_path, {"prune.list": "doc  x\n", "only.list": "[units]\na  x\n"})
    prune(tree, tmp_path)
    assert entries(tree) == ["bin", "bin/su", "units", "units/a"]
    assert stat.S_IMODE((tree / "bin/su").stat().st_mode) == 0o755

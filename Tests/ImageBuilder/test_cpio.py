"""The archive of the initrd, read again after it is written."""

import shutil
import subprocess

import pytest

from imagebuilder.cpio import cpio
from project import write_files

EPOCH = 1795219200


@pytest.fixture
def tree(tmp_path):
    tree = tmp_path / "tree"
    # Names and contents of all lengths modulo four, because entries are padded to four bytes.
    write_files(tree, {"init": "#!", "modules/a.ko": "four", "modules/bc.ko": "three" * 5,
                       "modules.root": "", "x" * 97: "y" * 4097})
    (tree / "init").chmod(0o700)
    (tree / "modules.root").chmod(0o600)
    (tree / "dev").mkdir()
    return tree


def entries_of(archive):
    """The entries as (name, fields, content), parsed according to the kernel's
    buffer-format.rst."""
    names = ("inode mode user group links time size device_major device_minor special_major "
             "special_minor length_of_name checksum").split()
    at = 0
    while True:
        assert archive[at : at + 6] == b"070701"
        fields = {name: int(archive[at + 6 + 8 * n : at + 14 + 8 * n], 16)
                  for n, name in enumerate(names)}
        start = at + 110
        end = start + fields["length_of_name"]
        assert archive[end - 1] == 0
        data = end + -end % 4
        at = data + fields["size"]
        at += -at % 4
        name = archive[start : end - 1].decode()
        if name == "TRAILER!!!":
            assert at == len(archive)
            return
        yield name, fields, archive[data : data + fields["size"]]


def test_archive_has_all_files_and_folders_sorted(tree):
    entries = list(entries_of(cpio(tree, EPOCH)))
    assert {name: content for name, _, content in entries} == {
        "dev": b"", "init": b"#!", "modules": b"", "modules.root": b"", "modules/a.ko": b"four",
        "modules/bc.ko": b"three" * 5, "x" * 97: b"y" * 4097,
    }
    names = [name for name, _, _ in entries]
    # A folder comes before its contents, because the kernel does not create missing folders.
    assert names == ["dev", "init", "modules", "modules/a.ko", "modules/bc.ko", "modules.root",
                     "x" * 97]


def test_owners_modes_and_times_are_independent_of_the_host(tree):
    fields = {name: found for name, found, _ in entries_of(cpio(tree, EPOCH))}
    modes = {name: oct(found["mode"]) for name, found in fields.items()}
    assert modes["init"] == "0o100755"
    assert modes["modules.root"] == modes["modules/a.ko"] == "0o100644"
    assert modes["dev"] == "0o40755"
    assert {(found["user"], found["group"], found["time"]) for found in fields.values()} == {
        (0, 0, EPOCH)
    }
    assert len({found["inode"] for found in fields.values()}) == len(fields)


def test_copy_of_the_tree_gives_the_same_archive(tree, tmp_path):
    shutil.copytree(tree, tmp_path / "copy")
    assert cpio(tmp_path / "copy", EPOCH) == cpio(tree, EPOCH)


def test_archive_can_be_unpacked_by_cpio(tree, tmp_path):
    target = tmp_path / "unpacked"
    target.mkdir()
    subprocess.run(["cpio", "-idm", "--quiet"], input=cpio(tree, EPOCH), cwd=target, check=True)
    unpacked = {str(path.relative_to(target)): path for path in target.rglob("*")}
    assert sorted(unpacked) == sorted(str(path.relative_to(tree)) for path in tree.rglob("*"))
    for name, path in unpacked.items():
        if path.is_file():
            assert path.read_bytes() == (tree / name).read_bytes()
            assert path.stat().st_mtime == EPOCH
    assert unpacked["init"].stat().st_mode & 0o777 == 0o755

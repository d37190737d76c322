"""Tests stamps and keys. A stamp contains the key of a result: a hash of everything that the result
depends on. The key determines when a result is made again."""

import pytest

from imagebuilder.stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/file").write_text("content")
    (folder / "link").symlink_to("sub/file")
    return folder


def test_hash_of_equal_inputs_is_equal(folder):
    assert hash_of(folder, "text", 3) == hash_of(folder, "text", 3)
    assert len(hash_of(folder)) == 64


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "sub/file").write_text("Content"),
        lambda folder: (folder / "sub/file").chmod(0o755),
        lambda folder: (folder / "sub/file").rename(folder / "sub/other"),
        lambda folder: (folder / "new").mkdir(),
        lambda folder: ((folder / "link").unlink(), (folder / "link").symlink_to("sub")),
    ],
    ids=["content", "mode", "name", "new folder", "target of a link"],
)
def test_hash_of_a_folder_changes_with_each_part_of_it(folder, change):
    before = hash_of(folder)
    change(folder)
    assert hash_of(folder) != before


def test_hash_of_different_values_is_different():
    keys = {hash_of("1"), hash_of(1), hash_of("1", "2"), hash_of("2", "1"), hash_of(["1"])}
    assert len(keys) == 5


def test_hash_of_a_path_depends_only_on_its_content(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("same")
    assert hash_of(tmp_path / "a") == hash_of(tmp_path / "b")
    assert hash_of(tmp_path / "a") != hash_of("same")


def test_result_is_up_to_date_only_for_its_key(tmp_path):
    result = tmp_path / "result"
    result.write_text("made")
    assert not up_to_date(result, "key")
    write_stamp(result, "key")
    assert up_to_date(result, "key")
    assert key_of(result) == "key"
    assert not up_to_date(result, "other")


def test_removed_result_is_out_of_date(tmp_path):
    result = tmp_path / "result"
    write_stamp(result, "key")
    assert not up_to_date(result, "key")


def test_result_without_a_stamp_is_out_of_date(tmp_path):
    result = tmp_path / "result"
    result.mkdir()
    write_stamp(result, "key")
    remove_stamp(result)
    assert not up_to_date(result, "key")
    remove_stamp(result)  # no error if there is no stamp

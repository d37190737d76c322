"""Tests how programs are run, how files are copied, and the report of the largest folders."""

import os
import subprocess
import sys

import pytest

from conftest import PROJECT
from imagebuilder.commands import BuildError, run
from imagebuilder.files import MIB, copy_program, empty_file, empty_folder
from imagebuilder.report import largest
from project import write_files


def test_run_returns_standard_output_and_standard_error():
    assert run("sh", "-c", "echo one; echo two >&2") == "one\ntwo\n"


def test_run_gives_the_program_no_input():
    code = "from imagebuilder.commands import run; print(repr(run('cat')))"
    shown = subprocess.run([sys.executable, "-B", "-c", code], input="typed", text=True,
                           capture_output=True, cwd=PROJECT / "board")
    assert shown.stdout == "''\n"


def test_failed_program_raises_an_error_with_the_end_of_its_output():
    with pytest.raises(BuildError) as refusal:
        run("/bin/sh", "-c", "seq 100; exit 3")
    first, *lines = str(refusal.value).splitlines()
    assert refusal.value.code == "program-failed"
    assert "sh" in first and first.endswith(" 3")
    assert lines == [str(number) for number in range(71, 101)]


def test_copied_program_replaces_a_hard_link_and_is_executable(tmp_path):
    write_files(tmp_path, {"new": "new", "original": "old"})
    os.link(tmp_path / "original", tmp_path / "place")
    copy_program(tmp_path / "new", tmp_path / "place")
    assert (tmp_path / "place").read_text() == "new"
    assert (tmp_path / "original").read_text() == "old"
    assert (tmp_path / "place").stat().st_mode & 0o777 == 0o755


def test_empty_file_and_folder_replace_existing_entries(tmp_path):
    write_files(tmp_path, {"folder/a/b": "x", "file": "longer than nothing"})
    assert list(empty_folder(tmp_path / "folder").iterdir()) == []
    file = empty_file(tmp_path / "file", 3)
    assert file.stat().st_size == 3 * MIB
    assert file.read_bytes().strip(b"\0") == b""


def test_report_names_the_largest_folders_first(tmp_path):
    write_files(tmp_path, {"usr/lib/small/x": "1", "usr/lib/large/x": "12345", "usr/share/s/x": "123"})
    (tmp_path / "usr/lib/link").symlink_to("large")
    found = [(size, str(path.relative_to(tmp_path))) for size, path in largest(tmp_path)]
    assert found == [
        (6, "usr/lib"), (5, "usr/lib/large"), (3, "usr/share/s"), (3, "usr/share"),
        (1, "usr/lib/small"),
    ]

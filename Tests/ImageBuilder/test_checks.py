"""Tests the checks of the libraries and of the accounts in the image. The ELF files in these tests are real."""

import pytest

from imagebuilder.checks import check_accounts, check_libraries, programs
from imagebuilder.commands import BuildError
from project import make_library, make_module, make_program, write_files


def test_programs_are_the_elf_files_without_modules_and_links(tmp_path):
    program = make_program(tmp_path / "program")
    library = make_library(tmp_path, "libanswer.so.1")
    make_module(tmp_path / "module.ko")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    (tmp_path / "link").symlink_to("program")
    assert sorted(programs(tmp_path)) == sorted([program, library])


def test_program_with_all_libraries_is_accepted(tmp_path):
    folder = tmp_path / "tree/usr/lib"
    folder.mkdir(parents=True)
    library = make_library(folder, "libanswer.so.1")
    check_libraries(tmp_path / "tree", [make_program(tmp_path / "program", library)])


def test_missing_library_is_refused_with_the_program_that_needs_it(tmp_path):
    present, absent = (make_library(tmp_path, f"lib{name}.so.1") for name in ("present", "absent"))
    program = make_program(tmp_path / "program", present, absent)
    absent.unlink()
    with pytest.raises(BuildError) as refusal:
        check_libraries(tmp_path, [program])
    assert refusal.value.code == "missing-library"
    assert str(refusal.value).splitlines()[1:] == ["  program needs libabsent.so.1"]


def accounts(tree, passwd, group="root:x:0:\n"):
    write_files(tree, {"etc/passwd": passwd, "etc/group": group})
    check_accounts(tree)


def test_accounts_with_unique_names_and_numbers_are_accepted(tmp_path):
    accounts(tmp_path, "root:x:0:0\nconsole:x:801:801\n", "root:x:0:\nconsole:x:801:\n")


@pytest.mark.parametrize(
    ("passwd", "group", "message"),
    [
        ("a:x:1:1\nb:x:1:2\n", "", "^duplicate-account: etc/passwd .* 1$"),
        ("a:x:1:1\na:x:2:2\n", "", "^duplicate-account: etc/passwd .* a$"),
        ("a:x:1:1\n", "a:x:5:\nb:x:5:\n", "^duplicate-account: etc/group .* 5$"),
    ],
)
def test_accounts_that_share_a_name_or_a_number_are_refused(tmp_path, passwd, group, message):
    with pytest.raises(BuildError, match=message):
        accounts(tmp_path, passwd, group)

"""Tests how apps get into an image."""

import os
from pathlib import Path

import pytest

from imagebuilder.apps import apps_in, copy_app
from imagebuilder.commands import BuildError
from project import write_files

GROUPS = "root:x:0:\nautoharp:x:800:console,screen\n"
USERS = "root:x:0:0:root:/root:/bin/sh\nscreen:x:803:803:the screen:/:/usr/sbin/nologin\n"
PROGRAM = "ExecStart=/usr/lib/autoharp-apps/radio/radio --loud\n"
APP = {"radio.app": "user = radio-app\nname = Radio\n", "radio.service": "[Service]\nUser=radio-app\n",
       "radio": "program", "data/list": "text"}


@pytest.fixture
def tree(tmp_path):
    write_files(tmp_path / "tree", {"etc/passwd": USERS, "etc/group": GROUPS, "usr/lib/systemd/system/late.target": ""})
    return tmp_path / "tree"


def code_of(folder, tree):
    with pytest.raises(BuildError) as error:
        copy_app(folder, tree)
    return error.value.code


def test_app_has_its_files_its_unit_and_its_user(tmp_path, tree):
    folder = tmp_path / "radio"
    write_files(folder, APP)
    (folder / "radio").chmod(0o700)
    base = tmp_path / "passwd"
    os.link(tree / "etc/passwd", base)
    copy_app(folder, tree)
    assert (tree / "usr/share/autoharp/apps/radio.app").read_text() == APP["radio.app"]
    assert (tree / "usr/lib/autoharp-apps/radio/radio").stat().st_mode & 0o777 == 0o755
    assert (tree / "usr/lib/autoharp-apps/radio/data/list").read_text() == "text"
    unit = tree / "usr/lib/systemd/system/late.target.wants/radio.service"
    assert unit.read_text() == APP["radio.service"]
    user = (tree / "etc/passwd").read_text().splitlines()[-1].split(":")
    assert user[0] == "radio-app" and user[2] == user[3] and 30_000 <= int(user[2]) < 60_000
    groups = (tree / "etc/group").read_text().splitlines()
    assert groups == ["root:x:0:", "autoharp:x:800:console,screen,radio-app", f"radio-app:x:{user[2]}:"]
    assert base.read_text() == USERS


@pytest.mark.parametrize("change, code", [
    ({"radio.service": None}, "app-unit"),
    ({"radio.service": "[Service]\nUser=root\n"}, "app-user"),
    ({"radio.service": "[Service]\n"}, "app-user"),
    ({"radio.app": "name = Radio\n"}, "app-user"),
    ({"radio.app": "user = screen\nname = Radio\n", "radio.service": "[Service]\nUser=screen\n"}, "app-user"),
    ({"radio.app": "user = a/b\nname = Radio\n", "radio.service": "[Service]\nUser=a/b\n"}, "app-user"),
    ({"other.app": "user = other\nname = Other\n"}, "app-files"),
    ({"radio.app": None, "Radio.app": "user = radio-app\n"}, "app-id"),
])
def test_incomplete_app_is_refused(tmp_path, tree, change, code):
    files = {name: text for name, text in (APP | change).items() if text is not None}
    write_files(tmp_path / "radio", files)
    assert code_of(tmp_path / "radio", tree) == code


def test_program_of_the_unit_must_be_executable(tmp_path, tree):
    folder = tmp_path / "radio"
    write_files(folder, APP | {"radio.service": APP["radio.service"] + PROGRAM})
    assert code_of(folder, tree) == "app-program"
    (tree / "usr/lib/systemd/system/radio.service").unlink()
    (tree / "usr/share/autoharp/apps/radio.app").unlink()
    write_files(tree, {"etc/passwd": USERS, "etc/group": GROUPS})
    (folder / "radio").chmod(0o755)
    copy_app(folder, tree)


def test_library_of_a_program_must_be_in_the_image(tmp_path, tree):
    folder = tmp_path / "radio"
    write_files(folder, APP)
    (folder / "radio").write_bytes(Path("/bin/sh").read_bytes())
    assert code_of(folder, tree) == "missing-library"


def test_app_that_is_in_the_image_is_refused(tmp_path, tree):
    write_files(tmp_path / "radio", APP)
    copy_app(tmp_path / "radio", tree)
    assert code_of(tmp_path / "radio", tree) == "app-exists"


def test_folder_is_one_app_or_has_folders_of_apps(tmp_path):
    write_files(tmp_path / "radio", APP)
    (tmp_path / "notes").mkdir()
    assert apps_in(tmp_path / "radio") == [tmp_path / "radio"]
    assert apps_in(tmp_path) == [tmp_path / "radio"]
    for folder in (tmp_path / "notes", tmp_path / "missing"):
        with pytest.raises(BuildError) as error:
            apps_in(folder)
        assert error.value.code == "no-apps"

"""Tests which steps run, in which order, and which other steps each step needs. In these tests a
step does no work and only records that it ran."""

import subprocess
import sys

import pytest

from conftest import PROJECT
from imagebuilder import commandline, steps
from imagebuilder.commands import BuildError
from imagebuilder.runner import STEPS, list_of_steps, run_all, run_step
from imagebuilder.steps import Build

# The name of the function that does the work of each step.
WORK = {
    "lock": "read_lock", "fetch": "fetch", "kernel": "make_kernel", "modules": "build_modules",
    "base": "make_base",
    "sysroot": "make_sysroot", "products": "build_products", "bluez": "build_bluez",
    "helpers": "make_helpers", "testprograms": "build_test_programs", "initrd": "make_initrd",
    "data": "make_data", "root": "make_root", "source": "publish_source", "esp": "make_esp",
    "disk": "make_disk", "report": "report", "packed": "pack_disk",
}


class Result:
    """A result of a step. It has only the attributes that other steps use."""

    image = "image"

    def __iter__(self):
        return iter(())


@pytest.fixture
def ran(monkeypatch):
    """The names of the steps that ran, in their order."""
    names = []

    def note(name):
        return lambda *arguments, **options: names.append(name) or Result()

    for name, function in WORK.items():
        monkeypatch.setattr(steps, function, note(name))
    monkeypatch.setattr(steps, "check_source", lambda lock: None)
    return names


def test_every_step_has_a_help_text_of_one_line():
    assert set(STEPS) == set(WORK)
    for name, text in STEPS.items():
        assert text, name
        assert len(text) < 90, name


def test_readme_has_the_steps_in_their_order():
    lines = (PROJECT / "board/imagebuilder/README.md").read_text().splitlines()
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    assert [row[1].strip(" `") for row in rows] == list(STEPS)
    for row in rows:
        for module in row[3].split(","):
            assert (PROJECT / "board/imagebuilder" / module.strip(" `")).exists()


def test_all_steps_run_once_in_the_listed_order(board, ran):
    run_all(Build(board))
    assert ran == [name for name in STEPS if name != "testprograms"]


def test_programs_for_tests_are_built_only_on_request(board, ran):
    run_all(Build(board), with_test_programs=True)
    assert ran == list(STEPS)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("lock", ""),
        ("fetch", "lock"),
        ("kernel", "lock fetch"),
        ("modules", "lock fetch"),
        ("base", "lock fetch kernel modules"),
        ("sysroot", "lock fetch"),
        ("products", "lock fetch sysroot"),
        ("bluez", "lock fetch sysroot"),
        ("helpers", "lock fetch sysroot"),
        ("testprograms", "lock fetch sysroot"),
        ("initrd", "lock fetch kernel modules base sysroot"),
        ("data", "lock"),
        ("root", "lock fetch kernel modules base sysroot products bluez helpers data"),
        ("source", "lock fetch modules"),
        ("esp", "lock fetch kernel modules base sysroot initrd"),
    ],
)
def test_one_step_runs_after_exactly_the_steps_that_it_needs(board, ran, name, needed):
    run_step(Build(board), name)
    assert ran[-1] == name
    assert sorted(ran[:-1]) == sorted(needed.split())
    place = {step: number for number, step in enumerate(STEPS)}
    assert all(place[step] < place[name] for step in ran[:-1])


def test_result_of_a_step_is_passed_to_the_steps_that_need_it(board, ran, monkeypatch):
    monkeypatch.setattr(steps, "make_base", lambda *_: "the base")
    monkeypatch.setattr(steps, "make_initrd", lambda board, lock, base, sysroot: base)
    assert Build(board).initrd == "the base"


def test_failed_step_stops_the_following_steps(board, ran, monkeypatch):
    def fail(*arguments):
        raise BuildError("no-space", "the disk is full")

    monkeypatch.setattr(steps, "make_base", fail)
    with pytest.raises(BuildError, match="^no-space: "):
        run_all(Build(board))
    assert ran == ["lock", "fetch", "kernel", "modules"]


def test_unknown_step_is_refused_with_the_list_of_steps(board, ran):
    with pytest.raises(BuildError) as refusal:
        run_step(Build(board), "rot")
    first, *listed = str(refusal.value).splitlines()
    assert refusal.value.code == "unknown-step" and "'rot'" in first
    assert [line.split()[0] for line in listed] == list(STEPS)
    assert ran == []


def test_attribute_of_a_build_is_refused_as_a_step(board):
    with pytest.raises(BuildError, match="^unknown-step: 'board'"):
        run_step(Build(board), "board")


# --- the command line -----------------------------------------------------------------------


def build_image(*arguments):
    return subprocess.run([sys.executable, "-B", PROJECT / "board/build-image", *arguments],
                          capture_output=True, text=True)


def test_help_lists_the_steps_with_a_line_each():
    shown = build_image("--help")
    assert shown.returncode == 0
    for name, text in STEPS.items():
        assert f"  {name:9} {text}\n" in shown.stdout


def test_unknown_step_fails_with_the_list_of_steps():
    shown = build_image("--step", "rot")
    assert shown.returncode == 1
    assert shown.stderr.startswith("build-image: unknown-step: 'rot'")
    assert shown.stderr.endswith(f"\n{list_of_steps()}\n")
    assert shown.stdout == ""


def test_unknown_board_fails_with_the_list_of_boards():
    shown = build_image("nonsense")
    assert shown.returncode == 1
    assert shown.stderr.startswith("build-image: unknown-board: 'nonsense'")
    assert shown.stderr.endswith(" qemu-arm64, qemu-x86_64, raspberrypi\n")


def test_step_and_lock_exclude_each_other():
    assert build_image("--step", "root", "--lock").returncode == 2


def test_options_reach_the_build(board, monkeypatch, tmp_path):
    seen = {}
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(commandline, "Board", lambda name, **options: seen.update(
        options, name=name) or board)
    monkeypatch.setattr(commandline, "run_step", lambda build, name: seen.update(
        build=build, step=name))
    commandline.main(["small", "--step", "root", "--realtime", "--data-size", "99", "--overlay", "a",
                      "--overlay", "b", "--output", "c.img", "--swift", "/opt/swift"])
    build = seen.pop("build")
    assert seen == {"name": "small", "step": "root", "realtime": True, "data_size": 99}
    overlays = [tmp_path / "rootfs-overlay", "a", "b"]
    assert [str(path) for path in build.overlays] == [str(path) for path in overlays]
    assert (str(build.output), build.swift) == ("c.img", "/opt/swift")


def test_make_image_passes_the_step_to_the_build():
    def last_command(*arguments):
        return subprocess.run(["make", "-n", "-C", PROJECT, "image", *arguments], check=True,
                              capture_output=True, text=True).stdout.split("board/build-image ")[1]

    assert last_command("STEP=root").split("\n")[0].split()[-2:] == ["--step", "root"]
    assert "--step" not in last_command()

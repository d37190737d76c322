"""Tests `board/boot`: the window and the sound of QEMU with and without a desktop, and the simulated stick. A script
replaces QEMU and stores its arguments."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from xserver import PROJECT

MTOOLS = {**os.environ, "MTOOLS_SKIP_CHECK": "1", "LC_ALL": "C.UTF-8"}


@pytest.fixture
def boot(tmp_path):
    """A function that runs board/boot in a project with an empty image for each board. It returns the name of QEMU's
    program and the arguments."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for board, program in (("qemu-x86_64", "qemu-system-x86_64"), ("qemu-arm64", "qemu-system-aarch64")):
        image = tmp_path / "build" / "image" / board
        image.mkdir(parents=True)
        for name in ("autoharp.img", "vmlinux", "initrd"):
            (image / name).write_bytes(b"")
        (image / "cmdline").write_text(f"console={board}\n")
        qemu = programs / program
        qemu.write_text(f'#!/bin/sh\nprintf "%s\\n" "${{0##*/}}" "$@" >{tmp_path}/arguments\n')
        qemu.chmod(0o755)
    shutil.copytree(PROJECT / "board", tmp_path / "board")

    def boot(*words: object, **environment: str) -> list[str]:
        fixed = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": "/", "AUTOHARP_ACCEL": "tcg"}
        fixed["AUTOHARP_APPEND"] = "debug"
        subprocess.run([tmp_path / "board" / "boot", *map(str, words)], env={**fixed, **environment}, check=True,
                       stderr=subprocess.PIPE, text=True)
        return (tmp_path / "arguments").read_text().splitlines()
    return boot


def value(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1]


def test_without_a_desktop_qemu_opens_no_window_and_is_silent(boot):
    arguments = boot()
    assert value(arguments, "-display") == "none"
    assert value(arguments, "-audiodev") == "none,id=sound"
    assert not any("stick" in word for word in arguments)


def test_desktop_has_a_window_and_the_sound_of_its_server(boot, tmp_path):
    (tmp_path / "pulse").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "pulse" / "native"))
        arguments = boot(DISPLAY=":0", XDG_RUNTIME_DIR=str(tmp_path))
    assert value(arguments, "-display") == "sdl"
    assert value(arguments, "-audiodev") == "pa,id=sound"


def test_variables_have_priority(boot):
    arguments = boot(WAYLAND_DISPLAY="wayland-0", AUTOHARP_DISPLAY="none", AUTOHARP_AUDIO="wav,path=x.wav")
    assert value(arguments, "-display") == "none"
    assert value(arguments, "-audiodev") == "wav,path=x.wav,id=sound"


def test_stick_has_the_files_of_the_folder_and_is_made_again_after_a_change(boot, tmp_path):
    music = tmp_path / "My music"
    album = music / "ليلى" / "夜の駅"
    album.mkdir(parents=True)
    (album / "01 Ночь.flac").write_bytes(b"one")
    arguments = boot("qemu-x86_64", music)
    assert "usb-storage,drive=stick" in arguments
    stick = tmp_path / "build" / "image" / "qemu-x86_64" / "stick.img"
    assert read(stick, "ليلى/夜の駅/01 Ночь.flac") == b"one"
    made = stick.stat().st_mtime_ns
    boot("qemu-x86_64", music)
    assert stick.stat().st_mtime_ns == made
    (album / "02 День.flac").write_bytes(b"two")
    boot("qemu-x86_64", music)
    assert read(stick, "ليلى/夜の駅/02 День.flac") == b"two"


def read(stick: Path, name: str) -> bytes:
    done = subprocess.run(["mcopy", "-i", stick, f"::/{name}", "-"], stdout=subprocess.PIPE, env=MTOOLS, check=True)
    return done.stdout


def test_board_decides_the_emulator_and_what_the_kernel_needs_in_it(boot):
    arguments = boot()
    assert arguments[0] == "qemu-system-x86_64"
    assert (value(arguments, "-M"), value(arguments, "-cpu")) == ("q35", "max")
    assert value(arguments, "-append") == "console=qemu-x86_64 clearcpuid=cx16 debug"
    arguments = boot(AUTOHARP_ACCEL="kvm")
    assert (value(arguments, "-cpu"), value(arguments, "-append")) == ("host", "console=qemu-x86_64 debug")
    arguments = boot("qemu-arm64")
    assert arguments[0] == "qemu-system-aarch64"
    assert (value(arguments, "-M"), value(arguments, "-cpu")) == ("virt", "cortex-a72")
    assert value(arguments, "-append") == "console=qemu-arm64 debug"


def test_board_without_an_image_is_refused_with_the_command_that_builds_it(boot, tmp_path):
    (tmp_path / "build/image/qemu-arm64/autoharp.img").unlink()
    with pytest.raises(subprocess.CalledProcessError) as refusal:
        boot("qemu-arm64")
    assert "no-image: " in refusal.value.stderr and "make image BOARD=qemu-arm64" in refusal.value.stderr


def test_folder_without_files_is_refused(boot, tmp_path):
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "missing"):
        with pytest.raises(subprocess.CalledProcessError):
            boot("qemu-x86_64", folder)
    assert not (tmp_path / "arguments").exists()

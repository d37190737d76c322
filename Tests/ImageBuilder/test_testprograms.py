"""Tests how the programs that only the system tests need are built."""

from imagebuilder import testprograms
from imagebuilder.lock import Lock
from imagebuilder.sysroot import Sysroot
from imagebuilder.testprograms import build_sanitized_bluez
from project import write_files


def test_bluetoothd_with_the_sanitizer_is_built_only_if_the_compiler_has_the_sanitizer(
    board, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(testprograms, "build_bluez", lambda *_, with_sanitizer: tmp_path / "asan")
    sysroot = Sysroot(tmp_path, tmp_path, tmp_path / "usr")
    runtime = "usr/lib/clang/21/lib/linux/libclang_rt.asan-{}.a"
    write_files(tmp_path, {runtime.format("aarch64"): ""})
    assert build_sanitized_bluez(board, Lock([], 0), sysroot) == []
    assert "bluetoothd-asan: left out" in capsys.readouterr().out
    write_files(tmp_path, {runtime.format("x86_64"): ""})
    assert build_sanitized_bluez(board, Lock([], 0), sysroot) == [tmp_path / "asan"]

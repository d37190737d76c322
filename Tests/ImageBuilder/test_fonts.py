"""The font cache. A script replaces the dynamic loader (ld.so) that runs the image's fc-cache."""

import platform
import shutil

import pytest

from imagebuilder.commands import BuildError
from imagebuilder.fonts import make_font_cache
from imagebuilder.foreign import runner_for
from project import write_files

EPOCH = 1795219200


def tree_with(tmp_path, loader, mode=0o755):
    write_files(tmp_path, {"usr/lib64/ld-linux-x86-64.so.2": loader, "usr/share/fonts/a/b.ttf": ""})
    (tmp_path / "usr/lib/x86_64-linux-gnu").mkdir(parents=True)
    (tmp_path / "usr/lib64/ld-linux-x86-64.so.2").chmod(mode)
    return tmp_path


def test_fc_cache_of_the_image_runs_with_its_libraries_and_a_fixed_time(tmp_path):
    script = f'#!/bin/sh\necho "$@" "$SOURCE_DATE_EPOCH" >{tmp_path}/var/cache/fontconfig/x.cache-9\n'
    tree = tree_with(tmp_path, script)
    make_font_cache(tree, EPOCH, [])
    assert (tree / "var/cache/fontconfig/x.cache-9").read_text().split() == [
        "--library-path", f"{tree}/usr/lib/x86_64-linux-gnu", f"{tree}/usr/bin/fc-cache",
        "--force", "--system-only", "--sysroot", str(tree), str(EPOCH),
    ]
    # The font folders have the same time as in the image, because fontconfig compares it with the time in the cache.
    assert (tree / "usr/share/fonts/a").stat().st_mtime == EPOCH


def test_fc_cache_of_another_processor_runs_in_an_emulator(tmp_path):
    tree = tree_with(tmp_path, b"\x7fELF of another machine")
    emulator = tmp_path / "emulator"
    emulator.write_text(f'#!/bin/sh\necho "$1" >{tree}/var/cache/fontconfig/x.cache-9\n')
    emulator.chmod(0o755)
    make_font_cache(tree, EPOCH, [str(emulator)])
    loader = f"{tree}/usr/lib64/ld-linux-x86-64.so.2"
    assert (tree / "var/cache/fontconfig/x.cache-9").read_text().strip() == loader


def test_image_has_no_font_cache_if_its_programs_cannot_run_here(tmp_path, capsys):
    make_font_cache(tree_with(tmp_path, b"\x7fELF of another machine"), EPOCH, None)
    assert list((tmp_path / "var/cache/fontconfig").iterdir()) == []
    assert "qemu-user-static" in capsys.readouterr().out


def test_emulator_is_used_only_for_another_processor(board, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: board.processor)
    assert runner_for(board) == []
    monkeypatch.setattr(platform, "machine", lambda: "another")
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert runner_for(board) == ["/bin/qemu-x86_64-static"]
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/q" if name == "qemu-x86_64" else None)
    assert runner_for(board) == ["/bin/q"]
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert runner_for(board) is None


def test_fc_cache_that_writes_nothing_is_refused(tmp_path):
    with pytest.raises(BuildError, match="(?s)^no-font-cache: .*no fonts"):
        make_font_cache(tree_with(tmp_path, "#!/bin/sh\necho no fonts\n"), EPOCH, [])

"""Step products: one call of `swift build` makes all programs."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

from imagebuilder import products


def test_one_call_of_swift_build_makes_all_programs(tmp_path: Path, monkeypatch):
    calls: list[dict[str, str]] = []
    board = SimpleNamespace(name="small", project=tmp_path, triple="triple", architecture="amd64", shared=tmp_path)
    sysroot = SimpleNamespace(pkg_config_path="/sysroot", sdks=tmp_path, toolchain=tmp_path)

    def run(*command, env=None):
        if command[1] == "build":
            calls.append(env)
            release = tmp_path / ".build-small/triple/release"
            release.mkdir(parents=True)
            for name in env["AUTOHARP_ONLY"].split():
                (release / name).write_text(name)
        else:
            Path(command[-1]).write_bytes(Path(command[-2]).read_bytes())

    monkeypatch.setattr(products, "run", run)
    made = products.build_products(board, sysroot, "swift")
    assert len(calls) == 1
    assert [path.read_text() for path in made] == list(products.PRODUCTS)
    assert calls[0]["PKG_CONFIG_LIBDIR"] == "/sysroot" and "AUTOHARP_ONLY" not in os.environ

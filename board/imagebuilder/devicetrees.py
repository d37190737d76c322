"""Makes the device trees of a board: the trees of the kernel's package, with the overlays of board/NAME/overlays.

    always/     merged into each tree. But a file such as bcm2711-messages.dts is merged only into the trees whose names
                begin with bcm2711-, if the board has such trees
    variants/   one further set of all trees for each file, in a folder with the name of the file
    optional/   compiled, but not merged: the firmware merges the overlays that its configuration names
"""

from __future__ import annotations

from pathlib import Path

from .board import Board
from .commands import BuildError, run

# The firmware of a Raspberry Pi uses the folder `overlays` of a slot only if this folder contains a file `README`.
# Otherwise the firmware searches for a folder `overlays` beside config.txt.
README = "The firmware uses the overlays of this folder only if this file is here.\n"


def make_devicetrees(board: Board, kernel: Path, target: Path) -> None:
    """Writes the trees into a folder. `kernel` is the unpacked package of the kernel. Raises BuildError if the kernel
    lacks a tree, or if an overlay does not fit."""
    names = board.settings["devicetrees"].split()
    always, variants = (compile_overlays(board, kind, board.work / "overlays" / kind)
                        for kind in ("always", "variants"))
    for name in names:
        trees = list(kernel.glob(f"usr/lib/linux-image-*/*/{name}.dtb"))
        if not trees:
            raise BuildError("no-devicetree", f"the kernel has no device tree {name}")
        own = [overlay for overlay in always if fits(overlay.stem, name, names)]
        merge(trees[0], own, target / f"{name}.dtb")
        for variant in variants:
            merge(trees[0], [*own, variant], target / variant.stem / f"{name}.dtb")
    if compile_overlays(board, "optional", target / "overlays"):
        (target / "overlays/README").write_text(README)


def compile_overlays(board: Board, kind: str, target: Path) -> list[Path]:
    """Compiles the overlays of one folder. Returns the results."""
    sources = sorted((board.folder / "overlays" / kind).glob("*.dts"))
    if sources:
        target.mkdir(parents=True, exist_ok=True)
    compiled = [target / f"{source.stem}.dtbo" for source in sources]
    for source, output in zip(sources, compiled):
        compile_overlay(source, output)
    return compiled


def compile_overlay(source: Path, output: Path) -> None:
    """Compiles one overlay. dtc prints no warnings (-q), because many of its checks need the whole tree."""
    run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", output, source)


def fits(overlay: str, tree: str, trees: list[str]) -> bool:
    """True if an overlay of `always` belongs to a tree."""
    beginning = overlay.split("-")[0]
    is_for_some = any(name.startswith(f"{beginning}-") for name in trees)
    return not is_for_some or tree.startswith(f"{beginning}-")


def merge(tree: Path, overlays: list[Path], output: Path) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    run("fdtoverlay", "-i", tree, "-o", output, *overlays)

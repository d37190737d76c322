"""Draws the results of the benchmarks as PNG files. Without matplotlib, nothing is drawn."""

from __future__ import annotations

from pathlib import Path

from report import log

try:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot
except ImportError:
    matplotlib = None

# One colour for each player. The colours differ in brightness, so they can be told apart in a
# black-and-white print.
COLOURS = ("#00429d", "#4771b2", "#73a2c6", "#f4777f", "#93003a", "#ffb000", "#777777")
SETTINGS = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def folder_beside(page: Path) -> Path:
    """The folder for the pictures of this page."""
    folder = page.parent / "pictures"
    folder.mkdir(exist_ok=True)
    return folder


def _begin(rows: int, height: float):
    pyplot.rcParams.update(SETTINGS)
    return pyplot.subplots(rows, 1, figsize=(8, height), squeeze=False, layout="constrained")


def _save(figure, path: Path) -> None:
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    log(f"drawn: {path}")


def _can_draw() -> bool:
    if matplotlib is None:
        log("matplotlib is missing, so nothing is drawn")
    return matplotlib is not None


def histograms(path: Path, title: str, unit: str, values: dict[str, list[float]]) -> None:
    """One histogram for each name, one below the other, on one logarithmic axis."""
    values = {name: found for name, found in values.items() if found}
    if not values or not _can_draw():
        return
    figure, axes = _begin(len(values), 0.8 + 0.75 * len(values))
    least = max(0.1, min(min(found) for found in values.values()))
    most = max(max(found) for found in values.values())
    steps = 90
    edges = [least * (most / least) ** (step / steps) for step in range(steps + 1)]
    for row, (name, found) in enumerate(values.items()):
        axis = axes[row][0]
        axis.hist([max(least, value) for value in found], edges, color=COLOURS[row % len(COLOURS)])
        axis.set_xscale("log")
        axis.set_xlim(least, most * 1.05)
        axis.set_yticks([])
        axis.set_title(f"{name} ({len(found)})", loc="left", fontsize=9, pad=2)
        axis.xaxis.set_major_formatter("{x:g}")
        if row + 1 < len(values):
            axis.tick_params(labelbottom=False)
    axes[-1][0].set_xlabel(unit)
    figure.suptitle(title, fontsize=10)
    _save(figure, path)


def levels(
    path: Path, title: str, points: dict[str, list[tuple[float, float]]], marks: list[tuple[float, float]]
) -> None:
    """The level of a buffer over time for each name: seconds and milliseconds. `marks` lists when all
    threads were stopped: begin and end in seconds."""
    points = {name: found for name, found in points.items() if found}
    if not points or not _can_draw():
        return
    figure, axes = _begin(len(points), 0.8 + 1.2 * len(points))
    last = min(found[-1][0] for found in points.values())
    for row, (name, found) in enumerate(points.items()):
        axis = axes[row][0]
        axis.plot(*zip(*found), color=COLOURS[row % len(COLOURS)], linewidth=0.8)
        for begin, end in marks:
            axis.axvspan(begin, end, color="#cccccc")
        axis.set_ylim(bottom=0)
        axis.set_xlim(0, last)
        axis.set_ylabel("ms")
        axis.set_title(name, loc="left", fontsize=9, pad=2)
        if row + 1 < len(points):
            axis.tick_params(labelbottom=False)
    axes[-1][0].set_xlabel("s")
    figure.suptitle(title, fontsize=10)
    _save(figure, path)


def bars(path: Path, title: str, unit: str, groups: dict[str, dict[str, float]]) -> None:
    """One group of bars for each name."""
    if not groups or not _can_draw():
        return
    names = list(next(iter(groups.values())))
    figure, axes = _begin(1, 0.8 + 0.17 * len(groups) * (len(names) + 1))
    axis = axes[0][0]
    ticks = []
    for group, (what, found) in enumerate(groups.items()):
        base = group * (len(names) + 1)
        ticks.append((base + (len(names) - 1) / 2, what))
        for index, name in enumerate(names):
            label = name if group == 0 else None
            axis.barh(base + index, found[name], color=COLOURS[index % len(COLOURS)], label=label)
    axis.set_yticks(*zip(*ticks))
    axis.invert_yaxis()
    axis.set_xlabel(unit)
    axis.legend(fontsize=8, frameon=False)
    figure.suptitle(title, fontsize=10)
    _save(figure, path)

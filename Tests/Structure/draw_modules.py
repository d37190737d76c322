"""Draws docs/modules.svg with Graphviz: `make graph`."""

from __future__ import annotations

import subprocess
import sys

from package import PROJECT, edges, shipped

DRAWING = PROJECT / "docs" / "modules.svg"


def graph() -> str:
    """The graph in the language of Graphviz, with one cluster for each folder of Sources/."""
    drawn = shipped()
    lines = [
        "digraph modules {", "  rankdir=TB; ranksep=0.6; nodesep=0.25;",
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=11];',
        '  graph [fontname="sans-serif", fontsize=13, style=filled, color="#eef2f6"];',
        '  edge [color="#5a6b7c", arrowsize=0.7];',
    ]
    for folder in sorted({module.folder for module in drawn.values()}):
        names = sorted(name for name, module in drawn.items() if module.folder == folder)
        lines += [f'  subgraph "cluster_{folder}" {{', f'    label="{folder}";',
                  *(f'    "{name}";' for name in names), "  }"]
    lines += [f'  "{user}" -> "{used}";' for user, used in sorted(edges(drawn))]
    return "\n".join([*lines, "}", ""])


def main() -> None:
    try:
        done = subprocess.run(["dot", "-Tsvg"], input=graph().encode(), stdout=subprocess.PIPE, check=True)
    except FileNotFoundError:
        sys.exit("Graphviz is missing. Install it: apt-get install graphviz")
    DRAWING.write_bytes(done.stdout)
    print(f"{DRAWING.relative_to(PROJECT)}: {len(shipped())} modules, {len(edges(shipped()))} dependencies")


if __name__ == "__main__":
    main()

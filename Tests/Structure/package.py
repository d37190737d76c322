"""The modules in Package.swift: folders and dependencies."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Module:
    name: str
    # `root` is "Sources" or "Tests", and `folder` is the folder below it.
    root: str
    folder: str
    kind: str
    uses: frozenset[str]


@cache
def modules() -> dict[str, Module]:
    """All targets of the package, by name."""
    command = [*os.environ.get("SWIFT", "swift").split(), "package", "describe", "--type", "json"]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    found = {}
    for target in json.loads(done.stdout)["targets"]:
        found[target["name"]] = Module(
            target["name"], *target["path"].split("/")[:2], target["type"],
            frozenset(target.get("target_dependencies", [])))
    return found


def sources() -> list[Module]:
    """The modules and C libraries of Sources/."""
    return [module for module in modules().values() if module.root == "Sources"]


def used_by_folder(folder: str) -> dict[str, set[str]]:
    """The modules in other folders of Sources/ that the modules of `folder` use, keyed by the other folder."""
    used: dict[str, set[str]] = {}
    for name in frozenset().union(*(module.uses for module in sources() if module.folder == folder)):
        used.setdefault(modules()[name].folder, set()).add(name)
    used.pop(folder, None)
    return used


@cache
def library_packages() -> set[str]:
    """The Debian packages of the C libraries."""
    command = [*os.environ.get("SWIFT", "swift").split(), "package", "dump-package"]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    return {package for target in json.loads(done.stdout)["targets"]
            for provider in target.get("providers") or []
            for names in provider.values() for package in sum(names, [])}


def shipped() -> dict[str, Module]:
    """The modules in the drawing: the modules of Sources/, without C libraries and TestKit."""
    return {name: module for name, module in modules().items()
            if module.root == "Sources" and module.folder not in ("CLibraries", "TestKit")}


def edges(of: dict[str, Module]) -> set[tuple[str, str]]:
    """Pairs of a module and a module that it uses. If A uses B and B uses C, the pair of A and C is
    omitted."""
    direct = {name: module.uses & of.keys() for name, module in of.items()}

    @cache
    def below(name: str) -> frozenset[str]:
        return direct[name].union(*(below(used) for used in direct[name]))

    return {(name, used) for name in direct for used in direct[name]
            if not any(used in below(other) for other in direct[name])}

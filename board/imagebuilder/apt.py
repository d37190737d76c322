"""Runs apt with its own index and settings, independent of the index and settings of the host."""

from __future__ import annotations

import os
from pathlib import Path

from .board import Board
from .commands import progress, run
from .lists import names_in

KEY = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"


class Apt:
    """Runs apt as if only the packages under [without] of packages.list were installed. So apt does
    not choose these packages.

    apt uses the proxy settings of the host, but not the sources and the installed packages of the
    host. With `unstable`, apt has a separate index of Debian unstable only. So no package of Debian
    unstable can get into the image. With `tools_for`, the packages are for the processor of this
    machine, whose architecture in Debian is `tools_for`. A package with the suffix `:ARCHITECTURE`
    is for the processor of the board.
    """

    def __init__(
        self, board: Board, unstable: bool = False, tools_for: str | None = None
    ) -> None:
        self.release = "unstable" if unstable else "13"
        architectures = [tools_for or board.architecture]
        if tools_for:
            architectures.append(board.architecture)
        components = board.settings.get("components", "main")
        name = [*architectures, *(["unstable"] if unstable else components.split()[1:])]
        self.folder = board.build / "apt" / "-".join(name)
        (self.folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        lists = unstable_list() if unstable else sources_list(components)
        (self.folder / "sources.list").write_text(lists)
        without = names_in(board.common / "packages.list", "without")
        (self.folder / "status").write_text(status_of(without, architectures[0]))
        (self.folder / "apt.conf").write_text(configuration(self.folder, architectures))

    def run(self, command: str, *arguments, **options) -> str:
        """Runs a program of apt. Raises BuildError if the program fails."""
        environment = dict(os.environ, APT_CONFIG=str(self.folder / "apt.conf"), LC_ALL="C")
        return run(command, *arguments, env=environment, **options)

    def update(self) -> None:
        progress(f"apt: reading the index of Debian {self.release}")
        self.run("apt-get", "--quiet", "update")

    def resolve(self, part: str, packages: list[str]) -> list[str]:
        """Returns these packages and all packages that they depend on, as lines of packages.lock."""
        found = []
        for line in self.run("apt-get", "-qq", "--simulate", "install", *packages).splitlines():
            if line.startswith("Inst "):
                found.append(f"{line.split()[1]}={line.split()[2].lstrip('(')}")
        return self.describe(part, found) if found else []

    def describe(self, part: str, packages: list[str]) -> list[str]:
        """Returns exactly these packages, as lines of packages.lock. A package is NAME or
        NAME=VERSION."""
        lines = []
        about = self.run("apt-cache", "show", *packages)
        for paragraph in about.split("\n\n"):
            field = dict(
                line.split(": ", 1)
                for line in paragraph.splitlines()
                if ": " in line and not line.startswith(" ")
            )
            if field:
                lines.append(
                    f"{part} {field['Package']} {field['Version']} {field['Architecture']} "
                    f"{field['SHA256']} {field['Size']}"
                )
        return sorted(set(lines))


def mirror_of_debian() -> str:
    return os.environ.get("AUTOHARP_MIRROR", "http://deb.debian.org/debian").rstrip("/")


def unstable_list() -> str:
    return f"deb [{KEY}] {mirror_of_debian()} unstable main\n"


def sources_list(components: str = "main") -> str:
    mirror = mirror_of_debian()
    security = os.environ.get("AUTOHARP_MIRROR_SECURITY", mirror + "-security")
    return "".join(
        f"{kind} [{KEY}] {mirror} trixie {components}\n"
        f"{kind} [{KEY}] {mirror} trixie-updates {components}\n"
        f"{kind} [{KEY}] {security} trixie-security {components}\n"
        for kind in ("deb", "deb-src")
    )


def status_of(without: list[str], architecture: str) -> str:
    """The text of a dpkg status file in which these packages are installed, so that apt does not
    choose them."""
    return "".join(
        f"Package: {name}\nStatus: install ok installed\nVersion: 9999\n"
        f"Architecture: {architecture}\nMulti-Arch: foreign\n"
        # base-files depends on an awk, and busybox has an awk.
        + ("Provides: awk\n" if name == "mawk" else "")
        + "Maintainer: Autoharp\nDescription: left out\n\n"
        for name in without
    )


def configuration(folder: Path, architectures: list[str]) -> str:
    """The settings of apt. A package without a suffix has the first architecture."""
    listed = " ".join(f'"{architecture}";' for architecture in architectures)
    return (
        f'APT::Architecture "{architectures[0]}";\n'
        f"APT::Architectures {{ {listed} }};\n"
        f'Dir::State "{folder}";\n'
        f'Dir::State::status "{folder}/status";\n'
        f'Dir::Cache "{folder}";\n'
        f'Dir::Etc::sourcelist "{folder}/sources.list";\n'
        'Dir::Etc::sourceparts "-";\n'
        'APT::Install-Recommends "false";\n'
        'APT::Sandbox::User "";\n'
        'Acquire::Languages "none";\n'
    )

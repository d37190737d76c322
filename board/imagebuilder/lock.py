"""Reads packages.lock: the Debian packages of the image, with version, size and SHA-256."""

from __future__ import annotations

import datetime
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from .board import Board
from .commands import BuildError


@dataclass(frozen=True)
class LockedPackage:
    """One line of packages.lock: a Debian package, or one file of a source package."""

    # The use of the package: image, sysroot, boot, firmware, kernel, kernel-rt, peer, modules, swift or source.
    part: str
    name: str
    version: str
    architecture: str  # in a line of the part "source": the name of the file
    sha256: str
    size: int  # bytes

    @classmethod
    def parse(cls, line: str) -> LockedPackage:
        """Reads a line of a lock. Raises ValueError if the line is not valid."""
        part, name, version, architecture, sha256, size = line.split()
        if not re.fullmatch("[0-9a-f]{64}", sha256):
            raise ValueError(f"'{sha256}' is not a SHA-256")
        return cls(part, name, version, architecture, sha256, int(size))

    def __str__(self) -> str:
        return (
            f"{self.part} {self.name} {self.version} {self.architecture} {self.sha256} {self.size}"
        )

    @property
    def exact_name(self) -> str:
        """The name with the architecture, for apt."""
        if self.part == "source" or self.architecture == "all":
            return self.name
        return f"{self.name}:{self.architecture}"

    @property
    def file(self) -> str:
        """The name that apt gives to the file."""
        if self.part == "source":
            return self.architecture
        return f"{self.name}_{self.version.replace(':', '%3a')}_{self.architecture}.deb"

    def matches(self, path: Path) -> bool:
        """True if the file exists and is the file that the lock names."""
        return (
            path.exists()
            and path.stat().st_size == self.size
            and hashlib.sha256(path.read_bytes()).hexdigest() == self.sha256
        )


@dataclass(frozen=True)
class Lock:
    packages: list[LockedPackage]
    epoch: int  # Unix time of the day of the lock, used as the date of all files of the image

    def of(self, *parts: str) -> list[LockedPackage]:
        """The packages of these parts, in the order of the lock."""
        return [package for package in self.packages if package.part in parts]


def read_lock(board: Board, path: Path | None = None) -> Lock:
    """Reads the lock of a board, or the lock at `path`. Raises BuildError if the lock is missing or
    damaged."""
    path = path or board.lock
    if not path.exists():
        raise BuildError("no-lock", f"{path} is missing. `make image-lock` makes it.")
    packages, epoch = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            if line.startswith("# resolved "):
                day = datetime.date.fromisoformat(line.split()[-1])
                epoch = (day - datetime.date(1970, 1, 1)).days * 24 * 3600
            elif line and not line.startswith("#"):
                packages.append(LockedPackage.parse(line))
        except ValueError as error:
            raise BuildError(
                "lock-damaged",
                f"{path}, line {number}: {error}. `make image-lock` renews it.",
            )
    if epoch is None:
        raise BuildError(
            "lock-without-date",
            f"{path} has no line '# resolved DATE'. `make image-lock` renews it.",
        )
    return Lock(packages, epoch)

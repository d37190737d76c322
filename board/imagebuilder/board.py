"""The settings of a board, and the folders of its results."""

from __future__ import annotations

import configparser
import uuid
from pathlib import Path

from .commands import BuildError
from .lists import read_list

PROJECT = Path(__file__).resolve().parents[2]

# A slot is a partition for root and a folder of the boot partition with the kernel and the initrd. The build fills
# the first slot only.
SLOTS = ("a", "b")

# Arguments that are added to the kernel's command line of each board. With `gpt`, the kernel uses the second partition
# table at the end of the disk if the first table is damaged. A power cut while grow-data writes the first table can
# damage it.
COMMON_ARGUMENTS = ("gpt",)


class Board:
    """The settings of board/NAME/, the variant to build, and the folders of the results.

    `realtime` selects the variant with the PREEMPT_RT kernel. If the only kernel of a board is a
    PREEMPT_RT kernel, board.conf has no `kernel-rt`, and there is no variant. `data_size` is the
    size of /data in MiB; it replaces the size in board.conf. Raises BuildError if there is no such
    board.
    """

    def __init__(
        self,
        name: str,
        *,
        realtime: bool = False,
        data_size: int | None = None,
        project: Path = PROJECT,
    ) -> None:
        self.name = name
        self.project = project
        self.common = project / "board"  # the files that all boards share
        self.folder = self.common / name
        if not (self.folder / "board.conf").exists():
            known = ", ".join(sorted(path.parent.name for path in self.common.glob("*/board.conf")))
            raise BuildError("unknown-board", f"'{name}'. The boards are: {known}")
        configuration = configparser.ConfigParser()
        configuration.read(self.folder / "board.conf")
        self.settings = configuration["board"]
        self.architecture = self.settings["architecture"]  # Debian's name
        self.triple = self.settings["triple"]
        self.processor = self.triple.split("-")[0]  # the name in Swift, QEMU and the kernel
        # The section of the emulator (see board/emulator). None if board.conf has no such section.
        self.qemu = dict(configuration["qemu"]) if "qemu" in configuration else None
        self.sizes = {part: int(size) for part, size in configuration["partitions"].items()}  # MiB
        if data_size:
            self.sizes["data"] = data_size
        # The parts of packages.lock that contain a kernel.
        self.kernel_parts = [part for part in ("kernel", "kernel-rt") if part in self.settings]
        # True if UEFI loads the kernel. Otherwise the board has its own firmware, whose files are on the boot
        # partition.
        self.has_uefi = "efi-loader" in self.settings
        self.realtime = realtime and "kernel-rt" in self.kernel_parts
        self.kernel_part = "kernel-rt" if self.realtime else "kernel"
        self.lock = self.folder / "packages.lock"
        self.modules = self.folder / "modules.list"
        self.build = project / "build" / "image"
        self.debs = self.build / "debs"
        self.sources = self.build / "sources"
        # The results that do not depend on the kernel. Both variants use them.
        self.shared = self.build / name
        self.work = self.build / (name + ("-rt" if self.realtime else ""))

    def make_folders(self) -> None:
        for folder in (self.debs, self.sources, self.shared, self.work):
            folder.mkdir(parents=True, exist_ok=True)

    def command_line(self) -> str:
        """The command line of the kernel of the first slot."""
        arguments = [name for _, name, _ in read_list(self.folder / "cmdline")]
        return " ".join([*arguments, *COMMON_ARGUMENTS, f"autoharp.slot={SLOTS[0]}"])

    def identity(self, what: str) -> str:
        """A UUID for a part of the image. It is derived from names, so that the same sources give
        the same bytes."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"autoharp/{self.name}/{what}")).upper()

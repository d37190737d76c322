"""The steps of the build, in the order in which they run, and the results that each step needs."""

from __future__ import annotations

import functools
from pathlib import Path

from .base import make_base
from .testprograms import build_test_programs
from .bluez import build_bluez
from .bluez_source import check_source
from .board import Board
from .data import make_data
from .disk import make_disk
from .esp import make_esp
from .fetch import fetch
from .helpers import make_helpers
from .initrd import make_initrd
from .kernel import Kernel, make_kernel
from .lock import Lock, read_lock
from .modules import build_modules
from .packed import pack_disk
from .products import build_products
from .publish import publish_source
from .report import report
from .root import make_root
from .sysroot import Sysroot, make_sysroot


class step(functools.cached_property):
    """A step of the build: a property of Build. The step runs when the property is read for the
    first time."""


class Build:
    """One build of the image of a board. A step returns its result, and other steps read this
    result.

    If a step reads the result of another step, the other step runs first. Each step runs at most
    once, and does no work if its result is up to date. The first line of a step's docstring is the
    help text of the step.
    """

    def __init__(
        self,
        board: Board,
        swift: str = "swift",
        overlays: list[Path] | None = None,
        output: Path | None = None,
        locked: bool = False,
        apps: list[Path] | None = None,
    ) -> None:
        """`swift` is the compiler. `overlays` are further overlays, which are copied after
        rootfs-overlay/. `output` is the path of the image; the default is autoharp.img in the
        folder of the results. With `locked`, a version that Debian has replaced is an error.
        `apps` are the folders of apps (apps_in)."""
        self.board = board
        self.swift = swift
        self.overlays = [board.project / "rootfs-overlay", *(overlays or [])]
        self.output = output
        self.locked = locked
        self.apps = apps or []

    @step
    def lock(self) -> Lock:
        """read packages.lock: the packages and their versions (--lock renews it)"""
        lock = read_lock(self.board)
        check_source(lock)
        return lock

    @step
    def fetch(self) -> Lock:
        """download the packages of packages.lock into a cache, and check their hashes"""
        return fetch(self.board, self.lock, self.locked)

    @step
    def kernel(self) -> Kernel:
        """unpack the package of the kernel"""
        return make_kernel(self.board, self.fetch)

    @step
    def modules(self) -> list[Path]:
        """compile modules that Debian's kernel leaves out and the board needs"""
        return build_modules(self.board, self.fetch)

    @step
    def base(self) -> Path:
        """unpack and prune the packages of the image, with the modules of the kernel"""
        return make_base(self.board, self.fetch, self.kernel, self.modules)

    @step
    def sysroot(self) -> Sysroot:
        """unpack the libraries and headers that the programs are compiled with"""
        return make_sysroot(self.board, self.fetch, self.swift)

    @step
    def products(self) -> list[Path]:
        """compile the Swift programs"""
        return build_products(self.board, self.sysroot, self.swift)

    @step
    def bluez(self) -> Path:
        """compile bluetoothd from Debian's source package with the patches of board/bluez"""
        return build_bluez(self.board, self.fetch, self.sysroot)

    @step
    def helpers(self) -> list[Path]:
        """compile the programs of board/helpers, which run as root"""
        return make_helpers(self.board, self.sysroot)

    @step
    def testprograms(self) -> list[Path]:
        """make the programs of the system tests (only with --test-programs or by name)"""
        return build_test_programs(self.board, self.fetch, self.sysroot, self.swift)

    @step
    def initrd(self) -> Path:
        """compile the first program of the boot, and pack it with the modules that it loads"""
        return make_initrd(self.board, self.lock, self.base, self.sysroot)

    @step
    def data(self) -> Path:
        """make an empty file system for /data"""
        return make_data(self.board, self.lock)

    @step
    def root(self) -> Path:
        """pack base, overlays and programs as one squashfs"""
        return make_root(
            self.board, self.fetch, self.base, self.products, self.bluez, self.helpers, self.data,
            self.overlays, self.apps,
        )

    @step
    def source(self) -> Path:
        """copy the sources of what was built under the GPL beside the image, as the GPL requires"""
        return publish_source(self.board, self.fetch, self.modules)

    @step
    def esp(self) -> Path:
        """make the boot partition: boot loader, kernel and initrd"""
        return make_esp(self.board, self.fetch, self.kernel, self.initrd)

    @step
    def disk(self) -> Path:
        """write the boot partition, root and /data to the image, which has a GPT"""
        return make_disk(self.board, self.esp, self.root, self.data, self.output)

    @step
    def report(self) -> None:
        """print the sizes of the parts"""
        report(
            self.board, self.base, self.root, self.initrd, self.kernel.image,
            [*self.products, self.bluez], self.disk,
        )

    @step
    def packed(self) -> Path | None:
        """compress the image, and say how to write it to an SD card (boards that start from one)"""
        return pack_disk(self.board, self.disk)

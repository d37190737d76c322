"""Step root: packs the base, the overlays and the programs into one squashfs."""

from __future__ import annotations

import shutil
from pathlib import Path

from .apps import copy_app
from .board import Board
from .checks import check_accounts, check_libraries
from .commands import BuildError, progress, run
from .data import superblocks_of
from .files import MIB, copy_program
from .fonts import make_font_cache
from .foreign import runner_for
from .limits import write_limits
from .lists import names_in
from .lock import Lock
from .overlay import copy_overlay
from .stamps import hash_of, key_of, remove_stamp, up_to_date, write_stamp
from .versions import versions_text

FOLDERS = ("dev", "proc", "sys", "run", "tmp", "data", "media", "root", "var/tmp")
UNITS = "usr/lib/systemd/system"
MANAGER = "etc/systemd/system.conf.d"
FACTS = "usr/share/autoharp"
BLUETOOTHD = "usr/libexec/bluetooth/bluetoothd"


def make_root(
    board: Board,
    lock: Lock,
    base: Path,
    binaries: list[Path],
    bluetoothd: Path,
    helpers: list[Path],
    data: Path,
    overlays: list[Path],
    apps: list[Path],
) -> Path:
    """Returns the squashfs. Raises BuildError if the squashfs is larger than its partition."""
    root = board.work / "root.squashfs"
    facts = {
        "versions": versions_text(board, lock, binaries),
        "data-superblocks": superblocks_of(data),
    }
    settings = (board.folder / "board.conf").read_text() + "3"
    limits = board.common / "limits.list"
    runner = runner_for(board)
    own = [*binaries, bluetoothd, *helpers]
    key = hash_of(
        key_of(base), *own, facts["data-superblocks"], facts["versions"], settings, limits,
        *overlays, *apps, lock.epoch, runner is None,
    )
    if up_to_date(root, key):
        return root
    progress("root: base, overlay and programs")
    check_libraries(base, own)
    tree = board.work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    run("cp", "--archive", "--link", base, tree)
    for overlay in overlays:
        copy_overlay(overlay, tree)
    for app in apps:
        copy_app(app, tree)
    check_accounts(tree)
    write_limits(limits, tree / UNITS)
    install_programs(tree, binaries, bluetoothd, helpers)
    enable_units(board, tree)
    write_watchdog(board, tree)
    write_facts(board, tree, facts)
    for folder in FOLDERS:
        (tree / folder).mkdir(parents=True, exist_ok=True)
    make_font_cache(tree, lock.epoch, runner)
    progress("root: packing")
    remove_stamp(root)
    pack(tree, root, lock.epoch, board.sizes["root"])
    write_stamp(root, key)
    return root


def install_programs(
    tree: Path, binaries: list[Path], bluetoothd: Path, helpers: list[Path]
) -> None:
    """Copies the programs into the tree. Our bluetoothd replaces Debian's bluetoothd at BLUETOOTHD,
    the path in the unit file. Raises BuildError if there is no bluetoothd at this path."""
    for binary in binaries:
        copy_program(binary, tree / "usr/bin" / binary.name)
    for helper in helpers:
        copy_program(helper, tree / "usr/lib/autoharp" / helper.name)
    place = tree / BLUETOOTHD
    if not place.exists():
        raise BuildError("no-bluetoothd", f"the package bluez has no {BLUETOOTHD} to replace")
    copy_program(bluetoothd, place)


def enable_units(board: Board, tree: Path) -> None:
    """Enables the systemd units whose instance depends on the board: the console, and Bluetooth on
    a serial line."""
    wants = tree / UNITS / "autoharp.target.wants"
    wants.mkdir()
    console = f"autoharp-console@{board.settings['console']}.service"
    (wants / console).symlink_to("../autoharp-console@.service")
    if line := board.settings.get("bluetooth-line"):
        enable_controller(tree / UNITS, *line.split())


def enable_controller(units: Path, port: str, protocol: str, speed: str) -> None:
    """Enables the unit that attaches a Bluetooth controller on a serial line. late.target starts
    this unit when the daemon plays."""
    unit = f"btattach@{port}.service"
    wants = units / "late.target.wants"
    wants.mkdir()
    (wants / unit).symlink_to("../btattach@.service")
    settings = units / f"{unit}.d" / "board.conf"
    settings.parent.mkdir()
    settings.write_text(f"[Service]\nEnvironment=PROTOCOL={protocol} SPEED={speed}\n")


def write_watchdog(board: Board, tree: Path) -> None:
    """Sets the time of the hardware watchdog, if board.conf contains a time for a watchdog that
    cannot count to 20 s."""
    if seconds := board.settings.get("watchdog"):
        # systemd reads board.conf after autoharp.conf, so this setting overrides the setting in
        # autoharp.conf.
        settings = tree / MANAGER / "board.conf"
        settings.write_text(f"[Manager]\nRuntimeWatchdogSec={seconds}s\n")


def write_facts(board: Board, tree: Path, facts: dict[str, str]) -> None:
    """Writes the files from which the programs of the image read facts about the image."""
    folder = tree / FACTS
    folder.mkdir(parents=True, exist_ok=True)
    modules = {
        f"modules-{section}": " ".join(names_in(board.modules, section)) + "\n"
        for section in ("display", "late")
    }
    for name, text in (facts | modules).items():
        (folder / name).write_text(text)


def pack(tree: Path, root: Path, epoch: int, limit: int) -> None:
    """Makes a squashfs of at most `limit` MiB. All its files belong to root and have the time
    `epoch`."""
    temporary = root.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    run(
        *("mksquashfs", tree, temporary, "-noappend", "-no-progress", "-quiet", "-all-root"),
        *("-comp", "zstd", "-Xcompression-level", "8", "-b", "256K"),
        *("-mkfs-time", epoch, "-all-time", epoch, "-no-xattrs"),
        *("-p", "etc/shadow m 0600 0 0", "-p", "root m 0700 0 0", "-p", "/ m 0755 0 0"),
    )
    size = temporary.stat().st_size / MIB
    if size > limit:
        raise BuildError(
            "root-too-large", f"root has {size:.1f} MiB, its partition has {limit} MiB"
        )
    temporary.rename(root)

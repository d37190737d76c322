"""Adds apps to an image: programs that are sources of Now Playing. docs/sources.md describes the folders."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from .checks import check_libraries, programs
from .commands import BuildError
from .overlay import copy_file

PROGRAMS = "usr/lib/autoharp-apps"
FILES = "usr/share/autoharp/apps"
UNITS = "usr/lib/systemd/system"
WANTS = f"{UNITS}/late.target.wants"
# A path of an app in its unit. systemd permits some signs before the path.
STARTED = re.compile(rf"ExecStart=[-@:+!|]*/({PROGRAMS}/\S+).*")
STATIC = "\nAn app is linked statically, or has these libraries in its folder: docs/sources.md"


def apps_in(folder: Path) -> list[Path]:
    """The folders of the apps: `folder` itself, or the folders in it. Raises BuildError if there is none."""
    if not folder.is_dir():
        raise BuildError("no-apps", f"{folder} is not a folder")
    if any(folder.glob("*.app")):
        return [folder]
    found = sorted(path for path in folder.iterdir() if path.is_dir() and any(path.glob("*.app")))
    if not found:
        raise BuildError("no-apps", f"neither {folder} nor a folder in it has a file ID.app")
    return found


def copy_app(folder: Path, tree: Path) -> None:
    """Copies one app: its file ID.app, its unit ID.service, which late.target starts, and all other files to
    usr/lib/autoharp-apps/ID. Adds its user, who may use the control socket. Raises BuildError if a part is missing or
    is in the image already, or if its programs cannot be started."""
    files = sorted(folder.glob("*.app"))
    if len(files) != 1:
        raise BuildError("app-files", f"{folder} has {len(files)} files ID.app; an app has one")
    app = files[0].stem
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", app):
        raise BuildError("app-id", f"'{app}' is not 1 to 32 small letters, digits and '-', with a letter first")
    unit = folder / f"{app}.service"
    if not unit.is_file():
        raise BuildError("app-unit", f"{folder} has no {unit.name}")
    for path in (f"{FILES}/{app}.app", f"{UNITS}/{unit.name}"):
        if (tree / path).exists():
            raise BuildError("app-exists", f"the image has {path} already")
    user = value(files[0], r"user\s*=\s*(\S+)\s*")
    if value(unit, r"User=(\S+)\s*") != user:
        raise BuildError("app-user", f"{unit.name} must run as the user of {files[0].name}: User={user}")
    add_user(user, app, tree)
    copy_file(files[0], tree / FILES / files[0].name)
    copy_file(unit, tree / UNITS / unit.name)
    for path in sorted(folder.rglob("*")):
        if path not in (files[0], unit) and not path.is_dir():
            copy_file(path, tree / PROGRAMS / app / path.relative_to(folder))
    check_programs(unit, app, tree)
    (tree / WANTS).mkdir(exist_ok=True)
    (tree / WANTS / unit.name).symlink_to(f"../{unit.name}")


def check_programs(unit: Path, app: str, tree: Path) -> None:
    """Raises BuildError if the program of the unit is missing or is not executable, or if a program of the app needs a
    library that the tree does not have."""
    for line in unit.read_text().splitlines():
        if (match := STARTED.fullmatch(line)) and not (tree / match[1]).is_symlink():
            program = tree / match[1]
            if not program.is_file() or not program.stat().st_mode & 0o100:
                raise BuildError("app-program", f"{unit.name} starts /{match[1]}, which is no executable file of the app")
    check_libraries(tree, programs(tree / PROGRAMS / app), STATIC)


def value(file: Path, pattern: str) -> str:
    """The value of the only line that matches. Raises BuildError if there is no such line."""
    found = [match[1] for line in file.read_text().splitlines() if (match := re.fullmatch(pattern, line))]
    if len(found) != 1:
        raise BuildError("app-user", f"{file} does not name one user")
    return found[0]


def add_user(user: str, app: str, tree: Path) -> None:
    """Adds the user and the group of an app. The number follows from the name, so that files on /data keep their owner
    if other apps are added. Raises BuildError if the image has the user or the number."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,31}", user):
        raise BuildError("app-user", f"'{user}' is not a name of a user")
    number = 30_000 + zlib.crc32(user.encode()) % 30_000
    passwd, group = tree / "etc/passwd", tree / "etc/group"
    accounts = [line.split(":") for line in (passwd.read_text() + group.read_text()).splitlines()]
    if any(account[0] == user or account[2] == str(number) for account in accounts):
        raise BuildError("app-user", f"the image has the user or group {user} ({number}) already")
    rewrite(passwd, [*passwd.read_text().splitlines(), f"{user}:x:{number}:{number}:the app {app}:/:/usr/sbin/nologin"])
    # The group autoharp may connect to the control socket.
    lines = [member(line, "autoharp", user) for line in group.read_text().splitlines()]
    rewrite(group, [*lines, f"{user}:x:{number}:"])


def member(line: str, group: str, user: str) -> str:
    name, *_, members = line.split(":")
    return line if name != group else line + ("," if members else "") + user


def rewrite(file: Path, lines: list[str]) -> None:
    # The file can be a hard link to the file in base, which must not change.
    file.unlink()
    file.write_text("\n".join(lines) + "\n")

"""What every step of the build of an image needs: saying what it does, running commands, reading
lists, and knowing whether a result is still up to date."""

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BOARDS = PROJECT / "board"
MIB = 1 << 20


class Refused(Exception):
    """What is wrong and what to do about it, for the person who called."""


started = time.monotonic()


def say(text):
    print(f"{time.monotonic() - started:6.1f} s  {text}", flush=True)


def run(*command, **options):
    """Runs a command; what it said is shown only if it failed, so that the progress can be read."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=options.pop("stderr", subprocess.STDOUT),
        text=True,
        **options,
    )
    if done.returncode != 0:
        tail = "\n".join((done.stdout or "").splitlines()[-30:])
        raise Refused(f"{Path(command[0]).name} failed ({done.returncode}):\n{tail}")
    return done.stdout


def entries(path):
    """The lines of a list: (section, name, reason) of each that is neither empty nor a comment."""
    section = None
    for line in path.read_text().splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            yield section, name, reason.strip()


def names(path, wanted):
    return [name for section, name, _ in entries(path) if section == wanted]


def hash_of(*inputs):
    """One hash over texts, files and folders: names, modes and contents."""
    digest = hashlib.sha256()
    for item in inputs:
        if not isinstance(item, Path):
            digest.update(repr(item).encode())
            continue
        for path in [item] if item.is_file() else sorted(item.rglob("*")):
            digest.update(f"{path.relative_to(item)} {path.lstat().st_mode}".encode())
            if path.is_symlink():
                digest.update(os.readlink(path).encode())
            elif path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def up_to_date(result, key):
    stamp = result.with_name(result.name + ".made-from")
    return result.exists() and stamp.exists() and stamp.read_text() == key


def made(result, key):
    result.with_name(result.name + ".made-from").write_text(key)


def empty_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def is_whole(path, package):
    """Whether a file is the one that a line of packages.lock names."""
    return (
        path.exists()
        and path.stat().st_size == int(package.size)
        and hashlib.sha256(path.read_bytes()).hexdigest() == package.sha256
    )

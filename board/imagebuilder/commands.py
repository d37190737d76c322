"""Runs other programs, prints the progress, and defines the error of the build."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

started = time.monotonic()


class BuildError(Exception):
    """The build cannot continue. The code identifies the kind of error and stays the same in all
    versions. The text says what is wrong and what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


def progress(text: str) -> None:
    """Prints one line with the seconds since the start."""
    print(f"{time.monotonic() - started:6.1f} s  {text}", flush=True)


def run(*command, **options) -> str:
    """Runs a program and returns its output, including standard error.

    Does not print the output, so that the progress stays readable. If the exit status is not 0,
    raises BuildError with the last 30 lines of the output. `options` are options of subprocess.run.
    """
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
        raise BuildError(
            "program-failed", f"{Path(command[0]).name}: exit status {done.returncode}\n{tail}"
        )
    return done.stdout

"""Runs the steps of a build: all, or one by its name."""

from __future__ import annotations

from .commands import BuildError
from .steps import Build, step

# Name → help text, in the order in which the steps run.
STEPS = {
    name: value.func.__doc__.splitlines()[0]
    for name, value in vars(Build).items()
    if isinstance(value, step)
}


def list_of_steps() -> str:
    """The steps with their help texts. Each line has one step."""
    return "\n".join(f"  {name:9} {text}" for name, text in STEPS.items())


def check_name(name: str) -> None:
    """Raises BuildError if there is no step of this name."""
    if name not in STEPS:
        raise BuildError("unknown-step", f"'{name}'. The steps are:\n{list_of_steps()}")


def run_step(build: Build, name: str) -> None:
    """Runs one step, and the steps that it needs. Raises BuildError if there is no such step."""
    check_name(name)
    getattr(build, name)


def run_all(build: Build, with_test_programs: bool = False) -> None:
    """Runs all steps in their order. The step `testprograms` runs only if `with_test_programs` is
    true."""
    for name in STEPS:
        if name != "testprograms" or with_test_programs:
            run_step(build, name)

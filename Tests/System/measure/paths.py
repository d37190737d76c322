"""Adds the folders of Tests/System/support to the path of a program. Each program of this folder imports this module
first."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(folder) for folder in (Path(__file__).resolve().parents[1] / "support").iterdir()]

"""The command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def start(*args: object, **options: Any) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MOSAIC_")}
    command = [sys.executable, str(ROOT / "cli.py"), *map(str, args)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = {**kept, **options.pop("env", {})}
    return subprocess.Popen(command, text=True, encoding="utf-8", **{"env": env, **pipes, **options})

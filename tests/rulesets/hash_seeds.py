"""Whether a program prints the same however Python orders its sets and hashes its strings."""

import os
import subprocess
import sys
from pathlib import Path

from tests.doses import dose

_ROOT = Path(__file__).parents[2]


def printed_under_other_hash_seeds(program: str) -> set[str]:
    """What the program prints under some hash seeds, in processes of their own: one text if nothing depends on them."""
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=_ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in dose(("1", "2"), ("1", "2", "3"))
    }

"""Whether pictures can be made of drawings here. What makes them is the extra ``pbmd-games[pictures]``; without it maps go as
drawings (SVG), and all words are the same."""

from functools import cache
from importlib.util import find_spec

_PACKAGES = {"PIL": "pillow", "oxipng": "pyoxipng", "resvg_py": "resvg-py", "ttf_opensans": "ttf-opensans"}
"""What is imported, and what it is called where it is installed from."""
TO_MEND = "pip install 'pbmd-games[pictures]'"


@cache
def missing_packages() -> tuple[str, ...]:
    """The packages that are missing for pictures; none if they can be made."""
    return tuple(package for name, package in _PACKAGES.items() if find_spec(name) is None)


def why_not() -> str:
    """Why no pictures can be made here, and how to mend it; empty if they can."""
    missing = missing_packages()
    return f"pictures need {', '.join(missing)}: {TO_MEND}" if missing else ""

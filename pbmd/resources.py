"""Where the folders that are not Python are: `templates`, `deploy` and `docs`.

A wheel contains them inside the package; in a checkout they are beside it.
"""

from importlib.resources import files
from pathlib import Path
from typing import Literal


def folder(name: Literal["templates", "deploy", "docs"]) -> Path:
    """The folder of that name. Raises `FileNotFoundError` when the installation lacks it."""
    package = Path(str(files("pbmd")))
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f'pbmd is not completely installed: it has no folder "{name}"')

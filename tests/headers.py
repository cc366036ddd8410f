"""Letters of one run share the classes of their headers: `email` makes a class anew for each header of each letter."""

from email.headerregistry import HeaderRegistry
from functools import cache
from typing import Any

_made_anew = HeaderRegistry.__getitem__


def share() -> None:
    """Let all letters that are written or read from now on share them."""
    HeaderRegistry.__getitem__ = _shared


def _shared(self: HeaderRegistry, name: str) -> Any:
    return _class_of(self, name.lower())


@cache
def _class_of(registry: HeaderRegistry, name: str) -> Any:
    return _made_anew(registry, name)

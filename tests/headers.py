"""Letters of one run share the classes of their headers, and what came of reading a header: `email` makes a class anew for each
header of each letter, and reads ``Content-Type`` again whenever it is asked what a part is. That was a tenth of what tests of
the desk compute."""

from email.headerregistry import BaseHeader, HeaderRegistry
from functools import cache, lru_cache
from typing import Any

_class_anew, _read_anew = HeaderRegistry.__getitem__, HeaderRegistry.__call__
_USUAL_CHARS = 400
"""A header up to here is of those that come again and again."""


def share() -> None:
    """Let all letters that are written or read from now on share them."""
    HeaderRegistry.__getitem__ = _shared_class
    HeaderRegistry.__call__ = _shared_header


def _shared_class(self: HeaderRegistry, name: str) -> Any:
    return _class_of(self, name.lower())


@cache
def _class_of(registry: HeaderRegistry, name: str) -> Any:
    return _class_anew(registry, name)


def _shared_header(self: HeaderRegistry, name: str, value: Any) -> BaseHeader:
    usual = type(value) is str and len(value) <= _USUAL_CHARS
    return _header_of(self, name, value) if usual else _read_anew(self, name, value)


@lru_cache(maxsize=4096)
def _header_of(registry: HeaderRegistry, name: str, value: str) -> BaseHeader:
    """Headers are read-only, so that one can be that of many letters."""
    return _read_anew(registry, name, value)

"""Canonical JSON (RFC 8785): one byte string for one value, on every machine."""

import json
from typing import Any, cast

import rfc8785

_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_EXACT = 2**53 - 1
"""Beyond this a whole number cannot be written exactly (RFC 8785 appendix B.2.2)."""


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 form. Raises `rfc8785.CanonicalizationError` for what JSON cannot hold or cannot hold exactly."""
    if not _is_plain(value):
        return rfc8785.dumps(value)
    try:
        return _PLAIN.encode(value).encode()
    except UnicodeEncodeError:
        return rfc8785.dumps(value)


def _is_plain(value: Any) -> bool:
    """Whether the standard library, which is many times faster, writes the same: without fractions, and with keys whose
    order is the same by code points as by the UTF-16 units that the RFC asks for."""
    found = [value]
    for item in found:  # grows while it is walked
        kind = type(item)
        if kind is int:
            if not -_EXACT <= item <= _EXACT:
                return False
        elif kind is list or kind is tuple:
            found += item
        elif kind is dict:
            table = cast("dict[Any, Any]", item)
            try:
                if not "".join(table).isascii():
                    return False
            except TypeError:  # a key that is no string
                return False
            found += table.values()
        elif kind is not str and kind is not bool and item is not None:
            return False
    return True

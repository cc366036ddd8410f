"""Canonical JSON (RFC 8785): one byte string for one value, on every machine."""

from typing import Any

import rfc8785


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 form. Raises `rfc8785.CanonicalizationError` for what JSON cannot hold or cannot hold exactly."""
    return rfc8785.dumps(value)

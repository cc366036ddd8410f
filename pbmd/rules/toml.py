"""TOML as people write it: whatever is wrong in it raises one exception."""

import re
import tomllib
from typing import Any

_MOST_DIGITS = 4300
"""Python reads this many digits of a whole number, unless it is told otherwise."""
_TOO_LONG = re.compile(rf"\d[\d_]{{{_MOST_DIGITS},}}")


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a TOML file. Raises `tomllib.TOMLDecodeError`, also where `tomllib` itself fails in other ways."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("Too many brackets within brackets") from None
    except ValueError:
        raise tomllib.TOMLDecodeError(
            f"A number has more than {_MOST_DIGITS} digits{_place_of(_TOO_LONG.search(text))}"
        ) from None


def _place_of(found: re.Match[str] | None) -> str:
    """In the words of `tomllib`."""
    if not found:
        return ""
    before = found.string[: found.start()]
    return f" (at line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))})"

"""Where a setting comes from: a line of pbmd.toml, or an environment variable such as ``PBMD_IMAP__PASSWORD``."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PREFIX, DELIMITER = "PBMD_", "__"


def named(keys: Sequence[str]) -> str:
    """The environment variable that sets the value of these keys, in words."""
    return f"environment variable {PREFIX}{DELIMITER.join(keys).upper()}"


def explained(path: Path, text: str, environment: Mapping[tuple[str, ...], Any], error: Any) -> str:
    """What is wrong with the settings according to a pydantic error, and where."""
    keys = [str(key) for key in error["loc"]]
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        message = "there is no such setting"
    elif error["type"] == "missing":
        message = "this setting is missing"
    place = _variable_of(environment, keys) or place_of(path, text, keys)
    return f"{place}: {'.'.join(keys)}: {message}"


def _variable_of(environment: Mapping[tuple[str, ...], Any], keys: list[str]) -> str:
    """The environment variable that gave the value of these keys; empty if the file did."""
    for length in range(len(keys), 0, -1):
        variable = tuple(keys[:length])
        value = environment.get(variable)
        # A whole table in one variable gives only the keys that are in it.
        if variable in environment and (not isinstance(value, dict) or length == len(keys) or keys[length] in value):
            return named(variable)
    return ""


def place_of(path: Path, text: str, keys: list[str]) -> str:
    """File and line of these keys; without the line if they are not in the file."""
    line = _line_of(text, keys)
    return f"{path}, line {line}" if line else str(path)


def _line_of(text: str, keys: list[str]) -> int | None:
    """The line of a key, or of its table if the key is missing."""
    table, best = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = header[1].strip()
            if keys and table == keys[0] and best is None:
                best = number
        elif assignment := re.match(r"\s*([A-Za-z0-9_.\"-]+)\s*=", line):
            key = assignment[1].strip('"')
            full = [*(table.split(".") if table else []), *key.split(".")]
            if full == keys[: len(full)] and len(full) > (1 if table else 0):
                return number
    return best

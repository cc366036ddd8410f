"""The commented settings file, filled in."""

import json
import re
from collections.abc import Mapping

from pydantic import ValidationError

from pbmd.settings import Server


def filled(text: str, values: Mapping[tuple[str, str], str | int]) -> str:
    """The text of a settings file with values by table and key; the comment sign before a default key is removed. Raises
    `ValueError` that says which is none."""
    _check(values)
    for (table, key), value in values.items():
        text, found = re.subn(
            rf"(^\[{table}\]$(?:\n(?!\[).*)*?\n)#?{key} = .*$",
            lambda match, key=key, value=value: f"{match[1]}{key} = {_quoted(value)}",
            text,
            count=1,
            flags=re.MULTILINE,
        )
        assert found, (table, key)
    return text


def _check(values: Mapping[tuple[str, str], str | int]) -> None:
    server = {key: value for (table, key), value in values.items() if table == "server"}
    if not server:
        return
    try:
        Server.model_validate({"address": "games@example.org", "gm": "gm@example.org", **server})
    except ValidationError as problem:
        first = problem.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}") from None


def _quoted(value: str | int) -> str:
    """A TOML value: its JSON form is one, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

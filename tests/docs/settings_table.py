"""`python -m tests.docs.settings_table`: write the tables of docs/settings.md anew, from the models that read the settings."""

import re
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pbmd import settings
from pbmd.settings import Alarms, Backups, Dashboard, Imap, Limits, Mail, Pages, Server, Settings, Smtp, Webhook
from pbmd.terms import terms
from pbmd.terms.terms import PhaseTerms, Terms

FILE = Path(__file__).parents[2] / "docs" / "settings.md"
MODELS: dict[str, type[BaseModel]] = {
    "server": Server,
    "imap": Imap,
    "smtp": Smtp,
    "mail": Mail,
    "limits": Limits,
    "alarms": Alarms,
    "backups": Backups,
    "webhook": Webhook,
    "dashboard": Dashboard,
    "pages": Pages,
    "game": Terms,
}
TABLE = re.compile(r"(?<=<!-- table: )(?P<name>\w+)( -->\n)(?P<rows>.*?)(?=<!-- end -->)", re.DOTALL)
_PLAIN = {str: "text", int: "whole number", bool: "true or false", Path: "path", PhaseTerms: "table"}
_FORMS = {
    "Address": "e-mail address",
    "Zone": "time zone",
    "Database": "address of a database",
    "PublicUrl": "web address",
    "Duration": "length of time",
    "Pause": "length of time, or `pace`",
    "Percent": "percent",
    "Share": "percent, or `all`",
    "VoteKind": "word",
    "DeadlineRule": "deadline rule",
    "Weekday": "weekday",
    "Holiday": "date",
}


def with_tables(text: str) -> str:
    """The text with what stands between ``<!-- table: NAME -->`` and ``<!-- end -->`` made from the model of that name."""
    return TABLE.sub(lambda found: f"{found['name']}{found[2]}{table(found['name'])}", text)


def table(name: str) -> str:
    """A Markdown table of the settings of one TOML table; "top" are those that stand above all tables."""
    fields = MODELS[name].model_fields if name in MODELS else {"rulesets": Settings.model_fields["rulesets"]}
    # Inherited fields come first in a model; a login belongs behind the server it is for.
    own = [key for key in fields if key not in _inherited(name)]
    rows = [_row(key, fields[key], _written_type(name, key)) for key in [*own, *(key for key in fields if key not in own)]]
    return "\n".join(["| setting | type | default | meaning |", "|---|---|---|---|", *rows]) + "\n"


def _inherited(name: str) -> set[str]:
    model = MODELS.get(name)
    return set(model.__bases__[0].model_fields) if model in (Imap, Smtp) else set()


def _written_type(name: str, key: str) -> Any:
    """The annotation as the source has it, so that named forms such as `Duration` can be told from plain text."""
    return typing.get_type_hints(MODELS.get(name, Settings), include_extras=True)[key]


def _row(key: str, field: FieldInfo, written: Any) -> str:
    assert field.description, f"{key} has no description"
    default = "**needed**" if field.is_required() else _shown(field.default)
    least = [f", at least {limit.ge}" for limit in field.metadata if isinstance(limit, Ge)]
    most = [f"{' and' if least else ','} at most {limit.le:,}" for limit in field.metadata if isinstance(limit, Le)]
    meaning = field.description[0].upper() + field.description[1:]
    return f"| `{key}` | {_type(written)}{''.join((*least, *most))} | {default} | {meaning}. |".replace("  ", " ")


def _type(written: Any) -> str:
    for module in (settings, terms):
        for name, words in _FORMS.items():
            if getattr(module, name, None) == written:
                return words
    origin = get_origin(written)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in get_args(written))
    if origin in (dict, Mapping):
        return f"table of {_type(get_args(written)[1])}s"
    if origin is tuple:
        return f"list of {_type(get_args(written)[0])}s".replace("length of times", "lengths of time")
    if origin in (Union, types.UnionType):
        return _type(next(part for part in get_args(written) if part is not type(None)))
    return _PLAIN[written]


def _shown(value: Any) -> str:
    if value in (None, "", (), {}):
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int):
        return f"`{value}`"
    if isinstance(value, tuple):
        return "`[" + ", ".join(f'"{item}"' for item in value) + "]`"
    return f'`"{value}"`'


if __name__ == "__main__":
    FILE.write_text(with_tables(FILE.read_text(encoding="utf-8")), encoding="utf-8")

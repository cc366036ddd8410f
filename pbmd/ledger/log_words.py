"""The words of the dashboard log: what each means, what its detail says, and what can be done (`log_words.toml`)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class LogWord:
    """One word for what happened. Texts are Markdown with links from the folder of the documentation; `todo` may be empty."""

    word: str
    group: str
    happened: str
    detail: str
    todo: str


@cache
def log_words() -> tuple[LogWord, ...]:
    """All words that a line of the log can have, grouped by subject."""
    table = tomllib.loads(files("pbmd.ledger").joinpath("log_words.toml").read_text(encoding="utf-8"))
    return tuple(LogWord(group=group["title"], **word) for group in table["groups"] for word in group["words"])

"""The table of servers in docs/mail.md, made from what `make servers ARGS=--write` has kept."""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.servers.matches import NOTES, ServerFacts

PAGE = Path(__file__).parents[2] / "docs" / "mail.md"
_TABLE = re.compile(r"(?<=<!-- table: servers -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(text: str, rows: Sequence[ServerFacts]) -> str:
    """The text of the page with the table anew."""
    return _TABLE.sub(lambda _: table(rows), text)


def table(rows: Sequence[ServerFacts]) -> str:
    """A Markdown table."""
    lines = (
        f"| {facts.name} ({facts.kind}) | {facts.version} | {_found(facts)} | {', '.join(facts.partners)} |" for facts in rows
    )
    return "\n".join(["| server | version | what pbmd finds there | played with |", "|---|---|---|---|", *lines]) + "\n"


def _found(facts: ServerFacts) -> str:
    notes = [NOTES[facts.name]] if facts.name in NOTES else []
    return "; ".join([*facts.traits, *notes])

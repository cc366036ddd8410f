"""`python -m tests.docs.players_table`: write the table of commands in docs/players.md anew, from their rows."""

import re
from pathlib import Path

from pbmd.desk.language.player_commands import PLAYERS, PlayerForm
from tests.docs.pages import anchor_of

FILE = Path(__file__).parents[2] / "docs" / "players.md"
TABLE = re.compile(r"(?<=<!-- commands -->\n).*?(?=<!-- end -->)", re.DOTALL)


def with_table(text: str) -> str:
    """The text with what stands between ``<!-- commands -->`` and ``<!-- end -->`` made from the rows."""
    rows = ("", "| command | what it does | without a seat |", "|---|---|---|", *map(_row, PLAYERS.forms), "\n")
    return TABLE.sub(lambda _: "\n".join(rows), text)


def _row(form: PlayerForm) -> str:
    written, without_seat = form.usage.replace("|", r"\|"), "yes" if form.visitor_act else ""
    return f"| [`{written}`](#{anchor_of(f'`{form.usage}`')}) | {form.help[0].upper()}{form.help[1:]}. | {without_seat} |"


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")

"""`python -m tests.docs.cheats_table`: write the table of cheats in docs/fairness.md anew, from the one that the tests of
`tests/archive/cheats` hold against what the commands find."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.archive.cheats.table import CHEATS, Cheat

FILE = Path(__file__).parents[2] / "docs" / "fairness.md"
TABLE = re.compile(r"(?<=<!-- cheats -->\n).*?(?=<!-- end -->)", re.DOTALL)
_NOTHING = "–"
_WHOSE = {"any": "any player", "cheated": "who was cheated"}


def with_table(text: str) -> str:
    """The text with what stands between ``<!-- cheats -->`` and ``<!-- end -->`` made from the table of the tests."""
    return TABLE.sub(lambda _found: table(), text)


def table() -> str:
    """The Markdown of it."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    every = [cheat for _, cheats in CHEATS for cheat in cheats]
    unfound = sum(not cheat.verify and not cheat.mails for cheat in every)
    yield f"Of {len(every)} ways {len(every) - unfound} are found, and {unfound} are not."
    yield ""
    yield "| A host … | `verify` | one player's mails | two players' mails | what is left |"
    yield "|---|---|---|---|---|"
    for group, cheats in CHEATS:
        yield f"| **{group}** | | | | |"
        for cheat in cheats:
            verify = f'"{cheat.verify}"' if cheat.verify else _NOTHING
            cells = (cheat.does, verify, _one(cheat), _two(cheat), cheat.left)
            yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _one(cheat: Cheat) -> str:
    if not cheat.mails or cheat.whose == "two":
        return f'says "{cheat.told}"' if cheat.told else _NOTHING
    without = ", without an archive" if cheat.without == "one" else ""
    return f'{_WHOSE[cheat.whose]}{without}: "{cheat.mails}"'


def _two(cheat: Cheat) -> str:
    if not cheat.mails:
        return "the same" if cheat.told else _NOTHING
    how = "without an archive" if cheat.without else "with the archive"
    return f'{how}: "{cheat.mails}"' if cheat.whose == "two" else how


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")

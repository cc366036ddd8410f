"""`python -m tests.docs.cheats_table`: write the table of cheats in docs/proofs.md anew, from the one that the tests of
`tests/archive/cheats` hold against what the commands find."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.archive.cheats.table import CHEATS, Cheat

FILE = Path(__file__).parents[2] / "docs" / "proofs.md"
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
    unfound = [cheat for cheat in every if not cheat.verify and not cheat.mails]
    told = sum(bool(cheat.told) for cheat in unfound)
    found = f"{len(every) - len(unfound)} are found, {told} are told of without proof"
    yield f"Of {len(every)} ways {found}, and {len(unfound) - told} leave nothing that a command could see."
    yield ""
    yield "| A host … | `verify` | one player's mails | two players' mails | what is left |"
    yield "|---|---|---|---|---|"
    for group, cheats in CHEATS:
        yield f"| **{group}** | | | | |"
        for cheat in cheats:
            cells = (cheat.does, _verify(cheat), _one(cheat), _two(cheat), _left(cheat))
            yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _verify(cheat: Cheat) -> str:
    if cheat.verify:
        return f'"{cheat.verify}"' + (" (and `verify.py`)" if cheat.alone else "")
    return f'says "{cheat.told}"' if cheat.told_by == "verify" else _NOTHING


def _one(cheat: Cheat) -> str:
    if not cheat.mails or cheat.whose == "two":
        return f'says "{cheat.told}"' if _is_told(cheat) else _NOTHING
    without = ", without an archive" if cheat.without == "one" else ""
    return f'{_WHOSE[cheat.whose]}{without}: "{cheat.mails}"'


def _two(cheat: Cheat) -> str:
    if not cheat.mails:
        return "the same" if _is_told(cheat) else _NOTHING
    how = "without an archive" if cheat.without else "with the archive"
    how += ", proved by two signatures" if cheat.proved else ""
    return f'{how}: "{cheat.mails}"' if cheat.whose == "two" else how


def _left(cheat: Cheat) -> str:
    return f"{cheat.left} ([{cheat.limit.value}](#what-is-not-proved))" if cheat.limit else cheat.left


def _is_told(cheat: Cheat) -> bool:
    """By the mails."""
    return bool(cheat.told) and cheat.told_by == "compare"


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")

"""`python -m tests.docs.orders_page`: write docs/orders.md anew, from what HELP orders sends to the players of each game."""

import re
from collections.abc import Iterator
from pathlib import Path

from pbmd.desk.player.explain import on_orders
from pbmd.rules.info import RulesetInfo, read_info

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "orders.md"
GAMES = ("diplomacy", "galactic_overlord", "cosmic_conquest", "local_cluster", "societies", "starship_squadrons")
HEAD = """\
# How orders are written

<!-- This page is made from the handbooks of the games: `python -m tests.docs.orders_page`. -->

For each of the six games what `HELP orders` sends to its players: the lines that are orders, with examples. The numbers in
brackets are those of rules, to ask by. What a mail with orders looks like is the same in all games:
[Giving orders](players.md#giving-orders). What can be written besides (`STATUS`, `EXTEND`, `PRESS`, …) is told in
[Commands](players.md#commands). The table has the rule; the part of each game tells its exceptions.

"""
TURNS = {
    "simultaneous": "all at once, when the turn ends",
    "phased": "all at once, when a phase ends",
    "sequential": "one seat after the other, as its mail comes",
}
LATER = {"replace": "replaces the one before it, whole", "final": "is refused: the first counts"}
AMENDS = "replaces the order for the same unit; the others stand"
ERRORS = {"drop_line": "only that line is left out", "refuse_mail": "the whole mail is refused, and can be sent again"}


def page() -> str:
    """The whole page."""
    games = [(slug, read_info(ROOT / "rulesets" / slug)) for slug in GAMES]
    return "\n".join([HEAD.rstrip("\n"), "", *_compared([info for _, info in games]), *_told(games)])


def _compared(games: list[RulesetInfo]) -> Iterator[str]:
    yield from ("| game | orders are carried out | a second mail | if a line is wrong |", "|---|---|---|---|")
    for info in games:
        anchor = info.title.lower().replace(" ", "-")
        later = AMENDS if info.letters == "amend" else LATER[info.sheets.later]
        told = (TURNS[info.timing], later, ERRORS[info.sheets.errors])
        yield f"| [{info.title}](#{anchor}) | {' | '.join(told)} |"
    yield ""


def _told(games: list[tuple[str, RulesetInfo]]) -> Iterator[str]:
    for slug, info in games:
        found = on_orders(info.handbook)
        assert found, f"the handbook of {info.title} has no chapter on how orders are written"
        yield from (f"## {info.title}", "")
        for chapter in found:
            yield from (_without_title(chapter.source, alone=len(found) == 1), "")
        yield from (f"All rules: [the handbook of {info.title}](../rulesets/{slug}/RULES.md).", "")


def _without_title(source: str, *, alone: bool) -> str:
    """A chapter under the heading of its game: one level lower, and without a title if it is the only one."""
    lower = re.sub(r"^(?=##)", "#", source, flags=re.MULTILINE)
    return (lower.partition("\n")[2] if alone else lower).strip("\n")


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")

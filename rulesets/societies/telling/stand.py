"""How to win, and where everybody stands, as far as the public chart shows it. It leaves out who concedes to whom."""

from pbmd.rules import Document
from pbmd.rules.facts import Has, placed, stand
from pbmd.rules.words import counted

from ..tables import CULTURAL_BUILT, CULTURAL_HELD
from ..world.state import Position


def standing(position: Position, seat: str) -> Document | None:
    """For a seat, or "" for those who do not play; None once the game is over."""
    if position.over:
        return None
    parts = counted(position.options.spaceship_parts, "part")
    aim = (
        f"Whoever has built {CULTURAL_BUILT} wonders, or holds {CULTURAL_HELD}, wins; so does a spaceship of {parts}, the last "
        "society left, and one to which all others concede."
    )
    wonders = {society.name: 0 for society in position.living}
    for wonder in position.wonders:
        if wonder.owner in wonders and (wonder.active or position.options.obsolete_wonders_count):
            wonders[wonder.owner] += 1
    has = Has("holds", "hold", "wonder")
    told = placed(wonders, seat, has.many(wonders.get(seat, 0)), has)
    return stand(aim, f"{told} {_spaceships(position, seat)} {_left(position)}")


def _spaceships(position: Position, seat: str) -> str:
    parts = {society.name: society.spaceship_parts for society in position.living}
    if not any(parts.values()):
        return "Nobody has a part of a spaceship."
    has = Has(thing="part of a spaceship", things="parts of a spaceship")
    return placed(parts, seat, has.many(parts.get(seat, 0)), has)


def _left(position: Position) -> str:
    left, of = len(position.living), len(position.societies)
    return f"All {of} societies are left." if left == of else f"{left} of {of} societies are left."

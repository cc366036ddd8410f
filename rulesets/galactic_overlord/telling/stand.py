"""How to win, and where everybody stands: all of it is in the public table."""

from collections import Counter

from pbmd.rules import Document
from pbmd.rules.facts import Has, placed, stand
from pbmd.rules.words import counted

from ..world.state import Position


def standing(position: Position, seat: str) -> Document | None:
    """For a seat, or "" for those who do not play; None once the game is over."""
    if position.status == "finished":
        return None
    limit = position.options.turn_limit
    aim = f"The last faction left wins{f', if it is alone by turn {limit}' if limit else ''}."
    living = [player for player in position.players if player.alive]
    owners = Counter(base.owner for base in position.bases)
    bases = {player.name: owners[player.name] for player in living}
    ships = {player.name: sum(count for _, count in player.ships) for player in living}
    held, has = f"{bases.get(seat, 0)} of {counted(len(position.bases), 'base')}", Has(thing="ship")
    told = placed(bases, seat, held, Has("holds", "hold", "base")), placed(ships, seat, has.many(ships.get(seat, 0)), has)
    return stand(aim, " ".join(told))

"""Which press an archive may have: what the game's terms say, and never who wrote anonymously.

An entry of the journal that is withheld has its seal in place of its secret part, so that the chain can be checked without it.
Letters quote each other: where not all press may be shown, no letters are; the orders in them stand in each turn's orders.toml.
"""

import json
from typing import Any

from sqlmodel import Session, select

from pbmd.ledger.tables import Game, JournalEntry


def withheld(session: Session, game: Game) -> dict[int, int]:
    """The entries with press that an archive does not have: number of the entry → the letter that it came in."""
    policy = json.loads(game.terms).get("press_archive", "all")
    found = select(JournalEntry.number, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "press"
    )
    hidden: dict[int, int] = {}
    for number, secret in session.exec(found.execution_options(yield_per=200)):
        said = json.loads(secret or '{"anonymous": true}')  # an archive from which the game was imported has not shown it
        if not _may_be_shown(policy, said):
            hidden[number] = said.get("letter", 0)
    return hidden


def without_letters(game: Game) -> bool:
    """Whether an archive of the game has no letters at all."""
    return json.loads(game.terms).get("press_archive", "all") != "all"


def _may_be_shown(policy: str, said: dict[str, Any]) -> bool:
    return not said.get("anonymous") and (policy == "all" or (policy == "public" and bool(said.get("all"))))

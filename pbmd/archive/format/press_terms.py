"""Which press an archive may contain: what the game's terms say, and never who wrote anonymously.

A withheld entry of the journal has its seal in place of its secret part, so that the chain can be checked without it. Letters
quote each other, and our answers: where not all press may be shown, or some may be anonymous, the archive has no letters; the
orders in them are in each turn's orders.toml.
"""

import json
from typing import Any

from sqlmodel import Session, select

from pbmd.ledger.tables import Game, JournalEntry


def withheld(session: Session, game: Game) -> frozenset[int]:
    """The numbers of the entries with press that an archive leaves out."""
    policy = json.loads(game.terms).get("press_archive", "all")
    found = select(JournalEntry.number, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "press"
    )
    with session.exec(found.execution_options(yield_per=200)) as entries:
        return frozenset(
            number
            for number, secret in entries
            # The archive that the game was imported from may not have shown it.
            if not _may_be_shown(policy, json.loads(secret or '{"anonymous": true}'))
        )


def without_letters(game: Game) -> bool:
    """Whether an archive of the game has no letters at all."""
    terms = json.loads(game.terms)
    return terms.get("press_archive", "all") != "all" or bool(terms.get("anonymous_press"))


def _may_be_shown(policy: str, said: dict[str, Any]) -> bool:
    return not said.get("anonymous") and (policy == "all" or (policy == "public" and bool(said.get("all"))))

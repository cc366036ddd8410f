"""Which press an archive may contain: what the game's terms say, and never who wrote anonymously.

A withheld entry of the journal has its seal in place of its secret part, so that the chain can be checked without it. Letters
quote each other, and our answers: where not all press may be shown, or some may be anonymous, the archive has no letters; the
orders in them are in each turn's orders.toml.
"""

import json

from sqlmodel import Session

from pbmd.ledger.entries.player_entries import PressEntry, PressMessage
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Game


def withheld(session: Session, game: Game) -> frozenset[int]:
    """The numbers of the entries with press that an archive leaves out."""
    policy = json.loads(game.terms).get("press_archive", "all")
    found = entries_of(session, game.id, PressEntry, with_sealed=True)
    return frozenset(press.number for press in found if not _may_be_shown(policy, press.entry.sealed))


def without_letters(game: Game) -> bool:
    """Whether an archive of the game has no letters at all."""
    terms = json.loads(game.terms)
    return terms.get("press_archive", "all") != "all" or bool(terms.get("anonymous_press"))


def _may_be_shown(policy: str, message: PressMessage | None) -> bool:
    """None of a message that the archive which the game was imported from has not shown: it may be anonymous."""
    if message is None or message.anonymous:
        return False
    return policy == "all" or (policy == "public" and bool(message.to_all))

"""With what a game began, made again from its journal."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from pbmd.ledger.tables import Game, JournalEntry, Seat, in_order_of_joining
from pbmd.rules import HmacDice, Line, Roll, Ruleset, Signup
from pbmd.rules.options import complete


@dataclass(frozen=True)
class SetUp:
    """How a game began: its position, and the dice that were drawn for it, from `secret` and bound to `context`."""

    position: Mapping[str, Any]
    secret: bytes
    context: bytes
    rolls: tuple[Roll, ...]


def set_up(session: Session, game: Game, seats: Sequence[Seat], ruleset: Ruleset[Any]) -> SetUp:
    """The position with which a game began, set up again, since the ledger keeps only what steps made of it: the options and
    the dice of the set-up are in the journal. One that was imported began where another stood."""
    imported = select(JournalEntry.secret).where(JournalEntry.game_id == game.id, JournalEntry.kind == "imported")
    if secret_part := session.exec(imported).first():
        return SetUp(ruleset.dump(ruleset.load(json.loads(secret_part)["position"])), b"", b"", ())
    created = select(JournalEntry.public).where(JournalEntry.game_id == game.id, JournalEntry.kind == "created")
    given = json.loads(session.exec(created).one())["options"]
    started = select(JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "started"
    )
    public, sealed = (json.loads(part or "{}") for part in session.exec(started).one())
    secret = bytes.fromhex(sealed.get("secret") or public["secret"])
    joined = select(JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "joined"
    )
    entries = [
        (json.loads(public), json.loads(secret)) for public, secret in session.exec(joined.order_by(col(JournalEntry.number)))
    ]
    # Who holds a seat now may be another than at the beginning, and a place given back was another's.
    holders = {public["number"]: secret.get("holder", "") for public, secret in entries}
    signups = [
        Signup(seat.name, tuple(Line(*line) for line in json.loads(seat.signup)), holders.get(seat.number, ""))
        for seat in in_order_of_joining(seats)
    ]
    options = complete(ruleset.info.options, given)
    context = b"setup"
    dice = HmacDice(secret, context)
    position = ruleset.dump(ruleset.setup(signups, options, dice))
    return SetUp(position, secret, context, dice.drawn)

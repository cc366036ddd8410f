"""The beginning of a game, recomputed from its journal."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session, col, select

from pbmd.ledger.entries.codec import MalformedEntry
from pbmd.ledger.tables import Game, JournalEntry, Seat, in_order_of_joining
from pbmd.rules import HmacDice, Line, Roll, Ruleset, Signup
from pbmd.rules.options import complete
from pbmd.rules.salts import salts_of
from pbmd.rules.sheets import bound_setup


@dataclass(frozen=True)
class SetUp:
    """How a game began: its position, and the dice that were drawn for it, from `secret` and bound to `context`, which is made
    from the secret of `salts` and the lines of the `signups`, by seat. Without salts it is a constant word."""

    position: Mapping[str, Any]
    secret: bytes = b""
    context: bytes = b""
    rolls: tuple[Roll, ...] = ()
    salts: bytes | None = None
    signups: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@dataclass(frozen=True, slots=True)
class Begun:
    """What a journal has about the set-up of a game: the chosen options, the seats by their numbers, the sign-ups in order, the
    secret of the dice, and of the salts if they were promised."""

    options: Mapping[str, Any]
    seats: Mapping[int, str]
    signups: Sequence[Signup]
    secret: bytes
    salts: bytes | None

    def set_up(self, ruleset: Ruleset[Any]) -> tuple[Any, SetUp]:
        """The position, and how it came about."""
        context = bound_setup(self.signups, salts_of(self.salts, self.seats.items()))
        dice = HmacDice(self.secret, context)
        position = ruleset.setup(self.signups, complete(ruleset.info.options, self.options), dice)
        lines = {signup.seat: [line.text for line in signup.lines] for signup in self.signups}
        return position, SetUp(ruleset.dump(position), self.secret, context, dice.drawn, self.salts, lines)


def set_up(session: Session, game: Game, seats: Sequence[Seat], ruleset: Ruleset[Any]) -> SetUp:
    """The position with which a game began, set up again, since the ledger stores only the results of steps: the options and
    the dice of the set-up are in the journal. An imported game began with another's position. Raises `MalformedEntry`."""
    imported = select(JournalEntry.secret).where(JournalEntry.game_id == game.id, JournalEntry.kind == "imported")
    if secret_part := session.exec(imported).first():
        return SetUp(ruleset.dump(ruleset.load(_value(json.loads(secret_part), "position"))))
    created = select(JournalEntry.public).where(JournalEntry.game_id == game.id, JournalEntry.kind == "created")
    given = _value(json.loads(session.exec(created).one()), "options")
    started = select(JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "started"
    )
    public, sealed = (json.loads(part or "{}") for part in session.exec(started).one())
    secret = bytes.fromhex(sealed.get("secret") or _value(public, "secret"))
    joined = select(JournalEntry.public, JournalEntry.secret).where(
        JournalEntry.game_id == game.id, JournalEntry.kind == "joined"
    )
    entries = [
        (json.loads(public), json.loads(secret)) for public, secret in session.exec(joined.order_by(col(JournalEntry.number)))
    ]
    # The present holder of a seat need not be the first one, and a seat that was given back had another holder.
    holders = {_value(public, "number"): secret.get("holder", "") for public, secret in entries}
    signups = [
        Signup(seat.name, tuple(Line(*line) for line in json.loads(seat.signup)), holders.get(seat.number, ""))
        for seat in in_order_of_joining(seats)
    ]
    salts = bytes.fromhex(sealed["salts"]) if "salts" in sealed else None
    return Begun(given, {seat.number: seat.name for seat in seats}, signups, secret, salts).set_up(ruleset)[1]


def _value(part: Mapping[str, Any], key: str) -> Any:
    # Only what is needed is asked for: a damaged entry that says enough keeps no archive from being written.
    if key not in part:
        raise MalformedEntry(f"{key}: it is not there")
    return part[key]

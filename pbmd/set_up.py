"""The beginning of a game, recomputed from its journal."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session

from pbmd.ledger.entries.codec import E, MalformedEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.step_entries import CreatedEntry, ImportedEntry, JoinedEntry, SetUpSecrets, StartedEntry
from pbmd.ledger.tables import Game, Seat, in_order_of_joining
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
    imported = next(entries_of(session, game.id, ImportedEntry, with_sealed=True), None)
    if imported and imported.entry.sealed:
        return SetUp(ruleset.dump(ruleset.load(imported.entry.sealed.position)))
    created, started = _only(session, game, CreatedEntry), _only(session, game, StartedEntry)
    secrets = started.sealed or SetUpSecrets()
    joined = [each.entry for each in entries_of(session, game.id, JoinedEntry, with_sealed=True)]
    # The present holder of a seat need not be the first one, and a seat that was given back had another holder.
    holders = {player.number: player.sealed.holder or "" for player in joined if player.sealed}
    signups = [
        Signup(seat.name, tuple(Line(*line) for line in json.loads(seat.signup)), holders.get(seat.number, ""))
        for seat in in_order_of_joining(seats)
    ]
    secret = secrets.secret or started.secret
    if secret is None:
        raise MalformedEntry("secret: it is not there")
    salts = None if secrets.salts is None else bytes.fromhex(secrets.salts)
    names = {seat.number: seat.name for seat in seats}
    return Begun(created.options, names, signups, bytes.fromhex(secret), salts).set_up(ruleset)[1]


def _only(session: Session, game: Game, of: type[E]) -> E:
    [only] = entries_of(session, game.id, of, with_sealed=True)
    return only.entry

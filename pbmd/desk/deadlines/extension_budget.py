"""How much more time a seat may take without asking anybody."""

import json
from datetime import timedelta

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.entries.master_entries import ExtendedEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.tables import Seat
from pbmd.rules.options import complete
from pbmd.terms.times import parse_duration


def extension_budget(work: Transaction, table: OpenGame, seat: Seat) -> timedelta:
    """How much more time the seat may take now without asking the game master.

    By the terms of the game it is what is left of so much for the whole game; where the rules have a clock of their own, so
    much at once, if the seat's deadline was not moved in this turn or in so many turns before.
    """
    clock = table.ruleset.info.own_extensions
    if clock is None:
        return parse_duration(table.terms.extension_budget) - timedelta(minutes=seat.extended_minutes)
    options = complete(table.ruleset.info.options, json.loads(table.game.options))
    work.write()
    given = entries_of(work.session, table.id, ExtendedEntry)
    before = [extended.entry.turn for extended in given if extended.entry.seat == seat.name]
    if any(table.game.turn - turn <= int(options[clock.extension_gap]) for turn in before):
        return timedelta(0)
    return timedelta(hours=int(options[clock.extension_hours]))

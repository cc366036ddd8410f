"""What a letter or a deadline causes in the middle of a step: sent at once, each part to those who may know it.

What not everybody may know leaves no trace that others could see before the step is over: no line in the log and no entry of
its own in the journal, whose numbers are in everybody's receipts. The game keeps it for the entry of the resolution.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.step.gathering import tell
from pbmd.ledger.entries.codec import written_part
from pbmd.ledger.entries.parts import ConfidentialEvent, KeptBack, Occurrence
from pbmd.ledger.entries.step_entries import ToldDetail, ToldEntry
from pbmd.ledger.journal import written_time
from pbmd.ledger.tables import Seat, SeatState
from pbmd.rules.protocol import Event, seat_reader, seen_by


def tell_events(work: Transaction, table: OpenGame, events: Iterable[Event], by: Seat, cause: str) -> str:
    """Mail events to their audiences, and make sure that each gets into the journal. `by` is the seat whose letter, deadline or
    resignation causes them; `cause` says which in this step, so that each reader is told once, in one mail with everything that
    they may know, and with what else comes within a minute.

    In sequential games, where diplomacy uses such events, `by` gets no mail, but the text that is returned, for its answer.
    """
    happened, own = tuple(events), ""
    for event in happened:
        _enter(work, table, event, by)
    for seat in table.seats:
        words = [_words(table, event) for event in seen_by(happened, seat_reader(seat.name))]
        if seat is by and table.ruleset.sequential:
            own = "\n\n".join(text.strip("\n") for text in words)
        elif words and seat.state is SeatState.ACTIVE:
            tell(work, table, seat, words, f"notice {table.id} {table.game.step} {cause} {seat.number}")
    return own


def _words(table: OpenGame, event: Event) -> str:
    assert table.ruleset.tell is not None, "a ruleset with events in the middle of a step has words for them"
    return table.ruleset.tell(event)


def keep_for_journal(work: Transaction, table: OpenGame, what: KeptBack) -> None:
    """Keep something for the journal until the step is over; see the module. `after` is the entry after which it happened, so
    that a replay from the journal does things in the same order."""
    earlier, game = json.loads(table.game.meanwhile), table.game
    item = written_part(replace(what, at=written_time(work.now), after=game.chain_number))
    game.meanwhile = compact_json([*earlier, item])


def _enter(work: Transaction, table: OpenGame, event: Event, by: Seat) -> None:
    if event.audience is not None:
        detail, insiders = _detail(event)
        occurrence = Occurrence(
            kind=event.kind, audience=tuple(event.audience), data=dict(event.data), detail=detail, insiders=insiders
        )
        keep_for_journal(work, table, ConfidentialEvent(seat=by.name, event=occurrence))
        return
    detail, insiders = _detail(event)
    entry = ToldEntry(
        turn=table.game.turn,
        step=table.game.step,
        seat=by.name,
        event=event.kind,
        data=dict(event.data),
        sealed=ToldDetail(detail=detail, insiders=insiders),
    )
    work.journal(table, entry)
    work.log("told", table, by.name, f"to everybody: {event.kind}")


def _detail(event: Event) -> tuple[dict[str, Any] | None, tuple[str, ...] | None]:
    """The second part of an event, and who may know it; None if it has none."""
    return (dict(event.detail), tuple(event.insiders)) if event.detail else (None, None)

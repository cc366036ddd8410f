"""A seat falls asleep: it has missed as much as the terms allow, and from now on nobody waits for it."""

from collections.abc import Callable
from pkgutil import resolve_name

from pbmd.desk.books.attendance import missed_by
from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.step.sleepers.warnings import OFFERED, asleep_words, fate_of, too_much_missed
from pbmd.desk.step.substitutes.away_mails import tell_away_asleep
from pbmd.ledger.entries.parts import OneSeat
from pbmd.ledger.entries.sleep_entries import DISORDER, AsleepEntry
from pbmd.ledger.tables import Seat

Offer = Callable[[Transaction, OpenGame, Seat], int]
"""Offers a seat, and gives to how many."""
OFFER = "pbmd.desk.questions.sleeping_seats:offer_sleeping_seat"
"""Named as of an entry point, as the acts of players are: who is asked what stands above what a step does."""


def fall_asleep(work: Transaction, table: OpenGame, tick: Tick, step: int) -> None:
    """The seats for which that step, which is resolved, was one too many fall asleep. Their players get a mail; others read it
    in their reports, unless nobody may know who has sent orders: then they see only what the rules show."""
    if not table.terms.have_sleepers:
        return
    for seat in table.seats:
        if seat.is_awake and seat.missed_step == step:
            missed = missed_by(work, table, seat)
            # What the game master did not wait for, or an absence, is no reason by itself.
            if missed.last == step and (words := too_much_missed(table, missed)):
                _fall_asleep(work, table, tick, seat, words)


def _fall_asleep(work: Transaction, table: OpenGame, tick: Tick, seat: Seat, missed: str) -> None:
    game, sleeper = table.game, table.terms.sleeper
    seat.asleep_since = seat.missed_step
    is_public = table.terms.who_has_sent != "nothing"
    entry = AsleepEntry(
        turn=game.turn,
        step=seat.missed_step,
        seat=seat.name if is_public else None,
        sleeper=sleeper,
        sealed=OneSeat(seat=seat.name),
    )
    number = work.journal(table, entry)
    if sleeper == DISORDER:
        assert table.ruleset.disorder is not None, "no game has such terms whose rules have no civil disorder"
        work.move(table, table.ruleset.disorder(table.position, seat.name, True))
    fate = fate_of(work, table, seat)
    offer: Offer = resolve_name(OFFER)
    asked = offer(work, table, seat) if fate == OFFERED else 0
    what = f"; offered to {asked} on the standby list" if fate == OFFERED else f"; {fate}"
    work.log("asleep", table, seat.name, f"missed {missed}{what}")
    tell_away_asleep(work, table, seat, missed)
    words = f"You have missed {missed}. {asleep_words(work, table, seat)} Reports keep coming to you."
    tell(work, table, [seat], Notice(f"notice {table.id} {number}", f"{seat.name} is asleep", words))
    if is_public:
        _note_for_others(table, tick, seat, missed)


def _note_for_others(table: OpenGame, tick: Tick, seat: Seat, missed: str) -> None:
    # Not whether it is offered: of a seat that a substitute has, that would tell.
    words = f"{seat.name} has missed {missed}, and is asleep: the game no longer waits for it."
    others = [other.number for other in table.seats if other is not seat]
    tick.away = {**tick.away, **{number: [*tick.away.get(number, []), words] for number in others}}

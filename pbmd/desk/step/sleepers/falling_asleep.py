"""A seat that misses as much as the terms allow falls asleep, and from then on nobody waits for it: its holder is warned
before, and told how to wake it up."""

from collections.abc import Callable
from pkgutil import resolve_name

from pbmd.desk.books.attendance import Missed, missed_by
from pbmd.desk.books.carried_out import Tick
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.awaiting import awaited
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.step.substitutes.away_mails import tell_away_asleep
from pbmd.desk.step.substitutes.wishes import time_of_substitute
from pbmd.ledger.entries.parts import OneSeat
from pbmd.ledger.entries.sleep_entries import DISORDER, AsleepEntry
from pbmd.ledger.tables import Seat
from pbmd.rules.words import counted
from pbmd.terms.sleepers import BACK, step_of
from pbmd.terms.terms import ASLEEP_BY_DEFAULT, Terms


def sleep_words(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """That a seat is asleep, and how it wakes up; or what happens if it misses the step that runs, where that would be the one
    too many. Empty if there is nothing to say, as in games in which no seat falls asleep."""
    if seat.is_asleep:
        return asleep_words(work, table, seat)
    if not table.terms.have_sleepers or seat not in awaited(table):
        return ""
    missed = missed_by(work, table, seat)
    if not (too_much := _too_much(table.terms, Missed(missed.in_a_row + 1, missed.in_all + 1))):
        return ""
    so_far = missed.in_a_row if too_much == _ROW else missed.in_all
    before = f"You have missed {_so_far(table, missed, in_a_row=too_much == _ROW)}. " if so_far else ""
    back = f"or write {BACK} on a line of its own, " if too_much == _ROW and table.terms.missed_in_a_row > 1 else ""
    will = _WILL[_fate_of(work, table, seat)]
    return f"{before}If no orders of yours come by the deadline, {will}. Send orders, {back}to keep it."


_OFFERED = "offer"
"""The seat is offered to those who stand by, to be theirs."""
_ROW, _TOTAL = "in a row", "in all"


def _too_much(terms: Terms, missed: Missed) -> str:
    """Which of both is too much: what was missed in a row, or in all; empty if neither is."""
    if 0 < terms.missed_in_a_row <= missed.in_a_row:
        return _ROW
    return _TOTAL if 0 < terms.missed_in_all <= missed.in_all else ""


def _so_far(table: OpenGame, missed: Missed, *, in_a_row: bool) -> str:
    count, what = missed.in_a_row if in_a_row else missed.in_all, step_of(table.ruleset.info.timing)
    if count == 1:
        return f"a {what}"
    return f"{counted(count, what)} {_ROW if in_a_row else _TOTAL}"


def _too_much_missed(table: OpenGame, missed: Missed) -> str:
    """How much a seat has missed if that is too much by the terms, in words; empty if it is not."""
    which = _too_much(table.terms, missed)
    return _so_far(table, missed, in_a_row=which == _ROW) if which else ""


def _fate_of(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """What becomes of a seat while it sleeps, as the terms call it. One that a substitute has is offered to nobody: it comes
    back to its player, who has missed nothing."""
    sleeper = table.terms.sleeper
    return ASLEEP_BY_DEFAULT if sleeper == _OFFERED and time_of_substitute(work, table, seat) is not None else sleeper


def asleep_words(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """What it means for the holder of a seat that it is asleep, and what they can do."""
    means = _IS[_fate_of(work, table, seat)]
    return (
        f"{seat.name} is asleep: the game does not wait for your orders, and {means}. Send orders, or write "
        f"{BACK} on a line of its own, and it is awake again."
    )


_WILL = {
    "default": "your seat falls asleep: the game waits for it no longer, and the rules act for it",
    "offer": "your seat falls asleep: the game waits for it no longer, and it is offered to others",
    "disorder": "your seat falls asleep: the game waits for it no longer, and it goes to civil disorder",
}
_IS = {
    "default": "the rules act for you",
    "offer": "others who stand by may take it over; until one of them says YES it is yours",
    "disorder": "it is in civil disorder",
}


Offer = Callable[[Transaction, OpenGame, Seat], int]
"""Offers a seat, and gives to how many."""
OFFER = "pbmd.desk.questions.sleeping_seats:offer_sleeping_seat"
"""Named as of an entry point, as the acts of players are: who is asked what stands above what a step does."""


def fall_asleep(work: Transaction, table: OpenGame, tick: Tick, step: int) -> None:
    """The seats for which that step, which is resolved, was one too many fall asleep. Their players get a mail; others read it
    in their reports, unless nobody may know who has sent orders: then they see only what the rules show. Only for games
    whose terms have sleepers."""
    for seat in table.seats:
        if seat.is_awake and seat.missed_step == step:
            missed = missed_by(work, table, seat)
            # What the game master did not wait for, or an absence, is no reason by itself.
            if missed.last == step and (words := _too_much_missed(table, missed)):
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
    fate = _fate_of(work, table, seat)
    offer: Offer = resolve_name(OFFER)
    asked = offer(work, table, seat) if fate == _OFFERED else 0
    what = f"; offered to {asked} on the standby list" if fate == _OFFERED else f"; {fate}"
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

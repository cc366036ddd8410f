"""Substitutes: a player wants one, who is asked, the first yes, and what the clock does about it.

| when | what |
|---|---|
| the wish comes | whoever is named in it is asked, once |
| two weeks before the first day, or then | those who stand by are asked, each once; who joins the list later, a day later |
| three days before, or a day after the wish | if nobody has agreed, player and game master learn it; the wish stands |
| the first day, or a yes that comes later | who has agreed gets the seat (`pbmd.desk.changes.substitution`) |
| the end of the last day | its player has the seat again; if nobody had it, the wish is over |

Each of these has its place in the order of arrival, as the end of a step has. While a game is paused the clock does none of
them. What the player reads does not depend on who stands by, nor on who else plays at which address.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlmodel import col, func, select

from pbmd.desk.books.question_payloads import OfSeat, read_as, written
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import holds_another, must_be_free
from pbmd.desk.changes.substitution import begin, give_back
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import VISIT, YES_OR_NO, Draft, Kind, render, subject
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.questions.ask import HEADLINES, open_question, question_key
from pbmd.desk.questions.offer_mail import offered_words
from pbmd.desk.questions.seat_offers import standing_by
from pbmd.desk.step.absences import today_of
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.step.substitutes.wishes import (
    begins_at,
    close_offers,
    close_wish,
    comes_back_to,
    days_of,
    drop_wish,
    ends_at,
    note_looks,
    time_of_substitute,
    wish_of,
    wishes_in,
)
from pbmd.ledger.tables import Confirmation, ConfirmationState, Seat, Substitution, SubstitutionState
from pbmd.post.lines.sorted_lines import LeftOut
from pbmd.post.tags import write_tag
from pbmd.rules.protocol import Refused
from pbmd.terms.times import describe_time

ASKED_BEFORE = timedelta(days=14)
_WARNED_BEFORE = timedelta(days=3)
_A_DAY = timedelta(days=1)
_AHEAD = timedelta(days=400)
_IN_A_MONTH = 5
"""So many wishes a seat may have in thirty days: each can be a mail to all who stand by, or to a stranger."""
_PLAYED = "Its player has it before and after, and in between if nobody says YES."


@dataclass(frozen=True, slots=True)
class Wanted:
    """The first and the last day, and the address that is to be asked, folded; empty: those who stand by."""

    first: date
    last: date
    named: str = ""


def want(work: Transaction, table: OpenGame, seat: Seat, wanted: Wanted) -> Substitution:
    """Note that the player of a seat wants a substitute, and ask whoever is to be asked now. Raises `Refused`."""
    today = today_of(work, table, seat)
    _must_be_allowed(work, table, seat, wanted, today)
    wish = Substitution(
        game_id=table.id,
        seat_id=seat.id or 0,
        first=max(wanted.first, today),
        last=wanted.last,
        asked_at=work.as_of,
        named=wanted.named,
    )
    wish.look_at = _next_look(table, wish, seat, work.as_of)
    work.session.add(wish)
    work.session.flush()
    if wanted.named and not _ask(work, table, seat, wish, OfSeat(wanted.named, holder="")):
        work.session.delete(wish)
        work.session.flush()
        raise Refused("too many people were asked something by mail within this hour; try again later")
    if not wanted.named:
        _ask_standing_by(work, table, seat, wish, work.as_of)
    note_looks(work, table)
    work.log("substitute", table, seat.name, f"wanted {days_of(wish)}")
    return wish


def _must_be_allowed(work: Transaction, table: OpenGame, seat: Seat, wanted: Wanted, today: date) -> None:
    """Raises `Refused`."""
    must_have_begun(table)
    most, days = table.terms.substitute_days, (wanted.last - wanted.first).days + 1
    if not most:
        raise Refused("the terms of this game allow no substitutes; ABSENT says when you are away")
    if wanted.last < today:
        raise Refused("these days are over")
    if days > most or wanted.first - today > _AHEAD:
        raise Refused(f"a substitute plays at most {most} days, and begins within {_AHEAD.days}")
    if time_of_substitute(work, table, seat) is not None:
        raise Refused("you are the substitute of this seat yourself; RESIGN gives it back to its player")
    if (other := wish_of(work, table, seat)) is not None:
        raise Refused(f"you want one already, {days_of(other)}; CANCEL SUBSTITUTE takes that back")
    lately = select(func.count()).where(
        Substitution.seat_id == seat.id, col(Substitution.asked_at) > work.as_of - timedelta(days=30)
    )
    if work.session.exec(lately).one() >= _IN_A_MONTH:
        raise Refused(f"you have asked for one {_IN_A_MONTH} times within 30 days, which is the most")
    if wanted.named:
        must_be_free(work, table, seat, wanted.named)
    if table.ruleset.take_over is not None:
        table.ruleset.take_over(table.position, seat.name, "")  # only to see whether it is possible


def take_back(work: Transaction, table: OpenGame, seat: Seat) -> bool:
    """The player of a seat wants no substitute after all. False if they wanted none."""
    wish = wish_of(work, table, seat)
    if wish is None or wish.state is SubstitutionState.PLAYING:
        return False
    drop_wish(work, table, seat)
    work.log("substitute", table, seat.name, "not wanted any more")
    return True


def end_by_gm(work: Transaction, table: OpenGame, seat: Seat, reason: str) -> str:
    """The game master ends the time of a substitute, or the wish for one; returns a sentence. Raises `Refused`."""
    wish = wish_of(work, table, seat)
    if wish is None:
        raise Refused(f"{seat.name} has no substitute, and wants none")
    key = f"substitute {wish.id} gm"
    if wish.state is SubstitutionState.PLAYING:
        give_back(work, table, seat, wish, "the game master's word")
        text = "The game master has ended the time of your substitute."
        tell(work, table, [seat], Notice(key, f"{seat.name} is yours again", text, reason))
        return f"{seat.name} is played by its own player again. Both got a mail."
    take_back(work, table, seat)
    text = "The game master has ended your wish for a substitute. The seat stays yours."
    tell(work, table, [seat], Notice(key, "no substitute any more", text, reason))
    return f"No substitute is looked for any more for {seat.name}. Its player got a mail."


# --- Asking -----------------------------------------------------------------------------------------------------------------


def _ask_standing_by(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, at: datetime) -> None:
    """Ask those who stand by and were not asked about this wish yet, if it is time to."""
    if wish.named or at < begins_at(table, wish, seat) - ASKED_BEFORE:
        return
    asked = _asked(work, wish)
    for one in standing_by(work, table):
        if one.address in asked or one.address == seat.address or _plays_here(work, table, seat, one.address):
            continue
        _ask(work, table, seat, wish, OfSeat(one.address, holder=one.holder))


def _plays_here(work: Transaction, table: OpenGame, seat: Seat, address: str) -> bool:
    """Whether whoever has this address plays in the game, now or when a substitute's time is over."""
    return holds_another(table, seat, address) or comes_back_to(work, table, seat, address)


def _asked(work: Transaction, wish: Substitution, *, open_only: bool = False) -> list[str]:
    """The addresses that were asked about a wish."""
    work.write()
    about = (Confirmation.seat_id == wish.seat_id, Confirmation.subject == "substitute")
    questions = select(Confirmation).where(*about, col(Confirmation.asked_at) >= wish.asked_at)
    if open_only:
        questions = questions.where(Confirmation.state == ConfirmationState.OPEN)
    return [read_as(OfSeat, each.payload).address for each in work.session.exec(questions.order_by(col(Confirmation.id)))]


def _ask(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, whom: OfSeat) -> bool:
    """Ask somebody. False if a limit keeps the mail back: one who is named has not asked for it."""
    question, code = open_question(work, table, seat, "substitute", None, written(whom))
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "days": days_of(wish),
        "named": bool(wish.named),
        "stands": offered_words(work, table, seat, played=_PLAYED),
        "until": describe_time(question.expires_at, "UTC"),
    }
    kind: Kind = VISIT if wish.named else "question"
    title = subject(table, HEADLINES["substitute"], seat=seat.name, code=write_tag(code))
    text = render("ask_substitute.txt", values)
    sent = mail_to(work, whom.address, Draft(kind, question_key(question), title, text, offers=YES_OR_NO), table, code)
    if not sent:
        work.session.delete(question)
        work.session.flush()
    return sent


# --- The answers ------------------------------------------------------------------------------------------------------------


class Agreed(NamedTuple):
    """The title and the sentence of the answer to a YES; empty if another mail says it."""

    title: str = ""
    sentence: str = ""


_NOT_YOU = "the seat stays with its player"


def agree(work: Transaction, table: OpenGame, seat: Seat, kept: OfSeat, besides: tuple[LeftOut, ...]) -> Agreed:
    """Somebody says that they play a seat for a while."""
    wish = wish_of(work, table, seat)
    if wish is None or wish.state is not SubstitutionState.WANTED:
        return Agreed(_NOT_YOU, f"No substitute for {seat.name} is looked for any more.")
    if _plays_here(work, table, seat, kept.address):
        return Agreed(_NOT_YOU, f"You have a seat in {table.game.name} already, so you cannot have this one, too.")
    others = [address for address in dict.fromkeys(_asked(work, wish, open_only=True)) if address != kept.address]
    now = begins_at(table, wish, seat) <= work.as_of
    wish.address, wish.holder, wish.timezone = kept.address, kept.holder or "", kept.timezone
    try:
        must_be_free(work, table, seat, kept.address)
        if now:
            begin(work, table, seat, wish, left_out=besides)
    except Refused as refusal:
        wish.address, wish.holder, wish.timezone = "", "", "UTC"
        return Agreed(_NOT_YOU, f"{seat.name} cannot be taken over any more: {refusal}.")
    _tell_others(work, table, seat, wish, others)
    if now:
        return Agreed()
    wish.state, wish.look_at = SubstitutionState.AGREED, begins_at(table, wish, seat)
    close_offers(work, wish)
    note_looks(work, table)
    work.log("substitute", table, seat.name, f"somebody has agreed, {days_of(wish)}")
    values = {"game": table.game, "seat": seat.name, "days": days_of(wish), "clock": clock_words(table, seat, work.now)}
    title = subject(table, f"{seat.name}: a substitute has agreed")
    text = render("substitute_agreed.txt", values)
    mail_to_seat(work, table, seat, Draft("notice", f"substitute {wish.id} agreed", title, text, owed=True))
    sentence = (
        f"Thank you: you play {seat.name} in {table.game.name}, {days_of(wish)}. When that begins you get a mail with all that "
        "you need; until then you have nothing to do."
    )
    return Agreed("you will be a substitute", sentence)


def _tell_others(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, others: list[str]) -> None:
    for place, address in enumerate(others):
        text = render("seat_taken.txt", {"game": table.game, "seat": seat.name})
        title = subject(table, f"{seat.name} has a substitute")
        mail_to(work, address, Draft("notice", f"substitute {wish.id} taken {place}", title, text, owed=True), table)


def decline(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """Somebody says that they do not play a seat for a while. If its player wanted nobody else, that is the end of the wish."""
    wish = wish_of(work, table, seat)
    if wish is None or wish.state is not SubstitutionState.WANTED or not wish.named:
        return
    key, named = f"substitute {wish.id} no", wish.named
    close_wish(work, table, wish)
    work.log("substitute", table, seat.name, "the one who was asked said no")
    text = (
        f"{named} does not want to play {seat.name} for you. The seat stays yours, and nobody else is asked. SUBSTITUTE FROM … "
        "TO … asks those who stand by."
    )
    tell(work, table, [seat], Notice(key, "no substitute yet", text))


# --- The clock --------------------------------------------------------------------------------------------------------------


def look(work: Transaction, table: OpenGame) -> None:
    """Do what is due about the wishes of a game, as it was to be done at that instant."""
    at, by_id = table.game.substitutes_at, {seat.id: seat for seat in table.seats}
    due = [wish for wish in wishes_in(work, table) if at and wish.look_at and wish.look_at <= at]
    for wish in due:
        _look_at(work, table, by_id[wish.seat_id], wish, at or work.now)
    note_looks(work, table)


def _look_at(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, at: datetime) -> None:
    begins, ends = begins_at(table, wish, seat), ends_at(table, wish, seat)
    if wish.state is SubstitutionState.PLAYING and ends <= at:
        give_back(work, table, seat, wish, "the last day is over")
    elif wish.state is SubstitutionState.PLAYING:
        wish.look_at = ends
    elif ends <= at:
        _give_up_looking(work, table, seat, wish)
    elif wish.state is SubstitutionState.AGREED and begins <= at:
        _begin(work, table, seat, wish)
    elif wish.state is SubstitutionState.AGREED:
        wish.look_at = begins
    else:
        _ask_standing_by(work, table, seat, wish, at)
        if not wish.warned and _warned_at(table, wish, seat) <= at:
            _warn(work, table, seat, wish)
        wish.look_at = _next_look(table, wish, seat, at)


def _next_look(table: OpenGame, wish: Substitution, seat: Seat, at: datetime) -> datetime:
    """When the clock looks at a wish again for which nobody has agreed yet."""
    begins, ends = begins_at(table, wish, seat), ends_at(table, wish, seat)
    warned = [] if wish.warned else [_warned_at(table, wish, seat)]
    asked = [] if wish.named else [max(begins - ASKED_BEFORE, at + _A_DAY)]
    return min(each for each in (*warned, *asked, ends) if each > at or each == ends)


def _warned_at(table: OpenGame, wish: Substitution, seat: Seat) -> datetime:
    return max(begins_at(table, wish, seat) - _WARNED_BEFORE, wish.asked_at + _A_DAY)


def _begin(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution) -> None:
    try:
        if _plays_here(work, table, seat, wish.address):
            raise Refused("whoever agreed to it has another seat in the game by now")
        begin(work, table, seat, wish)
    except Refused as refusal:
        key = f"substitute {wish.id} not"
        drop_wish(work, table, seat)
        work.log("substitute", table, seat.name, f"could not begin: {refusal}")
        text = "The seat stays yours: it could not go to the substitute who had agreed. SUBSTITUTE asks for another."
        tell(work, table, [seat], Notice(key, "your substitute cannot play", text))


def _warn(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution) -> None:
    wish.warned = True
    work.log("substitute", table, seat.name, f"nobody has agreed yet, {days_of(wish)}")
    text = (
        f"Nobody has agreed so far to play {seat.name} for you, {days_of(wish)}. The seat stays yours: please send your orders "
        "yourself, as long as no mail says that a substitute has it. Your wish goes on standing until the last day. ABSENT "
        "says when you are away; CANCEL SUBSTITUTE takes the wish back."
    )
    tell(work, table, [seat], Notice(f"substitute {wish.id} nobody", "no substitute yet", text))


def _give_up_looking(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution) -> None:
    key, days = f"substitute {wish.id} never", days_of(wish)
    drop_wish(work, table, seat)
    work.log("substitute", table, seat.name, f"nobody was found, {days}")
    text = f"Nobody was found who would play {seat.name} for you, {days}. That time is over now, and nobody is asked any more."
    tell(work, table, [seat], Notice(key, "no substitute was found", text))

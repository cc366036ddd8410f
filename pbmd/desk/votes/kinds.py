"""What players can vote on, one row of `KINDS` each: how it is written, whether it is possible now, and what is done when it
has passed: what the game master could have done, with the same words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.books.votes import with_vote
from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.changes.gm import End, end_game
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.questions.seat_offers import offer_seat, would_be_asked
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.ledger.entries.vote_entries import CANCELLED, DRAWN, VOTE, ProposedEntry
from pbmd.ledger.tables import GameStatus, Seat, SeatState, Vote
from pbmd.rendering.notice_sentences import GM_RESUMES
from pbmd.rendering.vote_words import length_in, until_in
from pbmd.rules.names import match_name
from pbmd.rules.protocol import Refused
from pbmd.rules.words import listing
from pbmd.terms.days import parse_coming_day_or_moment
from pbmd.terms.times import describe_time, parse_duration

LONGEST = timedelta(days=92)
"""Of a pause, and of more time."""
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is proposed: the seat that it is about, how long, or until when."""

    about: str = ""
    length: timedelta | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A vote that has passed, and the sentence that says so to the players."""

    vote: Vote
    said: ProposedEntry
    words: str


@dataclass(frozen=True, slots=True)
class Kind:
    """See the module. `read` gets the words of the proposal, and raises `Refused` and `TimeError`; `may_be_put` raises
    `Refused` if it makes no sense to vote on that now, and `must_be_possible` if it cannot be done."""

    name: str
    usage: str
    pattern: re.Pattern[str]
    read: Callable[[Transaction, OpenGame, Seat, Mapping[str, str]], Wish]
    may_be_put: Callable[[Transaction, OpenGame, Wish], None]
    must_be_possible: Callable[[Transaction, OpenGame, Wish], None]
    carry_out: Callable[[Transaction, OpenGame, Passed], None]


def wish_in(said: ProposedEntry) -> Wish:
    """What an entry proposes."""
    return Wish(said.about or "", length_in(said), until_in(said))


def kind_in(text: str) -> Kind | None:
    """What is proposed in the words after PROPOSE; None if nobody can vote on that."""
    return next((kind for kind in KINDS.values() if kind.pattern.fullmatch(text.strip())), None)


def kind_of(text: str) -> tuple[Kind, Mapping[str, str]]:
    """What is proposed in the words after PROPOSE, and its own words. Raises `Refused`."""
    if found := kind_in(text):
        words = found.pattern.fullmatch(text.strip())
        return found, {key: value for key, value in words.groupdict().items() if value} if words else {}
    raise Refused(f"nobody can vote on that; you can write {listing((kind.usage for kind in KINDS.values()), 'or')}")


def _nothing_more(_work: Transaction, _table: OpenGame, _seat: Seat, _said: Mapping[str, str]) -> Wish:
    return Wish()


def _must_be_short(length: timedelta) -> timedelta:
    if not timedelta(0) < length <= LONGEST:
        raise Refused(f"it may be as long as {LONGEST.days} days, and not nothing")
    return length


# A pause


_BEGINS_AT_ONCE = "a pause begins when its vote has passed; say only when it ends, like PROPOSE PAUSE UNTIL 4 January"


def _read_pause(work: Transaction, _table: OpenGame, _seat: Seat, said: Mapping[str, str]) -> Wish:
    if "length" in said:
        return Wish(length=_must_be_short(parse_duration(said["length"])))
    if "days" in said:
        raise Refused(_BEGINS_AT_ONCE)
    if "until" not in said:
        return Wish()
    # Not by the clock of the seat: where its player lives would show who proposes it.
    until = parse_coming_day_or_moment(said["until"], work.now)
    if until > work.now:
        _must_be_short(until - work.now)
    return Wish(until=until)


def _may_pause(work: Transaction, table: OpenGame, wish: Wish) -> None:
    table.must_run()
    if wish.until is not None and wish.until <= work.now:
        raise Refused(f"{describe_time(wish.until)} is over")


def _pause(work: Transaction, table: OpenGame, passed: Passed) -> None:
    wish = wish_in(passed.said)
    until = wish.until or (work.now + wish.length if wish.length else None)
    when = f"The game goes on by itself {describe_time(until)}." if until else GM_RESUMES
    pauses.pause(work, table, passed.words, until=when, by=VOTE)
    passed.vote.due_at = until


# More time


def _read_time(_work: Transaction, _table: OpenGame, _seat: Seat, said: Mapping[str, str]) -> Wish:
    return Wish(length=_must_be_short(parse_duration(said["length"])))


def _may_extend(_work: Transaction, table: OpenGame, _wish: Wish) -> None:
    table.must_run()
    table.must_go_on()
    if table.game.deadline is None:
        raise Refused(f"{table.game.name} has no deadline that could be extended")


def _extend(work: Transaction, table: OpenGame, passed: Passed) -> None:
    length = wish_in(passed.said).length or timedelta(0)
    deadline_changes.extend(work, table, length, VOTE, passed.words)


# Another player for a seat


def _read_seat(_work: Transaction, table: OpenGame, seat: Seat, said: Mapping[str, str]) -> Wish:
    match = match_name(said["seat"], table.seats, lambda each: each.name)
    if match.found is None:
        raise Refused(match.problem(said["seat"], table.ruleset.info.seat_word))
    if match.found is seat:
        raise Refused(f"{seat.name} is your own; RESIGN gives it up, and SUBSTITUTE finds somebody for some days")
    return Wish(about=match.found.name)


def _may_change_hands(_work: Transaction, table: OpenGame, wish: Wish) -> None:
    must_have_begun(table)
    rules = table.ruleset
    if rules.take_over is not None:
        rules.take_over(table.position, wish.about, "")  # only to see whether it is possible
    elif rules.resign is not None and table.seat(wish.about).state is SeatState.RESIGNED:
        raise Refused("in this game a seat that was given up is out of it for good")


def _may_replace(work: Transaction, table: OpenGame, wish: Wish) -> None:
    would_be_asked(work, table, table.seat(wish.about))


def _replace(work: Transaction, table: OpenGame, passed: Passed) -> None:
    name = wish_in(passed.said).about
    count = offer_seat(work, table, name, passed.words, by=VOTE)
    words = f"{name} is offered to {count} on the standby list. The first to say yes plays it from then on. {passed.words}"
    others = [seat for seat in table.seats if seat.name != name]
    tell(
        work,
        table,
        others,
        Notice(f"vote {table.id} {passed.vote.number} passed", f"{name} is offered to others", words),
    )


# The end


def _may_end(_work: Transaction, table: OpenGame, _wish: Wish) -> None:
    if table.game.status not in (GameStatus.RUNNING, GameStatus.PAUSED):
        raise Refused(f"{table.game.name} is over already")


def _draw(work: Transaction, table: OpenGame, passed: Passed) -> None:
    shared = with_vote(table, passed.said)  # who is asleep has no say in it, and has their part of it
    end_game(work, table, End(DRAWN, passed.words, shared))


def _cancel(work: Transaction, table: OpenGame, passed: Passed) -> None:
    end_game(work, table, End(CANCELLED, passed.words))


_TO_THE_END = r"(?P<length>(?:\d|an? |one |two |three |four ).{0,40})"
KINDS: Mapping[str, Kind] = {
    "pause": Kind(
        "pause",
        "PROPOSE PAUSE [FOR 14 days | UNTIL 2027-01-04]",
        re.compile(
            r"(?:an? |to )?pause(?: the game)?(?: (?:(?:un)?till?|to) (?P<until>.{1,60})"
            r"|(?P<days> from .{1,80}| .{1,40} (?:from|to|until|till|through|[-\u2013]) .{1,40})"
            rf"|(?: for| of)? {_TO_THE_END})?",
            re.IGNORECASE,
        ),
        _read_pause,
        _may_pause,
        _may_pause,
        _pause,
    ),
    "extension": Kind(
        "extension",
        "PROPOSE EXTENSION 48h",
        re.compile(
            r"(?:(?:an? )?extension|(?:to )?extend(?:ing)?|more time)(?: (?:of )?the deadline)?(?: of| by|:)? " + _TO_THE_END,
            re.IGNORECASE,
        ),
        _read_time,
        _may_extend,
        _may_extend,
        _extend,
    ),
    "replace": Kind(
        "replace",
        "PROPOSE REPLACE <seat>",
        re.compile(r"(?:to )?replac(?:e|ing) (?P<seat>.{1,100})", re.IGNORECASE),
        _read_seat,
        _may_change_hands,
        _may_replace,
        _replace,
    ),
    "draw": Kind(
        "draw",
        "PROPOSE DRAW",
        re.compile(r"(?:an? |to )?draw", re.IGNORECASE),
        _nothing_more,
        _may_end,
        _may_end,
        _draw,
    ),
    "cancel": Kind(
        "cancel",
        "PROPOSE CANCEL",
        re.compile(r"(?:to )?cancel(?:l?ing)?(?: the game)?", re.IGNORECASE),
        _nothing_more,
        _may_end,
        _may_end,
        _cancel,
    ),
}

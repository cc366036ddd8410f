"""What a player says of themselves: their time zone, when they are away, whether they want invitations to deadlines, and what
is to come with their reports."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from sqlmodel import func, select

from pbmd.desk.books.attendance import played_by, played_words
from pbmd.desk.books.report_files import JSON, SVG, wanted, wants
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import set_timezone
from pbmd.desk.deadlines.extension_budget import extension_budget
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import Notice, tell
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.step.absences import announced, days_left, end_absences, mind_absences, sentences, today_of, words_of
from pbmd.ledger.entries.player_entries import AbsentEntry, AnnouncedAbsence, EndedAbsence, PresentEntry
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Absence, GameStatus, Seat
from pbmd.rendering.entry_notices import notices_of
from pbmd.rules.protocol import Refused
from pbmd.terms.days import parse_time_away
from pbmd.terms.times import TimeError, all_year_remark, describe_duration, describe_time, named_zone

_MOST_DAYS = 92
_AHEAD = timedelta(days=400)
_AT_ONCE = 5
"""So many absences a seat may have announced that are not over,"""
_IN_A_MONTH = 10
"""and so many it may announce in thirty days: each is a mail to all."""


def timezone(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """TIMEZONE."""
    seat = sender.seat
    try:
        name = named_zone(command.words["zone"])
    except TimeError as problem:
        answer.refuse("TIMEZONE", problem)
        return
    if name != seat.timezone:
        set_timezone(work, sender.table, seat, name)
    remark = all_year_remark(name, "times in it are an hour behind yours in summer")
    answer.remark(f"Your time zone is {name}. It is {describe_time(work.now, name)}. {remark}".rstrip())


def record(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """RECORD: only who gets the mails of a seat reads it, whoever else may have written this one."""
    answer.remark(played_words(played_by(work, sender.seat.address)))


def absent(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """ABSENT FROM … TO …"""
    table, seat = sender.table, sender.seat
    try:
        days = parse_time_away(command.words["first"], command.words.get("last", ""), today_of(work, table, seat))
        absence = _announce(work, table, seat, *days)
    except (TimeError, Refused) as problem:
        answer.refuse("ABSENT", problem)
        return
    policy, words = table.terms.absences, words_of(absence)
    told = policy != "gm"
    entry = _absence_entry(work, table, seat, absence, public=told)
    number = work.journal(table, entry)
    work.log("absent", table, seat.name, words)
    notes = mind_absences(work, table) if table.game.status is GameStatus.RUNNING else []
    if told:
        _tell_others(work, table, seat, number, entry, *sentences(notes))
    else:
        text = render("absent.txt", {"game": table.game, "seat": seat.name, "words": words})
        tell_gm(work, Draft("alarm", f"absent {table.id} {number}", subject(table, f"{seat.name} is away"), text), table)
    answer.remark(f"You are away {words}. {_TOLD[policy]}")
    for sentence in sentences(notes, seat):
        answer.remark(sentence)
    if policy == "extend":
        left = days_left(table, seat)
        answer.remark(f"A deadline on one of these days moves to the next after them; {left} days are left to you for that.")


_TOLD = {
    "gm": "The game master knows, and nobody else is told. Deadlines stay as they are.",
    "tell": "All players are told. Deadlines stay as they are: EXTEND asks for more time.",
    "extend": "All players are told.",
}


def _announce(work: Transaction, table: OpenGame, seat: Seat, first: date, last: date) -> Absence:
    """Note an absence. Raises `Refused`."""
    today = today_of(work, table, seat)
    if table.game.status is GameStatus.FINISHED:
        raise Refused(f"{table.game.name} is over")
    if table.terms.absences == "none":
        raise Refused("in this game nobody is told of absences; EXTEND asks for more time")
    _must_be_near(first, last, today)
    _must_be_new(work, table, seat, first, last)
    assert seat.id is not None
    absence = Absence(game_id=table.id, seat_id=seat.id, first=max(first, today), last=last, told_at=work.now)
    work.session.add(absence)
    work.session.flush()
    return absence


def _absence_entry(work: Transaction, table: OpenGame, seat: Seat, absence: Absence, *, public: bool) -> AbsentEntry:
    """Who is away and when stands in one of the two parts."""
    turn, cause = table.game.turn, work.cause or None
    first, last = absence.first.isoformat(), absence.last.isoformat()
    if public:
        return AbsentEntry(turn=turn, seat=seat.name, first=first, last=last, sealed=AnnouncedAbsence(cause=cause))
    return AbsentEntry(turn=turn, sealed=AnnouncedAbsence(cause=cause, seat=seat.name, first=first, last=last))


def _must_be_near(first: date, last: date, today: date) -> None:
    """An absence is not over, not too long and not too far ahead. Raises `Refused`."""
    if last < today:
        raise Refused("these days are over")
    if (last - first).days >= _MOST_DAYS or first - today > _AHEAD:
        raise Refused(f"an absence has at most {_MOST_DAYS} days, and begins within {_AHEAD.days}")


def _must_be_new(work: Transaction, table: OpenGame, seat: Seat, first: date, last: date) -> None:
    """A seat has not announced these days before, nor too much else. Raises `Refused`."""
    others = announced(work, table, seat)
    if overlapping := next((each for each in others if each.first <= last and first <= each.last), None):
        raise Refused(f"you have said already that you are away {words_of(overlapping)}; CANCEL ABSENCE takes that back")
    announced_lately = select(func.count()).where(
        Absence.seat_id == seat.id, lately(Absence.told_at, work.now, timedelta(days=30))
    )
    if len(others) >= _AT_ONCE or work.session.exec(announced_lately).one() >= _IN_A_MONTH:
        raise Refused("you have announced too many absences; wait until some are over")


def present(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """CANCEL ABSENCE: of what was announced, nothing holds any more. Deadlines that have moved stay."""
    table, seat = sender.table, sender.seat
    ended = end_absences(work, table, seat)
    if not ended:
        answer.remark("CANCEL ABSENCE: you had not said that you are away.")
        return
    told = table.terms.absences in ("tell", "extend")
    sealed = EndedAbsence(cause=work.cause or None, who=seat.name)
    entry = PresentEntry(turn=table.game.turn, seat=seat.name if told else None, sealed=sealed)
    number = work.journal(table, entry)
    work.log("present", table, seat.name)
    _tell_others(work, table, seat, number, entry)
    answer.remark("Your absence is cancelled. Deadlines that have moved because of it stay where they are.")


def away_words(work: Transaction, table: OpenGame, seat: Seat) -> list[str]:
    """Who is away and when, as far as this seat may know."""
    by_id = {each.id: each for each in table.seats}
    known = announced(work, table, seat if table.terms.absences in ("none", "gm") else None)
    return [f"{'you' if by_id[each.seat_id] is seat else by_id[each.seat_id].name}: {words_of(each)}" for each in known]


def left_words(work: Transaction, table: OpenGame, seat: Seat) -> list[str]:
    """What a seat may still take of time without asking the game master."""
    budget = extension_budget(work, table, seat)
    words = [f"{describe_duration(budget)} left without asking: EXTEND 24h"] if budget > timedelta(0) else []
    if table.terms.absences == "extend":
        words.append(f"absences may move deadlines by {days_left(table, seat)} days")
    return words


def _tell_others(
    work: Transaction, table: OpenGame, seat: Seat, number: int, entry: AbsentEntry | PresentEntry, *more: str
) -> None:
    others = [other for other in table.seats if other is not seat]
    for told in notices_of(entry):
        tell(work, table, others, Notice(f"notice {table.id} {number}", told.headline, " ".join((told.words, *more))))


def calendar(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """CALENDAR ON or OFF. The answer brings the invitation, or what takes it out of the calendar."""
    seat, on = sender.seat, command.words["state"].lower() == "on"
    seat.calendar = on
    work.log("calendar", sender.table, seat.name, "on" if on else "off")
    if on:
        answer.remark(
            "The mails that tell of a deadline have it for your calendar, too, from this one on. One entry stands there for "
            "this game and moves along; you need not answer it."
        )
    else:
        answer.remark("The mails have nothing for your calendar any more. If an entry stands there, this one takes it out.")


def set_report(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """SET REPORT: what comes with the seat's reports from the next one on."""
    seat, said = sender.seat, " ".join(command.words["files"].lower().split())
    seat.report_files = _SET[said](seat)
    work.log("report-files", sender.table, seat.name, seat.report_files or "png")
    with_map = sender.table.ruleset.info.map
    picture = "the map as a drawing (SVG), if it is not too large, else as a picture (PNG)" if wants(seat, SVG) else _AS_PNG
    more = "; and report.json, for programs" if wants(seat, JSON) else ""
    answer.remark(
        f"With your reports comes, from the next one on: {picture if with_map else 'no map, as this game has none'}{more}."
    )


_AS_PNG = "the map as a picture (PNG)"
_SET: Mapping[str, Callable[[Seat], str]] = {
    "svg": lambda seat: wanted(seat, SVG, on=True),
    "png": lambda seat: wanted(seat, SVG, on=False),
    "data": lambda seat: wanted(seat, JSON, on=True),
    "no data": lambda seat: wanted(seat, JSON, on=False),
    # What it was called up to 1.0.
    "json": lambda seat: wanted(seat, JSON, on=True),
    "no json": lambda seat: wanted(seat, JSON, on=False),
}

"""The clock of a game as who may sets it: more time, pause and resume, another deadline, the end of the step."""

import json
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, func, select

from pbmd.desk.books.deadlines import (
    move_deadlines,
    move_own_deadlines,
    not_missed,
    sealed_deadlines,
    sealed_since,
    with_part,
    written_deadline,
)
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.next_deadline import first_deadline
from pbmd.desk.deadlines.proof import AS_IT_IS, differences, look_anew, must_be_proved, secrets_hold
from pbmd.desk.deadlines.trusted_clock import must_be_trusted
from pbmd.desk.deadlines.unread_letters import ask_soon
from pbmd.desk.mail.notice import GM, Notice, sealed_cause, tell
from pbmd.desk.step import resolve
from pbmd.desk.step.absences import mind_absences, sentences
from pbmd.desk.step.dice_secrets import promise_anew
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.step.stop import halt
from pbmd.desk.unreadable.unsettled import must_be_readable, of_game, settle, unsettled_of
from pbmd.ledger.digests import NONE
from pbmd.ledger.tables import GameStatus, JournalEntry, Letter, LetterState, Seat, SeatState
from pbmd.rules.options import complete
from pbmd.rules.protocol import Refused
from pbmd.rules.words import capital
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import LONGEST, TimeError, describe_duration, describe_time, next_deadline, parse_duration, parse_moment


def extend(work: Transaction, table: OpenGame, length: timedelta, by: str, reason: str = "", seat: Seat | None = None) -> None:
    """Move the deadline, of one seat or of the game, and tell everybody whose deadline it is. A step that was closed and is
    not resolved yet is open again if there is more time for all. Raises `Refused`.

    Who has missed this step's deadline keeps the one that was missed: the turn waits for them no more.
    """
    must_run(table)
    table.must_go_on()
    plain = _running_deadline(table, seat) + length
    at = allowed(table.terms, plain)
    extended = [seat] if seat else not_missed(table)
    if seat is not None:
        seat.deadline = at
    else:
        table.game.closed_at = None
        move_deadlines(table, lambda deadline: allowed(table.terms, deadline + length))
    told = describe_duration(length)
    on = ", and on over quiet days" if at != plain else ""
    words = f"{told} more, by {by}{on}"
    number = work.journal(
        table,
        "extended",
        {
            "turn": table.game.turn,
            "step": table.game.step,
            "minutes": int(length.total_seconds() // 60),
            "by": by,
            "reason": reason,
            "seat": seat.name if seat else "",
            "deadline": written_deadline(at),
        },
        sealed_cause(work) | sealed_deadlines(table),
    )
    work.log("extended", table, seat.name if seat else "-", f"{words}: {reason}" if reason else words)
    words = f"{capital(by)} {'gave' if by == GM else 'took'} {told} more{on}."
    if seat is not None and (holds := hold_for(work, table, seat)):
        words = f"{words} {holds}"
    headline = f"the deadline is {told} later"
    tell(
        work, table, extended, Notice(f"notice {table.id} {number}", headline, words, reason, due=f"{headline}: {{due}}", by=by)
    )


def hold_for(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """Who was given more time has the step wait for them: until they have sent orders from now on, or say READY, it does not
    end early, whatever is on file. Gives the sentence for them, empty where a step does not end early.

    The journal has it whether there are orders on file or not, and whether they wait already: that is for nobody to see.
    """
    playing = seat.state is SeatState.ACTIVE and seat.missed_step != table.game.step and seat.name in with_part(table)
    if table.ruleset.sequential or not table.terms.early or not playing:
        return ""
    seat.waits_for_orders = seat.waits_for_orders or not seat.waits
    seat.waits = True
    said = {"seat": seat.name, "arrived": work.as_of.isoformat(), "until": "orders"}
    work.journal(table, "wait", {"turn": table.game.turn, "step": table.game.step}, said)
    return f"{table.game.step_name.capitalize() or 'The turn'} stays open until then, unless you send orders again or READY."


def _running_deadline(table: OpenGame, seat: Seat | None) -> datetime:
    """The deadline of this step that is to be moved, that of the game if no seat is named. Raises `Refused` if none runs."""
    game = table.game
    if game.deadline is None:
        raise Refused(f"{game.name} has no deadline that could be extended")
    if seat is None:
        return game.deadline
    if seat.missed_step == game.step:
        raise Refused(f"{seat.name} has missed the deadline of {game.step_called} already")
    if seat.name not in with_part(table):
        if table.ruleset.sequential:
            raise Refused(f"it is not {seat.name}'s move, so it has no deadline")
        raise Refused(f"{game.step_called} does not wait for orders of {seat.name}, so it has no deadline")
    return seat.deadline or game.deadline


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
    entries = select(JournalEntry.public).where(JournalEntry.game_id == table.id, JournalEntry.kind == "extended")
    before = [entry for entry in map(json.loads, work.session.exec(entries)) if entry["seat"] == seat.name]
    if any(table.game.turn - entry["turn"] <= int(options[clock.extension_gap]) for entry in before):
        return timedelta(0)
    return timedelta(hours=int(options[clock.extension_hours]))


def pause(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """Stop the clock. Orders are still taken. Raises `Refused`."""
    must_be_readable(work, table)
    must_run(table)
    table.game.status, table.game.paused_at, table.game.closed_at = GameStatus.PAUSED, work.as_of, None
    number = work.journal(table, "paused", {"turn": table.game.turn, "reason": reason}, sealed_cause(work) | sealed_since(work))
    work.log("paused", table, detail=reason)
    words = "You can still send orders. The clock goes on when the game master resumes the game."
    tell(work, table, table.seats, Notice(f"notice {table.id} {number}", "the game is paused", words, reason))


def resume(work: Transaction, table: OpenGame, reason: str = "", *, as_it_is: bool = False) -> None:
    """Let the clock run on; all deadlines move by the time that it stood, and everybody is told, with the reason if there is
    one. Letters of the game that were put aside because of a defect are dealt with again. Raises `BrokenGame` for a game that
    could not go on, and `Refused`, also as long as the clock is in doubt: then nobody knows how long. `as_it_is`: also if
    something in its books could not be read, or is not what was written, which everybody is told, too; then also if the game
    has not begun."""
    game = table.game
    if as_it_is and game.status is GameStatus.SIGNUP:
        _go_on_with_signup(work, table, reason)
        return
    _must_stand(work, table, as_it_is=as_it_is)
    accepted = _prove_or_accept(work, table, as_it_is=as_it_is)
    must_be_trusted(work)
    stood = max(work.now - (game.paused_at or work.now), timedelta(0))
    game.status, game.paused_at = GameStatus.RUNNING, None
    _move_by_what_it_stood(table, stood, work.now)
    public: dict[str, Any] = {
        "turn": game.turn,
        "stood_seconds": int(stood.total_seconds()),
        "deadline": written_deadline(game.deadline),
    }
    public |= ({"reason": reason} if reason else {}) | ({AS_IT_IS: accepted} if accepted else {})
    number = work.journal(table, "resumed", public, sealed_cause(work) | sealed_deadlines(table))
    work.log(
        "resumed",
        table,
        detail=f"after {describe_duration(stood)}; deadline {describe_time(game.deadline)}" if game.deadline else "",
    )
    away = mind_absences(work, table)
    for seat in table.seats:
        words = " ".join(
            [
                "All deadlines have moved by as long as it was paused.",
                *sentences(away, seat),
                *([_AS_IT_IS] if accepted else []),
            ]
        )
        notice = Notice(
            f"notice {table.id} {number}", "the game has resumed", words, reason, due="the game has resumed, due {due}"
        )
        tell(work, table, [seat], notice)
    _promise_what_is_lost(work, table, accepted)
    if not _retry_put_aside(work, table):
        # What came while the clock stood; letters that were put aside come before it.
        carry_on(work, table, begins=True)


def _must_stand(work: Transaction, table: OpenGame, *, as_it_is: bool) -> None:
    """A game that is to go on `as_it_is` is stopped if its books are not what was written and nobody has come upon it yet.
    Raises `Refused` for one that runs."""
    if table.game.status is GameStatus.RUNNING and as_it_is and differences(work, table):
        halt(work, table)
    if table.game.status is not GameStatus.PAUSED:
        raise Refused(f"{table.game.name} is not paused")


def _go_on_with_signup(work: Transaction, table: OpenGame, reason: str) -> None:
    """A game that has not begun can begin with its books as they are, and those who have a seat are told. Raises `BrokenGame`,
    and `Refused` if its books are what was written."""
    game = table.game
    accepted = _prove_or_accept(work, table, as_it_is=True)
    if not accepted:
        raise Refused(f"{game.name} has not begun, and its books are what pbmd wrote: pbmd start {game.name} begins it")
    public = {"turn": game.turn, **({"reason": reason} if reason else {}), AS_IT_IS: accepted}
    number = work.journal(table, "resumed", public, sealed_cause(work))
    work.log("resumed", table, detail="the sign-up goes on")
    notice = Notice(f"notice {table.id} {number}", "the sign-up goes on", f"The sign-up goes on. {_AS_IT_IS}", reason)
    tell(work, table, table.seats, notice)
    _promise_what_is_lost(work, table, accepted)
    _retry_put_aside(work, table)


def _promise_what_is_lost(work: Transaction, table: OpenGame, accepted: list[str]) -> None:
    if accepted and not secrets_hold(work, table):
        promise_anew(work, table, "what had been promised for them is lost from the books of this game")


_AS_IT_IS = (
    "Something in the records of this game could not be read, or was not what pbmd had written: the disk or somebody changed "
    "it. The game master has decided to go on with it as it is."
)


def _prove_or_accept(work: Transaction, table: OpenGame, *, as_it_is: bool) -> list[str]:
    """Whether the books of a game are what was written, or what is accepted `as_it_is`. Raises `BrokenGame` and `Refused`."""
    look_anew(table)
    accepted = _accept(work, table) if as_it_is else []
    table.must_go_on()
    if not accepted:
        must_be_readable(work, table)
        must_be_proved(work, table)
    return accepted


def _accept(work: Transaction, table: OpenGame) -> list[str]:
    """What could not be read, or is not what was written, holds nothing up any more; gives what it is, in words for everybody.
    A deadline that was lost begins anew."""
    lost, altered = unsettled_of(work, table), differences(work, table)
    settle(work, *of_game(table))
    lost_deadline = any((value.of_table, value.of_column) == ("game", "deadline") for value in lost)
    if lost_deadline and table.game.deadline is None and table.game.status is not GameStatus.SIGNUP:
        table.game.deadline = first_deadline(table, work.now)
    if altered:
        work.go_on_from_newest(table)
        table.altered, table.game.digests = (), NONE
    return [*sorted({f"{value.of_table}.{value.of_column}" for value in lost}), *altered]


def _move_by_what_it_stood(table: OpenGame, stood: timedelta, now: datetime) -> None:
    """Move all that the clock of a game measures, now that it runs again."""
    game = table.game
    game.deadline = game.deadline and allowed(table.terms, game.deadline + stood)
    for seat in table.seats:
        seat.deadline = seat.deadline and allowed(table.terms, seat.deadline + stood)
        # Of what was settled while the clock stood, only the rest.
        seat.settled_at = seat.settled_at and min(seat.settled_at + stood, now)


def _retry_put_aside(work: Transaction, table: OpenGame) -> bool:
    """Let the letters of a game that were put aside be dealt with again; gives whether there were any."""
    aside = col(Letter.game_id) == table.id, col(Letter.state) == LetterState.QUARANTINED
    quarantined = work.session.exec(select(Letter.id).where(*aside)).all()
    for letter_id in quarantined:
        retry(work, letter_id or 0, table)
    return bool(quarantined)


def retry(work: Transaction, letter_id: int, table: OpenGame | None = None) -> None:
    """Let a letter that was put aside be dealt with again, as if it had only now been stored. Raises `Refused`."""
    letter = work.session.get(Letter, letter_id)
    if letter is None:
        raise Refused(f"there is no letter {letter_id}")
    if letter.state is not LetterState.QUARANTINED:
        raise Refused(f"letter {letter_id} was not put aside, so it cannot be tried again")
    if not letter.raw:
        if not ask_soon(work, letter_id):
            raise Refused(f"letter {letter_id} never came with its text, so it cannot be tried again")
        work.log("retried", table, detail=f"letter {letter_id}: the mail server is asked for it")
        return
    letter.state, letter.note, letter.game_id, letter.seat_id = LetterState.NEW, "", None, None
    work.log("retried", table, detail=f"letter {letter_id}")


def resolve_now(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """Resolve the step without waiting for anybody: the GM's decision. Raises `Refused`, also while letters that are in the
    ledger are not dealt with: their senders would be told that no mail had come."""
    must_run(table)
    must_be_trusted(work)
    # Those that are of a game already wait for what is done here (`pbmd.desk.letter.arrival_queue`).
    new = select(Letter.id).where(Letter.state == LetterState.NEW, func.coalesce(Letter.game_id, 0) == 0)
    if work.session.exec(new.limit(1)).first() is not None:
        raise Refused("letters are being dealt with; try again in a moment")
    enter_closing(work, table, reason)
    resolve.close_for_missing(work, table)
    if table.ruleset.sequential:
        carry_on(work, table)
    else:
        resolve.carry_out(work, table, resolve.CLOSED)


def enter_closing(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """The journal says that the game master closes the step: else nobody could tell it from one whose deadline was cut. If they
    have said why, all players are told."""
    public = {"turn": table.game.turn, "step": table.game.step, "by": "the game master"}
    public |= {"reason": reason} if reason else {}
    number = work.journal(table, "closed", public, sealed_cause(work) | sealed_since(work))
    if reason:
        words = f"{GM.capitalize()} is ending {table.game.step_called} now, without waiting for anybody."
        tell(work, table, table.seats, Notice(f"notice {table.id} {number}", "no more waiting", words, reason))


def must_run(table: OpenGame) -> None:
    """The clock of the game must be running. Raises `Refused`."""
    status = table.game.status
    if status is not GameStatus.RUNNING:
        words = {"signup": "has not begun", "paused": "is paused", "finished": "is over"}
        raise Refused(f"{table.game.name} {words[status.value]}")


def moment(text: str, now: datetime, zone_name: str) -> datetime:
    """A point in time as a game master writes it: ``2026-11-27 20:00``, ``Friday 20:00``, ``in 36h``; in UTC. Raises
    `TimeError`."""
    words = text.strip()
    if words.lower().startswith("in "):
        return now + parse_duration(words[3:])
    for written in (words, f"{words} {zone_name}"):
        try:
            return next_deadline(f"every {written}", now) if words[:1].isalpha() else parse_moment(words, zone_name)
        except TimeError as problem:
            trouble = problem
    raise TimeError(f'"{words[:40]}" is no point in time; write it like 2026-11-27 20:00, Friday 20:00 or in 36h') from trouble


def set_deadline(work: Transaction, table: OpenGame, at: datetime, reason: str = "") -> None:
    """The deadline of the current turn is at this instant, for all who have not missed it. Raises `Refused`."""
    game = table.game
    must_run(table)
    table.must_go_on()
    if at <= work.now:
        raise Refused(f"{describe_time(at)} is over; RESOLVE ends the turn now")
    if at - work.now > LONGEST:
        raise Refused(f"{describe_time(at)} is too far away; ten years are the most")
    # Who was granted more time keeps what is beyond the new deadline.
    move_own_deadlines(table, lambda own: own if own > at else None)
    game.deadline, game.closed_at = at, None
    public = {"turn": game.turn, "deadline": written_deadline(at), "by": GM, "reason": reason}
    number = work.journal(table, "deadline", public, sealed_cause(work) | sealed_deadlines(table))
    work.log("deadline", table, detail=describe_time(at) + (f": {reason}" if reason else ""))
    text = f"{GM.capitalize()} has set a new deadline for {game.step_called}."
    notice = Notice(f"notice {table.id} {number}", "a new deadline", text, reason, due="the new deadline: {due}")
    tell(work, table, not_missed(table), notice)


def close_step(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """The current step is to be resolved as soon as all mail is known that had arrived by now, whoever is missing. Raises
    `Refused`."""
    game = table.game
    must_run(table)
    table.must_go_on()
    must_be_trusted(work)
    game.closed_at = work.as_of
    enter_closing(work, table, reason)
    work.log("closed", table, detail="the turn is resolved without waiting for anybody")

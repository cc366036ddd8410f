"""A game is paused and resumed, even if its records were altered."""

from datetime import datetime, timedelta

from pbmd.desk.books.deadlines import sealed_deadlines, sealed_since
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.letters_put_aside import retry_all_of
from pbmd.desk.deadlines.next_deadline import deadline_after_pause, first_deadline
from pbmd.desk.deadlines.proof import differences, look_anew, must_be_proved, secrets_hold
from pbmd.desk.deadlines.trusted_clock import must_be_trusted
from pbmd.desk.mail.notice import GM, Notice, in_words_of, tell
from pbmd.desk.step.absences import mind_absences, sentences
from pbmd.desk.step.dice_secrets import promise_anew
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.step.stop import halt
from pbmd.desk.unreadable.unsettled import must_be_readable, of_game, settle, unsettled_of
from pbmd.ledger.digests import NONE
from pbmd.ledger.entries.master_entries import PausedEntry, ResumedEntry
from pbmd.ledger.entries.parts import MovedDeadlines
from pbmd.ledger.entries.vote_entries import VOTE
from pbmd.ledger.journal import written_deadline
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.entry_notices import notices_of
from pbmd.rendering.notice_sentences import AS_IT_IS, AS_LONG, GM_RESUMES, SIGN_UP_GOES_ON, STILL_SEND, TO_THE_CALENDAR
from pbmd.rules.protocol import Refused
from pbmd.terms.quiet_days import allowed
from pbmd.terms.times import describe_duration, describe_time


def pause(work: Transaction, table: OpenGame, reason: str = "", *, until: str = GM_RESUMES, by: str = GM) -> None:
    """Stop the clock, as decided `by` whom. Orders are still accepted. `until` says when it goes on. Raises `Refused`."""
    must_be_readable(work, table)
    table.must_run()
    table.game.status, table.game.paused_at, table.game.closed_at = GameStatus.PAUSED, work.as_of, None
    entry = PausedEntry(turn=table.game.turn, by=_voted(by), reason=reason, sealed=sealed_since(work, work.cause))
    number = work.journal(table, entry)
    work.log("paused", table, detail=reason)
    words, why = in_words_of(by, f"{STILL_SEND} {until}", reason)
    for told in notices_of(entry):
        tell(work, table, table.seats, Notice(f"notice {table.id} {number}", told.headline, words, why, by=by))


def _voted(by: str) -> str | None:
    return by if by == VOTE else None


def resume(work: Transaction, table: OpenGame, reason: str = "", *, as_it_is: bool = False, by: str = GM) -> None:
    """Resume the game; all deadlines move by as long as it was paused, and on to the next slot of a calendar if that was long.
    Everybody gets a mail, with the reason if there is
    one. Letters of the game that were put aside because of a bug are handled again. Raises `BrokenGame` for a game that could
    not go on, and `Refused`, also while the clock is in doubt: then nobody knows how long. `as_it_is`: also if something in its
    records could not be read, or was altered, which everybody is told, too; then also if the game has not begun."""
    game = table.game
    table.clock.forget(game)  # the machine may only have been slow
    if as_it_is and game.status is GameStatus.SIGNUP:
        _go_on_with_signup(work, table, reason)
        return
    _must_stand(work, table, as_it_is=as_it_is)
    accepted = _prove_or_accept(work, table, as_it_is=as_it_is)
    must_be_trusted(work)
    stood = max(work.now - (game.paused_at or work.now), timedelta(0))
    game.status, game.paused_at = GameStatus.RUNNING, None
    moved = _move_by_what_it_stood(table, stood, work.now)
    entry = ResumedEntry(
        turn=game.turn,
        stood_seconds=int(stood.total_seconds()),
        deadline=written_deadline(game.deadline),
        by=_voted(by),
        reason=reason or None,
        as_it_is=tuple(accepted) or None,
        sealed=sealed_deadlines(table, work.cause),
    )
    number = work.journal(table, entry)
    work.log(
        "resumed",
        table,
        detail=f"after {describe_duration(stood)}; deadline {describe_time(game.deadline)}" if game.deadline else "",
    )
    away, headline = mind_absences(work, table), notices_of(entry)[0].headline
    for seat in table.seats:
        words = " ".join(
            [
                AS_LONG if moved == stood else TO_THE_CALENDAR,
                *sentences(away, seat),
                *([AS_IT_IS] if accepted else []),
            ]
        )
        words, why = in_words_of(by, words, reason)
        notice = Notice(f"notice {table.id} {number}", headline, words, why, due=f"{headline}, due {{due}}", by=by)
        tell(work, table, [seat], notice)
    _promise_what_is_lost(work, table, accepted)
    if not retry_all_of(work, table):
        # What came during the pause; letters that were put aside come before it.
        carry_on(work, table, begins=True)


def _must_stand(work: Transaction, table: OpenGame, *, as_it_is: bool) -> None:
    """A game that is to go on `as_it_is` is stopped if its records were altered and nobody has noticed yet. Raises `Refused`
    for one that is running."""
    if table.game.status is GameStatus.RUNNING and as_it_is and differences(work, table):
        halt(work, table)
    if table.game.status is not GameStatus.PAUSED:
        raise Refused(f"{table.game.name} is not paused")


def _go_on_with_signup(work: Transaction, table: OpenGame, reason: str) -> None:
    """A game that has not begun can begin with its records as they are, and those who have a seat get a mail. Raises
    `BrokenGame`, and `Refused` if its records are intact."""
    game = table.game
    accepted = _prove_or_accept(work, table, as_it_is=True)
    if not accepted:
        raise Refused(f"{game.name} has not begun, and its books are what pbmd wrote: pbmd start {game.name} begins it")
    sealed = MovedDeadlines(cause=work.cause or None)
    entry = ResumedEntry(turn=game.turn, reason=reason or None, as_it_is=tuple(accepted), sealed=sealed)
    number = work.journal(table, entry)
    work.log("resumed", table, detail="the sign-up goes on")
    notice = Notice(f"notice {table.id} {number}", notices_of(entry)[0].headline, f"{SIGN_UP_GOES_ON} {AS_IT_IS}", reason)
    tell(work, table, table.seats, notice)
    _promise_what_is_lost(work, table, accepted)
    retry_all_of(work, table)


def _promise_what_is_lost(work: Transaction, table: OpenGame, accepted: list[str]) -> None:
    if accepted and not secrets_hold(work, table):
        promise_anew(work, table, "what had been promised for them is lost from the books of this game")


def _prove_or_accept(work: Transaction, table: OpenGame, *, as_it_is: bool) -> list[str]:
    """Whether the records of a game are intact, or are accepted `as_it_is`. Raises `BrokenGame` and `Refused`."""
    look_anew(table)
    accepted = _accept(work, table) if as_it_is else []
    table.must_go_on()
    if not accepted:
        must_be_readable(work, table)
        must_be_proved(work, table)
    return accepted


def _accept(work: Transaction, table: OpenGame) -> list[str]:
    """What could not be read, or was altered, no longer holds anything up; returns what it is, in words for everybody. A
    deadline that was lost is set anew."""
    lost, altered = unsettled_of(work, table), differences(work, table)
    settle(work, *of_game(table))
    lost_deadline = any((value.of_table, value.of_column) == ("game", "deadline") for value in lost)
    if lost_deadline and table.game.deadline is None and table.game.status is not GameStatus.SIGNUP:
        table.game.deadline = first_deadline(table, work.now)
    if altered:
        work.go_on_from_newest(table)
        table.altered, table.game.digests = (), NONE
    return [*sorted({f"{value.of_table}.{value.of_column}" for value in lost}), *altered]


def _move_by_what_it_stood(table: OpenGame, stood: timedelta, now: datetime) -> timedelta:
    """Move everything that the clock of a game measures, now that it runs again; gives by how much deadlines have moved before
    quiet days were looked at."""
    game, moved = table.game, stood
    if game.deadline:
        later = deadline_after_pause(table, game.deadline, stood)
        moved, game.deadline = later - game.deadline, allowed(table.terms, later)
    for seat in table.seats:
        seat.deadline = seat.deadline and allowed(table.terms, seat.deadline + moved)
        # Of what was settled during the pause, only the rest.
        seat.settled_at = seat.settled_at and min(seat.settled_at + stood, now)
    return moved

"""What only the game master does to a game, besides the acts of `pbmd.desk.games`: whichever way the word comes.

Each function works within the caller's transaction, writes the journal and the log, and tells the players. `Refused` carries a
sentence for the game master.
"""

import json
from datetime import datetime

from pbmd.desk.chance import forget, opened
from pbmd.desk.clock import reschedule
from pbmd.desk.deadlines import sealed_deadlines, written_deadline
from pbmd.desk.games import enter_closing, must_run, sealed_cause, tell
from pbmd.desk.mails import Draft, render, subject, tell_gm
from pbmd.desk.press import pass_on_waiting
from pbmd.desk.requests import end_requests
from pbmd.desk.seats import end_questions, give_up, must_have_begun
from pbmd.desk.skips import carry_on
from pbmd.desk.steps import report_tick
from pbmd.desk.timekeeping import must_be_trusted
from pbmd.desk.watch import tell_watchers
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rules.protocol import Refused
from pbmd.terms.times import LONGEST, TimeError, describe_time, next_deadline, parse_duration, parse_moment

GM = "the game master"
TEXT_CHARS = 10_000
"""What is announced may be so long."""


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


def set_deadline(work: Work, table: Table, at: datetime, reason: str = "") -> None:
    """The deadline of the current turn is at this instant, for all who have not missed it. Raises `Refused`."""
    game = table.game
    must_run(table)
    if at <= work.now:
        raise Refused(f"{describe_time(at)} is over; RESOLVE ends the turn now")
    if at - work.now > LONGEST:
        raise Refused(f"{describe_time(at)} is too far away; ten years are the most")
    for seat in table.seats:
        if seat.missed_step == game.step:
            seat.deadline = seat.deadline or game.deadline
        elif seat.deadline is not None:
            # Who was granted more time keeps what is beyond the new deadline.
            seat.deadline = seat.deadline if seat.deadline > at else None
    game.deadline, game.closed_at = at, None
    public = {"turn": game.turn, "deadline": written_deadline(at), "by": GM, "reason": reason}
    number = work.journal(table, "deadline", public, sealed_cause(work) | sealed_deadlines(table))
    work.log("deadline", table, detail=describe_time(at) + (f": {reason}" if reason else ""))
    concerned = [seat for seat in table.seats if seat.missed_step < game.step]
    text = f"{GM.capitalize()} has set the deadline of {game.step_words} anew."
    tell(work, table, concerned, f"notice {table.id} {number}", "another deadline", text, reason)
    reschedule(work, table)


def close_step(work: Work, table: Table) -> None:
    """The current step is to be resolved as soon as all mail is known that had arrived by now, whoever is missing. Raises
    `Refused`."""
    game = table.game
    must_run(table)
    must_be_trusted(work)
    game.closed_at = work.as_of
    enter_closing(work, table)
    work.log("closed", table, detail="the turn is resolved without waiting for anybody")
    reschedule(work, table)


def announce(work: Work, table: Table, text: str) -> int:
    """Mail an announcement to everybody who plays; gives how many they are. Raises `Refused`."""
    if not text.strip() or len(text) > TEXT_CHARS:
        raise Refused(f"an announcement has 1 to {TEXT_CHARS} characters, this has {len(text.strip())}")
    readers = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    number = work.journal(table, "announced", {"turn": table.game.turn, "text": text}, sealed_cause(work))
    work.log("announced", table, detail=f"to {len(readers)} players")
    words = f"{GM.capitalize()} writes to all players:"
    tell(work, table, readers, f"notice {table.id} {number}", "an announcement", words, text)
    return len(readers)


def eject(work: Work, table: Table, seat: Seat, reason: str = "") -> None:
    """The seat's holder plays no more; the others are told. Raises `Refused`."""
    must_have_begun(table)
    if seat.state is not SeatState.ACTIVE:
        raise Refused(f"nobody holds {seat.name} in {table.game.name}")
    number = work.journal(table, "ejected", {"seat": seat.name, "reason": reason}, sealed_cause(work))
    work.log("ejected", table, seat.name, reason)
    key = f"notice {table.id} {number}"
    holder = f"{GM.capitalize()} has taken the seat from you. Your mails count no more, and you get no reports."
    seat.calendar = False  # so that this mail takes the deadline out of it
    tell(work, table, [seat], key, f"you play {seat.name} no more", holder, reason)
    others = [other for other in table.seats if other is not seat]
    words = f"{GM.capitalize()} has taken the seat from its player. Nobody plays it until somebody takes it over."
    tell(work, table, others, key, f"{seat.name} is empty", words, reason)
    give_up(work, table, seat, ejected=True)
    # It may have been its move.
    carry_on(work, table, begins=True)
    report_tick(work, table)
    reschedule(work, table)


def abandon(work: Work, table: Table, reason: str = "") -> None:
    """End the game without a winner; everybody is told. Nothing that was secret is opened by it. Raises `Refused`."""
    game = table.game
    if game.status is GameStatus.FINISHED:
        raise Refused(f"{game.name} is over already")
    begun = bool(game.position)
    words = f"{GM} has abandoned the game" + (f": {reason}" if reason else "")
    waiting = json.loads(game.meanwhile)
    public = {"winners": [], "reason": words, "abandoned": True, "secret": game.secret.hex()}
    sealed = sealed_cause(work) | opened(game.salts) | ({"meanwhile": waiting} if waiting else {})
    number = work.journal(table, "finished", public, sealed)
    work.log("finished", table, detail=words)
    game.status, game.deadline, game.due_at = GameStatus.FINISHED, None, None
    forget(game)
    game.meanwhile, game.closed_at, game.paused_at, game.opened_at = "[]", None, None, work.now
    for seat in table.seats:
        seat.deadline, seat.settled_at = None, None
        end_questions(work, table, seat)
    end_requests(work, table)
    pass_on_waiting(work, table)
    text = f"{GM.capitalize()} has ended the game" + (" without a winner." if begun else " before it began.")
    tell(work, table, table.seats, f"notice {table.id} {number}", "the game is abandoned", text, reason)
    tell_watchers(work, table, f"notice {table.id} {number}", "the game is abandoned", text)


def new_gm_token(work: Work, table: Table) -> None:
    """A new token of the game master for this game; the mails so far prove nothing any more. The new one is mailed."""
    table.game.gm_generation += 1
    number = work.journal(table, "gm-token", {}, sealed_cause(work))
    work.log("gm-token", table)
    send_gm_token(work, table, f"gm-token {table.id} {number}")


def send_gm_token(work: Work, table: Table, key: str) -> None:
    """A mail to the game master by replying to which the game can be mastered."""
    text = render("gm_token.txt", {"game": table.game, "title": table.title})
    tell_gm(work, Draft("alarm", key, subject(table, "the game master's mail"), text), table)

"""The life of a game: made, seats taken, started, extended, paused, resumed, resolved early. The GM's acts.

Each function works within the caller's transaction. `Refused` carries a sentence for whoever asked.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import select

from pbmd.desk import steps
from pbmd.desk.clock import reschedule
from pbmd.desk.mails import Draft, clock_words, mail_to_seat, render, subject
from pbmd.desk.terms import Terms
from pbmd.desk.times import TimeError, describe_duration, describe_time, next_deadline, zone
from pbmd.desk.work import Table, Work, compact_json
from pbmd.ledger.tables import Game, GameStatus, Seat, SeatState
from pbmd.rules.dice import HmacDice
from pbmd.rules.options import complete
from pbmd.rules.protocol import Line, Refused, Signup, Status, Verdict

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


def create_game(work: Work, name: str, ruleset: str, terms: Terms, options: Mapping[str, Any]) -> Table:
    """A new game that takes sign-ups. Raises `Refused`, `UnknownRuleset` or `OptionError`."""
    if not _NAME.fullmatch(name):
        raise Refused(f'"{name}" is no name for a game: small letters, digits and hyphens, at most 31, like galaxy-7')
    if work.session.exec(select(Game.id).where(Game.name == name)).first() is not None:
        raise Refused(f'there is already a game "{name}"')
    rules = work.desk.ruleset(ruleset)
    complete(rules.info.options, options)
    fewest, most = rules.info.min_seats, rules.info.max_seats or terms.seats
    if terms.seats and not fewest <= terms.seats <= most:
        many = f"{fewest} to {most}" if rules.info.max_seats else f"at least {fewest}"
        raise Refused(f"{rules.info.title} is for {many} players, not for {terms.seats}")
    game = Game(
        name=name,
        ruleset=ruleset,
        status=GameStatus.SIGNUP,
        options=compact_json(dict(options)),
        terms=terms.model_dump_json(),
        created_at=work.now,
    )
    work.session.add(game)
    work.session.flush()
    table = Table(game, [], rules, terms)
    work.adopt(table)
    work.journal(
        table, "created", {"game": name, "ruleset": ruleset, "options": dict(options), "terms": terms.model_dump(mode="json")}
    )
    work.log("created", table, detail=f"{rules.info.title}; sign-up is open")
    return table


def signups(table: Table) -> list[Signup]:
    """The seats taken so far, as the ruleset wants them."""
    return [Signup(seat.name, tuple(Line(*line) for line in json.loads(seat.signup))) for seat in table.seats]


def add_seat(work: Work, table: Table, signup: Signup, address: str, holder: str, timezone: str = "UTC") -> tuple[Verdict, ...]:
    """Give a seat to a player. The verdicts are the ruleset's; with an error among them nothing is changed.

    Raises `Refused` when sign-up is over or the game is full.
    """
    game, info = table.game, table.ruleset.info
    if game.status is not GameStatus.SIGNUP:
        raise Refused(f"sign-up for {game.name} is over")
    if info.max_seats and len(table.seats) >= info.max_seats:
        raise Refused(f"{game.name} is full")
    try:
        zone(timezone)
    except TimeError as problem:
        raise Refused(str(problem)) from None
    verdicts = table.ruleset.check_signup(signup, signups(table), complete(info.options, json.loads(game.options)))
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        return verdicts
    seat = Seat(
        game_id=table.id,
        number=len(table.seats) + 1,
        name=signup.seat,
        address=address.lower(),
        holder=holder,
        timezone=timezone,
        signup=compact_json([[line.number, line.text] for line in signup.lines]),
    )
    work.session.add(seat)
    work.session.flush()
    table.seats.append(seat)
    work.journal(table, "joined", {"seat": seat.name, "number": seat.number}, {"address": seat.address, "setup": seat.signup})
    work.log("joined", table, seat.name, f"seat {seat.number}")
    return verdicts


def start_game(work: Work, table: Table) -> None:
    """Set up the first position and send everybody the first report. Raises `Refused`."""
    game, rules = table.game, table.ruleset
    if game.status is not GameStatus.SIGNUP:
        raise Refused(f"{game.name} has already begun")
    if len(table.seats) < rules.info.min_seats:
        raise Refused(f"{rules.info.title} needs at least {rules.info.min_seats} players, {game.name} has {len(table.seats)}")
    secret = steps.new_secret(work)
    position = rules.setup(signups(table), complete(rules.info.options, json.loads(game.options)), HmacDice(secret, b"setup"))
    game.status, game.opened_at, game.secret = GameStatus.RUNNING, work.now, steps.new_secret(work)
    game.deadline = next_deadline(table.terms.deadline, work.now)
    work.move(table, position)
    work.write()
    names = [seat.name for seat in table.seats]
    work.journal(table, "started", {"seats": names, "secret": secret.hex(), "commitment": steps.commitment_of(table)})
    work.log("started", table, detail=f"{len(names)} players; deadline {describe_time(game.deadline)}")
    steps.send_reports(work, table, (), steps.START, game.turn - 1, b"", {}, None)
    reschedule(work, table)


def extend(work: Work, table: Table, length: timedelta, by: str, reason: str = "", seat: Seat | None = None) -> None:
    """Move the deadline, of one seat or of the game, and tell everybody whose deadline it is. Raises `Refused`.

    Who has missed this step's deadline keeps the one that was missed: the turn waits for them no more.
    """
    game = table.game
    _must_run(table)
    if game.deadline is None:
        raise Refused(f"{game.name} has no deadline that could be extended")
    if seat is not None and seat.missed_step == game.step:
        raise Refused(f"{seat.name} has missed the deadline of turn {game.turn} already, and the turn waits for it no more")
    extended = [seat] if seat else [other for other in table.seats if other.missed_step < game.step]
    if seat is not None:
        seat.deadline = (seat.deadline or game.deadline) + length
    else:
        for other in table.seats:
            if other.missed_step == game.step:
                other.deadline = other.deadline or game.deadline
            elif other.deadline is not None:
                other.deadline += length
        game.deadline += length
    told = describe_duration(length)
    words = f"{told} more, by {by}" + (f": {reason}" if reason else "")
    number = work.journal(
        table,
        "extended",
        {
            "turn": game.turn,
            "minutes": int(length.total_seconds() // 60),
            "by": by,
            "reason": reason,
            "seat": seat.name if seat else "",
        },
    )
    work.log("extended", table, seat.name if seat else "-", words)
    tell(work, table, extended, f"notice {table.id} {number}", f"the deadline is {told} later", words)
    reschedule(work, table)


def pause(work: Work, table: Table, reason: str = "") -> None:
    """Stop the clock. Orders are still taken. Raises `Refused`."""
    _must_run(table)
    table.game.status, table.game.paused_at = GameStatus.PAUSED, work.now
    number = work.journal(table, "paused", {"turn": table.game.turn, "reason": reason})
    work.log("paused", table, detail=reason)
    words = "The clock stands still until the game master goes on; orders are still accepted."
    tell(
        work,
        table,
        table.seats,
        f"notice {table.id} {number}",
        "the game is paused",
        f"{reason}\n\n{words}" if reason else words,
    )
    reschedule(work, table)


def resume(work: Work, table: Table) -> None:
    """Let the clock run on; all deadlines move by the time that it stood. Raises `Refused`."""
    game = table.game
    if game.status is not GameStatus.PAUSED or game.paused_at is None:
        raise Refused(f"{game.name} is not paused")
    stood = work.now - game.paused_at
    game.status, game.paused_at = GameStatus.RUNNING, None
    game.deadline = game.deadline and game.deadline + stood
    for seat in table.seats:
        seat.deadline = seat.deadline and seat.deadline + stood
    number = work.journal(table, "resumed", {"turn": game.turn, "stood_seconds": int(stood.total_seconds())})
    work.log(
        "resumed",
        table,
        detail=f"after {describe_duration(stood)}; deadline {describe_time(game.deadline)}" if game.deadline else "",
    )
    tell(work, table, table.seats, f"notice {table.id} {number}", "the game goes on", "The clock runs again.")
    reschedule(work, table)


def resolve_now(work: Work, table: Table) -> None:
    """Resolve the step without waiting for anybody: the GM's decision. Raises `Refused`."""
    _must_run(table)
    steps.close_for_missing(work, table)
    steps.resolve_step(work, table, "the game master decided so")
    reschedule(work, table)


def tell(work: Work, table: Table, seats: Sequence[Seat], key: str, headline: str, text: str) -> None:
    """A notice to the holders of these seats, with the deadline as it now is."""
    for seat in seats:
        if seat.state is not SeatState.ACTIVE:
            continue
        values = {
            "game": table.game,
            "seat": seat.name,
            "headline": headline,
            "text": text,
            **clock_words(table, seat, work.now),
        }
        mail_to_seat(
            work, table, seat, Draft("notice", f"{key} {seat.number}", subject(table, headline), render("notice.txt", values))
        )


def _must_run(table: Table) -> None:
    status = table.game.status
    if status is not GameStatus.RUNNING:
        words = {"signup": "has not begun", "paused": "is paused", "finished": "is over"}
        raise Refused(f"{table.game.name} {words[status.value]}")

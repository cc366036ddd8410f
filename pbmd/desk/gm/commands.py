"""What each command of the game master does, by mail and on the command line alike, and what it would do: their rows name the
functions (`pbmd.desk.language.gm_commands`). Those about a seat are in `pbmd.desk.gm.seat_commands`. All of them raise
`Refused` or `TimeError`; one that foresees returns nothing if there is nothing to ask.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any

from sqlmodel import col, select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes import deadline_changes, gm, pauses
from pbmd.desk.changes.openings import standing_games
from pbmd.desk.changes.openings.series import opening_words
from pbmd.desk.changes.options import changeable, new_value, set_option
from pbmd.desk.changes.peek import peek
from pbmd.desk.changes.quiet_days import add_holiday, drop_holiday, give_timezone, set_quiet_days
from pbmd.desk.changes.rollback import roll_back, way_back
from pbmd.desk.changes.rulings import decide
from pbmd.desk.deadlines import doubt_watch
from pbmd.desk.deadlines.awaiting import who_would_miss_it
from pbmd.desk.deadlines.forecast import outlook
from pbmd.desk.deadlines.trusted_clock import doubts
from pbmd.desk.digest.waiting import SOMEBODY
from pbmd.desk.gm.game_status import status_text
from pbmd.desk.gm.new_command import make
from pbmd.desk.gm.question_facts import Said, seat_named
from pbmd.desk.language.columns import WIDTH, indented, labelled
from pbmd.desk.language.gm_commands import FORMS, MASTERS
from pbmd.desk.mail import notice
from pbmd.desk.mail.clock_words import deadline_words
from pbmd.desk.step.end_questions import must_have_begun
from pbmd.desk.votes.decide import set_votes, veto
from pbmd.desk.votes.propose import no_votes_words, votes_of
from pbmd.ledger.tables import GameStatus, LogLine
from pbmd.rules.names import match_name
from pbmd.rules.protocol import Refused
from pbmd.terms.days import parse_coming_moment
from pbmd.terms.times import TimeError, describe_duration, describe_time, parse_duration

LINES = 30
MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a command: a sentence, or a longer text under a title. A sentence may be followed by what can be done next,
    as it is written in a mail and in a shell."""

    sentence: str = ""
    title: str = ""
    text: str = ""
    next_by_mail: str = ""
    next_in_shell: str = ""


@cache
def function_named(name: str) -> Callable[[Transaction, OpenGame, Said], Any]:
    """The function that the row of a command names: for what it does, or for what it would do."""
    return resolve_name(name)


def carried_out(work: Transaction, table: OpenGame, kind: str, said: Said) -> Done:
    """Do it. Raises `Refused` and `TimeError`."""
    return function_named(MASTERS.by_kind[kind].act)(work, table, said)


def foreseen(work: Transaction, table: OpenGame, kind: str, said: Said) -> str:
    """What exactly would happen in the present state, for what is asked about first; empty for everything else. Raises
    `Refused` and `TimeError`."""
    foresee = MASTERS.by_kind[kind].foresee
    return function_named(foresee)(work, table, said) if foresee else ""


_TRIES_AGAIN = frozenset({"resume", "start"})


def must_be_whole(table: OpenGame, kind: str) -> None:
    """Raises `Refused` if this cannot be done because the game cannot go on with its present records. Whoever has it go on has
    rules tried again that took too long."""
    if kind in _TRIES_AGAIN:
        table.clock.forget(table.game)
    if not MASTERS.by_kind[kind].of_broken and (trouble := table.trouble):
        raise Refused(f"{table.game.name} cannot go on: {trouble}")


def fixed(work: Transaction, kind: str, said: Said) -> Said:
    """The words of a command with a point in time that stays the same however late it is confirmed: ``in 36h`` and ``Friday
    20:00`` do not. The address in the lines of a digest is nobody's. Raises `Refused` and `TimeError`."""
    if said.get("address") == SOMEBODY:
        raise Refused(f"put the address of the new player where {SOMEBODY} stands")
    if kind != "deadline":
        return said
    if seat := said.get("seat"):
        raise Refused(f"a deadline is set for all; more time for one is written EXTEND 24h FOR {seat[:_SHOWN_CHARS]}")
    at = parse_coming_moment(said["when"], work.now, work.desk.settings.server.timezone)
    return {**said, "when": f"{at:%Y-%m-%d %H:%M:%S} UTC"}


# What only shows something


def status(work: Transaction, table: OpenGame, _said: Said) -> Done:
    """STATUS."""
    return Done(title="status", text=status_text(work, table))


def log(work: Transaction, table: OpenGame, said: Said) -> Done:
    """LOG."""
    count = min(int(said.get("lines", LINES)), MOST_LINES)
    work.write()
    own = select(LogLine).where(LogLine.game == table.game.name).order_by(col(LogLine.id).desc()).limit(count)
    rows = list(reversed(work.session.exec(own).all()))
    text = "\n".join(line for row in rows for line in _shown(row))
    return Done(title="log", text=text or "nothing yet")


def _shown(row: LogLine) -> list[str]:
    """A line of the log, folded for a mail: what happened, and below it the details."""
    head = f"{row.at:%Y-%m-%d %H:%M}  {row.turn:<4}  {row.what:<12}"
    seat = "" if row.seat == "-" else row.seat
    first = [f"{head}  {seat}".rstrip()] if len(head) + 2 + len(seat) <= WIDTH else [head.rstrip(), f"    {seat}"]
    return [*first, indented(row.detail)] if row.detail else first


def list_commands(_work: Transaction, _table: OpenGame, said: Said) -> Done:
    """HELP."""
    topic = said.get("topic", "")
    meant = MASTERS.nearest(topic)
    forms = [form for form in FORMS if topic in ("", "commands") or form.usage == meant or _is_about(form.usage, topic)]
    if not forms:
        return Done(f'There is no help on "{topic[:_SHOWN_CHARS]}". HELP alone lists the commands.')
    return Done(title="help", text="\n".join(f"{form.usage}\n{indented(form.help)}" for form in forms))


_SHOWN_CHARS = 80


def _is_about(usage: str, topic: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(topic)}", usage, re.IGNORECASE) is not None


# Time


def start(work: Transaction, table: OpenGame, said: Said) -> Done:
    """START."""
    following = standing_games.begin(work, table, said.get("reason", ""))
    sentence = f"{table.game.name} has begun with {len(table.seats)} players."
    if following is not None:
        sentence += f" {following.game.name} {opening_words(work, following)}."
    return Done(sentence, "what will happen", outlook(table, work.now, work.desk.settings.server.timezone))


def make_game(work: Transaction, table: OpenGame, said: Said) -> Done:
    """NEW."""
    return Done(title="a new game", text=make(work, table, said["game"].lower(), said["text"]))


def standing(work: Transaction, table: OpenGame, said: Said) -> Done:
    """STANDING ON and OFF."""
    name = table.game.name
    if said["on"].lower() == "on":
        standing_games.stand(work, table)
        follows = f"When {name} is full, the next game of the same set-up takes sign-ups."
        return Done(follows, next_by_mail="STANDING OFF ends that.", next_in_shell=f"pbmd standing {name} off ends that.")
    standing_games.stand_no_more(work, table)
    return Done(f"{name} stays open as it is; no other game follows it.")


def pause(work: Transaction, table: OpenGame, said: Said) -> Done:
    """PAUSE."""
    pauses.pause(work, table, said.get("reason", ""))
    return Done(f"{table.game.name} is paused. RESUME lets it go on.")


def resume(work: Transaction, table: OpenGame, said: Said) -> Done:
    """RESUME."""
    pauses.resume(work, table, said.get("reason", ""))
    return Done(f"{table.game.name} goes on.{_next(work, table)}")


def extend(work: Transaction, table: OpenGame, said: Said) -> Done:
    """EXTEND."""
    try:
        length = deadline_changes.whole_minutes(parse_duration(said["time"]))
    except TimeError as problem:
        seat_word = table.ruleset.info.seat_word
        raise TimeError(
            f"{problem}; for one {seat_word} write EXTEND 24h FOR and its name; for several, one line each"
        ) from None
    if not length:
        raise TimeError("an extension is longer than nothing; write it like 24h")
    named = said.get("seat") or said.get("first")
    seat = seat_named(table, named) if named else None
    deadline_changes.extend(work, table, length, notice.GM, said.get("reason", ""), seat)
    whose = f" of {seat.name}" if seat else ""
    return Done(f"The deadline{whose} is {describe_duration(length)} later: {deadline_words(work, table, seat)}.")


def deadline(work: Transaction, table: OpenGame, said: Said) -> Done:
    """DEADLINE."""
    at = parse_coming_moment(said["when"], work.now, work.desk.settings.server.timezone)
    deadline_changes.set_deadline(work, table, at, said.get("reason", ""))
    return Done(f"The deadline of {table.game.step_called} is {deadline_words(work, table)}.")


def foresee_deadline(work: Transaction, table: OpenGame, said: Said) -> str:
    """What DEADLINE would do."""
    at = parse_coming_moment(said["when"], work.now, work.desk.settings.server.timezone)
    table.must_run()
    if at <= work.now:
        raise Refused(f"{describe_time(at)} is over; RESOLVE ends the turn now")
    before = table.game.deadline
    if before is None or at >= before:
        return ""
    told = describe_time(at, work.desk.settings.server.timezone)
    return f"The deadline of {table.game.step_called} would be {told}, {describe_duration(before - at)} earlier than it is."


def quiet(work: Transaction, table: OpenGame, said: Said) -> Done:
    """QUIET."""
    days = [name for name in re.split(r"[\s,]+", said["days"]) if name.casefold() not in ("", "and", "none")]
    return Done(set_quiet_days(work, table, days, said.get("zone", ""), said.get("reason", "")))


def holiday(work: Transaction, table: OpenGame, said: Said) -> Done:
    """HOLIDAY."""
    return Done(add_holiday(work, table, said["days"].lower(), said.get("reason", "")))


def no_holiday(work: Transaction, table: OpenGame, said: Said) -> Done:
    """NO HOLIDAY."""
    return Done(drop_holiday(work, table, said["days"].lower(), said.get("reason", "")))


def timezone(work: Transaction, table: OpenGame, said: Said) -> Done:
    """TIMEZONE."""
    return Done(give_timezone(work, table, seat_named(table, said["seat"]), said["zone"]))


def resolve(work: Transaction, table: OpenGame, said: Said) -> Done:
    """RESOLVE."""
    deadline_changes.close_step(work, table, said.get("reason", ""))
    return Done(f"Turn {table.game.turn} is closed. It is resolved as soon as all mail that arrived until now is read.")


def foresee_resolve(_work: Transaction, table: OpenGame, _said: Said) -> str:
    """What RESOLVE would do."""
    table.must_run()
    return f"This ends {table.game.step_called} now. {who_would_miss_it(table)}"


def rollback(work: Transaction, table: OpenGame, said: Said) -> Done:
    """ROLLBACK."""
    back = roll_back(work, table, int(said["turn"]), said.get("reason", ""))
    return Done(f"{table.game.name} is back at the beginning of turn {back.turn}; all players are told.{_next(work, table)}")


def foresee_rollback(work: Transaction, table: OpenGame, said: Said) -> str:
    """What ROLLBACK would do."""
    back, game = way_back(work, table, int(said["turn"])), table.game
    turns = sorted({record.turn for record in back.steps})
    which = f"turn {turns[0]}" if len(turns) == 1 else f"turns {turns[0]} to {turns[-1]}"
    count = f"{len(back.steps)} resolution{'' if len(back.steps) == 1 else 's'}"
    over = " The game, which is over, would go on." if game.status is GameStatus.FINISHED else ""
    return (
        f"What came of {which} ({count}) would be undone, and {game.name} would go from turn "
        f"{game.turn} to the beginning of turn {back.turn}, with a new deadline.{over} Nothing is deleted, and all players are "
        "told."
    )


# Messages


def announce(work: Transaction, table: OpenGame, said: Said) -> Done:
    """ANNOUNCE."""
    if _is_for_some(table, said.get("first", "")):
        raise Refused("an announcement goes to all players, so nothing was sent; your text begins on the line below ANNOUNCE")
    return Done(f"Your announcement went to {gm.announce(work, table, said['text'])} players.")


def _is_for_some(table: OpenGame, first: str) -> bool:
    """Whether what stands behind ANNOUNCE may say who is to read it, and who is not."""
    begins = first.partition(":")[0]
    return bool(_FOR_SOME.match(first)) or match_name(begins, table.seats, lambda seat: seat.name).found is not None


_FOR_SOME = re.compile(r"\W*(?:only )?(?:to|for)\b", re.IGNORECASE)


def approve(work: Transaction, table: OpenGame, said: Said) -> Done:
    """APPROVE."""
    return Done(decide(work, table, int(said["request"]), approved=True, reason=said.get("reason", "")))


def refuse(work: Transaction, table: OpenGame, said: Said) -> Done:
    """REFUSE."""
    return Done(decide(work, table, int(said["request"]), approved=False, reason=said.get("reason", "")))


def veto_vote(work: Transaction, table: OpenGame, said: Said) -> Done:
    """VETO."""
    return Done(veto(work, table, int(said["vote"]), said.get("reason", "")))


def change_votes(work: Transaction, table: OpenGame, said: Said) -> Done:
    """VOTES."""
    if "kinds" not in said:
        rows = [labelled(*row) for row in votes_of(work, table)]
        return Done(title="votes", text="\n".join(rows) or no_votes_words(table, "VOTES ALL"))
    return Done(set_votes(work, table, said["kinds"], said.get("reason", "")))


def change_option(work: Transaction, table: OpenGame, said: Said) -> Done:
    """SET."""
    if "option" in said:
        return Done(set_option(work, table, said["option"].lower(), said["value"], said.get("reason", "")))
    lines = [f"{spec.key} ({spec.kind}, usually {str(spec.default).lower()})\n    {spec.help}" for spec in changeable(table)]
    return Done(title="options", text="\n".join(lines) or "No option of this game can be changed while it runs.")


def foresee_set(_work: Transaction, table: OpenGame, said: Said) -> str:
    """What SET would do."""
    if "option" not in said:
        return ""
    spec, now, value = new_value(table, said["option"].lower(), said["value"])
    told = "true" if value is True else "false" if value is False else value
    was = "true" if now is True else "false" if now is False else now
    return f"{spec.key} would be {told} from now on instead of {was}, and all players would be told. It means: {spec.help}"


def peek_at(work: Transaction, table: OpenGame, said: Said) -> Done:
    """PEEK."""
    seat = seat_named(table, said["seat"])
    return Done(title=f"what {seat.name} has", text=peek(work, table, seat, said.get("reason", "")))


def foresee_peek(_work: Transaction, table: OpenGame, said: Said) -> str:
    """What PEEK would do."""
    seat = seat_named(table, said["seat"])
    must_have_begun(table)
    return (
        f"You would see the orders that {seat.name} has in and its last report. All players get a mail that says so, and "
        "it stands in the journal for good."
    )


def abandon(work: Transaction, table: OpenGame, said: Said) -> Done:
    """ABANDON."""
    gm.abandon(work, table, said.get("reason", ""))
    return Done(f"{table.game.name} is over; everybody is told.")


def foresee_abandon(_work: Transaction, table: OpenGame, _said: Said) -> str:
    """What ABANDON would do."""
    if table.game.status is GameStatus.FINISHED:
        raise Refused(f"{table.game.name} is over already")
    return (
        f"{table.game.name} would end in {table.game.step_called} without a winner, and all {len(table.seats)} players be told."
    )


def digest(work: Transaction, table: OpenGame, said: Said) -> Done:
    """DIGEST."""
    return Done(gm.set_digest(work, table, said["when"].lower()))


def new_token(work: Transaction, table: OpenGame, _said: Said) -> Done:
    """NEW TOKEN."""
    gm.new_gm_token(work, table)
    return Done("A mail with your new secret is on its way. Replies to this one and to older mails no longer work.")


def confirm_clock(work: Transaction, _table: OpenGame, _said: Said) -> Done:
    """CLOCK CONFIRM."""
    return Done(f"The clock is trusted again, though {doubt_watch.confirm(work)}. All games go on.")


def foresee_clock(work: Transaction, _table: OpenGame, _said: Said) -> str:
    """What CLOCK CONFIRM would do."""
    words = doubts(work)
    if not words:
        raise Refused("the clock of the machine is not in doubt")
    at = describe_time(work.now, work.desk.settings.server.timezone, seconds=True)
    return f"The clock shows {at}, and {words}. It would count as right, and what is due by it be due in all games."


def _next(work: Transaction, table: OpenGame) -> str:
    return f" The deadline is {deadline_words(work, table)}." if table.game.deadline else ""

"""SUBSTITUTE and CANCEL SUBSTITUTE, and the mails of a player while a substitute has their seat.

Of such a mail only CANCEL SUBSTITUTE is done: two people who both give orders for a seat would undo each other's. Everything
else is answered by how to take the seat back. What stands beside CANCEL SUBSTITUTE counts as soon as the seat is theirs.
"""

from dataclasses import replace

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.substitution import give_back
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer, send_answer
from pbmd.desk.letter.opened_letter import Arrived, Away, Sender, Stored
from pbmd.desk.letter.opening import open_letter
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.player.serve import serve
from pbmd.desk.questions.substitutes import ASKED_BEFORE, Wanted, take_back, want
from pbmd.desk.step.absences import today_of
from pbmd.desk.step.substitutes.away_mails import mail_away
from pbmd.desk.step.substitutes.wishes import begins_at, days_of, last_day_of, time_of_substitute
from pbmd.ledger.tables import GameStatus
from pbmd.post.addresses import folded
from pbmd.post.lines.sent import SENT
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rules.protocol import Refused
from pbmd.terms.days import parse_time_away
from pbmd.terms.times import TimeError, describe_day

_CANCEL = "no-substitute"


def substitute(work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """SUBSTITUTE FROM … TO …"""
    table, seat, words = sender.table, sender.seat, command.words
    named = folded(words.get("address") or words.get("behind", ""))
    try:
        if "address" in words and "behind" in words:
            raise Refused("only one address can be asked; those who stand by are if you name none")
        days = parse_time_away(words["first"], words.get("last", ""), today_of(work, table, seat))
        wish = want(work, table, seat, Wanted(*days, named))
    except (TimeError, Refused) as problem:
        answer.refuse("SUBSTITUTE", problem)
        return
    asked_from = begins_at(table, wish, seat) - ASKED_BEFORE
    when = "now" if asked_from <= work.as_of else f"from {describe_day(asked_from.date())} on"
    asked = f"We ask {named}, once." if named else f"We ask those who stand by, {when}; the first YES counts."
    answer.remark(
        f"You want a substitute {days_of(wish)}. {asked} A mail tells you if somebody has agreed, and if nobody has. Until "
        "they have the seat you play on; whoever has it, their orders count, and then it comes back to you by itself. CANCEL "
        "SUBSTITUTE takes this back."
    )


def cancel_substitute(work: Transaction, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """CANCEL SUBSTITUTE of whoever has the seat."""
    table, seat = sender.table, sender.seat
    if time_of_substitute(work, table, seat) is not None:
        answer.remark("CANCEL SUBSTITUTE: you are the substitute of this seat yourself. RESIGN gives it back to its player.")
    elif take_back(work, table, seat):
        answer.remark("You want no substitute any more, and nobody is asked. The seat stays yours.")
    else:
        answer.remark("CANCEL SUBSTITUTE: you had not asked for one.")


def hear_away(work: Transaction, away: Away, arrived: Arrived) -> None:
    """Deal with a mail of the player whose seat a substitute has, and answer it."""
    over = away.table.game.status is GameStatus.FINISHED
    if not over and any(command.kind == _CANCEL for command in arrived.script.commands):
        _come_back(work, away, arrived)
        return
    table, seat, letter = away.table, away.seat, arrived.letter
    written = left_out([line.original for line in letter.lines], "a substitute has the seat")
    others = tuple(piece for piece in letter.left_out if piece.reason != SENT)
    values = {"game": table.game, "seat": seat.name, "over": over, "last": last_day_of(away.wish), "left_out": written + others}
    text = render("substitute_has_it.txt", values)
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {arrived.id}",
        subject(table, f"{seat.name}: NOTHING DONE, a substitute has the seat"),
        text,
        answers=letter.message_id,
        digest=answer_digest(request_text(letter), text),
    )
    mail_away(work, table, seat, away.wish, draft)


def _come_back(work: Transaction, away: Away, arrived: Arrived) -> None:
    """The player has the seat again; then what else their mail says is done."""
    letter = arrived.letter
    give_back(work, away.table, away.seat, away.wish, "the player has come back")
    sender = Sender(away.table, away.seat, confirmed=True)
    stored = Stored(arrived.id, arrived.uid, arrived.arrived_at, len(arrived.raw), arrived.raw, truncated=False)
    opened, _ = open_letter(work, stored, sender)
    script = opened.script
    script = replace(script, commands=tuple(each for each in script.commands if each.kind != _CANCEL))
    if script.commands or script.orders:
        send_answer(work, sender, letter, arrived.id, serve(work, replace(opened, script=script), sender))

"""PREVIEW: what would come of a player's own orders against those that they assume of others. Nothing of it happens.

`Scenario` is all that a player has written, and `worked_out` gets it with the player's own view and no position: whatever the
view does not tell cannot be in the outcome. Its dice have nothing to do with those of the game. It leaves no trace in the
journal or the log, since receipts are numbered and others could count.
"""

import hmac
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlmodel import func, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command, says_something
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.player.orders.timing import not_under_way
from pbmd.desk.step.on_file import sheet_on_file
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Outbox
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rendering.render import report_text
from pbmd.rules import HmacDice, Line, Mail, Options, Refused, Ruleset, Status, Verdict, View, match_name, seat_reader, seen_by
from pbmd.rules.joining import How, how_of, orders_alone, received
from pbmd.rules.options import complete
from pbmd.rules.sheets import digest as digest_of
from pbmd.rules.sheets import resolved
from pbmd.rules.troubles import DEFECTS, place_of

NOT_TRIED = "it is not tried out here: the answer to your mail tells what comes of it"
MOST_LINES, LINE_CHARS = 500, 500
"""Each line is taken apart by the rules, whose time may grow with the square of a line."""
_AS = re.compile(r"as (?P<seat>.+?):?", re.IGNORECASE)
_JOINING = re.compile(r"(?P<how>add|only):?", re.IGNORECASE)
_EMPTY = re.compile(r"orders:?", re.IGNORECASE)
_ASSUME = re.compile(r"assume (?P<what>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a player has written: the orders of the seats that send any, whose come first arrive first, and what is assumed of
    others. Without a line it is an empty sheet. The player's own would join those `on_file`, `how` they say."""

    seat: str
    sheets: Mapping[str, tuple[Line, ...]]
    assumptions: tuple[Line, ...]
    how: How = ""
    on_file: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Imagined:
    """What would come of a scenario: how the orders of each seat are understood (None: without orders), and the report."""

    sheets: tuple[tuple[str, tuple[Verdict, ...] | None], ...]
    report: str


def preview(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """PREVIEW … END PREVIEW."""
    table, seat = sender.table, sender.seat
    try:
        if command.open:
            below = [line.text for line in command.body]
            answer.left_out += left_out(below, "it stands below PREVIEW, and END PREVIEW is missing")
            raise Refused("END PREVIEW is missing, so the lines after PREVIEW were not read")
        if table.ruleset.imagine is None:
            raise Refused(f"it is not offered in {table.ruleset.info.title}")
        if words := not_under_way(table):
            raise Refused(words)
        _must_be_seldom(work, sender)
        on_file = sheet_on_file(table, seat)
        scenario = read_scenario(table.ruleset, seat.name, [other.name for other in table.seats], command.body)
        if on_file is not None:
            own = tuple(Line(number, line) for number, line in enumerate(on_file.lines, start=1))
            if seat.name in scenario.sheets:
                scenario = replace(scenario, on_file=own)
            else:
                scenario = replace(scenario, sheets={seat.name: own, **scenario.sheets})
        view = table.ruleset.view(table.position, (), seat_reader(seat.name))
        options = complete(table.ruleset.info.options, json.loads(table.game.options))
        secret = _dice_secret(work, arrived, command)
        imagined = _worked_out(work, sender, view, options, scenario, secret)
    except Refused as refusal:
        answer.refuse("PREVIEW", refusal)
        return
    values = {"game": table.game, "seat": seat.name, "sheets": imagined.sheets, "report": imagined.report}
    draft = Draft(
        "preview",
        f"preview {arrived.id} {command.line.number}",
        subject(table, "PREVIEW, nothing has happened", "PREVIEW", seat=seat.name),
        render("preview.txt", values),
        digest=answer_digest(request_text(arrived.letter), f"preview {table.game.step} {command.line.number}"),
    )
    mail_to_seat(work, table, seat, draft)
    answer.remark("PREVIEW: what might happen follows in a mail of its own. Your orders are what they were.")


def read_scenario(ruleset: Ruleset[Any], seat: str, seats: list[str], lines: Iterable[Line]) -> Scenario:
    """Sort the lines of a PREVIEW: the player's own orders up to the first ``AS <seat>``, then those of the seats named, and
    lines with ASSUME anywhere. Raises `Refused` for a seat that is not there, or there twice, and for too much."""
    sheets: dict[str, list[Line]] = {}
    assumptions: list[Line] = []
    whose, how = seat, how_of("")
    for line in _written(lines):
        text = line.text.strip()
        if whose == seat and (found := _JOINING.fullmatch(text)):
            how = how_of(found["how"])
        elif found := _AS.fullmatch(text):
            whose = _seat_named(found["seat"], seats, ruleset.info.seat_word)
            if whose in sheets:
                raise Refused(f"the orders of {whose} are there twice")
        elif found := _ASSUME.fullmatch(text):
            assumptions.append(Line(line.number, found["what"]))
        else:
            sheet = sheets.setdefault(whose, [])
            if not _EMPTY.fullmatch(text):
                sheet.append(line)
    return Scenario(seat, {name: tuple(own) for name, own in sheets.items()}, tuple(assumptions), how)


def _written(lines: Iterable[Line]) -> list[Line]:
    """The lines that say something. Raises `Refused` for too many, and for one that is too long."""
    written = [line for line in lines if says_something(line.text.strip())]
    if len(written) > MOST_LINES or any(len(line.text) > LINE_CHARS for line in written):
        raise Refused(f"it may have {MOST_LINES} lines of {LINE_CHARS} characters")
    return written


def _seat_named(name: str, seats: list[str], seat_word: str) -> str:
    match = match_name(name, seats)
    if match.found is None:
        raise Refused(match.problem(name, seat_word))
    return match.found


def worked_out(ruleset: Ruleset[Any], view: View, options: Options, scenario: Scenario, secret: bytes) -> Imagined:
    """What would come of a scenario, as its player would be told. It is made of the player's view, the options, which everybody
    may know, and the player's own words alone. Raises `Refused` for what cannot be assumed."""
    assert ruleset.imagine is not None
    position = ruleset.imagine(view, options, scenario.assumptions)
    reader = seat_reader(scenario.seat)
    told: list[tuple[str, tuple[Verdict, ...] | None]] = []
    events: list[Any] = []
    for place, (seat, lines) in enumerate(scenario.sheets.items()):
        if seat not in ruleset.awaiting(position):
            raise Refused(f"{seat} has no orders to send now")
        on_file, how = (scenario.on_file, scenario.how) if seat == scenario.seat else ((), "")
        if on_file:
            position = ruleset.receive(position, Mail(seat, on_file, (place, 0))).position
        joined = received(ruleset, position, Mail(seat, lines, (place, 1)), how)
        position, events = joined.receipt.position, [*events, *joined.receipt.events]
        told.append((seat, joined.own_verdicts))
    for seat in ruleset.awaiting(position):
        missed = ruleset.miss(position, seat)
        position, events = missed.position, [*events, *missed.events]
        told.append((seat, None))
    resolution = resolved(ruleset, position, HmacDice(secret, digest_of(ruleset.sheets(position))))
    at_once = [ruleset.tell(event) for event in seen_by(events, reader)] if ruleset.tell else []
    report = report_text(ruleset, ruleset.view(resolution.position, resolution.events, reader))
    return Imagined(tuple(told), "\n\n".join(text.strip("\n") for text in (*at_once, report)))


def checked(ruleset: Ruleset[Any], position: Any, view: View, options: Options, mail: Mail) -> tuple[Verdict, ...] | None:
    """What the rules would say to a letter, which nobody has sent: asked in the position that its writer may picture, as for
    PREVIEW, so that trying out orders tells nothing that the view does not. Where a ruleset cannot make one, in the real
    position, if the answer to a letter binds nobody there; None for what would take effect at once, which is not tried out.
    Raises `Refused`."""
    if ruleset.imagine is not None:
        return ruleset.receive(ruleset.imagine(view, options, ()), mail).verdicts
    if not may_be_checked(ruleset):
        return None
    receipt = ruleset.receive(position, mail)
    if not receipt.effects:
        return None if receipt.granted or receipt.events else receipt.verdicts
    orders = orders_alone(mail, receipt)
    said = (verdict for verdict in ruleset.receive(position, orders).verdicts if orders.lines)
    untried = (Verdict(each.number, each.text, Status.WARNING, NOT_TRIED) for each in mail.lines if each not in orders.lines)
    return (*said, *untried)


def may_be_checked(ruleset: Ruleset[Any]) -> bool:
    """Whether orders can be tried out at all: what is final when it comes must not be."""
    return ruleset.imagine is not None or ruleset.info.sheets.later == "replace"


def _worked_out(work: Transaction, sender: Sender, view: View, options: Options, scenario: Scenario, secret: bytes) -> Imagined:
    """The same, where a defect of the rules holds up nothing: it would be the player's own doing."""
    try:
        return worked_out(sender.table.ruleset, view, options, scenario, secret)
    except Refused:
        raise
    except DEFECTS as trouble:
        work.log("no-preview", sender.table, detail=place_of(trouble))
        raise Refused("what you assume cannot be worked out") from None


def _dice_secret(work: Transaction, arrived: Arrived, command: Command) -> bytes:
    """Another for each letter, and nothing that letters of others or the game's own dice have a part in."""
    letter = arrived.letter
    words = f"preview {letter.message_id} {command.line.number} {request_text(letter)}"
    return hmac.digest(work.desk.key, words.encode("utf-8", "replace"), "sha256")


def _must_be_seldom(work: Transaction, sender: Sender) -> None:
    """Raises `Refused` if the seat had enough previews in the last hour."""
    most = work.desk.settings.limits.previews_per_hour
    work.write()
    sent = select(func.count()).where(
        Outbox.recipient == sender.seat.address,
        lately(Outbox.queued_at, work.now, timedelta(hours=1)),
        Outbox.kind == "preview",
    )
    if work.session.exec(sent.where(Outbox.seat_id == sender.seat.id)).one() >= most:
        raise Refused(f"there are {most} in an hour at most")

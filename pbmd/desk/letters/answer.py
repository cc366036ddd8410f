"""What a letter is answered: gathered while its commands are carried out, sent as one acknowledgement."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbmd.desk.books.given import digest
from pbmd.desk.books.work import Table, Work
from pbmd.desk.letters.arrived import Sender
from pbmd.desk.mail.brakes import asked
from pbmd.desk.mail.clock_words import NO_CLOCK, clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.forms import sheet_top
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.ledger.tables import Seat
from pbmd.post.compose import Attachment
from pbmd.post.lines.commands import BROUGHT_ALONG
from pbmd.post.read.letter import LeftOut, Letter
from pbmd.rules.advice import RIGHT
from pbmd.rules.protocol import Status, Verdict
from pbmd.rules.words import counted, with_single_marks

REMARK_CHARS = 3000
_MARKS = {"ok": "ok", "warning": "note", "error": "REFUSED"}
_MARKS_OF_REFUSED = _MARKS | {"ok": "unused"}
_MARKS_OF_DONE = _MARKS | {"ok": "read"}
"""Of a move that was carried out: what came of a line that was understood stands in the report, and it may have failed."""


@dataclass(frozen=True, slots=True)
class OrdersAnswer:
    """What the acknowledgement says of the orders in a letter. `step` is the one that ran when they were dealt with, in
    words; `in_force` is the sheet now on file, from whatever letter; `taken` tells whether anything in this one was
    accepted, `carried_out` that this is done already. `short` is the headline for a subject, where it has another. `word`
    came with them for the dice, if one did. `replacing` tells what became of the orders that were on file before, and
    `no_longer` are those that do not stand any more. `head_entry` is the number of the entry with the chain head, None if
    numbers are not told."""

    headline: str
    step: str
    receipt: int | None
    arrived: str
    digest: str
    chain_head: str
    head_entry: int | None
    sent: str
    verdicts: tuple[Verdict, ...]
    in_force: tuple[str, ...] | None
    defaults: tuple[str, ...]
    taken: bool
    word: str = ""
    carried_out: bool = False
    short: str = ""
    replacing: str = ""
    no_longer: tuple[str, ...] = ()

    @property
    def set_right(self) -> tuple[str, ...]:
        """The lines that were refused, set right, of those of which it is known what they should be."""
        return tuple(found[1] or found[2] for each in self.verdicts if (found := _SET_RIGHT.search(each.message)))

    @property
    def refused(self) -> int:
        """How many lines were refused of a letter of which others were taken."""
        return sum(verdict.status is Status.ERROR for verdict in self.verdicts if verdict.line) if self.taken else 0

    @property
    def in_subject(self) -> tuple[str, ...]:
        """The result, for lists of mails, from the longest words to the shortest."""
        words = self.short or self.headline
        if not self.refused:
            return (words,)
        return tuple(f"{words}, {some} refused" for some in (counted(self.refused, "line"), str(self.refused)))

    @property
    def refused_first(self) -> tuple[Verdict, ...]:
        """The verdicts, those first that are to be mended."""
        return tuple(sorted(self.verdicts, key=lambda verdict: verdict.status is not Status.ERROR or not verdict.line))


_SET_RIGHT = re.compile(rf' {RIGHT} (.+?)(?:\. If you meant a command: .*)?$|^did you mean "([^"]+)"\? As it stands: ')
"""How the kit, and `pbmd.desk.player.meant`, say which line would be taken in place of one that was refused."""


@dataclass
class Answer:
    """An answer in the making. `moves`: the orders are a move that is carried out at once. `is_reported`: it has been, and
    the report of it answers that part of the letter. `short` is what the first remark says, for a subject."""

    left_out: tuple[LeftOut, ...] = ()
    orders: OrdersAnswer | None = None
    remarks: list[str] = field(default_factory=list[str])
    sections: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    moves: bool = False
    is_reported: bool = False
    short: str = ""

    def remark(self, sentence: str) -> None:
        """A sentence of its own, cut if words of the letter make it endless."""
        sentence = with_single_marks(sentence)
        self.remarks.append(sentence if len(sentence) <= REMARK_CHARS else f"{sentence[:REMARK_CHARS]} …")

    def section(self, title: str, text: str) -> None:
        """A longer text under a title."""
        self.sections.append((title, text))


def send_answer(work: Work, sender: Sender, letter: Letter, letter_id: int, answer: Answer) -> None:
    """Queue the acknowledgement of a letter: exactly one for each, unless the report of its move is the answer; then only for
    what was asked for besides."""
    if answer.is_reported:
        _say_in_report(work, sender, answer)
        if not answer.sections:
            return
        answer = Answer(sections=answer.sections, attachments=answer.attachments)
        answer.remark("Your move was carried out; the report of it comes in a mail of its own.")
    orders, policy = answer.orders, sender.table.ruleset.info.sheets
    words = _in_subject(answer)
    values: dict[str, Any] = {
        "game": sender.table.game,
        "seat": sender.seat.name,
        "orders": orders,
        "mark": _marks(orders),
        "sequential": sender.table.ruleset.sequential,
        "remarks": answer.remarks,
        "sections": answer.sections,
        "left_out": answer.left_out,
        "replaceable": orders is not None and orders.in_force is not None and policy.later == "replace",
        "sheet": _sheet(work, sender, orders) if orders and policy.later == "replace" else "",
        "amends": sender.table.ruleset.info.letters == "amend",
        "message_id": letter.message_id,
        "clock": clock_words(sender.table, sender.seat, work.now),
    }
    draft = Draft(
        kind="acknowledgement",
        key=f"acknowledgement {letter_id}",
        subject=subject(sender.table, *words, seat=sender.seat.name),
        text=render("acknowledgement.txt", values),
        answers=letter.message_id,
        digest=digest(asked(letter), f"{sender.table.game.turn} {sender.table.game.step} {gist(words[0], answer)}"),
        attachments=tuple(answer.attachments),
    )
    mail_to_seat(work, sender.table, sender.seat, draft)


def _say_in_report(work: Work, sender: Sender, answer: Answer) -> None:
    """Have the report of a move say what the acknowledgement of its letter would have said besides: what was not read, above
    all. What was asked for is long, and stays a mail of its own."""
    taken = work.ticks[sender.table.id].taken
    besides = render("besides.txt", {"remarks": answer.remarks, "sections": (), "left_out": answer.left_out})
    taken[sender.seat.number] = replace(taken[sender.seat.number], besides=besides)


def _sheet(work: Work, sender: Sender, orders: OrdersAnswer) -> str:
    """The whole sheet, ready to be changed and sent again; "" if there is nothing in it. What stands no longer has a # before
    it, and so have refused lines set right."""
    lines = orders.in_force or ()
    spare = [f"# {line}" for line in dict.fromkeys((*orders.no_longer, *orders.set_right))]
    if not (lines or spare):
        return ""
    top = sheet_top(work, sender.table, sender.seat, lines)
    return "\n".join([top, *lines, *spare, "#end"])


def _in_subject(answer: Answer) -> tuple[str, ...]:
    """What came of a letter: of its orders, else what was asked for, else the first that is said."""
    if answer.orders is not None:
        return answer.orders.in_subject
    if answer.sections:
        return (", ".join(title for title, _ in answer.sections),)
    if answer.short:
        return (answer.short,)
    return tuple(sentence.rstrip(".") for sentence in answer.remarks[:1]) or ("your mail",)


def orders_text(table: Table, seat: Seat, orders: OrdersAnswer) -> tuple[str, str]:
    """What the report of a move says to whoever made it, as the acknowledgement would have; and for the record, at its end."""
    values = {"game": table.game, "seat": seat.name, "orders": orders, "mark": _marks(orders), "sequential": True}
    return render("orders.txt", values | {"clock": NO_CLOCK}), render("record.txt", values | {"clock": NO_CLOCK})


def _marks(orders: OrdersAnswer | None) -> dict[str, str]:
    if orders is None or not orders.taken:
        return _MARKS if orders is None else _MARKS_OF_REFUSED
    return _MARKS_OF_DONE if orders.carried_out else _MARKS


_TIME = re.compile(r"\d+(?::\d\d(?::\d\d)?| (?:days?|h|min|s))\b")


def gist(words: str, answer: Answer) -> str:
    """What an answer says, without the times and numbers that are new in each: two with the same gist need not both be sent. A
    word for the dice is part of it, since the last one counts."""
    verdicts: Sequence[Verdict] = answer.orders.verdicts if answer.orders else ()
    in_force = (answer.orders.in_force if answer.orders else None) or ()
    told = [f"{verdict.line} {verdict.status} {verdict.text} {verdict.message}" for verdict in verdicts]
    unread = [piece.text for piece in answer.left_out if piece.reason not in BROUGHT_ALONG]
    text = "\n".join([words, *told, *in_force, *answer.remarks, *(text for _, text in answer.sections), *unread])
    word = answer.orders.word if answer.orders else ""
    return "".join(_TIME.sub("", text).split()) + word

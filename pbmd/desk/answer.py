"""What a letter is answered: gathered while its commands are carried out, sent as one acknowledgement."""

from dataclasses import dataclass, field
from typing import Any

from pbmd.desk.brakes import asked, digest, gist
from pbmd.desk.mails import Draft, clock_words, mail_to_seat, render, subject
from pbmd.desk.trust import Sender
from pbmd.desk.work import Work
from pbmd.post.letter import LeftOut, Letter
from pbmd.rules.protocol import Verdict

REMARK_CHARS = 3000
_MARKS = {"ok": "ok", "warning": "note", "error": "REFUSED"}
_MARKS_OF_REFUSED = _MARKS | {"ok": "unused"}


@dataclass(frozen=True, slots=True)
class OrdersAnswer:
    """What the acknowledgement says of the orders in a letter. `in_force` is the sheet now on file, from whatever letter;
    `taken` tells whether anything in this one was accepted."""

    headline: str
    receipt: int | None
    arrived: str
    digest: str
    chain_head: str
    sent: str
    verdicts: tuple[Verdict, ...]
    in_force: tuple[str, ...] | None
    defaults: tuple[str, ...]
    taken: bool


@dataclass
class Answer:
    """An answer in the making."""

    left_out: tuple[LeftOut, ...] = ()
    orders: OrdersAnswer | None = None
    remarks: list[str] = field(default_factory=list[str])
    sections: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def remark(self, sentence: str) -> None:
        """A sentence of its own, cut if words of the letter make it endless."""
        self.remarks.append(sentence if len(sentence) <= REMARK_CHARS else f"{sentence[:REMARK_CHARS]} …")

    def section(self, title: str, text: str) -> None:
        """A longer text under a title."""
        self.sections.append((title, text))


def send_answer(work: Work, sender: Sender, letter: Letter, letter_id: int, answer: Answer) -> None:
    """Queue the acknowledgement of a letter: exactly one for each."""
    orders, policy = answer.orders, sender.table.ruleset.info.sheets
    if orders is not None:
        words = orders.headline
    elif answer.sections:
        words = ", ".join(title for title, _ in answer.sections)
    else:
        words = "your mail"
    values: dict[str, Any] = {
        "game": sender.table.game,
        "seat": sender.seat.name,
        "orders": orders,
        "mark": _MARKS if orders is None or orders.taken else _MARKS_OF_REFUSED,
        "remarks": answer.remarks,
        "sections": answer.sections,
        "left_out": answer.left_out,
        "replaceable": orders is not None and orders.in_force is not None and policy.later == "replace",
        "message_id": letter.message_id,
        **clock_words(sender.table, sender.seat, work.now),
    }
    draft = Draft(
        kind="acknowledgement",
        key=f"acknowledgement {letter_id}",
        subject=subject(sender.table, f"{sender.seat.name}: {words}"),
        text=render("acknowledgement.txt", values),
        answers=letter.message_id,
        digest=digest(asked(letter), f"{sender.table.game.turn} {sender.table.game.step} {gist(words, answer)}"),
    )
    mail_to_seat(work, sender.table, sender.seat, draft)

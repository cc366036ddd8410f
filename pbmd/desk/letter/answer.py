"""What a letter is answered: gathered while its commands are carried out, sent as one acknowledgement."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pbmd.desk.books.carried_out import Unreported
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.marks import without_label
from pbmd.desk.letter.opened_letter import Sender
from pbmd.desk.mail.clock_words import NO_CLOCK, clock_words
from pbmd.desk.mail.draft import Draft, Proof, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.mail.tags import sheet_top
from pbmd.ledger.tables import Seat
from pbmd.post.compose import Attachment
from pbmd.post.lines.sorted_lines import BROUGHT_ALONG
from pbmd.post.proof_file import proof_name
from pbmd.post.read.letter import LeftOut, Letter
from pbmd.rules.protocol import IN_PART, Status, Verdict
from pbmd.rules.words import counted, with_single_marks

WORDS_NOT_READ = "words not read"
"""What the subject says of words that may be about orders."""
REMARK_CHARS = 3000


class ReadyLine(NamedTuple):
    """A line of the sheet that is ready to be sent. One that was refused and is `set_right` has a # before it there."""

    text: str
    set_right: bool = False


@dataclass(frozen=True, slots=True)
class OrdersAnswer:
    """What the acknowledgement says of the orders in a letter. `step` is the one that ran when they were dealt with, in
    words; `in_force` is the sheet now on file, from whatever letter; `taken` tells whether anything in this one was accepted.
    `short` is the headline for a subject, where it has another. `word` came with them for the dice, if one did. `replacing`
    tells what became of the orders that were on file before, and `no_longer` are those that do not stand any more. `ready` is
    what would be taken if it were sent: the sheet in force, or, if it `is_proposal`, what can be made of a mail of which
    nothing was taken. `at_once` are the numbers of the lines that took effect at once, or were to. `entered_later`: what was
    granted is in the journal when the step is over, and has a number then. `head_entry` is the number of the entry with the
    chain head, None if numbers are not told."""

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
    short: str = ""
    replacing: str = ""
    no_longer: tuple[str, ...] = ()
    ready: tuple[ReadyLine, ...] = ()
    is_proposal: bool = False
    at_once: frozenset[int] = frozenset()
    entered_later: bool = False

    @property
    def done_at_once(self) -> tuple[tuple[str, str, str], ...]:
        """What took effect at once: each line as understood, the words that it was written in where those are others, and what
        is said of it."""
        return tuple(
            (each.canonical, each.text if _differ(each.canonical, each.text) else "", each.message)
            for each in (self.verdicts if self.at_once else ())
            if self._is_done(each)
        )

    def _is_done(self, verdict: Verdict) -> bool:
        return verdict.line in self.at_once and verdict.status is Status.OK

    @property
    def is_on_record(self) -> bool:
        """Whether there is anything about the orders that can be proved later."""
        return bool(self.receipt or self.digest or self.chain_head or self.word)

    @property
    def has_set_right(self) -> bool:
        """Whether a refused line stands among those that are ready to be sent, set right."""
        return any(line.set_right for line in self.ready)

    @property
    def refused(self) -> int:
        """How many lines of a letter were refused, if others were taken."""
        return sum(verdict.status is Status.ERROR for verdict in self.verdicts if verdict.line) if self.taken else 0

    @property
    def in_part(self) -> int:
        """How many lines were taken in part."""
        return sum(verdict.code == IN_PART for verdict in self.verdicts) if self.taken else 0

    @property
    def in_subject(self) -> tuple[str, ...]:
        """The result, for lists of mails, from the longest words to the shortest."""
        words = self.short or self.headline
        many, parts = self.refused, self.in_part
        if not many and not parts:
            return (words,)
        whole = f"{counted(many, 'line')} refused" if many else ""
        part = f"part of {counted(parts, 'line')} refused" if parts else ""
        return (f"{words}, {', '.join(filter(None, (whole, part)))}", f"{words}, {many + parts} refused")

    @property
    def told_apart(self) -> tuple[tuple[str, list[Verdict]], ...]:
        """What the orders in force alone do not tell, each under a heading: first what needs mending."""
        unused = "ALSO READ" if self.taken else "NOT USED"
        listed = {*(self.in_force or ())} if self.taken else set[str]()
        apart: dict[str, list[Verdict]] = {"REFUSED": [], "REFUSED IN PART": [], unused: [], "TO NOTE": []}
        for verdict in self.verdicts:
            if self._is_done(verdict):
                continue
            if verdict.status is Status.ERROR:
                apart["REFUSED"].append(verdict)
            elif verdict.code == IN_PART:
                apart["REFUSED IN PART"].append(verdict)
            elif verdict.message:
                apart["TO NOTE"].append(verdict)
            elif verdict.line and not listed.issuperset(verdict.canonical.split("; ")):
                apart[unused].append(verdict)
        return tuple((heading, verdicts) for heading, verdicts in apart.items() if verdicts)

    @property
    def as_read(self) -> tuple[tuple[str, str], ...]:
        """The orders in force, each with the words that it was written in, where those are others and are not told above; the
        number of an item of a list makes none other."""
        written = {
            verdict.canonical: said
            for verdict in self.verdicts
            if verdict.line and not verdict.message and _differ(verdict.canonical, said := without_label(verdict.text))
        }
        own = written if self.taken else {}
        return tuple([(line, own.get(line, "")) for line in self.in_force or ()])


@dataclass
class Answer:
    """An answer in the making. `moves`: the orders are a move that is carried out at once. `is_reported`: it has been, and
    the report of it answers that part of the letter. `short` is what the first remark says, for a subject, and `also` what a
    subject has to say besides; `unread` says there that something beside orders which count was not read, and `not_done` which
    command was not carried out."""

    left_out: tuple[LeftOut, ...] = ()
    orders: OrdersAnswer | None = None
    remarks: list[str] = field(default_factory=list[str])
    sections: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    moves: bool = False
    is_reported: bool = False
    short: str = ""
    also: str = ""
    unread: str = ""
    not_done: str = ""

    def remark(self, sentence: str) -> None:
        """A separate sentence, cut short if words of the letter make it endless."""
        sentence = with_single_marks(sentence)
        self.remarks.append(sentence if len(sentence) <= REMARK_CHARS else f"{sentence[:REMARK_CHARS]} …")

    def refuse(self, command: str, problem: object) -> None:
        """Say why a command was not carried out; the subject says that it was not."""
        self.remark(f"{command}: {problem}.")
        self.not_done = self.not_done or f"{command} not done"

    def section(self, title: str, text: str) -> None:
        """A longer text under a title."""
        self.sections.append((title, text))


def send_answer(work: Transaction, sender: Sender, letter: Letter, letter_id: int, answer: Answer) -> None:
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
    what = f"{sender.table.game.turn} {sender.table.game.step} {gist(words[0], answer)}"
    values: dict[str, Any] = {
        "game": sender.table.game,
        "seat": sender.seat.name,
        "orders": orders,
        "proven": orders is not None and orders.is_on_record,
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
    text = render("acknowledgement.txt", values)
    draft = Draft(
        kind="acknowledgement",
        key=f"acknowledgement {letter_id}",
        subject=subject(sender.table, *words, seat=sender.seat.name),
        text=text,
        answers=letter.message_id,
        digest=answer_digest(request_text(letter), what),
        attachments=tuple(answer.attachments),
        proof=_proof(sender, orders, values) if orders is not None and orders.is_on_record else None,
    )
    mail_to_seat(work, sender.table, sender.seat, draft)


def _proof(sender: Sender, orders: OrdersAnswer, values: Mapping[str, Any]) -> Proof:
    """What goes beside the answer for the record."""
    what = f"receipt-{orders.receipt}" if orders.receipt else "receipt"
    game = sender.table.game
    return Proof(proof_name(game.name, game.turn, game.step_name, what), "receipt_file.txt", values)


def _say_in_report(work: Transaction, sender: Sender, answer: Answer) -> None:
    """Have the report of a move say what the acknowledgement of its letter would have said besides: what was not read, above
    all. What was asked for is long, and stays a mail of its own."""
    taken = work.slot(Unreported).left[sender.table.id].taken
    besides = render("besides.txt", {"remarks": answer.remarks, "sections": (), "left_out": answer.left_out})
    taken[sender.seat.number] = replace(taken[sender.seat.number], besides=besides, unread=answer.unread or answer.not_done)


def _sheet(work: Transaction, sender: Sender, orders: OrdersAnswer) -> str:
    """The whole sheet, ready to be changed and sent again; "" if there is nothing in it. What stands no longer has a # before
    it, and so have refused lines set right."""
    ready = orders.ready
    lines = [line.text for line in ready if not line.set_right] if ready else [*(orders.in_force or ())]
    written = [_with_sign(line) for line in ready] or lines
    if orders.no_longer:
        written = _with_old(lines, ready, orders.no_longer)
    return "\n".join([sheet_top(work, sender.table, sender.seat, lines), *written, "#end"]) if written else ""


def _with_old(in_force: Sequence[str], ready: Sequence[ReadyLine], no_longer: Sequence[str]) -> list[str]:
    """The sheet in force; below it what stands no longer, and what was set right."""
    mended = (line.text for line in ready if line.set_right)
    return [*in_force, *(f"# {line}" for line in dict.fromkeys((*no_longer, *mended)))]


def _with_sign(line: ReadyLine) -> str:
    return f"# {line.text}" if line.set_right else line.text


def _in_subject(answer: Answer) -> tuple[str, ...]:
    """What came of a letter: of its orders, else what was asked for, else the first that is said."""
    also = "".join(f", {each}" for each in (answer.also, answer.not_done) if each)
    if answer.orders is not None:
        is_new = answer.unread and answer.orders.taken and answer.unread not in answer.orders.in_subject[0]
        also = f"{also}, {answer.unread}" if is_new else also
        return tuple(f"{words}{also}" for words in answer.orders.in_subject)
    if answer.sections:
        return (", ".join(title for title, _ in answer.sections) + also,)
    if answer.short:
        return (answer.short,)
    return tuple(sentence.rstrip(".") for sentence in answer.remarks[:1]) or ("your mail",)


def orders_text(table: OpenGame, seat: Seat, orders: OrdersAnswer) -> tuple[str, str]:
    """What the report of a move says to whoever made it, as the acknowledgement would have; and for the record, at its end."""
    values = {"game": table.game, "seat": seat.name, "orders": orders, "sequential": True}
    return render("orders.txt", values | {"clock": NO_CLOCK}), render("record.txt", values | {"clock": NO_CLOCK})


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _differ(one: str, other: str) -> bool:
    """Whether two lines differ in more than blanks and capitals: most are the same as they stand."""
    return one != other and _plain(one) != _plain(other)


_TIME = re.compile(r"(?<!\d)\d+(?::\d\d(?::\d\d)?| (?:days?|h|min|s))\b")


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

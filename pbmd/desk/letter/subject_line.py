"""What a player may have written into the subject of a letter, which is not read: orders and commands."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.vocabulary import leave_orders_open, only_announces, turns_of_headings
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import (
    MAX_ORDER_LINES,
    READ_CHARS,
    READ_LINES,
    accepted,
    has_orders,
    order_test,
    without_marks,
)
from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.ledger.tables import Outbox
from pbmd.post.read.letter import subject_in
from pbmd.post.tags import nonce_in
from pbmd.rules.protocol import Line, Mail

_IN_FRONT = re.compile(r"\s*(?:[^\W\d_]{1,5}(?:\s?[\[(]\d+[\])])?\s?[:：]|\[[^\[\]]*\])\s*")
"""What programs put in front of the subject of a reply, short words in whatever language, and tags such as our own."""
_BEHIND = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|[-/*]*\b[^\W\d_]{2,3}\b[-/*]*)[\s.!]*$")
"""A remark in brackets, or the short sign that the mail is empty."""
_BETWEEN = re.compile(r"[;,/]\s+")
_MOST_PIECES = 5
_MOST_FRONTS = 10
_REFERENCES = 20


def orders_in_subject(sender: Sender, arrived: Arrived) -> bool:
    """Whether orders of the seat stand in the subject of a letter."""
    table, seat, arrival = sender.table, sender.seat.name, arrived.arrival
    texts = dict.fromkeys(_texts(arrived.letter.subject[:READ_CHARS]))
    return any(has_orders(table, seat, [Line(1, text)], arrival) for text in texts)


def has_more_orders_in_subject(sender: Sender, position: Any, arrived: Arrived, on_file: Sequence[str]) -> bool:
    """Whether in a position orders of the seat stand in the subject of a letter that has others itself: none of those, and none
    of the sheet `on_file`. Of subjects in which nothing is like an order the rules are not asked."""
    table, seat, arrival = sender.table, sender.seat.name, arrived.arrival
    subject = arrived.letter.subject[:READ_CHARS]
    if position is None or not _may_have_orders(sender, arrived, subject):
        return False

    def orders_in(lines: Sequence[Line]) -> set[str]:
        bare = without_marks(table, position, seat, lines, arrival)
        verdicts = table.ruleset.receive(position, Mail(seat, bare, arrival)).verdicts
        return {verdict.canonical for verdict in verdicts if verdict.line and verdict.canonical}

    found = [orders_in([Line(1, text)]) for text in dict.fromkeys(_texts(subject))]
    return any(found) and not set[str]().union(*found) <= {*on_file} | orders_in(arrived.script.orders[:MAX_ORDER_LINES])


def leaves_orders_open(sender: Sender, arrived: Arrived) -> bool:
    """Whether the subject of a letter says that its orders are a draft, or depend on something, or are for another turn."""
    return _leave_open(sender, _telling(sender, arrived))


def _leave_open(sender: Sender, texts: Sequence[str]) -> bool:
    return leave_orders_open(texts) or bool(turns_of_headings(texts, sender.seat.name) - {sender.table.game.turn})


def _telling(sender: Sender, arrived: Arrived) -> list[str]:
    """What the subject of a letter may say, all that says more than that orders follow."""
    wholes = dict.fromkeys(wholes_of(arrived.letter.subject[:READ_CHARS]))
    return [text for text in wholes if not only_announces(text, sender.seat.name)]


def speaks_of_other_orders(sender: Sender, position: Any, arrived: Arrived, taken: Sequence[str]) -> bool:
    """Whether it says so, also as only the rules know: above the orders that were `taken` it would be a heading below which
    none is one, as of another season. It may be the subject of an older mail."""
    telling = _telling(sender, arrived)
    return bool(telling) and (_leave_open(sender, telling) or _heads_others(sender, position, arrived, telling, taken))


def _heads_others(sender: Sender, position: Any, arrived: Arrived, texts: Sequence[str], taken: Sequence[str]) -> bool:
    table, seat = sender.table, sender.seat.name
    if position is None or table.ruleset.info.sheets.errors == "refuse_mail":
        return False
    below = [Line(number, text) for number, text in enumerate(taken[:READ_LINES], start=3)]
    heads = ([Line(1, text), *below] for text in texts[-_BARE:])
    is_heading = any(accepted(table, position, seat, lines, arrived.arrival) <= {1} for lines in heads)
    return is_heading and bool(accepted(table, position, seat, below, arrived.arrival))


_BARE = 2
"""So many of the ways to read a subject are tried: without what programs put before it, and behind it."""


def has_subject_of_reply(work: Transaction, sender: Sender, arrived: Arrived) -> bool:
    """Whether the subject of a letter is that of a mail to the seat which it answers, with nothing but a "Re:" before it: its
    writer says nothing in it."""
    subject = arrived.letter.subject[:READ_CHARS]
    if sender.table.game.name.casefold() not in subject.casefold():
        return False
    fronts = (subject.removesuffix(ours) for ours in _answered(work, sender, arrived) if ours and subject.endswith(ours))
    return any(not front or _IN_FRONT.fullmatch(front) for front in fronts)


def _may_have_orders(sender: Sender, arrived: Arrived, subject: str) -> bool:
    """Whether a subject has a word of orders, or is no reply's and may have others of them. ORDERS and the like by themselves
    are what people call such letters."""
    commands, bare = sender.table.commands, list(wholes_of(subject))[-1:]
    if any((named := commands.command(Line(1, text))) and named.kind in commands.of_orders for text in bare):
        return False
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    is_ours = sender.table.game.name.casefold() in subject.casefold()
    return any(test.has_word(text) or (not is_ours and " " in text) for text in bare)


def command_in_subject(work: Transaction, sender: Sender, arrived: Arrived) -> bool:
    """Whether the subject of a letter is a command, and not that of a mail of ours which it answers; ORDERS and the like are
    what people call such letters."""
    commands, subject = sender.table.commands, arrived.letter.subject[:READ_CHARS]
    found = (commands.command(Line(1, text)) for text in wholes_of(subject))
    is_command = any(command and command.kind not in commands.of_orders for command in found)
    return is_command and not any(ours and subject.endswith(ours) for ours in _answered(work, sender, arrived))


def _answered(work: Transaction, sender: Sender, arrived: Arrived) -> Iterator[str]:
    """The subjects of the mails to the seat that a letter answers, the likeliest first: the ledger is asked about all that are
    named if they are not among those at hand, nor the one that is named first."""
    yield from map(subject_in, arrived.answered)
    if not (references := arrived.letter.references):
        return
    ledger, seat, first = work.session.connection(), {"seat": sender.seat.id}, references[0]
    yield from map(subject_in, ledger.execute(_NAMED_FIRST, {**seat, "nonce": nonce_in(first), "id": first}).scalars())
    yield from map(subject_in, ledger.execute(_ANSWERED, {**seat, **named_by(references[-_REFERENCES:])}).scalars())


# Made once: putting a statement together takes longer than the ledger takes to answer.
_TO_SEAT = select(col(Outbox.raw)).where(col(Outbox.seat_id) == bindparam("seat"))
_NAMED_FIRST = _TO_SEAT.where(col(Outbox.nonce) == bindparam("nonce"), col(Outbox.message_id) == bindparam("id"))
_ANSWERED = _TO_SEAT.where(IS_NAMED)


def _texts(subject: str) -> Iterator[str]:
    """What may be an order in a subject, at most a few texts, since each costs the rules a look: the whole, what is left of it
    without what stands before and behind it, and what stands between commas and the like there."""
    wholes = list(wholes_of(subject))
    yield from wholes[:1]
    for bare in reversed(wholes[-2:]):
        yield bare
        yield from [piece for piece in _BETWEEN.split(bare)[:_MOST_PIECES] if piece.strip()]


def _without_end(text: str) -> str:
    """The subject without a remark behind it; a digit ends none, nor does a longer word."""
    end = text.rstrip(" .!")
    if end[-1:].isdecimal() or (end[-_LONGER:].isalpha() and len(end) >= _LONGER):
        return text
    return _BEHIND.sub("", text)


_LONGER = 4


def wholes_of(subject: str) -> Iterator[str]:
    """The subject as it stands, and without what stands before and behind it."""
    text = " ".join(subject.split())
    for _ in range(_MOST_FRONTS):
        if not text:
            return
        yield text
        bare = _without_end(text)
        if bare and bare != text:
            yield bare
        front = _IN_FRONT.match(text)
        text = text[front.end() :] if front else ""

"""What may mean that no orders are given, or that those on file are cancelled: a letter may say so, or only speak of it."""

from dataclasses import replace

from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.order_words import says_nothing
from pbmd.desk.language.surroundings import Surroundings
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import MAX_ORDER_LINES, order_test, orders_in_quotes, quoted_orders_told
from pbmd.rules.nothing import NO_ORDERS, gives_no_orders

_HOW_TO_GIVE_NONE = f"If you want to give no orders this turn, send the single line {NO_ORDERS}"
_NOT_CANCELLED = (
    "CANCEL ORDERS stands in a sentence in your mail, so your orders were not cancelled. If you mean it, send the single line "
    "CANCEL ORDERS."
)


def without_nothing_in_sentences(sender: Sender, arrived: Arrived, answer: Answer) -> Arrived:
    """The letter without lines that would say that nothing is done, but are pieces of sentences; the answer tells of them."""
    script = arrived.script
    if len(script.orders) > MAX_ORDER_LINES:
        return arrived
    words = sender.table.ruleset.info.nothing.words
    said = [line for line in script.orders if gives_no_orders(line.text, words)]
    if not said:
        return arrived
    around = _surroundings(sender, arrived, script)
    pieces = frozenset(line for line in said if around.has_in_sentence(line))
    for line in sorted(pieces, key=lambda line: line.number):
        answer.remark(
            f'"{line.text}" stands in a sentence, so it was not read as an order. If you want to give no orders this turn, '
            "send it alone."
        )
    orders = tuple(line for line in script.orders if line not in pieces)
    return replace(arrived, script=replace(script, orders=orders)) if pieces else arrived


def without_cancel_in_sentences(
    sender: Sender, arrived: Arrived, written: Script, commands: tuple[Command, ...], answer: Answer
) -> tuple[Command, ...]:
    """The commands of a letter, as it is `written`, without a CANCEL ORDERS that is a piece of a sentence; the answer tells of
    it."""
    cancels = [command for command in commands if command.kind == "cancel"]
    if not cancels:
        return commands
    around = _surroundings(sender, arrived, written)
    pieces = [command for command in cancels if around.has_in_sentence(command.line)]
    if pieces:
        answer.short, answer.also = "NOT CANCELLED: CANCEL ORDERS in a sentence", "orders not cancelled"
        answer.remark(_NOT_CANCELLED)
    return tuple(command for command in commands if command not in pieces)


def doubt_of_empty_sheet(sender: Sender, arrived: Arrived, written: Script) -> str:
    """Why ORDERS without order lines may not mean that there are none, as said to the player; empty if nothing else that was
    written, sent along or quoted speaks against it."""
    table, letter = sender.table, arrived.letter
    quoted = orders_in_quotes(table, sender.seat.name, letter.left_out, arrived.arrival, frozenset())
    if not quoted and not any(file.unread for file in letter.files) and not _surroundings(sender, arrived, written).talk():
        return ""
    if quoted:
        sentence, _ = quoted_orders_told(quoted)
        return f"Your mail has ORDERS, but no order lines, so nothing was changed. {sentence} {_HOW_TO_GIVE_NONE}."
    besides = "a file that is not read" if any(file.unread for file in letter.files) else "other words"
    mended = "Write your orders into the mail itself, one a line. " if besides != "other words" else ""
    return f"Your mail has ORDERS, no order lines, and {besides}, so nothing was changed. {mended}{_HOW_TO_GIVE_NONE}."


def _surroundings(sender: Sender, arrived: Arrived, script: Script) -> Surroundings:
    letter, seat = arrived.letter, sender.seat
    return Surroundings(
        commands={command.line.number: command.line for command in script.commands},
        others={line.number: line for line in script.orders if not says_nothing(line.text)},
        is_order=order_test(sender.table, seat.name, arrived.arrival).is_order,
        names=(seat.name, seat.holder, letter.sender_name, letter.sender.partition("@")[0]),
    )

"""Conditions above orders of a letter, which no order can have, and headings of other turns, and of orders that count no more:
what stands below one of them is not read."""

import re
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

from pbmd.desk.language.marks import says_nothing
from pbmd.desk.language.order_words import LineTest, ends_with_colon, may_be_wrapped
from pbmd.desk.language.vocabulary import (
    CONDITION,
    is_choice_alone,
    is_condition,
    is_heading_of_other_orders,
    names_time,
    only_announces,
    says_later,
    turn_of_heading,
)
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import OF_OTHER_ORDERS, OF_OTHER_TURN, UNDER_CONDITION, order_test, refused
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rules.protocol import Line
from pbmd.rules.words import counted


def without_conditional(sender: Sender, arrived: Arrived, lines: tuple[Line, ...], answer: Answer) -> tuple[Line, ...]:
    """The order lines without those that stand below a condition, or below the heading of another turn, and without that; the
    answer lists them."""
    under, conditions = conditional(sender, arrived, lines)
    if not under:
        return lines
    meant = [line for line in lines if line in under or line in conditions]
    them, many = "an order stands" if len(under) == 1 else f"{len(under)} lines stand", counted(len(under), "line")
    if all(turn_named(sender, line) is not None for line in conditions):
        answer.left_out += left_out([line.text for line in meant], OF_OTHER_TURN)
        answer.remark(f"In your mail {them} below the heading of another turn, where nothing is read.")
        answer.unread = f"{many} for another turn not read"
    elif all(is_heading_of_other_orders(line.text) for line in conditions):
        answer.left_out += left_out([line.text for line in meant], OF_OTHER_ORDERS)
        answer.remark(f"In your mail {them} below a heading of orders that count no more, where nothing is read.")
        answer.unread = f"{many} of other orders not read"
    else:
        answer.left_out += left_out([line.text for line in meant], UNDER_CONDITION)
        answer.remark(f"In your mail {them} below a condition, where nothing is read: {UNDER_CONDITION}.")
        answer.unread = f"{many} below a condition not read"
    return tuple(line for line in lines if line not in meant)


def tell_of_other_turn(sender: Sender, conditions: Iterable[Line], answer: Answer) -> None:
    """Say which turn runs, if a letter that is read as a whole has orders below the heading of another: the rules know nothing
    of such headings."""
    if any(turn_named(sender, line) is not None for line in conditions):
        answer.remark(f"In your mail orders stand below the heading of another turn; this is {sender.table.game.step_called}.")


def has_conditions(sender: Sender, lines: Iterable[Line]) -> bool:
    """Whether one of these lines may be a condition, or the heading of another turn."""
    return any(CONDITION.match(line.text) or _is_of_others(sender, line) for line in lines)


def turn_named(sender: Sender, line: Line) -> int | None:
    """Of which turn a line is the heading, None if it is none."""
    return turn_of_heading(line.text, sender.seat.name)


def _is_of_others(sender: Sender, line: Line) -> bool:
    """Whether a line is the heading of another turn, or of orders that count no more."""
    return turn_named(sender, line) not in (None, sender.table.game.turn) or is_heading_of_other_orders(line.text)


def conditional(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> tuple[frozenset[Line], frozenset[Line]]:
    """The order lines that stand below conditions, or headings of another turn, and those above them. What the rules have as a
    heading is none, and no condition either is what has its order in its own line."""
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    lines = without_ends_of_sentences(sender, lines, lines, test)
    later = frozenset(line for line in lines if _is_of_others(sender, line))
    said = [line for line in lines if line in later or _is_condition_of_others(line.text, test.is_taken)]
    wrong = refused(sender.table, sender.seat.name, said, arrived.arrival)
    heads = [line for line in said if line.number in wrong]
    numbers = _places_of_headings(sender, arrived, lines) | {line.number for line in lines if line.number in wrong}

    def under(head: Line) -> frozenset[Line]:
        is_later = head in later
        found = _of_turn(lines, head, numbers, test.is_order) if is_later else _below(lines, head.number, numbers)
        return frozenset(found)

    below = {line: under(line) for line in heads}
    return frozenset[Line]().union(*below.values()), frozenset(line for line in heads if below[line])


def without_ends_of_sentences(
    sender: Sender, lines: Sequence[Line], letter: Sequence[Line], test: LineTest
) -> tuple[Line, ...]:
    """The lines of a letter without those that read like the heading of another time, and are the end of a sentence that is
    wrapped: "I lost too much in / turn 9"."""
    above = {line.number: line.text.rstrip() for line in letter}

    def is_end(line: Line) -> bool:
        text = above.get(line.number - 1, "")
        if ends_with_colon(line.text) or not (text[-1:].isalpha() or text[-1:] == ","):
            return False
        # Whether the line above is an order is asked last: it takes far longer than all else.
        return is_like_an_end(text, line) and not test.is_order(text)

    def is_like_an_end(text: str, line: Line) -> bool:
        if turn_named(sender, line) is not None or says_later(line.text):
            return line.text[0].islower()
        is_wrapped = may_be_wrapped(text, line.text) or line.text[0].islower() or line.text.rstrip().endswith(".")
        return is_wrapped and names_time(line.text) and test.is_heading(line.text)

    return tuple(line for line in lines if not is_end(line))


def _places_of_headings(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[int]:
    """The numbers of the lines that say for which turn those below them are, or that they are the orders."""
    name = sender.seat.name
    said = (each.number for each in lines if turn_named(sender, each) is not None or only_announces(each.text, name))
    return frozenset((*said, *(each.line.number for each in arrived.script.commands if each.kind == "orders")))


def _is_condition_of_others(text: str, is_taken: Callable[[str], bool]) -> bool:
    return is_condition(text) and not is_taken(_behind_condition(text))


def _behind_condition(text: str) -> str:
    """What stands behind the first comma or colon of a condition, up to which it goes: "if he comes, use counter-espionage"."""
    return re.split(r"[,:]", text, maxsplit=1)[-1].strip() if re.search(r"[,:]", text) else ""


def _of_turn(
    lines: Sequence[Line], heading: Line, headings: Collection[int], is_order: Callable[[str], bool]
) -> Iterator[Line]:
    """The orders that stand below the heading of a turn, or of other orders, up to the next heading."""
    end = min((number for number in headings if number > heading.number), default=sys.maxsize)
    for line in lines:
        if line.number > heading.number and not says_nothing(line.text):
            if line.number >= end or (ends_with_colon(line.text) and not is_order(line.text)):
                return
            if is_order(line.text):
                yield line


def _below(lines: Sequence[Line], condition: int, conditions: Container[int]) -> Iterator[Line]:
    """The lines that depend on a condition: those of the paragraph below it, up to the next heading. A blank line between them
    is only below a colon, "next turn" or "or": else the condition is the end of what stands above it."""
    last = condition
    text = next((line.text for line in lines if line.number == condition), "")
    gap = 2 if ends_with_colon(text) or says_later(text) or is_choice_alone(text) else 1
    for line in lines:
        if line.number > condition:
            is_apart = line.number > last + (1 if last > condition else gap)
            if is_apart or line.number in conditions or ends_with_colon(line.text):
                return
            yield line
            last = line.number

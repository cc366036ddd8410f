"""The order lines of a letter: those that are read, without the marks, talk, conditions, labels and secrets around them; and
what may mean that there are none, or that those on file are cancelled: a letter may say so, or only speak of it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.marks import says_nothing
from pbmd.desk.language.order_words import LineTest, without_talk
from pbmd.desk.language.surroundings import Surroundings
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import (
    MAX_LINE_CHARS,
    MAX_ORDER_LINES,
    listed_talk,
    order_test,
    orders_in_quotes,
    quoted_orders_told,
    right_orders,
    without_marks,
)
from pbmd.desk.player.orders.beside_orders import (
    LINES_NOT_READ,
    doubtful_talk,
    headings_of_this_turn,
    names_of,
    of_others,
    signature_in,
    talk_between,
    tell_of_others,
)
from pbmd.desk.player.orders.broken_lines import with_whole_lines
from pbmd.desk.player.orders.conditions import (
    conditional,
    has_conditions,
    tell_of_other_turn,
    without_conditional,
    without_ends_of_sentences,
)
from pbmd.desk.player.orders.earlier_orders import with_earlier_orders
from pbmd.desk.player.orders.nothing_read import NOTHING_CHANGED, file_unread, said_instead
from pbmd.desk.player.orders.several_orders import with_orders_apart, with_verbs_of_headings
from pbmd.post.lines.sorted_lines import left_out
from pbmd.rules.nothing import NO_ORDERS, lines_without_orders
from pbmd.rules.protocol import Line
from pbmd.rules.words import counted

_TOKENS_IN_TOKENS = 3
_LABEL = re.compile(r"\s*[^\W\d_]+(?: [^\W\d_]+)?:\s+\S")
_IN_SIGNATURE = "not carried out, since it stands in a signature; if you meant it, send it with a blank line above and below"


def with_orders_to_read(work: Transaction, arrived: Arrived, sender: Sender, answer: Answer) -> Arrived:
    """The letter with the orders that are read, those of an earlier turn too if it asks for them."""
    written, blanked = arrived.script, arrived.blanked
    own = tuple([line for line in written.orders if line.number not in blanked]) if blanked else written.orders
    script = replace(written, orders=own) if blanked else written
    if use := next((command for command in script.commands if command.kind == "use"), None):
        script = with_earlier_orders(work, sender, script, use, answer)
    shown = [line.text for line in written.orders if line.number in blanked]
    script, as_written = _bare(sender, arrived, script)
    talk: tuple[Line, ...] = ()
    kept = script.orders
    if not _has_orders_alone(sender, arrived, script.orders):
        script, as_written = _whole(sender, arrived, script, as_written, answer)
        kept, talk, script = _sorted(work, sender, arrived, script, answer)
        answer.left_out += listed_talk([line.text for line in talk], sender.table.commands)
    orders = _orders_to_read(arrived, kept, shown, answer)
    script = script if orders is script.orders else replace(script, orders=orders)
    script = _without_labels(script, talk, answer) if orders else script
    return arrived if script is written else replace(arrived, script=script, written=as_written)


def _sorted(
    work: Transaction, sender: Sender, arrived: Arrived, script: Script, answer: Answer
) -> tuple[tuple[Line, ...], tuple[Line, ...], Script]:
    """The order lines of a letter, the talk beside them, and the script without what stands below conditions."""
    is_whole = _is_whole(sender) and len(script.orders) <= MAX_ORDER_LINES
    if not is_whole and has_conditions(sender, script.orders[:MAX_ORDER_LINES]):
        read = _without_too_many(script.orders, answer)
        script = replace(script, orders=without_conditional(sender, arrived, read, answer))
    kept, talk = _without_talk(work, sender, arrived, script)
    if headings := headings_of_this_turn(sender, arrived, kept):
        kept, talk = tuple(line for line in kept if line not in headings), tuple(sorted((*talk, *headings), key=_NUMBER))
    if is_whole and kept:
        kept, talk = _as_a_whole(sender, arrived, kept, talk, answer)
    return kept, talk, script


def _is_whole(sender: Sender) -> bool:
    """Whether one line that is no order refuses a letter."""
    return sender.table.ruleset.info.sheets.errors == "refuse_mail"


def _has_orders_alone(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> bool:
    """Whether the rules read each line as an order, as of most letters: so nothing stands beside them."""
    return bool(lines) and len(right_orders(sender.table, sender.seat.name, lines, arrived.arrival)) == len(lines)


def _bare(sender: Sender, arrived: Arrived, script: Script) -> tuple[Script, Mapping[int, str]]:
    """The script with its orders out of the marks around them, and how those were written, by the numbers of their lines."""
    bare = without_marks(sender.table, sender.table.position, sender.seat.name, script.orders, arrived.arrival)
    as_written = {old.number: old.text for old, new in zip(script.orders, bare, strict=True) if old != new}
    return replace(script, orders=bare) if as_written else script, as_written


def _whole(
    sender: Sender, arrived: Arrived, script: Script, as_written: Mapping[int, str], answer: Answer
) -> tuple[Script, Mapping[int, str]]:
    """The script with each of its orders in one line, and how those with marks were written that are in one anyway."""
    below = with_verbs_of_headings(sender, arrived, script.orders, answer)
    whole = with_orders_apart(sender, arrived, with_whole_lines(sender, arrived, below, answer), answer)
    if whole == script.orders:
        return script, as_written
    as_it_was = frozenset(line.number for line in whole if line in script.orders)
    return replace(script, orders=whole), {number: text for number, text in as_written.items() if number in as_it_was}


def _without_talk(
    work: Transaction, sender: Sender, arrived: Arrived, script: Script
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The order lines without what stands around them and is none: greetings, names, footers; unless there is nothing else. And
    what that is. Of a flood of lines nobody asks the rules what each is."""
    if not script.orders or len(script.orders) > MAX_ORDER_LINES:
        return script.orders, ()
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    orders = without_talk(script.orders, (), test, is_whole=_is_whole(sender))
    orders = _without_signature(orders, names_of(sender, arrived), test)
    orders = without_ends_of_sentences(sender, orders, script.orders, test)
    if not orders and not script.commands:
        orders = _all_that_may_be_meant(work, sender, arrived, script.orders, test.speaks_of_orders)
    if all(test.is_heading(line.text) for line in orders):
        return (), script.orders
    if len(orders) == len(script.orders):
        return script.orders, ()
    kept = frozenset(orders)
    return orders, tuple(line for line in script.orders if line not in kept)


def _without_signature(orders: tuple[Line, ...], names: Collection[str], test: LineTest) -> tuple[Line, ...]:
    """The lines without a farewell and the name of who writes at their end, which may be that of a side, like a heading."""
    signature = signature_in(orders, names, test)
    return orders if any(test.is_taken(line.text) for line in signature) else orders[: len(orders) - len(signature)]


def _all_that_may_be_meant(
    work: Transaction, sender: Sender, arrived: Arrived, lines: tuple[Line, ...], speaks_of_orders: Callable[[str], bool]
) -> tuple[Line, ...]:
    """Of a letter with nothing but talk the lines that the rules are asked about: all, unless it is clear what was meant. Above
    the sheet as it was may stand what is to be changed in it, and beside a file that cannot be read an order."""
    said = said_instead(work, sender, arrived)
    if said is None and file_unread(arrived) is None:
        return lines
    return tuple(line for line in lines if speaks_of_orders(line.text)) if said in (None, *NOTHING_CHANGED) else ()


def _as_a_whole(
    sender: Sender, arrived: Arrived, orders: tuple[Line, ...], talk: tuple[Line, ...], answer: Answer
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The order lines and the talk of a letter that one line which is no order refuses as a whole: what is talk beyond doubt
    costs nothing, and a condition or a choice refuses it, since nobody can tell what was meant. So do words that take something
    back: what is accepted there is final."""
    lines = sorted((*orders, *talk), key=_NUMBER)
    between = talk_between(sender, arrived, orders)
    answer.unread = LINES_NOT_READ if between else ""
    conditions: frozenset[Line] = frozenset()
    if has_conditions(sender, lines):
        _, conditions = conditional(sender, arrived, lines)
        tell_of_other_turn(sender, conditions, answer)
    names = (sender.seat.holder, arrived.letter.sender_name)
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    doubtful = doubtful_talk(lines, talk, names, test, answer)
    foreign = of_others(sender, [line for line in lines if line.text.strip()], [*talk, *between])
    tell_of_others(foreign, answer)
    talking = (frozenset(talk) - doubtful | between) - conditions - frozenset(foreign)
    return tuple(line for line in lines if line not in talking), tuple(line for line in lines if line in talking)


_NUMBER = attrgetter("number")


def _without_labels(script: Script, talk: Sequence[Line], answer: Answer) -> Script:
    """The script without lines of signatures that happen to be commands, as "Timezone: CET" below a name and a telephone."""
    beside = {line.number + way for line in talk for way in (-1, 1)}
    labels = [each for each in script.commands if each.line.number in beside and _LABEL.match(each.line.text)]
    if not labels:
        return script
    answer.left_out += left_out([each.line.text for each in labels], _IN_SIGNATURE)
    return replace(script, commands=tuple(each for each in script.commands if each not in labels))


def _without_too_many(lines: tuple[Line, ...], answer: Answer) -> tuple[Line, ...]:
    """The first of the order lines, as many as are read; the answer tells of the others."""
    if len(lines) > MAX_ORDER_LINES:
        answer.remark(f"Of the {len(lines)} order lines in your mail only the first {MAX_ORDER_LINES} were read.")
        answer.left_out += left_out([line.text for line in lines[MAX_ORDER_LINES:]], "there were too many lines above it")
    return lines[:MAX_ORDER_LINES]


def _orders_to_read(arrived: Arrived, lines: tuple[Line, ...], shown: list[str], answer: Answer) -> tuple[Line, ...]:
    """The order lines without those that are not read, of which the answer tells; those `shown` besides had a token."""
    if long := [line.text for line in lines if len(line.text) > MAX_LINE_CHARS]:
        answer.remark(f"Lines of more than {MAX_LINE_CHARS} characters are not read; your mail had {len(long)}.")
        answer.left_out += left_out(long, "it is too long")
        lines = tuple(line for line in lines if len(line.text) <= MAX_LINE_CHARS)
    lines = _without_too_many(lines, answer)
    harmless = _without_tokens(arrived, lines)
    if harmless is not lines:
        unharmed = frozenset(harmless)
        shown = [*shown, *(line.text for line in lines if line not in unharmed)]
    if shown:
        it = "it has a secret token in it" if len(shown) == 1 else "they have a secret token in them"
        answer.remark(f"We did not read {counted(len(shown), 'order line')}: {it}, which others might come to see.")
        answer.left_out += left_out(arrived.blanker.lines(shown), "a secret token is in it")
    return harmless


def _without_tokens(arrived: Arrived, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines without those in which a token comes together when others are left out; who does that again and again has none
    of them read."""
    for _ in range(_TOKENS_IN_TOKENS):
        clean = arrived.blanker.lines([line.text for line in lines])
        kept = tuple(line for line, text in zip(lines, clean, strict=True) if line.text == text)
        if len(kept) == len(lines):
            return lines
        lines = kept
    return ()


# What may mean that there are none

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
    said = lines_without_orders(script.orders, words)
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
    return Surroundings(
        commands={command.line.number: command.line for command in script.commands},
        others={line.number: line for line in script.orders if not says_nothing(line.text)},
        is_order=order_test(sender.table, sender.seat.name, arrived.arrival).is_order,
        names=names_of(sender, arrived),
    )

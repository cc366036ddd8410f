"""All that a proven letter of a seat says, in the order in which it is written, and what is answered."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.order_words import without_talk
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.attached import with_files
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.subject_line import command_in_subject, orders_in_subject
from pbmd.desk.letter.unread_orders import (
    MAX_LINE_CHARS,
    MAX_ORDER_LINES,
    could_be_orders,
    listed_talk,
    order_test,
    orders_in_quotes,
    quoted_orders_told,
    without_marks,
)
from pbmd.desk.mail.tokens import BLANKED
from pbmd.desk.player.back import wake_by_mail
from pbmd.desk.player.commands import act_named
from pbmd.desk.player.orders.earlier_orders import with_earlier_orders
from pbmd.desk.player.orders.echoed_head import mind_head
from pbmd.desk.player.orders.intake import take_orders
from pbmd.desk.player.orders.moves import carry_out_moves
from pbmd.desk.player.orders.talk_of_orders import (
    doubt_of_empty_sheet,
    without_cancel_in_sentences,
    without_nothing_in_sentences,
)
from pbmd.desk.player.orders.timing import not_under_way
from pbmd.desk.player.votes import tell_of_uncounted_vote, with_votes
from pbmd.desk.step.on_file import sheet_on_file
from pbmd.post.lines.command_text import OUTSIDE, SheetBack
from pbmd.post.lines.sorted_lines import left_out
from pbmd.post.read.attached_files import A_MAIL
from pbmd.post.read.body import ENCRYPTED, ONLY_A_MAIL
from pbmd.rules.joining import How, how_of
from pbmd.rules.protocol import Line
from pbmd.rules.words import counted

MAX_COMMANDS = 30
"""A short letter must not make an endless answer, nor a flood of press."""
_TOKENS_IN_TOKENS = 3
_LABEL = re.compile(r"\s*[^\W\d_]+(?: [^\W\d_]+)?:\s+\S")
_IN_SIGNATURE = "not carried out, since it stands in a signature; if you meant it, send it with a blank line above and below"


def serve(work: Transaction, arrived: Arrived, sender: Sender) -> Answer:
    """Do all that a proven letter says, and gather the answer. Raises `AlteredGame`: what it would be mailed to may be
    anybody's."""
    sender.table.must_be_as_written()
    arrived, files = with_files(sender, arrived) if arrived.letter.files else (arrived, "")
    has_votes = _has_votes(sender.table)
    arrived = with_votes(work, sender, arrived) if has_votes else arrived
    answer = Answer(left_out=arrived.letter.left_out)
    for sentence in _about_the_mail(arrived, sender, files):
        answer.remark(sentence)
    if _is_unusable(arrived):
        answer.short = _UNUSABLE.get(arrived.letter.problem, "")
        return answer
    position = sender.table.position if _gives_orders(arrived) else None
    if arrived.letter.brought.heads:
        mind_head(work, sender, arrived)
    _carry_out(work, arrived, sender, answer)
    if has_votes:
        tell_of_uncounted_vote(work, sender, arrived, answer)
    _tell_of_orders_in_subject(sender, arrived, answer)
    _doubt(sender, position, arrived, answer)
    if any(file.unread == A_MAIL for file in arrived.letter.files):
        _tell_of_attached_mail(answer)
    if unread := arrived.script.unread:
        answer.remark(f"After END, {len(unread)} {'line was' if len(unread) == 1 else 'lines were'} not read.")
        answer.left_out += left_out([line.text for line in unread], "it stands below END")
    return answer


def _has_votes(table: OpenGame) -> bool:
    """Whether its players vote, by its terms or by its rules."""
    return bool(table.terms.votes or table.ruleset.info.votes)


def _about_the_mail(arrived: Arrived, sender: Sender, files: str) -> Iterator[str]:
    """What is to be said of a mail as a whole, before anything that it says is done. `files`: which of them were read."""
    if files:
        yield files
    if sender.besides:
        seat = f"{sender.seat.name} in {sender.table.game.name}"
        yield (
            f"Your mail shows the secrets of several seats of yours. It was read for {seat}, and not for "
            f"{', '.join(sender.besides)}: send each a mail of its own."
        )
    if arrived.letter.problem:
        yield arrived.letter.problem
    if any(arrived.shows_token(command) for command in arrived.script.commands):
        yield BLANKED


_NO_LINE = (
    (
        "Your mail had no line with an order or a command, so nothing was changed. "
        "If you want to give no orders this turn, send the single line ORDERS."
    ),
    "NOT TAKEN: no order in your mail",
)
_IN_SUBJECT = (
    "Orders in the subject are not read: write them into the mail, one a line.",
    "NOT READ: orders in the subject",
)
_COMMAND_IN_SUBJECT = (
    "A command in the subject is not read: write it into the mail, on a line of its own.",
    "NOT READ: a command in the subject",
)
_AS_THEY_WERE = "Your orders are what they were.", "your orders are what they were"
_AS_IT_WAS = "Your move is what it was.", "your move is what it was"
_NOT_ON_FILE = (
    (
        "Your mail says nothing beside a list of ours that is of an earlier turn, or of a mail that was not taken, so nothing "
        "was changed; you have no orders in now. If you mean that list, send it alone in a new mail, from mark to mark."
    ),
    "nothing was changed; no orders are in",
)
_OF_LISTS: Mapping[SheetBack, tuple[str, str]] = {
    "changed in a quote": (
        (
            "The list of your orders was changed inside a quote, where it is not read, so nothing was changed. Please send it "
            "again without quote marks (>) before its lines, from mark to mark."
        ),
        "NOT READ: a list changed in a quote",
    ),
    "emptied": (
        (
            "No line in the list of your mail counts: all are gone, or have a # before them. Nothing was changed. Take the # "
            "away from each line that you mean; to cancel all your orders, send CANCEL ORDERS on a line of its own."
        ),
        "the list is empty: nothing was changed",
    ),
    "of another seat": (
        (
            "The list in your mail was not sent to your seat, so it is not read, and nothing was changed. If you want to give "
            "the same orders, send them without the marks above and below them."
        ),
        "NOT READ: a list of another seat",
    ),
}
"""What is said of a mail that has nothing but such a list, and in its subject."""
_UNUSABLE = {ENCRYPTED: "NOT READ: your mail is encrypted", ONLY_A_MAIL: "NOT READ: only an attached mail"}


def _instead(work: Transaction, sender: Sender, arrived: Arrived) -> tuple[str, str] | None:
    """What is said of a letter in which nobody wrote a line that is one of orders or commands, and what its subject says of
    that: that orders stand elsewhere in it, or that the sheet on file came back as it was; None if it is neither."""
    table, seat, letter, arrival = sender.table, sender.seat, arrived.letter, arrived.arrival
    sheet = sheet_on_file(table, seat)
    if quoted := orders_in_quotes(table, seat.name, letter.left_out, arrival, frozenset(sheet.lines if sheet else ())):
        return quoted_orders_told(quoted)
    if orders_in_subject(sender, arrived):
        return _IN_SUBJECT
    if command_in_subject(work, sender, arrived):
        return _COMMAND_IN_SUBJECT
    if found := _OF_LISTS.get(letter.sheet):
        return found
    if letter.sheet == "as it was" and sheet is None:
        return _NOT_ON_FILE
    if letter.sheet == "as it was":
        return _AS_IT_WAS if table.ruleset.sequential else _AS_THEY_WERE
    return None


def _is_unusable(arrived: Arrived) -> bool:
    """Whether nothing at all could be read."""
    return bool(arrived.letter.problem) and not arrived.letter.lines


def _gives_orders(arrived: Arrived) -> bool:
    return bool(arrived.script.orders) or any(command.kind == "orders" for command in arrived.script.commands)


def _doubt(sender: Sender, position: Any, arrived: Arrived, answer: Answer) -> None:
    """Say first of all if what is in force may not be all that was meant: lines that could have been orders in this position
    were not read."""
    table, orders = sender.table, answer.orders
    if not answer.left_out or (not answer.is_reported and (orders is None or not orders.taken)):
        return
    if not could_be_orders(table, position, sender.seat.name, answer.left_out, arrived.arrival):
        _doubt_commands(answer, table.commands)
        return
    if orders is None:
        answer.remark("Lines of your mail that could be orders were not read; they stand below.")
    else:
        unread = "but lines that could be orders were not read"
        short = f"{orders.short}, lines not read" if orders.short else ""
        answer.orders = replace(orders, headline=f"{orders.headline}, {unread}", short=short)


def _doubt_commands(answer: Answer, commands: PlayerLanguage) -> None:
    """Say first of all if commands stand outside of the list that was read."""
    beside = [line for piece in answer.left_out if piece.reason == OUTSIDE for line in piece.text.split("\n")]
    if not commands.read(starmap(Line, enumerate(beside, start=1))).commands:
        return
    if answer.orders is None:
        answer.remark("Commands in your mail were not read; they stand below.")
        return
    orders = answer.orders
    headline = f"{orders.headline}, but commands in your mail were not read"
    answer.orders = replace(orders, headline=headline, short="orders in, commands not read")


def _tell_of_orders_in_subject(sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """Say first of all that orders in the subject are not read, if none were taken from the mail itself and it is not said."""
    orders, (sentence, short) = answer.orders, _IN_SUBJECT
    if answer.is_reported or answer.moves or (orders is not None and orders.taken) or sentence in answer.remarks:
        return
    if not orders_in_subject(sender, arrived):
        return
    answer.remarks.insert(0, sentence)
    if orders is None:
        answer.short, answer.also = short, answer.also or _ALSO_IN_SUBJECT
    elif orders.short == _REFUSED:
        answer.orders = replace(orders, short=short)


_REFUSED = "NOT TAKEN"
"""What is said in the subject of orders that are wrong; of those that come too late, say, another reason is."""
_ALSO_IN_SUBJECT = "orders in the subject not read"


def _tell_of_attached_mail(answer: Answer) -> None:
    """Say first of all that orders in an attached mail are not read, if none were taken from the mail itself."""
    orders = answer.orders
    if answer.is_reported or (orders is not None and orders.taken):
        return
    unread = (
        "A mail is attached to yours; attached mails are not opened, so orders that stand in it were not read. Please write"
    )
    if orders is None:
        answer.remarks.insert(0, f"{unread} your orders into the mail itself.")
        answer.short = "NOT READ: an attached mail"
    else:
        headline = f"{orders.headline}. {unread} your orders into the mail itself"
        answer.orders = replace(orders, headline=headline, short="NOT TAKEN: attached mail not read")


def _carry_out(work: Transaction, arrived: Arrived, sender: Sender, answer: Answer) -> None:
    """Orders and commands in the order in which they are written, but what only asks to see something comes last."""
    arrived = without_nothing_in_sentences(sender, arrived, answer)
    written, commands = arrived.script, sender.table.commands
    arrived = _with_orders_to_read(work, arrived, sender, answer)
    named = _named(arrived.script, answer)
    how = "only" if arrived.letter.sheet == "changed" else _how(written)
    if not arrived.script.orders and not written.commands:
        sentence, answer.short = _instead(work, sender, arrived) or _NO_LINE
        answer.remark(sentence)
    numbers = [line.number for line in arrived.script.orders] + ([named.line.number] if named else [])
    acting = without_cancel_in_sentences(sender, arrived, written, _commands(commands, arrived.script, answer), answer)
    course = _course(acting, commands.asking, min(numbers, default=None))

    def carry_out(these: Iterable[Command]) -> None:
        for command in these:
            act_named(commands.by_kind[command.kind].act)(work, sender, arrived, command, answer)

    carry_out(course.before)
    if not _changes_nothing(sender, arrived, written, how, named, answer) and numbers:
        if sender.seat.is_asleep and not not_under_way(sender.table):
            wake_by_mail(work, sender, answer)
        take_orders(work, sender, arrived, named, answer, how)
    carry_out(course.after)
    if sender.table.ruleset.sequential:
        carry_out_moves(work, sender, arrived, answer)
    carry_out(course.asking)


def _changes_nothing(
    sender: Sender, arrived: Arrived, written: Script, how: How, named: Command | None, answer: Answer
) -> bool:
    """Whether ADD, ONLY or ORDERS stands without orders and changes nothing; then the answer says so."""
    if _joins_nothing(how, arrived.script, named):
        if not answer.remarks:
            answer.short = f"NOTHING CHANGED: {how.upper()} without orders"
        answer.remark(f"{how.upper()}: your mail has no order lines, so nothing was changed.")
        return True
    doubt = doubt_of_empty_sheet(sender, arrived, written) if named and not arrived.script.orders else ""
    if doubt:
        answer.short = "NOTHING CHANGED: ORDERS without orders"
        answer.remark(doubt)
    return bool(doubt)


def _joins_nothing(how: How, script: Script, named: Command | None) -> bool:
    """Whether ADD or ONLY stands in a letter without orders. ONLY beside ORDERS is a sheet that is empty on purpose."""
    return bool(how) and not script.orders and not (how == "only" and named)


@dataclass(frozen=True, slots=True)
class _Course:
    """The commands of a letter in the order in which they are carried out: `before` its orders, `after` them, and last what
    only asks to see something."""

    before: tuple[Command, ...]
    after: tuple[Command, ...]
    asking: tuple[Command, ...]


def _course(commands: Sequence[Command], kinds_asking: frozenset[str], first_order: int | None) -> _Course:
    """`first_order` is the number of the line with which the orders begin, None if there are none."""
    doing = [command for command in commands if command.kind not in kinds_asking]
    before = tuple(command for command in doing if first_order is None or command.line.number < first_order)
    asking = tuple(command for command in commands if command.kind in kinds_asking)
    return _Course(before, tuple(doing[len(before) :]), asking)


def _with_orders_to_read(work: Transaction, arrived: Arrived, sender: Sender, answer: Answer) -> Arrived:
    """The letter with the orders that are read, those of an earlier turn too if it asks for them."""
    written, blanked = arrived.script, arrived.blanked
    own = tuple([line for line in written.orders if line.number not in blanked]) if blanked else written.orders
    script = replace(written, orders=own) if blanked else written
    if use := next((command for command in script.commands if command.kind == "use"), None):
        script = with_earlier_orders(work, sender, script, use, answer)
    shown = [line.text for line in written.orders if line.number in blanked]
    script, as_written = _bare(sender, arrived, script)
    kept, talk = _without_talk(work, sender, arrived, script)
    answer.left_out += listed_talk([line.text for line in talk], sender.table.commands) if talk else ()
    orders = _orders_to_read(arrived, kept, shown, answer)
    script = script if orders is script.orders else replace(script, orders=orders)
    script = _without_labels(script, talk, answer) if orders else script
    return arrived if script is written else replace(arrived, script=script, written=as_written)


def _bare(sender: Sender, arrived: Arrived, script: Script) -> tuple[Script, Mapping[int, str]]:
    """The script with its orders out of the marks around them, and how those were written, by the numbers of their lines."""
    bare = without_marks(sender.table, sender.table.position, sender.seat.name, script.orders, arrived.arrival)
    as_written = {old.number: old.text for old, new in zip(script.orders, bare, strict=True) if old != new}
    return replace(script, orders=bare) if as_written else script, as_written


def _without_talk(
    work: Transaction, sender: Sender, arrived: Arrived, script: Script
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The order lines without what stands around them and is none: greetings, names, footers; unless there is nothing else. And
    what that is. Of a flood of lines nobody asks the rules what each is."""
    if not script.orders or len(script.orders) > MAX_ORDER_LINES:
        return script.orders, ()
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    orders = without_talk(script.orders, (), test)
    if not orders and not script.commands:
        said = _instead(work, sender, arrived)
        # Above the sheet as it was may stand what is to be changed in it.
        orders = script.orders if said is None else tuple(line for line in script.orders if test.speaks_of_orders(line.text))
        orders = () if said not in (None, _AS_THEY_WERE, _AS_IT_WAS, _NOT_ON_FILE) else orders
    if len(orders) == len(script.orders):
        return script.orders, ()
    kept = frozenset(orders)
    return orders, tuple(line for line in script.orders if line not in kept)


def _without_labels(script: Script, talk: Sequence[Line], answer: Answer) -> Script:
    """The script without lines of signatures that happen to be commands, as "Timezone: CET" below a name and a telephone."""
    beside = {line.number + way for line in talk for way in (-1, 1)}
    labels = [each for each in script.commands if each.line.number in beside and _LABEL.match(each.line.text)]
    if not labels:
        return script
    answer.left_out += left_out([each.line.text for each in labels], _IN_SIGNATURE)
    return replace(script, commands=tuple(each for each in script.commands if each not in labels))


def _named(script: Script, answer: Answer) -> Command | None:
    """The line that says for when the orders are: the first of several."""
    named = [command for command in script.commands if command.kind == "orders"]
    if any(command.words != named[0].words for command in named):
        answer.remark(f'Of several lines that say for when the orders are only the first counts: "{named[0].line.text}".')
    return named[0] if named else None


def _how(script: Script) -> How:
    """How the orders of a letter join those on file. Orders of a turn that was taken back are a whole sheet."""
    said = [command.kind for command in script.commands if how_of(command.kind)]
    of_a_turn = any(command.kind == "use" for command in script.commands)
    return how_of(said[-1]) if said else "only" if of_a_turn else ""


def _commands(language: PlayerLanguage, script: Script, answer: Answer) -> tuple[Command, ...]:
    counting, overruling = language.once_each([command for command in script.commands if command.kind != "orders"])
    commands = tuple(command for command in counting if command.kind not in language.of_orders)
    for sentence in overruling:
        answer.remark(sentence)
    if len(commands) > MAX_COMMANDS:
        answer.remark(f"Of your {len(commands)} commands only the first {MAX_COMMANDS} were carried out.")
    return commands[:MAX_COMMANDS]


def _orders_to_read(arrived: Arrived, lines: tuple[Line, ...], shown: list[str], answer: Answer) -> tuple[Line, ...]:
    """The order lines without those that are not read, of which the answer tells; those `shown` besides had a token."""
    if long := [line.text for line in lines if len(line.text) > MAX_LINE_CHARS]:
        answer.remark(f"Lines of more than {MAX_LINE_CHARS} characters are not read; your mail had {len(long)}.")
        answer.left_out += left_out(long, "it is too long")
        lines = tuple(line for line in lines if len(line.text) <= MAX_LINE_CHARS)
    if len(lines) > MAX_ORDER_LINES:
        answer.remark(f"Of the {len(lines)} order lines in your mail only the first {MAX_ORDER_LINES} were read.")
        answer.left_out += left_out([line.text for line in lines[MAX_ORDER_LINES:]], "there were too many lines above it")
        lines = lines[:MAX_ORDER_LINES]
    harmless = _without_tokens(arrived, lines)
    unharmed = frozenset(harmless)
    if shown := [*shown, *(line.text for line in lines if line not in unharmed)]:
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

"""All that a proven letter of a seat says, in the order in which it is written, and what is answered."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from operator import attrgetter
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.openings.series import open_games
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.answer import WORDS_NOT_READ, Answer
from pbmd.desk.letter.attached import with_files
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.subject_line import (
    has_more_orders_in_subject,
    has_subject_of_reply,
    orders_in_subject,
    speaks_of_other_orders,
)
from pbmd.desk.letter.unread_orders import (
    MAX_ORDER_LINES,
    UNJUDGED,
    could_be_orders,
    has_orders,
    is_talk,
)
from pbmd.desk.mail.tokens import BLANKED
from pbmd.desk.player.back import wake_by_mail
from pbmd.desk.player.commands import act_named
from pbmd.desk.player.orders.beside_orders import LINES_NOT_READ, tell_of_changes, tell_of_talk
from pbmd.desk.player.orders.echoed_head import mind_head
from pbmd.desk.player.orders.game_heads import without_other_games
from pbmd.desk.player.orders.intake import take_orders
from pbmd.desk.player.orders.moves import carry_out_moves
from pbmd.desk.player.orders.nothing_read import NO_LINE, ORDERS_IN_SUBJECT, file_unread, said_instead, say_of_no_line
from pbmd.desk.player.orders.order_lines import (
    doubt_of_empty_sheet,
    with_orders_to_read,
    without_cancel_in_sentences,
    without_nothing_in_sentences,
)
from pbmd.desk.player.orders.timing import not_under_way
from pbmd.desk.player.votes import tell_of_uncounted_vote, with_votes
from pbmd.post.lines.command_text import COMMENT, OUTSIDE
from pbmd.post.lines.sorted_lines import HEADING, left_out
from pbmd.post.read.attached_files import A_MAIL
from pbmd.post.read.body import ENCRYPTED, ONLY_A_MAIL
from pbmd.rules.joining import How, how_of
from pbmd.rules.protocol import Line, Status
from pbmd.rules.words import listing

MAX_COMMANDS = 30
"""A short letter must not make an endless answer, nor a flood of press."""


def serve(work: Transaction, arrived: Arrived, sender: Sender) -> Answer:
    """Do all that a proven letter says, and gather the answer. Raises `AlteredGame`: what it would be mailed to may be
    anybody's."""
    sender.table.must_be_as_written()
    arrived, files = with_files(sender, arrived) if arrived.letter.files else (arrived, "")
    arrived, others = without_other_games(work, sender, _without_prose(work, sender, arrived))
    has_votes = _has_votes(sender.table)
    arrived = with_votes(work, sender, arrived) if has_votes else arrived
    answer = Answer(left_out=arrived.letter.left_out)
    for sentence in _about_the_mail(arrived, sender, files):
        answer.remark(sentence)
    if others is not None:
        others.tell(answer)
    if _is_unusable(arrived):
        answer.short = _UNUSABLE.get(arrived.letter.problem, "")
        return answer
    position = sender.table.position if _gives_orders(arrived) else None
    if arrived.letter.brought.heads:
        mind_head(work, sender, arrived)
    _carry_out(work, arrived, sender, answer)
    _tell_of_comments(sender, position, arrived, answer)
    if has_votes:
        tell_of_uncounted_vote(work, sender, arrived, answer)
    _tell_of_orders_in_subject(sender, arrived, answer)
    _tell_of_more_in_subject(work, sender, position, arrived, answer)
    _doubt(sender, position, arrived, answer)
    if any(file.unread == A_MAIL for file in arrived.letter.files):
        _tell_of_attached_mail(answer)
    if arrived.script.unread:
        _tell_of_what_is_below_end(sender, arrived, answer)
    return answer


def _tell_of_what_is_below_end(sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """Say which lines stand below END; that they are not read stands in the subject, too, if the rules would take one."""
    table, unread = sender.table, arrived.script.unread
    answer.remark(f"After END, {len(unread)} {'line was' if len(unread) == 1 else 'lines were'} not read.")
    answer.left_out += left_out([line.text for line in unread], "it stands below END")
    if table.position is not None and has_orders(table, sender.seat.name, unread[:MAX_ORDER_LINES], arrived.arrival):
        answer.unread = answer.unread or LINES_NOT_READ


def _without_prose(work: Transaction, sender: Sender, arrived: Arrived) -> Arrived:
    """The letter in which "Join us!" is no sign-up for a game, which would take the lines below it."""
    script = arrived.script
    prose = [each for each in script.commands if each.kind == "join" and not _joins_a_game(work, sender, each)]
    if not prose:
        return arrived
    written = {line.number: line.text for line in arrived.letter.lines}
    lines = (Line(each.line.number, written.get(each.line.number, each.line.text)) for each in prose)
    orders = (*script.orders, *lines, *(line for each in prose for line in each.body))
    commands = tuple(each for each in script.commands if each not in prose)
    by_number = tuple(sorted(orders, key=attrgetter("number")))
    return replace(arrived, script=replace(script, commands=commands, orders=by_number))


def _joins_a_game(work: Transaction, sender: Sender, command: Command) -> bool:
    """Whether a line that begins with "join" says what a command says, also about a game that takes no sign-ups."""
    words, game = command.words, command.words["game"].lower()
    if "seat" in words or "seats" in words or "JOIN" in command.line.text:
        return True
    return any(map(str.isdigit, game)) or game in open_games(work) | {sender.table.game.name}


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
            f"{listing(sender.besides, 'or')}: send each a mail of its own."
        )
    if arrived.letter.problem:
        yield arrived.letter.problem
    if any(arrived.shows_token(command) for command in arrived.script.commands):
        yield BLANKED


_COMMENTS = (
    "Lines behind a # are comments, which are not read: take the # away from each line that you mean.",
    "NOT READ: lines behind a #",
)
_UNUSABLE = {ENCRYPTED: "NOT READ: your mail is encrypted", ONLY_A_MAIL: "NOT READ: only an attached mail"}


def _is_unusable(arrived: Arrived) -> bool:
    """Whether nothing at all could be read."""
    return bool(arrived.letter.problem) and not arrived.letter.lines


def _gives_orders(arrived: Arrived) -> bool:
    gives = bool(arrived.script.orders) or any(command.kind == "orders" for command in arrived.script.commands)
    return gives or _has_comments(arrived)


def _has_comments(arrived: Arrived) -> bool:
    return any(line.text[:1] == "#" for line in arrived.letter.lines)


def _tell_of_comments(sender: Sender, position: Any, arrived: Arrived, answer: Answer) -> None:
    """List lines with a # before them, outside of forms and lists, if one of them could be an order."""
    if not _has_comments(arrived):
        return
    bodies = {line.number for command in arrived.script.commands for line in command.body}
    lines = [line.text for line in arrived.letter.lines if line.text[:1] == "#" and line.number not in bodies]
    bare = left_out([_SIGN.sub("", line) for line in lines[:MAX_ORDER_LINES]], COMMENT)
    if could_be_orders(sender.table, position, sender.seat.name, bare, arrived.arrival):
        answer.left_out += left_out(lines, COMMENT)
        answer.unread = answer.unread or LINES_NOT_READ
        if answer.orders is None and not (answer.moves or answer.is_reported):
            _tell_of_comments_first(answer)


def _tell_of_comments_first(answer: Answer) -> None:
    """Say in the subject of a mail that gives no orders that lines of it are comments."""
    if answer.short:
        answer.short = "NOT TAKEN: lines behind a #" if answer.short == NO_LINE[1] else answer.short
        answer.remark(_COMMENTS[0])
        return
    answer.remarks.insert(0, _COMMENTS[0])
    answer.short, answer.also = _COMMENTS[1], answer.also or LINES_NOT_READ


_SIGN = re.compile(r"^[#\s]*(?:\d{1,3}\b[.):]?)?\s*")


def _doubt(sender: Sender, position: Any, arrived: Arrived, answer: Answer) -> None:
    """Say first of all if what is in force may not be all that was meant: lines that could have been orders in this position
    were not read."""
    table, orders = sender.table, answer.orders
    if orders and any(verdict.status is Status.ERROR for verdict in orders.verdicts):
        tell_of_changes(sender, arrived, answer)
    if not answer.left_out or (not answer.is_reported and (orders is None or not orders.taken)):
        return
    if not could_be_orders(table, position, sender.seat.name, answer.left_out, arrived.arrival):
        _doubt_commands(answer, table.commands)
        may_say_more = answer.unread in ("", WORDS_NOT_READ)
        if may_say_more and any(piece.reason in (OUTSIDE, UNJUDGED, HEADING) or is_talk(piece) for piece in answer.left_out):
            tell_of_talk(sender, arrived, answer)
        return
    if orders is None:
        answer.remark("Lines of your mail that could be orders were not read; they stand below.")
        answer.unread = LINES_NOT_READ
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
    orders, (sentence, short) = answer.orders, ORDERS_IN_SUBJECT
    if answer.is_reported or answer.moves or (orders is not None and orders.taken) or sentence in answer.remarks:
        return
    if not orders_in_subject(sender, arrived):
        return
    answer.remarks.insert(0, sentence)
    if orders is None:
        answer.short, answer.also = short, answer.also or _ALSO_IN_SUBJECT
    elif orders.short == _REFUSED:
        answer.orders = replace(orders, short=short)


def _tell_of_more_in_subject(work: Transaction, sender: Sender, position: Any, arrived: Arrived, answer: Answer) -> None:
    """Say that orders in the subject are not read beside those of the mail itself."""
    orders = answer.orders
    if not answer.is_reported and (orders is None or not orders.taken):
        return
    if has_subject_of_reply(work, sender, arrived):
        return
    on_file = (orders and orders.in_force) or ()
    if has_more_orders_in_subject(sender, position, arrived, on_file):
        answer.remark(ORDERS_IN_SUBJECT[0])
        answer.unread = answer.unread or _MORE_IN_SUBJECT
    elif arrived.script.orders and speaks_of_other_orders(sender, position, arrived, on_file):
        answer.remark("The subject of your mail may say that your orders are not meant so. It was not read: they count.")
        answer.unread = answer.unread or WORDS_NOT_READ


_REFUSED = "NOT TAKEN"
"""What is said in the subject of orders that are wrong; of those that come too late, say, another reason is."""
_ALSO_IN_SUBJECT = "orders in the subject not read"
_MORE_IN_SUBJECT = "subject not read"
"""So briefly that it stands behind what the report of a move says, too."""


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
    arrived = with_orders_to_read(work, arrived, sender, answer)
    named = _named(arrived.script, answer)
    how = "only" if arrived.letter.sheet == "changed" else _how(written)
    _tell_of_unopened(written, answer)
    if not arrived.script.orders and not written.commands and not written.unopened:
        say_of_no_line(said_instead(work, sender, arrived) or file_unread(arrived), answer)
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


def _tell_of_unopened(script: Script, answer: Answer) -> None:
    """Say that lines may belong to a message or the like whose beginning is mistyped, and were read as nothing else."""
    for each in script.unopened:
        what = "The lines that may belong to it were not read as orders or commands, and not sent"
        answer.remark(f"{each.closes_nothing}. {what}; they stand below: please send them again.")
        answer.left_out += left_out([line.text for line in each.body], f"it may belong to {each.end.text.strip()}")
    if script.unopened:
        answer.unread = LINES_NOT_READ
        answer.also = "" if script.orders else LINES_NOT_READ
        if not script.orders:
            answer.short = f"NOT READ: {script.unopened[0].end.text.strip()} closes nothing"


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

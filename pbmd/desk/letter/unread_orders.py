"""What of a letter was not read as orders although it could be orders: nothing of the kind is passed over in silence."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Literal

from pbmd.desk.books.transaction import OpenGame
from pbmd.desk.language.marks import JOINING, insides, remarks_in, says_nothing, without_running_numbers
from pbmd.desk.language.order_words import LINK, NO_WORDS, TALK, LineTest, OrderWords, commands_test, order_words, tokens_of
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.language.second_thoughts import says_change
from pbmd.desk.language.vocabulary import words_of
from pbmd.post.lines.command_text import SWITCHED_OFF
from pbmd.post.lines.letterhead import names_day
from pbmd.post.lines.mail_program_words import OTHER_LABELS
from pbmd.post.lines.quote_marks import behind_marks
from pbmd.post.lines.quotes import COPIED_MAIL, ORIGINALS, QUOTED
from pbmd.post.lines.sent import AGAIN, EDITED
from pbmd.post.lines.sorted_lines import BROUGHT_ALONG, LeftOut, left_out
from pbmd.post.lines.text import normal, without_bullet
from pbmd.post.read.letter import STRUCK_OUT
from pbmd.rules.protocol import Arrival, Line, Mail, Ruleset, Status
from pbmd.rules.troubles import BrokenGame
from pbmd.rules.words import counted

MAX_ORDER_LINES = 500
"""Each line is checked, answered and kept. A large fleet fills a page or two; thousands of lines are a mistake or an attack."""
MAX_LINE_CHARS = 2000
"""Rulesets take lines apart with grammars, whose time may grow with the square of a line."""

READ_LINES, READ_CHARS = 100, 500
"""A stranger's letter must not make the rules work for long."""
_ASKED_CHARS = 10_000
"""The rules are asked about so much of a letter line by line: a sheet of the largest fleet, or a long letter around a short
one. Lines read together share what may be tried with them, and a line by itself has all of it."""
UNDER_CONDITION = "an order cannot depend on anything; write what is to be done in any case"
"""Why lines below a condition are not read; the subject says so."""
OF_OTHER_TURN = "it stands below the heading of another turn"
"""The same of lines that are for another turn."""
OF_OTHER_ORDERS = "it stands below a heading of orders that count no more"
"""The same of lines that their writer calls old, or wrong."""
OF_OTHER_GAME = "it stands below the head of another game"
"""The same of lines for another game of the same player."""
UNJUDGED = "nothing came of it"
"""The same of lines of which the rules say nothing, as of headings."""
_NO_DOUBT = BROUGHT_ALONG | {STRUCK_OUT, SWITCHED_OFF, UNDER_CONDITION, OF_OTHER_TURN, OF_OTHER_ORDERS, OF_OTHER_GAME}
"""What a writer need not be asked about: what their program has added, what they have taken back themselves, and what they
are told in other words."""
_NEVER = ("", "--")
"""What is no order in any game: nothing, and what stands above a signature (RFC 3676, 4.3)."""


def accepted(
    table: OpenGame, position: Any, seat: str, lines: Sequence[Line], arrival: Arrival, *, of_stranger: bool = False
) -> frozenset[int]:
    """The numbers of the lines that the rules would take as orders of a seat, in a position of its game; none if it is None.

    `lines` are looked at up to the limits of a letter, or those of a stranger's.
    """
    most, longest = (READ_LINES, READ_CHARS) if of_stranger else (MAX_ORDER_LINES, MAX_LINE_CHARS)
    short = tuple(line for line in lines if len(line.text) <= longest)[:most]
    if position is None or not short:
        return frozenset()
    rules: Ruleset[Any] = table.ruleset
    verdicts = rules.receive(position, Mail(seat, short, arrival)).verdicts
    return frozenset(verdict.line for verdict in verdicts if verdict.line and verdict.status is not Status.ERROR)


def refused(table: OpenGame, seat: str, lines: Sequence[Line], arrival: Arrival) -> frozenset[int]:
    """The numbers of the lines in which the rules find something wrong."""
    if table.position is None or not lines:
        return frozenset()
    verdicts = table.ruleset.receive(table.position, Mail(seat, tuple(lines), arrival)).verdicts
    return frozenset(verdict.line for verdict in verdicts if verdict.line and verdict.status is Status.ERROR)


def right_orders(table: OpenGame, seat: str, lines: Sequence[Line], arrival: Arrival) -> frozenset[int]:
    """The numbers of the lines that the rules read as orders of a seat, and not only have a remark about; none of a game that
    cannot be read."""
    return _right(table, seat, lines, arrival, frozenset())


def votes_in(table: OpenGame, seat: str, lines: Sequence[Line]) -> frozenset[int]:
    """The numbers of the lines that are votes which the rules have as orders: they change no other."""
    try:
        own = frozenset(table.ruleset.info.votes.values())
        if not own or table.position is None:
            return frozenset()
        read = [table.ruleset.receive(table.position, Mail(seat, (line,), (0, 0))).verdicts for line in lines[:READ_LINES]]
    except BrokenGame:
        return frozenset()
    return frozenset(verdict.line for verdicts in read for verdict in verdicts if verdict.line and verdict.canonical in own)


def _right(table: OpenGame, seat: str, lines: Sequence[Line], arrival: Arrival, on_file: frozenset[str]) -> frozenset[int]:
    if table.position is None or not lines:
        return frozenset()
    short = tuple([line for line in lines if len(line.text) <= READ_CHARS])[:MAX_ORDER_LINES]
    try:
        verdicts = table.ruleset.receive(table.position, Mail(seat, short, arrival)).verdicts
    except BrokenGame:
        return frozenset()
    right = [verdict for verdict in verdicts if verdict.line and verdict.canonical]
    return frozenset([verdict.line for verdict in right if verdict.canonical not in on_file])


def without_marks(
    table: OpenGame, position: Any, seat: str, lines: Sequence[Line], arrival: Arrival, *, of_stranger: bool = False
) -> tuple[Line, ...]:
    """The lines; those that the rules refuse as they stand, and take without the marks around them, without these. What joins
    an order to others makes one only below another of the mail, or where letters amend: alone it may be meant beside those on
    file."""
    inner = _inner(table, position, seat, lines[:MAX_ORDER_LINES])
    marked = {number for number, tries in inner.items() if tries}
    if not marked:
        return tuple(lines)

    def right(read: Sequence[Line]) -> frozenset[int]:
        return accepted(table, position, seat, read, arrival, of_stranger=of_stranger)

    joins = {line.number: found for line in lines if line.number in marked and (found := JOINING.match(line.text))}
    amends = table.ruleset.info.letters == "amend"
    joining = {number for number, found in joins.items() if not amends or found["next"]}
    taken = right(lines)
    read = _peeled(lines, inner, marked - joining - taken, right)
    if joining <= taken:
        return tuple(read)
    first = min(taken | right(read), default=0)
    return tuple(_peeled(read, inner, {number for number in joining - taken if 0 < first < number}, right))


def _inner(table: OpenGame, position: Any, seat: str, lines: Sequence[Line]) -> dict[int, tuple[str, ...]]:
    """What may be inside of lines, by their numbers. A remark with words of orders is not taken away: "Conquer Ross with 3
    units (admiral leads)" says more than what stands before the brackets."""
    numbered = without_running_numbers([line.text for line in lines])
    inner = {line.number: _insides(line.text, numbered) for line in lines}
    remarks = {line.number: said for line in lines if inner[line.number] and (said := remarks_in(line.text))}
    words = _words(table, position, seat) if remarks else NO_WORDS
    written = {line.number: line.text for line in lines}

    def goes_on(text: str, remark: str) -> bool:
        """Whether dashes lead to a goal, with a remark behind that: "A Vie S A Bud -- Gal as we said" is no support to hold."""
        order = text[: text.rindex(remark)].rstrip()
        goal = Line(1, f"{order.rstrip('-')}- {remark.split()[0]}")
        return order.endswith("--") and bool(accepted(table, position, seat, [goal], (0, 0)))

    for number, said in remarks.items():
        kept = [remark for remark in said if words.has_word(remark) or goes_on(written[number], remark)]
        inner[number] = tuple(text for text in inner[number] if all(remark in text for remark in kept))
    return inner


def _words(table: OpenGame, position: Any, seat: str) -> OrderWords:
    """The words of a seat's orders; none of a game that cannot be read."""
    if position is None:
        return NO_WORDS
    try:
        return order_words(table.ruleset.order_form(position, seat), table.ruleset.info.handbook)
    except BrokenGame:
        return NO_WORDS


def _insides(text: str, numbered: Mapping[str, str]) -> tuple[str, ...]:
    return (numbered[text], *insides(numbered[text]), *insides(text)) if text in numbered else tuple(insides(text))


def _peeled(
    lines: Sequence[Line],
    inner: Mapping[int, Sequence[str]],
    refused: set[int],
    right: Callable[[Sequence[Line]], frozenset[int]],
) -> list[Line]:
    """The lines, of which those that are `refused` are tried with what is inside of them."""
    read = list(lines)
    for nth in range(max((len(inner[number]) for number in refused), default=0)):
        tried = [
            Line(line.number, inner[line.number][nth]) if line.number in refused and nth < len(inner[line.number]) else line
            for line in read
        ]
        taken = refused & right(tried)
        read = [new if new.number in taken else old for old, new in zip(read, tried, strict=True)]
        refused = refused - taken
    return read


def has_orders(table: OpenGame, seat: str, lines: Sequence[Line], arrival: Arrival, *, of_stranger: bool = False) -> bool:
    """Whether the rules would take one of the lines as an order of a seat, with the marks around it or without."""
    bare = without_marks(table, table.position, seat, lines, arrival, of_stranger=of_stranger)
    return bool(accepted(table, table.position, seat, bare, arrival, of_stranger=of_stranger))


def order_test(table: OpenGame, seat: str, arrival: Arrival = (0, 0)) -> LineTest:
    """Tells what is an order of a seat, or a command, or may be meant as one; of a game that cannot be read, commands alone.
    After very many lines the rules are asked no more, and it is told by the words."""

    is_command = commands_test(table.commands).is_order
    left = _ASKED_CHARS

    @cache
    def words() -> OrderWords:
        return _words(table, table.position, seat)

    @lru_cache(maxsize=MAX_ORDER_LINES)
    def judged(plain: str) -> _Judged:
        nonlocal left
        left -= len(plain)
        return "" if left < 0 else _judged(table, seat, Line(1, plain), arrival)

    def is_taken(plain: str) -> bool:
        return judged(plain) == "taken"

    def is_like_an_order(plain: str) -> bool:
        return (table.ruleset.info.bold and _MARK_OF_BOLD.search(plain) is not None) or words().resembles(plain)

    @lru_cache(maxsize=MAX_ORDER_LINES)
    def is_order(text: str) -> bool:
        plain = without_bullet(normal(text[:MAX_LINE_CHARS]))
        if says_nothing(plain):
            return False
        # The rules come first: they answer sooner than a likeness to commands and orders is found, and most lines are right.
        found = judged(plain)
        if found == "taken" or is_field(plain):
            return found == "taken"
        return found != "" or is_command(plain) or is_like_an_order(plain)

    def is_field(text: str) -> bool:
        """Whether a line is a field of a memo: whose it is, of which game, their address, or a day."""
        label, colon, value = text.partition(": ")
        said = tokens_of(value) if colon else []
        if not said or len(said) > _FIELD_WORDS or len(label.split()) > _LABEL_WORDS or says_change(label):
            return False
        is_address = " " not in value and LINK.search(value) is not None
        is_own = _own_words(table, seat).issuperset(said) and not all(map(str.isdigit, said))
        is_day = names_day(value) and label.casefold() in _LABELS_OF_DAYS
        return (is_address or is_day or is_own) and not words().may_belong(label)

    return LineTest(
        is_order,
        lambda text: words().has_word(normal(text)),
        lambda text: words().may_belong(normal(text[:MAX_LINE_CHARS])),
        lambda text: words().speaks_of_orders(normal(text[:MAX_LINE_CHARS])),
        lambda text: is_taken(without_bullet(normal(text[:MAX_LINE_CHARS]))),
        lambda text: judged(without_bullet(normal(text[:MAX_LINE_CHARS]))) == "silently read",
        lambda text: is_field(normal(text[:MAX_LINE_CHARS])),
    )


_LABELS_OF_DAYS = OTHER_LABELS | {"day", "deadline", "due"}
_LABEL_WORDS = 2
_FIELD_WORDS = 9
"""So many words and numbers has a day with a time: "Mon, 23 Nov 2026 12:00:00 CET"."""


def _own_words(table: OpenGame, seat: str) -> frozenset[str]:
    """The words of the names of a seat, of who has it, and of its game."""
    return words_of((seat, *(each.holder for each in table.seats if each.name == seat), table.game.name, "GM"))


_Judged = Literal["", "taken", "silently read"]


def _judged(table: OpenGame, seat: str, line: Line, arrival: Arrival) -> _Judged:
    """What the rules make of a line by itself: an order, or, as of a heading, nothing that they would speak of, though it
    begins with a word; "" if neither, also where they refuse any letter of the seat, as of a game that is over."""
    if table.position is None or len(line.text) > MAX_LINE_CHARS:
        return ""
    try:
        verdicts = table.ruleset.receive(table.position, Mail(seat, (line,), arrival)).verdicts
    except BrokenGame:
        return ""
    mine = [verdict.status for verdict in verdicts if verdict.line == line.number]
    if not mine:
        is_all_refused = any(verdict.status is Status.ERROR for verdict in verdicts)
        return "silently read" if not is_all_refused and line.text.lstrip(_AROUND_HEADINGS)[:1].isalnum() else ""
    return "" if all(status is Status.ERROR for status in mine) else "taken"


_AROUND_HEADINGS = " *_=-(["
_MARK_OF_BOLD = re.compile(r"\[/?b\]", re.IGNORECASE)
"""What a player types around orders where bold tells them from talk."""


def listed_talk(lines: Sequence[str], commands: PlayerLanguage) -> tuple[LeftOut, ...]:
    """What is listed of lines that are no orders: of those that begin like a command, how that one is written."""
    usage = {line: commands.nearest(line) for line in lines}
    pieces: tuple[LeftOut, ...] = ()
    for each in dict.fromkeys(("", *usage.values())):
        reason = f"{_NOT_A_COMMAND}; did you mean {each}?" if each else TALK
        pieces += left_out([line for line in lines if usage[line] == each], reason)
    return pieces


_NOT_A_COMMAND = "not a command"


def is_talk(piece: LeftOut) -> bool:
    """Whether lines were left out since they are no orders."""
    return piece.reason == TALK or piece.reason.startswith(_NOT_A_COMMAND)


_QUOTES = ORIGINALS | {QUOTED, EDITED, AGAIN}


def orders_in_quotes(table: OpenGame, seat: str, pieces: Sequence[LeftOut], arrival: Arrival, on_file: frozenset[str]) -> int:
    """How many lines that stand in a quote, or in an earlier mail below the writer's own, the rules would read as orders of a
    seat, but for those `on_file`. What we sent ourselves does not count."""
    written = [line for piece in pieces if piece.reason in _QUOTES for line in piece.text.split("\n")]
    places: dict[str, int] = {}
    for place, line in enumerate(written[:MAX_ORDER_LINES]):
        for text in (line, *behind_marks(line)):
            places.setdefault(without_bullet(normal(text.lstrip("> \t"))), place)
    lines = [Line(number, text) for number, text in enumerate(places, start=1) if text[:1] not in ("", "#", "-")]
    right = _right(table, seat, lines, arrival, on_file)
    return len({places[line.text] for line in lines if line.number in right})


def quoted_orders_told(quoted: int) -> tuple[str, str]:
    """What is said of so many orders in quotes, and in a subject."""
    them, lines = ("it", "1 line that is an order stands") if quoted == 1 else ("them", f"{quoted} lines that are orders stand")
    read = "it is not read" if quoted == 1 else "they are not read"
    sentence = f"{lines} in a quote, where {read}. Please send {them} again outside of any quote."
    return sentence, f"NOT READ: {counted(quoted, 'order')} in a quote"


def could_be_orders(table: OpenGame, position: Any, seat: str, pieces: Sequence[LeftOut], arrival: Arrival) -> bool:
    """Whether the rules would take a line that was not read as an order of a seat, or it is a command, or nearly an order, and
    may be the writer's: it stands below what may introduce somebody's mail, or is quoted with another mark than ">", as
    "Austria> ". What mail programs bring along does not count: that those were orders once says nothing."""
    quoted = (line for piece in pieces if piece.reason == QUOTED for line in piece.text.split("\n"))
    named = list(islice((rest for line in quoted for rest in behind_marks(line)), MAX_ORDER_LINES))
    if position is not None and (has_order_below(table, seat, pieces, arrival) or _has_order(table, seat, named, arrival)):
        return True
    written = [line for piece in pieces if piece.reason not in _NO_DOUBT for line in piece.text.split("\n")]
    plain = (without_bullet(normal(line.lstrip("> \t#"))) for line in (*written, *named))
    lines = [Line(number, text) for number, text in enumerate(plain, start=1) if text not in _NEVER]
    return bool(accepted(table, position, seat, lines, arrival))


def has_order_below(
    table: OpenGame, seat: str, pieces: Sequence[LeftOut], arrival: Arrival, *, or_command: bool = True
) -> bool:
    """Whether an order or a command, or what is nearly one, stands below what seems to introduce somebody's mail: that may be
    a sentence of the writer's. Without `or_command` what the rules do not take, and is like a command, does not count, such as
    "Report of turn 4"."""
    below = [line for piece in pieces if piece.reason == COPIED_MAIL for line in piece.text.split("\n")][:MAX_ORDER_LINES]
    if not below:
        return False
    test, is_command = order_test(table, seat, arrival), commands_test(table.commands).is_order
    return any(test.is_order(line) and (or_command or test.is_taken(line) or not is_command(line)) for line in below)


def _has_order(table: OpenGame, seat: str, lines: Sequence[str], arrival: Arrival) -> bool:
    """Whether one of the lines is an order or a command, or nearly one."""
    return bool(lines) and any(map(order_test(table, seat, arrival).is_order, lines))

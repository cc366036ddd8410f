"""What a line that was refused may have meant: the same with words spelt as the game has them, if the rules would take that;
and the sheet in which it stands so, ready to be sent."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from pbmd.desk.language.marks import without_number_words
from pbmd.desk.letter.answer import OrdersAnswer, ReadyLine
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import accepted
from pbmd.rules.advice import EXAMPLE, RIGHT, respellings, sole_right
from pbmd.rules.joining import Joined
from pbmd.rules.nothing import NO_ORDERS
from pbmd.rules.protocol import Line, Mail, Status, Verdict

_WORD = re.compile(r"[^\W\d_]{4,30}")
_CODE = re.compile(r"`([^`\n]{1,80})`|^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"<?(?:https?://|www\.)\S+>?", re.IGNORECASE)
_YES = re.compile(r"(?:yes|no|ok|okay|ja|nein)(?:[ ,]+(?:please|thanks|thank you))?[.! ]*", re.IGNORECASE)
_SET_RIGHT = re.compile(rf' {RIGHT} (.+?)(?:\. If you meant a command: .*)?$|^did you mean "([^"]+)"\? As it stands: ')
"""How the kit, and `_asking`, say which line would be taken in place of one that was refused."""
_BETWEEN = re.compile(r"\s*;\s*|\s+/\s+|\.\s+|,\s+(?:and\s+)?(?:then\s+)?|\s+and(?:\s+then)?\s+", re.IGNORECASE)
_COLUMNS = re.compile(r"\s*[|\t]\s*|\s{2,}")
_LEAD = re.compile(
    r"^[^:;]{1,60}:\s+(?=\S)|^(?:sorry|oops|actually|correction|please|also|and|i meant?)\b[\s,:]*(?:i meant?\b[\s,:]*)?", re.I
)
"""What may stand before an order in a mail that corrects another, or adds to it."""
_AS_BEFORE = re.compile(
    r"\W*(?:(?:please|my|the|do|use|orders?)\s+)*(?:the\s+)?(?:same|as)\b(?:\s+(?:orders?|as))*\s+(?:(?:the\s+)?(?:last|previous)\s+"
    r"(?:turn|time|round|move)|before)\W*(?:please)?\W*",
    re.IGNORECASE,
)
_NO_ORDERS = re.compile(r"\W*(?:(?:i|we) (?:have|give|send) |(?:sorry|ok|okay|well)\W+)?no (?:orders|moves?)\b", re.IGNORECASE)
"""How a sentence begins that says in more words than the rules know that nothing is ordered."""
_NUMBER_IN_BRACKETS = re.compile(r"\s*[(\[]\s*\d+(?:\s*[^\W\d_]+)?\s*[)\]][\s.!,;]*$")
"""What may be a price, a sum, what is left, or another number for the one that stands before it."""
_SAID = "There is no open question here. To answer one, reply to the mail that asked it"
_NO_LINKS = "links are not opened: write what stands there into the mail itself, one order a line"
_MOST_LINES, _MOST_CHARS, _MOST_WORDS, _MOST_TRIES = 5, 200, 3, 4
"""Of a letter so many lines are looked at, and of a line so many words: each try takes the rules some time."""


def with_meant(sender: Sender, arrived: Arrived, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The verdicts; of refused lines some end with what they may have meant."""
    wrong = (each for each in verdicts if each.line and each.status is Status.ERROR and len(each.text) <= _MOST_CHARS)
    refused = list(islice(wrong, _MOST_LINES))
    if not refused:
        return verdicts
    known = _words_of(sender)
    return tuple(_with_meant(sender, arrived, each, known) if each in refused else each for each in verdicts)


def with_ready(sender: Sender, arrived: Arrived, orders: OrdersAnswer, joined: Joined) -> OrdersAnswer:
    """The answer with the sheet that is ready to be sent: the orders in force and, below them, refused lines set right; of a
    mail that was refused as a whole, what was right in it and what was set right, in its order. All of it would be taken."""
    refuses_mail = sender.table.ruleset.info.sheets.errors == "refuse_mail"
    is_proposal = not orders.taken and (refuses_mail or orders.in_force is None)
    mended = {each.line: found[1] or found[2] for each in orders.verdicts if (found := _SET_RIGHT.search(each.message))}
    if is_proposal:
        ready = [*map(ReadyLine, _kept(joined)), *_right_lines(orders, joined, mended)]
    else:
        ready = [*map(ReadyLine, orders.in_force or ()), *(ReadyLine(line, True) for line in dict.fromkeys(mended.values()))]
    stands = _standing(sender, arrived, ready) if is_proposal or mended else tuple(ready)
    return replace(orders, ready=stands, is_proposal=is_proposal)


def _kept(joined: Joined) -> list[str]:
    """The lines on file to which those of the mail were to be added."""
    return [line.text for line in joined.mail.lines[: joined.kept]]


def _right_lines(orders: OrdersAnswer, joined: Joined, mended: Mapping[int, str]) -> list[ReadyLine]:
    """What was right in a mail, and what was set right, in its order."""
    refused = {each.line for each in orders.verdicts if each.status is Status.ERROR}
    right = {each.line for each in orders.verdicts} - refused
    own = [Line(line.number - joined.kept, line.text) for line in joined.mail.lines[joined.kept :]]
    return [
        ReadyLine(mended.get(line.number, line.text), line.number in mended)
        for line in own
        if line.number in mended or line.number in right
    ]


def _standing(sender: Sender, arrived: Arrived, ready: Sequence[ReadyLine]) -> tuple[ReadyLine, ...]:
    """The lines that the rules take all together: without those set right that they refuse beside the others."""
    for _ in range(_MOST_TRIES):
        refused = _refused(sender, arrived, ready)
        if not refused:
            return tuple(ready)
        doubtful = frozenset(number for number, line in enumerate(ready, start=1) if line.set_right)
        without = refused & doubtful or doubtful or refused
        ready = [line for number, line in enumerate(ready, start=1) if number not in without]
    return ()


def _refused(sender: Sender, arrived: Arrived, ready: Sequence[ReadyLine]) -> frozenset[int]:
    """The numbers of the lines that the rules refuse."""
    table, lines = sender.table, tuple(Line(number, line.text) for number, line in enumerate(ready, start=1))
    verdicts = table.ruleset.receive(table.position, Mail(sender.seat.name, lines, arrived.arrival)).verdicts
    return frozenset(each.line for each in verdicts if each.line and each.status is Status.ERROR)


def _with_meant(sender: Sender, arrived: Arrived, verdict: Verdict, known: Collection[str]) -> Verdict:
    text = verdict.text.strip()
    if instead := _said_instead(text, sender.table.game.turn):
        return verdict._replace(message=instead)

    def fits(*lines: str) -> bool:
        numbered = [Line(number, line) for number, line in enumerate(lines, start=1)]
        taken = accepted(sender.table, sender.table.position, sender.seat.name, numbered, arrived.arrival)
        return len(taken) == len(lines)

    if fits(text):  # what is wrong is not the line, but where it stands
        return verdict
    parts = [part for part in _BETWEEN.split(text) if part.strip()]
    if 1 < len(parts) <= _MOST_WORDS and fits(*parts):
        return verdict._replace(message=f"one order a line, please: {' | '.join(parts)}")
    plainer = [
        line for line in (_COLUMNS.sub(" ", text).strip(), without_number_words(text), _LEAD.sub("", text)) if line != text
    ]
    meant = next(filter(fits, plainer), "") or _respelt(verdict, text, known, fits)
    if not meant and (found := _NUMBER_IN_BRACKETS.search(text)) and fits(without := text[: found.start()]):
        return _asking(verdict._replace(message=f'it is not clear what "{found[0].strip()}" says.'), without)
    return _asking(verdict, meant) if meant else verdict


def _said_instead(text: str, turn: int) -> str:
    """What is said of a line that is no order, since it is clear what was wanted; "" for any other."""
    if _LINK.fullmatch(text):
        return _NO_LINKS
    if _YES.fullmatch(text):
        return _SAID
    if _NO_ORDERS.match(text):
        return f"if you want to give no orders this turn, send the single line {NO_ORDERS}."
    return f"to send orders again, write USE ORDERS OF TURN {turn - 1}" if turn > 1 and _AS_BEFORE.fullmatch(text) else ""


def _respelt(verdict: Verdict, text: str, known: Collection[str], fits: Callable[..., bool]) -> str:
    """The line with words spelt as the game has them, if the rules would take it and have not proposed one themselves."""
    if "did you mean" in verdict.message or f" {RIGHT} " in verdict.message:
        return ""
    return sole_right(text, [line for line in respellings(text, known) if fits(line)])


def _asking(verdict: Verdict, line: str) -> Verdict:
    plain = verdict.message.partition(f" {EXAMPLE} ")[0]
    return verdict._replace(message=f'did you mean "{line}"? As it stands: {plain}')


def _words_of(sender: Sender) -> list[str]:
    """The words of orders: those of the handbook's examples, and of the seat's order form."""
    form = sender.table.ruleset.order_form(sender.table.position, sender.seat.name)
    return [*_words_in(sender.table.ruleset.info.handbook), *_WORD.findall(form)]


@lru_cache(maxsize=32)
def _words_in(handbook: str) -> tuple[str, ...]:
    spans = " ".join(found[1] or found[2] or "" for found in _CODE.finditer(handbook))
    return tuple(sorted(set(_WORD.findall(spans))))

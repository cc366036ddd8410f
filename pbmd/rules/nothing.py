"""A line that says that a player does nothing, understood in all games in which that is possible."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any

from pbmd.rules.info import RulesetInfo
from pbmd.rules.lines import cleaner
from pbmd.rules.names import fold
from pbmd.rules.protocol import Line, Mail, Receipt, Ruleset, Status, Verdict
from pbmd.rules.sheets import sheet_of

NO_ORDERS = "NO ORDERS"
"""How such a line is written in games without an order of their own for it."""

_WHO = (
    r"(?:(?:i|we)(?:'ll|'m|'d| will| shall| would| am| are| have| want| wish| like| choose| decided?)? "
    r"(?:like |going |to )*)?"
)
# "No new orders" or "no changes" would leave those on file as they are, which is something else.
_WHAT = (
    r"pass(?:es|ing)?|skip(?:ping)?|none|"
    r"(?:(?:do(?:ing)?|send(?:ing)?|give|giving|order(?:ing)?|build(?:ing)?|buy(?:ing)?|move) )?"
    r"(?:nothing|no (?:orders?|moves?|actions?|builds?))(?: at all)?|"
    r"(?:all|everything|everybody|everyone|all units) (?:holds?|stays?|waits?)|(?:hold|waive) (?:all|everything|all units)|"
    r"(?:waive|pass|skip) (?:(?:all|my|the|this) )*(?:builds?|turn|move)"
)
_WHEN = (
    r"(?: (?:(?:for|in|on) )?(?:(?:this|the|my|our) (?:turn|round|move|phase|step|time|week|month|season|year)|now|today|once)"
    r"| from (?:me|us)| to (?:do|order|send|report)| please|,? thanks|,? thank you)*"
)
_NOTHING = re.compile(_WHO + rf"(?:{_WHAT})" + _WHEN)
_SIGNS = ("pass", "skip", "no", "all", "every", "waive")
"""Whatever `_NOTHING` matches contains one of these."""
_BOLD = re.compile(r"\[/?b\]", re.IGNORECASE)
_LONGEST = 80

_clean = cleaner(ends=" .,;:!")
_SUPERFLUOUS = "superfluous: the other lines of this mail are your orders"
_UNDERSTOOD = "you do nothing"
_NOT_BESIDE = "this counts where no other line of the mail is refused; mend that, or send this alone"
_NOT_POSSIBLE = "here something has to be done"


def gives_no_orders(text: str, words: Iterable[str] = ()) -> bool:
    """Whether a line says that no order is given, in common words or in one of those of the game."""
    own = tuple(words)
    if len(text) > _LONGEST:
        return False
    if "[" in text or not text.isascii():  # what is taken out or replaced when it is read may be within a word
        return _says_nothing(text, own)
    written = text.lower()
    for sign in _signs(own) if own else _SIGNS:
        if sign in written:
            return _says_nothing(text, own)
    return False  # nearly all orders


def lines_without_orders(lines: Sequence[Line], words: Iterable[str] = ()) -> list[Line]:
    """Those of the lines that say so. Of most letters one look at all of them tells that there is none."""
    own = tuple(words)
    text = "\n".join([line.text for line in lines])
    if "[" not in text and text.isascii():
        written = text.lower()
        if not [sign for sign in _signs(own) if sign in written]:
            return []
    return [line for line in lines if gives_no_orders(line.text, own)]


@lru_cache(maxsize=64)
def _signs(words: tuple[str, ...]) -> tuple[str, ...]:
    return (*_SIGNS, *(fold(word).partition(" ")[0] for word in words))


@lru_cache(maxsize=1024)
def _says_nothing(text: str, words: tuple[str, ...]) -> bool:
    said = fold(_clean(_BOLD.sub("", text)))
    return bool(said) and (_NOTHING.fullmatch(said) is not None or said in map(fold, words))


def understanding_nothing(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The rules, whose `receive` understands lines which say that nothing is done.

    What the rules read themselves is theirs. Else such a line is the order that does nothing (`RulesetInfo.nothing`), or, where
    there is none, an empty sheet; beside orders that stand it is told to be superfluous. Where the rules refuse to do nothing
    their reason is that line's.
    """

    @wraps(rules.receive)
    def receive(position: Any, mail: Mail) -> Receipt[Any]:
        said = [line.number for line in lines_without_orders(mail.lines, rules.info.nothing.words)]
        receipt = rules.receive(position, mail)
        if not said:
            return receipt
        wrong = {verdict.line for verdict in receipt.verdicts if verdict.status is Status.ERROR}
        rest = replace(mail, lines=tuple(line for line in mail.lines if line.number not in said))
        beside = rules.receive(position, rest) if rest.lines else None
        unread = [line for line in mail.lines if line.number in said and line.number in wrong]
        if not unread:
            return _with_superfluous(rules, receipt, beside, mail.seat, said)
        if beside and beside.filed:
            return _told(beside, unread, Status.WARNING, _SUPERFLUOUS)
        return _nothing_done(rules, position, mail, unread, beside)

    return replace(rules, receive=receive)


def _nothing_done(
    rules: Ruleset[Any], position: Any, mail: Mail, unread: list[Line], beside: Receipt[Any] | None
) -> Receipt[Any]:
    """What becomes of a letter with lines that the rules do not read, and which files no other orders."""
    receive: Callable[[Any, Mail], Receipt[Any]] = rules.receive
    if order := rules.info.nothing.order:
        numbers = {line.number for line in unread}
        lines = tuple(_as_order(line, order, rules.info) if line.number in numbers else line for line in mail.lines)
        done = receive(position, replace(mail, lines=lines))
        if (done.filed or done.granted) and not _refused(done):
            return _as_written(done, unread, f'read as "{order}"')
    if beside and _refused(beside):
        return _told(beside, unread, Status.ERROR, _NOT_BESIDE)
    after = _after_effects(position, beside)
    empty = _with_effects(receive(after, replace(mail, lines=())), beside)
    if empty.filed and not order:
        return _told(empty, unread, Status.OK, _UNDERSTOOD, NO_ORDERS)
    return _told(replace(empty, position=after, filed=False), unread, Status.ERROR, _NOT_POSSIBLE)


def _after_effects(position: Any, beside: Receipt[Any] | None) -> Any:
    """The position in which a sheet is judged: what takes effect at once comes first."""
    return beside.position if beside and beside.effects else position


def _with_effects(empty: Receipt[Any], beside: Receipt[Any] | None) -> Receipt[Any]:
    """The receipt of an empty sheet, with what took effect at once in the same letter."""
    if beside is None or not beside.effects:
        return empty
    verdicts, events = (*beside.verdicts, *empty.verdicts), (*beside.events, *empty.events)
    return replace(empty, verdicts=verdicts, events=events, granted=beside.granted, effects=beside.effects)


def _refused(receipt: Receipt[Any]) -> bool:
    refused = (verdict.line for verdict in receipt.verdicts if verdict.status is Status.ERROR)
    return any(line and line not in receipt.effects for line in refused)


def _as_order(line: Line, order: str, info: RulesetInfo) -> Line:
    return Line(line.number, f"[b]{order}[/b]" if info.bold and _BOLD.search(line.text) else order)


def _as_written(receipt: Receipt[Any], lines: list[Line], note: str) -> Receipt[Any]:
    """The receipt with what was written in the verdicts on these lines."""
    texts = {line.number: line.text for line in lines}
    return replace(
        receipt,
        verdicts=tuple(
            verdict._replace(text=texts[verdict.line], message=verdict.message or note) if verdict.line in texts else verdict
            for verdict in receipt.verdicts
        ),
    )


def _told(receipt: Receipt[Any], lines: list[Line], status: Status, message: str, canonical: str = "") -> Receipt[Any]:
    """The receipt with verdicts on these lines, in the order of lines; those on the letter as a whole stand last."""
    added = [Verdict(line.number, line.text, status, message, canonical) for line in lines]
    told = [verdict for verdict in receipt.verdicts if verdict.line] + added
    whole = [verdict for verdict in receipt.verdicts if not verdict.line]
    return replace(receipt, verdicts=(*sorted(told, key=lambda verdict: verdict.line), *whole))


def _with_superfluous(
    rules: Ruleset[Any], receipt: Receipt[Any], beside: Receipt[Any] | None, seat: str, said: list[int]
) -> Receipt[Any]:
    """The receipt with a word on lines which say nothing, if the sheet is the same without them."""
    sheets = [sheet_of(rules.sheets(each.position), seat) for each in (receipt, beside) if each and each.filed]
    if len(sheets) < 2 or sheets[0] != sheets[1]:
        return receipt
    verdicts = (
        verdict._replace(message=verdict.message or _SUPERFLUOUS) if verdict.line in said else verdict
        for verdict in receipt.verdicts
    )
    return replace(receipt, verdicts=tuple(verdicts))

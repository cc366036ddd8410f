"""What all rulesets do in the same way with a letter of orders: lines become answers, answers become verdicts, and the accepted
lines a sheet."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, islice, product
from typing import Any, NamedTuple, Protocol, TypeVar

from pbmd.rules.advice import EXAMPLE, RIGHT, distance, is_about_the_same, is_set_right, sole_right, why_unclear
from pbmd.rules.info import SheetPolicy
from pbmd.rules.names import Match, fold, question
from pbmd.rules.protocol import IN_PART, Line, Mail, Receipt, Resolution, Sheet, Status, Verdict
from pbmd.rules.sheets import filed, refusal

MOST_EXAMPLES = 100
"""How many refused lines of a letter get advice: whoever wrote more of them reads no further."""
_MOST_TRIED = 30
_MOST_MEANT = 6
_SLIPS = 2
"""So many wrong letters leave no doubt that a name is meant."""


class Fault(Exception):
    """An order that the rules do not allow: a sentence for the player, without a full stop, and the specification's name of the
    fault, where it has one. `example` is a line of that kind that harms nobody; `names` are those of which one may be meant by
    what is `written` in the line. If it `asks`, "did you mean" them ends the sentence."""

    def __init__(
        self,
        problem: str,
        code: str = "",
        example: str = "",
        names: Sequence[str] = (),
        written: str = "",
        *,
        asks: bool = False,
    ) -> None:
        super().__init__(problem + question(names if asks else ()))
        self.code = code
        self.example = example
        self.names = tuple(names)
        self.written = written
        self.asks = asks
        self._plain = problem

    @property
    def problem(self) -> str:
        """The sentence, with the question about all names."""
        return self.asking(self.names)

    def asking(self, names: Sequence[str]) -> str:
        """The sentence with the question, if there is one, about only these names."""
        return self._plain + question(names if self.asks else ())


def unknown(match: Match[Any], written: str, what: str, code: str = "", example: str = "", longest: int = 60) -> Fault:
    """The fault of a name that was not found; `what` is the kind of thing ("faction"), `example` a line for who means none of
    the names like it. Of the name that was `written` so many characters are repeated."""
    plain = replace(match, near=()).problem(written[:longest], what)
    is_slip = any(distance(fold(written), fold(name)) <= _SLIPS for name in match.near)
    if not (match.ambiguous or is_slip) and (why := why_unclear(written)):
        return Fault(f"{plain}; {why}", code, example)
    return Fault(plain, code, example, match.ambiguous or match.near, written, asks=not match.ambiguous)


class Right(NamedTuple):
    """An accepted line, as understood. `remark` makes it a warning; `note` is only told; both may be "". `order` is what it
    orders, for the rules themselves. `in_part`: one of several orders in it is refused."""

    line: Line
    canonical: str
    remark: str = ""
    note: str = ""
    order: Any = None
    in_part: bool = False


class Wrong(NamedTuple):
    """A refused line; `example` is one that would be accepted in its place, "" if there is none: what is written, set right,
    or, if it is `other`, something else that does no harm."""

    line: Line
    problem: str
    code: str = ""
    example: str = ""
    other: bool = False


Answer = Right | Wrong


def verdict(answer: Answer) -> Verdict:
    """The answer in words."""
    line = answer.line
    if isinstance(answer, Wrong):
        said = with_example(answer.problem, answer.example, other=answer.other)
        return Verdict(line.number, line.text, Status.ERROR, said, code=answer.code)
    _, canonical, remark, note, _, in_part = answer
    if not remark:  # nearly always so
        return Verdict(line.number, line.text, Status.OK, note, canonical)
    return Verdict(
        line.number, line.text, Status.WARNING, f"{remark}; {note}" if note else remark, canonical, IN_PART if in_part else ""
    )


def with_example(problem: str, example: str, *, other: bool = False) -> str:
    """What is wrong as a sentence, followed by a correct line, if there is one; only as an example, if it says something
    else."""
    sentence = problem if problem.endswith(("?", ".", "!")) else f"{problem}."
    return f"{sentence} {EXAMPLE if other else RIGHT} {example}" if example else sentence


def right_example(
    candidates: Iterable[str], remark_on: Callable[[str], str | None], otherwise: str = "", names: Sequence[str] = ()
) -> str:
    """The first of the candidates that would be accepted without a remark; else the first that would be accepted at all; else
    `otherwise`. Those that contain one of the `names` go before all others. `remark_on` tells what would be remarked on a line
    if it stood there, None if it would be refused."""
    example, worth = otherwise, 0
    for candidate, _ in zip(candidates, range(_MOST_TRIED), strict=False):
        named = 2 if _has_one(candidate, names) else 0
        if named + 2 <= worth or (remark := remark_on(candidate)) is None:
            continue
        if (found := named + (1 if remark else 2)) > worth:
            example, worth = candidate, found
        if worth == (4 if names else 2):
            break
    return example


def mended(
    line: Line,
    text: str,
    faults: Sequence[Fault],
    examples: Iterable[str],
    remark_on: Callable[[str], str | None],
    otherwise: str = "",
) -> Wrong:
    """The refusal of a line, which is read as `text`, with advice. `remark_on` tells what would be remarked on a line if it
    stood there, None if it would be refused.

    Advised is the line set right with the names that may be meant, if it can be one only. Else it is an example that would be
    accepted without a remark and is about nothing but what the line names. Examples have no consequences for others: who sends
    one back must not attack; `otherwise` is one more. Asked is only about names with which a line would be accepted.
    """
    judged = cache(remark_on)
    meant = [each for each in _corrected(text, faults) if is_set_right(text, each)]
    standing = [each for each in meant if judged(each) is not None]
    right = _sole(text, faults, standing)
    standing = [right] if right else standing
    strange = [*filter(None, [fault.written for fault in faults])]
    tried = islice(chain(examples, (otherwise,)), _MOST_TRIED)
    fitting = (each for each in tried if is_about_the_same(text, each, strange) and judged(each) == "")
    example = "" if standing else next(fitting, "")
    told = [fault.asking([name for name in fault.names if _has_one("\n".join(standing), (name,))]) for fault in faults]
    return Wrong(line, _together(told), faults[0].code, right or example, other=not right)


def _sole(text: str, faults: Sequence[Fault], standing: Sequence[str]) -> str:
    """The one line that may be meant; "" if several names begin like the faulty one, and none is the most similar."""
    beginning = any(fault.names and not fault.asks for fault in faults)
    return "" if beginning and len(standing) > 1 else sole_right(text, standing)


def unmended(line: Line, *faults: Fault) -> Wrong:
    """The refusal of a line without advice, for letters with too many wrong ones."""
    return Wrong(line, _together([fault.asking(()) for fault in faults]), faults[0].code)


def _together(told: Sequence[str]) -> str:
    return told[0] if len(told) == 1 else " ".join(with_example(each, "") for each in told)


def _corrected(text: str, faults: Sequence[Fault]) -> list[str]:
    """The line with what is written in it replaced by names that may be meant, the most likely first."""
    found: list[str] = []
    unclear = [fault for fault in faults if fault.written and fault.names]
    for names, _ in zip(product(*(fault.names for fault in unclear)), range(_MOST_MEANT), strict=False):
        line = text
        for fault, name in zip(unclear, names, strict=True):
            line = re.sub(rf"(?<!\w){re.escape(fault.written)}(?!\w)", lambda _, name=name: name, line)
        found += [line] if line != text else []
    return found


def _has_one(text: str, names: Sequence[str]) -> bool:
    """Whether one of the names is in the text, in upper or lower case."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names)


class TakesSheets(Protocol):
    """A position (a frozen dataclass) with the sheets on file in this step and the seats whose deadline passed in it."""

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """In order of arrival."""
        ...

    @property
    def missed(self) -> tuple[str, ...]:
        """In the order in which it was noted."""
        ...


P = TypeVar("P", bound=TakesSheets)
A = TypeVar("A")
T = TypeVar("T")


def not_taken(position: A, why: str, verdicts: Sequence[Verdict] = (), code: str = "") -> Receipt[A]:
    """Nothing is filed: a sentence for the letter as a whole (without full stop), behind what is said of its lines."""
    return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{why}.", code=code)), filed=False)


def closed(position: A, why: str) -> Receipt[A]:
    """Orders are no longer accepted."""
    return not_taken(position, f"{why}; orders are not taken any more")


def receive_apart(
    position: A,
    mail: Mail,
    is_effect: Callable[[Line], bool],
    at_once: Callable[[A, Mail], Receipt[A]],
    orders: Callable[[A, Mail], Receipt[A]],
) -> Receipt[A]:
    """The receipt of a letter in which lines that take effect at once may stand beside orders, each judged by itself. First
    comes what takes effect, wherever it is written; the orders are judged in the position that it has led to. `is_effect` must
    go by the words of a line alone. A letter without such lines is one of orders, be it empty."""
    asking = tuple(line for line in mail.lines if is_effect(line))
    if not asking:
        return orders(position, mail)
    effects = tuple(line.number for line in asking)
    done = at_once(position, replace(mail, lines=asking))
    if len(asking) == len(mail.lines):
        return replace(done, effects=effects)
    others = tuple(line for line in mail.lines if line.number not in effects)
    sheet = orders(done.position, replace(mail, lines=others))
    verdicts = sorted((*done.verdicts, *sheet.verdicts), key=_lines_first)
    return replace(
        sheet,
        verdicts=tuple(verdicts),
        events=(*done.events, *sheet.events),
        granted=done.granted,
        effects=effects,
    )


def _lines_first(said: Verdict) -> tuple[bool, int]:
    """The place of a verdict: those on lines in their order, then those on the letter as a whole."""
    return (not said.line, said.line)


class Checked(NamedTuple):
    """A letter, checked: the answers to those of its lines that say something, in the order written. `why_not` is why nothing
    is filed, if the rules have a reason of their own, `remarks` are warnings about the letter as a whole, `defaults` what the
    sheet leaves open. `filed` are the lines of the sheet, where they are not simply what stands of the letter's."""

    answers: Sequence[Answer]
    why_not: str = ""
    remarks: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    filed: tuple[str, ...] | None = None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The answers in words."""
        return tuple([verdict(answer) for answer in self.answers])

    @property
    def sheet(self) -> tuple[str, ...]:
        """The lines that stand."""
        if self.filed is not None:
            return self.filed
        return tuple([answer.canonical for answer in self.answers if isinstance(answer, Right)])


def receive_sheet(position: P, mail: Mail, policy: SheetPolicy, checked: Checked) -> Receipt[P]:
    """File what stands of a letter as the seat's sheet, or say why not."""
    verdicts = checked.verdicts
    saying = mail if len(mail.lines) == len(verdicts) else replace(mail, lines=tuple(answer.line for answer in checked.answers))
    why = refusal(policy, position.sheets, saying, verdicts) or checked.why_not
    if why:
        return not_taken(position, why, verdicts)
    sheets = filed(position.sheets, mail.seat, mail.arrival, checked.sheet)
    after = _changed(position, sheets=sheets, missed=tuple(seat for seat in position.missed if seat != mail.seat))
    if checked.remarks:
        verdicts = (*verdicts, *(Verdict(0, "", Status.WARNING, remark) for remark in checked.remarks))
    return Receipt(after, verdicts, filed=True, defaults=checked.defaults)


def answers_to(
    said: Sequence[tuple[Line, T]],
    understood: Callable[[Line, T], Right],
    mend: Callable[[Line, Fault], Wrong],
    turn: Callable[[T], int] | None = None,
) -> list[Answer]:
    """Answers to lines that say this, in the order written. One after the other is `understood`, or raises `Fault`; `mend`
    finds what would stand there instead. Those with a lower `turn` come first, wherever they are written."""
    answers: dict[int, Answer] = {}
    refused = 0
    places = range(len(said))
    for place in sorted(places, key=[turn(order) for _, order in said].__getitem__) if turn else places:
        line, order = said[place]
        try:
            answers[place] = understood(line, order)
        except Fault as fault:
            refused += 1
            answers[place] = mend(line, fault) if refused <= MOST_EXAMPLES else unmended(line, fault)
    return [answers[place] for place in places]


def one_by_one(
    clean: Callable[[str], str], understood: Callable[[A, str, str, tuple[str, ...]], str]
) -> Callable[[A, str, Iterable[Line]], Checked]:
    """The check of letters of which nothing counts but their lines: it gets a position, a seat and the lines. Those that say
    nothing when they are clean are passed over.

    `understood` gets the position, the seat, a clean line, and the canonical lines that stand before it, and gives that of the
    line, or raises `Fault`, whose example is told if it would stand there.
    """

    def checked(position: A, seat: str, lines: Iterable[Line]) -> Checked:
        stand: tuple[str, ...] = ()

        def right(line: Line, text: str) -> Right:
            nonlocal stand
            canonical = understood(position, seat, text, stand)
            stand = (*stand, canonical)
            return Right(line, canonical)

        def remark_on(example: str) -> str | None:
            try:
                understood(position, seat, clean(example), stand)
            except Fault:
                return None
            return ""

        def mend(line: Line, fault: Fault) -> Wrong:
            tried = (fault.example,) if fault.example else ()
            return mended(line, clean(line.text), (fault,), tried, remark_on)

        return Checked(answers_to([(line, text) for line in lines if (text := clean(line.text))], right, mend))

    return checked


def still_awaited(position: TakesSheets, able: Iterable[str]) -> tuple[str, ...]:
    """The seats that have neither sent orders nor missed their deadline."""
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(seat for seat in able if seat not in done)


def note_missed(position: P, seat: str, awaited: Sequence[str]) -> Resolution[P]:
    """The deadline of a seat passed: it is no longer awaited. Nothing changes for one that was not."""
    return Resolution(_changed(position, missed=(*position.missed, seat)) if seat in awaited else position)


def _changed(position: P, **fields: Any) -> P:
    return replace(position, **fields)  # type: ignore[type-var]

"""A right line for a player whose line was wrong: one that would be carried out for this player, in the place of the wrong one.

Each candidate is tried: put among the lines of the mail that stand, and the mail carried out as if its time were now. Nothing
goes into that which the player may not know: mails of others, and who has missed a deadline, are left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice, product
from typing import Any

from pbmd.rules import Dice, Verdict
from pbmd.rules.checking import MOST_EXAMPLES, Answer, Fault, Right, Wrong, mended, unmended, verdict

from ..orders import MAIL_ORDERS, Build, EndMove, Order, Proclaim, Research, Written
from ..resolution.diplomacy import diplomatic_mail
from ..resolve import resolve
from ..world.names import Book, finders
from ..world.state import Held
from .judging import Checked, Frame, judged
from .possible import kind_meant, possible
from .reading import clean, read

_MOST_TRIALS = 400
"""In all, for a mail: half a second, and enough for any that was written by hand."""
_MOST_BESIDE = 60
"""Lines of a mail that a candidate is tried among; in a longer one it is tried alone."""
_MARK = "the line that is tried"


class _BadLuck(Dice):
    """Dice that show the highest face: coins fall tails, so that nothing is proposed that needs luck (LC-R54)."""

    def _next(self, sides: int) -> int:
        return sides


@dataclass(slots=True)
class _Mail:
    """The mail whose lines are mended: the lines that stand by their places in it, and how many trials are left."""

    frame: Frame
    standing: Mapping[int, Written]
    trials: int = _MOST_TRIALS

    @property
    def beside(self) -> Mapping[int, Written]:
        """The lines that a candidate is tried among."""
        return self.standing if len(self.standing) <= _MOST_BESIDE else {}


def verdicts_on(checked: Checked) -> tuple[Verdict, ...]:
    """The verdicts on the lines of a mail: behind what is wrong with one a right line of its kind, or any."""
    mail = _Mail(checked.frame, checked.standing)
    faulty = [place for place, judgement in enumerate(checked.lines) if judgement.faults]
    refused = {place: _refused(mail, checked, place) for place in faulty[:MOST_EXAMPLES]}
    refused |= {place: unmended(checked.lines[place].line, *checked.lines[place].faults) for place in faulty[MOST_EXAMPLES:]}
    accepted = ((place, each) for place, each in enumerate(checked.lines) if place not in refused)
    rights = {place: Right(each.line, each.order.text) for place, each in accepted if each.order}
    answers: dict[int, Answer] = {**refused, **rights}
    return tuple(verdict(answers[place]) for place in sorted(answers))


def _refused(mail: _Mail, checked: Checked, place: int) -> Wrong:
    wrong, frame = checked.lines[place], mail.frame
    candidates = (order.text for order in _candidates(frame, wrong.read, wrong.line.text))
    otherwise = EndMove() if frame.is_move or not mail.standing else Proclaim(frame.sender)
    # The names that are meant are among the candidates already, in canonical lines.
    return mended(wrong.line, "", wrong.faults, candidates, partial(_remark_on, mail, place), otherwise.text)


def _remark_on(mail: _Mail, place: int, text: str) -> str | None:
    """ "" if the line, written there, has no fault and would be carried out, else None."""
    known = tuple(w.order.technology for at, w in mail.standing.items() if at < place and isinstance(w.order, Research))
    order, faults = judged(mail.frame, Book(mail.frame.position, mail.frame.sender, known), read(clean(text)))
    if order is None or faults or order.text != text or not mail.trials:
        return None
    mail.trials -= 1
    lines = {**mail.beside, place: Written(order, _MARK)}
    return "" if _works(mail.frame, [lines[at] for at in sorted(lines)]) else None


def _works(frame: Frame, lines: Sequence[Written]) -> bool:
    """Whether a mail is carried out without the marked line failing, for any unit."""
    position, sender = frame.position, frame.sender
    if all(isinstance(written.order, MAIL_ORDERS) for written in lines):
        reasons = diplomatic_mail(position, sender, lines).reasons
        return not any(reason for reason, written in zip(reasons, lines, strict=True) if written.line == _MARK)
    others = (player.name for player in position.players if player.name != sender)
    held = (Held(sender, (0, 0), tuple(lines)),)
    trial = replace(position, turn=frame.turn, waiting=(sender, *others), missed=(), held=held)
    return not any(
        event.kind == "order_failed" and event.data["line"] == _MARK for event in resolve(trial, _BadLuck()).events
    )  # fmt: skip


# --- Candidates ---------------------------------------------------------------------------------------------------------


def _candidates(frame: Frame, order: Order | None, text: str) -> Iterator[Order]:
    """What may be meant, the likeliest first: the same with its names mended, others of its kind, then what nearly always
    can be done."""
    meant: list[Order] = []
    if order is not None:
        meant = list(islice(_mended(frame, order), 12))
        yield from meant
    kind = type(order) if order is not None else kind_meant(clean(text))
    if kind is not None:
        likest = meant[0] if meant else None
        yield from sorted(possible(kind, frame.position, frame.sender), key=lambda other: -_alike(other, likest))
    yield from possible(Build, frame.position, frame.sender)


def _alike(one: Order, other: Order | None) -> int:
    """In how much of what they say two orders of a kind are the same."""
    return sum(getattr(one, field.name) == getattr(other, field.name, None) for field in fields(one))


def _mended(frame: Frame, order: Order) -> Iterator[Order]:
    """The order with full names; for each that is not found, those that begin so, or are spelt most alike."""
    book, choices = Book(frame.position, frame.sender), dict[str, list[Any]]()
    for name, find in finders(order):
        value: str | tuple[str, ...] = getattr(order, name)
        if isinstance(value, tuple):
            choices[name] = list(islice(product(*(_meant(book, find, one) for one in value)), 4))
        else:
            choices[name] = _meant(book, find, value)
    for chosen in product(*choices.values()):
        yield replace(order, **dict(zip(choices, chosen, strict=True)))


def _meant(book: Book, find: Callable[[Book, str], str], text: str) -> list[str]:
    """The full name, or what could be meant by it, the likest first."""
    try:
        return [find(book, text)]
    except Fault as fault:
        return list(fault.names)

"""Advice for a player whose line was wrong: a line that would be carried out for this player, in place of the wrong one.

Each candidate is tried: it is put among the accepted lines of the mail, and the mail is carried out as if its time were now.
This uses nothing that the player may not know: mails of others, and who has missed a deadline, are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pbmd.rules import Dice, Verdict
from pbmd.rules.checking import MOST_EXAMPLES, Answer, Right, Wrong, mended, unmended, verdict

from ..orders import MAIL_ORDERS, Build, Develop, Research, Written
from ..resolution.diplomacy import diplomatic_mail
from ..resolve import resolve
from ..world.names import Book
from ..world.state import Held
from .judging import Checked, Frame, judged
from .possible import kind_meant, possible
from .reading import clean, read

_MOST_TRIALS = 400
"""For a whole mail: half a second, and enough for any that was written by hand."""
_MOST_BESIDE = 60
"""Lines of a mail that a candidate is tried among; in a longer mail it is tried alone."""
_MARK = "the line that is tried"
_HARMLESS = (Build, Develop, Research)
"""Kinds of orders that serve as examples: their results concern nobody else."""


class _BadLuck(Dice):
    """Dice that show the highest face: coins fall tails, so that nothing is proposed that needs luck (LC-R54)."""

    def _next(self, sides: int) -> int:
        return sides


@dataclass(slots=True)
class _Mail:
    """The mail whose lines are mended: the accepted lines by their places in it, and how many trials are left."""

    frame: Frame
    standing: Mapping[int, Written]
    trials: int = _MOST_TRIALS

    @property
    def beside(self) -> Mapping[int, Written]:
        """The lines that a candidate is tried among."""
        return self.standing if len(self.standing) <= _MOST_BESIDE else {}


def verdicts_on(checked: Checked) -> tuple[Verdict, ...]:
    """The verdicts on the lines of a mail: after what is wrong with a line, a right one of its kind, or any."""
    mail = _Mail(checked.frame, checked.standing)
    faulty = [place for place, judgement in enumerate(checked.lines) if judgement.faults]
    refused = {place: _refused(mail, checked, place) for place in faulty[:MOST_EXAMPLES]}
    refused |= {place: unmended(checked.lines[place].line, *checked.lines[place].faults) for place in faulty[MOST_EXAMPLES:]}
    accepted = ((place, each) for place, each in enumerate(checked.lines) if place not in refused)
    rights = {place: Right(each.line, each.order.text) for place, each in accepted if each.order}
    answers: dict[int, Answer] = {**refused, **rights}
    return tuple(verdict(answers[place]) for place in sorted(answers))


def _refused(mail: _Mail, checked: Checked, place: int) -> Wrong:
    wrong, text = checked.lines[place], clean(checked.lines[place].line.text)
    kind = type(wrong.read) if wrong.read is not None else kind_meant(text)
    position, seat = mail.frame.position, mail.frame.sender
    examples = (order.text for order in possible(kind, position, seat)) if kind in _HARMLESS else ()
    return mended(wrong.line, text, wrong.faults, examples, partial(_remark_on, mail, place))


def _remark_on(mail: _Mail, place: int, text: str) -> str | None:
    """ "" if the line, written there, has no fault and would be carried out, else None."""
    known = tuple(w.order.technology for at, w in mail.standing.items() if at < place and isinstance(w.order, Research))
    order, faults = judged(mail.frame, Book(mail.frame.position, mail.frame.sender, known), read(clean(text)))
    if order is None or faults or not mail.trials:
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

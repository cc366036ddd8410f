"""What a letter with orders does in the middle of a turn: it is checked, priced and filed (sections 6 and 9 of the rules).

Nothing tells whether other orders are there, nor which place these have among them (section 8).
"""

from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules import Line, Mail, Receipt, Refused, Sheet, Status, Verdict
from pbmd.rules.sheets import filed, refusal, withdrawn

from .checking.draft import Right, Wrong
from .checking.foreseen import outlook, sentences
from .checking.reading import LONGEST_ON_FILE, clean
from .checking.rules import check_lines
from .orders import lines_of
from .tables import INFO
from .world.state import Position


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a letter and file those that stand as the society's sheet, in place of the one before.

    Raises `LookupError` for an unknown seat.
    """
    society = position.by_name.get(mail.seat)
    if society is None:
        raise LookupError(f'there is no society "{mail.seat}"')
    if position.over or not society.living:
        why = "the game is over" if position.over else f"{society.name} is eliminated"
        return Receipt(position, (Verdict(0, "", Status.ERROR, f"{why}; orders are not taken any more."),), filed=False)
    mail = replace(mail, lines=tuple(line for line in mail.lines if clean(line.text)))
    rights, wrongs = check_lines(position, mail.seat, mail.lines)
    found = outlook(position, mail.seat, [right.order for right in rights])
    verdicts = _verdicts(rights, wrongs, found.warnings)
    reason = refusal(INFO.sheets, position.sheets, mail, verdicts)
    if reason is not None:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{reason}.")), filed=False)
    lines = [line for right in rights for line in lines_of(right.order)]
    after = replace(
        position,
        sheets=filed(position.sheets, mail.seat, mail.arrival, lines),
        missed=tuple(name for name in position.missed if name != mail.seat),
    )
    return Receipt(after, verdicts, filed=True, defaults=sentences(found))


def withdraw(position: Position, seat: str) -> Position:
    """Take the society's sheet back. Raises `Refused` when there is none."""
    if position.over:
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def _verdicts(rights: Sequence[Right], wrongs: Sequence[Wrong], warnings: dict[int, list[str]]) -> tuple[Verdict, ...]:
    """Verdicts in the order of the lines; the remarks on an order stand at its first one."""
    found = [Verdict(wrong.line.number, wrong.line.text, Status.ERROR, wrong.message, code=wrong.code) for wrong in wrongs]
    for place, right in enumerate(rights):
        message = "; ".join(warnings.get(place, ()))
        status = Status.WARNING if message else Status.OK
        first, *more = right.lines
        # Targets written behind an order stay with it; on a line of their own they are told there.
        own = lines_of(right.order)
        text = own[0] if more or len(own) == 1 else f"{own[0]}, {own[1][0].lower()}{own[1][1:]}"
        found.append(Verdict(first.number, first.text, status, message, text))
        found += [Verdict(line.number, line.text, Status.OK, "", own[-1]) for line in more if len(own) > 1]
        found += [
            Verdict(line.number, line.text, Status.WARNING, "no square is named here", "") for line in more if len(own) == 1
        ]
    return tuple(sorted(found, key=lambda verdict: verdict.line))


def sheet_problem(position: Position, sheet: Sheet) -> tuple[int | None, str] | None:
    """Why a sheet cannot be on file in this position: the place of the line, if it is one, and a sentence."""
    lines = tuple(Line(place, text) for place, text in enumerate(sheet.lines))
    rights, wrongs = check_lines(position, sheet.seat, lines, LONGEST_ON_FILE)
    if wrongs:
        return wrongs[0].line.number, wrongs[0].message
    canonical = tuple(line for right in rights for line in lines_of(right.order))
    if canonical != sheet.lines:
        return None, f"on file these orders are {list(canonical)}"
    return None

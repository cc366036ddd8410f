"""What a letter does: a move is filed for the next step or held until its time, diplomacy is done at once (section 6.1)."""

from dataclasses import replace

from pbmd.rules import Mail, Receipt, Refused, Resolution, Status, Verdict
from pbmd.rules.sheets import is_outdated

from .checking.examples import with_examples
from .checking.judging import Checked, check_mail, may_move_now
from .position import movers
from .resolution.diplomacy import diplomatic_mail
from .telling.reasons import REASONS
from .world.state import Held, Position


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a mail; carry out a diplomatic one, file or hold a move. Raises `LookupError` for an unknown seat."""
    state = position.by_name.get(mail.seat)
    if state is None or mail.seat in position.galaxy.place:
        raise LookupError(f'there is no nation "{mail.seat}"')
    if position.phase == "over":
        return _refused(position, "the game is over; orders are not taken any more")
    if state.kind != "player":
        what = "an NPC empire" if state.kind == "npc" else "eliminated"
        return _refused(position, f"{state.name} is {what}; orders are not taken any more")
    checked = with_examples(check_mail(position, mail))
    if not checked.verdicts:
        return _refused(position, "there is no order in your mail. If you want to do nothing, write: End move", code="empty")
    if checked.faulty and position.options.strict_mails:
        words = "nothing of it was carried out, and it is no move. Send all of it again"
        return _refused(position, f"the whole mail is returned: {words}", checked)
    if not checked.orders:
        return _refused(position, "no line of this mail was accepted", checked)
    return _move(position, mail, checked) if checked.is_move else _diplomacy(position, mail, checked)


def withdraw(position: Position, seat: str) -> Position:
    """Take back a move that waits for its time. Raises `Refused` when there is none."""
    kept = tuple(held for held in position.held if held.state != seat)
    if len(kept) == len(position.held):
        raise Refused("there is no move of yours that waits for its time; a move that was made is final")
    return replace(position, held=kept)


def miss(position: Position, seat: str) -> Resolution[Position]:
    """Note that the deadline of a player who is to move has passed; the next step skips him (LC-91)."""
    if seat not in movers(position) or seat in position.missed:
        return Resolution(position)
    return Resolution(replace(position, missed=(*position.missed, seat)))


def _refused(position: Position, problem: str, checked: Checked | None = None, code: str = "") -> Receipt[Position]:
    verdicts = checked.verdicts if checked else ()
    return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{problem}.", code=code)), filed=False)


def _diplomacy(position: Position, mail: Mail, checked: Checked) -> Receipt[Position]:
    """Carry out the lines one by one. A line that fails is told in its verdict, too (LC-R36)."""
    mailed = diplomatic_mail(position, mail.seat, checked.orders)
    reasons = iter(mailed.reasons)
    verdicts = tuple(v if v.status is Status.ERROR else _outcome(v, next(reasons)) for v in checked.verdicts)
    return Receipt(mailed.position, verdicts, filed=False, events=mailed.events, granted=True)


def _outcome(verdict: Verdict, reason: str) -> Verdict:
    if not reason:
        return verdict
    return verdict._replace(status=Status.WARNING, message=f"not carried out: {REASONS[reason]}", code=reason)


def _move(position: Position, mail: Mail, checked: Checked) -> Receipt[Position]:
    if is_outdated(position.sheets, mail.seat, mail.arrival):
        return _refused(position, "a later mail of yours is in force", checked)
    now = may_move_now(position, mail.seat)
    if not now and position.options.early_orders == "return":
        return _refused(position, "it is not your move yet. Send it when it is; nothing of it was kept", checked)
    held = Held(mail.seat, mail.arrival, checked.orders)
    others = (other for other in position.held if other.state != mail.seat)
    after = replace(position, held=tuple(sorted((*others, held), key=lambda mail: mail.arrival)))
    return Receipt(after, checked.verdicts, filed=True)

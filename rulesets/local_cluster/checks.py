"""What a letter does: a move is filed for the next step or held until its time, diplomacy is done at once (section 6.1)."""

from dataclasses import replace

from pbmd.rules import Mail, Receipt, Refused, Resolution, Status, Verdict
from pbmd.rules.checking import closed, not_taken, note_missed
from pbmd.rules.sheets import is_outdated

from .checking.examples import verdicts_on
from .checking.judging import Checked, check_mail
from .position import awaiting
from .resolution.diplomacy import diplomatic_mail
from .telling.sentences import REASONS
from .world.state import Held, Position


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a mail; carry out a diplomatic one, file or hold a move. Raises `LookupError` for an unknown seat."""
    state = position.by_name.get(mail.seat)
    if state is None or mail.seat in position.galaxy.place:
        raise LookupError(f'there is no nation "{mail.seat}"')
    if position.phase == "over":
        return closed(position, "the game is over")
    if state.kind != "player":
        return closed(position, f"{state.name} is {'an NPC empire' if state.kind == 'npc' else 'eliminated'}")
    checked = check_mail(position, mail)
    verdicts = verdicts_on(checked)
    if not verdicts:
        return not_taken(position, "there is no order in your mail. If you want to do nothing, write: End move", code="empty")
    if checked.faulty and position.options.strict_mails:
        words = "nothing of it was carried out, and it is no move. Send all of it again"
        return not_taken(position, f"the whole mail is returned: {words}", verdicts)
    if not checked.orders:
        return not_taken(position, "no line of this mail was accepted", verdicts)
    return (_move if checked.frame.is_move else _diplomacy)(position, mail, checked, verdicts)


def withdraw(position: Position, seat: str) -> Position:
    """Take back a move that waits for its time. Raises `Refused` when there is none."""
    kept = tuple(held for held in position.held if held.state != seat)
    if len(kept) == len(position.held):
        raise Refused("there is no move of yours that waits for its time; a move that was made is final")
    return replace(position, held=kept)


def miss(position: Position, seat: str) -> Resolution[Position]:
    """Record that the deadline of a player who is to move has passed; the next step skips them (LC-91)."""
    return note_missed(position, seat, awaiting(position))


def _diplomacy(position: Position, mail: Mail, checked: Checked, verdicts: tuple[Verdict, ...]) -> Receipt[Position]:
    """Carry out the lines one by one. A line that fails is reported in its verdict, too (LC-R36)."""
    mailed = diplomatic_mail(position, mail.seat, checked.orders)
    reasons = iter(mailed.reasons)
    told = tuple(v if v.status is Status.ERROR else _outcome(v, next(reasons)) for v in verdicts)
    return Receipt(mailed.position, told, filed=False, events=mailed.events, granted=True)


def _outcome(verdict: Verdict, reason: str) -> Verdict:
    if not reason:
        return verdict
    return verdict._replace(status=Status.WARNING, message=f"not carried out: {REASONS[reason]}", code=reason)


def _move(position: Position, mail: Mail, checked: Checked, verdicts: tuple[Verdict, ...]) -> Receipt[Position]:
    if is_outdated(position.sheets, mail.seat, mail.arrival):
        return not_taken(position, "a later mail of yours is in force", verdicts)
    if mail.seat not in awaiting(position) and position.options.early_orders == "return":
        return not_taken(position, "it is not your move yet. Send it when it is; nothing of it was kept", verdicts)
    held = Held(mail.seat, mail.arrival, checked.orders)
    others = (other for other in position.held if other.state != mail.seat)
    after = replace(position, held=tuple(sorted((*others, held), key=lambda mail: mail.arrival)))
    return Receipt(after, verdicts, filed=True)

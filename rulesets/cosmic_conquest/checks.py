"""What a letter does in the middle of a turn: orders are checked and final, an Insight is answered (sections 6 and 9)."""

from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules import Event, Line, Mail, Receipt, Refused, Resolution, Status, Verdict
from pbmd.rules.checking import (
    Checked,
    Fault,
    Right,
    Wrong,
    closed,
    not_taken,
    note_missed,
    receive_sheet,
    verdict,
    with_example,
)
from pbmd.rules.sheets import sheet_of
from pbmd.rules.words import counted

from .checking.bold import OrderText, order_lines
from .checking.draft import Draft
from .checking.on_file import orders_of
from .checking.sheets import check_sheet, insight_refusal, insight_target
from .orders import AskInsight, read
from .position import awaiting
from .world.state import Faction, Insight, Position, RefusedMail

_NOT_BOLD = "this stands outside [b] and [/b], so that it is no order"


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a mail and file them as the faction's final sheet, or answer an Insight.

    Raises `LookupError` for an unknown seat.
    """
    faction = position.colours.get(mail.seat)
    if faction is None:
        raise LookupError(f'there is no faction "{mail.seat}"')
    if position.phase == "ended":
        return closed(position, "the game is over")
    if not faction.active:
        return closed(position, f"{faction.colour} is {faction.status}")
    text = order_lines(mail.lines, position.options.bold)
    if len(text.lines) == 1 and _asks_insight(text.lines[0]):
        return _insight(position, faction, text.lines[0])
    if problem := _closed(position, faction):
        return not_taken(position, problem)
    return _orders(position, faction, mail, text)


def withdraw(position: Position, seat: str) -> Position:
    """Orders are final (CC-45). Raises `Refused`, always."""
    if sheet_of(position.sheets, seat) is None:
        raise Refused("you have no orders in to cancel")
    raise Refused(_final(position))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The faction stalls: its default orders are fixed now, and shown to those who asked about them (section 9.4)."""
    return _answered(note_missed(position, seat, awaiting(position)).position, seat)


def resign(position: Position, seat: str) -> Resolution[Position]:
    """The faction leaves the game with this turn; without a sheet its default orders are fixed now (CC-R84)."""
    if position.phase == "ended" or not position.colours[seat].active or seat in position.resigning:
        return Resolution(position)
    return miss(replace(position, resigning=(*position.resigning, seat)), seat)


def insight_event(position: Position, insight: Insight, lines: Sequence[str]) -> Event:
    """What the psionic learns, and nobody else (CC-102, CC-R63)."""
    data = {"turn": position.turn, "by": insight.by, "target": insight.target, "lines": list(lines)}
    return Event("insight", {**data, "name": position.colours[insight.target].name}, (insight.by,))


def tell(event: Event) -> str:
    """The words of an Insight or of published orders, as they are mailed at once."""
    what = {"insight": "Telepathic Insight", "published": "Published orders"}[event.kind]
    whose = event.data["target"] if event.kind == "insight" else event.data["colour"]
    name = "" if event.data["name"] == whose else f" ({event.data['name']})"
    return "\n".join((f"{what}, turn {event.data['turn']} – orders of {whose}{name}:", *event.data["lines"]))


# --- Orders --------------------------------------------------------------------------------------------------------------


def _final(position: Position) -> str:
    return f"your orders for turn {position.turn} are in and final"


def _closed(position: Position, faction: Faction) -> str:
    """Why no orders are accepted: there are some already (CC-R75), or the default ones are fixed (CC-R81)."""
    if sheet_of(position.sheets, faction.colour) is not None:
        return _final(position)
    if faction.colour in position.missed:
        return f"your default orders for turn {position.turn} are fixed and final"
    return ""


def _orders(position: Position, faction: Faction, mail: Mail, text: OrderText) -> Receipt[Position]:
    """The lines of a mail as a sheet: all of them, or none (CC-R35)."""
    hints = tuple(Verdict(line.number, line.text, Status.WARNING, _NOT_BOLD) for line in text.talk if read(line.text))
    if text.problem or not text.lines:
        problem = text.problem or "there is no order in your mail. To let the turn pass, write: Pass"
        return _not_sent(position, faction, hints, (f"{problem.rstrip('.')}.",))
    answers, draft = check_sheet(position, faction, text.lines)
    insight = any(isinstance(answer, Wrong) and answer.code == "insight_alone" for answer in answers)
    why_not = "a Telepathic Insight is among them" if insight else ""
    lines = draft.plan.lines(position.galaxy)
    checked = Checked(answers, why_not, defaults=_what_is_left(draft), filed=lines)
    receipt, said = receive_sheet(position, mail, position.options.sheets, checked), checked.verdicts
    verdicts = tuple(sorted((*said, *hints), key=lambda verdict: verdict.line))
    if not receipt.filed:
        errors = (verdict for verdict in said if verdict.status is Status.ERROR)
        faults = tuple(f'Line {v.line}: "{v.text:.80}" – {v.message}' for v in errors)
        return _not_sent(position, faction, verdicts, faults)
    answered = _answered(replace(receipt.position, refused=_other_refusals(position, mail.seat)), mail.seat)
    published = Event("published", {"turn": position.turn, "colour": mail.seat, "name": faction.name, "lines": list(lines)})
    events = ((published,) if draft.plan.publish else ()) + answered.events
    return replace(receipt, position=answered.position, verdicts=verdicts, events=events)


def _not_sent(
    position: Position, faction: Faction, verdicts: tuple[Verdict, ...], problems: tuple[str, ...]
) -> Receipt[Position]:
    """Refuse the whole mail (CC-R35), and remember why in case nothing better comes."""
    words = f"Nothing was accepted. Your orders for turn {position.turn} have not been sent; send all of them again."
    general = () if any(verdict.status is Status.ERROR for verdict in verdicts) else problems
    heads = tuple(Verdict(0, "", Status.ERROR, sentence) for sentence in (*general, words))
    refused = (*_other_refusals(position, faction.colour), RefusedMail(faction.colour, problems))
    return Receipt(replace(position, refused=refused), (*verdicts, *heads), filed=False)


def _other_refusals(position: Position, colour: str) -> tuple[RefusedMail, ...]:
    return tuple(refusal for refusal in position.refused if refusal.player != colour)


def _what_is_left(draft: Draft) -> tuple[str, ...]:
    faction = draft.faction
    drones = faction.drones - draft.plan.drones
    units = draft.pool - draft.plan.units - (len(draft.plan.raises) if draft.position.options.drone_uses_pool else 0)
    are, stay = "is" if units == 1 else "are", "stays" if drones == 1 else "stay"
    sentences = [f"{units} of {counted(draft.pool, 'unit')} {are} not assigned and will be lost."] if units else []
    sentences += [f"{drones} of {counted(faction.drones, 'drone')} {stay} at home."] if drones else []
    return (*sentences, "These orders are final: they cannot be changed or taken back.")


# --- Telepathic Insight --------------------------------------------------------------------------------------------------


def _asks_insight(line: Line) -> bool:
    return isinstance(read(line.text), AskInsight)


def _insight(position: Position, faction: Faction, line: Line) -> Receipt[Position]:
    order, draft = read(line.text), Draft(position, faction, alone=True)
    assert isinstance(order, AskInsight)
    if faction.colour in position.missed:
        return _not_used(position, Wrong(line, f"your default orders for turn {position.turn} are fixed and final", "too_late"))
    try:
        target = insight_target(draft, order)
    except Fault as fault:
        return _not_used(position, insight_refusal(draft, line, fault))
    position = replace(position, insights=(*position.insights, Insight(faction.colour, target.colour, answered=False)))
    answered = _answered(position, target.colour)
    note = "" if answered.events else f"the orders of {target.colour} are mailed to you as soon as they are final"
    right = verdict(Right(line, AskInsight(target.colour).text, note=note))
    return Receipt(answered.position, (right,), filed=False, events=answered.events, granted=True)


def _not_used(position: Position, wrong: Wrong) -> Receipt[Position]:
    problem = f"{with_example(wrong.problem, '')} Your Telepathic Insight is not used"
    return Receipt(position, (verdict(wrong._replace(problem=problem)),), filed=False)


def _answered(position: Position, target: str) -> Resolution[Position]:
    """Answer the Insights into a faction whose orders are fixed (CC-R59)."""
    lines = orders_of(position, position.colours[target])
    open_ones = [insight for insight in position.insights if insight.target == target and not insight.answered]
    if lines is None or not open_ones:
        return Resolution(position)
    insights = tuple(insight._replace(answered=True) if insight in open_ones else insight for insight in position.insights)
    events = tuple(insight_event(position, insight, lines) for insight in open_ones)
    return Resolution(replace(position, insights=insights), events)

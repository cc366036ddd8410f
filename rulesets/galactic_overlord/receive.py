"""The check on arrival (section 6 of the rules): every line is carried out on paper, so shortfalls are foretold exactly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pbmd.rules import Line, Mail, Receipt, Refused, Status, Verdict, fold, match_name
from pbmd.rules.sheets import filed, refusal, withdrawn

from .economy import Holdings, Yard, base_names, carry_out, yard_of
from .fleets import per_class
from .grammar import ship_kind
from .oobs import Oobs, joined, wanting
from .orders import (
    SPECIALS,
    Attack,
    BaseItem,
    Build,
    BuildGenerator,
    CounterEspionage,
    Division,
    Force,
    Order,
    RaiseShields,
    Repair,
    SetOob,
    Special,
    Spy,
    Stockpile,
    TrainSpy,
    Transfer,
    Unclear,
)
from .plans import remember
from .position import Player, Position, name_problem
from .reading import clean, read
from .tables import CLASSES, DAMAGE_OF, HULLS, INFO, KIND_OF, listing

# --- Orders ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    """A sheet in the making. `special` and the like are the lines that stand (GO-R14).

    `named_bases` are the names in Build lines by the folded name, also of bases that the BP do not reach. `others` are the
    living rivals.
    """

    position: Position
    player: Player
    yard: Yard
    named_bases: dict[str, str] = field(default_factory=dict)
    special: tuple[Line, Special] | None = None
    ce: Line | None = None
    spies_on: list[str] = field(default_factory=list)
    oobs: dict[tuple[str, str], SetOob] = field(default_factory=dict)
    transferred: set[str] = field(default_factory=set)
    division: Line | None = None
    others: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.others = [other.name for other in self.position.players if other.alive and other.name != self.player.name]


class _Checked(NamedTuple):
    """An order with full names, and what falls short."""

    order: Order
    warnings: tuple[str, ...] = ()


class _Wrong(Exception):
    def __init__(self, problem: str, example: str = "") -> None:
        super().__init__(_with_example(problem, example))


def _with_example(problem: str, example: str) -> str:
    sentence = problem if problem.endswith("?") else f"{problem}."
    return f"{sentence} Example: {example}" if example else sentence


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a mail and file those that stand as the faction's sheet. Raises `LookupError` for an unknown seat."""
    player = position.player(mail.seat)
    if player is None:
        raise LookupError(f'there is no faction "{mail.seat}"')
    if position.status == "finished" or not player.alive:
        reason = "the game is over" if position.status == "finished" else f"{player.name} is eliminated"
        return Receipt(position, (Verdict(0, "", Status.ERROR, f"{reason}; orders are not taken any more"),), filed=False)
    built = [base.owner for base in position.bases if base.builder == player.name]
    held = Holdings(built.count(player.name), len(built))
    yard = yard_of(player.name, player.bp, dict(player.ships), held, base_names(position), position.options)
    draft = _Draft(position, player, yard)
    if not all(map(_is_written, mail.lines)):
        mail = replace(mail, lines=tuple(filter(_is_written, mail.lines)))
    verdicts, orders = _check_lines(draft, mail.lines)
    reason = refusal(INFO.sheets, position.sheets, mail, verdicts)
    if reason is not None:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{reason}.")), filed=False)
    lines = tuple([verdict.canonical for verdict in verdicts if verdict.status is not Status.ERROR])
    remember(lines, orders)
    verdicts += [Verdict(0, "", Status.WARNING, warning) for warning in _oob_warnings(draft)]
    after = replace(
        position,
        sheets=filed(position.sheets, mail.seat, mail.arrival, lines),
        missed=tuple([name for name in position.missed if name != mail.seat]),
    )
    return Receipt(after, tuple(verdicts), filed=True, defaults=_defaults(draft))


def _is_written(line: Line) -> bool:
    """Blank lines and comments (of the order form) are no orders."""
    text = line.text.lstrip()
    return bool(text) and text[0] != "#"


def withdraw(position: Position, seat: str) -> Position:
    """Take the faction's sheet back. Raises `Refused` when there is none."""
    if position.status == "finished":
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


_TURN: dict[type[Any], int] = {Build: 0, Repair: 0, Division: 2}
"""Build and Repair come first, so that an attack knows the new ships; all others, but Division, are checked in turn 1."""


def _check_lines(draft: _Draft, lines: Sequence[Line]) -> tuple[list[Verdict], list[Order]]:
    """Verdicts and the orders that stand, both in the order written."""
    parsed = [read(clean(line.text)) for line in lines]
    turns = [_TURN.get(type(order), 1) for order in parsed]
    checked: dict[int, _Checked | str] = {}
    for place in sorted(range(len(parsed)), key=turns.__getitem__):
        checked[place] = _checked(draft, lines[place], parsed[place])
    verdicts: list[Verdict] = []
    orders: list[Order] = []
    for place, line in enumerate(lines):
        result = checked[place]
        if isinstance(result, str):
            verdicts.append(Verdict(line.number, line.text, Status.ERROR, result))
            continue
        order, warnings = result
        orders.append(order)
        if warnings:
            verdicts.append(Verdict(line.number, line.text, Status.WARNING, "; ".join(warnings), order.text))
        else:
            verdicts.append(Verdict(line.number, line.text, Status.OK, "", order.text))
    return verdicts, orders


def _checked(draft: _Draft, line: Line, order: Order | Unclear) -> _Checked | str:
    if isinstance(order, Unclear):
        return _with_example(order.problem, order.example)
    try:
        return _CHECKS[type(order)](draft, line, order)
    except _Wrong as wrong:
        return str(wrong)


def _build(draft: _Draft, _line: Line, order: Build) -> _Checked:
    yard = draft.yard
    names: list[str] = []
    for item in order.items:
        if isinstance(item, BaseItem):
            names += item.names
            continue
        ship = CLASSES[item.kind]
        if ship.bases > yard.allowance:
            best = next(
                (other for other in reversed(CLASSES) if other.weapon == ship.weapon and other.bases <= yard.allowance), None
            )
            needed = f"{ship.bases} home {'base' if ship.bases == 1 else 'bases'}"
            raise _Wrong(
                f"a {HULLS[ship.hull].name.capitalize()} needs {needed}, you have {yard.allowance}",
                f"Build 1 {best.name}" if best else "Stockpile",
            )
    for place, name in enumerate(names):
        problem = name_problem(name)
        if not problem and (fold(name) in yard.taken or fold(name) in {fold(other) for other in names[:place]}):
            problem = "a base has this name already"
        if problem:
            raise _Wrong(f'"{name}" cannot be the name of a base: {problem}', "Build 1 base named Rigel")
    shortfalls = carry_out(yard, order, draft.position.options)
    for name in names:
        draft.named_bases.setdefault(fold(name), name)
    return _Checked(order, tuple(shortfalls))


def _repair(draft: _Draft, _line: Line, order: Repair) -> _Checked:
    damaged = {KIND_OF[alike] for alike in draft.yard.navy if DAMAGE_OF[alike]}
    for item in order.items:
        if item.kind not in damaged:
            raise _Wrong(f"you have no damaged {CLASSES[item.kind].name}", "Repair all")
    return _Checked(order, tuple(carry_out(draft.yard, order, draft.position.options)))


def _stockpile(_draft: _Draft, _line: Line, order: Stockpile) -> _Checked:
    return _Checked(order)


def _counter_espionage(draft: _Draft, line: Line, order: CounterEspionage) -> _Checked:
    if draft.ce:
        raise _Wrong(f"counter-espionage is used once a turn; line {draft.ce.number} stands")
    if not draft.player.counter_espionage:
        raise _Wrong("you have no counter-espionage option left")
    draft.ce = line
    return _Checked(order)


def _spy(draft: _Draft, _line: Line, order: Spy) -> _Checked:
    target = _rival(draft, order.target, "spy on", f"Use spy on {_somebody(draft)}")
    most = draft.position.options.spies_per_turn
    if not most:
        raise _Wrong("spies are not used in this game", "Use counter-espionage")
    if len(draft.spies_on) >= most:
        raise _Wrong(
            f"{most} {'spy' if most == 1 else 'spies'} a turn can be used, and {listing(draft.spies_on)} is spied on already"
        )
    if len(draft.spies_on) >= draft.player.spies:
        raise _Wrong("you have no spy in stock" if not draft.spies_on else "you have no further spy in stock", "Train spy")
    if target in draft.spies_on:
        raise _Wrong(f"you spy on {target} already; every spy needs a target of its own")
    if draft.special and isinstance(draft.special[1], TrainSpy):
        raise _Wrong(f"no spy can be used in the turn in which one is trained; line {draft.special[0].number} stands")
    draft.spies_on.append(target)
    return _Checked(Spy(target))


def _attack(draft: _Draft, line: Line, order: Attack) -> _Checked:
    example = f"Attack {_somebody(draft)} with all"
    if draft.position.turn == 0:
        raise _Wrong("turn 0 is for building: nobody can attack yet", "Build generator")
    target = _rival(draft, order.target, "attack", example)
    allies: list[str] = []
    for written in order.allies:
        ally = _rival(draft, written, "be allied with", f"{example} allied with {_somebody(draft, target)}")
        if ally == target:
            raise _Wrong(f"{ally} cannot be both your ally and your target", example)
        allies += [ally] if ally not in allies else []
    present = per_class(draft.yard.navy)
    force = order.force
    wanted = force.wanted(present)
    if not present:
        raise _Wrong("you have no ships", "Build 2 Laserfrigates")
    if force.everything and not wanted:
        raise _Wrong("that leaves no ship to send", example)
    if not any(kind in present for kind in wanted):
        raise _Wrong("you have none of the ships named", example)
    named = Force(force.ships).wanted({}) if force.everything else wanted
    short = [
        f"only {present.get(kind, 0)} of {CLASSES[kind].counted(count)} there"
        for kind, count in named.items()
        if present.get(kind, 0) < count
    ]
    named_in_full = target == order.target and tuple(allies) == order.allies
    found = order if named_in_full else Attack(target, force, tuple(allies), order.to_the_death)
    _take_special(draft, line, found)
    return _Checked(found, tuple(short))


def _raise_shields(draft: _Draft, line: Line, order: RaiseShields) -> _Checked:
    if not draft.player.generators:
        raise _Wrong("you have no shield generator", "Build generator")
    return _take_special(draft, line, order)


def _build_generator(draft: _Draft, line: Line, order: BuildGenerator) -> _Checked:
    most = draft.position.options.max_generators
    if draft.player.generators >= most:
        raise _Wrong(f"you have {draft.player.generators} generators, and {most} is the most", "Raise shields")
    return _take_special(draft, line, order)


def _train_spy(draft: _Draft, line: Line, order: TrainSpy) -> _Checked:
    most = draft.position.options.max_spies
    if draft.player.spies >= most:
        raise _Wrong(f"you have {draft.player.spies} spies, and {most} is the most", f"Use spy on {_somebody(draft)}")
    if draft.spies_on:
        raise _Wrong(f"no spy can be trained in the turn in which one is used; the spy on {draft.spies_on[0]} stands")
    return _take_special(draft, line, order)


def _set_oob(draft: _Draft, _line: Line, order: SetOob) -> _Checked:
    against = _other(draft, order.against, "OOB vs", "OOB attack vs Cygnus: LFTLTF") if order.against else ""
    named = order if against == order.against else SetOob(order.role, against, order.oob, order.to_the_death)
    if (named.role, against) in draft.oobs:
        raise _Wrong(f"there is an order of battle for {named.slot} already; the first one stands")
    draft.oobs[named.role, against] = named
    return _Checked(named)


def _transfer(draft: _Draft, _line: Line, order: Transfer) -> _Checked:
    example = "Transfer Vega to Borealis"
    bases = [base.name for base in draft.position.bases]
    known = [*bases, *draft.named_bases.values()]
    match = match_name(order.base, known)
    if match.found is None and fold(order.base).startswith("base "):
        match = match_name(order.base[len("base ") :], known)
    if match.found is None:
        words = order.base.split(" ", 1)
        if ship_kind(words[-1]) is not None or ship_kind(order.base) is not None:
            raise _Wrong("ships cannot be given away, only bases", example)
        raise _Wrong(match.problem(order.base, "base"), example)
    receiver = _rival(draft, order.to, "give a base to", f"Transfer {match.found} to {_somebody(draft)}")
    if match.found in draft.transferred:
        raise _Wrong(f"{match.found} is given away in an earlier line already")
    draft.transferred.add(match.found)
    held = {base.name for base in draft.position.bases if base.owner == draft.player.name} | set(draft.yard.new_bases)
    warning = (
        () if match.found in held else (f"{match.found} is not yours now; it changes hands only if you hold it after combat",)
    )
    return _Checked(Transfer(match.found, receiver), warning)


def _division(draft: _Draft, line: Line, order: Division) -> _Checked:
    if draft.division:
        raise _Wrong(f"captured bases are divided once; line {draft.division.number} stands")
    names = tuple(_living(draft, written, "Captured bases to Altair, Borealis") for written in order.names)
    draft.division = line
    joint = draft.special and isinstance(draft.special[1], Attack) and draft.special[1].allies
    warning = () if joint else ("you have ordered no attack with allies, so there is nothing to divide",)
    return _Checked(Division(names), warning)


_CHECKS: dict[type[Any], Callable[[_Draft, Line, Any], _Checked]] = {
    Build: _build,
    Repair: _repair,
    Stockpile: _stockpile,
    CounterEspionage: _counter_espionage,
    Spy: _spy,
    Attack: _attack,
    RaiseShields: _raise_shields,
    BuildGenerator: _build_generator,
    TrainSpy: _train_spy,
    SetOob: _set_oob,
    Transfer: _transfer,
    Division: _division,
}


def _take_special(draft: _Draft, line: Line, order: Special) -> _Checked:
    """Only one special order a turn (GO-39): the first valid one stands."""
    assert isinstance(order, SPECIALS)
    if draft.special:
        raise _Wrong(f'only one special order per turn; "{draft.special[1].text}" in line {draft.special[0].number} stands')
    draft.special = (line, order)
    return _Checked(order)


def _somebody(draft: _Draft, but: str = "") -> str:
    return next((other for other in draft.others if other != but), "Cygnus")


def _living(draft: _Draft, written: str, example: str) -> str:
    name = _faction(draft, written, example)
    if name not in draft.others and name != draft.player.name:
        raise _Wrong(f"{name} is eliminated", example)
    return name


def _rival(draft: _Draft, written: str, doing: str, example: str) -> str:
    name = _living(draft, written, example)
    if name == draft.player.name:
        raise _Wrong(f"you cannot {doing} yourself", example)
    return name


def _other(draft: _Draft, written: str, doing: str, example: str) -> str:
    name = _faction(draft, written, example)
    if name == draft.player.name:
        raise _Wrong(f"{doing} needs another faction than your own", example)
    return name


def _faction(draft: _Draft, written: str, example: str) -> str:
    """The faction meant. A full stop after the last word does not matter, unless a faction's name ends with it."""
    if draft.position.player(written):
        return written
    names = [player.name for player in draft.position.players]
    if fold(written) in map(fold, names):
        return next(name for name in names if fold(name) == fold(written))
    match = match_name(written.rstrip(" ."), names)
    if match.found is None:
        raise _Wrong(match.problem(written, INFO.seat_word), example)
    return match.found


# --- What the acknowledgement adds -------------------------------------------------------------------------------------


def _oob_warnings(draft: _Draft) -> list[str]:
    """Where no order of battle would apply, so that a random one is used (GO-81, GO-R60)."""
    oobs: Oobs = draft.oobs
    attack = draft.special[1] if draft.special and isinstance(draft.special[1], Attack) else None
    destroyed = draft.position.options.missing_oob == "destroyed"
    warnings: list[str] = []
    if attack and wanting(oobs, "attack", attack.target):
        fate = "your fleet is destroyed" if destroyed else "a random one is rolled"
        unless = ", unless an ally sends one" if attack.allies else ""
        warnings.append(f"No order of battle of yours applies to your attack on {attack.target}: {fate}{unless}.")
    shielded = draft.special is not None and isinstance(draft.special[1], RaiseShields)
    covered = shielded or ("", "") in oobs or ("defence", "") in oobs
    open_to = [] if covered else [other for other in draft.others if wanting(oobs, "defence", other)]
    if open_to:
        fate = "your home fleet is destroyed" if destroyed else "a random one is rolled"
        by = "" if len(open_to) == len(draft.others) else f" by {joined(open_to)}"
        warnings.append(
            f"No order of battle of yours applies if you are attacked{by}: {fate}. OOB default: LFTLTF is one for everything."
        )
    return warnings


def _defaults(draft: _Draft) -> tuple[str, ...]:
    kept = f"{draft.yard.bp} BP are kept for later turns."
    special = () if draft.special else ("No special order is given (attack, shields, generator or spy training).",)
    return (kept, *special)

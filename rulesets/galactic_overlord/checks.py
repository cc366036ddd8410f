"""The check on arrival (section 6 of the rules): every line is carried out on paper, so shortfalls are foretold exactly."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import Line, Mail, Receipt, Refused, Status, Verdict, fold, match_name
from pbmd.rules.sheets import filed, refusal, withdrawn
from pbmd.rules.words import counted, listing

from .checking.draft import Checked, Draft, Wrong
from .checking.examples import SURE, candidates
from .checking.grammar import ship_kind
from .checking.reading import clean, read
from .checking.remarks import defaults, oob_warnings
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
    ShipItem,
    Special,
    Spy,
    Stockpile,
    TrainSpy,
    Transfer,
    Unclear,
)
from .resolution.economy import Holdings, base_names, carry_out, yard_of
from .resolution.plans import remember
from .tables import CLASSES, DAMAGE_OF, HULLS, INFO, KIND_OF, ShipClass
from .world.fleets import per_class
from .world.state import Position, name_problem


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
    draft = Draft(position, player, yard)
    if not all(map(_is_written, mail.lines)):
        mail = replace(mail, lines=tuple(filter(_is_written, mail.lines)))
    verdicts, orders = _check_lines(draft, mail.lines)
    reason = refusal(INFO.sheets, position.sheets, mail, verdicts)
    if reason is not None:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{reason}.")), filed=False)
    lines = tuple([verdict.canonical for verdict in verdicts if verdict.status is not Status.ERROR])
    remember(lines, orders)
    verdicts += [Verdict(0, "", Status.WARNING, warning) for warning in oob_warnings(draft)]
    after = replace(
        position,
        sheets=filed(position.sheets, mail.seat, mail.arrival, lines),
        missed=tuple([name for name in position.missed if name != mail.seat]),
    )
    return Receipt(after, tuple(verdicts), filed=True, defaults=defaults(draft))


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


def _check_lines(draft: Draft, lines: Sequence[Line]) -> tuple[list[Verdict], list[Order]]:
    """Verdicts and the orders that stand, both in the order written."""
    parsed = [read(clean(line.text)) for line in lines]
    turns = [_TURN.get(type(order), 1) for order in parsed]
    checked: dict[int, Checked | str] = {}
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


def _checked(draft: Draft, line: Line, order: Order | Unclear) -> Checked | str:
    if isinstance(order, Unclear):
        return _refusal(draft, line, order.problem, order.example)
    try:
        return _CHECKS[type(order)](draft, line, order)
    except Wrong as wrong:
        return _refusal(draft, line, wrong.problem, wrong.example)


# --- Right lines for wrong ones ------------------------------------------------------------------------------------------

_MOST_EXAMPLES = 100
"""Faulty lines of a mail that get a right example each: who wrote more of them reads no further."""


def _refusal(draft: Draft, line: Line, problem: str, example: str) -> str:
    """The sentence for a refused line, with an example that would be taken in its place, if there is anything to write."""
    sentence = problem if problem.endswith("?") else f"{problem}."
    draft.refused += 1
    if not example or draft.refused > _MOST_EXAMPLES:
        return sentence
    own = [base.name for base in draft.position.bases if base.owner == draft.player.name]
    said = fold(line.text)
    # The factions first that the line is about.
    rivals = sorted(draft.others, key=lambda name: fold(name) not in said)
    others = candidates(read(clean(example)), draft.player.name, rivals, own)
    right = next((text for text in (example, *others) if _is_taken(draft, line, text)), SURE)
    return f"{sentence} Example: {right}"


def _is_taken(draft: Draft, line: Line, text: str) -> bool:
    """Whether the line would stand here, and want for nothing."""
    order = read(clean(text))
    if isinstance(order, Unclear):
        return False
    try:
        return not _CHECKS[type(order)](draft.copy(), line, order).warnings
    except Wrong:
        return False


# --- One check for each kind of order ------------------------------------------------------------------------------------


def _build(draft: Draft, _line: Line, order: Build) -> Checked:
    yard = draft.yard
    for item in order.items:
        if isinstance(item, ShipItem):
            _check_bases_for(CLASSES[item.kind], yard.allowance)
    names = [name for item in order.items if isinstance(item, BaseItem) for name in item.names]
    for place, name in enumerate(names):
        taken = fold(name) in yard.taken or fold(name) in {fold(other) for other in names[:place]}
        if problem := name_problem(name) or ("a base has this name already" if taken else ""):
            raise Wrong(f'"{name}" cannot be the name of a base: {problem}', "Build 1 base named Rigel")
    shortfalls = carry_out(yard, order, draft.position.options)
    for name in names:
        draft.named_bases.setdefault(fold(name), name)
    return Checked(order, tuple(shortfalls))


def _check_bases_for(ship: ShipClass, home_bases: int) -> None:
    """Raises `Wrong`, with the best class of that weapon that can be built."""
    if ship.bases <= home_bases:
        return
    best = next((other for other in reversed(CLASSES) if other.weapon == ship.weapon and other.bases <= home_bases), None)
    needed = counted(ship.bases, "home base")
    raise Wrong(
        f"a {HULLS[ship.hull].name.capitalize()} needs {needed}, you have {home_bases}",
        f"Build 1 {best.name}" if best else "Stockpile",
    )


def _repair(draft: Draft, _line: Line, order: Repair) -> Checked:
    damaged = {KIND_OF[alike] for alike in draft.yard.navy if DAMAGE_OF[alike]}
    for item in order.items:
        if item.kind not in damaged:
            raise Wrong(f"you have no damaged {CLASSES[item.kind].name}", "Repair all")
    return Checked(order, tuple(carry_out(draft.yard, order, draft.position.options)))


def _stockpile(_draft: Draft, _line: Line, order: Stockpile) -> Checked:
    return Checked(order)


def _counter_espionage(draft: Draft, line: Line, order: CounterEspionage) -> Checked:
    if draft.ce:
        raise Wrong(f"counter-espionage is used once a turn; line {draft.ce.number} stands")
    if not draft.player.counter_espionage:
        raise Wrong("you have no counter-espionage option left")
    draft.ce = line
    return Checked(order)


def _spy(draft: Draft, _line: Line, order: Spy) -> Checked:
    target = _rival(draft, order.target, "spy on", f"Use spy on {_somebody(draft)}")
    most = draft.position.options.spies_per_turn
    if not most:
        raise Wrong("spies are not used in this game", "Use counter-espionage")
    if len(draft.spies_on) >= most:
        raise Wrong(f"{counted(most, 'spy', 'spies')} a turn can be used, and {listing(draft.spies_on)} is spied on already")
    if len(draft.spies_on) >= draft.player.spies:
        raise Wrong("you have no spy in stock" if not draft.spies_on else "you have no further spy in stock", "Train spy")
    if target in draft.spies_on:
        raise Wrong(f"you spy on {target} already; every spy needs a target of its own")
    if draft.special and isinstance(draft.special[1], TrainSpy):
        raise Wrong(f"no spy can be used in the turn in which one is trained; line {draft.special[0].number} stands")
    draft.spies_on.append(target)
    return Checked(Spy(target))


def _attack(draft: Draft, line: Line, order: Attack) -> Checked:
    example = f"Attack {_somebody(draft)} with all"
    if draft.position.turn == 0:
        raise Wrong("turn 0 is for building: nobody can attack yet", "Build generator")
    target = _rival(draft, order.target, "attack", example)
    allies: list[str] = []
    for written in order.allies:
        ally = _rival(draft, written, "be allied with", f"{example} allied with {_somebody(draft, target)}")
        if ally == target:
            raise Wrong(f"{ally} cannot be both your ally and your target", example)
        allies += [ally] if ally not in allies else []
    present = per_class(draft.yard.navy)
    force = order.force
    wanted = force.wanted(present)
    if not present:
        raise Wrong("you have no ships", "Build 2 Laserfrigates")
    if force.everything and not wanted:
        raise Wrong("that leaves no ship to send", example)
    if not any(kind in present for kind in wanted):
        raise Wrong("you have none of the ships named", example)
    named = Force(force.ships).wanted({}) if force.everything else wanted
    short = [
        f"only {present.get(kind, 0)} of {CLASSES[kind].counted(count)} there"
        for kind, count in named.items()
        if present.get(kind, 0) < count
    ]
    named_in_full = target == order.target and tuple(allies) == order.allies
    found = order if named_in_full else Attack(target, force, tuple(allies), order.to_the_death)
    _take_special(draft, line, found)
    return Checked(found, tuple(short))


def _raise_shields(draft: Draft, line: Line, order: RaiseShields) -> Checked:
    if not draft.player.generators:
        raise Wrong("you have no shield generator", "Build generator")
    return _take_special(draft, line, order)


def _build_generator(draft: Draft, line: Line, order: BuildGenerator) -> Checked:
    most = draft.position.options.max_generators
    if draft.player.generators >= most:
        raise Wrong(f"you have {draft.player.generators} generators, and {most} is the most", "Raise shields")
    return _take_special(draft, line, order)


def _train_spy(draft: Draft, line: Line, order: TrainSpy) -> Checked:
    most = draft.position.options.max_spies
    if draft.player.spies >= most:
        raise Wrong(f"you have {draft.player.spies} spies, and {most} is the most", f"Use spy on {_somebody(draft)}")
    if draft.spies_on:
        raise Wrong(f"no spy can be trained in the turn in which one is used; the spy on {draft.spies_on[0]} stands")
    return _take_special(draft, line, order)


def _set_oob(draft: Draft, _line: Line, order: SetOob) -> Checked:
    against = _other(draft, order.against, "OOB vs", "OOB attack vs Cygnus: LFTLTF") if order.against else ""
    named = order if against == order.against else SetOob(order.role, against, order.oob, order.to_the_death)
    if (named.role, against) in draft.oobs:
        raise Wrong(f"there is an order of battle for {named.slot} already; the first one stands")
    draft.oobs[named.role, against] = named
    return Checked(named)


def _transfer(draft: Draft, _line: Line, order: Transfer) -> Checked:
    example = "Transfer Vega to Borealis"
    bases = [base.name for base in draft.position.bases]
    known = [*bases, *draft.named_bases.values()]
    match = match_name(order.base, known)
    if match.found is None and fold(order.base).startswith("base "):
        match = match_name(order.base[len("base ") :], known)
    if match.found is None:
        words = order.base.split(" ", 1)
        if ship_kind(words[-1]) is not None or ship_kind(order.base) is not None:
            raise Wrong("ships cannot be given away, only bases", example)
        raise Wrong(match.problem(order.base, "base"), example)
    receiver = _rival(draft, order.to, "give a base to", f"Transfer {match.found} to {_somebody(draft)}")
    if match.found in draft.transferred:
        raise Wrong(f"{match.found} is given away in an earlier line already")
    draft.transferred.add(match.found)
    held = {base.name for base in draft.position.bases if base.owner == draft.player.name} | set(draft.yard.new_bases)
    warning = (
        () if match.found in held else (f"{match.found} is not yours now; it changes hands only if you hold it after combat",)
    )
    return Checked(Transfer(match.found, receiver), warning)


def _division(draft: Draft, line: Line, order: Division) -> Checked:
    if draft.division:
        raise Wrong(f"captured bases are divided once; line {draft.division.number} stands")
    names = tuple(_living(draft, written, "Captured bases to Altair, Borealis") for written in order.names)
    draft.division = line
    joint = draft.special and isinstance(draft.special[1], Attack) and draft.special[1].allies
    warning = () if joint else ("you have ordered no attack with allies, so there is nothing to divide",)
    return Checked(Division(names), warning)


_CHECKS: dict[type[Any], Callable[[Draft, Line, Any], Checked]] = {
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


def _take_special(draft: Draft, line: Line, order: Special) -> Checked:
    """Only one special order a turn (GO-39): the first valid one stands."""
    assert isinstance(order, SPECIALS)
    if draft.special:
        raise Wrong(f'only one special order per turn; "{draft.special[1].text}" in line {draft.special[0].number} stands')
    draft.special = (line, order)
    return Checked(order)


def _somebody(draft: Draft, but: str = "") -> str:
    return next((other for other in draft.others if other != but), draft.player.name)


def _living(draft: Draft, written: str, example: str) -> str:
    name = _faction(draft, written, example)
    if name not in draft.others and name != draft.player.name:
        raise Wrong(f"{name} is eliminated", example)
    return name


def _rival(draft: Draft, written: str, doing: str, example: str) -> str:
    name = _living(draft, written, example)
    if name == draft.player.name:
        raise Wrong(f"you cannot {doing} yourself", example)
    return name


def _other(draft: Draft, written: str, doing: str, example: str) -> str:
    name = _faction(draft, written, example)
    if name == draft.player.name:
        raise Wrong(f"{doing} needs another faction than your own", example)
    return name


def _faction(draft: Draft, written: str, example: str) -> str:
    """The faction meant. A full stop after the last word does not matter, unless a faction's name ends with it."""
    if draft.position.player(written):
        return written
    names = [player.name for player in draft.position.players]
    if fold(written) in map(fold, names):
        return next(name for name in names if fold(name) == fold(written))
    match = match_name(written.rstrip(" ."), names)
    if match.found is None:
        raise Wrong(match.problem(written, INFO.seat_word), example)
    return match.found

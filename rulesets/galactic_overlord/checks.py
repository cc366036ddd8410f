"""The check on arrival (section 6 of the rules): every line is tried on paper, so shortfalls are predicted exactly."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pbmd.rules import Line, Mail, Receipt, Refused, fold, match_name
from pbmd.rules.checking import (
    MOST_EXAMPLES,
    Answer,
    Checked,
    Fault,
    Right,
    Wrong,
    closed,
    mended,
    receive_sheet,
    unknown,
    unmended,
)
from pbmd.rules.sheets import withdrawn
from pbmd.rules.words import counted, listing

from .checking.draft import Draft, defaults, oob_warnings
from .checking.examples import examples
from .checking.grammar import LONGEST_LINE, ship_kind
from .checking.headings import below_headings
from .checking.reading import clean, read
from .orders import (
    ALL_OF,
    FACTIONS,
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
    renamed,
)
from .resolution.economy import Holdings, base_names, carry_out, yard_of
from .resolution.plans import remember
from .tables import CLASSES, DAMAGE_OF, HULLS, INFO, KIND_OF, ShipClass
from .world.fleets import per_class
from .world.state import Player, Position, free_names, name_problem


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Check the lines of a mail and file the accepted ones as the faction's sheet. Raises `LookupError` for an unknown seat."""
    player = position.player(mail.seat)
    if player is None:
        raise LookupError(f'there is no faction "{mail.seat}"')
    if position.status == "finished" or not player.alive:
        return closed(position, "the game is over" if position.status == "finished" else f"{player.name} is eliminated")
    checked = check_lines(position, player, mail.lines)
    receipt = receive_sheet(position, mail, INFO.sheets, checked)
    if receipt.filed:
        remember(checked.sheet, [answer.order for answer in checked.answers if isinstance(answer, Right)])
    return receipt


def check_lines(position: Position, player: Player, lines: Iterable[Line]) -> Checked:
    """How a letter of that faction with these lines would be understood, whatever is on file."""
    draft = _draft(position, player)
    written = below_headings((line, order) for line in lines if (order := read(line.text)))
    return Checked(_answers(draft, written), "", tuple(oob_warnings(draft)), defaults(draft))


def possible(position: Position, player: Player, lines: Iterable[str]) -> list[str]:
    """Those of the lines that would be accepted in one letter of that faction, each as far as the ones before it leave room.
    Of the others nothing is said, which is most of the work of an answer."""
    draft, stands = _draft(position, player), list[str]()
    for text in lines:
        if order := read(text):
            try:
                _stands(draft, Line(1, text), order)
            except Fault:
                continue
            stands.append(text)
    return stands


def _draft(position: Position, player: Player) -> Draft:
    built = [base.owner for base in position.bases if base.builder == player.name]
    held = Holdings(built.count(player.name), len(built))
    yard = yard_of(player.name, player.bp, dict(player.ships), held, base_names(position), position.options)
    return Draft(position, position.options, player, yard)


def withdraw(position: Position, seat: str) -> Position:
    """Take the faction's sheet back. Raises `Refused` when there is none."""
    if position.status == "finished":
        raise Refused("the game is over")
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


_TURN: dict[type[Any], int] = {Build: 0, Repair: 0, Division: 2}
"""Build and Repair come first, so that an attack knows the new ships; all others, except Division, are checked in turn 1."""


class Surplus(Fault):
    """An order that is valid in itself, but one too many: there is nothing to write in its place."""


Shortfalls = Sequence[str]
"""What in an order cannot be done, in sentences."""


def _answers(draft: Draft, written: Sequence[tuple[Line, Order | Unclear]]) -> list[Answer]:
    """The answers to lines, as written. Suggestions for wrong lines are looked for when all the others are settled."""
    turns = [_TURN.get(type(order), 1) for _, order in written]
    answers: dict[int, Answer] = {}
    refused: dict[int, tuple[Fault, Draft]] = {}
    for place in sorted(range(len(written)), key=turns.__getitem__):
        line, order = written[place]
        try:
            answers[place] = _stands(draft, line, order)
        except Fault as fault:
            refused[place] = fault, draft.copy() if len(refused) < MOST_EXAMPLES else draft
    for count, (place, (fault, before)) in enumerate(refused.items()):
        line, order = written[place]
        without = count >= MOST_EXAMPLES or isinstance(fault, Surplus)
        answers[place] = unmended(line, fault) if without else _mended(before, draft, line, fault, order)
    return [answers[place] for place in range(len(written))]


def _stands(draft: Draft, line: Line, order: Order | Unclear) -> Right:
    """The order with full names, which is in the sheet from now on, and what falls short. Raises `Fault` if it is not
    accepted."""
    if isinstance(order, Unclear):
        raise Fault(order.problem, "", order.example, order.names, order.written, asks=True)
    if type(order) in FACTIONS:
        order = _with_full_names(draft, order)
    shortfalls = _CHECKS[type(order)](draft, line, order)
    return Right(line, order.text, "; ".join(shortfalls) if shortfalls else "", "", order)


def _with_full_names(draft: Draft, order: Order) -> Order:
    if isinstance(order, Attack):
        target = _without_on(draft, order.target)
        order = order if target == order.target else replace(order, target=target)
    order = renamed(order, partial(_faction, draft))
    if isinstance(order, Attack) and any(ship.count == ALL_OF for ship in order.force.ships):
        order = replace(order, force=_counted(draft, order.force))
    if isinstance(order, Attack) and len(set(order.allies)) < len(order.allies):
        return replace(order, allies=tuple(dict.fromkeys(order.allies)))
    if isinstance(order, Transfer):
        return replace(order, base=_base(draft, order.base))
    return order


def _counted(draft: Draft, force: Force) -> Force:
    """The force with numbers for all ships of a class: as many as there are."""
    present = per_class(draft.yard.navy)
    numbers = [ShipItem(ship.kind, ship.count or max(present.get(ship.kind, 0), 1)) for ship in force.ships]
    return replace(force, ships=tuple(numbers))


def _mended(before: Draft, after: Draft, line: Line, fault: Fault, order: Order | Unclear | None) -> Wrong:
    """The refusal, with a line that would be accepted in place of the refused one, if possible without a remark. It is tried
    not only after the lines `before` it: the lines that are there `after` everything was checked must stay, too."""

    def remark_on(candidate: str) -> str | None:
        order = read(candidate)
        if order is None:
            return None
        try:
            remark = _stands(before.copy(), line, order).remark
            _stands(after.copy(), line, order)
        except Fault:
            return None
        return None if remark and isinstance(order, Build | Repair) else remark

    meant = read(fault.example) if fault.example else order
    return mended(line, clean(line.text), (fault,), examples(before, meant), remark_on)


# --- One check for each kind of order ------------------------------------------------------------------------------------


def _build(draft: Draft, _line: Line, order: Build) -> Shortfalls:
    yard = draft.yard
    for item in order.items:
        if isinstance(item, ShipItem):
            _check_bases_for(CLASSES[item.kind], yard.allowance)
    names = [name for item in order.items if isinstance(item, BaseItem) for name in item.names]
    for place, name in enumerate(names):
        taken = fold(name) in yard.taken or fold(name) in map(fold, names[:place])
        if problem := name_problem(name) or ("a base has this name already" if taken else ""):
            free = next(free_names({*yard.taken, *map(fold, names)}))
            raise Fault(f'"{name}" cannot be the name of a base: {problem}', example=f"Build 1 base named {free}")
    shortfalls = carry_out(yard, order, draft.options)
    for name in names:
        draft.named_bases.setdefault(fold(name), name)
    return shortfalls


def _check_bases_for(ship: ShipClass, home_bases: int) -> None:
    """Raises `Fault`, with the best class with that weapon that can be built."""
    if ship.bases <= home_bases:
        return
    best = next((other for other in reversed(CLASSES) if other.weapon == ship.weapon and other.bases <= home_bases), None)
    raise Fault(
        f"a {HULLS[ship.hull].name.capitalize()} needs {counted(ship.bases, 'home base')}, you have {home_bases}",
        example=f"Build 1 {best.name}" if best else "",
    )


def _repair(draft: Draft, _line: Line, order: Repair) -> Shortfalls:
    damaged = {KIND_OF[alike] for alike in draft.yard.navy if DAMAGE_OF[alike]}
    for item in order.items:
        if item.kind not in damaged:
            raise Fault(f"you have no damaged {CLASSES[item.kind].name}")
    return carry_out(draft.yard, order, draft.options)


def _stockpile(_draft: Draft, _line: Line, _order: Stockpile) -> Shortfalls:
    return ()


def _counter_espionage(draft: Draft, line: Line, _order: CounterEspionage) -> Shortfalls:
    if draft.ce:
        raise Surplus(f"counter-espionage is used once a turn; line {draft.ce.number} stands")
    if not draft.player.counter_espionage:
        raise Surplus("you have no counter-espionage option left")
    draft.ce = line
    return ()


def _spy(draft: Draft, _line: Line, order: Spy) -> Shortfalls:
    _check_rival(draft, order.target, "spy on")
    most = draft.options.spies_per_turn
    if not most:
        raise Fault("spies are not used in this game")
    if len(draft.spies_on) >= most:
        raise Surplus(f"{counted(most, 'spy', 'spies')} a turn can be used, and {listing(draft.spies_on)} is spied on already")
    if len(draft.spies_on) >= draft.player.spies:
        further = "further " if draft.spies_on else ""
        raise Fault(f"you have no {further}spy in stock", example="Train spy")
    if order.target in draft.spies_on:
        raise Surplus(f"you spy on {order.target} already; every spy needs a target of its own")
    if draft.special and isinstance(draft.special[1], TrainSpy):
        raise Surplus(f"no spy can be used in the turn in which one is trained; line {draft.special[0].number} stands")
    draft.spies_on.append(order.target)
    return ()


def _attack(draft: Draft, line: Line, order: Attack) -> Shortfalls:
    if draft.position.turn == 0:
        raise Fault("turn 0 is for building: nobody can attack yet", example="Build generator")
    _check_rival(draft, order.target, "attack")
    for ally in order.allies:
        _check_rival(draft, ally, "be allied with")
        if ally == order.target:
            raise Fault(f"{ally} cannot be both your ally and your target")
    short = _short_of(per_class(draft.yard.navy), order.force)
    _take_special(draft, line, order)
    return short


def _short_of(present: dict[int, int], force: Force) -> tuple[str, ...]:
    """How many of the named ships are missing. Raises `Fault` if none is there."""
    wanted = force.wanted(present)
    if not present:
        raise Fault("you have no ships", example="Build 2 Laserfrigates")
    if force.everything and not wanted:
        raise Fault("that leaves no ship to send")
    if not any(kind in present for kind in wanted):
        raise Fault("you have none of the ships named")
    named = Force(force.ships).wanted({}) if force.everything else wanted
    short = {kind: count for kind, count in named.items() if present.get(kind, 0) < count}
    return tuple(
        [f"you have only {present.get(kind, 0)} of the {CLASSES[kind].counted(count)}" for kind, count in short.items()]
    )


def _raise_shields(draft: Draft, line: Line, order: RaiseShields) -> Shortfalls:
    if not draft.player.generators:
        raise Fault("you have no shield generator", example="Build generator")
    return _take_special(draft, line, order)


def _build_generator(draft: Draft, line: Line, order: BuildGenerator) -> Shortfalls:
    most = draft.options.max_generators
    if draft.player.generators >= most:
        raise Fault(f"you have {draft.player.generators} generators, and {most} is the most", example="Raise shields")
    return _take_special(draft, line, order)


def _train_spy(draft: Draft, line: Line, order: TrainSpy) -> Shortfalls:
    most = draft.options.max_spies
    if draft.player.spies >= most:
        raise Fault(f"you have {draft.player.spies} spies, and {most} is the most", example="Use spy on Cygnus")
    if draft.spies_on:
        used = f"the spy on {draft.spies_on[0]} stands"
        raise Surplus(f"no spy can be trained in the turn in which one is used; {used}")
    return _take_special(draft, line, order)


def _set_oob(draft: Draft, _line: Line, order: SetOob) -> Shortfalls:
    if order.against == draft.player.name:
        raise Fault("OOB vs needs another faction than your own")
    if (order.role, order.against) in draft.oobs:
        raise Surplus(f"there is an order of battle for {order.slot} already; the first one stands")
    draft.oobs[order.role, order.against] = order
    return ()


def _transfer(draft: Draft, _line: Line, order: Transfer) -> Shortfalls:
    _check_rival(draft, order.to, "give a base to")
    if order.base in draft.transferred:
        raise Surplus(f"{order.base} is given away in an earlier line already")
    draft.transferred.add(order.base)
    held = {base.name for base in draft.position.bases if base.owner == draft.player.name} | set(draft.yard.new_bases)
    if order.base in held:
        return ()
    return (f"{order.base} is not yours now; it changes hands only if you hold it after combat",)


def _division(draft: Draft, line: Line, order: Division) -> Shortfalls:
    if draft.division:
        raise Surplus(f"captured bases are divided once; line {draft.division.number} stands")
    for name in order.names:
        _check_living(draft, name)
    draft.division = line
    joint = draft.special and isinstance(draft.special[1], Attack) and draft.special[1].allies
    return () if joint else ("you have ordered no attack with allies, so there is nothing to divide",)


_CHECKS: dict[type[Any], Callable[[Draft, Line, Any], Shortfalls]] = {
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


def _take_special(draft: Draft, line: Line, order: Special) -> Shortfalls:
    """Only one special order a turn (GO-39): the first valid one counts."""
    if draft.special:
        first, special = draft.special
        raise Surplus(f"you can give only one special order a turn, and line {first.number} is one ({special.text})")
    draft.special = (line, order)
    return ()


_BASE = re.compile(r"(?:the\s+)?base\s+(?=\S)", re.IGNORECASE)


def _base(draft: Draft, written: str) -> str:
    """The base meant, whether it exists or is built in this sheet."""
    known = [*(base.name for base in draft.position.bases), *draft.named_bases.values()]
    match = match_name(written, known)
    if match.found is None and (found := _BASE.match(written)):
        match = match_name(written[found.end() :], known)
    if match.found is None:
        if any(ship_kind(words) is not None for words in (written, written.split(" ", 1)[-1])):
            raise Fault("ships cannot be given away, only bases")
        raise unknown(match, written, "base", longest=LONGEST_LINE)
    return match.found


def _faction(draft: Draft, written: str) -> str:
    """The faction meant. A full stop after the last word is ignored, unless a faction's name ends with it."""
    if written in draft.names:
        return written
    if alike := [name for name in draft.names if fold(name) == fold(written)]:
        return alike[0]
    match = match_name(written.rstrip(" ."), draft.names)
    if match.found is None:
        raise unknown(match, written, INFO.seat_word, longest=LONGEST_LINE)
    return match.found


_ON = re.compile(r"on\s+(?=\S)", re.IGNORECASE)


def _without_on(draft: Draft, written: str) -> str:
    """The target of an "attack on" it. A name may begin so, too."""
    found = _ON.match(written)
    return written[found.end() :] if found and match_name(written.rstrip(" ."), draft.names).found is None else written


def _check_living(draft: Draft, name: str) -> None:
    if name not in draft.others and name != draft.player.name:
        raise Fault(f"{name} is eliminated")


def _check_rival(draft: Draft, name: str, doing: str) -> None:
    _check_living(draft, name)
    if name == draft.player.name:
        raise Fault(f"you cannot {doing} yourself")

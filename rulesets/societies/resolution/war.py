"""Phase 5: attacks and nukes in the order of arrival (SO-147 to SO-166, SO-R51 to SO-R70)."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Literal

from pbmd.rules.words import counted

from ..orders import Attack, Launch
from ..tables import GALACTIC_OVERLORD_HITS
from ..world.squares import Square, labels
from ..world.state import Counterattack
from .combat import Clash, taken_cities, two_way
from .turn import Turn
from .wonders import destroy_on, inherit, settle


@dataclass(slots=True)
class _Front:
    """A society's one attack. Its force is away until it is called off or the phase is over (SO-R55).

    `met` means that its two-way battle was fought, after which only the winner can go on (SO-R58).
    """

    place: int
    order: Attack
    force: int
    state: Literal["live", "called_off", "over"] = "live"
    met: bool = False

    @property
    def away(self) -> int:
        """Armies that do not defend."""
        return 0 if self.state == "called_off" else self.force


@dataclass(slots=True)
class _War:
    """What is remembered during the phase: attacks by society, SDI left, pairs at war since an earlier turn (SO-R53), hits on
    cities (SO-R69), and who has attacked whom, first come first (SO-R75)."""

    fronts: dict[str, _Front]
    sdi: dict[str, int]
    declared: frozenset[frozenset[str]]
    hits: Counter[Square] = field(default_factory=Counter[Square])
    attackers: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


def wage_war(turn: Turn) -> None:
    """The whole phase."""
    doable = {name: turn.doable(name, "war", Attack, Launch) for name in turn.acting}
    war = _War(
        fronts=_fronts(turn, doable),
        sdi={society.name: society.sdi for society in turn.now.living},
        declared=frozenset(frozenset(war.between) for war in turn.now.wars if war.since < turn.start.turn),
    )
    _call_off(turn, war)
    for name, front in war.fronts.items():
        if front.state == "live" and (missing := (front.order.force or 0) - front.force) > 0:
            turn.fail(name, front.place, "no_army", missing)
    for name in turn.ranking:
        for place, order in doable[name]:
            if not turn.society(name).living:
                turn.fail(name, place, "eliminated")
            elif isinstance(order, Attack):
                _fight(turn, war, name)
            else:
                _launch(turn, war, name, place, order)
            _call_off(turn, war)


def _fronts(turn: Turn, doable: dict[str, list[tuple[int, Attack | Launch]]]) -> dict[str, _Front]:
    fronts: dict[str, _Front] = {}
    for name, orders in doable.items():
        armies = turn.society(name).armies
        for place, order in orders:
            if isinstance(order, Attack):
                fronts[name] = _Front(place, order, armies if order.force is None else min(order.force, armies))
    return fronts


# --- Armies that stay home -------------------------------------------------------------------------------------------------


def _call_off(turn: Turn, war: _War) -> None:
    """Attacks that have become impossible are called off for good; one may make another impossible (SO-33, SO-R56)."""
    changed = True
    while changed:
        changed = False
        for name, front in war.fronts.items():
            if front.state == "live" and turn.society(name).living and (why := _impossible(turn, war, name, front)):
                front.state, changed = "called_off", True
                turn.fail(name, front.place, why)
                turn.tell_alone("attack_called_off", name, {"target": front.order.target, "code": why})


def _impossible(turn: Turn, war: _War, name: str, front: _Front) -> str:
    target = front.order.target
    if not front.force:
        return "no_army"
    if not turn.society(target).living:
        return "target_eliminated"
    if not turn.now.adjacent(name, target):
        return "not_adjacent"
    return "immune" if _immune(turn, war, name, front) else ""


def _immune(turn: Turn, war: _War, name: str, front: _Front) -> bool:
    """Whether the Colosseum forbids this attack (SO-127, SO-129, SO-R65)."""
    target = front.order.target
    if not turn.now.has_active(target, "Colosseum"):
        return False
    theirs = war.fronts.get(target)
    answered = theirs is not None and theirs.state == "live" and theirs.order.target == name
    return not front.met and not answered and not _rights(turn, name, target)


def _rights(turn: Turn, holder: str, against: str) -> int:
    return sum(right.count for right in turn.now.counterattacks if (right.holder, right.against) == (holder, against))


def _change_rights(turn: Turn, holder: str, against: str, by: int) -> None:
    count = _rights(turn, holder, against) + by
    others = tuple(right for right in turn.now.counterattacks if (right.holder, right.against) != (holder, against))
    new = (Counterattack(holder, against, count),) if count else ()
    turn.now = replace(turn.now, counterattacks=(*others, *new))


# --- Attacks ---------------------------------------------------------------------------------------------------------------


def _fight(turn: Turn, war: _War, name: str) -> None:
    """The attack of a society, before it the two-way battle if the target attacks this society and they have not met."""
    front = war.fronts[name]
    if front.state != "live":
        return
    target = front.order.target
    theirs = war.fronts.get(target)
    if theirs and theirs.state == "live" and theirs.order.target == name and not theirs.met:
        _meet(turn, name, front, target, theirs)
    if front.state == "live":
        _attack(turn, war, name, front)


def _meet(turn: Turn, name: str, front: _Front, other: str, theirs: _Front) -> None:
    """The two-way battle (SO-161 to SO-164)."""
    turn.make_war(name, other, "fighting")
    before = (front.force, theirs.force)
    after = two_way((front.force, turn.society(name).tech), (theirs.force, turn.society(other).tech))
    winner = next((who for who, left in zip((name, other), after, strict=True) if left), "")
    pair = turn.in_sign_up_order(name, other)
    turn.tell("field_battle", pair[0], {"societies": list(pair), "winner": winner})
    for who, enemy, side, sent, left in (
        (name, other, front, before[0], after[0]),
        (other, name, theirs, before[1], after[1]),
    ):
        side.force, side.met = left, True
        turn.change(who, armies=turn.society(who).armies - (sent - left))
        turn.tell_alone("field_numbers", who, {"enemy": enemy, "sent": sent, "lost": sent - left, "won": who == winner})
        outcome = "won" if left else "lost" if winner else "nobody won"
        turn.note(who, side.place, f"armies met, {outcome}: {counted(sent, 'army', 'armies')} sent, {sent - left} lost")
        if not left:
            side.state = "over"


def _attack(turn: Turn, war: _War, name: str, front: _Front) -> None:
    target = front.order.target
    turn.make_war(name, target, "fighting")
    _use_rights(turn, name, target, front)
    theirs = war.fronts.get(target)
    home = turn.society(target).armies - (theirs.away if theirs else 0)
    territory, enemy = ({*turn.now.territory[who]} for who in (name, target))
    clash = Clash(front.force, home, turn.society(name).tech, turn.society(target).tech, len(enemy))
    sneak = frozenset((name, target)) not in war.declared and not turn.now.has_active(name, "Jihad")
    taken = taken_cities(clash.captures, front.order.targets, territory, enemy, turn.now.side, sneak=sneak)
    for square in taken:
        turn.put_city(turn.now.city_at[square]._replace(owner=name, rehabilitating=True))
    lost, lost_by_target = clash.losses(len(taken), turn.options.casualty_rounding)
    _tell_attack(turn, name, front, clash, taken, (lost, lost_by_target))
    front.force -= lost
    front.state = "over"
    turn.change(name, armies=turn.society(name).armies - lost)
    turn.change(target, armies=turn.society(target).armies - lost_by_target)
    war.attackers.setdefault(target, []).append(name)
    if taken and len(taken) == len(enemy):
        _eliminate(turn, war, target, name, captured=True)
    else:
        settle(turn, target)


def _use_rights(turn: Turn, name: str, target: str, front: _Front) -> None:
    """An attack on the owner of the Colosseum uses a right, one by the owner grants one; the winner of a two-way battle does
    neither (SO-R65)."""
    if front.met:
        return
    if turn.now.has_active(target, "Colosseum"):
        _change_rights(turn, name, target, -1)
    if turn.now.has_active(name, "Colosseum"):
        _change_rights(turn, target, name, 1)


def _tell_attack(turn: Turn, name: str, front: _Front, clash: Clash, taken: tuple[Square, ...], lost: tuple[int, int]) -> None:
    """What fell is public; each side learns its own numbers (section 8)."""
    target, squares = front.order.target, [square.text for square in taken]
    turn.tell("attack", name, {"target": target, "squares": squares})
    numbers = {"target": target, "sent": clash.attackers, "lost": lost[0], "squares": squares}
    turn.tell_alone("attack_numbers", name, numbers)
    numbers = {"attacker": name, "home": clash.defenders, "lost": lost[1], "squares": squares}
    turn.tell("defence_numbers", target, numbers, (target,))
    fell = f"took {labels(taken)}" if taken else "no city was taken"
    turn.note(name, front.place, f"{counted(clash.attackers, 'army', 'armies')} attacked, {lost[0]} lost; {fell}")


# --- Nukes -----------------------------------------------------------------------------------------------------------------


def _launch(turn: Turn, war: _War, name: str, place: int, order: Launch) -> None:
    """A line of nukes, one after the other (SO-R67)."""
    target = order.target
    if not turn.society(target).living:
        turn.fail(name, place, "target_eliminated")
        return
    nukes = min(order.count, turn.society(name).nukes)
    if not nukes:
        turn.fail(name, place, "no_nukes")
        return
    launched = intercepted = 0
    destroyed: list[Square] = []
    while launched < nukes and (square := _aim(turn, order)):
        turn.make_war(name, target, "fighting")
        launched += 1
        turn.change(name, nukes=turn.society(name).nukes - 1)
        if war.sdi[target] and not turn.now.has_active(name, "Majestic-12 Program"):
            war.sdi[target] -= 1
            intercepted += 1
            continue
        war.hits[square] += 1
        needed = GALACTIC_OVERLORD_HITS if turn.now.has_active(target, "Galactic Overlord") else 1
        if war.hits[square] >= needed:
            turn.remove_city(square)
            destroy_on(turn, square)
            destroyed.append(square)
    if not launched:
        turn.fail(name, place, "no_legal_target")
        return
    squares = [square.text for square in destroyed]
    data = {"target": target, "launched": launched, "intercepted": intercepted, "squares": squares}
    turn.tell("nuke_strike", name, data)
    if launched < order.count:
        turn.fail(name, place, "no_nukes" if launched == nukes else "no_legal_target", order.count - launched)
    turn.note(name, place, f"{launched} launched, {intercepted} intercepted, {labels(destroyed) or 'no city'} destroyed")
    if not turn.now.territory[target]:
        _eliminate(turn, war, target, name, captured=False)


def _aim(turn: Turn, order: Launch) -> Square | None:
    """The first listed square that is a legal target now (SO-109, SO-R67)."""
    cities = turn.now.territory[order.target]
    legal = turn.now.free_cities(order.target) or cities
    return next((square for square in order.targets if square in legal), None)


# --- Eliminations ----------------------------------------------------------------------------------------------------------


def _eliminate(turn: Turn, war: _War, name: str, by: str, *, captured: bool) -> None:
    """A society without a city is out at once, with all it has (SO-R96)."""
    turn.tell("eliminated", name, {"by": by})
    nothing = {"gold": 0, "armies": 0, "spies": 0, "nukes": 0, "sdi": 0, "spaceship_parts": 0, "engine_spend": 0}
    turn.change(name, **nothing, eliminated_turn=turn.start.turn, missed_turns=0)
    now = turn.now
    turn.now = replace(
        now,
        wars=tuple(war for war in now.wars if name not in war.between),
        counterattacks=tuple(right for right in now.counterattacks if name not in (right.holder, right.against)),
        concessions=tuple(given for given in now.concessions if name not in given),
        gm_concession="" if now.gm_concession == name else now.gm_concession,
    )
    if captured:
        allies = [attacker for attacker in war.attackers[name] if turn.society(attacker).living]
        inherit(turn, name, by, allies)

"""Steps 5 to 8: groups, battles, captures. The turn's state is changed in place; records say what happened."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbmd.rules import Dice, Event
from pbmd.rules.words import listing

from ..orders import Oob
from ..tables import QUARTERS, WEAPONS, number
from ..world.fleets import Navy, add, detach, navy_rows, per_class, player_rows
from ..world.state import Base
from .battle import Fleet, Fought, Losses, Round, apply_hits, destroy, fight, result_of
from .oobs import RANDOM_OOBS, applying
from .plans import Group, Plan, groups_against
from .turn import Faction, Turn

WON = ("attacker_won", "walkover")
"""Outcomes with which the group captures a base (GO-117)."""

Engaged = dict[str, list[dict[str, Any]]]
"""Who met whom: rows of ships by side."""


@dataclass(slots=True)
class Battle:
    """What took place at one home between one group and the defender. `captured` are names of bases and their new owners."""

    group: Group
    outcome: str
    engaged: Engaged
    lost: Losses
    home_empty_after: bool
    attack_oob: Oob | None = None
    defence_oob: Oob | None = None
    fought: Fought | None = None
    tallies: Sequence[tuple[int, int]] = ()
    captured: list[tuple[str, str]] = field(default_factory=list)


def wage_war(turn: Turn, dice: Dice) -> None:
    """All attacks of the turn, their captures, and the fleets' return; the events are added to the turn."""
    away = _depart(turn)
    attackers: defaultdict[str, list[Plan]] = defaultdict(list)
    for plan in turn.plans.values():
        if plan.orders.attack:
            attackers[plan.orders.attack.target].append(plan)
    held: dict[str, list[Base]] = {name: [] for name in turn.factions}
    for base in turn.bases.values():
        held[base.owner].append(base)
    battles: list[Battle] = []
    for defender in turn.factions:
        if defender not in attackers:
            continue
        risks_bases = bool(held[defender])
        groups = _groups(turn, defender, attackers[defender])
        fights = [battle for group in groups if (battle := _battle(turn, group, away, dice, risks_bases=risks_bases))]
        _capture(turn, fights, held[defender], was_away=defender in away)
        battles += fights
    for battle in battles:
        _tell(turn, battle)
    for battle in battles:
        for base, owner in battle.captured:
            turn.tell("base_captured", {"base": base, "from": battle.group.target, "to": owner})
    for seat, navy in away.items():
        home = turn.factions[seat].navy
        for alike, count in navy.items():
            add(home, alike, count)


# --- Groups and fleets -------------------------------------------------------------------------------------------------


def _groups(turn: Turn, target: str, attackers: list[Plan]) -> list[Group]:
    """The groups that arrive at one home, in the order in which they fight (GO-54, GO-R31)."""
    groups = groups_against(target, attackers, turn.options)
    return sorted(groups, key=lambda group: group.posted, reverse=turn.options.multi_attack_order == "last_first")


def _depart(turn: Turn) -> dict[str, Navy]:
    """The ships that go on the attacks, taken from home (GO-R24, GO-R25). An attack without any is stopped."""
    away: dict[str, Navy] = {}
    for plan in turn.plans.values():
        attack = plan.orders.attack
        if attack is None or plan.stopped:
            continue
        navy, force = turn.factions[plan.seat].navy, attack.force
        going = detach(navy, force.wanted(per_class(navy) if force.everything else {}))
        if going:
            away[plan.seat] = going
        else:
            plan.stopped = True
            turn.fail(plan, plan.orders.special_index, "there was no ship to send")
    return away


# --- One battle --------------------------------------------------------------------------------------------------------


def _battle(turn: Turn, group: Group, away: dict[str, Navy], dice: Dice, *, risks_bases: bool) -> Battle | None:
    """One group at one home. None if nothing happens: nothing to fight and nothing to capture (GO-R35).

    `risks_bases`: the defender held a base when combat began; what they capture meanwhile is not at risk (GO-R34).
    """
    home = turn.factions[group.target]
    if not home.shielded and not home.navy and not risks_bases:
        for member in group.arrived:
            member.results[member.orders.special_index] = (
                f"{group.target} had neither ships at home nor bases: nothing happened"
            )
        return None
    fleets = {seat: away[seat] for seat in group.seats}
    engaged: Engaged = {
        "attackers": [row for seat, navy in fleets.items() for row in player_rows(seat, per_class(navy))],
        "defender": [] if home.shielded else navy_rows(home.navy),
    }
    if home.shielded:
        return _run_into_shields(turn, group, engaged, fleets, dice)
    if home.navy:
        return _fight(turn, group, engaged, fleets, home, dice)
    return Battle(group, "walkover", engaged, lost={}, home_empty_after=True)


def _run_into_shields(turn: Turn, group: Group, engaged: Engaged, fleets: dict[str, Navy], dice: Dice) -> Battle:
    """Twelve hits at once, no rounds, nothing captured (GO-44, GO-R23)."""
    oob = _attack_oob(turn, group, dice)
    fleet = Fleet(fleets, oob or RANDOM_OOBS[0])
    hits = turn.options.shield_hits * QUARTERS
    lost: Losses = {}
    if oob is None:
        destroy(fleet, lost)
    else:
        apply_hits(fleet, hits, turn.options, lost)
    tallies = [(hits, 0)] if oob else []
    return Battle(group, "ran_into_shields", engaged, lost, home_empty_after=False, attack_oob=oob, tallies=tallies)


def _fight(turn: Turn, group: Group, engaged: Engaged, fleets: dict[str, Navy], home: Faction, dice: Dice) -> Battle:
    attack_oob = _attack_oob(turn, group, dice)
    defence_oob = _defence_oob(turn, group, home.name, dice)
    attackers = Fleet(fleets, attack_oob or RANDOM_OOBS[0])
    defender = Fleet({home.name: home.navy}, defence_oob or RANDOM_OOBS[0])
    if attack_oob is None or defence_oob is None:
        # Option missing_oob = "destroyed" (GO-R60): the fleet without an order of battle is gone before round 1.
        lost: Losses = {}
        for fleet, oob in ((attackers, attack_oob), (defender, defence_oob)):
            if oob is None:
                destroy(fleet, lost)
        return Battle(group, result_of(attackers, defender), engaged, lost, not defender.points, attack_oob, defence_oob)
    fought = fight(attackers, defender, turn.options, to_the_death=lambda: _to_the_death(group))
    result, lost, tallies = fought.result, fought.lost, fought.tallies
    return Battle(group, result, engaged, lost, not defender.points, attack_oob, defence_oob, fought, tallies)


def _attack_oob(turn: Turn, group: Group, dice: Dice) -> Oob | None:
    first = group.arrived[0]
    if group.joint:
        found = group.agreed
    else:
        applies = applying(first.orders.oobs, "attack", (group.target,))
        found = applies.oob if applies else None
    return found or _random_oob(turn, first.seat, dice)


def _defence_oob(turn: Turn, group: Group, defender: str, dice: Dice) -> Oob | None:
    plan = turn.plans.get(defender)
    found = applying(plan.orders.oobs if plan else {}, "defence", group.seats)
    return found.oob if found else _random_oob(turn, defender, dice)


def _random_oob(turn: Turn, seat: str, dice: Dice) -> Oob | None:
    """One d90 for each faction and turn, rolled when first needed (GO-R61); None with `missing_oob` = "destroyed"."""
    if turn.options.missing_oob == "destroyed":
        return None
    if seat not in turn.random_oobs:
        roll = dice.roll(len(RANDOM_OOBS))
        turn.random_oobs[seat] = RANDOM_OOBS[roll - 1]
        turn.tell_alone(seat, "oob_rolled", {"player": seat, "roll": roll, "oob": turn.random_oobs[seat].letters})
    return turn.random_oobs[seat]


def _to_the_death(group: Group) -> bool:
    """Whether all who arrived want it, by their Attack line or their attack OOB (GO-R41, GO-R72)."""
    return all(map(_wants_death, group.arrived))


def _wants_death(plan: Plan) -> bool:
    attack = plan.orders.attack
    assert attack
    applies = applying(plan.orders.oobs, "attack", (attack.target,))
    return attack.to_the_death or (applies is not None and applies.to_the_death)


# --- Captures ----------------------------------------------------------------------------------------------------------


def _capture(turn: Turn, battles: list[Battle], held: list[Base], *, was_away: bool) -> None:
    """Distribute the defender's bases (step 7): one to each winner, the rest to those who wiped out the home fleet (GO-R32),
    all in the order of capture (GO-R33), also among allies (GO-R44)."""
    winners = [battle for battle in battles if battle.outcome in WON]
    if not winners:
        return
    taker = _taker(turn, winners, was_away=was_away)
    if taker is not None and not turn.options.late_winner_base:
        winners = winners[: winners.index(taker) + 1]
    pool = sorted(held, key=lambda base: base.acquired, reverse=turn.options.capture_pick == "newest")
    spoils = {id(battle): [pool.pop(0)] if pool else [] for battle in winners}
    if taker is not None:
        spoils[id(taker)] += pool
    for battle in winners:
        takers = _dealt(battle.group)
        for base in spoils[id(battle)]:
            owner = next(takers)
            turn.hand_over(base.name, owner)
            battle.captured.append((base.name, owner))


def _taker(turn: Turn, winners: list[Battle], *, was_away: bool) -> Battle | None:
    if turn.options.sack_scope == "whole_navy" and was_away:
        return None
    modest = turn.options.undefended == "one"
    return next(
        (battle for battle in winners if battle.home_empty_after and not (modest and battle.outcome == "walkover")),
        None,
    )


def _dealt(group: Group) -> Iterator[str]:
    """Who gets the captured bases, one by one, without end (GO-R43, GO-R44)."""
    wishes = {member.orders.division for member in group.members if member.orders.division is not None}
    agreed = [name for name in wishes.pop() if name in group.seats] if len(wishes) == 1 else []
    order = agreed or group.seats
    while True:
        yield from order


# --- Events ------------------------------------------------------------------------------------------------------------

_WORDS = {
    "attacker_won": "won",
    "walkover": "won without a fight",
    "defender_won": "lost",
    "draw": "a draw",
    "both_destroyed": "both fleets were destroyed",
    "ran_into_shields": "ran into shields",
}
"""What an attacker is told about the outcome."""

_WEAPON_NAMES = tuple(weapon.name for weapon in WEAPONS)


def _tell(turn: Turn, battle: Battle) -> None:
    group, fought = battle.group, battle.fought
    attackers = group.seats
    insiders = (*attackers, group.target)
    lost: list[dict[str, str | int]] = []
    for player in insiders:
        if player in battle.lost:
            lost += player_rows(player, battle.lost[player])
    data: dict[str, Any] = {
        "attackers": attackers,
        "joint": len(attackers) > 1,
        "defender": group.target,
        "outcome": battle.outcome,
        "lost": lost,
        "captured": [{"base": base, "by": owner} for base, owner in battle.captured],
    }
    rounds = _rounds(fought.rounds) if fought else []
    attack_oob = battle.attack_oob.text if battle.attack_oob else ""
    defence_oob = battle.defence_oob.text if battle.defence_oob else ""
    turn.events.append(Event("battle", data, None, _detail(turn, battle, rounds), insiders))
    _tell_oobs(turn, group, attack_oob, defence_oob)
    if fought:
        note = f"{listing(attackers)} against {group.target}"
        turn.note_for_gm({"battle": note, "rounds": rounds, "oobs": [attack_oob, defence_oob]})
    if battle.outcome == "ran_into_shields":
        turn.tell("shield_hit", {"attackers": attackers, "defender": group.target, "lost": lost})
    words = _WORDS[battle.outcome]
    for member in group.arrived:
        bases = [base for base, owner in battle.captured if owner == member.seat]
        member.results[member.orders.special_index] = f"{words}, captured {listing(bases)}" if bases else words


def _tell_oobs(turn: Turn, group: Group, attack_oob: str, defence_oob: str) -> None:
    """Tell each participant the order of battle that their own side used, and never the enemy's (section 8).

    A joint fleet's is told to all its members, unless it was rolled: then only to the member that it belongs to.
    """
    attackers = group.seats
    knowing = attackers if group.agreed or not group.joint else attackers[:1]
    for seats, oob in ((knowing, attack_oob), ([group.target], defence_oob)):
        if not oob:
            continue
        for seat in seats:
            told = {"player": seat, "attackers": attackers, "defender": group.target, "oob": oob}
            turn.tell_alone(seat, "oob_used", told)


def _rounds(rounds: list[Round]) -> list[dict[str, Any]]:
    return [
        {
            "round": place,
            "weapons": [_WEAPON_NAMES[attack], _WEAPON_NAMES[defence]],
            "totals": [number(attacking), number(defending)],
        }
        for place, (attack, defence, attacking, defending) in enumerate(rounds, start=1)
    ]


def _detail(turn: Turn, battle: Battle, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """What only the participants are told. `fought` exists for battles that were fought in rounds."""
    detail: dict[str, Any] = {
        "engaged": battle.engaged,
        "rounds": len(rounds),
        "tallies": [{"attackers": number(a), "defender": number(d)} for a, d in battle.tallies],
    }
    if battle.fought and turn.options.battle_detail == "rounds":
        detail["fought"] = rounds
    return detail

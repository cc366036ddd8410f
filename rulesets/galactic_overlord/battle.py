"""One battle (section 7, step 6): rounds, tallies, losses. All hits are whole quarters, so that nothing is rounded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .fleets import Navy
from .orders import Oob
from .tables import (
    BEATS,
    FIGHTER,
    HIT_POINTS_OF,
    HULL_OF,
    LASER,
    QUARTERS,
    SPACE_OF,
    TORPEDO,
    WEAPON_OF,
    WEAPONS,
    GameOptions,
    number,
)

ROUNDS_A_TALLY = 3
ROUNDS_A_RUN = 6

Result = Literal["attacker_won", "defender_won", "draw", "both_destroyed"]
Losses = dict[tuple[str, int], int]
"""How many ships of each (player, kind) were destroyed."""


@dataclass(slots=True)
class Fleet:
    """Ships in a battle. `parts` are the navies of its players in order of arrival; a home fleet has one."""

    parts: dict[str, Navy]
    oob: Oob

    @property
    def empty(self) -> bool:
        return not any(self.parts.values())

    def measured(self) -> tuple[list[int], int]:
        """Weapons of each kind aboard (GO-102; a damaged ship has all of its own, GO-R54), and the hit points in quarters,
        damage taken off (GO-101)."""
        weapons, points = [0, 0, 0], 0
        for navy in self.parts.values():
            for (kind, damage), count in navy.items():
                weapons[WEAPON_OF[kind]] += SPACE_OF[kind] * count
                points += (HIT_POINTS_OF[kind] - damage) * count
        return weapons, points


@dataclass(slots=True)
class Fought:
    """How a battle went. Hits are in quarters; `tallies` are (hits on the attackers, hits on the defender)."""

    result: Result
    rounds: int = 0
    tallies: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    log: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    lost: Losses = field(default_factory=dict[tuple[str, int], int])


def fight(attackers: Fleet, defender: Fleet, options: GameOptions, *, to_the_death: bool) -> Fought:
    """Fight it out; both fleets are left with what survives."""
    fleets = (attackers, defender)
    fought = Fought("draw")
    lasers = _laser_power(attackers.oob, defender.oob, options)
    totals, pending, run_hits = [0, 0], [0, 0], 0
    weapons, points = zip(*(fleet.measured() for fleet in fleets), strict=True)
    enough = 0 if options.destruction == "reach" else 1
    while True:
        fought.rounds += 1
        used = [fleet.oob.weapons[(fought.rounds - 1) % ROUNDS_A_RUN] for fleet in fleets]
        powers = [
            _power(weapons[side][used[side]], used[side], used[1 - side], fleets[1 - side].oob, lasers) for side in (0, 1)
        ]
        hits = abs(powers[0] - powers[1])
        if options.hit_rounding == "down":
            hits -= hits % QUARTERS
        if hits:
            weaker = 0 if powers[0] < powers[1] else 1
            pending[weaker] += hits
            totals[weaker] += hits
            run_hits += hits
        fought.log.append(
            {
                "round": fought.rounds,
                "weapons": [WEAPONS[weapon].name for weapon in used],
                "totals": [number(power) for power in powers],
            }
        )
        # More hits than hit points break the battle off before the tally (GO-112, GO-R64).
        if fought.rounds % ROUNDS_A_TALLY and pending[0] < points[0] + enough and pending[1] < points[1] + enough:
            continue
        fought.tallies.append((pending[0], pending[1]))
        for fleet, hits_taken in zip(fleets, pending, strict=True):
            apply_hits(fleet, hits_taken, options, fought.lost)
        pending = [0, 0]
        weapons, points = zip(*(fleet.measured() for fleet in fleets), strict=True)
        if attackers.empty or defender.empty:
            break
        if fought.rounds % ROUNDS_A_RUN == 0:
            if not to_the_death or not run_hits:
                break
            run_hits = 0
    fought.result = _result(attackers, defender, totals)
    return fought


def apply_hits(fleet: Fleet, hits: int, options: GameOptions, lost: Losses) -> None:
    """Use up the hits ship by ship in the order of GO-R70; what is left over is lost. Losses are added to `lost`."""
    for kind, damage in sorted({alike for navy in fleet.parts.values() for alike in navy}, key=_queue(fleet.oob, options)):
        if not hits:
            return
        left = HIT_POINTS_OF[kind] - damage
        owners = {player: navy[kind, damage] for player, navy in fleet.parts.items() if (kind, damage) in navy}
        destroyed = min(sum(owners.values()), hits // left)
        turns = _in_turn(owners, destroyed + 1)
        for player in turns[:destroyed]:
            _take(fleet.parts[player], (kind, damage))
            lost[player, kind] = lost.get((player, kind), 0) + 1
        hits -= destroyed * left
        if len(turns) > destroyed and hits:
            navy = fleet.parts[turns[destroyed]]
            _take(navy, (kind, damage))
            navy[kind, damage + hits] = navy.get((kind, damage + hits), 0) + 1
            return


def destroy(fleet: Fleet, lost: Losses) -> None:
    """All ships are lost (option `missing_oob` = "destroyed")."""
    for player, navy in fleet.parts.items():
        for (kind, _), count in navy.items():
            lost[player, kind] = lost.get((player, kind), 0) + count
        navy.clear()


def _power(strength: int, weapon: int, enemy_weapon: int, enemy: Oob, lasers: int) -> int:
    """Adjusted total in quarters: ×2 if the letter beats the other (GO-79, GO-R57), lasers by range, the enemy's formation."""
    power = strength * QUARTERS
    if BEATS[weapon] == enemy_weapon:
        power *= 2
    if weapon == LASER:
        return power * lasers // QUARTERS
    favoured = {"bunch": TORPEDO, "spread": FIGHTER}.get(enemy.formation)
    if favoured is None:
        return power
    return power * 2 if weapon == favoured else power // 2


def _laser_power(attackers: Oob, defender: Oob, options: GameOptions) -> int:
    """What range does to every laser, in quarters (GO-86–91, GO-R56, GO-R59)."""
    ranges = (attackers.range, defender.range)
    closing, backing = ranges.count("close in"), ranges.count("back off")
    if options.range_conflict == "close_in" and closing:
        backing = 0
    return QUARTERS * 2**closing // 2**backing


def _result(attackers: Fleet, defender: Fleet, totals: Sequence[int]) -> Result:
    if attackers.empty and defender.empty:
        return "both_destroyed"
    if attackers.empty or defender.empty:
        return "defender_won" if attackers.empty else "attacker_won"
    if totals[0] == totals[1]:
        return "draw"
    return "attacker_won" if totals[0] < totals[1] else "defender_won"


def _queue(oob: Oob, options: GameOptions) -> Callable[[tuple[int, int]], tuple[int, int, int]]:
    """The order in which ships are lost: weapon by first appearance, hull from small to large, most damaged first (GO-R70)."""
    place = {weapon: oob.weapons.index(weapon) for weapon in (LASER, FIGHTER, TORPEDO)}
    if options.removal_order == "hull":
        return lambda alike: (HULL_OF[alike[0]], place[WEAPON_OF[alike[0]]], -alike[1])
    return lambda alike: (place[WEAPON_OF[alike[0]]], HULL_OF[alike[0]], -alike[1])


def _in_turn(owners: dict[str, int], most: int) -> list[str]:
    """Whose ship is next, for up to `most` ships alike: one of each player in turn, who arrived last first (GO-R46)."""
    if len(owners) == 1:
        ((player, count),) = owners.items()
        return [player] * min(count, most)
    left = dict(owners)
    turns: list[str] = []
    while left and len(turns) < most:
        for player in reversed(list(left)):
            turns.append(player)
            left[player] -= 1
            if not left[player]:
                del left[player]
    return turns[:most]


def _take(navy: Navy, alike: tuple[int, int]) -> None:
    navy[alike] -= 1
    if not navy[alike]:
        del navy[alike]

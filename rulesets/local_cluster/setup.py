"""Game start (section 5 of the rules)."""

from collections.abc import Sequence
from dataclasses import replace

from pbmd.rules import Dice, Options, Refused, Signup
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import must_be_sound

from .signup import Wishes, check_signup, wishes_of
from .tables import DATA, INFO, game_options
from .world.galaxy import LOCAL_CLUSTER
from .world.state import SITES, Army, Fleet, Position, State, effect, with_state


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The position at the beginning of Turn 0. Raises `Refused` for too few or too many players, or a form that is wrong."""
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    rules = game_options(given)
    if not rules.min_players <= len(signups) <= rules.max_players:
        words = f"{INFO.title} is for {rules.min_players} to {rules.max_players} players here, not for {len(signups)}"
        raise Refused(words)
    must_be_sound(check_signup, signups, chosen)
    players = tuple(_player(wishes) for wishes in wishes_of(signups))
    homes = {player.home_planet: player.name for player in players}
    npcs = [name for name in LOCAL_CLUSTER.names if name not in homes]
    drawn = {name: (_draw_resource(dice),) for name in npcs}
    position = Position(
        turn=0,
        waiting=tuple(player.name for player in players),
        next_fleet=len(npcs) + 1,
        next_army=len(npcs) + 1,
        given=given,
        states=(*players, *(State(name, "npc", establishment_armies=1, establishment_fleets=1) for name in npcs)),
        planets=tuple(
            site._replace(owner=homes.get(site.name, site.name), resources=drawn.get(site.name, ())) for site in SITES
        ),
        fleets=tuple(Fleet(f"F{number}", name, name) for number, name in enumerate(npcs, start=1)),
        armies=tuple(Army(f"A{number}", name, name) for number, name in enumerate(npcs, start=1)),
    )
    for player in players:
        purse = max(0, rules.start_credits + effect(position, player.name, "start_credits"))
        position = with_state(position, replace(player, credits=purse))
    return position


def _player(wishes: Wishes) -> State:
    return State(
        name=wishes.race,
        kind="player",
        leader=wishes.leader,
        player_name=wishes.player,
        color=wishes.color,
        home_planet=wishes.home,
        traits=tuple(wishes.traits),
        proclaims=wishes.race,
    )


def _draw_resource(dice: Dice) -> str:
    """By weight, in table order: the first whose running total reaches the roll (LC-R52)."""
    roll, total = dice.roll(sum(row.weight for row in DATA.resource_rows)), 0
    for row in DATA.resource_rows:
        total += row.weight
        if total >= roll:
            return row.name
    raise AssertionError("a roll is no higher than all weights together")

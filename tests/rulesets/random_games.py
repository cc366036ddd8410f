"""Short random games of any ruleset, for what has to hold in all of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pbmd.conformance.scenes import dice
from pbmd.rules import Event, Mail, Ruleset, Signup
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import slugs
from pbmd.simulate import signups, usual_players

SLUGS = slugs()


class Step(NamedTuple):
    """A position at the beginning of a step, with what happened in the step before."""

    position: Any
    events: tuple[Event, ...]


def steps(
    ruleset: Ruleset[Any], seed: int, turns: int, named: Callable[[Sequence[Signup]], Sequence[Signup]] = lambda all_: all_
) -> Iterator[Step]:
    """The beginnings of so many steps of a random game; `named` may change the sign-ups."""
    options = complete(ruleset.info.options, {})
    players = named(signups(ruleset, usual_players(ruleset, options), options))
    position, chance = ruleset.setup(players, options, dice(seed, "set-up")), dice(seed, "players")
    events: tuple[Event, ...] = ()
    arrival = 0
    for turn in range(turns):
        yield Step(position, events)
        if ruleset.outcome(position) is not None:
            return
        while (awaited := ruleset.awaiting(position)) and not (ruleset.ready and ruleset.ready(position)):
            arrival += 1
            text = ruleset.random_orders(position, awaited[0], chance)
            position = ruleset.receive(position, Mail(awaited[0], order_lines(text), (arrival, 0))).position
            if awaited[0] in ruleset.awaiting(position) and not (ruleset.ready and ruleset.ready(position)):
                position = ruleset.miss(position, awaited[0]).position
        resolution = ruleset.resolve(position, dice(seed, turn))
        position, events = resolution.position, resolution.events
    yield Step(position, events)

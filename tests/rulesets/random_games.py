"""Short random games of any ruleset, for what has to hold in all of them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pbmd.adjudicate import order_lines
from pbmd.rules import Event, HmacDice, Mail, Ruleset, Signup
from pbmd.rules.options import complete
from pbmd.rules.registry import slugs
from pbmd.simulate import signups, usual_players

SLUGS = slugs()


class Step(NamedTuple):
    """A position at the beginning of a step, with what happened in the step before."""

    position: Any
    events: tuple[Event, ...]


def dice(*words: object) -> HmacDice:
    """Dice of their own for each purpose."""
    return HmacDice(hashlib.sha256("/".join(map(str, words)).encode()).digest(), b"")


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


def spoilt(text: str) -> list[str]:
    """The line with one thing wrong: a name, a number, the end, all but its beginning."""
    words = text.split() or ["nothing"]
    found = [words[0], " ".join(words[:-1]), f"{words[0]} Harow"]
    for place in range(1, len(words)):
        wrong = ("Xyzzy", words[place][:2] + words[place][3:], "99999" if words[place].isdigit() else "")
        found += [" ".join([*words[:place], word, *words[place + 1 :]]) for word in wrong]
    return [line for line in dict.fromkeys(found) if line.strip()]

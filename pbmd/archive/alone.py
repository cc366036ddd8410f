"""A step resolved again from the files of its own folder, for archives whose journal does not show the orders.

That proves less than playing the whole game again: nothing binds the orders but the rolls and the position that come of them.
"""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import tomli_w

from pbmd.adjudicate import Deadline, Entry, Letter, Resignation, adjudicate
from pbmd.rules import Ruleset, ScriptedDice


def resolved_alone(ruleset: Ruleset[Any], position: str, orders: str, resolution: str) -> str:
    """What after.toml should be. Raises whatever the rules raise at files that are not theirs."""
    rolls = [int(roll) for _, roll in tomllib.loads(resolution)["rolls"]]
    dice = ScriptedDice(rolls)
    entries = [_entry(given) for given in tomllib.loads(orders)["orders"]]
    return tomli_w.dumps(adjudicate(ruleset, tomllib.loads(position), entries, lambda _step, _sheets: dice).document)


def _entry(given: Mapping[str, Any]) -> Entry:
    received = given["received"]
    if not isinstance(received, datetime):
        raise TypeError("received is no time")
    if given.get("deadline"):
        return Deadline(received)
    if given.get("resigns"):
        return Resignation(received, str(given["player"]))
    return Letter(received, str(given["player"]), str(given["text"]))

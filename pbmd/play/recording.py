"""What was played, as a story: letters with their answers, the dice that fell, and what each step brought."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbmd.play.story import Act, Rolls, Story, Words, written
from pbmd.rules import Dice, Document, Options, Resolution, Ruleset, Signup

_PASSES = re.compile(r"UTC|receipt|#|^--$|^\w[\w ]*: play$|\bin \d+ |\b(?:HELP|RULES|attached|proof)\b", re.I)
"""What is otherwise when the same is played again at another time, or says how to write and not what happened."""
_ENDS = ("ORDER FORM", "TO CHANGE SOMETHING", "--")


class Rolled:
    """The dice that rules were handed, by what they were for: the desk may make a step twice with the same dice."""

    def __init__(self) -> None:
        self._new: dict[str, Dice] = {}

    def noted(self, rules: Ruleset[Any]) -> Ruleset[Any]:
        """The rules, with their dice noted."""

        def setup(signed: Sequence[Signup], options: Options, dice: Dice) -> Any:
            self._new["set-up"] = dice
            return rules.setup(signed, options, dice)

        def resolve(position: Any, dice: Dice) -> Resolution[Any]:
            document: Document = rules.dump(position)
            self._new[json.dumps(document, sort_keys=True, default=str)] = dice
            return rules.resolve(position, dice)

        return replace(rules, setup=setup, resolve=resolve)

    def take(self) -> tuple[int, ...]:
        """The rolls since the last time."""
        found = tuple(value for dice in self._new.values() for _, value in dice.drawn)
        self._new.clear()
        return found


def lasting_words(text: str) -> tuple[Words, ...]:
    """The lines of a mail that are the same whenever the same happens."""
    found = list[Words]()
    for line in text.splitlines():
        if line.strip() in _ENDS:
            break
        if line.strip() and not _PASSES.search(line):
            found.append(Words(" ".join(line.split()), 0))
    return tuple(found)


def story_of(title: str, seats: Sequence[str], options: Sequence[str], acts: Sequence[Act]) -> str:
    """The text of a story."""
    kept = (act for act in acts if not (isinstance(act, Rolls) and not act.rolls))
    return written(Story(title, tuple(seats), tuple(options), acts=tuple(kept)))

"""How a game stood when one of its steps began, so that another can go on from there."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbmd.archive.format.editions import NO_REFUSALS, Refusals
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.outline import Outline, Stage, StoryError
from pbmd.archive.replay.story import Player, stages_of
from pbmd.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where another game can continue: the position when a step began, and the entry after which it stood like that."""

    position: Any
    entry: Entry


class StepPlace(NamedTuple):
    """A step by its turn and its place among the steps of that turn that were not rolled back, as folders of archives are
    numbered: ``3.2`` is the second of turn 3."""

    turn: int
    place: int = 1


def beginning_of(
    ruleset: Ruleset[Any], entries: Iterable[Entry], overview: Outline, begins: StepPlace, refusals: Refusals = NO_REFUSALS
) -> Beginning:
    """How the game stood when a step began, by the rules of a rollback: with the options that it has at the end, and the
    holders that its seats have then. Raises `StoryError`, also if there is no such step."""
    player = Player(ruleset, overview, refusals)
    stands: Stage | None = None
    begun: dict[int, list[str]] = {}
    for stage in stages_of(player, entries):
        if stage.step in overview.branches or stage.outcome is not None:
            continue
        names = begun.setdefault(ruleset.turn(stage.position), [])
        names.append(ruleset.step_name(stage.position))
        if (ruleset.turn(stage.position), len(names)) == begins:
            stands = stage
    if stands is None:
        raise StoryError(0, begins.turn, _not_begun(begun, begins))
    document = json.loads(json.dumps(ruleset.dump(stands.position)))
    return Beginning(player.again(document, stands.entry.number), stands.entry)


def _not_begun(begun: Mapping[int, Sequence[str]], begins: StepPlace) -> str:
    """That a step did not begin, and which did: of that turn, or else which turns."""
    turn, place = begins
    if names := begun.get(turn):
        there = ", ".join(f"{turn}.{at} ({name})" if name else f"{turn}.{at}" for at, name in enumerate(names, start=1))
        return f"step {turn}.{place} did not begin in this game; turn {turn} has {there}"
    turns = [*begun]
    there = f"it has turns {turns[0]} to {turns[-1]}" if turns else "it has none"
    return f"turn {turn} did not begin in this game; {there}"

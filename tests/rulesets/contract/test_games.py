"""Random games of any ruleset go on to their end, or as long as they are let, and come out the same from the same dice."""

# pyright: reportUnknownLambdaType=false
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules import Dice, Event, Outcome, Resolution, Ruleset, Ruling, Wait, canonical_json
from pbmd.rules.options import complete
from pbmd.simulate import Plan, usual_players
from pbmd.simulate import play as play_game
from tests.rules.count import ruleset as count
from tests.rules.relay import ruleset as relay
from tests.rules.tides import ruleset as tides
from tests.rulesets.contract.promises import changed, is_found_broken, is_kept
from tests.rulesets.contract.scenes import NAMES, Scene, is_due, named, play, played, scenes, some_scenes
from tests.rulesets.contract.told import told_of
from tests.rulesets.hash_seeds import printed_under_other_hash_seeds

STEPS = 40
STEP_NAME = re.compile(r"[a-z0-9 -]*")


def random_games_go_on(rules: Ruleset[Any]) -> None:
    """Those of `pbmd simulate`, with as few players as can be, and with the usual number."""
    options = complete(rules.info.options, {})
    for players in {rules.info.min_seats, usual_players(rules, options)}:
        game = play_game(Plan(lambda: rules, players, options, seed=1, max_turns=STEPS), 0)
        assert game.problem == "", game.trace
        assert game.ended or game.turns == STEPS


def everybody_plays_on(scene: Scene) -> None:
    """Seats stay; whoever has written or missed the deadline is awaited no more; nobody waits for those who wait for them."""
    rules, step = scene.rules, played(scene)
    seats = rules.seats(scene.position)
    for position in step.positions:
        assert rules.seats(position) == seats
        assert {*rules.awaiting(position)} <= {*seats}
        waits = {(wait.seat, wait.on) for wait in rules.waits(position)}
        assert {name for pair in waits for name in pair} <= {*seats}
        assert not waits & {(on, seat) for seat, on in waits}
    assert not rules.awaiting(step.positions[-2]) or is_due(rules, step.positions[-2])


def time_goes_on(scene: Scene) -> None:
    """Turns are counted upwards, and each step of a turn has a name of its own and some time."""
    rules, positions = scene.rules, played(scene).positions
    before, after = positions[0], positions[-1]
    assert rules.turn(before) <= rules.turn(after)
    for position in (before, after):
        assert STEP_NAME.fullmatch(rules.step_name(position))
        assert rules.hours is None or rules.hours(position) > 0
    if not rules.sequential and rules.outcome(after) is None:
        assert (rules.turn(before), rules.step_name(before)) != (rules.turn(after), rules.step_name(after))


def whoever_wins_has_played(scene: Scene) -> None:
    """Everybody reads why; and what waits for a word of the game master is told apart."""
    rules, after = scene.rules, played(scene).resolution.position
    outcome = rules.outcome(after)
    assert outcome is None or ({*outcome.winners} <= {*rules.seats(after)} and outcome.reason)
    keys = [ruling.key for ruling in rules.rulings(after)] if rules.rulings else []
    assert len(set(keys)) == len(keys)


def a_step_comes_out_the_same(scene: Scene) -> None:
    """From the same dice, which are rolled in the same order."""
    assert play(scene.rules, scene.position, scene.letters, scene.name) == played(scene), scene.name


def digest(rules: Ruleset[Any]) -> str:
    """Of all that some steps bring about: documents and what is told of them, in the order in which it is."""
    found = hashlib.sha256()
    for scene in some_scenes(rules, games=1, documents=4):
        documents = [rules.dump(position) for position in played(scene).positions]
        found.update(canonical_json(documents) + canonical_json(told_of(scene)))
    return found.hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_random_games_go_on_to_their_end(name: str) -> None:
    random_games_go_on(named(name))


@pytest.mark.parametrize("promise", [everybody_plays_on, time_goes_on, whoever_wins_has_played, a_step_comes_out_the_same])
@pytest.mark.parametrize("name", NAMES)
def test_games(name: str, promise: Any) -> None:
    is_kept(promise, scenes(name))


def in_any_order(position: Any, chance: Dice) -> Resolution[Any]:
    """Who comes first is a matter of the hash seed."""
    resolution = count.resolve(position, chance)
    return replace(resolution, events=tuple(Event("score", {"seat": seat}) for seat in {*position.scores}))


PROGRAM = """
from tests.rulesets.contract import test_games as tested
for name in tested.NAMES:
    print(name, tested.digest(tested.named(name)))
print(tested.digest(tested.changed(tested.count, resolve=tested.in_any_order)))
"""


def test_nothing_depends_on_the_hash_seed_of_the_interpreter() -> None:
    """In any ruleset: each line has the digest of one, the last that of one which does depend on it."""
    *kept, broken = zip(*(text.splitlines() for text in printed_under_other_hash_seeds(PROGRAM)), strict=True)
    assert len(kept) == len(NAMES)
    assert [digests[0] for digests in kept if len(set(digests)) > 1] == []
    assert len(set(broken)) > 1


def remembers(steps: list[int]) -> Callable[[Any, Dice], Resolution[Any]]:
    """Each resolution is one more."""

    def resolve(position: Any, chance: Dice) -> Resolution[Any]:
        steps.append(0)
        resolution = count.resolve(position, chance)
        return replace(resolution, events=(*resolution.events, Event("step", {"number": len(steps)})))

    return resolve


def rolls(steps: list[int]) -> Callable[[Any, Dice], Resolution[Any]]:
    """Each resolution rolls once more."""

    def resolve(position: Any, chance: Dice) -> Resolution[Any]:
        resolution = count.resolve(position, chance)
        steps.extend(chance.roll(2) for _ in [0, *steps])
        return resolution

    return resolve


@pytest.mark.parametrize("resolve", [remembers, rolls])
def test_a_ruleset_that_is_not_the_same_twice_is_found(resolve: Any) -> None:
    is_found_broken(a_step_comes_out_the_same, changed(count, resolve=resolve([])))


def fails(position: Any, chance: Dice) -> Resolution[Any]:
    if position.turn == 2:
        raise ZeroDivisionError
    return count.resolve(position, chance)


def test_a_ruleset_whose_games_stop_is_found() -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        random_games_go_on(changed(count, resolve=fails))


MUTUAL = (Wait("Altair", "Borealis", 1), Wait("Borealis", "Altair", 1))


@pytest.mark.parametrize(
    ("promise", "wrong"),
    [
        (everybody_plays_on, changed(count, miss=lambda position, _seat: Resolution(position))),
        (everybody_plays_on, changed(relay, seats=lambda at: tuple(runner.name for runner in at.runners if not runner.score))),
        (everybody_plays_on, changed(count, seats=lambda position: tuple(position.scores)[1:])),
        (everybody_plays_on, changed(count, waits=lambda _position: MUTUAL)),
        (time_goes_on, changed(count, turn=lambda position: -position.turn)),
        (time_goes_on, changed(count, turn=lambda _position: 1)),
        (time_goes_on, changed(tides, step_name=lambda _position: "phase")),
        (time_goes_on, changed(tides, step_name=lambda position: position.phase.upper())),
        (time_goes_on, changed(tides, hours=lambda _position: 0)),
        (whoever_wins_has_played, changed(count, outcome=lambda at: Outcome(("Nobody",), "luck") if at.turn > 1 else None)),
        (whoever_wins_has_played, changed(count, outcome=lambda at: Outcome(("Altair",), "") if at.turn > 1 else None)),
        (whoever_wins_has_played, changed(count, rulings=lambda _position: (Ruling("a", "?"), Ruling("a", "!")))),
    ],
)
def test_a_ruleset_that_loses_its_way_is_found(promise: Any, wrong: Ruleset[Any]) -> None:
    is_found_broken(promise, wrong)

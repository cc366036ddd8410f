"""A position is its document: it can be kept as JSON and as TOML at any instant of a step, and read again as what it was."""

# pyright: reportUnknownLambdaType=false
import json
import tomllib
from dataclasses import replace
from typing import Any

import pytest
import tomli_w

from pbmd.rules import Dice, Document, Resolution, Ruleset, canonical_json
from tests.rules.count import Position
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import changed, is_found_broken, is_kept, scenes_of
from tests.rulesets.contract.scenes import NAMES, Played, Scene, play, played, scenes


def documents_come_back(scene: Scene) -> None:
    """Of each position that there was in the step."""
    rules = scene.rules
    for position in played(scene).positions:
        document = rules.dump(position)
        assert document["ruleset"] == rules.info.slug
        assert isinstance(document["options"], dict)
        assert json.loads(canonical_json(document)) == document
        again = rules.load(document)
        assert again == position, scene.name
        assert rules.dump(again) == document, scene.name


def documents_can_be_toml(scene: Scene) -> None:
    """Which takes long: that with all letters on file, and that after the step."""
    for position in played(scene).positions[-2:]:
        document = scene.rules.dump(position)
        assert tomllib.loads(tomli_w.dumps(document)) == document


def a_step_can_be_stored_at_any_instant(scene: Scene) -> None:
    """Also with its keys sorted, as the journal has them. What a position is compared by may not be all that there is to it, so
    the step is played on with what was read again."""
    stored = play(kept(scene.rules), scene.position, scene.letters, scene.name)
    assert in_plain(scene.rules, stored) == in_plain(scene.rules, played(scene)), scene.name


def kept(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset with each position stored and read before anything is done with it."""

    def again(position: Any) -> Any:
        return rules.load(json.loads(canonical_json(rules.dump(position))))

    return changed(
        rules,
        receive=lambda position, mail: rules.receive(again(position), mail),
        miss=lambda position, seat: rules.miss(again(position), seat),
        resolve=lambda position, dice: rules.resolve(again(position), dice),
    )


def in_plain(rules: Ruleset[Any], step: Played) -> list[Any]:
    """All of a step, documents in place of positions, since the options may stand in another order."""
    answers = [(receipt.verdicts, receipt.defaults, receipt.filed, receipt.granted) for receipt in step.receipts]
    return [answers, step.events, step.drawn, [rules.dump(position) for position in step.positions]]


@pytest.mark.parametrize("promise", [documents_come_back, documents_can_be_toml, a_step_can_be_stored_at_any_instant])
@pytest.mark.parametrize("name", NAMES)
def test_documents(name: str, promise: Any) -> None:
    is_kept(promise, scenes(name))


def writes(**wrong: Any) -> Ruleset[Any]:
    """Count, whose documents have something wrong in them."""
    return changed(count, dump=lambda position: {**count.dump(position), **wrong})


def options_of(document: Document, **more: Any) -> Document:
    return {**document, "options": {**document["options"], **more}}


@pytest.mark.parametrize(
    ("promise", "wrong"),
    [
        pytest.param(
            documents_come_back,
            changed(count, load=lambda document: count.load({**document, "missed": []})),
            id="forgets a miss",
        ),
        pytest.param(documents_come_back, writes(sheets=[]), id="forgets letters"),
        pytest.param(documents_come_back, writes(missed=("Altair", "Borealis")), id="has a tuple"),
        pytest.param(documents_come_back, writes(ruleset="tally"), id="is of another ruleset"),
        pytest.param(
            documents_come_back,
            changed(count, load=lambda document: count.load(options_of(document, greeting="Hello"))),
            id="has options of its own",
        ),
        pytest.param(
            documents_can_be_toml,
            changed(count, dump=lambda position: options_of(count.dump(position), greeting=None)),
            id="has nothing",
        ),
    ],
)
def test_a_ruleset_whose_positions_do_not_come_back_is_found(promise: Any, wrong: Ruleset[Any]) -> None:
    is_found_broken(promise, wrong, TypeError if promise is documents_can_be_toml else AssertionError)


class Doubled(dict[str, int]):
    """Scores that count twice, and look like any others."""


def test_a_ruleset_that_plays_on_otherwise_with_what_was_stored_is_found() -> None:
    def setup(*given: Any) -> Position:
        position = count.setup(*given)
        return replace(position, scores=Doubled(position.scores))

    def resolve(position: Position, dice: Dice) -> Resolution[Position]:
        after = count.resolve(position, dice).position
        times = 2 if isinstance(position.scores, Doubled) else 1
        return Resolution(replace(after, scores=Doubled({name: times * score for name, score in after.scores.items()})))

    wrong = changed(count, setup=setup, resolve=resolve)
    is_kept(documents_come_back, scenes_of(wrong))
    is_found_broken(a_step_can_be_stored_at_any_instant, wrong)

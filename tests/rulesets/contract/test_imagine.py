"""PREVIEW's position is made of a view alone: it looks to its player like the real one, and odd assumptions are refused."""

# pyright: reportUnknownLambdaType=false
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules import Line, Options, Refused, View, seat_reader
from pbmd.rules.options import complete
from tests.rules.count import Position
from tests.rules.count import ruleset as count
from tests.rulesets.contract.promises import a_few, changed, is_found_broken, is_kept, scenes_of
from tests.rulesets.contract.scenes import NAMES, Scene, named, scenes
from tests.rulesets.contract.test_odd_text import ODD
from tests.rulesets.contract.told import shown

IMAGINED = [name for name in NAMES if named(name).imagine]


def imagined(scene: Scene, seat: str, *assumed: str) -> Any:
    """The position as that seat pictures it at the beginning of the scene, while nobody has orders on file."""
    assert scene.rules.imagine is not None
    view = scene.rules.view(without_letters(scene), (), seat_reader(seat))
    options = complete(scene.rules.info.options, scene.rules.dump(scene.position)["options"])
    return scene.rules.imagine(view, options, [Line(number, line) for number, line in enumerate(assumed, start=1)])


def without_letters(scene: Scene) -> Any:
    position = scene.position
    for sheet in scene.rules.sheets(position):
        position = scene.rules.withdraw(position, sheet.seat)
    return position


def the_imagined_position_looks_like_the_real_one(scene: Scene) -> None:
    """To its player, who can write orders in it, and it is one that could be kept."""
    rules, real = scene.rules, without_letters(scene)
    for seat in rules.awaiting(real):
        position = imagined(scene, seat)
        assert seat in rules.awaiting(position)
        assert shown(rules, position, (), seat) == shown(rules, real, (), seat), seat
        assert rules.load(rules.dump(position)) == position


def odd_assumptions_are_refused(scene: Scene) -> None:
    """Or taken; nothing else is raised."""
    seats = scene.rules.seats(scene.position)
    for seat in scene.rules.awaiting(scene.position)[:1]:
        for odd in ODD:
            for line in (odd, f"{odd}: spies 1", f"{seats[-1]}: {odd} 1", f"{seats[-1]}: spies {odd}", f"{seat}: {odd}"):
                with suppress(Refused):
                    imagined(scene, seat, line)


@pytest.mark.parametrize("name", IMAGINED)
def test_the_imagined_position_looks_to_its_player_like_the_real_one(name: str) -> None:
    is_kept(the_imagined_position_looks_like_the_real_one, scenes(name))


@pytest.mark.parametrize("name", IMAGINED)
def test_odd_assumptions_are_refused(name: str) -> None:
    is_kept(odd_assumptions_are_refused, a_few(scenes(name), 3))


def _imagine(view: View, options: Options, lines: Sequence[Line]) -> Position:
    """What the view tells of Count for two is the sum of all."""
    return Position(view.turn, options, {"Altair": view.data["total"], "Borealis": sum(int(line.text) for line in lines)})


FOR_TWO = replace(count, imagine=_imagine, info=replace(count.info, max_seats=2))


@pytest.mark.parametrize("wrong", [{"turn": 99}, {"scores": {"Altair": 99}}, {"missed": ("Altair", "Borealis")}], ids=str)
def test_a_ruleset_that_imagines_another_game_is_found(wrong: dict[str, Any]) -> None:
    is_kept(the_imagined_position_looks_like_the_real_one, scenes_of(FOR_TWO))
    other = changed(FOR_TWO, imagine=lambda view, options, lines: replace(_imagine(view, options, lines), **wrong))
    is_found_broken(the_imagined_position_looks_like_the_real_one, other)


def test_a_ruleset_that_breaks_on_an_assumption_is_found() -> None:
    is_found_broken(odd_assumptions_are_refused, FOR_TWO, ValueError)

"""Bold orders in the HTML of real mail programs, all the way from the mail to the sheet (CC-43, CC-R74)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.world import World
from tests.post.read.test_letter_bold import SHAPES
from tests.rulesets.cosmic_conquest.desk import GAME, conquest


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with Red, Purple and Green."""
    world = World(tmp_path)
    yield conquest(world)
    world.close()


def sheet(world: World, seat: str) -> tuple[str, ...]:
    """The orders of a seat in force."""
    with world.work() as work:
        table = work.table_named(GAME)
        assert table is not None
        return next((each.lines for each in table.ruleset.sheets(table.position) if each.seat == seat), ())


def written_with(program: str) -> str:
    """The sample mail of that program, with orders of Red in it."""
    html = SHAPES[program]
    for old, new in (
        ("Sol attacks\n Vega with 5", "6 Resource Units\n for Defense of Sol."),
        ("Sol attacks Vega</b><b>&nbsp;with 5", "6 Resource Units for</b><b>&nbsp;Defense of Sol."),
        ("Sol attacks Vega with 5", "6 Resource Units for Defense of Sol."),
        ("Vega builds a drone", "4 Resource Units to Invest in Sol."),
    ):
        html = html.replace(old, new)
    return html


@pytest.mark.rule("CC-43", "CC-R74")
@pytest.mark.parametrize("program", SHAPES)
def test_only_what_is_bold_is_an_order(world: World, program: str) -> None:
    answer = world.send("Red", "", html=written_with(program))
    assert sheet(world, "Red") == ("Defend Sol with 6 units", "Invest 4 units in Sol"), answer


@pytest.mark.rule("CC-R74")
def test_without_any_bold_every_line_must_be_an_order(world: World) -> None:
    """But for a greeting."""
    html = "<div>Hello all,</div><div>this is my plan</div><div>6 Resource Units for Defense of Sol.</div>"
    answer = world.send("Red", "", html=html)
    assert sheet(world, "Red") == ()
    assert "this is my plan" in answer
    world.send("Red", "", html=html.replace("<div>this is my plan</div>", ""))
    assert sheet(world, "Red") == ("Defend Sol with 6 units",)

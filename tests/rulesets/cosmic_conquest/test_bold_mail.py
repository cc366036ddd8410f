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


PLAIN = ["6 Resource Units for Defense of Sol.", "4 Resource Units to Invest in Sol."]
READ = ("Defend Sol with 6 units", "Invest 4 units in Sol")


@pytest.mark.rule("CC-R74")
@pytest.mark.parametrize(
    "html",
    [
        "<div>{}</div><div>{}</div><div><br></div><div><b>Anna</b></div>",
        "<div><b>Orders for turn 1</b></div><div>{}</div><div>{}</div>",
        "<div>{}</div><div>{}</div><p>Regards,<br><b>Anna Example</b><br>Head of <b>Sales</b></p>",
    ],
)
def test_a_name_or_a_heading_in_bold_type_is_no_mark_of_orders(world: World, html: str) -> None:
    answer = world.send("Red", "", html=html.format(*PLAIN))
    assert sheet(world, "Red") == READ, answer


@pytest.mark.rule("CC-R74", "CC-45")
def test_nothing_is_accepted_where_only_some_right_orders_are_in_bold_type(world: World) -> None:
    answer = world.send("Red", "", html=f"<div><b>{PLAIN[0]}</b></div><div>{PLAIN[1]}</div>")
    assert sheet(world, "Red") == ()
    assert "some of your orders are in bold type and others are not" in " ".join(answer.split())
    assert all(line in answer for line in PLAIN)
    world.send("Red", "", html=f"<div><b>{PLAIN[0]}</b></div><div><b>{PLAIN[1]}</b></div>")
    assert sheet(world, "Red") == READ


@pytest.mark.rule("CC-R74")
def test_who_writes_the_marks_parts_orders_from_talk_with_them(world: World) -> None:
    answer = world.send("Red", f"[b]{PLAIN[0]}[/b]\n{PLAIN[1]}\n")
    assert sheet(world, "Red") == READ[:1]
    assert "this stands outside [b] and [/b], so that it is no order" in " ".join(answer.split())


@pytest.mark.rule("CC-R74")
@pytest.mark.parametrize("html", ["{0} <b>6</b> units<br>{1} <b>4</b> units", "<b>{0}</b> 6 units<br><b>{1}</b> 4 units"])
def test_bold_within_orders_marks_nothing(world: World, html: str) -> None:
    """A program, or a writer, has the numbers or the verbs in bold type: no order stands in it."""
    answer = world.send("Red", "", html=html.format("Defend Sol with", "Invest in Sol with"))
    assert sheet(world, "Red") == ("Defend Sol with 6 units", "Invest 4 units in Sol"), answer

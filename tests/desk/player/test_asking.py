"""What a player asks as they would ask a person: with a question mark, with "please", or for a chapter that there is not."""

import pytest

from pbmd.desk.changes.gm import abandon
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.rules.protocol import Line
from tests.desk.world import World


def read(line: str) -> tuple[str, dict[str, str]] | None:
    found = PLAYERS.command(Line(1, line))
    return found and (found.kind, found.words)


@pytest.mark.parametrize("line", ["HELP", "help me please", "Help me", "Help, please!", "please help us out", "HELP ?"])
def test_a_call_for_help_gets_the_first_screen(line: str) -> None:
    assert read(line) == ("help", {})


@pytest.mark.parametrize("line", ["help me with orders, please", "Help with orders?", "help orders", "HELP ON orders"])
def test_help_with_something_is_on_that(line: str) -> None:
    assert read(line) == ("help", {"topic": "orders"})


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Status?", "status"),
        ("status please?", "status"),
        ("Report ?", "report"),
        ("Rules?", "rules"),
        ("List?!", "list"),
    ],
)
def test_what_only_asks_can_have_a_question_mark(line: str, kind: str) -> None:
    assert read(line) == (kind, {})


def test_the_question_mark_is_no_part_of_what_is_asked_for() -> None:
    assert read("Rules combat?") == ("rules", {"topic": "combat"})


@pytest.mark.parametrize("line", ["Wait?", "Resign?", "Cancel orders?", "Orders?", "NEW TOKEN?", "New token please?"])
def test_what_does_something_is_not_done_if_it_is_a_question(line: str) -> None:
    assert read(line) is None


def test_a_question_for_the_status_is_answered_by_it_and_touches_no_orders(running: World) -> None:
    answer = running.send("Altair", "Status?")
    assert "REFUSED" not in answer
    assert "no orders are in" in answer


def test_a_handbook_without_chapters_is_said_to_have_none(world: World) -> None:
    world.count()
    assert "the handbook has none, and RULES alone sends all of it." in " ".join(world.send("Altair", "RULES combat").split())


class TestAGameThatIsOver:
    """It has no turn any more, and nothing is due."""

    @pytest.fixture
    def over(self, world: World) -> World:
        world.count()
        world.act("galaxy-7", abandon)
        return world

    def test_takes_no_orders_and_says_nothing_of_a_turn(self, over: World) -> None:
        told = over.send("Altair", "Add 3")
        assert "the game is over, so your orders were not taken." in " ".join(told.split())
        assert "turn" not in told
        assert "\n\n\n" not in told

    def test_has_no_turn_in_its_status(self, over: World) -> None:
        assert "galaxy-7 (Count), finished\n" in over.send("Altair", "STATUS")

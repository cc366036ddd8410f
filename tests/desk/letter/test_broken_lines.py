"""An order over several lines is read as one, and the answer says so; what only stands below an order is no part of it."""

from types import SimpleNamespace
from typing import Any

import pytest

from pbmd.desk.letter.answer import Answer
from pbmd.desk.player.orders.broken_lines import with_whole_lines
from pbmd.rules.protocol import Line
from rulesets.starship_squadrons import ruleset as squadrons
from tests.desk.letter.test_beside_orders import CLUSTER, CONQUEST, DIPLOMACY, ORDERS, OVERLORD, came_of
from tests.doses import some_ruleset
from tests.rulesets.starship_squadrons.harness import world

SOCIETIES = "societies"


class TestOrdersOverSeveralLines:
    @pytest.mark.parametrize(
        ("slug", "text", "orders"),
        [
            (DIPLOMACY, "Army Vienna supports Army Budapest\nmoving to Galicia", ["A VIE S A BUD - GAL"]),
            (DIPLOMACY, "A Vie S A Bud\n- Gal", ["A VIE S A BUD - GAL"]),
            (DIPLOMACY, "A Vie -\nGal\nA Bud -\nSer", ["A VIE - GAL", "A BUD - SER"]),
            (DIPLOMACY, "A Vie\n- Gal\nA Bud\n- Ser\nBest wishes\nTom", ["A VIE - GAL", "A BUD - SER"]),
            (DIPLOMACY, "Army Vienna\nholds\nArmy Budapest - Serbia", ["A VIE H", "A BUD - SER"]),
            (DIPLOMACY, "Vienna\nHold", ["A VIE H"]),
            (DIPLOMACY, "Army Budapest\nto Serbia", ["A BUD - SER"]),
            (DIPLOMACY, "A Bud\nS A Vie - Gal", ["A BUD S A VIE - GAL"]),
            (OVERLORD, "Build 4 Laserfrigates,\n2 Torpedocruisers", ["Build 4 Laserfrigates, 2 Torpedocruisers"]),
            (OVERLORD, "Build 4x Laserfrigate\n4 x Torpedofrigate", ["Build 4 Laserfrigates, 4 Torpedofrigates"]),
            (OVERLORD, "Build:\n- 4 Laserfrigates", ["Build 4 Laserfrigates"]),
            (OVERLORD, "Build 4 Laserfrigates, 2 Torpedo-\ncruisers", ["Build 4 Laserfrigates, 2 Torpedocruisers"]),
            (OVERLORD, "OOB default: LFTLTF\nclose in, bunch", ["OOB default: LFTLTF close in, bunch"]),
            (CONQUEST, "Conquer Kapteyn with 3 units\nled by the admiral", ["Conquer Kapteyn with 3 units led by the admiral"]),
            (CONQUEST, "Conquer Kapteyn with 3 units led by\nthe admiral", ["Conquer Kapteyn with 3 units led by the admiral"]),
            (CLUSTER, "Build fleet\nat Aquila\nBuild army\nat Aquila", ["Build fleet at Aquila", "Build army at Aquila"]),
            (SOCIETIES, "Build a city\nat C6", ["Build city at C6"]),
            (
                SOCIETIES,
                "Attack Borealis with 1 army.\nTargets: B1,\nC1, D1",
                ["Attack Borealis with 1 army", "Targets: B1, C1, D1"],
            ),
        ],
    )  # fmt: skip
    def test_are_read_as_one_and_the_answer_says_so(self, slug: str, text: str, orders: list[str]) -> None:
        came = came_of(slug, text)
        assert list(came.orders) == orders, came.text
        assert "were read as one order" in came.text
        assert "refused" not in came.subject
        assert "not read" not in came.subject

    @pytest.mark.parametrize(
        ("slug", "text", "orders"),
        [
            (DIPLOMACY, "A Vie - Gal\nBest\nTom", ["A VIE - GAL"]),
            (DIPLOMACY, "A Vie S\nA Bud - Gal", []),
            (DIPLOMACY, "F Tri H\nA Vie S\n\nA Bud - Gal", ["F TRI H"]),
            (DIPLOMACY, "A Vie S\nA Bud S A Vie", ["A BUD S A VIE"]),
            (DIPLOMACY, "A Vie H\nA Bud - Gal", ["A VIE H", "A BUD - GAL"]),
            (DIPLOMACY, "A Vie\n\n- Gal\nA Bud H", ["A BUD H"]),
            (DIPLOMACY, "I would love to see Vienna\nin Galicia some day.\n\nA Bud - Ser", ["A BUD - SER"]),
            (DIPLOMACY, "A Bud H\nA Vie\nif Russia does not move\nto Galicia", ["A BUD H"]),
            (OVERLORD, "Build 1 base named Rigel\nTom", ["Build 1 base named Rigel"]),
            (OVERLORD, "Build 1 base named Rigel\ncheers tom", ["Build 1 base named Rigel"]),
            (OVERLORD, "Build 1 base named Rigel\nGood luck with your spy", ["Build 1 base named Rigel"]),
            (OVERLORD, "Build 2 bases named Rigel\nTom", ["Build 2 bases named Rigel"]),
            (OVERLORD, "Build 1 base named Rigel\n7 of 9", ["Build 1 base named Rigel"]),
            (OVERLORD, "Build 2 bases named Rigel\n2 Main Street", ["Build 2 bases named Rigel"]),
            (SOCIETIES, "Build city of Foo\nTom", ["Build city of Foo"]),
            (SOCIETIES, "Build city of Foo\n2 Main Street\n12345 Zuqstadt", ["Build city of Foo"]),
            (CONQUEST, "Conquer Kapteyn with 3 units\nand win!", ["Conquer Kapteyn with 3 units"]),
            (DIPLOMACY, "A Vie S A Bud\nTo Galicia we go!", ["A VIE S A BUD"]),
            (DIPLOMACY, "A Bud - Ser\n\nThe following hold:\nVienna\nTrieste", ["A BUD - SER"]),
            (DIPLOMACY, "My centers:\nVienna\nTrieste\nBudapest\n\nOrders:\nA Bud - Ser", ["A BUD - SER"]),
            (DIPLOMACY, "Trieste\nVienna\nBudapest", []),
            (DIPLOMACY, "- Vienna\n- Budapest", []),
            (DIPLOMACY, "1. Vienna\n2. Budapest", []),
            (OVERLORD, "Train spy\nBuild 1 base named\nTom", ["Train spy"]),
            (SOCIETIES, "Build city at C6\nnot E5", ["Build city at C6"]),
            (SOCIETIES, "Build city at C6\nInstead of E5", ["Build city at C6"]),
            (SOCIETIES, "Build city at C6\nBest wishes from A4", ["Build city at C6"]),
            (SOCIETIES, "Build city at C6\nI will take E5 next turn", ["Build city at C6"]),
            (SOCIETIES, "Build city at C6\n12345 Zuqstadt, A4", ["Build city at C6"]),
        ],
    )  # fmt: skip
    def test_are_none_where_the_next_line_is_no_rest(self, slug: str, text: str, orders: list[str]) -> None:
        came = came_of(slug, text)
        assert list(came.orders) == orders, came.text
        assert "read as one" not in came.text

    @pytest.mark.parametrize("text", ["FIRE 1 Gun AT Swift\nIF SEEN", "FIRE 1 Gun AT\nSwift IF SEEN"])
    def test_keep_a_condition_that_the_order_may_have(self, text: str) -> None:
        """Without it the gun would fire at a ship under cover, too."""
        battle = squadrons.load(world(["Gun A4 R3 @0601"], ["Swift D9 M1 @0605"]))
        sender: Any = SimpleNamespace(
            table=SimpleNamespace(ruleset=squadrons, position=battle), seat=SimpleNamespace(name="anna")
        )
        arrived: Any = SimpleNamespace(arrival=(0, 0))
        lines = [Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]
        assert with_whole_lines(sender, arrived, lines, Answer()) == (Line(1, "FIRE 1 Gun AT Swift IF SEEN"),)

    @pytest.mark.parametrize("rest", ["- Tyr", "moving to Tyrolia"])
    def test_of_which_a_piece_may_belong_to_the_line_above_are_told_in_the_subject(self, rest: str) -> None:
        """Read together they are another order, which may not be what was meant either."""
        came = came_of(DIPLOMACY, f"A Bud S A Vie\n{rest}")
        assert came.orders == ("A BUD S A VIE",)
        assert came.subject.endswith("words not read")

    def test_are_not_made_of_lists_with_numbers_alone(self) -> None:
        text = "   1.\n\n   Conquer Kapteyn with 4 units\n   2.\n\n   Defend Aldebaran with 4 units"
        came = came_of(CONQUEST, text)
        assert came.orders == ("Conquer Kapteyn with 4 units", "Defend Aldebaran with 4 units")
        assert "read as one" not in came.text

    def test_are_not_sought_in_long_letters(self) -> None:
        talk = "\n".join(f"We shall see what comes of plan {number} of mine" for number in range(40))
        came = came_of(OVERLORD, f"{talk}\n\nBuild 4 Laserfrigates\n2 Torpedocruisers")
        assert came.orders == ("Build 4 Laserfrigates",)
        assert came.subject.endswith("words not read")


@pytest.mark.parametrize("rest", ["B3, E3 too", "E3 later", "2 x", "(E3?)", "and 3 gold"])
def test_brief_numbers_below_an_order_are_told_in_the_subject(rest: str) -> None:
    came = came_of(SOCIETIES, f"Buy 2 armies\nAttack Borealis with 1 army\n{rest}")
    assert came.orders == ("Buy 2 armies", "Attack Borealis with 1 army")
    assert "read" in came.subject or "refused" in came.subject, came.text


@pytest.mark.parametrize(("rest", "targets"), [("B3, E3", "B3, E3"), ("at E3 now", "E3"), ("(E3)", "E3")])
def test_squares_alone_right_below_an_attack_are_its_targets(rest: str, targets: str) -> None:
    came = came_of(SOCIETIES, f"Buy 2 armies\nAttack Borealis with 1 army\n{rest}")
    assert came.orders == ("Buy 2 armies", "Attack Borealis with 1 army", f"Targets: {targets}")


@pytest.mark.parametrize("below", ["0171 1234567", "Tom 2026", "Tom\n0171 123", "Total: 6", "Sum = 6 gold"])
def test_telephones_and_years_below_orders_cost_nothing(below: str) -> None:
    assert came_of(SOCIETIES, f"Buy 2 armies\n{below}").subject.endswith("orders in")


class TestRemarksBehindOrders:
    @pytest.mark.parametrize(
        ("slug", "line", "order"),
        [
            (CONQUEST, "Conquer Kapteyn with 3 units (good luck!)", "Conquer Kapteyn with 3 units"),
            (OVERLORD, "Build 4 Laserfrigates -- as ever", "Build 4 Laserfrigates"),
            (DIPLOMACY, "A Vie - Gal // as agreed", "A VIE - GAL"),
            (DIPLOMACY, "A Bud - Ser (Serbia must fall)", "A BUD - SER"),
            (CONQUEST, "Conquer Kapteyn with 3 units (at last my turn!)", "Conquer Kapteyn with 3 units"),
            (OVERLORD, "Build 4 Laserfrigates -- see you later", "Build 4 Laserfrigates"),
        ],
    )
    def test_are_left_out(self, slug: str, line: str, order: str) -> None:
        assert came_of(slug, line).orders == (order,)

    @pytest.mark.parametrize(
        ("slug", "line"),
        [
            (CONQUEST, "Conquer Kapteyn with 3 units (admiral too)"),
            (OVERLORD, "Build 4 Laserfrigates (and train a spy)"),
            (OVERLORD, "Build 4 Laserfrigates // then attack Cygnus"),
            (DIPLOMACY, "A Vie - Gal // not Boh"),
            (CONQUEST, "*Conquer Kapteyn with 3 units (admiral too)*"),
            (CONQUEST, "Conquer Kapteyn with 3 units (admiral too), thanks"),
            (CONQUEST, "| Conquer Kapteyn with 3 units | (admiral too) |"),
            (OVERLORD, "Build 4 Laserfrigates [train a spy] (great)"),
        ],
    )
    def test_are_not_where_they_have_words_of_orders(self, slug: str, line: str) -> None:
        """What they say would be lost in silence."""
        came = came_of(slug, line)
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @some_ruleset([CONQUEST, DIPLOMACY, OVERLORD])
    @pytest.mark.parametrize(
        "remark",
        [
            "// next turn",
            "-- ignore this",
            "# withdrawn for today",
            "(next turn)",
            "-- scrap that one",
            "// in turn nine",
        ],
    )
    def test_are_not_where_they_take_the_order_back_or_have_it_for_later(self, slug: str, remark: str) -> None:
        came = came_of(slug, f"{ORDERS[slug][0]} {remark}")
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text


class TestNumbersAndTables:
    @pytest.mark.parametrize("cell", ["cancelled", "no", "next turn"])
    def test_are_not_where_a_cell_takes_the_order_back(self, cell: str) -> None:
        assert came_of(OVERLORD, f"| Build 1 base named Rigel | {cell} |").orders == ()

    @pytest.mark.parametrize(
        ("slug", "line", "order"),
        [
            (CLUSTER, "Gift 1,000 credits to People 2", "Gift 1000 credits to People 2"),
            (SOCIETIES, "Build Colosseum for 1.400", "Build Colosseum for 1400"),
            (DIPLOMACY, "| A Vie | - Gal |", "A VIE - GAL"),
            (SOCIETIES, "| Build city of | Winterfell Old Town | C6 |", "Build city of Winterfell Old Town at C6"),
            (DIPLOMACY, "| Unit | Order |\n|------|-------|\n| A Vie | Galicia |", "A VIE - GAL"),
        ],
    )
    def test_are_read_as_people_write_them(self, slug: str, line: str, order: str) -> None:
        assert came_of(slug, line).orders == (order,)

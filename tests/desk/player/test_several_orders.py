"""Several orders in one line, and orders below the verb that they share: each is read, or the line is refused as a whole."""

import pytest

from tests.desk.letter.test_beside_orders import CLUSTER, CONQUEST, DIPLOMACY, OVERLORD, came_of

SOCIETIES = "societies"


class TestSeveralOrdersInALine:
    @pytest.mark.parametrize(
        ("slug", "line", "orders"),
        [
            (OVERLORD, "Build 4 Laserfrigates. Train spy.", ["Build 4 Laserfrigates", "Train spy"]),
            (OVERLORD, "BUILD 4 LASERFRIGATES; TRAIN SPY", ["Build 4 Laserfrigates", "Train spy"]),
            (OVERLORD, "Build 1 base / Train spy / OOB: LFTLTF", ["Build 1 base", "Train spy", "OOB default: LFTLTF"]),
            (OVERLORD, "Build 4 Laserfrigates and a base, then train a spy", ["Build 4 Laserfrigates, 1 base", "Train spy"]),
            (OVERLORD, "Orders: Build 4 Laserfrigates, train spy", ["Build 4 Laserfrigates", "Train spy"]),
            (CONQUEST, "Conquer Kapteyn with 3, Gliese with 1", ["Conquer Kapteyn with 3 units", "Conquer Gliese with 1 unit"]),
            (CONQUEST, "Invest 3 units in Aldebaran. Defend it? No.", []),
            (CLUSTER, "Build army and fleet at Aquila", ["Build army at Aquila", "Build fleet at Aquila"]),
            (CLUSTER, "Build army at Aquila, fleet at Aquila", ["Build army at Aquila", "Build fleet at Aquila"]),
            (SOCIETIES, "Research 1 and buy 1 army", ["Research 1", "Buy 1 army"]),
            (SOCIETIES, "Buy 2 armies.Research Iron Working.", ["Buy 2 armies", "Research Iron Working"]),
            (SOCIETIES, "I'd like to buy 3 armies and research 1 please.", ["Buy 3 armies", "Research 1"]),
            (CLUSTER, "Develop Farmland and Mines on Aquila", ["Develop Farmland on Aquila", "Develop Mines on Aquila"]),
            (SOCIETIES, "Declare war on Borealis and Cygnus", ["Declare war on Borealis", "Declare war on Cygnus"]),
            (CONQUEST, "Defend Aldebaran with 3, 2 units to invest in Aldebaran", [
                "Defend Aldebaran with 3 units", "Invest 2 units in Aldebaran",
            ]),
            (CONQUEST, "Conquer Kapteyn and Gliese with 3 units each", [
                "Conquer Kapteyn with 3 units", "Conquer Gliese with 3 units",
            ]),
            (OVERLORD, "Transfer Altair Base 2 to Cygnus, Altair Base 3 to Borealis", [
                "Transfer Altair Base 2 to Cygnus", "Transfer Altair Base 3 to Borealis",
            ]),
        ],
    )  # fmt: skip
    def test_are_read_if_each_of_them_is_one(self, slug: str, line: str, orders: list[str]) -> None:
        came = came_of(slug, line)
        assert list(came.orders) == orders, came.text
        assert (f"was read as {len(orders)} orders" in came.text) == bool(orders)

    @pytest.mark.parametrize(
        ("slug", "line"),
        [
            (OVERLORD, "Build 4 Laserfrigates, don't train a spy"),
            (OVERLORD, "Build 4 Laserfrigates or train spy"),
            (OVERLORD, "Build 4 Laserfrigates. If I am attacked, train spy"),
            (OVERLORD, "Train spy and build generator"),
            (OVERLORD, "Build 4 Laserfrigates, no: train spy"),
            (CONQUEST, "Conquer Kapteyn and Gliese with 3 units"),
            (CONQUEST, "Conquer Kapteyn with 3 units, Gliese not"),
            (CLUSTER, "Build army at Aquila or fleet at Aquila"),
            (DIPLOMACY, "A Vie - Gal; rather A Vie H"),
            (SOCIETIES, "Give Borealis 2 gold and 1 army"),
            (SOCIETIES, "Attack Borealis with 1 army, 1 army"),
            (SOCIETIES, "Declare war on Borealis or Cygnus"),
            (CONQUEST, "Conquer Kapteyn with 3 units, 2 units"),
            (CONQUEST, "Invest 3 units in Aldebaran and Kapteyn"),
            (CLUSTER, "Bombard Bastion with F32 and Eridu"),
        ],
    )
    def test_are_not_where_one_part_may_say_something_else(self, slug: str, line: str) -> None:
        assert came_of(slug, line).orders == ()

    def test_of_a_letter_stand_beside_its_other_lines(self) -> None:
        came = came_of(OVERLORD, "Hello,\n\nBuild 4 Laserfrigates; Use CE\nTrain spy\n\nTom")
        assert came.orders == ("Build 4 Laserfrigates", "Use counter-espionage", "Train spy"), came.text
        assert "refused" not in came.subject


class TestOrdersBelowAVerb:
    @pytest.mark.parametrize(
        ("slug", "text", "orders"),
        [
            (OVERLORD, "Build:\n- 4 Laserfrigates\n- 2 bases", ["Build 4 Laserfrigates", "Build 2 bases"]),
            (OVERLORD, "**Builds:**\n- 4 Laserfrigates\n- 2 bases", ["Build 4 Laserfrigates", "Build 2 bases"]),
            (OVERLORD, "OOB:\n1. default LFTLTF\n2. attack TFFLLT bunch", ["OOB default: LFTLTF", "OOB attack: TFFLLT bunch"]),
            (
                CONQUEST,
                "Conquer:\n- Kapteyn with 3 units\n- Gliese with 2 units\nInvest:\n- 3 units in Aldebaran",
                ["Conquer Kapteyn with 3 units", "Conquer Gliese with 2 units", "Invest 3 units in Aldebaran"],
            ),
            (CLUSTER, "Build:\narmy at Aquila\nfleet at Aquila", ["Build army at Aquila", "Build fleet at Aquila"]),
        ],
    )
    def test_are_read_with_it(self, slug: str, text: str, orders: list[str]) -> None:
        came = came_of(slug, text)
        assert list(came.orders) == orders, came.text
        assert "were read with" in came.text

    @pytest.mark.parametrize(
        "heading",
        ["Do not build:", "Next turn build:", "If attacked build:", "Later:", "[ ] Build:", "~~Build:~~", "❌ Build:"],
    )
    def test_are_not_where_it_says_something_else(self, heading: str) -> None:
        assert came_of(OVERLORD, f"{heading}\n- 4 Laserfrigates\n- 2 bases").orders == ()


class TestNumbersInWords:
    @pytest.mark.parametrize(
        ("slug", "line", "order"),
        [
            (OVERLORD, "Build ten Laserfrigates", "Build 10 Laserfrigates"),
            (CONQUEST, "Conquer Kapteyn with three units", "Conquer Kapteyn with 3 units"),
        ],
    )
    def test_are_read(self, slug: str, line: str, order: str) -> None:
        assert came_of(slug, line).orders == (order,)

    @pytest.mark.parametrize("line", ["Build two or three Laserfrigates", "Build not ten Laserfrigates"])
    def test_are_not_beside_words_that_change_them(self, line: str) -> None:
        assert came_of(OVERLORD, line).orders == ()

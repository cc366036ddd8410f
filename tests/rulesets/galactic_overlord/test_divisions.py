"""Joint attacks: the division of what is captured."""

from typing import Any

import pytest

from tests.rulesets.galactic_overlord.harness import Played, navy, play, player, position


def attack(*allies: str, oob: str = "") -> str:
    line = "Attack Cygnus with all" + (f" allied with {', '.join(allies)}" if allies else "")
    return f"{line}\n{oob}" if oob else line


def prize(bases: int, *, altair: str = "1 Lasertitan", borealis: str = "1 Lasertitan") -> dict[str, Any]:
    """Cygnus has no ship at home: all his bases go to the joint fleet, newest first."""
    return position(
        player("Altair", altair, bases=1),
        player("Borealis", borealis, bases=1),
        player("Eridani", "1 Lasertitan", bases=1),
        player("Cygnus", bases=bases),
        player("Deneb", spies=1, bases=1),
    )


def share(played: Played, name: str) -> list[int]:
    """Numbers of the Cygnus bases that player has now, in the order acquired."""
    return [int(base[-1]) for base in played.bases(name) if base.startswith("Cygnus")]


@pytest.mark.rule("GO-56", "GO-59", "GO-60", "GO-R44")
@pytest.mark.parametrize(("bases", "first", "second"), [(1, [1], []), (2, [2], [1]), (3, [3, 1], [2]), (4, [4, 2], [3, 1])])
@pytest.mark.parametrize("order", [("Altair", "Borealis"), ("Borealis", "Altair")])
def test_bases_are_dealt_one_by_one_in_order_of_arrival(
    order: tuple[str, str], bases: int, first: list[int], second: list[int]
) -> None:
    played = play(prize(bases), [(order[0], attack(order[1])), (order[1], attack(order[0]))])
    assert (share(played, order[0]), share(played, order[1])) == (first, second)
    captured = [(e.data["base"], e.data["from"], e.data["to"]) for e in played.of("base_captured")]
    assert captured == [(f"Cygnus Base {bases - n}", "Cygnus", order[n % 2]) for n in range(bases)]


@pytest.mark.rule("GO-56", "GO-R43")
@pytest.mark.parametrize(
    ("wishes", "altair", "borealis"),
    [
        (["Captured bases to Borealis", "Captured bases to Borealis"], [], [4, 3, 2, 1]),
        (["Captured bases to Borealis, Altair", ""], [3, 1], [4, 2]),
        (["", "Spoils to Borealis, Borealis, Altair"], [2], [4, 3, 1]),
        # Not identical: not specified.
        (["Captured bases to Borealis", "Captured bases to Altair"], [4, 2], [3, 1]),
        (["Captured bases to Borealis, Altair", "Captured bases to Altair, Borealis"], [4, 2], [3, 1]),
        # Names that did not arrive are struck; an empty list is not specified.
        (["Captured bases to Deneb, Borealis", ""], [], [4, 3, 2, 1]),
        (["Captured bases to Deneb", ""], [4, 2], [3, 1]),
    ],
)
def test_allies_decide_on_the_division_together(wishes: list[str], altair: list[int], borealis: list[int]) -> None:
    orders = [("Altair", f"{attack('Borealis')}\n{wishes[0]}"), ("Borealis", f"{attack('Altair')}\n{wishes[1]}")]
    played = play(prize(4), orders)
    assert (share(played, "Altair"), share(played, "Borealis")) == (altair, borealis)


@pytest.mark.rule("GO-59", "GO-R42", "GO-R43")
def test_a_member_whose_attack_was_stopped_gets_no_base_but_his_wish_counts() -> None:
    orders = [
        ("Altair", f"{attack('Borealis', 'Eridani')}\nCaptured bases to Altair, Eridani, Borealis"),
        ("Borealis", attack("Altair", "Eridani")),
        ("Eridani", attack("Altair", "Borealis")),
        ("Deneb", "Use spy on Altair"),
    ]
    played = play(prize(3), orders)
    assert [share(played, name) for name in ("Altair", "Borealis", "Eridani")] == [[], [2], [3, 1]]
    # A wish of the others that differs from his makes it unspecified.
    orders[1] = ("Borealis", f"{attack('Altair', 'Eridani')}\nCaptured bases to Borealis")
    played = play(prize(3), orders)
    assert [share(played, name) for name in ("Altair", "Borealis", "Eridani")] == [[], [3, 1], [2]]


@pytest.mark.rule("GO-R45", "GO-59")
def test_an_arrived_member_who_lost_all_his_ships_still_has_his_share() -> None:
    # Round 1: F letter against T 1 … the frigate is lost at the first tally, the titan destroys the defender.
    start = position(
        player("Altair", "1 Laserfrigate", bases=1),
        player("Borealis", "1 Lasertitan", bases=1),
        player("Cygnus", "1 Torpedocruiser", bases=2),
    )
    orders = [
        ("Altair", attack("Borealis", oob="Attack: FLTFLT")),
        ("Borealis", attack("Altair", oob="Attack: FLTFLT")),
        ("Cygnus", "TFLTFL"),
    ]
    # Round 1: T 2 against F 0: 2 hits on the joint fleet: the frigate. Round 2: L 6 × 2 against F 0: destroyed.
    played = play(start, orders)
    assert played.battle.data["joint"] is True
    assert (played.navy("Altair"), played.navy("Borealis")) == ({}, navy("1 Lasertitan"))
    assert (share(played, "Altair"), share(played, "Borealis")) == ([2], [1])


@pytest.mark.rule("GO-61", "GO-63", "GO-R52")
def test_captured_bases_can_be_redistributed_at_once() -> None:
    orders = [
        ("Altair", f"{attack('Borealis')}\nTransfer Cygnus Base 2 to Borealis"),
        ("Borealis", attack("Altair")),
    ]
    played = play(prize(2), orders)
    assert (share(played, "Altair"), share(played, "Borealis")) == ([], [1, 2])

"""What ``ruleset.toml`` declares of the position, where it leads and who may know it."""

from typing import Any

import pytest

from pbmd.conformance.declared_paths import is_open, may_know, twins, ways_of
from pbmd.rules.declared import looked_at
from pbmd.rules.info import Secret

VILLAGE: dict[str, Any] = {
    "villagers": [{"name": "Ann", "role": "wolf"}, {"name": "Bob", "role": "seer"}, {"name": "Cy", "role": "wolf"}],
    "wolves": ["Ann", "Cy"],
    "money": {"Ann": 3, "Bob": 4, "Cy": 5},
    "pile": [1, 2],
}
SEATS = ("Ann", "Bob", "Cy")


@pytest.mark.parametrize(
    ("path", "ways"),
    [
        ("pile", [("pile",)]),
        ("pile[]", [("pile", 0), ("pile", 1)]),
        ("villagers[].role", [("villagers", place, "role") for place in range(3)]),
        ("money[]", [("money", "Ann"), ("money", "Bob"), ("money", "Cy")]),
        ("villagers.role", []),
        ("nothing[].at", []),
    ],
)
def test_a_path_leads_to_each_place_that_it_names(path: str, ways: list[tuple[object, ...]]) -> None:
    assert ways_of(VILLAGE, path) == ways


@pytest.mark.parametrize(
    ("secret", "way", "known"),
    [
        (Secret("villagers[].role"), ("villagers", 1, "role"), {"Bob"}),
        (Secret("money[]"), ("money", "Cy"), {"Cy"}),
        (Secret("pile"), ("pile",), set()),
        (Secret("villagers[].role", "wolves"), ("villagers", 1, "role"), {"Ann", "Bob", "Cy"}),
        (Secret("villagers[].role", "villagers[].role = wolf"), ("villagers", 0, "role"), {"Ann", "Cy"}),
    ],
)
def test_it_is_known_to_whose_it_is_and_to_those_that_are_declared(
    secret: Secret, way: tuple[str | int, ...], known: set[str]
) -> None:
    assert may_know(VILLAGE, secret, way, SEATS) == known


@pytest.mark.parametrize(
    ("unless", "left"),
    [
        ("", {0, 1, 2}),
        ("villagers[].alive = false", {0, 1}),
        ("dead", {0, 1}),
        ("not wolves", {0, 2}),
        ("villagers[].role = wolf", {1}),
    ],
)
def test_of_a_seat_to_which_unless_leads_nothing_is_secret_any_more(unless: str, left: set[int]) -> None:
    living = [{**each, "alive": each["name"] != "Cy"} for each in VILLAGE["villagers"]]
    document = {**VILLAGE, "villagers": living, "dead": ["Cy"]}
    secret = Secret("villagers[].role", unless=unless)
    ways = [("villagers", number, "role") for number in range(3)]
    assert {number for number, way in enumerate(ways) if not is_open(document, secret, way, SEATS)} == left
    assert {way[1] for twin in twins(document, secret, SEATS) for way in twin.ways} <= left


@pytest.mark.parametrize("begin", [0, 1, 5])
def test_where_twins_begin_says_which_come_first_and_leaves_none_out(begin: int) -> None:
    all_of_them = [*twins(VILLAGE, Secret("money[]"), SEATS)]
    others = [*twins(VILLAGE, Secret("money[]"), SEATS, begin)]
    assert others[0] == all_of_them[begin % len(all_of_them)]
    assert sorted(each.ways for each in others) == sorted(each.ways for each in all_of_them)


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (2, [3]),
        (True, [False]),
        (["a", "b"], [["b", "a"]]),
        ("a", []),
        (
            {"place": 2, "name": "a", "open": True},
            [{"place": 3, "name": "a", "open": True}, {"place": 2, "name": "a", "open": False}],
        ),
    ],
)
def test_where_a_secret_has_but_one_place_another_value_stands_there(value: object, others: list[object]) -> None:
    assert [twin.now for twin in twins({"at": value}, Secret("at"), SEATS)] == others


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("secret = [3]", 'a path into the position is written like "pile" or "villagers[].role", not 3'),
        ('secret = "pile"', "secret is a list"),
        ('secret = [{ known_to = "wolves" }]', '"at" is missing'),
        ('secret = [{ at = "pile", to = "all" }]', 'there is no key "to"'),
        ('secret = [{ at = "pile", unless = "not = 3" }]', "a path into the position is written like"),
        ('conserved = ["a + "]', "a path into the position is written like"),
    ],
)
def test_what_is_declared_wrongly_is_told(line: str, problem: str, tmp_path) -> None:
    (tmp_path / "ruleset.toml").write_text(f"{line}\n")
    assert any(each.problem.startswith(problem) for each in looked_at(tmp_path)[1])


def test_declarations_are_read(tmp_path) -> None:
    (tmp_path / "ruleset.toml").write_text('secret = ["pile", { at = "villagers[].role", known_to = "wolves" }]\n')
    content, _ = looked_at(tmp_path)
    assert content["secret"] == ["pile", {"at": "villagers[].role", "known_to": "wolves"}]

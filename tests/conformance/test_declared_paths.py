"""What ``ruleset.toml`` declares of the position, where it leads and who may know it."""

import pytest

from pbmd.conformance.declared_paths import may_know, twins, ways_of
from pbmd.rules.declared import looked_at
from pbmd.rules.info import Secret

VILLAGE = {
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

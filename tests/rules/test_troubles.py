"""What is said of a defect: kind and place, in the ruleset if one was at work, and nothing of what stands there."""

import json
from dataclasses import replace

import pytest

from pbmd.rules import PositionError
from pbmd.rules.registry import from_folder
from pbmd.rules.troubles import BrokenGame, difference, in_document, place_of, read_back, read_position, told_of_options
from tests.rules.test_registry import COUNT


@pytest.fixture
def rules():
    return from_folder(COUNT)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("players[2].ships[0].hull", "players[2].ships[0].hull"),
        ("map_homes.2[0]", "map_homes.2[0]"),
        ("players[0].gifts.Red Star.count", "players[0].gifts.….count"),
        ("[3]", "[3]"),
    ],
)
def test_a_place_in_a_document_tells_no_names(place, told):
    assert in_document(place) == told


@pytest.mark.parametrize(
    ("one", "other", "place"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b"),
        ({"a": [1]}, {"a": [1, 2]}, "a[1]"),
        ({"a": 1}, {"a": 1, "c": 2}, "c"),
        ({"a": {"Red Star": 1}}, {"a": {}}, "a.…"),
        ({"a": 1}, {"a": 1}, ""),
        (1, 2, ""),
    ],
)
def test_the_first_difference_of_two_documents(one, other, place):
    assert difference(one, other) == place
    assert difference(other, one) == place


def test_the_place_is_in_the_ruleset_though_the_kit_raised(rules):
    with pytest.raises(BrokenGame) as broken:
        read_position("galaxy-7", rules, '{"players": [{"score": "xyzzy"}]}')
    assert str(broken.value).startswith(
        "galaxy-7: the ruleset count cannot read the position: PositionError in pbmd_ruleset_count."
    )
    assert str(broken.value).endswith(", at players[0].score")
    assert place_of(broken.value) == broken.value.trouble


def test_without_a_ruleset_the_place_is_where_it_was_raised():
    with pytest.raises(ZeroDivisionError) as problem:
        1 / 0  # noqa: B018
    assert place_of(problem.value).startswith("ZeroDivisionError in tests.rules.test_troubles.test_without")
    assert place_of(ValueError("xyzzy")) == "ValueError"


def test_what_is_no_document_at_all_is_broken_too(rules):
    with pytest.raises(BrokenGame, match="JSONDecodeError"):
        read_position("galaxy-7", rules, "{")


def test_rules_that_try_to_end_the_process_are_broken_like_others(rules):
    def ends(_document):
        raise SystemExit(0)

    with pytest.raises(BrokenGame, match="cannot read the position: SystemExit"):
        read_position("galaxy-7", replace(rules, load=ends), "{}")


def test_a_position_that_comes_back_as_another_is_told(rules):
    one = rules.load({"turn": 1, "players": [{"name": "Altair", "score": 1}]})
    read_back("galaxy-7", rules, one, json.dumps(rules.dump(one)))
    other = json.dumps(rules.dump(one) | {"turn": 2})
    with pytest.raises(BrokenGame, match="does not read the position that it wrote as what it was"):
        read_back("galaxy-7", rules, one, other)


def test_of_a_position_with_other_options_only_what_is_wrong_with_them_is_told():
    assert told_of_options(PositionError("options.target", "is too low")) == "options.target: is too low"
    assert told_of_options(PositionError("sheets[0].lines[1]", '"Attack Terra": no')) == "it cannot be, at sheets[0].lines[1]"

"""Options of a game: completed with defaults, checked, typed on a command line."""

from dataclasses import dataclass

import pytest

from pbmd.rules import OptionError, OptionSpec
from pbmd.rules.options import changed, complete, from_text, option_words, options_of, words_in

SPECS = {
    spec.key: spec
    for spec in (
        OptionSpec("turn_limit", 0, "last turn", minimum=0, maximum=99),
        OptionSpec("turn_zero", False, "a turn before the first"),
        OptionSpec("capture_pick", "newest", "which base", choices=("newest", "oldest")),
        OptionSpec("motto", "", "any text"),
        OptionSpec("map", "usual", "where", choices=("usual", "other"), file_limit=20),
    )
}


def test_missing_options_have_their_defaults():
    assert complete(SPECS, {"turn_zero": True}) == {
        "turn_limit": 0,
        "turn_zero": True,
        "capture_pick": "newest",
        "motto": "",
        "map": "usual",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"turn_limits": 1}, 'there is no option "turn_limits"; did you mean "turn_limit"?'),
        ({"map": "mine"}, 'option "map" is one of usual, other, or a file, not "mine"'),
        ({"map": "21 characters, which\n"}, 'option "map": the file has 21 characters, and may have 20'),
        ({"zzz": 1}, 'there is no option "zzz"; its options are turn_limit, '),
        ({"turn_limit": True}, "whole number, not True"),
        ({"turn_limit": "3"}, "whole number, not '3'"),
        ({"turn_limit": 1.0}, "whole number, not 1.0"),
        ({"turn_zero": 1}, 'option "turn_zero" is true or false, not 1'),
        ({"turn_limit": -1}, 'option "turn_limit" is at least 0, not -1'),
        ({"turn_limit": 100}, 'option "turn_limit" is at most 99, not 100'),
        ({"capture_pick": "first"}, 'option "capture_pick" is one of newest, oldest, not "first"'),
    ],
)
def test_a_wrong_option_is_refused_with_what_is_allowed(given, message):
    with pytest.raises(OptionError) as problem:
        complete(SPECS, given)
    assert message in str(problem.value)


@pytest.mark.parametrize(("key", "limit"), [("turn_limit", 0), ("turn_limit", 99)])
def test_limits_belong_to_the_range(key, limit):
    assert complete(SPECS, {key: limit})[key] == limit


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("turn_limit", "12", 12),
        ("turn_zero", "yes", True),
        ("turn_zero", "TRUE", True),
        ("turn_zero", "off", False),
        ("capture_pick", "oldest", "oldest"),
        ("capture_pick", " Oldest", "oldest"),
        ("map", "OTHER", "other"),
        ("motto", "No Surrender", "No Surrender"),
        ("motto", "a=b", "a=b"),
    ],
)
def test_options_as_typed(key, text, value):
    assert from_text(SPECS[key], text) == value
    assert type(from_text(SPECS[key], text)) is type(value)


@pytest.mark.parametrize(
    ("key", "text"), [("turn_limit", "many"), ("turn_limit", "100"), ("turn_zero", "maybe"), ("capture_pick", "x")]
)
def test_options_typed_wrongly_name_the_option(key, text):
    with pytest.raises(OptionError, match=f'option "{key}" is '):
        from_text(SPECS[key], text)


def test_kinds_are_in_plain_words():
    kinds = ["whole number", "true or false", "one of newest, oldest", "text", "one of usual, other, or a file"]
    assert [spec.kind for spec in SPECS.values()] == kinds


def test_what_is_changed_is_what_differs_from_the_handbook_whatever_was_said():
    specs = {"cost": OptionSpec("cost", 3, ""), "bold": OptionSpec("bold", False, "")}
    assert changed(specs, {"cost": 3, "bold": True, "unknown": 1}) == {"bold": True}


@dataclass(frozen=True)
class Chosen:
    turn_limit: int
    turn_zero: bool
    capture_pick: str
    motto: tuple[str, ...]
    map: str


def test_options_become_the_fields_of_a_class():
    readers = {"motto": lambda text: words_in("motto", text, ("guns", "ships"))}
    assert options_of(SPECS, Chosen, [("motto", "Ships, guns")], readers) == Chosen(
        0, False, "newest", ("guns", "ships"), "usual"
    )
    with pytest.raises(OptionError, match='option "motto": there is no "sails"; there are guns, ships'):
        options_of(SPECS, Chosen, [("motto", "sails")], readers)
    with pytest.raises(OptionError, match='option "turn_limit" is at most 99, not 100'):
        options_of(SPECS, Chosen, [("turn_limit", 100)])


def test_the_text_of_a_file_is_taken_as_it_is_where_an_option_can_be_one():
    assert complete(SPECS, {"map": "size = 3\n"})["map"] == "size = 3\n"
    with pytest.raises(OptionError, match="one of newest, oldest, not"):
        complete(SPECS, {"capture_pick": "size = 3\n"})


def test_of_a_file_people_read_how_long_it_is_and_what_tells_it_from_others():
    assert option_words("a = 1\nb = 2\n") == "a file of 2 lines, sha-256 fe9c2dadb34bee2a"
    assert [option_words(value) for value in (True, 12, "Oldest")] == ["true", "12", "Oldest"]

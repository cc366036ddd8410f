"""What the kit checks of sign-ups when a game begins."""

import pytest

from pbmd.rules import Line, Refused, Signup, Status, Verdict
from pbmd.rules.checking import Fault
from pbmd.rules.signups import SetupField, check_by_name, must_be_sound, name_taken, no_room, read_setup, seat_verdict
from tests.rules.count import info


def _no_name_twice(signup, accepted, options):
    status = Status.ERROR if signup.seat in [other.seat for other in accepted] else Status.OK
    return (Verdict(1, "", Status.WARNING, f"{options['word']} is late"), Verdict(0, signup.seat, status, "this name is taken"))


def test_each_is_checked_with_those_before_it():
    must_be_sound(info, _no_name_twice, (Signup("Ann"), Signup("Bob")), {"word": "it"})
    with pytest.raises(Refused, match="Bob: this name is taken"):
        must_be_sound(info, _no_name_twice, (Signup("Ann"), Signup("Bob"), Signup("Bob")), {"word": "it"})


def test_there_must_be_enough_of_them():
    with pytest.raises(Refused, match="Count needs at least 2 players, not 1"):
        must_be_sound(info, _no_name_twice, (Signup("Ann"),), {"word": "it"})


def _capital(text):
    if not text:
        raise Fault("the capital has no name", "no_name")
    return text.title()


FIELDS = (SetupField("Capital", "Annopolis", _capital, ("Main city",)), SetupField("Colour", "Red", str))


def _read(*texts, **how):
    return read_setup([Line(number, text) for number, text in enumerate(texts, start=1)], FIELDS, **how)


def test_set_up_lines_are_read_by_what_they_begin_with():
    verdicts, values = _read("CAPITAL:  new   york", "", "colour: blue")
    assert values == {"Capital": "New York", "Colour": "blue"}
    assert [(verdict.line, verdict.status, verdict.canonical) for verdict in verdicts] == [
        (1, Status.OK, "Capital: New York"),
        (3, Status.OK, "Colour: blue"),
    ]
    assert _read("Main City: Rome")[1] == {"Capital": "Rome"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["Capitol: Rome"], "a sign-up can have one line each for Capital and Colour. For example: Capital: Annopolis"),
        (["Colour: Red", "colour: Blue"], "Colour is there twice."),
        (["Capital:"], "the capital has no name. For example: Capital: Annopolis"),
    ],
)
def test_wrong_set_up_lines_are_answered_with_a_right_one(texts, message):
    assert _read(*texts)[0][-1].message == message


def test_where_there_are_no_set_up_lines_each_is_refused():
    (verdict,), values = read_setup([Line(1, "Colour: Red")], ())
    assert (verdict.status, verdict.message) == (Status.ERROR, "a sign-up has no lines in this game.")
    assert values == {}


@pytest.mark.parametrize("text", ["COLOUR Red", " colour  Red", "colour: Red", "Colour : Red"])
def test_the_colon_can_be_left_out_where_the_rules_say_so(text):
    assert _read(text, colon=False)[1] == {"Colour": "Red"}
    assert _read("Motto to the stars", colon=False)[1] == {}
    assert _read("Colour Red")[1] == {}


def test_a_name_is_kept_by_the_first_to_arrive():
    assert name_taken("ANN ", [Signup("Ann")], "faction") == "another faction has this name already"
    assert name_taken("Anna", [Signup("Ann")], "faction") == ""


def test_a_game_has_room_or_is_full():
    assert no_room([Signup("Ann")], 2, "players") == ""
    assert no_room([Signup("Ann"), Signup("Bob")], 2, "players") == "the game is for 2 players and full"
    assert no_room([Signup("Ann")] * 99, 0, "players") == ""


def test_a_name_gets_a_verdict():
    assert seat_verdict(Signup("Ann"), "") == Verdict(0, "Ann", Status.OK)
    assert seat_verdict(Signup("Ann"), "too short") == Verdict(0, "Ann", Status.ERROR, '"Ann": too short')


@pytest.mark.parametrize(
    ("name", "accepted", "message"),
    [
        ("ann", ["Ann"], '"ann": another counter has this name already'),
        ("Eve", ["Ann", "Bob", "Cay", "Dan"], '"Eve": the game is for 4 counters and full'),
        ("1. Ann", [], '"1. Ann": in an order it would be read as "Ann"'),
        ("Ann!", [], '"Ann!": a name begins and ends with a letter or a digit'),
        ("***", [], '"***": a name begins and ends with a letter or a digit'),
        ("’", [], '"’": a name begins and ends with a letter or a digit'),
        ("", [], '"": a name begins and ends with a letter or a digit'),
        ("Ann\u200bBob", [], '"Ann\u200bBob": the name has a character that cannot be shown'),
        ("O’Neill", ["O'NEILL"], '"O’Neill": another counter has this name already'),
        ("O’Neill", ["Ann"], ""),
        ("राधा", [], ""),
        ("Mary Ann", ["Ann"], ""),
    ],
)
def test_where_a_name_is_all_it_must_be_free_and_readable(name, accepted, message):
    (verdict,) = check_by_name(info)(Signup(name), [Signup(other) for other in accepted], {})
    assert (verdict.line, verdict.message, verdict.status) == (0, message, Status.ERROR if message else Status.OK)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("O’Neill", "O'Neill"),
        ("Jean–Luc", "Jean-Luc"),
        ("Mary\u00a0  Ann", "Mary Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Ann", "Ann"),
    ],
)
def test_a_name_is_kept_as_orders_are_read(written, kept):
    check = check_by_name(info)
    assert [verdict.canonical for verdict in check(Signup(written), (), {})] == [kept]
    assert [verdict.canonical for verdict in check(Signup(kept), (), {})] == [kept]


def test_a_sign_up_by_name_can_have_set_up_lines_and_must_have_those_that_are_required():
    fields = (FIELDS[0]._replace(required=True), FIELDS[1])
    check = check_by_name(info, fields)
    named, line = check(Signup("Ann", (Line(1, "main city: rome"),)), (), {})
    assert (named.status, line.status, line.canonical) == (Status.OK, Status.OK, "Capital: Rome")
    (named, line) = check(Signup("Ann", (Line(1, "Colour: Red"),)), (), {})
    assert named.message == '"Ann": a sign-up needs 1 more line, like Capital: Annopolis'
    assert (named.status, line.status) == (Status.ERROR, Status.OK)


def test_a_required_line_that_is_wrong_is_not_called_missing():
    check = check_by_name(info, (FIELDS[0]._replace(required=True),))
    named, line = check(Signup("Ann", (Line(1, "Capital:"),)), (), {})
    assert (named.status, line.message) == (Status.OK, "the capital has no name. For example: Capital: Annopolis")


def test_where_a_name_is_all_there_are_no_set_up_lines():
    verdicts = check_by_name(info)(Signup("Ann", (Line(1, "Colour: Red"),)), (), {})
    assert [verdict.status for verdict in verdicts] == [Status.OK, Status.ERROR]


def test_a_sign_up_may_have_a_single_set_up_line():
    (verdict,), values = read_setup([Line(1, "Motto: yes")], FIELDS[:1])
    assert (verdict.message, values) == ("a sign-up can have one line for Capital. For example: Capital: Annopolis", {})

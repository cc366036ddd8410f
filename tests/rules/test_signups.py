"""What the kit checks of sign-ups when a game begins."""

import pytest

from pbmd.rules import Line, Refused, Signup, Status, Verdict
from pbmd.rules.signups import SetupField, must_be_sound, read_setup


def _no_name_twice(signup, accepted, options):
    status = Status.ERROR if signup.seat in [other.seat for other in accepted] else Status.OK
    return (Verdict(1, "", Status.WARNING, f"{options['word']} is late"), Verdict(0, signup.seat, status, "this name is taken"))


def test_each_is_checked_with_those_before_it():
    must_be_sound(_no_name_twice, (Signup("Ann"), Signup("Bob")), {"word": "it"})
    with pytest.raises(Refused, match="Bob: this name is taken"):
        must_be_sound(_no_name_twice, (Signup("Ann"), Signup("Bob"), Signup("Bob")), {"word": "it"})


def _read(*texts, **how):
    fields = (SetupField("Capital", "Annopolis", str), SetupField("Home", "Sol", str, also=("start",)))
    verdicts, values = read_setup([Line(number, text) for number, text in enumerate(texts, start=1)], fields, **how)
    return [verdict.canonical or verdict.message for verdict in verdicts], values


@pytest.mark.parametrize("text", ["Capital: Annopolis", " capital :  Annopolis "])
def test_a_set_up_line_has_a_colon(text):
    assert _read(text) == (["Capital: Annopolis"], {"Capital": "Annopolis"})
    assert _read("Capital Annopolis") == (
        ["a sign-up can have one line each for Capital and Home. Right: Capital: Annopolis"],
        {},
    )


@pytest.mark.parametrize("text", ["START Sol", " start  Sol", "start: Sol", "Start : Sol"])
def test_the_colon_can_be_left_out_where_the_rules_say_so(text):
    assert _read(text, colon=False) == (["Home: Sol"], {"Home": "Sol"})
    assert _read("Motto to the stars", colon=False)[1] == {}

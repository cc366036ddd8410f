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


@pytest.mark.parametrize(
    ("keys", "words"), [(("Capital",), "one line for Capital."), (("A", "B"), "one line each for A and B.")]
)
def test_a_line_that_is_none_of_the_set_up_is_answered_with_those_there_are(keys, words):
    (verdict,), values = read_setup([Line(1, "Motto: yes")], [SetupField(key, "Rome", str) for key in keys])
    assert (verdict.status, verdict.message) == (Status.ERROR, f"a sign-up can have {words} Right: {keys[0]}: Rome")
    assert not values

"""What the kit checks of sign-ups when a game begins."""

import pytest

from pbmd.rules import Refused, Signup, Status, Verdict
from pbmd.rules.signups import must_be_sound


def _no_name_twice(signup, accepted, options):
    status = Status.ERROR if signup.seat in [other.seat for other in accepted] else Status.OK
    return (Verdict(1, "", Status.WARNING, f"{options['word']} is late"), Verdict(0, signup.seat, status, "this name is taken"))


def test_each_is_checked_with_those_before_it():
    must_be_sound(_no_name_twice, (Signup("Ann"), Signup("Bob")), {"word": "it"})
    with pytest.raises(Refused, match="Bob: this name is taken"):
        must_be_sound(_no_name_twice, (Signup("Ann"), Signup("Bob"), Signup("Bob")), {"word": "it"})

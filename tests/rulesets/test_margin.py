"""Reports as text keep to the margin of 76 columns, also where names are long and much happens at once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pbmd.rendering.render import report_text
from pbmd.rules import PUBLIC, Signup, seat_reader
from pbmd.rules.registry import get
from tests.rulesets.random_games import SLUGS, steps

MARGIN = 76


def long_names(players: Sequence[Signup]) -> Sequence[Signup]:
    """Names of 24 characters."""
    return [replace(signup, seat=f"The Union of {signup.seat}"[:22] + f" {place}") for place, signup in enumerate(players)]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("slug", SLUGS)
def test_no_line_of_a_report_is_longer_than_the_margin(slug: str) -> None:
    ruleset = get(slug)
    for seed in range(3):
        # Where players choose among the seats that there are, names are as long as they are.
        named = long_names if ruleset.sample_signup is None else list
        for position, events in steps(ruleset, seed, 8, named):
            for reader in (PUBLIC, *map(seat_reader, ruleset.seats(position))):
                text = report_text(ruleset, ruleset.view(position, events, reader))
                assert [line for line in text.splitlines() if len(line) > MARGIN] == []

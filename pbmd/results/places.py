"""In which places the seats of a game ended."""

from collections.abc import Iterable, Mapping
from typing import Any

from pbmd.rules import Ruleset
from pbmd.rules.placing import ranked_places


def places_at_end(rules: Ruleset[Any], position: Any, winners: Iterable[str]) -> Mapping[str, int]:
    """The places in a game that ended with this position and these winners; none if the rules give none. If they did not end
    it, only the winners are known, or who shares the draw that players have voted for."""
    if rules.places is None or rules.outcome(position) is None:
        return places_of_winners(rules.seats(position), winners)
    return rules.places(position)


def places_of_winners(seats: Iterable[str], winners: Iterable[str]) -> dict[str, int]:
    """The others share the place after the winners; where nobody has won, all share the first."""
    won = {*winners}
    return ranked_places({seat: (int(seat in won),) for seat in seats})

"""How strong the listed players are, by whom they finished before and behind: the model of Plackett and Luce as in OpenSkill,
which is for games of any number of players, with ties.

Everybody begins alike. Whoever is not listed is, in each game anew, somebody of whom nothing is known.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbmd.results.finished import GameResult

_WIDTH = 2
"""The true strength is within so many standard deviations in 19 of 20 cases."""
MEANING = (
    "A rating says how strong a player is, by whom they finished before and behind: all begin at 25, the truth is within the ± "
    "in 19 of 20 cases, and the table goes by its lower end, so that a few lucky games do not lead it."
)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in tenths, and how far it may be off."""

    strength: float
    uncertainty: float

    @property
    def sure(self) -> float:
        """What the strength is at least, most likely: tables go by it."""
        return round(self.strength - self.uncertainty, 1)


def ratings(games: Iterable[GameResult]) -> Mapping[str, Rating]:
    """The rating of each listed player after these games, in the order in which they ended."""
    from openskill.models import PlackettLuce  # it is needed by few commands

    model = PlackettLuce()
    found = {}
    for game in games:
        if len(game.seats) > 1:
            # In this order, so that the result does not hang on that of the seats.
            seats = sorted(game.seats, key=lambda seat: (seat.place, seat.player))
            teams = [[found.get(seat.player) or model.rating()] for seat in seats]
            rated = model.rate(teams, ranks=[float(seat.place) for seat in seats])
            found |= {seat.player: new for seat, (new,) in zip(seats, rated, strict=True) if seat.player}
    return {player: Rating(round(each.mu, 1), round(_WIDTH * each.sigma, 1)) for player, each in found.items()}

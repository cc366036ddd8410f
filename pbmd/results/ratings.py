"""How strong the listed players are, by whom they finished before and behind: the model of Plackett and Luce as in OpenSkill,
which is for games of any number of players.

For ties OpenSkill divides what a place says by those who share it: of three who share a draw of seven each would rise less than
whoever comes fourth. So a game with ties is rated once for each of some orders in which it could have ended without, and the
mean counts.

Everybody begins alike. Whoever is not listed is, in each game anew, somebody of whom nothing is known.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm
from statistics import fmean

from pbmd.results.finished import GameResult

_MOST_TURNS = 60
"""Each forwards and backwards. It takes more only where many share places in groups of many sizes, as in a game of 34: then
those who share a place may come out a tenth apart."""
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
            rated = [model.rate(teams, ranks=ranks) for ranks in _without_ties([seat.place for seat in seats])]
            for seat, of_seat in zip(seats, zip(*rated, strict=True), strict=True):
                if seat.player:
                    found[seat.player] = model.rating(
                        fmean(new.mu for (new,) in of_seat), fmean(new.sigma for (new,) in of_seat)
                    )
    return {player: Rating(round(each.mu, 1), round(_WIDTH * each.sigma, 1)) for player, each in found.items()}


def _without_ties(places: Sequence[int]) -> Iterator[list[float]]:
    """Orders without ties: those who share a place come in it one behind the other, each as often at each end of it as at the
    other, and each of two as often before the other as behind."""
    shared = Counter(places)
    turns = min(lcm(*shared.values()), _MOST_TURNS)
    for backwards, turn in product((False, True)[: min(turns, 2)], range(turns)):
        seen: Counter[int] = Counter()
        keys: list[tuple[int, int]] = []
        for place in places:
            behind = (seen[place] + turn) % shared[place]
            keys.append((place, -behind if backwards else behind))
            seen[place] += 1
        ranks = {key: float(rank) for rank, key in enumerate(sorted(keys), 1)}
        yield [ranks[key] for key in keys]

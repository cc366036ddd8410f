"""Results by ruleset and player, as tables show them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from pbmd.results.finished import GameResult, SeatResult, Steps
from pbmd.results.ratings import Rating, ratings

PLACES = ("1st", "2nd", "3rd", "lower")
"""The places that are counted."""
_NAMED_PLACES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A listed player: the games whose seat was theirs at the end, how often they came in the first, second, third and a lower
    place, wins, draws, the steps of these and all other games that are over, and the rating, None before the first game."""

    player: str
    games: int
    places: tuple[int, int, int, int]
    wins: int
    draws: int
    steps: Steps
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class RulesetResults:
    """The results in games of one ruleset: the best player first, and the games with listed players, the last first."""

    ruleset: str
    title: str
    players: tuple[PlayerResult, ...]
    games: tuple[GameResult, ...]


def results_of(games: Sequence[GameResult]) -> tuple[RulesetResults, ...]:
    """The results by ruleset, in the order of their titles. The games are in the order in which they ended."""
    titles = {game.ruleset: game.title for game in games}
    of = {slug: [game for game in games if game.ruleset == slug] for slug in titles}
    order = sorted(titles, key=lambda slug: (titles[slug].casefold(), slug))
    return tuple(RulesetResults(slug, titles[slug], _players(of[slug]), _shown(of[slug])) for slug in order)


def _shown(games: Iterable[GameResult]) -> tuple[GameResult, ...]:
    return tuple(game for game in reversed([*games]) if any(seat.player for seat in game.seats))


def _players(games: Sequence[GameResult]) -> tuple[PlayerResult, ...]:
    rated = ratings(games)
    seats: dict[str, list[SeatResult]] = {}
    steps: dict[str, list[Steps]] = {}
    for game in games:
        for seat in game.seats:
            if seat.player:
                seats.setdefault(seat.player, []).append(seat)
        for player, played in game.steps.items():
            steps.setdefault(player, []).append(played)
    players = [
        _player(name, seats.get(name, ()), reduce(add, steps.get(name, ()), Steps()), rated.get(name))
        for name in {**seats, **steps}
    ]
    return tuple(sorted(players, key=_rank))


def _player(name: str, seats: Sequence[SeatResult], steps: Steps, rating: Rating | None) -> PlayerResult:
    first, second, third = (sum(seat.place == place for seat in seats) for place in _NAMED_PLACES)
    return PlayerResult(
        player=name,
        games=len(seats),
        places=(first, second, third, len(seats) - first - second - third),
        wins=sum(seat.won for seat in seats),
        draws=sum(seat.drew for seat in seats),
        steps=steps,
        rating=rating,
    )


def _rank(player: PlayerResult) -> tuple[bool, float, float, str]:
    """Whoever is surely the strongest comes first; of equals who comes first in the alphabet."""
    rating = player.rating
    if rating is None:
        return (True, 0.0, 0.0, player.player.casefold())
    return (False, -rating.sure, -rating.strength, player.player.casefold())

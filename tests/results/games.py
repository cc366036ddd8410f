"""Games of a desk that are over, for results."""

from datetime import timedelta
from functools import partial

from pbmd.desk.books.attendance import digest_of_player
from pbmd.results.finished import FinishedGames, finished_games
from pbmd.results.table import PlayerResult, results_of
from tests.desk.world import World


def play(world: World, name: str, **orders: str) -> None:
    """A game of Count to 9, of one turn in which these seats send orders."""
    world.count(name, tuple(orders), target=9)
    for seat, order in orders.items():
        world.send(seat, order, game=name)
    assert world.pass_time(timedelta(minutes=1)) == 1


def over(world: World) -> FinishedGames:
    """The games that count."""
    with world.work() as work:
        return finished_games(work.session, world.desk.ruleset, partial(digest_of_player, world.desk.key))


def players(world: World) -> dict[str, PlayerResult]:
    """The results of all listed players."""
    return {player.player: player for of in results_of(over(world).games) for player in of.players}


def list_as(world: World, seat: str, name: str, game: str) -> None:
    """The holder of a seat agrees to be listed."""
    world.send(seat, f"LIST ME AS {name}", game=game)

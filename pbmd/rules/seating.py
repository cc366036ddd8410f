"""Who gets which seat, where players say which they would like: the seats as a whole are given as well as can be.

A player who gets a seat is as dissatisfied as there are seats that they like better. Of all ways to give the seats, the one
with the least dissatisfaction in all is taken. Where several are as good, a lot decides who chooses first among these ways,
who second and so on; and another one between seats that a player likes equally.
"""

import hashlib
from collections.abc import Mapping, Sequence

from pbmd.rules.dice import Dice, HmacDice
from pbmd.rules.preferences import Ranks, from_lines
from pbmd.rules.randomly import shuffled
from pbmd.rules.salts import Salts, digest_of_all

_SEATING = b"seating"


def seats_given(
    lists: Mapping[str, Sequence[str]], seats: Sequence[str], secret: bytes, salts: Salts
) -> tuple[Mapping[str, str], HmacDice]:
    """Who gets which seat, by the lists as they are kept, and the dice that were rolled for it: from the secret of the set-up,
    and bound to the lists, each with its salt. They are no dice of the set-up itself. Raises `ValueError` if there are more
    players than seats."""
    dice = HmacDice(secret, hashlib.sha256(_SEATING + digest_of_all(salts, lists)).digest())
    found = assigned([from_lines(lines) for lines in lists.values()], seats, dice)
    return dict(zip(lists, found, strict=True)), dice


def dissatisfaction(ranks: Ranks, seat: str) -> int:
    """How many seats a player likes better; those that a list does not name are liked equally, and less than all that it
    names."""
    better = 0
    for rank in ranks:
        if seat in rank:
            break
        better += len(rank)
    return better


def assigned(lists: Sequence[Ranks], seats: Sequence[str], dice: Dice) -> tuple[str, ...]:
    """The seat of each player. Dice: the players in the order in which they choose, then the seats in theirs. Raises
    `ValueError` if there are more players than seats.

    Both rules are one number: the dissatisfaction in all has priority over everything else, and the choice of each player over
    those of all who choose later.
    """
    if len(lists) > len(seats):
        raise ValueError(f"there are {len(lists)} players for {len(seats)} seats")
    chooses = {player: place for place, player in enumerate(shuffled(dice, range(len(lists))))}
    prior = {seat: place for place, seat in enumerate(shuffled(dice, seats))}
    base, last = len(seats) ** 2, len(lists) - 1

    def cost(player: int, seat: str) -> int:
        wish = dissatisfaction(lists[player], seat)
        choice = wish * len(seats) + prior[seat]
        return wish * base ** len(lists) + choice * base ** (last - chooses[player])

    found = _cheapest([[cost(player, seat) for seat in seats] for player in range(len(lists))])
    return tuple(seats[place] for place in found)


def _cheapest(costs: Sequence[Sequence[int]]) -> list[int]:
    """A column for each row, no two the same, with the least sum: the Hungarian method (Kuhn, Munkres), which takes in one row
    after another along the cheapest path that frees a column for it. There are no fewer columns than rows."""
    columns = len(costs[0]) if costs else 0
    of_row, of_column = [0] * len(costs), [0] * columns
    """What each row and column adds to a cost at least: no cost is less than both, and that of a chosen place is both."""
    row_in: dict[int, int] = {}
    for new in range(len(costs)):
        reached: dict[int, int] = {}
        slack, before = dict[int, int](), dict[int, int | None]()
        row, column, paid = new, None, 0
        while True:
            for other in range(columns):
                length = paid + costs[row][other] - of_row[row] - of_column[other]
                if other not in reached and (other not in slack or length < slack[other]):
                    slack[other], before[other] = length, column
            column = min(slack, key=lambda other: (slack[other], other))
            paid = reached[column] = slack.pop(column)
            if column not in row_in:
                break
            row = row_in[column]
        of_row[new] += paid
        for other, length in reached.items():
            of_column[other] -= paid - length
            if other in row_in:
                of_row[row_in[other]] += paid - length
        while column is not None:
            ahead = before[column]
            row_in[column] = new if ahead is None else row_in[ahead]
            column = ahead
    return [column for _, column in sorted((row, column) for column, row in row_in.items())]

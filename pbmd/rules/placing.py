"""The places of the seats of a game that is over: 1 for the best, and the same for seats that are equal."""

from collections.abc import Mapping


def ranked_places(standing: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The places of seats by how well each stands, the more the better: first by the first number, then by the next. Equal
    seats share a place, and the next has as many before it as there are: 1, 2, 2, 4."""
    return {seat: 1 + sum(other > own for other in standing.values()) for seat, own in standing.items()}

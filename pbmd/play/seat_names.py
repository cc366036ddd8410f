"""The seats that somebody means by the beginnings of their names."""

from collections.abc import Sequence

from pbmd.rules.names import fold, near_to
from pbmd.rules.words import listing


class NoSuchSeatError(ValueError):
    """A name that no seat has, or that several begin with. The message says which there are."""


def seats_of(names: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """The seats that these names mean, or begin like. Raises `NoSuchSeatError`."""
    return tuple(seat for seat in seats if seat in {_seat_of(name, seats) for name in names})


def _seat_of(name: str, seats: Sequence[str]) -> str:
    like = [seat for seat in seats if seat.casefold() == name.casefold()] or [
        seat for seat in seats if seat.casefold().startswith(name.casefold())
    ]
    if len(like) == 1:
        return like[0]
    if like:
        raise NoSuchSeatError(f'"{name}" may be {listing(like, "or")}')
    near = near_to(fold(name), [fold(seat) for seat in seats])
    hint = "".join(f'; did you mean "{seat}"?' for seat in seats if fold(seat) in near)
    raise NoSuchSeatError(f'no seat is called "{name}"{hint or f"; there are {listing(seats)}"}')

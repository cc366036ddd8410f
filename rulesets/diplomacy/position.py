"""Positions as documents, and what the desk needs to know between inputs: whose orders are awaited, how the game ended."""

from collections.abc import Mapping
from dataclasses import replace

from pbmd.rules import Outcome, Refused, Resolution
from pbmd.rules.checking import note_missed
from pbmd.rules.codec import codec
from pbmd.rules.placing import ranked_places
from pbmd.rules.sound import check_on_file, must_differ
from pbmd.rules.words import listing

from .checks import checked_ahead, checked_on_file
from .resolution.votes import ends_by_votes
from .resolution.waiting import is_called, waiting_for
from .tables import INFO
from .world.sound import sound
from .world.state import End, Position


def _sound(read: Position) -> Position:
    position = sound(read)
    able = () if position.is_over else position.active
    # A power that has sent only orders for later phases, or a vote, can have missed the deadline of this one.
    must_differ("missed", "", position.missed)
    without = tuple(seat for seat in position.missed if seat not in _waiting_for(position))
    check_on_file(replace(position, missed=without), able, checked_on_file)
    checked_ahead(position, able)
    return position


def _waiting_for(position: Position) -> tuple[str, ...]:
    try:
        return waiting_for(position)
    except ValueError:  # a line that is no order: the error names its place
        return ()


CODEC = codec(Position, INFO, _sound)


def seats(position: Position) -> tuple[str, ...]:
    """The powers that are played, in the order of sign-up, including those who have left."""
    return position.seats


def awaiting(position: Position) -> tuple[str, ...]:
    """Powers that can act, have sent nothing for this phase, and whose deadline has not passed (DI-03); none as soon as votes
    end the game (DI-85)."""
    called = is_called(position)
    if not position.sheets and not position.missed:
        return called
    later = waiting_for(position)
    if later and ends_by_votes(position):
        return ()
    done = {*position.missed, *(sheet.seat for sheet in position.sheets if sheet.seat not in later)}
    return tuple(seat for seat in called if seat not in done)


def step_name(position: Position) -> str:
    """The phase as players call it: "autumn 1902 retreats", "winter 1902"."""
    season, _, kind = position.phase.partition(" ")
    return "" if position.is_over else f"{season} {position.year} {kind}".rstrip()


def phase(position: Position) -> str:
    """The kind of the phase, for which a game can have terms of its own."""
    return "" if position.is_over else "builds" if position.kind == "winter" else position.kind


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a power passed (DI-05). Nothing changes for one that is not awaited."""
    return note_missed(position, seat, awaiting(position))


def resign(position: Position, seat: str) -> Resolution[Position]:
    """The power is in civil disorder from now on (DI-04); its orders on file are dropped."""
    if position.is_over or seat in position.left:
        return Resolution(position)
    gone = replace(_unordered(position, seat), left=(*position.left, seat), asleep=_without(position.asleep, seat))
    return Resolution(gone)


def take_over(position: Position, seat: str, _holder: str | None) -> Position:
    """A new holder plays the power, again if it had been given up, or its player was asleep."""
    if seat in position.active:
        return position
    if position.is_over:
        raise Refused("the game is over")
    return replace(position, left=_without(position.left, seat), asleep=_without(position.asleep, seat))


def disorder(position: Position, seat: str, asleep: bool) -> Position:
    """The power is in civil disorder (DI-04) as long as its player is asleep."""
    if position.is_over or seat in position.left or asleep == (seat in position.asleep):
        return position
    if not asleep:
        return replace(position, asleep=_without(position.asleep, seat))
    return replace(_unordered(position, seat), asleep=(*position.asleep, seat))


def _unordered(position: Position, seat: str) -> Position:
    """Without the power's orders on file, and without a miss of its."""
    return replace(
        position,
        sheets=tuple(sheet for sheet in position.sheets if sheet.seat != seat),
        ahead=tuple(sheet for sheet in position.ahead if sheet.seat != seat),
        missed=_without(position.missed, seat),
    )


def _without(names: tuple[str, ...], seat: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != seat)


_ENDS: Mapping[End, str] = {
    "victory": "{winners} has won, with {centres} centres.",
    "concession": "All others have conceded to {winners}.",
    "draw": "All have agreed to a draw of {winners}.",
    "last year": "The last year is over: a draw of {winners}.",
    "abandoned": "Nobody is left to play; nobody has won.",
}


def outcome(position: Position) -> Outcome | None:
    """None while the game is running; else who has won, nobody in a draw, and how (DI-80 to DI-87)."""
    if not position.is_over:
        return None
    won = position.end in ("victory", "concession") and set(position.winners) <= set(position.seats)
    centres = sum(len(position.by_power[name].centres) for name in position.winners)
    reason = _ENDS[position.end].format(winners=listing(position.winners), centres=centres)
    return Outcome(position.winners if won else (), reason)


def places(position: Position) -> Mapping[str, int]:
    """Whoever has won, or shares the draw, is first; then those with more centres, then those who had some for longer (DI-88).
    None if nobody is left to play."""
    if position.end == "abandoned":
        return {}
    if position.winners and not set(position.winners) & set(position.seats):
        # A power that nobody plays has won: it is before all others.
        return {seat: place + 1 for seat, place in _ranked(position).items()}
    return _ranked(position)


def _ranked(position: Position) -> Mapping[str, int]:
    return ranked_places(
        {
            seat: (int(seat in position.winners), len(position.by_power[seat].centres), _last_year(position, seat))
            for seat in position.seats
        }
    )


def _last_year(position: Position, seat: str) -> int:
    """The last year at whose end the power had centres; 0 if that is not recorded."""
    column = 1 + [power.name for power in position.powers].index(seat)
    return max((year[0] for year in position.history if year[column]), default=0)

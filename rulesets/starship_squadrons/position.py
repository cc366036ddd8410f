"""Positions as documents, and what the desk needs to know between inputs: whose orders are awaited, how the game ended.

In phases mode every phase is a step of its own (section 7.5); several steps then have the same turn.
"""

from dataclasses import replace

from pbmd.rules import Outcome, Refused, Resolution
from pbmd.rules.checking import note_missed, still_awaited
from pbmd.rules.codec import codec
from pbmd.rules.sound import check_on_file

from .checks import checked_on_file
from .tables import INFO
from .world.soundness import completed
from .world.state import Player, Position


def _sound(read: Position) -> Position:
    position = completed(read)
    return check_on_file(position, () if position.is_over else position.by_player, checked_on_file)


CODEC = codec(Position, INFO, _sound)


def seats(position: Position) -> tuple[str, ...]:
    """All players in sign-up order, including those who have left."""
    return tuple(player.name for player in position.players)


def is_idle(position: Position) -> bool:
    """Whether it is a fire phase in which nobody can fire, as both sides can see: no board has counters of both (section
    7.5)."""
    if position.phase not in ("1f", "2f") or position.options.fog == "sensors":
        return False
    counters = (*position.units, *position.questions)
    boards = {(counter.place.system, counter.side) for counter in counters if counter.place is not None}
    return not any((name, 1) in boards and (name, 2) in boards for name in position.by_system)


def is_called(position: Position, player: Player) -> bool:
    """Whether this step would await orders of the player if there were none on file (section 7.5, 7.6)."""
    if position.is_over or not player.active or player.wait:
        return False
    side = position.mover
    if side is None:
        return not is_idle(position)
    squadrons = (unit for unit in position.units if unit.is_squadron and unit.place is not None)
    questions = (question for question in position.questions if question.place is not None)
    return player.side == side and any(counter.player == player.name for counter in (*squadrons, *questions))


def awaiting(position: Position) -> tuple[str, ...]:
    """Players who are called, have sent nothing, and whose deadline has not passed."""
    return still_awaited(position, (player.name for player in position.players if is_called(position, player)))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of a player passed: default orders. Nothing changes for one who is not awaited."""
    return note_missed(position, seat, awaiting(position))


def resign(position: Position, seat: str) -> Resolution[Position]:
    """The player leaves; what is on file still counts. At the end of the day an ally takes the counters over (section 9)."""
    if position.is_over or position.by_player[seat].status == "resigned":
        return Resolution(position)
    return Resolution(position.with_player(replace(position.by_player[seat], status="resigned", wait=0)))


def take_over(position: Position, seat: str, _holder: str | None) -> Position:
    """A new holder plays the seat, again if it had been given up. Raises `Refused` once an ally has its counters."""
    player = position.by_player[seat]
    if player.active:
        return position
    if position.is_over:
        raise Refused("the game is over")
    has_counters = any(counter.player == seat for counter in (*position.units, *position.questions))
    if not has_counters and position.phase != "setup":
        raise Refused(f"what {seat} commanded has passed to an ally")
    return position.with_player(replace(player, status="active", missed=0))


def outcome(position: Position) -> Outcome | None:
    """None while the game is running, else the players of the winning side; a draw has none."""
    if not position.is_over:
        return None
    winners = tuple(player.name for player in position.players if player.side == position.winner)
    return Outcome(winners, position.reason)


_HOURS = {"setup": 168, "day": 72}


def step_name(position: Position) -> str:
    """What the step is called beyond its day; "" if the day says it all."""
    if position.phase == "setup":
        return "set-up"
    return "" if position.phase in ("day", "over") else f"phase {position.phase}"


def phase(position: Position) -> str:
    """The kind of the step, for which a game can have terms of its own: the set-up, or a day with its phases."""
    return "" if position.is_over else "set-up" if position.phase == "setup" else "days"


def hours(position: Position) -> int:
    """The hours that section 9 of the rules recommends for this step."""
    return _HOURS.get(position.phase, 24)

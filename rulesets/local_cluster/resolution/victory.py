"""Victory and the end of the game (section 10 of the rules)."""

from dataclasses import replace

from ..world.state import Position, Victory
from .move import Move


def proclaimed_planets(position: Position) -> dict[str, int]:
    """For each player, in list order, the planets of those who proclaim that one (LC-83, LC-R93)."""
    totals = dict.fromkeys((state.name for state in position.players), 0)
    for state in position.players:
        if state.proclaims in totals:
            totals[state.proclaims] += len(position.owned_by(state.name))
    return totals


def judge(move: Move) -> None:
    """End the game if somebody has won, or nobody is left."""
    position = move.position
    found = _result(position)
    if found is None:
        return
    victory, winner = found
    planets = proclaimed_planets(position).get(winner, 0)
    move.position = replace(position, phase="over", winner=winner, victory=victory, waiting=(), missed=(), held=())
    move.tell("game_over", {"turn": position.turn, "winner": winner, "victory": victory, "planets": planets})


def _result(position: Position) -> tuple[Victory, str] | None:
    by_decision, by_ascension = _by_decision(position), _by_ascension(position)
    first, second = (by_decision, by_ascension)
    if position.options.victory_order == "ascension_first":
        first, second = second, first
    if first or second:
        return first or second
    if position.options.last_player_wins and len(position.players) == 1:
        return "last_player", position.players[0].name
    return None if position.players else ("none", "")


def _by_decision(position: Position) -> tuple[Victory, str] | None:
    """The highest total of enough planets; among equals the earlier in the list (LC-R94)."""
    totals = proclaimed_planets(position)
    best = max(totals, key=totals.__getitem__, default="")
    return ("planets", best) if best and totals[best] >= position.options.victory_planets else None


def _by_ascension(position: Position) -> tuple[Victory, str] | None:
    """The first who researched Ascension and is still a player (LC-R95)."""
    for state in position.ascended:
        if position.by_name[state].kind == "player":
            return "ascension", state
    return None

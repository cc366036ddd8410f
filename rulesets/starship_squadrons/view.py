"""Who sees what (section 8 of the rules). A view is built from public facts, the reader's own, and the events they may know."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbmd.rules import Event, OptionValue, Reader, View, facts, seen_by
from pbmd.rules.sheets import sheet_of

from .checking.building import points_of
from .position import is_called, outcome, step_name
from .resolution.day import side_players
from .resolution.victory import score
from .telling.boards import Known, picture
from .telling.news import log, orders, public_news, told_of_days
from .telling.stand import standing as how_it_stands
from .telling.status import counters_of, losses_of, out_of_view, planets, remembered_rows, side_names, standing, zones
from .telling.strokes import happened
from .telling.you import own_turn
from .world.counters import Question, Unit
from .world.sight import Seen, open_board, shown, sight, sight_rows, transit_rows, transits_seen
from .world.state import Player, Position
from .world.systems import SideNumber, enemy_of


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """What the reader may know after the step that these events tell of; at the end of the game everything (section 8.1)."""
    known = seen_by(events, reader)
    player = position.by_player.get(reader.seat) if reader.kind == "seat" else None
    end = outcome(position)
    news = public_news(known, reader.seat)
    data: dict[str, Any] = {
        "resolved": _resolved(known),
        "step": step_name(position),
        "over": position.is_over,
        "outcome": end.reason if end else "",
        "news": news,
        "sides": [_side(position, number) for number in (1, 2)],
        "planets": planets(position, player.side if player else 0),
        "last_day": position.options.last_day,
        "capitals": sum(body.capital for system in position.systems for body in system.bodies),
        "options": [f"{key} = {_option(value)}" for key, value in position.given],
        "map": picture(position, _with_strokes(_known(position, player, reader), known)),
        "stand": how_it_stands(position, player, (*_commanders(position, player), "") if player else ()),
        "you": own_turn(position, player, known) if player else None,
        "happened": facts.happened(reader, told_of_days(news)),
        "numbers": _numbers(position),
        "own": _own(position, player, known) if player else None,
        "all": None,
    }
    if position.is_over or reader.kind == "gm":
        data["all"] = _all(position, events)
    return View(reader, position.day, data)


def _option(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _resolved(known: Sequence[Event]) -> str:
    """What was resolved: "Day 5", "Days 5 to 8", "Day 5, phase 1b", "Set-up"; "" for nothing."""
    if any(event.kind == "setup" for event in known):
        return "Set-up"
    days = [event.data["day"] for event in known if event.kind in ("day", "phase")]
    if not days:
        return ""
    phases = [event.data["phase"] for event in known if event.kind == "phase"]
    span = f"Day {days[0]}" if days[0] == days[-1] else f"Days {days[0]} to {days[-1]}"
    if not phases:
        return span
    return f"{span}, phase {phases[0]}" if len(phases) == 1 else f"{span}, phases {phases[0]} to {phases[-1]}"


def _side(position: Position, number: int) -> dict[str, Any]:
    """The public facts of a side: who plays it, what it could spend, what it owns."""
    side = position.side(number)
    owned = [body for system in position.systems for body in system.bodies if body.owner == number]
    return {
        "name": side.name,
        "tech": side.tech,
        "points": side.points,
        "planets": len(owned),
        "value": sum(body.value for body in owned),
        "players": [
            {"name": player.name, "status": player.status, "wait": player.wait, "missed": player.missed}
            for player in position.players_of(number)
        ],
    }


def _numbers(position: Position) -> dict[str, dict[str, int]]:
    """Public numbers for each seat, to be followed over the days."""
    rows = {number: _side(position, number) for number in (1, 2)}
    return {
        key: {player.name: rows[player.side][column] for player in position.players}
        for key, column in (("planets of the side", "planets"), ("their value", "value"))
    }


def _own(position: Position, player: Player, known: Sequence[Event]) -> dict[str, Any]:
    """What the player's side may know, or, if players keep to themselves, only the player."""
    side = player.side
    mine = _commanders(position, player)
    on_file = sheet_of(position.sheets, player.name)
    called = [other.name for other in position.players if is_called(position, other)]
    return {
        "name": player.name,
        "side": position.side(side).name,
        "enemy": position.side(enemy_of(side)).name,
        "status": player.status,
        "points": points_of(position, player) if position.phase == "setup" else None,
        "zones": zones(position, side) if position.phase == "setup" else [],
        "standing": standing(position, side, (*mine, "")),
        "orders": orders(known, player.name),
        "log": log(known, side),
        **counters_of(position, mine, several=len(mine) > 1),
        "allies": sight_rows(_allied(position, player)),
        "allied_transits": transit_rows(
            position, (group for group in position.transits if group.side == side and group.player not in mine)
        ),
        "seen": shown(position, side),
        "transits_seen": transits_seen(position, side),
        "remembered": remembered_rows(out_of_view(position, side)),
        "losses": losses_of(position, side, (*mine, "")),
        "kills": losses_of(position, enemy_of(side), ()),
        "on_file": list(on_file.lines) if on_file else None,
        "called": player.name in called,
        "awaited": called,
    }


def _commanders(position: Position, player: Player) -> tuple[str, ...]:
    """The players whose counters this one sees in full."""
    return side_players(position, player.side) if position.options.share_side else (player.name,)


def _allied(position: Position, player: Player) -> dict[str, Seen]:
    """What a player sees of allies who keep to themselves: what lies open on the table.

    It must not show whose sensors reveal it to the enemy, so fog does not count here.
    """
    if position.options.share_side:
        return {}
    side, name = player.side, player.name
    units = [u for u in position.units if u.side == side and u.player != name and position.is_visible(u)]
    questions = [question for question in position.questions if question.side == side and question.player != name]
    return {name: seen for name, seen in _boards(position, units, questions).items() if not seen.is_empty}


def _boards(position: Position, units: Sequence[Unit], questions: Sequence[Question]) -> dict[str, Seen]:
    """These counters, by the systems on whose boards they are."""
    return {name: open_board(name, units, questions) for name in position.by_system}


def _known(position: Position, player: Player | None, reader: Reader) -> Known:
    """What the reader's map may show."""
    names = side_names(position)
    if player is None:
        if not position.is_over and reader.kind != "gm":
            return Known(0, (), (), own_name=names[0], enemy_name=names[1])
        return _open(position, 1, names[0], names[1])
    if position.is_over:
        return _open(position, player.side, "yours", "enemy")
    mine = _commanders(position, player)
    return Known(
        owner=player.side,
        own=[unit for unit in position.units if unit.side == player.side and unit.player in mine],
        own_questions=[question for question in position.questions if question.player in mine],
        allied=_allied(position, player),
        seen=sight(position, player.side),
        remembered=out_of_view(position, player.side),
        sensing=True,
    )


def _with_strokes(shown: Known, events: Sequence[Event]) -> Known:
    """With what happened, for readers who have a side in it or know everything."""
    return replace(shown, happened=happened(events, shown.owner), resolved=_resolved(events)) if shown.owner else shown


def _open(position: Position, side: SideNumber, own: str, enemy: str) -> Known:
    """All counters on the boards, for the game master and at the end."""
    theirs = [unit for unit in position.units if unit.side != side]
    marks = [question for question in position.questions if question.side != side]
    return Known(
        owner=side,
        own=[unit for unit in position.units if unit.side == side],
        own_questions=[question for question in position.questions if question.side == side],
        seen=_boards(position, theirs, marks),
        own_name=own,
        enemy_name=enemy,
    )


def _all(position: Position, events: Sequence[Event]) -> dict[str, Any]:
    """Both sides in full: for the game master, and for everybody once the game is over."""
    names = side_names(position)
    rows: list[dict[str, Any]] = []
    for number in (1, 2):
        players = side_players(position, number)
        known = [event for event in events if event.audience is None or {*event.audience} & {*players}]
        rows.append(
            {
                "name": names[number - 1],
                "score": score(position, number),
                **counters_of(position, players, several=len(players) > 1),
                "losses": losses_of(position, number, (*players, "")),
                "log": log(known, number),
                "orders": [{"player": name, "days": orders(events, name)} for name in players],
            }
        )
    return {"sides": rows}

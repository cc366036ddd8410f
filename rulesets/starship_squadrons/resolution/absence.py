"""Players without orders, and what becomes of the counters of those who are gone (section 9)."""

from collections.abc import Sequence
from dataclasses import replace

from ..world.counters import Question
from ..world.state import Player, Position
from .day import Day, friends


def count_misses(day: Day, sent: Sequence[str], missed: Sequence[str]) -> None:
    """Record who missed the day; after too many days in a row a player is absent (SQ-R75)."""
    most = day.now.options.max_missed
    players: list[Player] = []
    for player in day.now.players:
        if player.name in missed and player.active:
            count = player.missed + 1
            day.tell("missed", {"player": player.name, "count": count}, None)
            gone = bool(most) and count >= most
            if gone:
                day.tell("absent", {"player": player.name}, None)
            players.append(replace(player, missed=count, status="absent" if gone else player.status))
        else:
            players.append(replace(player, missed=0) if player.name in sent else player)
    day.now = replace(day.now, players=tuple(players))


def pass_on(day: Day, sent: Sequence[str]) -> None:
    """The counters of players who are gone pass to an ally: the one whose mail of the day came first, or else the first in the
    list. Without an ally they stay, and the side has lost."""
    for player in day.now.players:
        if player.active or not _commands(day.now, player.name):
            continue
        allies = [other.name for other in day.now.players_of(player.side) if other.active]
        heir = next((name for name in sent if name in allies), allies[0] if allies else None)
        if heir is not None:
            _inherit(day, player.name, heir)


def _commands(position: Position, name: str) -> bool:
    return any(counter.player == name for counter in (*position.units, *position.questions))


def _inherit(day: Day, leaver: str, heir: str) -> None:
    """All counters change hands; "?" get the heir's next numbers, and the leaver's fleets are disbanded."""
    first = number = day.now.by_player[heir].next_question
    questions: list[Question] = []
    for question in day.now.questions:
        if question.player == leaver:
            questions.append(replace(question, player=heir, number=number))
            number += 1
        else:
            questions.append(question)
    units = [unit.name for unit in day.now.units if unit.player == leaver]
    day.now = replace(
        day.now.with_player(replace(day.now.by_player[heir], next_question=number)),
        units=tuple(replace(unit, player=heir) if unit.player == leaver else unit for unit in day.now.units),
        questions=tuple(questions),
        transits=tuple(replace(group, player=heir) if group.player == leaver else group for group in day.now.transits),
        fleets=tuple(fleet for fleet in day.now.fleets if fleet.player != leaver),
    )
    ids = [f"Q{new}" for new in range(first, number)]
    day.tell("inherited", {"player": leaver, "heir": heir, "units": units, "ids": ids}, friends(day.now, heir))

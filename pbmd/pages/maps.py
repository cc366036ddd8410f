"""The public map and the public numbers of a game by turn.

A resolved step never changes, so what is made from it is made once: the map is a file of its own, and what is known of the
steps is stored beside it in ``steps.json``, so that neither a new turn nor a restart makes it again. All of it comes from the
view for the public.
"""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Row
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from pbmd.files import write_file
from pbmd.ledger.damage import DamagedLedger
from pbmd.ledger.tables import Game, StepRecord, called, step_words
from pbmd.rendering.picture import map_svg, told_in
from pbmd.rendering.render import happened_of, stand_of
from pbmd.rules import PUBLIC, Event, Ruleset
from pbmd.rules.protocol import event_of
from pbmd.rules.troubles import DEFECTS, place_of, read_position

_trouble = logging.getLogger("pbmd.pages")
_KEPT = "steps.json"
MOST_TURNS = 200
"""For a longer game only the last turns are shown."""

Numbers = Mapping[str, Mapping[str, float]]
"""What is counted → seat → how many."""


@dataclass(frozen=True, slots=True)
class Look:
    """The game as everybody may see it after a turn, or at the beginning, when `after` is the number before the first turn's.
    `step` is what the step before it is called, `map` the name of a file, empty if there is no map, `caption` what the map
    shows in words, `colours` are those of the seats on it. `aim` and `place` say how to win and how things stand, `happened`
    what everybody may know of the step, None if only the report says it."""

    after: int
    begin: bool
    map: str
    numbers: Numbers
    colours: Mapping[str, str]
    step: str
    caption: str
    aim: str
    place: str
    happened: Sequence[str] | None

    @property
    def words(self) -> str:
        """The time, in the game's terms."""
        return "at the beginning" if self.begin else f"after {self.step}"


def looks(session: Session, game: Game, rules: Ruleset[Any], folder: Path) -> tuple[list[Look], int]:
    """The game at its beginning and after each turn, and the number of those that cannot be shown. Draws what was not drawn yet
    into `folder`. Raises `OSError` or `SQLAlchemyError`."""
    known = _read(folder)
    fresh: dict[str, Look] = {}
    lost = 0
    for key, step in _wanted(session, game):
        try:
            fresh[key] = known.get(key) or _look(session, game, rules, step, folder)
        except (OSError, SQLAlchemyError, DamagedLedger):
            raise
        except DEFECTS as problem:  # a ruleset's error; the other turns are shown
            when = "at its beginning" if step is None else f"after turn {step.turn}"
            _trouble.error("%s cannot be shown as it was %s: %s", game.name, when, place_of(problem))
            lost += 1
    if fresh != known:
        write_file(folder / _KEPT, json.dumps({key: asdict(look) for key, look in fresh.items()}))
    _tidy(folder, {look.map for look in fresh.values()})
    return list(fresh.values()), lost


def _wanted(session: Session, game: Game) -> list[tuple[str, Row[Any] | None]]:
    """A key and the step for each look: the beginning (None), then the last step of each turn."""
    columns = select(
        StepRecord.id, StepRecord.turn, StepRecord.name, StepRecord.resolved_at
    )  # the key has the time: ids may be used again
    in_force = columns.where(StepRecord.game_id == game.id, StepRecord.rolled_back == 0).order_by(col(StepRecord.step))
    last_of_turn = {step.turn: step for step in session.connection().execute(in_force)}
    steps = list(last_of_turn.values())[-MOST_TURNS:]
    begin = [] if len(last_of_turn) > MOST_TURNS else [("begin", None)]
    return [*begin, *((f"{step.id} {step.resolved_at.isoformat()}", step) for step in steps)]


def _look(session: Session, game: Game, rules: Ruleset[Any], step: Row[Any] | None, folder: Path) -> Look:
    if step is None:
        first = select(StepRecord.before).where(StepRecord.game_id == game.id, StepRecord.step == 0)
        document, events = session.exec(first).first() or game.position, ()
    else:
        record = session.exec(select(StepRecord).where(StepRecord.id == step.id)).one()
        document, events = record.after, tuple(map(event_of, json.loads(record.events)))
    position = read_position(game.name, rules, document)
    view = rules.view(position, events, PUBLIC)
    try:
        svg = map_svg(view)
    except DEFECTS as problem:
        # As in reports: no map holds up the rest. An error's text may be about the position, so only its kind is logged.
        _trouble.warning("no map of %s before turn %d: %s", game.name, view.turn, place_of(problem))
        svg = None
    after = view.turn - 1 if step is None else step.turn
    stand = stand_of(view)
    return Look(
        after=after,
        begin=step is None,
        map=_draw(folder, svg) if svg else "",
        numbers=read_numbers(view.data.get("numbers", {})),
        colours=_colours(view.data) if svg else {},
        step="" if step is None else called(step_words(step.turn, step.name)),
        caption=told_in(svg) if svg else "",
        aim=stand.aim if stand else "",
        place=stand.place if stand else "",
        happened=happened_of(
            rules.view(position, _of_turn(session, game, step.turn), PUBLIC) if step and rules.sequential else view
        ),
    )


def _of_turn(session: Session, game: Game, turn: int) -> tuple[Event, ...]:
    """What happened in all moves of a turn."""
    steps = select(StepRecord.events).where(StepRecord.game_id == game.id, StepRecord.rolled_back == 0, StepRecord.turn == turn)
    return tuple(event_of(each) for events in session.exec(steps.order_by(col(StepRecord.step))) for each in json.loads(events))


def _colours(data: Mapping[str, Any]) -> dict[str, str]:
    """The owners' colours on a map that could be drawn: so each is written as "#rrggbb". Hex boards have none."""
    return {owner["name"]: owner["colour"] for owner in data["map"].get("owners", ())}


def _draw(folder: Path, svg: str) -> str:
    # The name depends on the content, so that a browser may cache it forever.
    name = f"map-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    write_file(folder / name, svg, lasting=True)  # steps.json says that it exists, and it is not drawn again
    return name


def _tidy(folder: Path, used: set[str]) -> None:
    for path in folder.glob("map-*.svg"):
        if path.name not in used:
            path.unlink()


def _read(folder: Path) -> dict[str, Look]:
    try:
        kept = json.loads((folder / _KEPT).read_text(encoding="utf-8"))
        found = {key: Look(**look) for key, look in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # none yet, or incomplete: it is made again
    return {key: look for key, look in found.items() if not look.map or (folder / look.map).exists()}


def read_numbers(told: Mapping[str, Mapping[str, int | str]]) -> Numbers:
    """The numbers of a view: whole ones, or decimals written as text. Raises `ValueError`."""
    return {label: {seat: float(number) for seat, number in row.items()} for label, row in told.items()}


def series(found: Sequence[Look], label: str) -> dict[str, list[tuple[int, float]]]:
    """One of the numbers as lines: seat → points of turn and number."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for look in found:
        for seat, number in look.numbers.get(label, {}).items():
            lines.setdefault(seat, []).append((look.after, number))
    return lines

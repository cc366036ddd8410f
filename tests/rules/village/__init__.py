"""A tiny ruleset with hidden roles, for tests of press by the rules: wolves write to each other by night, the living by day to
whom they like, and the dead to nobody who lives."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pbmd.rules import (
    Dice,
    Document,
    Event,
    Mail,
    Options,
    Outcome,
    Reader,
    Receipt,
    Resolution,
    Ruleset,
    Sheet,
    Signup,
    Status,
    Verdict,
    View,
    read_info,
    seen_by,
)
from pbmd.rules.sheets import filed, refusal, withdrawn
from pbmd.rules.signups import must_be_sound

_ORDER = re.compile(r"point at (\S.*)", re.IGNORECASE)
_NIGHT, _DAY = "night", "day"

info = read_info(Path(__file__).parent)


@dataclass(frozen=True)
class Villager:
    name: str
    wolf: bool = False
    dead: bool = False


@dataclass(frozen=True)
class Position:
    turn: int
    phase: str
    options: Options
    villagers: tuple[Villager, ...]
    missed: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()


def _check_signup(signup: Signup, accepted: Sequence[Signup], _options: Options) -> tuple[Verdict, ...]:
    if signup.seat in [other.seat for other in accepted]:
        return (Verdict(0, signup.seat, Status.ERROR, "the name is taken"),)
    return (Verdict(0, signup.seat, Status.OK),)


def _setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    must_be_sound(info, _check_signup, signups, options)
    wolf = dice.roll(len(signups)) - 1
    return Position(1, _NIGHT, options, tuple(Villager(signup.seat, place == wolf) for place, signup in enumerate(signups)))


def _load(document: Mapping[str, Any]) -> Position:
    return Position(
        turn=document["turn"],
        phase=document["phase"],
        options=document.get("options", {}),
        villagers=tuple(Villager(**villager) for villager in document["villagers"]),
        missed=tuple(document.get("missed", ())),
        sheets=tuple(
            Sheet(sheet["seat"], (sheet["arrival"][0], sheet["arrival"][1]), tuple(sheet["lines"]))
            for sheet in document.get("sheets", ())
        ),
    )


def _dump(position: Position) -> Document:
    return {
        "ruleset": "village",
        "turn": position.turn,
        "phase": position.phase,
        "options": dict(position.options),
        "villagers": [asdict(villager) for villager in position.villagers],
        "missed": list(position.missed),
        "sheets": [asdict(sheet) | {"arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in position.sheets],
    }


def _living(position: Position, *, wolves: bool = False) -> tuple[str, ...]:
    return tuple(each.name for each in position.villagers if not each.dead and (each.wolf or not wolves))


def _awaiting(position: Position) -> tuple[str, ...]:
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return () if _outcome(position) else tuple(name for name in _living(position) if name not in done)


def _verdict(position: Position, number: int, text: str) -> Verdict:
    found = _ORDER.fullmatch(text.strip())
    named = [name for name in _living(position) if found and name.casefold() == found[1].casefold()]
    if not named:
        return Verdict(number, text, Status.ERROR, "that is nobody who lives", code="nobody")
    return Verdict(number, text, Status.OK, canonical=f"Point at {named[0]}")


def _receive(position: Position, mail: Mail) -> Receipt[Position]:
    verdicts = tuple(_verdict(position, line.number, line.text) for line in mail.lines)
    if why := refusal(info.sheets, position.sheets, mail, verdicts):
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, why)), filed=False)
    lines = [verdict.canonical for verdict in verdicts if verdict.canonical]
    return Receipt(replace(position, sheets=filed(position.sheets, mail.seat, mail.arrival, lines)), verdicts, filed=True)


def _resolve(position: Position, _dice: Dice) -> Resolution[Position]:
    choosing = _living(position, wolves=position.phase == _NIGHT)
    chosen = Counter(
        line.removeprefix("Point at ") for sheet in position.sheets if sheet.seat in choosing for line in sheet.lines
    )
    dies = max((name for name in _living(position) if name in chosen), key=chosen.__getitem__, default="")
    villagers = tuple(replace(each, dead=each.dead or each.name == dies) for each in position.villagers)
    events = (Event("died", {"name": dies}),) if dies else ()
    if position.phase == _NIGHT:
        return Resolution(Position(position.turn, _DAY, position.options, villagers), events)
    return Resolution(Position(position.turn + 1, _NIGHT, position.options, villagers), events)


def _view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    own = next((each for each in position.villagers if each.name == reader.seat), None)
    pack = [each.name for each in position.villagers if each.wolf] if own and own.wolf else []
    died = [event.data["name"] for event in seen_by(events, reader)]
    return View(reader, position.turn, {"living": list(_living(position)), "died": died, "pack": pack})


def _outcome(position: Position) -> Outcome | None:
    wolves, living = _living(position, wolves=True), _living(position)
    if wolves and 2 * len(wolves) < len(living):
        return None
    of_pack = bool(wolves)
    won = tuple(each.name for each in position.villagers if each.wolf == of_pack)
    return Outcome(won, "The wolves have won." if of_pack else "The village has won.")


def _random_orders(position: Position, _seat: str, dice: Dice) -> str:
    living = _living(position)
    return f"Point at {living[dice.roll(len(living)) - 1]}"


def _press(position: Position, seat: str) -> Mapping[str, tuple[str, ...]]:
    living = _living(position)
    if seat not in living:
        return {"graveyard": tuple(each.name for each in position.villagers if each.dead)}
    if position.phase == _DAY:
        everybody = tuple(each.name for each in position.villagers)
        return {"all": everybody, **{name: (name,) for name in living if name != seat}}
    wolves = _living(position, wolves=True)
    return {"wolves": wolves} if seat in wolves else {}


ruleset = Ruleset(
    info=info,
    check_signup=_check_signup,
    setup=_setup,
    load=_load,
    dump=_dump,
    turn=lambda position: position.turn,
    seats=lambda position: tuple(villager.name for villager in position.villagers),
    awaiting=_awaiting,
    sheets=lambda position: position.sheets,
    receive=_receive,
    withdraw=lambda position, seat: replace(position, sheets=withdrawn(info.sheets, position.sheets, seat)),
    miss=lambda position, seat: Resolution(replace(position, missed=(*position.missed, seat))),
    resolve=_resolve,
    view=_view,
    order_form=lambda position, _seat: f"## {position.phase}",
    outcome=_outcome,
    random_orders=_random_orders,
    step_name=lambda position: position.phase,
    press=_press,
)

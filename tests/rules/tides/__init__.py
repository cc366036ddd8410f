"""A tiny phased ruleset for tests of the kit and of what stands on it: two sides march in turn, then all fire.

Day 0 is the set-up, in which all choose a place. Each day after it has the phases 1a (the seats of odd places in the list
``March N``), 1b (the others), and 1f (all ``Fire SEAT`` or ``Leave``), each of them a step. Places are public at once; what was
missed is counted for each seat. A phase in which nobody could act is carried out with the one before.
"""

import re
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

_ORDER = re.compile(r"(base|march) ([1-9])|(fire) (\S.*)|(leave)", re.IGNORECASE)
_SET_UP, _FIRST, _SECOND, _FIRE = "set-up", "phase 1a", "phase 1b", "phase 1f"
_NEXT = {_SET_UP: _FIRST, _FIRST: _SECOND, _SECOND: _FIRE, _FIRE: _FIRST}
_WORDS = {_SET_UP: ("Base",), _FIRST: ("March",), _SECOND: ("March",), _FIRE: ("Fire", "Leave")}
_HOURS = {_SET_UP: 168, _FIRST: 24, _SECOND: 24, _FIRE: 48}

info = read_info(Path(__file__).parent)


@dataclass(frozen=True)
class Captain:
    name: str
    place: int = 0
    hits: int = 0
    missed: int = 0
    out: bool = False


@dataclass(frozen=True)
class Position:
    turn: int
    phase: str
    options: Options
    captains: tuple[Captain, ...]
    missed: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()


def _check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    if signup.seat in [other.seat for other in accepted]:
        return (Verdict(0, signup.seat, Status.ERROR, "the name is taken"),)
    return (Verdict(0, signup.seat, Status.OK),)


def _setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    must_be_sound(info, _check_signup, signups, options)
    return Position(0, _SET_UP, options, tuple(Captain(signup.seat) for signup in signups))


def _load(document: Mapping[str, Any]) -> Position:
    return Position(
        turn=document["turn"],
        phase=document["phase"],
        options={key: spec.default for key, spec in info.options.items()} | document.get("options", {}),
        captains=tuple(Captain(**captain) for captain in document["captains"]),
        missed=tuple(document.get("missed", ())),
        sheets=tuple(
            Sheet(sheet["seat"], (sheet["arrival"][0], sheet["arrival"][1]), tuple(sheet["lines"]))
            for sheet in document.get("sheets", ())
        ),
    )


def _dump(position: Position) -> Document:
    return {
        "ruleset": "tides",
        "turn": position.turn,
        "phase": position.phase,
        "options": dict(position.options),
        "captains": [asdict(captain) for captain in position.captains],
        "missed": list(position.missed),
        "sheets": [asdict(sheet) | {"arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in position.sheets],
    }


def _acting(position: Position) -> list[str]:
    """Who acts in this phase."""
    side = {_FIRST: position.captains[::2], _SECOND: position.captains[1::2]}.get(position.phase, position.captains)
    return [captain.name for captain in side if not captain.out]


def _awaiting(position: Position) -> tuple[str, ...]:
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(name for name in _acting(position) if name not in done)


def _verdict(position: Position, seat: str, number: int, text: str) -> Verdict:
    found = _ORDER.fullmatch(text.strip())
    if found is None:
        return Verdict(number, text, Status.ERROR, "this is no order. Example: March 3", code="no_order")
    verb, word = (found[1] or found[3] or found[5]).capitalize(), found[2] or found[4] or ""
    if verb not in _WORDS[position.phase] or seat not in _acting(position):
        return Verdict(number, text, Status.ERROR, f"nothing for {position.phase}, or not for you", code="wrong_phase")
    if verb == "Fire":
        word = next((captain.name for captain in position.captains if captain.name.casefold() == word.casefold()), "")
        if not word:
            return Verdict(number, text, Status.ERROR, "there is nobody of that name", code="unknown")
    return Verdict(number, text, Status.OK, canonical=f"{verb} {word}".strip())


def _receive(position: Position, mail: Mail) -> Receipt[Position]:
    verdicts = tuple(_verdict(position, mail.seat, line.number, line.text) for line in mail.lines)
    if why := refusal(info.sheets, position.sheets, mail, verdicts):
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, why)), filed=False)
    lines = [verdict.canonical for verdict in verdicts if verdict.canonical]
    return Receipt(replace(position, sheets=filed(position.sheets, mail.seat, mail.arrival, lines)), verdicts, filed=True)


def _resolve(position: Position, dice: Dice) -> Resolution[Position]:
    captains = {captain.name: captain for captain in position.captains}
    events: list[Event] = []
    for name in position.missed:
        captains[name] = replace(captains[name], missed=captains[name].missed + 1)
        events.append(Event("missed", {"seat": name}))
    for sheet in position.sheets:
        for line in sheet.lines:
            verb, _, word = line.partition(" ")
            own = captains[sheet.seat]
            if verb in ("Base", "March"):
                captains[own.name] = replace(own, place=own.place + int(word))
            elif verb == "Leave":
                captains[own.name] = replace(own, out=True)
            elif dice.roll(6) > 3:
                captains[word] = replace(captains[word], hits=captains[word].hits + 1)
            events.append(Event("order", {"seat": own.name, "line": line}))
    day = position.turn + (position.phase in (_SET_UP, _FIRE))
    position = Position(day, _NEXT[position.phase], position.options, tuple(captains.values()))
    while not _acting(position) and any(not captain.out for captain in position.captains):
        position = replace(position, phase=_NEXT[position.phase])
    return Resolution(position, tuple(events))


def _view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    seen = [" ".join(map(str, (event.kind, *event.data.values()))) for event in seen_by(events, reader)]
    places = ", ".join(f"{captain.name} {captain.place}" for captain in position.captains)
    return View(reader, position.turn, {"events": seen, "places": places})


def _outcome(position: Position) -> Outcome | None:
    left = [captain.name for captain in position.captains if not captain.out]
    if len(left) > 1 and position.turn <= int(position.options["days"]):
        return None
    return Outcome(tuple(left), "the last day is over")


def _random_orders(position: Position, seat: str, dice: Dice) -> str:
    other = position.captains[dice.roll(len(position.captains)) - 1].name
    wrong = "March 0\n" if dice.roll(6) == 1 else ""
    return wrong + {"Base": f"Base {dice.roll(9)}", "March": f"March {dice.roll(9)}"}.get(
        _WORDS[position.phase][0], f"Fire {other}"
    )


ruleset = Ruleset(
    info=info,
    check_signup=_check_signup,
    setup=_setup,
    load=_load,
    dump=_dump,
    turn=lambda position: position.turn,
    seats=lambda position: tuple(captain.name for captain in position.captains),
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
    hours=lambda position: _HOURS[position.phase],
)

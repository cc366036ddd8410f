"""A tiny ruleset for tests of the kit and of what stands on it: all add numbers, the first to reach the target wins.

Orders are ``Add N`` with N from 1 to 9, several a letter; with the option `die` each seat that sent any also gets a d6, in
order of arrival. Your own score is a secret, the sum of all is public.
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
    PositionError,
    Reader,
    Receipt,
    Refused,
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
from pbmd.rules.placing import ranked_places
from pbmd.rules.sheets import filed, refusal, withdrawn

_ADD = re.compile(r"add ([1-9])", re.IGNORECASE)
_KEYS = ("ruleset", "turn", "options", "players", "missed", "sheets")

info = read_info(Path(__file__).parent)


@dataclass(frozen=True)
class Position:
    turn: int
    options: Options
    scores: Mapping[str, int]
    missed: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()


def _check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    if signup.seat in [other.seat for other in accepted]:
        return (Verdict(0, signup.seat, Status.ERROR, "the name is taken"),)
    return (Verdict(0, signup.seat, Status.OK),)


def _setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    if len(signups) < info.min_seats:
        raise Refused("Count needs two counters")
    return Position(1, options, {signup.seat: 0 for signup in signups})


def _load(document: Mapping[str, Any]) -> Position:
    for key in document:
        if key not in _KEYS:
            raise PositionError(key, "there is no such key")
    players = document.get("players", [])
    for place, player in enumerate(players):
        if type(player.get("score")) is not int:
            raise PositionError(f"players[{place}].score", "a whole number is missing here")
    return Position(
        turn=document["turn"],
        options={key: spec.default for key, spec in info.options.items()} | document.get("options", {}),
        scores={player["name"]: player["score"] for player in players},
        missed=tuple(document.get("missed", ())),
        sheets=tuple(
            Sheet(sheet["seat"], (sheet["arrival"][0], sheet["arrival"][1]), tuple(sheet["lines"]))
            for sheet in document.get("sheets", ())
        ),
    )


def _dump(position: Position) -> Document:
    return {
        "ruleset": "count",
        "turn": position.turn,
        "options": dict(position.options),
        "players": [{"name": name, "score": score} for name, score in position.scores.items()],
        "missed": list(position.missed),
        "sheets": [asdict(sheet) | {"arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in position.sheets],
    }


def _awaiting(position: Position) -> tuple[str, ...]:
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return tuple(seat for seat in position.scores if seat not in done)


def _receive(position: Position, mail: Mail) -> Receipt[Position]:
    verdicts = [
        Verdict(line.number, line.text, Status.OK, canonical=f"Add {found[1]}")
        if (found := _ADD.fullmatch(line.text.strip()))
        else Verdict(line.number, line.text, Status.ERROR, "this adds nothing. Example: Add 3", code="not_a_number")
        for line in mail.lines
    ]
    why = refusal(info.sheets, position.sheets, mail, verdicts)
    if why:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, why)), filed=False)
    lines = [verdict.canonical for verdict in verdicts if verdict.canonical]
    sheets = filed(position.sheets, mail.seat, mail.arrival, lines)
    return Receipt(replace(position, sheets=sheets), tuple(verdicts), filed=True)


def _resolve(position: Position, dice: Dice) -> Resolution[Position]:
    if position.turn == position.options["crash_turn"]:
        raise ZeroDivisionError("this turn was asked to fail")
    scores = dict(position.scores)
    events = [Event("missed", {"seat": seat}) for seat in position.missed]
    for sheet in position.sheets:
        added = sum(int(line.split()[1]) for line in sheet.lines) + (dice.roll(6) if position.options["die"] else 0)
        scores[sheet.seat] += added
        events.append(Event("added", {"by": sheet.seat}, (sheet.seat,), {"number": added}, (sheet.seat,)))
    events.append(Event("total", {"total": sum(scores.values())}))
    return Resolution(Position(position.turn + 1, position.options, scores), tuple(events))


def _view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    seen = [" ".join(map(str, (event.kind, *event.data.values(), *event.detail.values()))) for event in seen_by(events, reader)]
    total = sum(position.scores.values())
    return View(reader, position.turn, {"greeting": position.options["greeting"], "events": seen, "total": total})


def _outcome(position: Position) -> Outcome | None:
    best = max(position.scores.values())
    if best < int(position.options["target"]):
        return None
    return Outcome(tuple(seat for seat, score in position.scores.items() if score == best), "the target was reached")


def _places(position: Position) -> Mapping[str, int]:
    return ranked_places({seat: (score,) for seat, score in position.scores.items()})


ruleset = Ruleset(
    info=info,
    check_signup=_check_signup,
    setup=_setup,
    load=_load,
    dump=_dump,
    turn=lambda position: position.turn,
    seats=lambda position: tuple(position.scores),
    awaiting=_awaiting,
    sheets=lambda position: position.sheets,
    receive=_receive,
    withdraw=lambda position, seat: replace(position, sheets=withdrawn(info.sheets, position.sheets, seat)),
    miss=lambda position, seat: Resolution(replace(position, missed=(*position.missed, seat))),
    resolve=_resolve,
    view=_view,
    order_form=lambda _position, _seat: "Add ",
    outcome=_outcome,
    places=_places,
    random_orders=lambda _position, _seat, dice: f"Add {dice.roll(9)}\n" + ("Ad 3\n" if dice.roll(6) == 1 else ""),
)

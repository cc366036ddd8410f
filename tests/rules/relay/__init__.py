"""A tiny sequential ruleset for tests of the kit and of what stands on it: all add numbers, one after the other.

A move is ``Add N`` with N from 1 to 9, with the option `die` a d6 comes to it; in turn 0 all may move in any order. ``Offer
SEAT`` and ``Accept SEAT`` need no move, and two that agree get a point each. An offer is known to the two alone. Two skips in a
row put a seat out, a new holder puts it in again from the next turn on.
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
    Line,
    Mail,
    Options,
    Outcome,
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
from pbmd.rules.sheets import filed, refusal, sheet_of, to_be_used, withdrawn

_MOVE = re.compile(r"add ([1-9])", re.IGNORECASE)
_WORD = re.compile(r"(offer|accept) (\S.*)", re.IGNORECASE)

info = read_info(Path(__file__).parent)


@dataclass(frozen=True)
class Runner:
    name: str
    holder: str
    score: int = 0
    skips: int = 0
    out: bool = False


@dataclass(frozen=True)
class Position:
    turn: int
    options: Options
    runners: tuple[Runner, ...]
    waiting: tuple[str, ...]
    missed: tuple[str, ...] = ()
    offers: tuple[tuple[str, str], ...] = ()
    sheets: tuple[Sheet, ...] = ()


def _check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    if signup.seat in [other.seat for other in accepted]:
        return (Verdict(0, signup.seat, Status.ERROR, "the name is taken"),)
    return (Verdict(0, signup.seat, Status.OK),)


def _setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    if len(signups) < info.min_seats:
        raise Refused("Relay needs two runners")
    runners = tuple(Runner(signup.seat, signup.holder) for signup in signups)
    return Position(0, options, runners, tuple(runner.name for runner in runners))


def _load(document: Mapping[str, Any]) -> Position:
    return Position(
        turn=document["turn"],
        options={key: spec.default for key, spec in info.options.items()} | document.get("options", {}),
        runners=tuple(Runner(**runner) for runner in document["runners"]),
        waiting=tuple(document["waiting"]),
        missed=tuple(document.get("missed", ())),
        offers=tuple((by, to) for by, to in document.get("offers", ())),
        sheets=tuple(
            Sheet(sheet["seat"], (sheet["arrival"][0], sheet["arrival"][1]), tuple(sheet["lines"]))
            for sheet in document.get("sheets", ())
        ),
    )


def _dump(position: Position) -> Document:
    return {
        "ruleset": "relay",
        "turn": position.turn,
        "options": dict(position.options),
        "runners": [asdict(runner) for runner in position.runners],
        "waiting": list(position.waiting),
        "missed": list(position.missed),
        "offers": [list(offer) for offer in position.offers],
        "sheets": [asdict(sheet) | {"arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in position.sheets],
    }


def _awaiting(position: Position) -> tuple[str, ...]:
    if _outcome(position) is not None:
        return ()
    left = tuple(name for name in position.waiting if name not in position.missed)
    return left if position.turn == 0 else left[:1] if not position.missed else ()


def _changed(position: Position, name: str, **changes: Any) -> Position:
    runners = (replace(runner, **changes) if runner.name == name else runner for runner in position.runners)
    return replace(position, runners=tuple(runners))


def _runner(position: Position, name: str) -> Runner:
    return next(runner for runner in position.runners if runner.name.casefold() == name.casefold())


def _verdict(position: Position, line: Line) -> Verdict:
    names = [runner.name.casefold() for runner in position.runners]
    text = line.text.strip()
    if found := _MOVE.fullmatch(text):
        return Verdict(line.number, line.text, Status.OK, canonical=f"Add {found[1]}")
    if (found := _WORD.fullmatch(text)) and found[2].casefold() in names:
        canonical = f"{found[1].capitalize()} {_runner(position, found[2]).name}"
        return Verdict(line.number, line.text, Status.OK, canonical=canonical)
    return Verdict(line.number, line.text, Status.ERROR, "this adds nothing. Example: Add 3", code="not_a_number")


def _say(position: Position, seat: str, line: str) -> tuple[Position, Event]:
    """An offer or an acceptance takes effect."""
    verb, _, name = line.partition(" ")
    if verb == "Offer":
        return replace(position, offers=(*position.offers, (seat, name))), Event(
            "offer", {"by": seat, "to": name}, (seat, name)
        )
    if (name, seat) not in position.offers:
        return position, Event("failed", {"line": line}, (seat,))
    position = replace(position, offers=tuple(offer for offer in position.offers if offer != (name, seat)))
    for each in (name, seat):
        position = _changed(position, each, score=_runner(position, each).score + 1)
    return position, Event("agreed", {"by": seat, "to": name})


def _receive(position: Position, mail: Mail) -> Receipt[Position]:
    verdicts = [_verdict(position, line) for line in mail.lines]
    lines = [verdict.canonical for verdict in verdicts if verdict.canonical]
    moves = [line for line in lines if line.startswith("Add")]
    wrong = any(verdict.status is Status.ERROR for verdict in verdicts)
    if mail.lines and lines and not moves and not wrong:
        events: list[Event] = []
        for line in lines:
            position, event = _say(position, mail.seat, line)
            events.append(event)
        return Receipt(position, tuple(verdicts), filed=False, events=tuple(events), granted=True)
    out = _runner(position, mail.seat).out and "you are out"
    why = refusal(info.sheets, position.sheets, mail, verdicts) or (wrong and "the mail is refused") or out
    if why:
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, why)), filed=False)
    return Receipt(
        replace(position, sheets=filed(position.sheets, mail.seat, mail.arrival, lines)), tuple(verdicts), filed=True
    )


def _ready(position: Position) -> bool:
    return bool(position.missed) or any(sheet_of(position.sheets, name) for name in _awaiting(position))


def _resolve(position: Position, dice: Dice) -> Resolution[Position]:
    if position.turn == position.options["crash_turn"]:
        raise ZeroDivisionError("this turn was asked to fail")
    events: list[Event] = []
    if position.missed:
        gone = position.missed
        for name in gone:
            skips = _runner(position, name).skips + 1
            position = _changed(position, name, skips=skips, out=skips >= 2)
            events.append(Event("out" if skips >= 2 else "skipped", {"turn": position.turn, "seat": name}))
            if skips >= 2:
                position = replace(position, sheets=tuple(sheet for sheet in position.sheets if sheet.seat != name))
    else:
        (sheet,) = to_be_used(ruleset, position)
        gone = (sheet.seat,)
        events.append(Event("move", {"turn": position.turn, "seat": sheet.seat}))
        for line in sheet.lines:
            if line.startswith("Add"):
                number = int(line.split()[1]) + (dice.roll(6) if position.options["die"] else 0)
                position = _changed(position, sheet.seat, score=_runner(position, sheet.seat).score + number)
                events.append(Event("added", {"by": sheet.seat, "number": number}))
            else:
                position, event = _say(position, sheet.seat, line)
                events.append(event)
        position = _changed(position, sheet.seat, skips=0)
        position = replace(position, sheets=tuple(each for each in position.sheets if each != sheet))
    waiting = tuple(name for name in position.waiting if name not in gone)
    if not waiting:
        events.append(Event("turn ended", {"turn": position.turn}))
        waiting = tuple(runner.name for runner in position.runners if not runner.out)
        position = replace(position, turn=position.turn + 1)
    return Resolution(replace(position, waiting=waiting, missed=()), tuple(events))


def _view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    seen = [" ".join(map(str, (event.kind, *event.data.values()))) for event in seen_by(events, reader)]
    offers = [f"{by} offers {to}" for by, to in position.offers if reader.kind == "gm" or reader.seat in (by, to)]
    scores = ", ".join(f"{runner.name} {runner.score}" for runner in position.runners)
    shown = {"map": _map(position)} if position.options["map"] else {}
    return View(reader, position.turn, {"events": seen, "offers": offers, "scores": scores} | shown)


def _map(position: Position) -> dict[str, Any]:
    places = {"owner": "", "own": False, "ringed": False, "y": 50}
    nodes = [
        {"name": runner.name, "x": 100 * place, "value": str(runner.score)} | places
        for place, runner in enumerate(position.runners)
    ]
    return {"title": "Relay", "nodes": nodes, "links": [], "owners": [], "legend": {}, "notes": []}


def _tell(event: Event) -> str:
    words = " ".join(map(str, (event.kind, *event.data.values())))
    return f"{words}\nReply with the line: Accept {event.data['by']}" if event.kind == "offer" else words


def _outcome(position: Position) -> Outcome | None:
    if all(runner.out for runner in position.runners):
        return Outcome((), "nobody is left")
    best = max(runner.score for runner in position.runners)
    if best < int(position.options["target"]):
        return None
    return Outcome(tuple(runner.name for runner in position.runners if runner.score == best), "the target was reached")


def _take_over(position: Position, seat: str, _holder: str | None) -> Position:
    if _runner(position, seat).score < 0:
        raise Refused(f"{seat} is eliminated")
    return _changed(position, seat, out=False, skips=0)


def _random_orders(position: Position, seat: str, dice: Dice) -> str:
    other = position.runners[dice.roll(len(position.runners)) - 1].name
    return f"Add {dice.roll(9)}\n" + (f"Offer {other}\n" if dice.roll(3) == 1 else "")


ruleset = Ruleset(
    info=info,
    check_signup=_check_signup,
    setup=_setup,
    load=_load,
    dump=_dump,
    turn=lambda position: position.turn,
    seats=lambda position: tuple(runner.name for runner in position.runners),
    awaiting=_awaiting,
    sheets=lambda position: position.sheets,
    receive=_receive,
    withdraw=lambda position, seat: replace(position, sheets=withdrawn(info.sheets, position.sheets, seat)),
    miss=lambda position, seat: Resolution(replace(position, missed=(*position.missed, seat))),
    resolve=_resolve,
    view=_view,
    order_form=lambda _position, _seat: "Add ",
    outcome=_outcome,
    random_orders=_random_orders,
    tell=_tell,
    ready=_ready,
    take_over=_take_over,
)

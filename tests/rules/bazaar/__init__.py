"""A tiny ruleset whose letters may hold both orders and what takes effect at once, for tests of the present in mid-step.

``Bid N`` is an order: when the day ends the highest bid gets a point, and all bids are paid. ``Give N to SEAT`` and
``Shout WORD`` take effect at once: coins change hands, which the two alone know, and everybody hears the word.
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
from pbmd.rules.checking import receive_apart
from pbmd.rules.sheets import filed, refusal, withdrawn
from pbmd.rules.signups import must_be_sound

_BID = re.compile(r"bid ([1-9])", re.IGNORECASE)
_GIVE = re.compile(r"give ([1-9]) to (\S.*)", re.IGNORECASE)
_SHOUT = re.compile(r"shout ([a-z]{1,9})", re.IGNORECASE)
_COINS, _DAYS = 9, 6

info = read_info(Path(__file__).parent)


@dataclass(frozen=True)
class Dealer:
    name: str
    coins: int = _COINS
    points: int = 0


@dataclass(frozen=True)
class Position:
    turn: int
    options: Options
    dealers: tuple[Dealer, ...]
    heard: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()


def _check_signup(signup: Signup, accepted: Sequence[Signup], _options: Options) -> tuple[Verdict, ...]:
    if signup.seat in [other.seat for other in accepted]:
        return (Verdict(0, signup.seat, Status.ERROR, "the name is taken"),)
    return (Verdict(0, signup.seat, Status.OK),)


def _setup(signups: Sequence[Signup], options: Options, _dice: Dice) -> Position:
    must_be_sound(info, _check_signup, signups, options)
    return Position(1, options, tuple(Dealer(signup.seat) for signup in signups))


def _load(document: Mapping[str, Any]) -> Position:
    return Position(
        turn=document["turn"],
        options=document.get("options", {}),
        dealers=tuple(Dealer(**dealer) for dealer in document["dealers"]),
        heard=tuple(document.get("heard", ())),
        missed=tuple(document.get("missed", ())),
        sheets=tuple(
            Sheet(sheet["seat"], (sheet["arrival"][0], sheet["arrival"][1]), tuple(sheet["lines"]))
            for sheet in document.get("sheets", ())
        ),
    )


def _dump(position: Position) -> Document:
    return {
        "ruleset": "bazaar",
        "turn": position.turn,
        "options": dict(position.options),
        "dealers": [asdict(dealer) for dealer in position.dealers],
        "heard": list(position.heard),
        "missed": list(position.missed),
        "sheets": [asdict(sheet) | {"arrival": list(sheet.arrival), "lines": list(sheet.lines)} for sheet in position.sheets],
    }


def _dealer(position: Position, name: str) -> Dealer | None:
    return next((each for each in position.dealers if each.name.casefold() == name.strip().casefold()), None)


def _awaiting(position: Position) -> tuple[str, ...]:
    done = {*position.missed, *(sheet.seat for sheet in position.sheets)}
    return () if _outcome(position) else tuple(each.name for each in position.dealers if each.name not in done)


def _is_effect(line: Line) -> bool:
    return bool(_GIVE.fullmatch(line.text.strip()) or _SHOUT.fullmatch(line.text.strip()))


def _at_once(position: Position, mail: Mail) -> Receipt[Position]:
    verdicts, events = list[Verdict](), list[Event]()
    for line in mail.lines:
        position, verdict, event = _take_effect(position, mail.seat, line)
        verdicts.append(verdict)
        events += [event] if event else []
    return Receipt(position, tuple(verdicts), filed=False, events=tuple(events), granted=bool(events))


def _take_effect(position: Position, seat: str, line: Line) -> tuple[Position, Verdict, Event | None]:
    if found := _SHOUT.fullmatch(line.text.strip()):
        word = found[1].lower()
        right = Verdict(line.number, line.text, Status.OK, canonical=f"Shout {word}")
        return replace(position, heard=(*position.heard, f"{seat}: {word}")), right, Event("shout", {"by": seat, "word": word})
    found = _GIVE.fullmatch(line.text.strip())
    assert found is not None, "it is one or the other"
    coins, to, own = int(found[1]), _dealer(position, found[2]), _dealer(position, seat)
    if to is None or own is None or to is own:
        return position, Verdict(line.number, line.text, Status.ERROR, "you can give to other dealers only"), None
    if coins > own.coins:
        return position, Verdict(line.number, line.text, Status.ERROR, f"you have only {own.coins}"), None
    change = {own.name: -coins, to.name: coins}
    dealers = tuple(replace(each, coins=each.coins + change.get(each.name, 0)) for each in position.dealers)
    right = Verdict(line.number, line.text, Status.OK, canonical=f"Give {coins} to {to.name}")
    event = Event("gift", {"by": own.name, "to": to.name, "coins": coins}, (own.name, to.name))
    return replace(position, dealers=dealers), right, event


def _bids(position: Position, mail: Mail) -> Receipt[Position]:
    own = _dealer(position, mail.seat)
    verdicts = tuple(_verdict(line, own.coins if own else 0) for line in mail.lines)
    if why := refusal(info.sheets, position.sheets, mail, verdicts):
        return Receipt(position, (*verdicts, Verdict(0, "", Status.ERROR, f"{why}.")), filed=False)
    lines = [verdict.canonical for verdict in verdicts if verdict.canonical]
    return Receipt(replace(position, sheets=filed(position.sheets, mail.seat, mail.arrival, lines)), verdicts, filed=True)


def _verdict(line: Line, coins: int) -> Verdict:
    found = _BID.fullmatch(line.text.strip())
    if not found:
        return Verdict(line.number, line.text, Status.ERROR, "this is no bid", code="no_bid")
    if int(found[1]) > coins:
        return Verdict(line.number, line.text, Status.ERROR, f"you have only {coins}", code="too_much")
    return Verdict(line.number, line.text, Status.OK, canonical=f"Bid {found[1]}")


def _receive(position: Position, mail: Mail) -> Receipt[Position]:
    if _outcome(position):
        return Receipt(position, (Verdict(0, "", Status.ERROR, "the bazaar is over."),), filed=False)
    return receive_apart(position, mail, _is_effect, _at_once, _bids)


def _resolve(position: Position, _dice: Dice) -> Resolution[Position]:
    bids = {sheet.seat: max((int(line.split()[1]) for line in sheet.lines), default=0) for sheet in position.sheets}
    best = max(bids, key=bids.__getitem__, default="")
    dealers = tuple(
        replace(each, coins=max(each.coins - bids.get(each.name, 0), 0), points=each.points + (each.name == best))
        for each in position.dealers
    )
    events = (Event("won", {"seat": best}),) if best else ()
    return Resolution(Position(position.turn + 1, position.options, dealers), events)


def _view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    own = _dealer(position, reader.seat)
    happened = [_tell(event) for event in seen_by(events, reader)]
    points = {each.name: each.points for each in position.dealers}
    data = {"coins": own.coins if own else None, "heard": list(position.heard), "points": points, "events": happened}
    return View(reader, position.turn, data)


def _tell(event: Event) -> str:
    match event.kind:
        case "shout":
            return f"{event.data['by']} shouts: {event.data['word']}"
        case "gift":
            return f"A gift of {event.data['coins']}: {event.data['by']} to {event.data['to']}"
        case _:
            return f"{event.data['seat']} has won the day"


def _form(position: Position, seat: str) -> str:
    own = _dealer(position, seat)
    coins = own.coins if own else 0
    return "\n".join([f"## You have {coins} coins.", *(["# Bid 1"] if coins else [])])


def _outcome(position: Position) -> Outcome | None:
    if position.turn <= _DAYS:
        return None
    best = max(each.points for each in position.dealers)
    return Outcome(tuple(each.name for each in position.dealers if each.points == best), "The bazaar is over.")


def _random_orders(position: Position, seat: str, dice: Dice) -> str:
    own = _dealer(position, seat)
    others = [each.name for each in position.dealers if each.name != seat]
    coins = own.coins if own else 0
    lines = [f"Bid {dice.roll(coins)}"] if coins else []
    if dice.roll(3) == 1:
        lines.append(f"Give 1 to {others[dice.roll(len(others)) - 1]}")
    if dice.roll(3) == 1:
        lines.append("Shout cheap")
    return "\n".join([*lines, *(["Bidd 3"] if dice.roll(6) == 1 else [])])


def _press(position: Position, seat: str) -> Mapping[str, tuple[str, ...]]:
    everybody = tuple(each.name for each in position.dealers)
    return {"all": everybody, "spectators": everybody, **{name: (name,) for name in everybody if name != seat}}


ruleset = Ruleset(
    info=info,
    check_signup=_check_signup,
    setup=_setup,
    load=_load,
    dump=_dump,
    turn=lambda position: position.turn,
    seats=lambda position: tuple(dealer.name for dealer in position.dealers),
    awaiting=_awaiting,
    sheets=lambda position: position.sheets,
    receive=_receive,
    withdraw=lambda position, seat: replace(position, sheets=withdrawn(info.sheets, position.sheets, seat)),
    miss=lambda position, seat: Resolution(replace(position, missed=(*position.missed, seat))),
    resolve=_resolve,
    view=_view,
    order_form=_form,
    outcome=_outcome,
    random_orders=_random_orders,
    tell=_tell,
    press=_press,
)

"""What happened, in sentences: made only from events that the reader may know."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbmd.rules import Event
from pbmd.rules.words import counted, listing

Data = Mapping[str, Any]

STAGES = {"1": "Impulse 1", "2": "Impulse 2", "end": "End of the day"}
_SHORT = {
    "jump": "J",
    "maneuver": "M",
    "sensor_range": "S",
    "attack": "A",
    "attack_range": "R",
    "defense": "D",
    "supply": "U",
}
"""The factors as in the short form of set-up lines."""


def levels(factors: Mapping[str, int]) -> str:
    """ "J4 M6 S4 A20 R7 D6 U0"."""
    return " ".join(f"{_SHORT[factor]}{level}" for factor, level in factors.items())


def public_news(known: Sequence[Event], seat: str = "") -> list[dict[str, Any]]:
    """What everybody may know, day by day: losses in the open, planets taken, deadlines missed, the end. What `seat` itself
    missed, and what both sides lost and took, is shown to it elsewhere."""
    public = [event for event in known if event.audience is None and (event.kind, event.data.get("player")) != ("missed", seat)]
    found: list[dict[str, Any]] = []
    for day in dict.fromkeys(event.data["day"] for event in public if "day" in event.data):
        today = [event for event in public if event.data.get("day") == day]
        told = [event for event in today if event.kind not in _TOLD_TO_SEATS] if seat else _lost_first(today)
        lines = [_PUBLIC[event.kind](event.data) for event in told if event.kind in _PUBLIC]
        found.append({"day": day, "lines": lines})
    return found


_TOLD_TO_SEATS = ("destroyed", "captured")


def _lost_first(today: Sequence[Event]) -> list[Event]:
    """Destroyed units come first, in an order that does not reveal that of the lists."""
    lost = sorted((e for e in today if e.kind == "destroyed"), key=lambda e: (e.data["side"], e.data["name"]))
    return [*lost, *(event for event in today if event.kind != "destroyed")]


def told_of_days(days: Sequence[Mapping[str, Any]]) -> list[str]:
    """The result of `public_news`, in sentences that name the day if there are several."""
    several = len(days) > 1
    return [f"Day {day['day']}: {line}" if several else line for day in days for line in day["lines"]]


def log(known: Sequence[Event], side: int) -> list[dict[str, Any]]:
    """The days as this side saw them: for each impulse its moves, what was revealed, what was seen, fire and damage."""
    days: list[dict[str, Any]] = []
    for day in dict.fromkeys(event.data["day"] for event in known if event.kind in ("day", "phase")):
        today = [event for event in known if event.data.get("day") == day]
        parts = [
            {"title": title, "lines": _part([event for event in today if event.data["stage"] == stage], side)}
            for stage, title in STAGES.items()
        ]
        days.append({"day": day, "parts": [part for part in parts if part["lines"]]})
    return days


def _part(events: Sequence[Event], side: int) -> list[str]:
    """The lines of a stage. Enemy damage is in an order that does not reveal that of the enemy's lists."""
    told = {event.data["name"] for event in events if event.kind == "hit" and event.data["destroyed"]}
    last = sorted(
        (
            event
            for event in events
            if event.kind == "wounded"
            or (event.kind == "destroyed" and (event.data["side"] != side or event.data["name"] not in told))
        ),
        key=lambda event: (event.kind, event.data["name"]),
    )
    lines = [_LINES[event.kind](event, side) for event in events if event.kind in _LINES and event.kind not in _LAST]
    return [line for line in (*lines, *(_LINES[event.kind](event, side) for event in last)) if line]


def orders(known: Sequence[Event], player: str) -> list[dict[str, Any]]:
    """The player's order lines of each day or phase, and the parts that were not carried out, with the reason."""
    found: list[dict[str, Any]] = []
    for event in known:
        if event.kind == "orders" and event.data["player"] == player:
            found.append({"day": event.data["day"], "lines": [{"text": line, "notes": []} for line in event.data["lines"]]})
        elif event.kind == "undone" and event.audience == (player,):
            counter = event.data["counter"]
            note = f"{counter}: {event.data['why']}" if counter else event.data["why"]
            lines = [line for line in found[-1]["lines"] if line["text"] == event.data["line"]] if found else []
            for line in lines[:1]:
                if note not in line["notes"]:
                    line["notes"].append(note)
    return found


def waits_over(known: Sequence[Event], player: str, day: int) -> list[str]:
    """That the player's WAIT is over, why if it ended early, and that orders for that day are due."""
    return [
        f"{_why_over(event.data)} Orders are due again for day {day}."
        for event in known
        if event.kind == "wait_over" and event.audience == (player,)
    ]


def _why_over(data: Data) -> str:
    if not data["left"]:
        return "Your WAIT is over."
    reasons = [_WAKES[kind] for kind in data["why"]]
    if data["boards"]:
        reasons.append(f"enemy counters came up at {listing(data['boards'])}")
    why = "; ".join(reasons) or "something has happened to an ally of yours"
    return f"Your WAIT has ended {counted(data['left'], 'day')} early: {why}."


_WAKES: Mapping[str, str] = {
    "fired_at": "your side was fired at",
    "exposed": 'enemy sensors found a "?" of your side',
    "arrived": "a group of your side came out of jump",
    "captured": "a planet changed hands",
}
"""What ends a WAIT early (section 7.6), apart from enemies that appear."""


# --- Everybody -------------------------------------------------------------------------------------------------------------


def _missed(data: Data) -> str:
    again = f", the {_nth(data['count'])} time in a row" if data["count"] > 1 else ""
    return f"{data['player']} sent no orders{again}."


def _nth(count: int) -> str:
    return {2: "second", 3: "third"}.get(count, f"{count}th")


_PUBLIC: Mapping[str, Callable[[Data], str]] = {
    "destroyed": lambda data: f"{data['name']} ({data['side_name']}) destroyed.",
    "captured": lambda data: f"{data['body']} taken by {data['side_name']}.",
    "missed": _missed,
    "absent": lambda data: f"{data['player']} is absent and commands no more.",
    "over": lambda data: data["reason"],
}


# --- One side --------------------------------------------------------------------------------------------------------------


def seen_in_words(boards: Sequence[Data]) -> str:
    """What can be seen of the enemy: the units with their hexes, and the hexes with a "?"."""
    return "; ".join(f"{board['system']}: {', '.join((*map(_unit, board['units']), *_marks(board)))}" for board in boards)


def _unit(unit: Data) -> str:
    return f"{unit['name']} {unit['hex']}" + (f" (damage {unit['damage']})" if unit["damage"] else "")


def _marks(board: Data) -> list[str]:
    return [f'"?" {where}' for where in board["questions"]]


def _of(sentence: str) -> Callable[[Event, int], str]:
    """The sentence with the event's data in it, lists in words."""

    def said(event: Event, _side: int) -> str:
        words = {key: (listing(value) or "nothing") if isinstance(value, list) else value for key, value in event.data.items()}
        return sentence.format(**words)

    return said


def _moved(event: Event, _side: int) -> str:
    data, path = event.data, event.detail.get("path")
    by = f" by {', '.join(path[:-1])}" if path and path[1:] else ""
    end = " and did not get farther" if event.detail.get("left") else ""
    return f"{listing(data['counters'])} moved from {data['system']} {data['start']}{by} to {data['end']}{end}."


def _shot(event: Event, side: int) -> str:
    data = event.data
    shooter = f"{'Your ' if data['side'] == side else 'Enemy '}{data['shooter']} ({data['from']})"
    whose = "" if data["side"] == side else "your "
    at = f'"?" in {data["at"]}' if data["at"] else f"{whose}{data['target']}"
    line = f"{data['system']}: {shooter} fired {data['attack']} at {at}"
    if "hit" not in event.detail:
        return f"{line}."
    if not event.detail["hit"]:
        return f"{line}: nothing there."
    taken = event.detail["taken"]
    return f"{line}: {event.detail['hit']} hit{'' if taken is None else f', {taken}'}."


def _hit(event: Event, _side: int) -> str:
    data = event.data
    took = f"{data['name']} took {data['taken']}{', halved under cover' if data['halved'] else ''}"
    if data["destroyed"]:
        return f"{took}, and was destroyed."
    lost = [counted(data[key], word, word) for key, word in (("fuel_lost", "Fuel"), ("supplies_lost", "Supply")) if data[key]]
    also = f"; {listing(lost)} lost" if lost else ""
    return f"{took}: damage {data['damage']}, now {levels(data['factors'])}{also}."


def _holder(name: str) -> str:
    return "the starport" if name in ("", "STARPORT") else name


def _transferred(event: Event, _side: int) -> str:
    data = event.data
    what = counted(data["count"], "Admiral") if data["what"] == "admiral" else f"{data['count']} Supply"
    short = f" instead of {data['of']}" if data["count"] < data["of"] else ""
    return f"{what}{short} went from {_holder(data['source'])} to {_holder(data['to'])}."


def _repaired(event: Event, _side: int) -> str:
    data = event.data
    sources = listing(f"{count} of {_holder(name)}" for name, count in data["from"])
    left = f"damage {data['damage']} left" if data["damage"] else "no damage left"
    return f"{data['name']} repaired {data['count']} with Supply ({sources}): {left}."


_LAST = ("wounded", "destroyed")


def _captured(event: Event, side: int) -> str:
    return f"{event.data['body']} passed to {'your side' if event.data['side'] == side else 'the enemy'}."


_PLACED = ("{id} placed at {where}.", "{id} placed at {where}, on {unit}.")
_LINES: Mapping[str, Callable[[Event, int], str]] = {
    "moved": _moved,
    "exposed": _of('Enemy sensors found your "?" at {place}: {ids} eliminated.'),
    "pierced": _of('Your sensors eliminated the "?" at {place}; beneath: {names}.'),
    "view": lambda event, _: f"In view: {seen_in_words(event.data['boards']) or 'nothing of the enemy'}.",
    "unmasked": _of('Fire gave away your "?" at {place}: {ids} gone.'),
    "shot": _shot,
    "hit": _hit,
    "wounded": _of("Enemy {name}: damage now {damage}."),
    "destroyed": lambda event, side: f"{'Your' if event.data['side'] == side else 'Enemy'} {event.data['name']} was destroyed.",
    "transferred": _transferred,
    "repaired": _repaired,
    "lent": _of("{to} of an ally used {count} Supply of {name}."),
    "refuelled": _of("{name} took {count} Fuel and has {fuel}."),
    "jumped": _of("{counters} jumped from {from} to {to}, distance {distance}."),
    "arrived": _of("{counters} came out of jump at {place}."),
    "captured": _captured,
    "acquired": _of('New "?" in reserve: {ids}.'),
    "placed": lambda event, _: _PLACED[bool(event.data["unit"])].format(**event.data),
    "inherited": lambda event, _: "{heir} now commands what {player} did: {what}.".format(
        **event.data, what=listing([*event.data["units"], *event.data["ids"]])
    ),
}

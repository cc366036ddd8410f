"""Who sees what: a view is built of what its reader may know, and never cut down from all there is."""

from collections.abc import Sequence

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.facts import happened, stand
from pbmd.rules.words import counted

from .position import Position, game_options, living, outcome, role_of, seats, wolves

WORDS = {
    "slept": "{by} sent no orders in the {phase}.",
    "looked": "You looked at {of}: {role}.",
    "killed": "{of} was killed in the night, and was a {role}.",
    "quiet": "Nobody died in the night.",
    "voted": "{by} voted for {of}.",
    "hanged": "{of} was hanged, and was a {role}.",
    "spared": "Nobody was hanged.",
}


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """Each knows their own role, and the wolves each other; for the game master all."""
    told = [WORDS[event.kind].format(**event.data) for event in seen_by(events, reader)]
    alive = living(position)
    data = {
        "role": role_of(position, reader.seat) if reader.seat else "",
        "wolves": list(wolves(position)) if _is_wolf(position, reader) else [],
        "living": list(alive),
        "phase": position.phase,
        "told": told,
        "numbers": {"Alive": {name: int(name in alive) for name in seats(position)}},
        "happened": happened(reader, told),
        "stand": None if outcome(position) else _stand(position),
    }
    if reader.seat and reader.seat not in alive and not outcome(position):
        data["out"] = True
    return View(reader, position.turn, data)


def _is_wolf(position: Position, reader: Reader) -> bool:
    return reader.kind == "gm" or bool(reader.seat and role_of(position, reader.seat) == "wolf")


def _stand(position: Position) -> dict[str, object]:
    days = game_options(position.given).days
    aim = f"The village wins if no wolf is alive; the wolves if they are as many as others, or after {counted(days, 'day')}."
    return stand(aim, f"{counted(len(living(position)), 'villager')} of {len(seats(position))} are alive.")

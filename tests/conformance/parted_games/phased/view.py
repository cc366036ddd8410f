"""Who sees what: a view is built of what its reader may know, and never cut down from all there is."""

from collections.abc import Sequence

from pbmd.rules import Event, Reader, View, seen_by

from .position import Position, game_options

WORDS = {
    "slept": "{by} sent no orders in the phase {phase}.",
    "dug": "{by} dug and found {gold} gold.",
    "stole": "{by} stole {gold} gold from {of}.",
}


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """For a seat its own gold; for the game master all."""
    known = [digger for digger in position.diggers if reader.kind == "gm" or digger.name == reader.seat]
    data = {
        "target": game_options(position.given).target,
        "gold": {digger.name: digger.gold for digger in known},
        "told": [WORDS[event.kind].format(**event.data) for event in seen_by(events, reader)],
    }
    return View(reader, position.turn, data)

"""Who sees what: a view is built of what its reader may know, and never cut down from all there is."""

from collections.abc import Sequence

from pbmd.rules import Event, Reader, View, seen_by
from pbmd.rules.facts import happened, stand
from pbmd.rules.words import counted

from .position import Position, outcome, seats, worth

WORDS = {
    "slept": "{by} sent no orders.",
    "failed": "{to} could not pay {price} to {by} for a {gem}.",
    "traded": "{by} sold a {gem} to {to} for {price}; the fee was {fee}.",
    "sold": "{to} bought the {gem} for {price}.",
    "unsold": "Nobody bid enough for the {gem}.",
}


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """Each knows their own money and hand; at the end, and for the game master, all are open."""
    over = outcome(position) is not None
    known = [each for each in position.dealers if over or reader.kind == "gm" or each.name == reader.seat]
    told = [WORDS[event.kind].format(**event.data) for event in seen_by(events, reader)]
    data = {
        "dealers": [{"name": each.name, "money": each.money, "hand": list(each.hand), "worth": worth(each)} for each in known],
        "others": [name for name in seats(position) if name != reader.seat],
        "sale": list(position.sale),
        "told": told,
        "happened": happened(reader, told),
        "stand": None if over else stand("Who has most points when all is sold wins.", _place(position)),
    }
    return View(reader, position.turn, data)


def _place(position: Position) -> str:
    return f"{counted(len(position.pile) + 1, 'gem')} will be sold, and {counted(len(position.unsold), 'gem')} went back."

"""What a reader may know (section 8 of the rules)."""

from collections.abc import Sequence

from pbmd.rules import Event, Reader, View, seen_by

from .position import Position


def view(position: Position, events: Sequence[Event], reader: Reader) -> View:
    """The view of that reader."""
    return View(reader, position.turn, {"events": [event.kind for event in seen_by(events, reader)]})

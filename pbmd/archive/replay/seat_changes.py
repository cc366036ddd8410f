"""A change of a seat's holder, in a game that is played again."""

from typing import Any, NamedTuple

from pbmd.ledger.entries.player_entries import ResignedEntry
from pbmd.ledger.entries.sleep_entries import AsleepEntry, AwakeEntry
from pbmd.rules import Refused, Ruleset


class SeatChange(NamedTuple):
    """A seat was given up, or went to civil disorder, or was taken over by somebody with this name; None where the journal does
    not give it, and where its player came back."""

    kind: str
    seat: str
    holder: str | None


def in_other_hands(ruleset: Ruleset[Any], position: Any, change: SeatChange, *, strict: bool) -> Any:
    """The position with the seat given up, or taken over. With `strict` it raises `Refused`."""
    if change.kind in (AsleepEntry.kind, AwakeEntry.kind):
        return ruleset.disorder(position, change.seat, change.kind == AsleepEntry.kind) if ruleset.disorder else position
    if change.kind == ResignedEntry.kind:
        return ruleset.resign(position, change.seat).position if ruleset.resign else position
    try:
        return ruleset.take_over(position, change.seat, change.holder) if ruleset.take_over else position
    except Refused:
        if strict:
            raise
        return position

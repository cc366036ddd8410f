"""Orders of a step that never was resolved, as far as the journal of an archive shows them: they are in no folder of a turn."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pbmd.ledger.tables import SubmissionState

_FILED, _REPLACED, _CANCELLED, _ROLLED_BACK = (
    state.value
    for state in (SubmissionState.FILED, SubmissionState.REPLACED, SubmissionState.CANCELLED, SubmissionState.ROLLED_BACK)
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A letter with orders. `receipt` is the entry that holds it; `state` is a `SubmissionState`."""

    seat: str
    arrived: datetime
    receipt: int
    state: str
    lines: tuple[str, ...]


def orders_left(entries: Iterable[Mapping[str, Any]]) -> list[Waiting]:
    """The letters with orders in the entries after the last resolution, in their order, and what became of each."""
    found: list[Waiting] = []
    for number, kind, said in _told(entries):
        if "lines" in said:
            if said["state"] == _FILED:
                found = _settled(found, _REPLACED, said["seat"])
            arrived = datetime.fromtimestamp(said["arrival"][0] // 1_000_000, UTC)
            found.append(Waiting(said["seat"], arrived, number, said["state"], tuple(text for _, text in said["lines"])))
        elif kind == "rolled-back":
            found = _settled(found, _ROLLED_BACK)
        elif kind == "cancelled" or "cancelled" in said:
            found = _settled(found, _CANCELLED, said.get("seat", ""))
    return found


def _told(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Number, kind and secret part of each, and what was kept back until then before the entry that has it."""
    for entry in entries:
        secret = entry.get("secret", {})
        for kept in secret.get("meanwhile", ()):
            yield entry["number"], "", kept
        if entry["kind"] in ("orders", "cancelled", "rolled-back"):
            yield entry["number"], entry["kind"], secret


def _settled(found: Iterable[Waiting], state: str, seat: str | None = None) -> list[Waiting]:
    """What was on file, of that seat or of all, has now another state."""
    return [replace(each, state=state) if each.state == _FILED and seat in (None, each.seat) else each for each in found]

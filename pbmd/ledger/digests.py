"""Digests of what the ledger stores of a game, in the game's row: what a person or a failing disk has changed is found before
it is used.

They prove nothing to anybody else, since whoever can write to the ledger can write them, too; the journal is there for that.
What the journal has shown to be wrong is noted beside them until somebody has dealt with it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from pbmd.ledger.tables import Game, Seat

POSITION, MEANWHILE, HEAD, CLOCK = "position", "meanwhile", "head", "clock"
NONE = "{}"
"""The digests of a game whose digests are all computed again the next time it is written."""
_FOUND = "found"
_SEAT = "seat "
_OF_CLOCK = ("status", "turn", "step", "step_name", "opened_at", "takes_from", "deadline", "paused_at", "closed_at")
"""Not `due_at`: it follows from these, and from what the seats have sent."""
_OF_GAME: Mapping[str, Callable[[Game], str]] = {
    POSITION: lambda game: game.position,
    MEANWHILE: lambda game: game.meanwhile,
    "options": lambda game: game.options,
    "terms": lambda game: game.terms,
    HEAD: lambda game: f"{game.chain_number} {game.chain_head}",
    CLOCK: lambda game: _text(getattr(game, name) for name in _OF_CLOCK),
}
"""For each part of a game's row the text that its digest covers. Seats are named by their numbers."""
_WORDS: Mapping[str, str] = {
    POSITION: "the position",
    MEANWHILE: "what waits for the journal",
    "options": "the options",
    "terms": "the terms",
    HEAD: "the head of the journal",
    CLOCK: "the clock (its state, turn, step, deadline and the like)",
}
_COLUMNS: Mapping[tuple[str, str], str] = {
    ("game", "position"): POSITION,
    ("game", "meanwhile"): MEANWHILE,
    ("game", "options"): "options",
    ("game", "terms"): "terms",
    ("game", "chain_number"): HEAD,
    ("game", "chain_head"): HEAD,
    **{("game", name): CLOCK for name in _OF_CLOCK},
}
_FIELDS = itemgetter(
    "name", "address", "other_address", "holder", "timezone", "signup", "token_generation", "state", "deadline", "missed_step"
)
_DIGITS = 32
"""Of 64: whoever could look for another text with the same digest could change the digest as well."""


def altered(game: Game, seats: Sequence[Seat], known: str = "") -> tuple[str, ...]:
    """The parts of a game that are not what was written, in the order in which they are stored. Nothing can be said of a part
    without a digest: games of an older version have none, nor has what was put aside. `known` is a part that need not be
    checked."""
    kept: dict[str, Any] = json.loads(game.digests)
    if not kept.keys() - {_FOUND}:
        return tuple(kept.get(_FOUND, ()))
    found = [part for part, text in _OF_GAME.items() if part != known and _differs(kept.get(part), text, game)]
    of_seats = {part_of(seat): seat for seat in seats}
    named = dict.fromkeys([*of_seats, *(part for part in kept if part.startswith(_SEAT))])
    found += [part for part in named if _is_altered(kept.get(part), of_seats.get(part))]
    return (*found, *kept.get(_FOUND, ()))


def _differs(kept: str | None, text: Callable[[Game], str], game: Game) -> bool:
    """A part without a digest has lost it; one whose digest is empty was put aside."""
    return kept is None or (bool(kept) and kept != _digest(text(game)))


def _is_altered(kept: str | None, seat: Seat | None) -> bool:
    return kept is None or seat is None or (bool(kept) and kept != _digest(_text_of(seat)))


def must_be_digests(written: str) -> None:
    """Raises `ValueError` for anything that `digests` does not write."""
    kept = json.loads(written)
    found = kept.pop(_FOUND, []) if isinstance(kept, dict) else None
    texts = [*kept.keys(), *kept.values(), *found] if isinstance(found, list) and isinstance(kept, dict) else [None]
    if not all(isinstance(each, str) for each in texts):
        raise ValueError("no digests")


def digests(game: Game, seats: Sequence[Seat], altered: Sequence[str], *, position_too: bool) -> str:
    """The digests of a game as its row stores them. Parts that are `altered` keep the digest they have, or the change would be
    forgotten. That of the position is computed again only with `position_too`."""
    kept: dict[str, Any] = json.loads(game.digests)
    stay = {*altered, *(() if position_too or not kept.get(POSITION) else (POSITION,))}
    taken = {part: _digest(text(game)) for part, text in _OF_GAME.items() if part not in stay}
    taken |= {part: _digest(_text_of(seat)) for seat in seats if (part := part_of(seat)) not in stay}
    taken |= {part: kept[part] for part in stay if part in kept}
    found = [words for words in kept.get(_FOUND, ()) if words in stay]
    return json.dumps(dict(sorted(taken.items())) | ({_FOUND: found} if found else {}), separators=(",", ":"))


def without(written: str, table: str, column: str, seat: int = 0) -> str:
    """Digests as a row keeps them, without that of a column of the game, or of the seat with that number: it is computed again
    the next time the game is written."""
    kept: dict[str, Any] = json.loads(written)
    part = f"{_SEAT}{seat}" if table == "seat" else _COLUMNS.get((table, column), "")
    return json.dumps({**kept, part: ""} if part in kept else kept, separators=(",", ":"))


def found_in(written: str) -> tuple[str, ...]:
    """What was found and noted beside the digests of a row, in words."""
    return tuple(json.loads(written).get(_FOUND, ()))


def with_found(written: str, found: Sequence[str]) -> str:
    """The digests of a row, with what was found noted beside them, in place of what was noted before."""
    kept: dict[str, Any] = json.loads(written)
    kept.pop(_FOUND, None)
    return json.dumps(kept | ({_FOUND: list(found)} if found else {}), separators=(",", ":"))


def words_of(parts: Sequence[str], seats: Sequence[Seat]) -> Iterator[str]:
    """What the parts are called, for people."""
    names = {part_of(seat): seat.name for seat in seats}
    for part in parts:
        if part in _WORDS:
            yield _WORDS[part]
        else:
            gone = f"{part}, which is not there" if part.startswith(_SEAT) else part
            yield f"the seat {names[part]} (name, address, holder, state or deadline)" if part in names else gone


def part_of(seat: Seat) -> str:
    """The name of the part of a game that a seat is."""
    return f"{_SEAT}{seat.number}"


def _text_of(seat: Seat) -> str:
    return _text(_FIELDS(vars(seat)))  # bypassing the ORM, which would take longer than everything else here


def _text(values: Iterable[Any]) -> str:
    """Times as UTC: those that were loaded are, those that were computed may be in any zone."""
    return "\n".join(str(value.astimezone(UTC) if isinstance(value, datetime) else value) for value in values)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

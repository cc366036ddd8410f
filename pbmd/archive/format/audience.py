"""For whom an archive is made, and what of the game that reader may know.

Reports, numbers and maps are made from views, and events are cut by `seen_by`: what they show is decided there. Here is
decided what of the books may be shown, by one table for the secret parts of the journal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pbmd.rules import GM, PUBLIC, Reader, fold, seat_reader


class UnknownView(ValueError):
    """Not a view that there is; the message says which there are."""


@dataclass(frozen=True, slots=True)
class Audience:
    """A view: of all, of the public, or of a seat, then `seat` is its name."""

    kind: Literal["all", "public", "seat"]
    seat: str = ""

    def __str__(self) -> str:
        return f"seat:{self.seat}" if self.seat else self.kind

    @property
    def everything(self) -> bool:
        """Whether it has all of the game."""
        return self.kind == "all"

    @property
    def reader(self) -> Reader:
        """Whose view of a position it is."""
        return {"all": GM, "public": PUBLIC}.get(self.kind) or seat_reader(self.seat)

    def sees_seat(self, name: str) -> bool:
        """Whether it has the reports and orders of that seat."""
        return self.everything or (self.kind == "seat" and self.seat == name)

    def sees_secret(self, kind: str, public: Mapping[str, Any], secret: Mapping[str, Any], *, before: bool) -> bool:
        """Whether it has the secret part of that entry of the journal. `before`: the entry is older than the last change of
        hands of its seat."""
        if self.everything:
            return True
        may = _SECRETS.get(kind)
        return may is not None and may(self, public, secret) and not (before and _has_own_words(kind, secret))


ALL, TO_PUBLIC = Audience("all"), Audience("public")


def audience_of(written: str, seats: Sequence[str]) -> Audience:
    """``all``, ``public`` or ``seat:NAME``, the name in any case. Raises `UnknownView`."""
    kind, _, name = written.partition(":")
    if kind == "seat" and name:
        found = [seat for seat in seats if fold(seat) == fold(name)]
        if not found:
            raise UnknownView(f'there is no seat "{name}"; there are {", ".join(seats)}')
        return Audience("seat", found[0])
    if written == "all":
        return ALL
    if written == "public":
        return TO_PUBLIC
    raise UnknownView(f'there is no view "{written}"; there are all, public and seat:NAME')


def _has_own_words(kind: str, secret: Mapping[str, Any]) -> bool:
    """Whether it has who somebody is or what they wrote, which is not for whoever takes their seat over: private press, and
    letters as they were sent. What everybody was told stays."""
    return kind in ("joined", "orders", "missed") or (kind == "press" and not secret.get("all"))


_May = Callable[[Audience, Mapping[str, Any], Mapping[str, Any]], bool]


def _own(audience: Audience, _public: Mapping[str, Any], secret: Mapping[str, Any]) -> bool:
    return audience.kind == "seat" and secret.get("seat") == audience.seat


def _joined(audience: Audience, public: Mapping[str, Any], _secret: Mapping[str, Any]) -> bool:
    return audience.kind == "seat" and public.get("seat") == audience.seat


def _press(audience: Audience, _public: Mapping[str, Any], secret: Mapping[str, Any]) -> bool:
    return bool(secret.get("all")) or (audience.kind == "seat" and audience.seat in (secret["from"], *secret["to"]))


_SECRETS: Mapping[str, _May] = {
    "joined": _joined,
    "orders": _own,
    "cancelled": _own,
    "wait": _own,
    "ready": _own,
    "missed": _own,
    "disputed": _own,
    "press": _press,
}
"""Whose business the secret part of an entry is; of kinds that are not here it is the game master's alone."""

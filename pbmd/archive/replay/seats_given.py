"""Who got which seat where seats are given when the game begins, once more from the lists and the dice of its journal."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pbmd.archive.format.outline import SeatsClaim
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Document, written_part
from pbmd.ledger.entries.step_entries import JoiningPlayer
from pbmd.rules import Roll, Ruleset
from pbmd.rules.options import complete
from pbmd.rules.salts import salts_of
from pbmd.rules.seating import seats_given
from pbmd.set_up import Begun
from pbmd.terms.terms import ASKED

_NO_LINES = "[]"


@dataclass
class Places:
    """The places of those who have signed up: the number and the player of each, whose lines are the list that counts; and the
    entry that says which seats they got, with its number."""

    seating: str = ASKED
    taken: dict[str, tuple[int, JoiningPlayer]] = field(default_factory=dict[str, tuple[int, JoiningPlayer]])
    seated: tuple[int, kinds.SeatedEntry] | None = None

    def claim(self, ruleset: Ruleset[Any], begun: Begun, joined: Mapping[int, kinds.JoinedEntry]) -> SeatsClaim | None:
        """What the entries that give the seats should say, and what they say; None in a game in which everybody has asked for
        a seat of their own. Raises `ValueError` for what cannot be."""
        if self.seating == ASKED and self.seated is None:
            return None
        number, entry = self.seated or (0, None)
        found = None
        if entry is not None:
            of_seats = {each.seat: _who(at, each.sealed) for at, each in joined.items()}
            found = _document(entry.seating, entry.seats, entry.sealed.dice if entry.sealed else (), of_seats)
        return SeatsClaim(number, None if self.seating == ASKED else self._again(ruleset, begun), found)

    def _again(self, ruleset: Ruleset[Any], begun: Begun) -> Document:
        if ruleset.fixed_seats is None:
            raise ValueError("these rules have no seats to give")
        places = sorted(self.taken.items(), key=lambda place: place[1][0])
        names, dice = seats_given(
            {place: [text for _, text in json.loads(player.setup)] for place, (_, player) in places},
            list(ruleset.fixed_seats(complete(ruleset.info.options, begun.options))),
            begun.secret,
            salts_of(begun.salts, ((at, place) for place, (at, _) in places)),
        )
        of_seats = {names[place]: _who(at, replace(player, setup=_NO_LINES)) for place, (at, player) in places}
        return _document(self.seating, names, dice.drawn, of_seats)


def _who(number: int, player: JoiningPlayer | None) -> list[Any]:
    """The number of a seat and its player, whose time zone may be another by now."""
    return [number, written_part(replace(player, timezone=None)) if player else None]


def _document(seating: str, names: Mapping[str, str], dice: Iterable[Roll], of_seats: Mapping[str, list[Any]]) -> Document:
    return {"seats": dict(names), "seating": seating, "dice": [list(roll) for roll in dice], "joined": dict(of_seats)}

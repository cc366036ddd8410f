"""The sign-up of a game that is played again: who joined, with which lines, and who got which seat where seats are given when
the game begins, once more from the lists and the dice of its journal."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pbmd.archive.format.entries import Entry
from pbmd.archive.format.outline import SeatsClaim, StoryError
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Document, written_part
from pbmd.ledger.entries.step_entries import JoiningPlayer
from pbmd.rules import Line, Roll, Ruleset, Signup
from pbmd.rules.options import complete
from pbmd.rules.salts import salts_of
from pbmd.rules.seating import seats_given
from pbmd.set_up import Begun
from pbmd.terms.terms import ASKED

_NO_LINES = "[]"


P = TypeVar("P")
OF_SIGN_UPS = frozenset({"created", "signed-up", "preferred", "seated", "joined"})
"""The kinds of entries that tell of it."""


@dataclass
class SignUps:
    """The places of those who have signed up: the number and the player of each, whose lines are the list that counts; the
    entry that says which seats they got, with its number; and those who have joined, by the numbers of their seats."""

    options: Document = field(default_factory=dict[str, Any])
    seating: str = ASKED
    taken: dict[str, tuple[int, JoiningPlayer]] = field(default_factory=dict[str, tuple[int, JoiningPlayer]])
    seated: tuple[int, kinds.SeatedEntry] | None = None
    joined: dict[int, kinds.JoinedEntry] = field(default_factory=dict[int, kinds.JoinedEntry])

    def take(self, entry: Entry) -> None:
        """The next entry of these kinds."""
        match entry.content:
            case kinds.CreatedEntry(options=options, terms=terms):
                self.options, self.seating = options, str(terms.get("seating", self.seating))
            case kinds.SignedUpEntry(seat=seat, number=number, sealed=sealed):
                self.taken[seat] = number, sealed_part(sealed)
            case kinds.PreferredEntry(sealed=sealed):
                other = sealed_part(sealed)
                number, player = self.taken[other.seat]
                self.taken[other.seat] = number, replace(player, setup=other.setup)
            case kinds.SeatedEntry() as seated:
                self.seated = entry.number, seated
            case kinds.JoinedEntry(number=number) as joined:
                self.joined[number] = joined
            case _:
                pass

    def free(self, seat: str) -> None:
        """Before the game began a seat became free again."""
        self.joined = {number: each for number, each in self.joined.items() if each.seat != seat}
        self.taken.pop(seat, None)

    def begun(self, entry: Entry, content: kinds.StartedEntry) -> Begun:
        """What the journal has about the set-up. Raises `StoryError` if the entry does not open its secret."""
        players = [(each.seat, number, sealed_part(each.sealed)) for number, each in self.joined.items()]
        signups = [
            Signup(seat, tuple(Line(*line) for line in json.loads(player.setup)), player.holder or "")
            for seat, _, player in sorted(players, key=lambda each: (each[2].joined_at, each[1]))
        ]
        sealed = sealed_part(content.sealed)
        # In games that began before there were salts it was published at once.
        own = sealed.secret or content.secret
        if own is None:
            raise StoryError(entry.number, 0, f"entry {entry.number} ({entry.kind}) opens no secret of the set-up")
        salts = None if sealed.salts is None else bytes.fromhex(sealed.salts)
        return Begun(
            self.options, {number: each.seat for number, each in self.joined.items()}, signups, bytes.fromhex(own), salts
        )

    def claim(self, ruleset: Ruleset[Any], begun: Begun) -> SeatsClaim | None:
        """What the entries that give the seats should say, and what they say; None in a game in which everybody has asked for
        a seat of their own. Raises `ValueError` for what cannot be."""
        if self.seating == ASKED and self.seated is None:
            return None
        number, entry = self.seated or (0, None)
        found = None
        if entry is not None:
            of_seats = {each.seat: _who(at, each.sealed) for at, each in self.joined.items()}
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


def sealed_part(part: P | None) -> P:
    """The sealed part of an entry that is only taken where it is shown."""
    assert part is not None
    return part

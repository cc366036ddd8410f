"""The kinds of entries of games whose seats are given when they begin: who has signed up, and how the seats were given."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from pbmd.ledger.entries.codec import Entry, Number, Part, Text, content
from pbmd.ledger.entries.parts import OneSeat, SeatName
from pbmd.ledger.entries.step_entries import JoiningPlayer

PlaceName = Annotated[Text, Field(description="what the seat is called until the game begins")]


@content
class SignedUpEntry(Entry):
    """Somebody has a place in a game whose seats are given when it begins. The lines of the sign-up are the list of seats that
    they would like, a line for each rank."""

    kind = "signed-up"
    has_own_words = True

    seat: PlaceName
    number: Annotated[Number, Field(description="of the seat")]
    sealed: JoiningPlayer | None


@content
class OtherList(OneSeat):
    """Whose list it is, and the list."""

    setup: Annotated[Text, Field(description="as in `signed-up`")]


@content
class PreferredEntry(Entry):
    """Somebody who has signed up would like other seats; this list replaces the one before."""

    kind = "preferred"

    sealed: OtherList | None


@content
class SeatingRolls(Part):
    """What was rolled for it."""

    dice: Annotated[tuple[tuple[Number, Number], ...], Field(description="pairs of sides and roll")]


@content
class SeatedEntry(Entry):
    """The seats were given. An entry `joined` follows for each, and then `started`, which has the secrets of the dice."""

    kind = "seated"
    tells_of_people = False

    seating: Annotated[Text, Field(description="by `preference`, or by `lot`: as with empty lists")]
    seats: Annotated[Mapping[str, SeatName], Field(description="which seat each place got, by what it was called until then")]
    sealed: SeatingRolls | None

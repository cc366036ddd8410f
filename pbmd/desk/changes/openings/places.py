"""Games whose seats are given when they begin, by lists of those that players would like, or by lot.

Until then whoever has signed up has a place: a seat's row under a name that says nothing, with the list where other games have
the lines of a sign-up.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from pbmd.desk.books.transaction import OpenGame, Transaction, compact_json
from pbmd.desk.step.dice_secrets import salts_in
from pbmd.ledger.entries.seating_entries import OtherList, PreferredEntry, SeatedEntry, SeatingRolls
from pbmd.ledger.entries.step_entries import JoinedEntry, JoiningPlayer
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.rules.dice import Roll
from pbmd.rules.names import fold
from pbmd.rules.options import Options, complete
from pbmd.rules.preferences import NotAList, Ranks, as_lines, from_lines, ranks_in, written
from pbmd.rules.protocol import Refused, Ruleset, Signup, Verdict
from pbmd.rules.seating import seats_given
from pbmd.rules.signups import seat_verdict
from pbmd.rules.words import listing
from pbmd.terms.terms import ASKED, BY_PREFERENCE, Terms

MOST_CHARS = 400
"""A list may be this long."""
_HOW = "write the seats that you would like, best first, with brackets around those that you like equally"
_PROVABLE = (
    "That rests on dice that were promised before the first sign-up. When the game is over its archive has all lists, and "
    "anybody can give the seats again from them: pbmd verify does."
)


def gives_later(table: OpenGame) -> bool:
    """Whether the game takes sign-ups, and nobody has a seat before it begins."""
    return table.terms.seating != ASKED and table.game.status is GameStatus.SIGNUP


def must_have_fixed_seats(rules: Ruleset[Any], terms: Terms, options: Options) -> None:
    """Raises `Refused` for terms by which seats are given where players name their own, or more than there are."""
    if terms.seating == ASKED:
        return
    word = rules.info.seat_word
    if rules.fixed_seats is None:
        raise Refused(
            f"in {rules.info.title} players choose the name of their {word}, so there are no seats to give by {terms.seating}; "
            f"make the game with seating = {ASKED}"
        )
    if (many := len(rules.fixed_seats(options))) < terms.seats:
        raise Refused(f"with these options there is a {word} for {many} players, not for {terms.seats}")


def seats_of(table: OpenGame) -> Mapping[str, str]:
    """All seats that can be given, each with its letter."""
    assert table.ruleset.fixed_seats is not None, "no other game gives seats"
    return table.ruleset.fixed_seats(_options(table))


def _options(table: OpenGame) -> Options:
    return complete(table.ruleset.info.options, json.loads(table.game.options))


def list_verdict(table: OpenGame, signup: Signup) -> Verdict:
    """The list of a newcomer, or what is wrong with it; the canonical text is the list as they can write it."""
    try:
        ranks = list_in(table, signup.seat)
    except Refused as refusal:
        return seat_verdict(signup, str(refusal))
    return seat_verdict(signup, "", written(ranks))


def list_in(table: OpenGame, text: str) -> Ranks:
    """A list as a player writes it. Raises `Refused`, with how it is written."""
    info = table.ruleset.info
    if table.terms.seating != BY_PREFERENCE:
        if text:
            raise Refused(f"each {info.seat_word} of {table.game.name} is drawn by lot when it begins, so nobody asks for one")
        return ()
    return _ranks(table, text)


def first_free(table: OpenGame, text: str) -> str:
    """Of a list as a player writes it, where seats go to who asks first: the best that nobody has. Raises `Refused`."""
    taken = {fold(seat.name) for seat in table.seats}
    ranks = _ranks(table, text)
    free = [seat for seat in (*chain.from_iterable(ranks), *(() if ranks else seats_of(table))) if fold(seat) not in taken]
    if not free:
        raise Refused(f"of {written(ranks)} none is free")
    return free[0]


def _ranks(table: OpenGame, text: str) -> Ranks:
    if len(text) > MOST_CHARS:
        raise Refused(f"a list has at most {MOST_CHARS} characters, yours has {len(text)}")
    try:
        return ranks_in(text, seats_of(table), table.ruleset.info.seat_word)
    except NotAList as problem:
        ends = "" if str(problem).endswith("?") else "."
        raise Refused(f"{problem}{ends} {_HOW[0].upper()}{_HOW[1:]}, like: {example(table)}") from None


def example(table: OpenGame) -> str:
    """A list that a newcomer can copy, of the first seats of the game."""
    first, *others = list(seats_of(table))[:3]
    return written(((first,), tuple(others))) if others else first


def beginnings_of_seats(table: OpenGame, words: Iterable[str]) -> frozenset[str]:
    """Those of the words, folded, with which a word in the name of a seat begins that can be asked for."""
    parts = [part for seat in seats_of(table) for part in fold(seat).split()] if table.ruleset.fixed_seats else []
    return frozenset(word for word in words if any(part.startswith(word) for part in parts))


def place_name(number: int) -> str:
    """What a seat is called until it is given."""
    return f"Player {number}"


def kept_list(ranks: Ranks) -> str:
    """A list as it is stored with a seat."""
    return compact_json([[number, line] for number, line in enumerate(as_lines(ranks), start=1)])


def list_of(seat: Seat) -> Ranks:
    """What the holder of a place would like."""
    return from_lines(_lines(seat))


def _lines(seat: Seat) -> Sequence[str]:
    return [text for _, text in json.loads(seat.signup)]


def list_words(table: OpenGame, seat: Seat) -> str:
    """The same in a sentence for them; empty where seats are drawn by lot."""
    if table.terms.seating != BY_PREFERENCE:
        return ""
    what = table.ruleset.info.seat_word
    if not (text := written(list_of(seat))):
        return f"You have named no {what}: any will do. PREFER {example(table)} on a line of its own, for example, names some."
    equally = ", those in brackets equally" if "[" in text else ""
    return (
        f"You would like, best first{equally}: {text}. Another line with PREFER replaces that until the game begins; "
        "PREFER ANY takes it back."
    )


def prefer(work: Transaction, table: OpenGame, seat: Seat, ranks: Ranks) -> None:
    """Another list for a place."""
    seat.signup = kept_list(ranks)
    work.journal(table, PreferredEntry(sealed=OtherList(seat=seat.name, setup=seat.signup)))
    work.log("preferred", table, seat.name)


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats as they will be: by the number of each, its name; and the rolls by which they were given. Empty where everybody
    has a seat already."""

    names: Mapping[int, str] = field(default_factory=dict[int, str])
    rolls: Sequence[Roll] = ()

    def of(self, seat: Seat) -> str:
        """The name of a seat from now on."""
        return self.names.get(seat.number, seat.name)


def seating(table: OpenGame, secret: bytes, salts: bytes | None) -> Seating:
    """Give the seats; changes nothing. Raises `Refused` if there are not enough."""
    if not gives_later(table):
        return Seating()
    places = sorted(table.seats, key=lambda seat: seat.number)
    try:
        names, dice = seats_given(
            {seat.name: _lines(seat) for seat in places}, list(seats_of(table)), secret, salts_in(table, salts)
        )
    except ValueError as problem:
        raise Refused(str(problem)) from None
    return Seating({seat.number: names[seat.name] for seat in places}, dice.drawn)


def take_places(work: Transaction, table: OpenGame, given: Seating, players: Iterable[tuple[Seat, JoiningPlayer]]) -> None:
    """Everybody has a seat from now on; the journal has it as if they had asked for it."""
    if not given.names:
        return
    places = {seat.name: given.of(seat) for seat in table.seats}
    work.journal(table, SeatedEntry(seating=table.terms.seating, seats=places, sealed=SeatingRolls(dice=tuple(given.rolls))))
    for seat, player in players:
        seat.name, seat.signup = given.of(seat), player.setup
        work.journal(table, JoinedEntry(seat=seat.name, number=seat.number, sealed=player))
    work.session.flush()
    who = listing(f"{name} to {place}" for place, name in places.items())
    work.log("seated", table, detail=f"by {table.terms.seating}: {who}")


def seat_words(table: OpenGame, seat: Seat, given: Seating) -> list[str]:
    """What the holder of a place is told of the seat that they get; nothing where they have it already."""
    if not given.names:
        return []
    name = given.of(seat)
    if table.terms.seating != BY_PREFERENCE:
        how = f"You play {name}, which was drawn by lot."
    elif not (ranks := list_of(seat)):
        how = f"You play {name}: you had named no {table.ruleset.info.seat_word}."
    else:
        place = next((place for place, rank in enumerate(ranks, start=1) if name in rank), 0)
        how = f"You play {name}, number {place} on your list." if place else f"You play {name}, which is not on your list."
    return [f"{how} {_PROVABLE}"]

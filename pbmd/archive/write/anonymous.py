"""Removes what shows who the players are: each letter and digit of it becomes an x, so that tables keep their form.

Names are found as whole words, in upper or lower case, broken over lines, and as HTML and JSON write them. Anything that looks
like an address counts as one. A seat that has the name of its player gets another, "Seat N".
"""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from email import policy
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.utils import getaddresses
from itertools import pairwise

from sqlmodel import Session, select

from pbmd.ledger.entries.player_entries import AddressChange, AddressEntry, HandOver, HolderEntry
from pbmd.ledger.entries.rows import entries_of
from pbmd.ledger.entries.seating_entries import SignedUpEntry
from pbmd.ledger.entries.step_entries import JoinedEntry, JoiningPlayer
from pbmd.ledger.tables import Game, Letter, Seat
from pbmd.rules import fold

_RUN = re.compile(r"[\w.!#$%&*+/=?^`{|}~@-]+")
"""The characters around an address: each run is searched once, however long it is."""
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_OWN_TIME = re.compile(r"(?<= UTC) \((?:\w{3} \d{1,2} \w{3} \d{4} )?\d\d:\d\d(?::\d\d)? [\w/+-]{1,60}\)", re.ASCII)
SHORTEST_HASH = 16
"""This many digits identify a hash."""
_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])")
_CHARACTER = re.compile(r"[^\W_]")
_PLAYER_NAME = re.compile(r"\s*player(?:['’]s)? name\s*:\s*(.+)", re.IGNORECASE)
_SENDERS = ("from", "sender", "reply-to")
_HEADER_BYTES = 65_536
_LONG_NAME = 16
"""Rules may cut a player's name; not shorter than this."""
_LONGEST_CUT = 100
"""If they cut it, they do not leave more of it than this. Searching for all lengths of a name from a letter would be too
much."""


class Anonymiser:
    """Removes these names from texts, and renames the seats in `renamed` (old name → new one)."""

    def __init__(self, names: Iterable[str], renamed: Mapping[str, str]) -> None:
        self.renamed = dict(renamed)
        self._new = {fold(old): new for old, new in renamed.items()}
        self._seats = _any_of(renamed)
        self._names = _any_of(name for name in names if fold(name) not in self._new)

    def text(self, text: str) -> str:
        """The text without names and addresses."""
        if self._seats:
            text = self._seats.sub(self._new_name, text)
        if "@" in text:
            text = _RUN.sub(_without_addresses, text)
        return self._names.sub(_blank, text) if self._names else text

    def _new_name(self, found: re.Match[str]) -> str:
        said = fold(" ".join(html.unescape(found[0]).split()))
        return self._new.get(said) or _blank(found)


def _without_addresses(run: re.Match[str]) -> str:
    """A run of characters with what stands before each @ with a domain blanked, and the domain."""
    parts = run[0].split("@")
    ends = [0, *(found.end() if before and (found := _DOMAIN.match(part)) else 0 for before, part in pairwise(parts))]
    return "@".join(
        blank(part) if after else blank(part[:end]) + part[end:]
        for part, end, after in zip(parts, ends, [*ends[1:], 0], strict=True)
    )


def without_zones(text: str) -> str:
    """The text without the times after those in UTC, which are in the zone of their reader."""
    return _OWN_TIME.sub("", text)


def without_hashes(text: str, hidden: Container[str]) -> str:
    """The text without the hashes that begin like this, whole or shortened."""
    if not hidden:
        return text
    return _HASH.sub(lambda found: blank(found[0]) if found[0][:SHORTEST_HASH] in hidden else found[0], text)


def blank(text: str) -> str:
    """The text with an x for each letter and digit."""
    return _CHARACTER.sub("x", text)


def anonymiser(session: Session, game: Game, seats: Iterable[Seat], done: Callable[[], None]) -> Anonymiser:
    """The anonymiser for a game: it knows the names and addresses of everybody who ever held a seat or wrote a letter to the
    game. `done` is called for each letter."""
    seats = tuple(seats)
    names = {
        " ".join(name.split()) for name in (*_of_seats(seats), *_of_journal(session, game), *_of_letters(session, game, done))
    }
    names = {name for name in names if len(name) > 1}
    folded = {fold(name) for name in names}
    renamed = {seat.name: f"Seat {seat.number}" for seat in seats if fold(seat.name) in folded}
    return Anonymiser(names, renamed)


def _of_seats(seats: Iterable[Seat]) -> Iterable[str]:
    for seat in seats:
        yield from (seat.holder, seat.address, seat.other_address)
        for _, line in json.loads(seat.signup):
            if said := _PLAYER_NAME.match(line):
                yield said[1]


def _of_journal(session: Session, game: Game) -> Iterable[str]:
    for each in entries_of(session, game.id, JoinedEntry, SignedUpEntry, HolderEntry, AddressEntry, with_sealed=True):
        match each.entry.sealed:
            case JoiningPlayer() as player:
                yield from (player.address, player.name)
            case HandOver() as change:
                yield from (change.old, change.new, change.name)
            case AddressChange(old=old, new=new):
                yield from (old, new)
            case None:
                pass


def _of_letters(session: Session, game: Game, done: Callable[[], None]) -> Iterable[str]:
    parser = BytesHeaderParser(policy=policy.compat32)
    raws = select(Letter.raw).where(Letter.game_id == game.id).execution_options(yield_per=100)
    with session.exec(raws) as found:
        for raw in found:
            head = parser.parsebytes(raw[:_HEADER_BYTES])
            for name, address in getaddresses([str(value) for field in _SENDERS for value in head.get_all(field, [])]):
                yield from (_decoded(name), address)
            done()


def _decoded(name: str) -> str:
    """The text of an encoded word (RFC 2047); left as it is if it cannot be decoded."""
    try:
        return str(make_header(decode_header(name)))
    except (ValueError, LookupError):
        return name


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    forms = {form for name in names for form in _forms(name)}
    if not forms:
        return None
    # Common beginnings are searched once, which is many times as fast; with one case of letters more of them are common.
    begun: dict[str, set[str]] = {}
    for form in map(_small, forms):
        begun.setdefault(form[:_LONG_NAME], set()).add(form[_LONG_NAME:])
    spelled = "|".join(
        f"{_spelled(start)}(?:{'|'.join(map(_spelled, _longest_first(begun[start])))})" for start in _longest_first(begun)
    )
    return re.compile(rf"(?<![^\W_])(?:{spelled})(?![^\W_])", re.IGNORECASE)


def _longest_first(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-len(text), text))


def _spelled(text: str) -> str:
    """A pattern for it in which line breaks count as blanks."""
    return r"\s+".join(map(re.escape, text.split(" ")))


def _small(text: str) -> str:
    """In lower case, with the same length."""
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def _forms(name: str) -> Iterable[str]:
    """The forms in which a name may stand in a file."""
    for normal in ("NFC", "NFD"):
        said = unicodedata.normalize(normal, name)
        for length in (*range(min(len(said), _LONG_NAME), min(len(said), _LONGEST_CUT)), len(said)):
            form = said[:length].strip()
            yield from (form, html.escape(form), html.escape(form).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"))
            yield json.dumps(form, ensure_ascii=False)[1:-1]


def _blank(found: re.Match[str]) -> str:
    return blank(found[0])

"""The tags by which a mail of ours is known again when it is answered."""

from collections.abc import Iterable, Iterator

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Seat
from pbmd.post.lines.form_line import SHEET_CHARS, SHEET_SIGN, digest_in, sheet_digest
from pbmd.post.tags import Tag, make_page_token, make_sheet_proof, make_token, token_matches, write_tag


def seat_tag(work: Transaction, seat: Seat) -> Tag:
    """The seat's tag with its secret token."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_token(work.desk.key, game, number, seat.token_generation))


def page_tag(work: Transaction, seat: Seat) -> Tag:
    """What the address of the seat's pages ends with; it proves nothing in a letter."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_page_token(work.desk.key, game, number, seat.token_generation))


def tokens_of(work: Transaction, seat: Seat) -> list[str]:
    """The tokens of the seat and of its pages that are looked for in letters."""
    return list(tokens_known(work, seat.game_id, seat.number, seat.token_generation))


GM_SEAT = 0
"""The number in the game master's tag; seats are numbered from 1."""
_MOST_KNOWN = 10
"""So many tokens of a seat are known again, that which holds and those before it: an older one is worth nothing, and the work
that a letter makes must not grow with how often somebody has asked for another."""


def generations_known(last: int) -> range:
    """Those of a seat's tokens that are known again, from the newest one on."""
    return range(max(last - _MOST_KNOWN, 0) + 1, last + 1)


def tokens_known(work: Transaction, game: int, number: int, last: int) -> Iterator[str]:
    """The tokens of a seat that are known again, and of its pages; `last` is the generation that holds. Of the game master's,
    whose number is 0, there are no pages."""
    for generation in generations_known(last):
        yield make_token(work.desk.key, game, number, generation)
        if number != GM_SEAT:
            yield make_page_token(work.desk.key, game, number, generation)


def gm_tag(work: Transaction, table: OpenGame) -> Tag:
    """The tag that shows, together with the address, that a letter about this game is from the game master."""
    return Tag(table.id, GM_SEAT, make_token(work.desk.key, table.id, GM_SEAT, table.game.gm_generation))


def mark_line(work: Transaction, seat: Seat) -> str:
    """The line that opens an order form of this seat, up to what its mail brings back."""
    return f"#orders {write_tag(seat_tag(work, seat))}"


def sheet_mark(work: Transaction, seat: Seat, lines: Iterable[str]) -> str:
    """The same of the sheet at the end of an answer; `lines` are its orders."""
    found = sheet_digest(lines)[:SHEET_CHARS]
    return f"#orders {SHEET_SIGN} {found}.{_sheet_proof(work, seat, found)}"


def is_sheet_of(work: Transaction, seat: Seat, tag: str) -> bool:
    """Whether the tag of a sheet, as it stands behind "#orders", is one that we sent to whoever holds this seat."""
    return token_matches(_sheet_proof(work, seat, digest_in(tag)), tag.partition(".")[2])


def _sheet_proof(work: Transaction, seat: Seat, found: str) -> str:
    return make_sheet_proof(work.desk.key, seat.game_id, seat.number, seat.token_generation, found)[: len(found)]

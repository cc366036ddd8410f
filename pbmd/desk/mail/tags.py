"""The tags by which a mail of ours is known again when it is answered."""

from pbmd.desk.books.work import Table, Work
from pbmd.ledger.tables import Seat
from pbmd.post.tags import Tag, make_page_token, make_token, write_tag


def seat_tag(work: Work, seat: Seat) -> Tag:
    """The seat's tag with its secret token."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_token(work.desk.key, game, number, seat.token_generation))


def page_tag(work: Work, seat: Seat) -> Tag:
    """What the address of the seat's pages ends with; it proves nothing in a letter."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_page_token(work.desk.key, game, number, seat.token_generation))


def tokens_of(work: Work, seat: Seat) -> list[str]:
    """All tokens that the seat and its pages have had, the ended ones too."""
    last = seat.token_generation
    return [
        make(work.desk.key, seat.game_id, seat.number, generation)
        for generation in range(1, last + 1)
        for make in (make_token, make_page_token)
    ]


GM_SEAT = 0
"""The number in the game master's tag; seats are numbered from 1."""


def gm_tag(work: Work, table: Table) -> Tag:
    """The tag that shows, together with the address, that a letter about this game is from the game master."""
    return Tag(table.id, GM_SEAT, make_token(work.desk.key, table.id, GM_SEAT, table.game.gm_generation))


def mark_line(work: Work, seat: Seat) -> str:
    """The line that opens an order form of this seat."""
    return f"#orders {write_tag(seat_tag(work, seat))}"

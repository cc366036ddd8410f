"""The tags by which a mail of ours is known again when it is answered, the mark with which its order form begins, and the
addresses and the button that are made from them.

Of what the dice of a step are made the word in that mark is the one thing that is not of the host's making, or need not be: it
is drawn for each mail, comes back with the reply, and a player may write another.
"""

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import Seat
from pbmd.post.compose import mailto
from pbmd.post.lines.form_line import SHEET_CHARS, SHEET_SIGN, digest_in, sheet_digest, write_head
from pbmd.post.tags import (
    Code,
    Tag,
    make_page_token,
    make_sheet_proof,
    make_token,
    plus_address,
    token_matches,
    write_tag,
)
from pbmd.rendering.blocks.page import WRITE, Button
from pbmd.settings import Pages, Server


def seat_tag(work: Transaction, seat: Seat) -> Tag:
    """The seat's tag with its secret token."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_token(work.desk.key, game, number, seat.token_generation))


def page_tag(work: Transaction, seat: Seat) -> Tag:
    """What the address of the seat's pages ends with; in a letter it proves nothing."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_page_token(work.desk.key, game, number, seat.token_generation))


GM_SEAT = 0
"""The number in the game master's tag; seats are numbered from 1."""


def gm_tag(work: Transaction, table: OpenGame) -> Tag:
    """The tag that shows, together with the address, that a letter about this game is from the game master."""
    return Tag(table.id, GM_SEAT, make_token(work.desk.key, table.id, GM_SEAT, table.game.gm_generation))


def mark_line(work: Transaction, seat: Seat) -> str:
    """The line that opens an order form of this seat, up to what its mail brings back."""
    return f"#orders {write_tag(seat_tag(work, seat))}"


def is_sheet_of(work: Transaction, seat: Seat, tag: str) -> bool:
    """Whether the tag of a sheet, as it stands behind "#orders", is one that we sent to whoever holds this seat."""
    return token_matches(_sheet_proof(work, seat, digest_in(tag)), tag.partition(".")[2])


def _sheet_proof(work: Transaction, seat: Seat, found: str) -> str:
    return make_sheet_proof(work.desk.key, seat.game_id, seat.number, seat.token_generation, found)[: len(found)]


_WORD_BYTES = 8


def form_top(work: Transaction, table: OpenGame, seat: Seat, *, reports: bool = False) -> str:
    """The mark with the token of the seat, which says of which game it is, the head of the journal as it is now, and a new word
    for the dice. `reports`: the mail is a report, with which the head goes anyway. Where players may not know who has sent, it
    has no number, and stands in no other mail: that it is another one would tell that somebody has."""
    return " ".join([mark_line(work, seat), *_head(table, reports=reports), _new_word(work)])


def sheet_top(work: Transaction, table: OpenGame, seat: Seat, lines: Sequence[str]) -> str:
    """The same for the sheet at the end of an answer, and its word is another for other orders. The mark is without the token
    of the seat, since players show each other our answers."""
    head, found = _head(table), sheet_digest(lines)[:SHEET_CHARS]
    mark = f"#orders {SHEET_SIGN} {found}.{_sheet_proof(work, seat, found)}"
    return " ".join([mark, *head, _word_for(work, table, seat, mark)])


def _head(table: OpenGame, *, reports: bool = False) -> list[str]:
    game = table.game
    counted = table.terms.who_has_sent != "nothing"
    return [write_head(game.chain_number if counted else None, game.chain_head)] if counted or reports else []


def top_of_page(work: Transaction, table: OpenGame, seat: Seat) -> str:
    """The mark in the form of the seat's pages. Its word is the same as long as the step lasts, since to look at a page changes
    nothing."""
    return f"{mark_line(work, seat)} {_word_for(work, table, seat, '')}"


def _word_for(work: Transaction, table: OpenGame, seat: Seat, where: str) -> str:
    """A word that nobody without the server's key can foresee."""
    of = f"word {table.id} {table.game.step} {seat.number} {seat.token_generation} {where}".rstrip()
    return _written(hmac.digest(work.desk.key, of.encode(), "sha256")[:_WORD_BYTES])


def _new_word(work: Transaction) -> str:
    """A word that nobody can foresee."""
    return _written(work.desk.entropy(_WORD_BYTES))


def _written(word: bytes) -> str:
    return base64.b32encode(word).decode().rstrip("=").lower()


# --- What all mails of a game to one of its seats have in common: from whom they are, where a reply goes, where the pages are.
# `pbmd check` shows it to the host before there is a game. The address of a seat's pages ends with a tag that proves nothing in
# a letter, and is kept nowhere: neither in the report that is kept nor in the log.

FOLDER = "s"
"""Below the public address, before the tags of seats."""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """The fields of `pbmd.post.compose.Outgoing` that depend on host and game."""

    sender_name: str
    sender_address: str
    reply_to: str
    list_id: str


def letterhead(server: Server, game: str, tag: Tag) -> Letterhead:
    """The letterhead of the mails of a game to the seat with that tag."""
    return Letterhead(
        sender_name=f"{game} ({server.name})",
        sender_address=server.address,
        reply_to=reply_to(server, tag),
        list_id=f"{game}.{server.address.replace('@', '.')}",
    )


def reply_to(server: Server, tag: Tag | Code) -> str:
    """Where a reply goes. Without plus addresses, its tag or code is shown only by the Message-ID that it names."""
    return plus_address(server.address, tag) if server.plus_addresses else server.address


def page_link(work: Transaction, seat: Seat) -> str:
    """Where the holder of the seat finds its pages: for mails to them and to nobody else; empty if the pages are not served."""
    return link_to_pages(work.desk.settings.pages, page_tag(work, seat))


def link_to_pages(pages: Pages, tag: Tag) -> str:
    """The same by the tag of the pages."""
    return f"{pages.public_url}/{FOLDER}/{write_tag(tag)}/" if pages.public_url else ""


def run_by(server: Server) -> str:
    """Who the host is, for those who join."""
    return f"This game is run by {server.name}."


_ORDERS_PAGE = "orders.html"
_LONGEST_URL = 1_800
"""Characters: what is longer, some mail programs do not open."""


def orders_button(work: Transaction, seat: Seat, subject: str, text: str) -> Button | None:
    """The button of a mail with the seat's order form: it opens its page if there is one, else a mail with that form. None for
    all other mails: an answer has no token in it, since players show each other answers, and so it can have no button."""
    tag = seat_tag(work, seat)
    mark = f"#orders {write_tag(tag)}"
    if mark not in text:
        return None
    # Where the text does not name the page, it does not say either that the link must be kept secret.
    if (page := page_link(work, seat)) and page in text:
        return Button(WRITE, page + _ORDERS_PAGE)
    form = text[text.find(mark) :].partition("\n#end")[0]
    to = reply_to(work.desk.settings.server, tag)
    urls = [mailto(to, subject, f"{each}\n#end\n".replace("\n", "\r\n")) for each in (form.rstrip("\n"), f"{mark}\n\n")]
    return Button(WRITE, next((url for url in urls if len(url) <= _LONGEST_URL), mailto(to, subject, "")))

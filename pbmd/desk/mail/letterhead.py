"""What all mails of a game to one of its seats have in common: from whom they are, where a reply goes, where the pages are.

`pbmd check` shows it to the host before there is a game. The address of a seat's pages is made from the server's key like the
seat's token, ends with that, and is kept nowhere: neither in the report that is kept nor in the log.

Its token is of the same make and generation, and proves nothing in a letter.
"""

from dataclasses import dataclass

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.tags import mark_line, page_tag, seat_tag
from pbmd.ledger.tables import Seat
from pbmd.post.compose import mailto
from pbmd.post.tags import Code, Tag, plus_address, write_tag
from pbmd.rendering.blocks.page import ANSWER, WRITE, Button, html_of
from pbmd.settings import Pages, Server

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
    """That of the mails of a game to the seat whose tag that is."""
    return Letterhead(
        sender_name=f"{game} ({server.name})",
        sender_address=server.address,
        reply_to=reply_to(server, tag),
        list_id=f"{game}.{server.address.replace('@', '.')}",
    )


def reply_to(server: Server, tag: Tag | Code) -> str:
    """Where a reply goes to. Without plus addresses it shows its tag or code in the Message-ID that it names alone."""
    return plus_address(server.address, tag) if server.plus_addresses else server.address


def page_link(work: Transaction, seat: Seat) -> str:
    """Where the holder of the seat reaches its pages, for the mails to them and nobody else; empty if nothing shows them."""
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


def html_to_seat(work: Transaction, seat: Seat, draft: Draft) -> str:
    """The HTML of a mail to a seat."""
    button = None if draft.html else orders_button(work, seat, draft.subject, draft.text)
    return draft.html or html_of(draft.text, (button,) if button else (), _links(work))


def html_to(work: Transaction, draft: Draft, to: str) -> str:
    """The same of a mail that shows no seat, and of whose replies this is the address."""
    buttons = (
        Button(ANSWER.format(word), mailto(to, draft.subject, word), place > 0) for place, word in enumerate(draft.offers)
    )
    return draft.html or html_of(draft.text, tuple(buttons), _links(work))


def orders_button(work: Transaction, seat: Seat, subject: str, text: str) -> Button | None:
    """The button of a mail with the seat's order form: it opens its page if there is one, else a mail with that form. None for
    all other mails: an answer has no token in it, since players show each other answers, and so it can have no button."""
    mark = mark_line(work, seat)
    if mark not in text:
        return None
    # Where the text does not name the page, it does not say either that the link must be kept secret.
    if (page := page_link(work, seat)) and page in text:
        return Button(WRITE, page + _ORDERS_PAGE)
    form = text[text.find(mark) :].partition("\n#end")[0]
    to = reply_to(work.desk.settings.server, seat_tag(work, seat))
    urls = [mailto(to, subject, f"{each}\n#end\n".replace("\n", "\r\n")) for each in (form.rstrip("\n"), f"{mark}\n\n")]
    return Button(WRITE, next((url for url in urls if len(url) <= _LONGEST_URL), mailto(to, subject, "")))


def _links(work: Transaction) -> tuple[str, ...]:
    """The addresses of the host."""
    settings = work.desk.settings
    return (settings.server.address, *((f"{settings.pages.public_url}/",) if settings.pages.public_url else ()))

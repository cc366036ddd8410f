"""What all mails of a game to one of its seats have in common: from whom they are, where a reply goes, where the pages are.

`pbmd check` shows it to the host before there is a game. The address of a seat's pages is made from the server's key like the
seat's token, ends with that, and is kept nowhere: neither in the report that is kept nor in the log.
"""

from dataclasses import dataclass

from pbmd.desk.books.work import Work
from pbmd.desk.mail.tags import page_tag
from pbmd.ledger.tables import Seat
from pbmd.post.tags import Code, Tag, plus_address, write_tag
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


def page_link(work: Work, seat: Seat) -> str:
    """Where the holder of the seat reaches its pages, for the mails to them and nobody else; empty if nothing shows them."""
    return link_to_pages(work.desk.settings.pages, page_tag(work, seat))


def link_to_pages(pages: Pages, tag: Tag) -> str:
    """The same by the tag of the pages."""
    return f"{pages.public_url}/{FOLDER}/{write_tag(tag)}/" if pages.public_url else ""


def run_by(server: Server) -> str:
    """Who the host is, for those who join."""
    return f"This game is run by {server.name}."

"""The address of a seat's own pages, for the mails to its holder and nobody else.

It is made from the server's key like the seat's token, ends with that, and is kept nowhere: neither in the report that is kept
nor in the log.
"""

from pbmd.desk.books.work import Work
from pbmd.desk.mail.tags import page_tag
from pbmd.ledger.tables import Seat
from pbmd.post.tags import write_tag

FOLDER = "s"
"""Below the public address, before the tags of seats."""


def page_link(work: Work, seat: Seat) -> str:
    """Where the holder of the seat reaches its pages; empty if nothing shows them."""
    home = work.desk.settings.pages.public_url
    return f"{home}/{FOLDER}/{write_tag(page_tag(work, seat))}/" if home else ""

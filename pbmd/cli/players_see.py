"""What players will see of a host's mails, shown to the host before there is a game, by the code that makes the mails."""

from email.parser import BytesHeaderParser
from email.policy import default

from pbmd.desk.books.desk import utc_now
from pbmd.desk.mail.draft import subject_of
from pbmd.desk.mail.tags import letterhead, link_to_pages, run_by
from pbmd.desk.player.orders.intake import ORDERS_IN
from pbmd.ledger.tables import Game
from pbmd.post.compose import Outgoing, compose
from pbmd.post.tags import Tag, message_id
from pbmd.settings import Settings

_GAME = "galaxy-7"
_SHOWN = "…"
_TAG = Tag(1, 1, "shown-as-an-example")
"""The token of an invented seat; no real one has a hyphen in it."""


def seen_by_players(settings: Settings) -> dict[str, str]:
    """What is shown, by what it is. `…` stands for what is each player's own secret."""
    server = settings.server
    head = letterhead(server, _GAME, _TAG)
    raw = compose(
        Outgoing(
            sender_name=head.sender_name,
            sender_address=head.sender_address,
            recipient_name="",
            recipient_address=server.address,
            reply_to=head.reply_to,
            subject=subject_of(Game(name=_GAME, ruleset="", turn=3, step_name=""), ORDERS_IN),
            message_id=message_id("acknowledgement", _TAG, "a", server.address.partition("@")[2]),
            date=utc_now(),
            in_reply_to="",
            references=(),
            auto="auto-generated",
            list_id=head.list_id,
            loop_address=server.address,
            text="",
        )
    )
    fields = BytesHeaderParser(policy=default).parsebytes(raw)
    link = link_to_pages(settings.pages, _TAG)
    return {
        "write_to": server.address,
        "from": str(fields["From"]),
        "reply_to": _hidden(str(fields["Reply-To"])),
        "subject": str(fields["Subject"]),
        "pages": _hidden(link) if link else "none: public_url in [pages] is not set",
        "host": run_by(server),
    }


def _hidden(text: str) -> str:
    return text.replace(_TAG.token, _SHOWN)

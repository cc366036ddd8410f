"""Mails that do not go through the outbox: about what the ledger cannot keep, or to try a server."""

import secrets
from datetime import datetime

from pbmd.post.compose import Outgoing, compose
from pbmd.post.tags import message_id
from pbmd.rendering.blocks.page import html_of
from pbmd.settings import Settings


def direct_mail(settings: Settings, recipient: str, kind: str, subject: str, text: str, now: datetime) -> bytes:
    """The bytes of a mail from pbmd's address. `kind` is a word for its Message-ID."""
    server = settings.server
    return compose(
        Outgoing(
            sender_name=server.name,
            sender_address=server.address,
            recipient_name="",
            recipient_address=recipient,
            reply_to=server.address,
            subject=f"[pbmd] {subject}",
            message_id=message_id(kind, None, secrets.token_hex(8), server.address.partition("@")[2]),
            date=now,
            in_reply_to="",
            references=(),
            auto="auto-generated",
            list_id="",
            loop_address=server.address,
            text=text,
            html=html_of(text),
        )
    )

"""The mails of the desk: rendered from ``templates/mail/``, fixed as bytes, and queued in the transaction that caused them."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pbmd.desk.times import describe_duration, describe_time
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import GameStatus, Outbox, OutboxState, Seat
from pbmd.post.compose import Outgoing, compose
from pbmd.post.tags import Tag, make_token, message_id, plus_address, write_tag
from pbmd.reports.render import environment

Kind = Literal["acknowledgement", "report", "reminder", "notice", "press", "alarm", "handbook"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail before it has an address: what it is, what it says, and what it answers.

    `key` says which mail this is, once and for all: the same key is never queued twice. `answers` is the Message-ID of
    the letter that this mail answers, empty if it is no answer.
    """

    kind: Kind
    key: str
    subject: str
    text: str
    html: str = ""
    answers: str = ""


def seat_tag(work: Work, seat: Seat) -> Tag:
    """The seat's tag with its secret token."""
    return Tag(seat.game_id, seat.number, make_token(work.desk.key, seat.game_id, seat.number, seat.token_generation))


def mark_line(work: Work, seat: Seat) -> str:
    """The line that opens an order form of this seat."""
    return f"#orders {write_tag(seat_tag(work, seat))}"


def render(name: str, values: Mapping[str, Any]) -> str:
    """A template of ``templates/mail/`` with its values."""
    return environment().get_template(f"mail/{name}.j2").render(values)


def subject(table: Table, words: str) -> str:
    """Game and turn for people, then what it is about."""
    return f"[pbmd {table.game.name} t{table.game.turn}] {words}"


def clock_words(table: Table, seat: Seat, now: Any) -> dict[str, str]:
    """The deadline as this player reads it, and the time left; empty words when no deadline runs."""
    deadline = seat.deadline or table.game.deadline
    if deadline is None:
        return {"deadline": "", "left": ""}
    return {
        "deadline": describe_time(deadline, seat.timezone),
        "left": describe_duration(deadline - now) if deadline > now else "",
    }


def mail_to_seat(work: Work, table: Table, seat: Seat, draft: Draft) -> None:
    """Queue a mail to the holder of a seat. It is part of the game's thread and carries the seat's token."""
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    tag = seat_tag(work, seat)
    # The turn stands in the Message-ID, so that an answer tells which turn it is about whatever its subject is.
    kind = draft.kind if table.game.status is GameStatus.SIGNUP else f"{draft.kind}-t{table.game.turn}"
    thread = message_id("game", tag, _nonce(work, f"thread {table.id} {seat.number} {seat.token_generation}"), domain)
    outgoing = Outgoing(
        sender_name=f"{table.game.name} ({server.name})",
        sender_address=server.address,
        recipient_name=seat.holder or seat.name,
        recipient_address=seat.address,
        reply_to=plus_address(server.address, tag),
        subject=draft.subject,
        message_id=message_id(kind, tag, _nonce(work, draft.key), domain),
        date=work.now,
        in_reply_to=draft.answers or thread,
        references=(thread, draft.answers) if draft.answers else (thread,),
        auto="auto-replied" if draft.answers else "auto-generated",
        list_id=f"{table.game.name}.{server.address.replace('@', '.')}",
        loop_address=server.address,
        text=draft.text,
        html=draft.html,
        attachments=(),
    )
    _queue(work, outgoing, draft, table.id, seat.id)


def mail_to(work: Work, address: str, draft: Draft, table: Table | None = None) -> None:
    """Queue a mail to somebody who holds no seat: the GM, or a newcomer whose sign-up was refused."""
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    outgoing = Outgoing(
        sender_name=server.name,
        sender_address=server.address,
        recipient_name="",
        recipient_address=address,
        reply_to=server.address,
        subject=draft.subject,
        message_id=message_id(draft.kind, None, _nonce(work, draft.key), domain),
        date=work.now,
        in_reply_to=draft.answers,
        references=(draft.answers,) if draft.answers else (),
        auto="auto-replied" if draft.answers else "auto-generated",
        list_id="",
        loop_address=server.address,
        text=draft.text,
        html="",
        attachments=(),
    )
    _queue(work, outgoing, draft, table.id if table else None, None)


def tell_gm(work: Work, draft: Draft, table: Table | None = None) -> None:
    """Queue a mail to the game master."""
    mail_to(work, work.desk.settings.server.gm, draft, table)


def _queue(work: Work, outgoing: Outgoing, draft: Draft, game_id: int | None, seat_id: int | None) -> None:
    work.add(
        Outbox,
        key=draft.key,
        kind=draft.kind,
        game_id=game_id,
        seat_id=seat_id,
        recipient=outgoing.recipient_address,
        envelope_from=outgoing.sender_address,
        message_id=outgoing.message_id,
        raw=compose(outgoing),
        state=OutboxState.QUEUED,
        tries=0,
        queued_at=work.now,
        next_try_at=work.now,
        sent_at=None,
        error="",
    )


def _nonce(work: Work, key: str) -> str:
    """What makes a Message-ID its own: the same for the same mail, and no hint at how many others there were."""
    mac = hmac.digest(work.desk.key, b"message " + key.encode(), hashlib.sha256)
    return base64.b32encode(mac[:10]).decode().lower()

"""The mails of the desk: rendered from ``templates/mail/``, fixed as bytes, and queued in the transaction that caused them."""

import base64
import hmac
from functools import lru_cache

from sqlmodel import select

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import SILENCE, Draft, files_of
from pbmd.desk.mail.invitation import TELLING, invitation
from pbmd.desk.mail.pictures import keep_pictures, without_pictures
from pbmd.desk.mail.rate_limits import admitted
from pbmd.desk.mail.reachable import reconsider
from pbmd.desk.mail.tags import gm_tag, letterhead, orders_button, reply_to, seat_tag
from pbmd.ledger.digests import part_of
from pbmd.ledger.tables import ROOM, Game, GameStatus, Outbox, OutboxState, Seat
from pbmd.post.compose import Outgoing, compose, mailto
from pbmd.post.tags import Code, Tag, bounce_address, message_id
from pbmd.rendering.blocks.page import ANSWER, Button, html_of


def mail_to_seat(work: Transaction, table: OpenGame, seat: Seat, draft: Draft) -> None:
    """Queue a mail to the holder of a seat. It is part of the game's thread and carries the seat's token."""
    if table.altered and part_of(seat) in table.altered:  # its address may be anybody's, and the mail has its token
        work.log("altered", table, seat.name, "a mail is not sent, since its address is not what pbmd wrote")
        return
    allowed = admitted(work, seat.address, draft, table, seat.name, seat.timezone)
    if allowed is None:
        return
    draft = allowed
    if seat.unreachable_since is not None:
        reconsider(work, table, seat, seat.unreachable_since)
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    # Turn and step stand in the Message-ID, so that an answer tells which step it is about whatever its subject is.
    game = table.game
    kind = draft.kind if game.status is GameStatus.SIGNUP else f"{draft.kind}-t{game.turn}s{game.step}"
    nonce = _nonce(work.desk.key, draft.key, work.desk.era)
    tag = seat_tag(work, seat)
    head = letterhead(server, table.game.name, tag)
    thread = _thread(work.desk.key, tag, seat.token_generation, domain)
    outgoing = Outgoing(
        sender_name=head.sender_name,
        sender_address=head.sender_address,
        recipient_name=seat.holder or seat.name,
        recipient_address=seat.address,
        reply_to=head.reply_to,
        subject=draft.subject,
        message_id=message_id(kind, tag, nonce, domain),
        date=work.now,
        in_reply_to=draft.answers or thread,
        references=(thread, draft.answers) if draft.answers else (thread,),
        auto="auto-replied" if draft.digest else "auto-generated",
        list_id=head.list_id,
        loop_address=server.address,
        text=draft.text,
        unsubscribe=mailto(head.reply_to, f"Leave {table.game.name}", "RESIGN"),
        html=_html_to_seat(work, seat, draft),
        inline=draft.inline,
        attachments=files_of(draft),
        invitation=invitation(work, table, seat) if draft.kind in TELLING and (seat.calendar or seat.calendar_shows) else None,
    )
    _queue(work, outgoing, draft, nonce, table.id, seat.id)


def mail_to(
    work: Transaction,
    address: str,
    draft: Draft,
    table: OpenGame | None = None,
    code: Code | Tag | None = None,
    *,
    unsubscribe: str = "",
) -> bool:
    """Queue a mail that shows no seat's token: to the GM, to people without a seat, to one of whose letters it is not known
    whose they are. A reply shows the `code`: that of a question, or the game master's tag. `unsubscribe` is a URL that ends
    such mail. False if a rate limit keeps it from being sent."""
    allowed = admitted(work, address, draft, table)
    if allowed is None:
        return False
    draft = allowed
    nonce = _nonce(work.desk.key, draft.key, work.desk.era)
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    to = reply_address(work, code) if code else server.address
    outgoing = Outgoing(
        sender_name=server.name,
        sender_address=server.address,
        recipient_name="",
        recipient_address=address,
        reply_to=to,
        subject=draft.subject,
        message_id=message_id(draft.kind, code, nonce, domain),
        date=work.now,
        in_reply_to=draft.answers,
        references=(draft.answers,) if draft.answers else (),
        auto="auto-replied" if draft.digest else "auto-generated",
        list_id="",
        loop_address=server.address,
        text=draft.text,
        unsubscribe=unsubscribe,
        html=_html_to(work, draft, to),
        attachments=files_of(draft),
        invitation=draft.invitation,
    )
    _queue(work, outgoing, draft, nonce, table.id if table else None, None)
    return draft.kind != SILENCE


def tell_gm(work: Transaction, draft: Draft, table: OpenGame | None = None) -> None:
    """Queue a mail to the game master; one about a game has their token for it."""
    mail_to(work, work.desk.settings.server.gm, draft, table, gm_tag(work, table) if table else None)


def is_queued(work: Transaction, key: str) -> bool:
    """Whether there is, or was, a mail of that key in the outbox."""
    work.write()
    return work.session.exec(select(Outbox.id).where(Outbox.key == key)).first() is not None


def reply_address(work: Transaction, tag: Tag | Code) -> str:
    """Where a reply with this tag or code goes."""
    return reply_to(work.desk.settings.server, tag)


def _html_to_seat(work: Transaction, seat: Seat, draft: Draft) -> str:
    """The HTML of a mail to a seat."""
    if draft.html:
        return draft.html
    links, button = _links(work), orders_button(work, seat, draft.subject, draft.text)
    return html_of(draft.text, (button,) if button else (), links)


def _html_to(work: Transaction, draft: Draft, to: str) -> str:
    """The HTML of a mail that shows no seat, and whose replies go to this address."""
    buttons = (
        Button(ANSWER.format(word), mailto(to, draft.subject, word), place > 0) for place, word in enumerate(draft.offers)
    )
    return draft.html or html_of(draft.text, tuple(buttons), _links(work))


def _links(work: Transaction) -> tuple[str, ...]:
    """The addresses of the host."""
    settings = work.desk.settings
    return (settings.server.address, *((f"{settings.pages.public_url}/",) if settings.pages.public_url else ()))


def _return_path(work: Transaction, draft: Draft, nonce: str) -> str:
    """Where an undeliverable mail returns to: nowhere, an address that only this mail has, or pbmd's own."""
    smtp, address = work.desk.settings.smtp, work.desk.settings.server.address
    if draft.digest and smtp.null_return_path:
        return ""
    return bounce_address(address, nonce) if smtp.bounce_address else address


def _queue(work: Transaction, outgoing: Outgoing, draft: Draft, nonce: str, game_id: int | None, seat_id: int | None) -> None:
    raw, files = compose(outgoing), (*(each.file for each in outgoing.inline), *outgoing.attachments)
    if images := [file.data for file in files if file.type.startswith("image/")]:
        raw, placed = without_pictures(raw, images)
        keep_pictures(work, draft.key, placed)
    work.add(
        Outbox,
        key=draft.key,
        kind=draft.kind,
        game_id=game_id,
        seat_id=seat_id,
        recipient=outgoing.recipient_address,
        envelope_from=_return_path(work, draft, nonce),
        message_id=outgoing.message_id,
        nonce=nonce,
        answers=draft.digest,
        raw=raw,
        state=OutboxState.QUEUED,
        tries=0,
        queued_at=work.now,
        next_try_at=max(work.now, draft.not_before or work.now),
        sent_at=None,
        error="",
        gathered=draft.gathered,
        room=ROOM[OutboxState.QUEUED],
    )


def game_and_seat(work: Transaction, game_id: int | None, seat_id: int | None) -> tuple[OpenGame | None, str]:
    """The game and the name of the seat that a mail is about."""
    game = work.session.get(Game, game_id) if game_id else None
    table = work.table(game.id) if game and game.id else None
    return table, next((seat.name for seat in table.seats if seat.id == seat_id), "-") if table else "-"


@lru_cache(maxsize=4096)
def _thread(key: bytes, tag: Tag, generation: int, domain: str) -> str:
    """The id of the mail that never was and that all mails of a game to a seat answer."""
    return message_id("game", tag, _nonce(key, f"thread {tag.game} {tag.seat} {generation}"), domain)


def _nonce(key: bytes, mail: str, era: int = 0) -> str:
    """What makes a Message-ID its own: the same for the same mail, and no hint at how many others there were."""
    mac = hmac.digest(key, b"message " + (f"{era} {mail}" if era else mail).encode(), "sha256")
    return base64.b32encode(mac[:10]).decode().lower()

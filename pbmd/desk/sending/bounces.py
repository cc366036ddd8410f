"""Bounces of our mails: matched to their outbox row, counted, and reported to those who can do something about it.

A bounce is recognised by the return path or the Message-ID of the mail that it returns. Both have a nonce that only the
recipients have seen, so nobody else can make one up; what matches no mail changes nothing. No bounce ever touches orders.
"""

import re
from datetime import timedelta

from sqlmodel import col, select, update

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.desk.mail.queue import game_and_seat, mail_to, tell_gm
from pbmd.desk.mail.reachable import mark_unreachable
from pbmd.desk.step.reporting.watchers import leave_by_bounce
from pbmd.ledger.lately import lately
from pbmd.ledger.tables import Bounce, Outbox, OutboxState
from pbmd.post.read.bounces import read_bounce
from pbmd.post.read.letter import Letter
from pbmd.post.read.limits import Limits
from pbmd.post.smtp.refusals import ABOUT_US
from pbmd.post.tags import bounced_nonces

MOST_BOUNCES = 3
WITHIN = timedelta(days=7)
_NO_SUCH_ADDRESS = "5.1.1"
_ABOUT_THE_ADDRESS = re.compile(r"5\d\d (5\.(?:1\.(?:[1236]|10)|2\.[12]))\b(?!\.)")
"""A permanent refusal whose code (RFC 3463, RFC 7505) is about the address or its mailbox, and not about us or the mail."""


def take_bounce(work: Transaction, letter: Letter, letter_id: int, raw: bytes) -> str:
    """Record that a mail of ours has bounced, and return a sentence about it for the letter; empty if the letter is no
    bounce."""
    nonces = bounced_nonces(letter.recipients, work.desk.settings.server.address)
    if not letter.vacation and not nonces:
        return ""
    bounce = read_bounce(raw, Limits(message_bytes=work.desk.settings.limits.letter_kilobytes * 1000))
    if bounce is None:
        return ""
    mail = _returned(work, nonces, bounce.message_ids)
    if mail is None:
        return "a bounce, but of no mail that pbmd has sent"
    mail_id, recipient, kind, game_id, seat_id = mail
    work.session.add(
        Bounce(letter_id=letter_id, outbox_id=mail_id, address=recipient, at=work.now, hard=bounce.hard, status=bounce.status)
    )
    work.session.flush()
    if bounce.hard:
        work.session.connection().execute(update(Outbox).where(col(Outbox.id) == mail_id).values(bounced_at=work.now))
    table, seat = game_and_seat(work, game_id, seat_id)
    code = f" ({bounce.status})" if bounce.status else ""
    work.log("bounce", table, seat, f"mail {mail_id} ({kind}) has come back, {'for good' if bounce.hard else 'for now'}{code}")
    if bounce.hard and (bounce.status == _NO_SUCH_ADDRESS or _hard_ones(work, recipient) >= MOST_BOUNCES):
        _give_up(work, recipient, mail_id, bounce.status)
    return f"mail {mail_id} has come back"


def refused(work: Transaction, mail_id: int, recipient: str, answer: str) -> None:
    """The mail server itself has refused a mail for good. If it blames the address, it counts like a bounce."""
    found = _ABOUT_THE_ADDRESS.match(answer)
    if found and (found[1] == _NO_SUCH_ADDRESS or _hard_ones(work, recipient) >= MOST_BOUNCES):
        _give_up(work, recipient, mail_id, found[1])


def _returned(
    work: Transaction, nonces: tuple[str, ...], ids: tuple[str, ...]
) -> tuple[int, str, str, int | None, int | None] | None:
    """The mail that bounced: id, recipient, kind, game and seat. The return path identifies it rather than the text of the
    bounce."""
    columns = select(Outbox.id, Outbox.recipient, Outbox.kind, Outbox.game_id, Outbox.seat_id)  # pyright: ignore[reportCallIssue, reportArgumentType]
    for condition, values in ((col(Outbox.nonce).in_(nonces), {}), (IS_NAMED, named_by(ids))):
        found = columns.where(condition, Outbox.state != OutboxState.QUEUED).order_by(col(Outbox.id))
        if row := work.session.exec(found, params=values).first():
            return row
    return None


def _hard_ones(work: Transaction, address: str) -> int:
    """How many mails to an address have bounced permanently, or were refused permanently, in the last week."""
    since = work.now - WITHIN
    theirs = (col(Bounce.hard).is_(True), col(Bounce.status).not_in(ABOUT_US))
    bounced = select(Bounce.outbox_id).where(Bounce.address == address, lately(Bounce.at, work.now, WITHIN), *theirs)
    # The next try of a mail that has failed was set when the last one began.
    failed = select(Outbox.id, Outbox.error).where(
        Outbox.recipient == address, Outbox.state == OutboxState.FAILED, col(Outbox.next_try_at) > since
    )
    found = set(work.session.exec(bounced))
    return len(found | {mail for mail, error in work.session.exec(failed) if _ABOUT_THE_ADDRESS.match(error)})


def _give_up(work: Transaction, address: str, mail_id: int, status: str) -> None:
    """Mark the seats of an address that accepts no mail, and tell the game master and the players' other addresses, once. Those
    who only watch or stand by get no more mail."""
    leave_by_bounce(work, address)
    seats = mark_unreachable(work, address)
    if not seats:
        return
    played = [f"{seat.name} in {table.game.name}" for table, seat in seats]
    values = {"played": played, "status": status}
    # The same mail may bounce again after the mark is gone.
    key = f"unreachable {mail_id} {work.now.isoformat()}"
    tell_gm(work, Draft("alarm", key, "[pbmd] mail to a player bounces", render("unreachable.txt", values)))
    for number, other in enumerate(sorted({seat.other_address for _, seat in seats if seat.other_address} - {address})):
        own = [f"{seat.name} in {table.game.name}" for table, seat in seats if seat.other_address == other]
        text = render("your_mail_comes_back.txt", {"played": own, "status": status})
        mail_to(work, other, Draft("notice", f"{key} other {number}", "[pbmd] our mail to you bounces", text))

"""The mails of the desk: rendered from ``templates/mail/``, fixed as bytes, and queued in the transaction that caused them."""

import base64
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from sqlmodel import select

from pbmd.desk.brakes import SILENCE, before_sending, note_sent
from pbmd.desk.calendar import TELLING, invitation
from pbmd.desk.deadlines import deadline_of, own_deadline, waiting_for
from pbmd.desk.reach import reconsider
from pbmd.desk.work import Table, Work
from pbmd.ledger.tables import Game, GameStatus, Outbox, OutboxState, Seat
from pbmd.post.compose import Attachment, Inline, Invitation, Outgoing, compose, mailto
from pbmd.post.tags import Code, Tag, bounce_address, make_token, message_id, plus_address, write_tag
from pbmd.reports.render import environment
from pbmd.terms.times import describe_duration, describe_time

Kind = Literal[
    "acknowledgement", "report", "reminder", "notice", "press", "alarm", "handbook", "silence", "question", "hint", "refusal",
    "visit", "preview", "gm",
]  # fmt: skip


_NAMED = 3
"""Of more players whose move it is only the number is given."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail before it has an address: what it is, what it says, and what it answers.

    `key` says which mail this is, once and for all: the same key is never queued twice. `answers` is the Message-ID of
    the letter that this mail answers, empty if it has none or this is no answer; `digest` is what an answer is compared by
    (`pbmd.desk.brakes.digest`), empty if this is none. What is `owed` is sent however many mails its letter has caused.
    """

    kind: Kind
    key: str
    subject: str
    text: str
    html: str = ""
    answers: str = ""
    digest: str = ""
    owed: bool = False
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    invitation: Invitation | None = None


def seat_tag(work: Work, seat: Seat) -> Tag:
    """The seat's tag with its secret token."""
    return Tag(seat.game_id, seat.number, make_token(work.desk.key, seat.game_id, seat.number, seat.token_generation))


def tokens_of(work: Work, seat: Seat) -> list[str]:
    """All tokens that the seat has had, the ended ones too."""
    last = seat.token_generation
    return [make_token(work.desk.key, seat.game_id, seat.number, generation) for generation in range(1, last + 1)]


GM_SEAT = 0
"""The number in the game master's tag; seats are numbered from 1."""


def gm_tag(work: Work, table: Table) -> Tag:
    """The tag that shows, together with the address, that a letter about this game is from the game master."""
    return Tag(table.id, GM_SEAT, make_token(work.desk.key, table.id, GM_SEAT, table.game.gm_generation))


def mark_line(work: Work, seat: Seat) -> str:
    """The line that opens an order form of this seat."""
    return f"#orders {write_tag(seat_tag(work, seat))}"


def render(name: str, values: Mapping[str, Any]) -> str:
    """A template of ``templates/mail/`` with its values."""
    return environment().get_template(f"mail/{name}.j2").render(values)


def subject(table: Table, words: str) -> str:
    """Game, turn, and the step of it if it has a name, for people; then what it is about."""
    step = f" {table.game.step_name}" if table.game.step_name else ""
    return f"[pbmd {table.game.name} t{table.game.turn}{step}] {words}"


def clock_words(table: Table, seat: Seat, now: Any) -> dict[str, str]:
    """The deadline as this player reads it, and the time left; empty words when no deadline runs, or none can be told of.

    In sequential games these are empty for a seat whose move it is not, and `who` tells who "is" or `are` to move, `until`
    until when; empty where there is nothing to tell.
    """
    own = own_deadline(table, seat)
    nothing = {"deadline": "", "left": "", "who": "", "are": "", "until": ""}
    # Nothing is due in a game that cannot go on; what its game master has to say is sent all the same.
    if own is None or table.trouble:
        return nothing
    if table.ruleset.sequential and table.position is not None:
        awaited = table.ruleset.awaiting(table.position)
        if seat.name not in awaited:
            return nothing | _others_clock(table, awaited, seat.timezone, now)
    return nothing | _own_clock(table, seat, own, now)


def _others_clock(table: Table, awaited: tuple[str, ...], timezone: str, now: Any) -> dict[str, str]:
    """Who is to move, and until when: the last deadline if they differ."""
    deadlines = [at for name in awaited if (at := own_deadline(table, table.seat(name)))]
    if not deadlines:
        return {}
    last = max(deadlines)
    names = ", ".join(awaited) if len(awaited) <= _NAMED else f"{len(awaited)} players"
    left = f", in {describe_duration(last - now)}" if last > now else ""
    return {"who": names, "are": "is" if len(awaited) == 1 else "are", "until": f"{describe_time(last, timezone)}{left}"}


def _own_clock(table: Table, seat: Seat, own: datetime, now: Any) -> dict[str, str]:
    if wait := waiting_for(table, seat):
        return {
            "deadline": f"{wait.hours} h after the orders of {wait.on} are in, not before {describe_time(own, seat.timezone)}",
            "left": f"at least {describe_duration(max(own - now, timedelta(hours=wait.hours)))}",
        }
    deadline = deadline_of(table, seat) or own
    return {
        "deadline": describe_time(deadline, seat.timezone),
        "left": describe_duration(deadline - now) if deadline > now else "",
    }


def mail_to_seat(work: Work, table: Table, seat: Seat, draft: Draft) -> None:
    """Queue a mail to the holder of a seat. It is part of the game's thread and carries the seat's token."""
    allowed = _braked(work, seat.address, draft, table, seat.name, seat.timezone)
    if allowed is None:
        return
    draft = allowed
    reconsider(work, table, seat)
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    tag = seat_tag(work, seat)
    # Turn and step stand in the Message-ID, so that an answer tells which step it is about whatever its subject is.
    game = table.game
    kind = draft.kind if game.status is GameStatus.SIGNUP else f"{draft.kind}-t{game.turn}s{game.step}"
    nonce = _nonce(work.desk.key, draft.key, work.desk.era)
    own_address = _reply_address(work, tag)
    thread = _thread(work.desk.key, tag, seat.token_generation, domain)
    outgoing = Outgoing(
        sender_name=f"{table.game.name} ({server.name})",
        sender_address=server.address,
        recipient_name=seat.holder or seat.name,
        recipient_address=seat.address,
        reply_to=own_address,
        subject=draft.subject,
        message_id=message_id(kind, tag, nonce, domain),
        date=work.now,
        in_reply_to=draft.answers or thread,
        references=(thread, draft.answers) if draft.answers else (thread,),
        auto="auto-replied" if draft.digest else "auto-generated",
        list_id=f"{table.game.name}.{server.address.replace('@', '.')}",
        loop_address=server.address,
        text=draft.text,
        unsubscribe=mailto(own_address, f"Leave {table.game.name}", "RESIGN"),
        html=draft.html,
        inline=draft.inline,
        attachments=draft.attachments,
        invitation=invitation(work, table, seat) if draft.kind in TELLING else None,
    )
    _queue(work, outgoing, draft, nonce, table.id, seat.id)


def mail_to(
    work: Work,
    address: str,
    draft: Draft,
    table: Table | None = None,
    code: Code | Tag | None = None,
    *,
    unsubscribe: str = "",
) -> bool:
    """Queue a mail that shows no seat's token: to the GM, to people without a seat, to one of whose letters it is not known
    whose they are. A reply shows the `code`: that of a question, or the game master's tag. `unsubscribe` is a URL that ends
    such mail. False if a brake keeps it from being sent."""
    allowed = _braked(work, address, draft, table)
    if allowed is None:
        return False
    draft = allowed
    nonce = _nonce(work.desk.key, draft.key, work.desk.era)
    server = work.desk.settings.server
    domain = server.address.partition("@")[2]
    outgoing = Outgoing(
        sender_name=server.name,
        sender_address=server.address,
        recipient_name="",
        recipient_address=address,
        reply_to=_reply_address(work, code) if code else server.address,
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
        html="",
        attachments=(),
        invitation=draft.invitation,
    )
    _queue(work, outgoing, draft, nonce, table.id if table else None, None)
    return draft.kind != SILENCE


def tell_gm(work: Work, draft: Draft, table: Table | None = None) -> None:
    """Queue a mail to the game master; one about a game has their token for it."""
    mail_to(work, work.desk.settings.server.gm, draft, table, gm_tag(work, table) if table else None)


def is_queued(work: Work, key: str) -> bool:
    """Whether there is, or was, a mail of that key in the outbox."""
    work.write()
    return work.session.exec(select(Outbox.id).where(Outbox.key == key)).first() is not None


def _braked(
    work: Work, recipient: str, draft: Draft, table: Table | None, seat: str = "-", timezone: str = "UTC"
) -> Draft | None:
    """The mail that may be queued: this one, the notice that there will be silence, or, with a line in the log, none."""
    stop = before_sending(work, recipient, draft.kind, draft.digest, owed=draft.owed)
    if stop is None:
        return draft
    work.log("brake", table, seat, f"not sent: {draft.key}; {stop.reason}")
    if stop.silent_until is None:
        return None
    text = render("silence.txt", {"until": describe_time(stop.silent_until, timezone)})
    words = "no answers for a while"
    title = subject(table, words) if table else f"[pbmd] {words}"
    return Draft(SILENCE, f"{SILENCE} {draft.key}", title, text, answers=draft.answers, digest=draft.digest)


def _reply_address(work: Work, tag: Tag | Code) -> str:
    """Where a reply goes to. Without plus addresses it shows its tag or code in the Message-ID that it names alone."""
    server = work.desk.settings.server
    return plus_address(server.address, tag) if server.plus_addresses else server.address


def _return_path(work: Work, draft: Draft, nonce: str) -> str:
    """Where a mail goes back to that cannot be delivered: nowhere, to an address that only this mail has, or to pbmd's own."""
    smtp, address = work.desk.settings.smtp, work.desk.settings.server.address
    if draft.digest and smtp.null_return_path:
        return ""
    return bounce_address(address, nonce) if smtp.bounce_address else address


def _queue(work: Work, outgoing: Outgoing, draft: Draft, nonce: str, game_id: int | None, seat_id: int | None) -> None:
    note_sent(work, outgoing.recipient_address, draft.kind, draft.digest)
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
        raw=compose(outgoing),
        state=OutboxState.QUEUED,
        tries=0,
        queued_at=work.now,
        next_try_at=work.now,
        sent_at=None,
        error="",
    )


def whose(work: Work, game_id: int | None, seat_id: int | None) -> tuple[Table | None, str]:
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

"""Archives that were asked for by mail: made outside any transaction that writes, and in nobody's way, since a long game takes
a while. Each reader gets what their view allows: a link where their seat has pages, which make it when it is asked for there,
else a mail; one that is larger than a mail may be comes in parts."""

import logging
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import col, select, update

from pbmd.desk.books.checkpoints import journal_name, signer_of
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.mail.tags import page_link
from pbmd.desk.mail.tokens_of_game import tokens_about
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.damage import UNUSABLE
from pbmd.ledger.tables import ARCHIVE_WAITS, ArchiveRequest, Seat, SeatState, Visitor
from pbmd.post.blank import Blanker
from pbmd.post.compose import Attachment
from pbmd.post.tags import SeatNumber
from pbmd.rendering.seat_now import ARCHIVE_PAGE
from pbmd.rules.troubles import DEFECTS, place_of

MOST_PARTS = 20
"""Of more nobody would join them; the game master has other ways."""
AT_ONCE = 5
"""How many are made in one go, so that the thread gets round to its other work."""
_ZIP = "application/zip"
_PART = "application/octet-stream"
_TOO_LARGE, _NOT_MADE = "it is too large for mails", "it could not be made"
_log = logging.getLogger("pbmd.archives")


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive as one file, or the `link` to it; `trouble` is why there is none, and `fault` where making it has failed."""

    data: bytes = b""
    trouble: str = ""
    link: str = ""
    fault: str = ""


def send_archives(desk: Desk) -> int:
    """Make and mail what was asked for, each by itself, and return how many archives were mailed. Whatever is wrong with one
    request holds up none of the others: who asked is told, or else the game master."""
    with Transaction(desk, reads=True) as work:
        waiting = select(ArchiveRequest.id).where(ARCHIVE_WAITS).order_by(col(ArchiveRequest.asked_at)).limit(AT_ONCE)
        numbers = [number for number in work.session.exec(waiting) if number]
    return sum(_send(desk, number) for number in numbers)


def _send(desk: Desk, number: int) -> bool:
    try:
        return _make_and_mail(desk, number)
    except UNUSABLE:
        raise
    except DEFECTS as problem:
        fault = place_of(problem)  # the text of an error may be about the position
        _log.error("archive request %d could not be dealt with: %s", number, fault)
    try:
        return _mail(desk, number, Packed(trouble=_NOT_MADE, fault=fault))
    except UNUSABLE:
        raise
    except DEFECTS as further:
        _log.error("nor could anybody be told about archive request %d: %s", number, place_of(further))
        _give_up(desk, number, place_of(further))
        return False


@despite_unreadable
def _make_and_mail(desk: Desk, number: int) -> bool:
    with Transaction(desk, reads=True) as work:
        request = work.session.get(ArchiveRequest, number)
        table = work.table_if_any(request.game_id) if request else None
        if request is None or table is None:
            return False
        reader = _reader(work, request)
        link = page_link(work, reader) if isinstance(reader, Seat) else ""
        packed = Packed(link=f"{link}{ARCHIVE_PAGE}") if link else _packed(work, table, reader) if reader else Packed()
    return _mail(desk, number, packed)


def _mail(desk: Desk, number: int, packed: Packed) -> bool:
    """Send what was made, or word that nothing was, and note that the request is settled."""
    with Transaction(desk) as work:
        row = work.session.get(ArchiveRequest, number)
        if row is None or row.sent_at is not None:
            return False  # another process has done it meanwhile
        row.sent_at = work.now
        reader = _reader(work, row)
        table = work.table(row.game_id)
        if reader is None:
            return False  # the seat was given up, or the game is watched no more
        for draft in _drafts(table, reader, packed, row):
            mail_to_seat(work, table, reader, draft) if isinstance(reader, Seat) else mail_to(
                work, reader.address, draft, table
            )
        if packed.fault:
            _alarm_of(work, table, packed.fault)
        detail = packed.trouble or ("a link" if packed.link else f"{len(packed.data) // 1000} kB")
        work.log("archive", table, reader.name if isinstance(reader, Seat) else "-", detail)
        return not packed.trouble


def _give_up(desk: Desk, number: int, why: str) -> None:
    """Settle a request of which nothing but its number may be readable."""
    with Transaction(desk) as work:
        settled = update(ArchiveRequest).where(col(ArchiveRequest.id) == number).values(sent_at=work.now)
        work.session.connection().execute(settled)
        alarm(work, "archive", f"request {number}: {why}", about=f"archive request {number}", lasts=False)


def _reader(work: Transaction, request: ArchiveRequest) -> Seat | Visitor | None:
    """Who gets it, None if they are there no more."""
    if not request.seat_id:
        visitor = work.session.get(Visitor, request.visitor_id)
        return visitor if visitor is not None and visitor.game_id == request.game_id else None
    seat = work.session.get(Seat, request.seat_id)
    return seat if seat is not None and seat.state is SeatState.ACTIVE else None


def archive_of_seat(desk: Desk, of: SeatNumber) -> bytes:
    """The archive of a game that is over, as the seat may know it, for its page; empty if none could be made: then the game
    master is told. Raises what a ledger raises that cannot be used."""
    with Transaction(desk, reads=True) as work:
        table = work.table(of.game)
        seat = next(seat for seat in table.seats if seat.number == of.seat)
        packed = _packed(work, table, seat, most=0)
    if packed.fault:
        try:
            with Transaction(desk) as work:
                _alarm_of(work, work.table(of.game), packed.fault)
        except UNUSABLE as problem:  # the reader is told all the same
            _log.error("nor could the game master be told of it: %s", place_of(problem))
    return packed.data


def _alarm_of(work: Transaction, table: OpenGame, fault: str) -> None:
    name = table.game.name
    alarm(work, "archive", f"{name}: {fault}", about=f"the archive of {name}", lasts=False)


def _packed(work: Transaction, table: OpenGame, reader: Seat | Visitor, most: int = MOST_PARTS) -> Packed:
    """The archive, of `most` parts if it is mailed, 0 if it is not."""
    # Most daemons never make one, and would keep what writes it for as long as they run.
    from pbmd.archive.format.audience import TO_PUBLIC, Audience
    from pbmd.archive.format.plan import plan_export
    from pbmd.archive.write.export import write_archive
    from pbmd.archive.write.pack import packed_at_the_end

    audience = Audience("seat", reader.name) if isinstance(reader, Seat) else TO_PUBLIC
    try:
        plan = plan_export(work.session, table.game, table.ruleset, audience)
        plan = replace(plan, signer=signer_of(work.desk, journal_name(table.game)))
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / _name(table)
            with packed_at_the_end(file, force=False, for_all=False) as folder:
                write_archive(work.session, plan, folder, Blanker(tokens_about(work, table)), lambda: None)
            if most and file.stat().st_size > most * table.terms.archive_kilobytes * 1000:
                return Packed(trouble=_TOO_LARGE)
            return Packed(file.read_bytes())
    except UNUSABLE:
        raise
    except DEFECTS as problem:  # the rules of one game may raise anything, and others wait for theirs
        fault = place_of(problem)  # the text of an error may be about the position
        _log.error("no archive of %s could be made (%s)", table.game.name, fault)
        return Packed(trouble=_NOT_MADE, fault=fault)


def _name(table: OpenGame) -> str:
    return f"{table.game.name}.zip"


def _drafts(table: OpenGame, reader: Seat | Visitor, packed: Packed, row: ArchiveRequest) -> Iterator[Draft]:
    """The mails: the archive in as many as it takes, or that there is none to be mailed."""
    # Not with the number of the request: the Message-ID comes of it, and would tell how many others have asked.
    key = f"archive {row.game_id} {row.seat_id} {row.visitor_id} {row.asked_at.isoformat()}"
    about = subject(table, "the archive", step=False)
    if packed.link:
        values = {"game": table.game, "seat": reader.name if isinstance(reader, Seat) else "", "link": packed.link}
        yield Draft("handbook", key, about, render("archive_link.txt", values), owed=True)
        return
    most = table.terms.archive_kilobytes * 1000
    parts = -(-len(packed.data) // most) if most else 0
    if packed.trouble or not 0 < parts <= MOST_PARTS:
        why = packed.trouble or _TOO_LARGE
        sentence = f"The archive of {table.game.name} does not come: {why}. Ask the game master for it."
        text = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
        yield Draft("handbook", key, about, text, owed=True)
        return
    name = _name(table)
    values = {"game": table.game, "seat": reader.name if isinstance(reader, Seat) else "", "name": name, "parts": parts}
    for part in range(parts):
        file = (name, _ZIP) if parts == 1 else (f"{name}.{part + 1:03}", _PART)
        attached = Attachment(*file, packed.data[part * most : (part + 1) * most])
        title = about if parts == 1 else subject(table, f"the archive, part {part + 1} of {parts}", step=False)
        text = render("archive.txt", {**values, "part": part + 1})
        yield Draft("handbook", f"{key} {part}", title, text, owed=True, attachments=(attached,))

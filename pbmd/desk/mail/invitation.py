"""Invitations to deadlines: what stands in the calendar of a player who wants it (CALENDAR ON).

A seat has one entry in its calendar (one UID for game and seat), and it moves along: to each new deadline by a REQUEST with a
higher SEQUENCE, and out of the calendar by a CANCEL as soon as nothing of the seat is due any more (the game is over or paused,
the seat is given up, no orders of it are awaited). It comes with the first mail that tells of the change. There is no token in
it: calendars are shared and synchronised. (RFC 5545, RFC 5546, RFC 6047)
"""

import base64
import hmac
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.post.compose import Invitation

if TYPE_CHECKING:
    # Imported when the first is written: it takes a twentieth of every start of pbmd.
    from icalendar import vCalAddress

TELLING = ("report", "notice", "reminder", "acknowledgement")
"""The kinds of mail that tell of deadlines."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MOST_CHARS = 200


def invitation(work: Transaction, table: OpenGame, seat: Seat) -> Invitation | None:
    """What is to be sent along so that the holder's calendar shows what is due; None if it does already. It counts as sent."""
    at = _due(table, seat)
    shows = f"{table.game.step} {at.isoformat()}" if at else ""
    if shows == seat.calendar_shows:
        return None
    seat.calendar_shows, seat.calendar_sequence = shows, seat.calendar_sequence + 1
    return _written(work, table, seat, at)


def _due(table: OpenGame, seat: Seat) -> datetime | None:
    """The deadline that is to stand in the calendar, None if none is."""
    wanted = seat.calendar and seat.state is SeatState.ACTIVE and table.game.status is GameStatus.RUNNING
    if not wanted or table.game.closed_at is not None or seat.missed_step == table.game.step:
        return None
    return table.deadline_of(seat) if seat.name in table.with_part else None


def _written(work: Transaction, table: OpenGame, seat: Seat, at: datetime | None) -> Invitation:
    from icalendar import Calendar, Event, vText

    game, server = table.game, work.desk.settings.server
    event = Event()
    event.add("uid", _uid(work, seat))
    event.add("dtstamp", work.now.astimezone(UTC))
    event.add("sequence", seat.calendar_sequence)
    # An entry that is cancelled has a time, too; that of the mail will do, since clients go by the UID.
    event.add("dtstart", (at or work.now).astimezone(UTC).replace(microsecond=0))
    due = f"{game.name}: orders of {seat.name} for {game.step_called} are due"
    event.add("summary", _line(due if at else f"{game.name}: nothing of {seat.name} is due"))
    event.add("description", _line("Reply to the last mail of the game to send them. " if at else "") or "Cancelled.")
    event.add("status", "CONFIRMED" if at else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    event.add("organizer", _who(f"{game.name} ({server.name})", server.address), encode=False)
    attendee = _who(seat.holder or seat.name, seat.address)
    # They have asked for it, so nothing is to be answered.
    attendee.params["PARTSTAT"], attendee.params["RSVP"] = vText("ACCEPTED"), vText("FALSE")
    attendee.params["ROLE"] = vText("REQ-PARTICIPANT")
    event.add("attendee", attendee, encode=False)
    method = "REQUEST" if at else "CANCEL"
    calendar = Calendar()
    calendar.add("prodid", "-//pbmd//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    calendar.add_component(event)
    return Invitation(method, calendar.to_ical())


def _uid(work: Transaction, seat: Seat) -> str:
    """The same for a seat of a game for ever, and nothing that somebody else could guess."""
    mac = hmac.digest(work.desk.key, f"calendar {seat.game_id} {seat.number}".encode(), "sha256")
    return f"{base64.b32encode(mac[:15]).decode().lower()}@{work.desk.settings.server.address.partition('@')[2]}"


def _who(name: str, address: str) -> "vCalAddress":
    from icalendar import vCalAddress, vText

    who = vCalAddress(f"mailto:{address}")
    # A quote would end the parameter (RFC 5545, 3.2).
    who.params["CN"] = vText(_line(name).replace('"', "'"))
    return who


def _line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())[:_MOST_CHARS]

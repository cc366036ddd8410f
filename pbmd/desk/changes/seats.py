"""What becomes of a seat: it is given up, it goes to another address or another holder, its token ends.

Each time the old token stops working; and when the seat leaves an address, open questions to that address are closed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbmd.desk.books.attendance import move_played
from pbmd.desk.books.holders import hidden_name, known_as
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.invitation import invitation
from pbmd.desk.mail.queue import mail_to, mail_to_seat, tell_gm
from pbmd.desk.mail.tags import form_top
from pbmd.desk.step.absences import end_absences
from pbmd.desk.step.end_questions import end_questions, must_have_begun
from pbmd.desk.step.events import tell_events
from pbmd.desk.step.substitutes.wishes import drop_wish
from pbmd.ledger.entries.parts import OneSeat
from pbmd.ledger.entries.player_entries import (
    AddressChange,
    AddressEntry,
    HandOver,
    HolderEntry,
    ResignedEntry,
    SeatTimezone,
    TimezoneEntry,
    TokenEntry,
)
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.post.addresses import folded
from pbmd.post.compose import Invitation, can_be_written
from pbmd.post.lines.sorted_lines import LeftOut
from pbmd.rules.protocol import Refused


@dataclass(frozen=True, slots=True)
class Holder:
    """The person who gets a seat: name and time zone."""

    name: str
    timezone: str


def give_up(work: Transaction, table: OpenGame, seat: Seat, *, ejected: bool = False) -> None:
    """The seat is no longer played and nobody waits for it. The rules are told if they want to know, and the game master is,
    unless they `ejected` the player."""
    seat.state, seat.calendar, seat.asleep_since = SeatState.RESIGNED, False, -1
    _end_token(seat)
    drop_wish(work, table, seat)
    end_questions(work, table, seat, but=("take-over",))  # those who were offered it may have it all the more
    end_absences(work, table, seat)
    work.journal(table, ResignedEntry(seat=seat.name))
    work.log("resigned", table, seat.name)
    _leave_for_good(work, table, seat)
    if ejected:
        return
    # A seat may be given up, taken over and given up again.
    key = f"resigned {table.id} {seat.number} {seat.token_generation}"
    is_free = _is_under_way(table) and (table.ruleset.resign is None or table.ruleset.take_over is not None)
    text = render("resigned.txt", {"game": table.game, "seat": seat.name, "free": is_free})
    tell_gm(work, Draft("alarm", key, subject(table, f"{seat.name} has resigned"), text), table)


def _leave_for_good(work: Transaction, table: OpenGame, seat: Seat) -> None:
    if table.ruleset.resign is None or not _is_under_way(table):
        return
    resolution = table.ruleset.resign(table.position, seat.name)
    work.move(table, resolution.position)
    seat.settled_at = seat.settled_at or work.now
    tell_events(work, table, resolution.events, seat, f"resigned {seat.number} {seat.token_generation}")


def rotate(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """A new token; replies to the holder's earlier mails stop working. The caller notifies them. Raises `Refused` and
    `AlteredGame`."""
    must_have_begun(table)
    table.must_be_as_written()
    _end_token(seat)
    work.journal(table, TokenEntry(sealed=OneSeat(seat=seat.name)))
    work.log("token", table, seat.name)


def send_new_token(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """Send the holder of a seat their new token. Raises `Refused` for an empty seat, and `AlteredGame`."""
    if seat.state is not SeatState.ACTIVE:
        raise Refused(f"nobody holds {seat.name} in {table.game.name}")
    rotate(work, table, seat)
    key = f"token {table.id} {seat.number} {seat.token_generation}"
    text = render("new_token.txt", {"game": table.game, "seat": seat.name, "clock": clock_words(table, seat, work.now)})
    mail_to_seat(work, table, seat, Draft("notice", key, subject(table, "your seat has a new secret", seat=seat.name), text))


def must_be_free(work: Transaction, table: OpenGame, seat: Seat, address: str) -> None:
    """Raises `Refused` if a seat cannot go to an address, as far as anybody may know."""
    local, _, domain = folded(work.desk.settings.server.address).rpartition("@")
    if not can_be_written(address):
        raise Refused("no mail can be sent to an address like that")
    if seat.state is SeatState.RESIGNED and table.ruleset.resign is not None and table.ruleset.take_over is None:
        raise Refused("in this game a seat that was given up is out of it for good")
    if address.endswith(f"@{domain}") and address.rpartition("@")[0].partition("+")[0] == local:
        raise Refused("that is the address of the game itself")
    if address == seat.address and seat.state is SeatState.ACTIVE:
        raise Refused("that is the address which the seat has already")


def holds_another(table: OpenGame, seat: Seat, address: str) -> bool:
    """Whether somebody at this address already plays in the game. Only the game master may know."""
    return any(other is not seat and other.address == address for other in table.seats)


@dataclass(frozen=True, slots=True)
class Consent:
    """The letter that said yes, and what it says `besides`, which is not read."""

    letter_id: int
    besides: tuple[LeftOut, ...] = ()


def hand_over(
    work: Transaction, table: OpenGame, seat: Seat, address: str, consent: Consent, holder: Holder | None = None
) -> None:
    """The seat goes to an address that has confirmed it; with a `holder`, to another person.

    The new address gets a mail with the new token, and the old one is notified. Raises `Refused`, before anything is changed,
    if the rules do not let another person have the seat.
    """
    moved, old, letter_id, slept = holder is None, seat.address, consent.letter_id, seat.is_asleep
    if holder is None:
        gone = _to_other_address(work, table, seat, address)
        work.log("address", table, seat.name, f"letter {letter_id}")
    else:
        gone = to_other_hands(work, table, seat, Hands(address, holder))
        drop_wish(work, table, seat)
        work.log("holder", table, seat.name, f"letter {letter_id}")
    if old != address:
        words = f"{seat.name}: you now play from another address" if moved else f"{seat.name} has a new player"
        text = render("moved.txt", _of_seat(table, seat) | {"moved": moved, "slept": slept})
        mail_to(work, old, Draft("notice", f"moved {letter_id}", subject(table, words), text, invitation=gone), table)
    if not moved:
        tell_of_holder(work, table, seat, f"holder {letter_id}", "somebody else")
    welcome(work, table, seat, f"yours {letter_id}", {"moved": moved, "slept": slept, "left_out": consent.besides})


@dataclass(frozen=True, slots=True)
class Hands:
    """Who has a seat from now on: for a time, if it is a substitute, who then says `until` when; or again, if it comes `back`
    from one."""

    address: str
    holder: Holder
    until: str = ""
    back: bool = False


def to_other_hands(work: Transaction, table: OpenGame, seat: Seat, to: Hands) -> Invitation | None:
    """Another person has the seat from now on, in the rules and in the journal. Returns what removes the deadline from the
    calendar of the one before; the caller writes to both. Raises `Refused`, before anything is changed, if the rules do not let
    them have it."""
    name, old = _told_to_rules(work, table, seat, to.address, to.holder), seat.address
    gone = _out_of_calendar(work, table, seat)
    seat.address, seat.unreachable_since = to.address, None
    _sit_down(work, table, seat, to.holder)
    _end_token(seat)
    end_questions(work, table, seat)
    sealed = HandOver(
        seat=seat.name,
        old=old,
        new=to.address,
        holder=name,
        hidden=hidden_name(table, to.holder.name, to.address),
        until=to.until or None,
        back=True if to.back else None,
    )
    work.journal(table, HolderEntry(seat=seat.name, sealed=sealed))
    return gone


def must_have_other_hands(work: Transaction, table: OpenGame, seat: Seat, to: Hands) -> Invitation | None:
    """The same for who has a right to the seat, whatever the rules say. In their eyes it may be out of the game: then nothing
    changes in the position."""
    try:
        return to_other_hands(work, table, seat, to)
    except Refused:
        gone, old = _out_of_calendar(work, table, seat), seat.address
        seat.address, seat.unreachable_since = to.address, None
        _sit_down(work, table, seat, to.holder)
        _end_token(seat)
        end_questions(work, table, seat)
        work.journal(table, AddressEntry(sealed=AddressChange(seat=seat.name, old=old, new=to.address)))
        return gone


def _to_other_address(work: Transaction, table: OpenGame, seat: Seat, address: str) -> Invitation | None:
    """The same person plays the seat from another address."""
    gone, old = _out_of_calendar(work, table, seat), seat.address
    seat.address, seat.unreachable_since = address, None
    move_played(work, seat, old, address)
    _end_token(seat)
    end_questions(work, table, seat, but=("take-over", "substitute"))
    work.journal(table, AddressEntry(sealed=AddressChange(seat=seat.name, old=old, new=address)))
    return gone


def welcome(work: Transaction, table: OpenGame, seat: Seat, key: str, values: Mapping[str, Any]) -> None:
    """Tell the holder of a seat that it is theirs, with its order form. `values`: what the template needs besides."""
    said = {"moved": False, "slept": False, "until": "", "back": False, "left_out": (), **values}
    said |= _of_seat(table, seat) | {"mark": form_top(work, table, seat), "form": _order_form(table, seat)}
    said |= {"clock": clock_words(table, seat, work.now)}
    title = subject(table, f"{seat.name} is yours again" if said["back"] else f"{seat.name} is yours")
    mail_to_seat(work, table, seat, Draft("notice", key, title, render("yours.txt", said), owed=bool(said["until"])))


def _of_seat(table: OpenGame, seat: Seat) -> dict[str, Any]:
    """What each of these mails says of a seat, and whether nobody may know who plays it."""
    return {"game": table.game, "info": table.ruleset.info, "seat": seat.name, "hidden": table.terms.hides_holders}


def _told_to_rules(work: Transaction, table: OpenGame, seat: Seat, address: str, holder: Holder) -> str:
    """Tell the rules who has the seat from now on, if they want to know; returns the holder's name. Raises `Refused`."""
    name = known_as(table, seat, holder.name, address)
    if table.ruleset.take_over is not None:
        work.move(table, table.ruleset.take_over(table.position, seat.name, name))
    return name


def _out_of_calendar(work: Transaction, table: OpenGame, seat: Seat) -> Invitation | None:
    """What removes the deadline from the calendar of the previous holder; None if it is not there."""
    calendar, seat.calendar = seat.calendar, False
    gone = invitation(work, table, seat)
    seat.calendar = calendar
    return gone


def _sit_down(work: Transaction, table: OpenGame, seat: Seat, holder: Holder) -> None:
    """Another person has the seat; nothing that was agreed with the one before applies to them."""
    seat.holder, seat.timezone, seat.other_address, seat.report_files = holder.name, holder.timezone, "", ""
    seat.state, seat.calendar = SeatState.ACTIVE, False
    seat.waits = seat.waits_for_orders = False
    seat.asleep_since, seat.counted_from, seat.seated_from = -1, table.game.step, table.game.step
    end_absences(work, table, seat)


def _order_form(table: OpenGame, seat: Seat) -> str:
    """The order form of a seat; empty if it has no part in the step that is running."""
    return table.ruleset.order_form(table.position, seat.name) if _is_under_way(table) and seat.name in table.with_part else ""


def _is_under_way(table: OpenGame) -> bool:
    return table.game.status in (GameStatus.RUNNING, GameStatus.PAUSED)


def tell_of_holder(work: Transaction, table: OpenGame, seat: Seat, key: str, whom: str) -> None:
    """Tell the others that a seat has another holder, if that may change what it is in the game: then it concerns everybody."""
    if table.ruleset.take_over is None:
        return
    headline = f"{seat.name} has a new player"
    text = f"From now on {seat.name} is played by {whom}."
    for other in table.seats:
        if other is seat or other.state is not SeatState.ACTIVE:
            continue
        values = {"game": table.game, "seat": other.name, "headline": headline, "text": text, "reason": ""}
        words = render("notice.txt", values | {"clock": clock_words(table, other, work.now)})
        mail_to_seat(work, table, other, Draft("notice", f"{key} {other.number}", subject(table, headline), words, owed=True))


def _end_token(seat: Seat) -> None:
    seat.token_generation += 1


def set_timezone(work: Transaction, table: OpenGame, seat: Seat, name: str) -> None:
    """The holder of a seat gets the times in the zone of that name, too. It must be a time zone; where somebody lives is nobody
    else's business."""
    seat.timezone = name
    sealed = SeatTimezone(cause=work.cause or None, seat=seat.name, timezone=name)
    work.journal(table, TimezoneEntry(sealed=sealed))
    work.log("timezone", table, seat.name)

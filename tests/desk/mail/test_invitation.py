"""CALENDAR ON: invitations to deadlines, as mail and calendar programs read them."""

import email.policy
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from icalendar import Calendar

from pbmd.desk.changes import deadline_changes, new_game
from pbmd.desk.mail.tags import seat_tag
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import LetterState, Outbox
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import BEGIN, NAMES, World, address_of, body_of, message_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def calendars(mail: Outbox) -> list[bytes]:
    """What a mail has for calendars."""
    parts = message_of(mail).walk()
    return [part.get_payload(decode=True) for part in parts if part.get_content_type() in ("text/calendar", "application/ics")]


def sent_to(world: World, address: str = "") -> list[tuple[str, Any]]:
    """All invitations sent to an address, in order: the method, and the event."""
    found = []
    for mail in world.outbox():
        if mail.recipient == (address or address_of("Altair")) and (both := calendars(mail)):
            assert len(both) == 2
            assert both[0] == both[1]
            calendar = Calendar.from_ical(both[0])
            (event,) = calendar.walk("VEVENT")
            found.append((str(calendar["METHOD"]), event))
    return found


def shown(world: World, address: str = "") -> datetime | None:
    """What stands in a calendar that got all these: the deadline, None for nothing. Checks what calendars go by."""
    at, before, uids = None, -1, set[str]()
    for method, event in sent_to(world, address):
        assert event["SEQUENCE"] > before, "else a calendar would not heed it"
        before = event["SEQUENCE"]
        uids.add(str(event["UID"]))
        at = event["DTSTART"].dt if method == "REQUEST" else None
        assert str(event["STATUS"]) == ("CONFIRMED" if method == "REQUEST" else "CANCELLED")
    assert len(uids) <= 1
    return at


@pytest.fixture
def invited(world: World) -> World:
    """A game with three days for a turn, in which Altair wants invitations."""
    world.count(deadline="72h")
    world.send("Altair", "CALENDAR ON")
    return world


def test_nobody_gets_any_who_has_not_asked_for_it(world: World) -> None:
    world.count(deadline="72h")
    world.send("Altair", "STATUS")
    world.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")
    assert not any(b"calendar" in mail.raw.lower() for mail in world.outbox())


def test_the_answer_brings_the_deadline_at_once(invited: World) -> None:
    ((method, event),) = sent_to(invited)
    assert method == "REQUEST"
    assert event["DTSTART"].dt == BEGIN + 72 * HOUR
    assert event["DTSTAMP"].dt == BEGIN
    assert str(event["SUMMARY"]) == "galaxy-7: orders of Altair for turn 1 are due"
    assert str(event["ORGANIZER"]) == "mailto:games@pbmd.test"
    assert str(event["ATTENDEE"]) == "mailto:altair@players.test"
    assert event["ATTENDEE"].params["RSVP"] == "FALSE"
    assert str(event["TRANSP"]) == "TRANSPARENT"


def test_programs_find_it_where_they_look_for_it(invited: World) -> None:
    message = message_of(invited.outbox("acknowledgement")[-1])
    assert message.get_content_type() == "multipart/mixed"
    texts, file = message.iter_parts()
    assert texts.get_content_type() == "multipart/alternative"
    *_, last = texts.iter_parts()
    assert last.get_content_type() == "text/calendar"
    assert last.get_param("method") == "REQUEST"
    assert last.get_param("charset") == "utf-8"
    assert not last.get_filename()
    assert (file.get_content_type(), file.get_filename(), file.get_content_disposition()) == (
        "application/ics", "deadline.ics", "attachment",
    )  # fmt: skip
    assert "for your calendar" in body_of(invited.outbox("acknowledgement")[-1])


def test_beside_html_and_a_map_it_is_the_last_of_the_alternatives(world: World) -> None:
    world.start(deadline="72h")
    world.send("Altair", "CALENDAR ON")
    world.pass_time(73 * HOUR)
    message = message_of(world.outbox("report", "Altair")[-1])
    kinds = [part.get_content_type() for part in next(iter(message.iter_parts())).iter_parts()]
    assert (kinds[0], kinds[-1]) == ("text/plain", "text/calendar")
    assert len(kinds) == 3
    assert shown(world) == world.game().deadline


def test_lines_are_short_and_end_as_they_should(invited: World) -> None:
    (raw, _) = calendars(invited.outbox("acknowledgement")[-1])
    assert raw.endswith(b"END:VCALENDAR\r\n")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_each_change_moves_the_one_entry(invited: World) -> None:
    invited.act("galaxy-7", deadline_changes.extend, 24 * HOUR, "the game master")
    assert shown(invited) == BEGIN + 96 * HOUR
    invited.master("DEADLINE in 100h")
    assert shown(invited) == invited.game().deadline == BEGIN + 100 * HOUR
    invited.send("Borealis", "EXTEND 2h")
    assert shown(invited) == BEGIN + 102 * HOUR
    invited.master("HOLIDAY 2026-11-24")
    assert shown(invited) == invited.game().deadline == BEGIN + 126 * HOUR
    assert [event["SEQUENCE"] for _, event in sent_to(invited)] == [1, 2, 3, 4, 5]


def test_where_nothing_has_changed_nothing_is_sent(invited: World) -> None:
    invited.send("Altair", "Add 3\nSTATUS")
    invited.send("Altair", "CALENDAR ON")
    invited.send("Borealis", "PRESS TO ALL\nHello\nEND PRESS")
    assert len(sent_to(invited)) == 1


def test_an_early_resolution_takes_the_entry_along_to_the_next_deadline(invited: World) -> None:
    for seat in NAMES:
        invited.send(seat, "Add 1")
    assert invited.pass_time(HOUR) == 1
    assert shown(invited) == invited.game().deadline == BEGIN + 73 * HOUR
    assert "turn 2" in str(sent_to(invited)[-1][1]["SUMMARY"])


def test_the_end_of_the_game_takes_it_out(world: World) -> None:
    world.count(target=1, deadline="72h")
    world.send("Altair", "CALENDAR ON\nAdd 1")
    for seat in NAMES[1:]:
        world.send(seat, "ORDERS")
    world.pass_time(HOUR)
    assert world.game().status == "finished"
    assert [method for method, _ in sent_to(world)] == ["REQUEST", "CANCEL"]
    assert shown(world) is None


def test_a_pause_takes_it_out_and_brings_it_back(invited: World) -> None:
    invited.master("PAUSE")
    assert shown(invited) is None
    invited.now += DAY
    invited.master("RESUME")
    assert shown(invited) == BEGIN + 96 * HOUR


@pytest.mark.parametrize("way", ["resign", "eject", "abandon"])
def test_who_is_out_of_the_game_has_it_out_of_the_calendar(invited: World, way: str) -> None:
    if way == "resign":
        invited.resign("Altair")
    else:
        invited.master("EJECT Altair" if way == "eject" else "ABANDON")
        invited.reply(invited.questions("gm@pbmd.test")[-1], "YES")
    assert shown(invited) is None
    assert [method for method, _ in sent_to(invited)] == ["REQUEST", "CANCEL"]


def test_off_takes_it_out_for_good(invited: World) -> None:
    invited.send("Altair", "CALENDAR OFF")
    assert shown(invited) is None
    invited.send("Altair", "calendar off")
    invited.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")
    invited.pass_time(80 * HOUR)
    assert len(sent_to(invited)) == 2
    invited.send("Altair", "CALENDAR ON")
    assert shown(invited) == invited.game().deadline


def test_another_address_has_it_and_the_old_one_no_more(invited: World) -> None:
    invited.send("Altair", "ADDRESS anna@new.test")
    invited.reply(invited.questions(address_of("Altair"))[-1], "YES")
    invited.reply(invited.questions("anna@new.test")[-1], "YES")
    assert shown(invited) is None
    assert shown(invited, "anna@new.test") == BEGIN + 72 * HOUR
    assert str(sent_to(invited, "anna@new.test")[-1][1]["ATTENDEE"]) == "mailto:anna@new.test"


def test_a_new_holder_has_to_ask_for_it(invited: World) -> None:
    invited.sure("REPLACE Altair BY dora@players.test")
    invited.reply(invited.questions("dora@players.test")[-1], "YES")
    invited.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")
    assert shown(invited) is None
    assert sent_to(invited, "dora@players.test") == []


def test_where_one_moves_after_the_other_only_the_own_move_stands_in_it(world: World) -> None:
    relay(world, reminders=())
    past_turn_0(world)
    world.send("Borealis", "CALENDAR ON")
    borealis = address_of("Borealis")
    assert sent_to(world, borealis) == [], "it is Altair's move"
    world.send("Altair", "Add 1")
    assert shown(world, borealis) == world.game().deadline
    world.send("Borealis", "Add 1")
    assert shown(world, borealis) is None


def test_before_the_game_begins_there_is_nothing_and_then_the_first_deadline(world: World) -> None:
    world.open("galaxy-7", *NAMES)
    world.send("Altair", "CALENDAR ON")
    assert sent_to(world) == []
    world.act("galaxy-7", new_game.start_game)
    assert shown(world) == world.game().deadline


@pytest.mark.parametrize(
    "holder",
    [
        'Anna "the Admiral" O\'Hara; Ltd, Co: 1',
        "Anna\r\nATTENDEE:mailto:eve@else.test\r\nX:\nBEGIN:VEVENT",
        "Zoë Ångström 漢字 " * 20,
        "back\\slash \x00\x1b[31m\u2028END:VCALENDAR",
    ],
)
def test_no_name_can_write_into_it(world: World, holder: str) -> None:
    world.count(deadline="72h")
    with world.changed("Altair") as seat:
        # PostgreSQL keeps no text with a NUL in it, and no letter of a player can bring one in.
        seat.holder = holder.replace("\0", "") if world.database else holder
    world.send("Altair", "CALENDAR ON")
    (raw, _) = calendars(world.outbox("acknowledgement")[-1])
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    lines = raw.replace(b"\r\n ", b"").split(b"\r\n")
    assert sum(line.startswith((b"ATTENDEE", b"ORGANIZER", b"BEGIN", b"END")) for line in lines) == 6
    ((_, event),) = sent_to(world)
    assert str(event["ATTENDEE"]) == "mailto:altair@players.test"
    name = event["ATTENDEE"].params["CN"]
    assert "".join(char for char in holder[:40] if char.isalpha()) in "".join(char for char in name if char.isalpha())


def test_there_is_no_secret_in_it(invited: World) -> None:
    with invited.work() as work:
        table = work.table_named("galaxy-7")
        tokens = [seat_tag(work, seat).token for seat in table.seats]
    invited.send("Altair", "Add 7")
    invited.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")
    raws = [raw for mail in invited.outbox() for raw in calendars(mail)]
    assert raws
    for raw in raws:
        flat = raw.replace(b"\r\n ", b"").lower()
        assert not any(token.encode() in flat for token in tokens)
        assert b"add 7" not in flat
        assert b"borealis" not in flat


@pytest.mark.parametrize("method", ["REPLY", "COUNTER"])
@pytest.mark.parametrize("to_seat", [True, False])
def test_what_a_calendar_answers_by_itself_is_not_read_and_not_answered(invited: World, method: str, *, to_seat: bool) -> None:
    message = EmailMessage()
    message["From"] = address_of("Altair")
    message["To"] = invited.reply_address("Altair") if to_seat else "games@pbmd.test"
    message["Subject"] = "Accepted: galaxy-7: orders of Altair for turn 1 are due"
    message["Message-ID"] = "<reply@calendar.test>"
    message.set_content("RESIGN\nAdd 9\n")
    message.add_alternative(b"BEGIN:VCALENDAR\r\n", maintype="text", subtype="calendar", params={"method": method})
    before = len(invited.outbox())
    invited.arrive(message.as_bytes(policy=email.policy.SMTP))
    process_letters(invited.desk)
    assert len(invited.outbox()) == before
    assert invited.sheet("Altair") is None
    assert invited.letters()[-1].state is LetterState.DONE


def test_an_invitation_forwarded_in_a_letter_does_not_keep_it_from_being_read(invited: World) -> None:
    letter = email.message_from_bytes(invited.letter("Altair", "Add 9"), policy=email.policy.default)
    letter.add_attachment(b"BEGIN:VCALENDAR\r\n", maintype="text", subtype="calendar", params={"method": "REQUEST"})
    invited.arrive(letter.as_bytes(policy=email.policy.SMTP))
    process_letters(invited.desk)
    assert invited.sheet("Altair") == ["Add 9"]


def test_a_mail_that_proves_nothing_turns_nothing_on(world: World) -> None:
    world.count()
    world.send("", "CALENDAR ON", sender="stranger@else.test", to=world.reply_address("Altair"))
    world.send("Altair", "CALENDAR ON", to="games@pbmd.test")
    world.send("Altair", "CALENDAR maybe")
    assert not world.seat("Altair").calendar
    assert not sent_to(world)

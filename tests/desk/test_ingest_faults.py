"""What becomes of letters, deadlines and the game master's peace when a mail server has a bad day: a real inbox against a
scripted server, and a desk whose clock the test sets."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmd.desk.changes.letters_put_aside import give_up, retry
from pbmd.desk.deadlines.unread_letters import LIES_UNREAD, WAITED_FOR
from pbmd.desk.due.abandoned_mail import give_up_unread_letters
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.ingest import NO_TEXT_TIME, UNPROVED_TIME, ask_again, read_mailbox
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Alarm, LetterState, UnreadLetter
from pbmd.post.accounts import ImapAccount, Secret
from pbmd.post.imap.connection import InboxLost
from pbmd.post.imap.inbox import Inbox
from tests.desk.world import BEGIN, World, body_of
from tests.post.scripted.faults import fault
from tests.post.scripted.imap import PASSWORD, ImapServer
from tests.post.scripted.server import Fault

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def look(world: World, server: ImapServer, after: timedelta = timedelta(0)) -> str:
    """Let time pass, read the mailbox over a new connection as `pbmd tick` does, and let the desk do what is due; gives what
    hindered the reading."""
    world.now += after
    account = ImapAccount(
        host="127.0.0.1",
        port=server.port,
        tls="none",
        user="gm",
        secret=Secret.literal(PASSWORD),
        timeout_seconds=1 if any(each.then == "is silent" for each in server.faults) else 60,
        processed="leave",
    )
    inbox, told = Inbox(account, now=world.desk.now), ""
    try:
        inbox.connect()
        read_mailbox(world.desk, inbox)
        ask_again(world.desk, inbox)
    except InboxLost as problem:
        note_unreadable(world.desk)
        told = str(problem)
    finally:
        inbox.close()
    give_up_unread_letters(world.desk)
    process_letters(world.desk)
    world.pass_time(reading=False)
    return told


def post(world: World, server: ImapServer, seat: str, text: str) -> None:
    server.deliver(world.letter(seat, text), arrived_at=world.now)


def nothing(server: ImapServer) -> None:
    """A letter of nobody, which can be given."""
    server.deliver(b"From: x@y.test\r\nMessage-ID: <nothing@y.test>\r\nSubject: hello\r\n\r\nhello\r\n", arrived_at=BEGIN)


def until_put_aside(world: World, server: ImapServer, *, proved: bool = True) -> None:
    """Look often, until a letter is put aside, which must not be sooner than it may."""
    patience = NO_TEXT_TIME if proved else UNPROVED_TIME
    begun = world.now
    while not world.rows(UnreadLetter):
        assert world.now - begun <= patience + HOUR
        look(world, server, MINUTE if proved else HOUR)
    assert world.now - begun >= patience
    look(world, server, MINUTE)


def alarms(world: World) -> list[str]:
    return [alarm.kind for alarm in world.rows(Alarm)]


# The server gives nothing at all for a while


@pytest.mark.parametrize("name", ["throttled", "unavailable"])
def test_a_server_that_is_throttled_for_a_day_loses_no_letter_and_no_turn(world: World, name: str):
    world.count(deadline="12h")
    with ImapServer() as server:
        look(world, server)
        for seat in ("Altair", "Borealis", "Cygnus"):
            post(world, server, seat, "add 1")
        with server.having(fault(name)):
            told = [look(world, server, HOUR) for _ in range(26)]
        assert world.game().turn == 1, "no deadline passes while nothing can be read"
        assert world.letters() == []
        assert not world.log("no-text")
        words = fault(name).says[0].removeprefix("{tag} ")
        assert all(words in each for each in told), "and the server's words are told"
        look(world, server)
        look(world, server, MINUTE)
    assert [each.state for each in world.letters()] == [LetterState.DONE] * 3
    assert not world.log("nmr")
    assert world.game().turn == 2


@pytest.mark.parametrize("name", ["no at a letter", "closed at a letter", "nil at a letter"])
def test_a_letter_that_is_alone_in_the_mailbox_is_put_aside_after_a_day(world: World, name: str):
    world.count(deadline="10d")
    headers_too = Fault("UID FETCH", fault(name).says, fault(name).then, "BODY.PEEK", 1, told=fault(name).told)
    with ImapServer(headers_too) as server:
        post(world, server, "Altair", "add 1")
        until_put_aside(world, server, proved=False)


def test_one_letter_for_which_a_server_says_that_it_will_pass_is_put_aside_after_a_day(world: World):
    world.count(deadline="10d")
    with ImapServer(fault("unavailable at a letter", uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        until_put_aside(world, server, proved=False)


# One letter that cannot be had

ONE_LETTER = [
    "no at a letter",
    "bad at a letter",
    "bye at a letter",
    "closed at a letter",
    "unreadable at a letter",
    "literal too long",
    "literal too short",
    "nil at a letter",
    "empty at a letter",
]


@pytest.mark.parametrize("name", ONE_LETTER)
def test_one_letter_that_cannot_be_had_holds_up_no_other(world: World, name: str):
    world.count(deadline="10d")
    with ImapServer(fault(name, uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        post(world, server, "Borealis", "add 2")
        look(world, server)
        told = look(world, server, MINUTE)
        assert "letter 2 of INBOX: the server gives no text for it" in told
        assert [each.uid for each in world.letters()] == [1], "what is before it is stored"
        look(world, server, MINUTE)
        assert "no-text" in alarms(world), "the game master is told within minutes"
        until_put_aside_at = world.now
        while not world.rows(UnreadLetter):
            look(world, server, MINUTE)
        assert world.now - until_put_aside_at < 2 * NO_TEXT_TIME
        look(world, server, MINUTE)
    aside = next(each for each in world.letters() if each.uid == 2)
    assert (aside.state, aside.raw, aside.arrived_at, aside.arrival_estimated) == (
        LetterState.QUARANTINED,
        b"",
        BEGIN,
        False,
    )
    assert world.sheet("Borealis") == ["Add 2"]
    assert "letter 2 (UIDVALIDITY 5)" in world.log("no-text")[0].detail
    assert "letter 2 (UIDVALIDITY 5)" in world.outbox("alarm")[0].raw.decode()


def test_each_letter_that_cannot_be_had_has_a_mail_of_its_own(world: World):
    world.count(deadline="10d")
    with ImapServer(fault("no at a letter", uid=2), fault("no at a letter", uid=4)) as server:
        for seat in ("Altair", "Borealis", "Cygnus", "Altair", "Borealis"):
            post(world, server, seat, "add 1")
        while len(world.rows(UnreadLetter)) < 2:
            assert world.now < BEGIN + HOUR
            look(world, server, MINUTE)
    mails = [" ".join(body_of(mail).split()) for mail in world.outbox("alarm")]
    told = [words for words in mails if words.startswith("A letter cannot be read: letter ")]
    assert [words.split()[6] for words in told] == ["2", "4"]


def test_a_server_that_falls_silent_at_a_letter_is_found_out_in_the_second_reading(world: World):
    world.count(deadline="10d")
    with ImapServer(fault("silent at a letter", uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        look(world, server)
        told = look(world, server, MINUTE)
    assert "letter 2 of INBOX: the server gives no text for it (the connection is lost when it is fetched" in told
    assert [each.uid for each in world.letters()] == [1]


def test_what_was_put_aside_is_dealt_with_as_of_its_arrival_once_the_server_gives_it(world: World):
    world.count(deadline="10d")
    with ImapServer() as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        with server.having(fault("no at a letter", uid=2)):
            until_put_aside(world, server)
        world.now += MINUTE
        post(world, server, "Altair", "add 5")
        look(world, server)
        look(world, server, 2 * HOUR)
    assert world.sheet("Altair") == ["Add 5"], "the later letter stays in force"
    first = next(each for each in world.letters() if each.uid == 2)
    assert (first.state, first.arrived_at) == (LetterState.DONE, BEGIN)
    assert b"add 1" in first.raw
    assert world.log("text-came")
    assert world.rows(UnreadLetter) == []


def test_no_deadline_passes_in_silence_over_a_letter_that_could_not_be_read(world: World):
    world.count(deadline="12h")
    with ImapServer() as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        post(world, server, "Borealis", "add 1")
        post(world, server, "Cygnus", "add 1")
        with server.having(fault("no at a letter", uid=2)):
            until_put_aside(world, server)
            look(world, server, 13 * HOUR)
            assert not world.log("nmr")
        look(world, server, 2 * HOUR)
    assert not world.log("nmr")
    assert world.game().turn == 2
    assert world.position()["players"] != [], "all three sent their orders in time"


def test_a_letter_that_never_comes_is_waited_for_for_a_day_and_what_is_missed_then_says_so(world: World):
    world.count(deadline="12h")
    with ImapServer(fault("no at a letter", uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        until_put_aside(world, server)
        aside_at = world.rows(UnreadLetter)[0].aside_at
        while not world.log("nmr"):
            look(world, server, HOUR)
            assert world.now - aside_at <= WAITED_FOR + 2 * HOUR, "nobody waits for ever"
    assert world.now - aside_at >= WAITED_FOR
    order = [line.what for line in world.log() if line.what in ("letter-given-up", "nmr")]
    assert order[0] == "letter-given-up"
    missed = next(line for line in world.log("nmr") if line.seat == "Altair")
    assert "could be read" in missed.detail
    assert "without letter" in missed.cause
    assert "of which the mail server gives no text" in missed.cause
    assert "unread-given-up" in alarms(world)
    for seat in ("Altair", "Borealis"):
        report = " ".join(body_of(world.outbox("report", seat)[-1]).split())
        assert "no mail with orders arrived." not in report
        assert "No mail of yours with orders for turn 1 could be read." in report
        assert "You sent no orders" not in report
        assert LIES_UNREAD in report, "whose it is nobody knows"


def test_who_has_orders_on_file_is_told_that_a_letter_lies_unread(world: World):
    world.count(deadline="12h")
    with ImapServer(fault("no at a letter", uid=2)) as server:
        post(world, server, "Altair", "add 1")
        post(world, server, "Altair", "add 2")
        until_put_aside(world, server)
        with world.work() as work:
            give_up(work, world.rows(UnreadLetter)[0].letter_id)
        while not world.log("nmr"):
            look(world, server, HOUR)
    report = " ".join(body_of(world.outbox("report", "Altair")[-1]).split())
    assert "Your orders came " in report
    assert LIES_UNREAD in report


def test_the_game_master_can_let_deadlines_pass_without_it_at_once(world: World):
    world.count(deadline="12h")
    with ImapServer(fault("no at a letter", uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        until_put_aside(world, server)
        look(world, server, 13 * HOUR)
        assert not world.log("nmr")
        with world.work() as work:
            give_up(work, world.rows(UnreadLetter)[0].letter_id)
        look(world, server, MINUTE)
    assert world.log("nmr")


def test_a_letter_that_was_taken_out_of_the_folder_is_waited_for_no_more(world: World):
    world.count(deadline="12h")
    with ImapServer(fault("no at a letter", uid=2)) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        until_put_aside(world, server)
        server.inbox.messages.pop()
        with world.work() as work:
            retry(work, world.rows(UnreadLetter)[0].letter_id)
        look(world, server, 13 * HOUR)
        look(world, server, MINUTE)
    assert world.log("text-gone")
    assert world.log("nmr")


# Times of arrival that cannot be


@pytest.mark.parametrize("stamp", ["01-Jan-2100 00:00:00 +0000", "21-Nov-2026 12:00:00 +0000", "01-Jan-1970 00:00:00 +0000"])
def test_a_letter_whose_stamp_cannot_be_counts_as_arrived_when_it_was_read_and_is_told(world: World, stamp: str):
    world.count(deadline="12h")
    with ImapServer(fault("date of a letter", uid=2, told={"INTERNALDATE": f'"{stamp}"'})) as server:
        nothing(server)
        post(world, server, "Altair", "add 1")
        look(world, server, MINUTE)
        look(world, server, MINUTE)
    assert world.sheet("Altair") == ["Add 1"]
    orders = next(each for each in world.letters() if each.uid == 2)
    assert (orders.arrived_at, orders.arrival_estimated) == (BEGIN + MINUTE, True)
    (line,) = world.log("no-arrival")
    assert f"letter {orders.id}: the mail server told" in line.detail
    assert "arrival" in alarms(world)


def test_a_letter_that_was_moved_into_the_mailbox_long_after_its_arrival_keeps_its_stamp(world: World):
    world.count(deadline="12h")
    with ImapServer() as server:
        server.deliver(world.letter("Altair", "add 1"), arrived_at=datetime(2019, 5, 1, tzinfo=UTC))
        look(world, server)
    assert world.letters()[0].arrived_at == datetime(2019, 5, 1, tzinfo=UTC)
    assert not world.log("no-arrival")

"""News that is told at once is gathered: what comes for one reader within a minute is one mail, whatever happens meanwhile."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending import batches
from pbmd.desk.sending.batches import is_due, note_sent, take
from pbmd.desk.sending.rate import Pace
from pbmd.desk.step.gathering import tell
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.tables import Outbox, OutboxState
from tests.desk.upkeep.test_tidying import send_all
from tests.desk.world import World, body_of, message_of

SECOND = timedelta(seconds=1)
WORDS = ("cheap", "dear", "fresh", "stale")


@pytest.fixture
def bazaar(world: World) -> World:
    """A game of Bazaar (tests/rules/bazaar), all of whose mails so far have been sent."""
    world.start(ruleset="bazaar", reminders=())
    send_all(world)
    return world


def shout(world: World, *words: str, after: timedelta = 10 * SECOND) -> None:
    """Altair shouts words, each in a mail of its own."""
    for word in words:
        world.now += after
        world.send("Altair", f"Shout {word}")


def news(world: World, seat: str = "Cygnus") -> list[list[str]]:
    """The words in each mail of news for a seat."""
    return [[word for word in WORDS if f"shouts: {word}" in body_of(mail)] for mail in world.outbox("notice", seat)]


def mail_of(world: World, seat: str = "Cygnus") -> Outbox:
    return world.outbox("notice", seat)[-1]


def test_what_comes_within_a_minute_is_one_mail(bazaar: World) -> None:
    shout(bazaar, "cheap", "dear", "fresh")
    assert news(bazaar) == [["cheap", "dear", "fresh"]]
    assert message_of(mail_of(bazaar))["Subject"] == "[pbmd galaxy-7 t1] Altair shouts: cheap, and 2 things more"
    assert [text for text in body_of(mail_of(bazaar)).splitlines() if "shouts" in text] == [
        f"| Altair shouts: {word}" for word in ("cheap", "dear", "fresh")
    ]


def test_the_minute_begins_with_the_first(bazaar: World) -> None:
    shout(bazaar, *WORDS, after=25 * SECOND)
    assert news(bazaar) == [["cheap", "dear", "fresh"], ["stale"]]


def test_it_goes_out_when_its_minute_is_over(bazaar: World) -> None:
    shout(bazaar, "cheap")
    began = bazaar.now
    shout(bazaar, "dear")
    assert mail_of(bazaar).next_try_at == began + timedelta(minutes=1)
    # The answers to Altair wait for nothing.
    assert {mail.kind for mail in bazaar.outbox() if mail.next_try_at <= bazaar.now} >= {"acknowledgement"}


def test_it_counts_when_news_came_and_not_when_it_was_read(bazaar: World) -> None:
    for minute, word in enumerate(WORDS[:2]):
        bazaar.arrive(bazaar.letter("Altair", f"Shout {word}"), bazaar.now + timedelta(minutes=2 * minute))
    bazaar.now += timedelta(minutes=5)
    process_letters(bazaar.desk)
    assert news(bazaar) == [["cheap"], ["dear"]]
    # What has waited for a minute already is not held up any longer.
    assert all(mail.next_try_at <= bazaar.now for mail in bazaar.outbox("notice", "Cygnus"))


def test_what_the_sender_has_taken_is_neither_lost_nor_sent_twice(bazaar: World) -> None:
    shout(bazaar, "cheap")
    with bazaar.desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE outbox SET next_try_at = queued_at")
    taken = take(bazaar.desk, Pace(1000))
    assert not is_due(bazaar.desk)
    shout(bazaar, "dear")
    with bazaar.desk.engine.begin() as connection:
        note_sent(connection, [mail.id for mail in taken], bazaar.now, "")
    shout(bazaar, "fresh")
    assert news(bazaar) == [["cheap"], ["dear", "fresh"]]
    assert [mail.state for mail in bazaar.outbox("notice", "Cygnus")] == [OutboxState.SENT, OutboxState.QUEUED]


def test_a_mail_that_gathers_no_more_is_on_the_disk_as_taken_before_it_goes_out(
    bazaar: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would gather more after a power cut, and go out a second time as another mail."""
    states: list[OutboxState] = []
    monkeypatch.setattr(batches, "make_lasting", lambda _: states.append(mail_of(bazaar).state))
    shout(bazaar, "cheap")
    assert "notice" not in {parcel.kind for parcel in take(bazaar.desk, Pace(1000))}
    assert states == [], "others are sent again just so"
    bazaar.now += timedelta(minutes=1)
    assert "notice" in {parcel.kind for parcel in take(bazaar.desk, Pace(1000))}
    assert states == [OutboxState.SENDING]


def test_what_the_game_master_holds_is_left_as_it_is(bazaar: World) -> None:
    shout(bazaar, "cheap")
    with bazaar.desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE outbox SET state = 'held' WHERE kind = 'notice'")
    shout(bazaar, "dear")
    assert news(bazaar) == [["cheap"], ["dear"]]


def test_a_letter_that_comes_to_nothing_leaves_the_mail_that_waits(bazaar: World) -> None:
    shout(bazaar, "cheap")
    before = [(mail.key, mail.raw) for mail in bazaar.outbox("notice")]

    def fail(work: Transaction, table: OpenGame) -> None:
        tell(work, table, table.seat("Cygnus"), ["Altair shouts: dear"], "notice x")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bazaar.act("galaxy-7", fail)
    assert [(mail.key, mail.raw) for mail in bazaar.outbox("notice")] == before


def test_it_goes_on_after_a_new_start(tmp_path: Path) -> None:
    with closing(World(tmp_path)) as world:
        world.start(ruleset="bazaar", reminders=())
        shout(world, "cheap")
        world.close()
        world.desk.engine.dispose()
        shout(world, "dear")
        assert news(world) == [["cheap", "dear"]]


def test_the_report_of_the_step_comes_after_it_and_ends_it(bazaar: World) -> None:
    for seat in ("Altair", "Borealis", "Cygnus"):
        bazaar.send(seat, "Bid 1\nShout cheap" if seat == "Altair" else "Bid 1")
    assert bazaar.pass_time(SECOND) == 1
    assert mail_of(bazaar).next_try_at <= bazaar.now
    assert (mail_of(bazaar).id or 0) < (bazaar.outbox("report", "Cygnus")[-1].id or 0)
    shout(bazaar, "dear", after=SECOND)
    assert news(bazaar) == [["cheap"], ["dear"]]


def test_a_new_holder_gets_nothing_of_it(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Cygnus")
    with bazaar.changed("Cygnus") as seat:
        seat.address = "new@players.test"
    bazaar.send("Altair", "Give 3 to Cygnus")
    assert [("gift of 2" in body_of(mail), mail.recipient) for mail in bazaar.outbox("notice") if "gift of 3" in body_of(mail)][
        -1
    ] == (False, "new@players.test")


def test_each_reader_gets_what_they_may_know(bazaar: World) -> None:
    bazaar.send("Altair", "Give 2 to Borealis")
    shout(bazaar, "cheap")
    assert "gift" in body_of(mail_of(bazaar, "Borealis"))
    assert "gift" not in body_of(mail_of(bazaar, "Cygnus"))


def test_when_its_bytes_are_not_needed_any_more_its_words_are_gone_too(bazaar: World) -> None:
    shout(bazaar, "cheap")
    send_all(bazaar)
    assert all(mail.gathered for mail in bazaar.outbox("notice"))
    for seat in ("Altair", "Borealis", "Cygnus"):
        bazaar.send(seat, "Bid 1")
    bazaar.pass_time(SECOND)
    bazaar.now += timedelta(days=31)
    tidy(bazaar.desk, rest=lambda _: None)
    assert not any(mail.gathered for mail in bazaar.outbox("notice"))

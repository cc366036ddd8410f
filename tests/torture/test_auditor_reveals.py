"""What the auditor finds where an Insight is not answered as it should be: honest books, and the same with a lie in them."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.ledger.tables import Outbox, SubmissionState
from tests.desk.world import BEGIN, World
from tests.rulesets.cosmic_conquest.desk import conquest
from tests.torture.auditor import audit
from tests.torture.evidence import Evidence
from tests.torture.promises.reveals import reveals
from tests.torture.test_auditor import Office, books, changed, found


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evidence]:
    """A turn with a target that is late and publishes its orders, one with a target that stalls, one with a target whose
    orders are in already, and one still open."""
    with closing(conquest(World(tmp_path_factory.mktemp("world")))) as world:
        office = Office(world)
        world.now += timedelta(minutes=1)
        office.send("Purple", "Telepathic Insight on Red")
        office.send("Green", "Pass")
        office.send("Red", "Defend Sol with 5 units\nPublish orders")
        office.send("Purple", "Pass")
        assert world.game().step == 1
        world.now += timedelta(minutes=1)
        office.send("Purple", "Pass", turn=2)
        office.send("Purple", "Telepathic Insight on Green", turn=2)
        office.send("Red", "Pass", turn=2)
        assert world.pass_time(timedelta(hours=73)) == 1
        for seat, text in (("Red", "Pass"), ("Purple", "Telepathic Insight on Red"), ("Purple", "Pass"), ("Green", "Pass")):
            office.send(seat, text, turn=3)
        assert world.game().step == 3
        world.now += timedelta(minutes=1)
        office.send("Purple", "Telepathic Insight on Red", turn=4)
        office.send("Purple", "Telepathic Insight on Green", turn=4)
        yield office.evidence()


def mail(evidence: Evidence, words: bytes) -> Outbox:
    """The first mail that has these words."""
    return next(mail for mail in evidence.books.outbox if mail.kind == "notice" and words in mail.raw)


def with_mail(evidence: Evidence, other: Outbox) -> Evidence:
    """One mail replaced."""
    return books(evidence, outbox=tuple(other if mail.id == other.id else mail for mail in evidence.books.outbox))


def test_the_auditor_has_nothing_to_say_against_honest_reveals(honest: Evidence) -> None:
    assert audit(honest) == []
    assert reveals(honest) == 3
    states = [submission.state for submission in honest.books.submissions]
    assert states.count(SubmissionState.GRANTED) == 4


@pytest.mark.parametrize("words", [b"Telepathic Insight, turn 1", b"Telepathic Insight, turn 2", b"Published orders, turn 1"])
def test_a_reveal_that_is_missing_or_there_twice_is_found(honest: Evidence, words: bytes) -> None:
    shown = mail(honest, words)
    others = tuple(mail for mail in honest.books.outbox if mail.id != shown.id)
    assert found(books(honest, outbox=others), "reveal", words.decode().split(",")[0], "0 mails, not 1")
    twice = changed(shown, id=999, key="another", message_id="<another@pbmd.test>")
    assert found(books(honest, outbox=(*honest.books.outbox, twice)), "reveal", words.decode().split(",")[0], "2 mails, not 1")


def test_a_reveal_to_somebody_else_is_found(honest: Evidence) -> None:
    shown = mail(honest, b"Telepathic Insight, turn 1")
    green = next(seat.id for seat in honest.books.seats if seat.name == "Green")
    assert found(with_mail(honest, changed(shown, seat_id=green)), "reveal", "to Green: 1 mails, and nothing was to be shown")


@pytest.mark.parametrize(("words", "line"), [(b"turn 1", b"Sol with 5 units"), (b"turn 2", b"Invest 10 units")])
def test_a_reveal_of_other_orders_is_found(honest: Evidence, words: bytes, line: bytes) -> None:
    shown = mail(honest, b"Telepathic Insight, " + words)
    assert line in shown.raw
    other = changed(shown, raw=shown.raw.replace(line, line.replace(b"units", b"drones")))
    assert found(with_mail(honest, other), "reveal", "it shows other orders than those that were used")


def test_a_reveal_that_is_not_in_the_journal_is_found(honest: Evidence) -> None:
    def without(kind: str) -> Evidence:
        journal = []
        for entry in honest.books.journal:
            secret = json.loads(entry.secret or "{}")
            secret["meanwhile"] = [kept for kept in secret.get("meanwhile", []) if kind not in kept]
            journal.append(changed(entry, secret=json.dumps(secret)) if entry.kind == "resolved" else entry)
        return books(honest, journal=tuple(journal))

    assert found(without("lines"), "step 0", "has not the requests that were granted")
    assert found(without("told"), "step 1", "has not what was told in it")


def test_a_request_that_the_books_call_something_else_is_found(honest: Evidence) -> None:
    first, *others = honest.books.submissions
    assert first.state is SubmissionState.GRANTED
    refused = books(honest, submissions=(changed(first, state=SubmissionState.REFUSED), *others))
    assert found(refused, "the requests granted in step 0")


def test_a_log_that_tells_of_an_insight_is_found(honest: Evidence) -> None:
    assert found(replace(honest, log_file=honest.log_file + "Insight\n"), "log file: it tells of an Insight")


def test_who_is_said_to_have_missed_a_turn_too_early_is_found(honest: Evidence) -> None:
    early = tuple(
        changed(entry, at=BEGIN + timedelta(hours=1)) if entry.kind == "missed" else entry for entry in honest.books.journal
    )
    assert found(books(honest, journal=early), "missed: Green of game 1 missed step 1")

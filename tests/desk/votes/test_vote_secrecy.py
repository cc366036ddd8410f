"""Non-interference: how a seat votes in secret changes no byte that anybody else gets, as long as the result is the same."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.desk.test_secrecy import archive_of, bytes_for_others, ideal_seal, read_book
from tests.desk.world import NAMES, World, address_of
from tests.pages.test_secrecy import AUDIENCES, but_for_mail, pages

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
TERMS: dict[str, Any] = {"votes": "all", "deadline": "240h"}
SAME = [("YES", "NO"), ("YES", "NOTHING"), ("NO", "NOTHING")]
"""What Altair may say in a vote that is open, or fails in any case."""
Two = tuple[World, World]


@pytest.fixture
def two_desks(tmp_path: Path) -> Iterator[Two]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with (
        closing(World(tmp_path / "one", sealing=ideal_seal)) as one,
        closing(World(tmp_path / "two", sealing=ideal_seal)) as two,
    ):
        yield one, two


def vote(world: World, seat: str, text: str) -> None:
    world.now += MINUTE
    world.send(seat, text)


def ask_all(world: World) -> None:
    """Everybody else asks for all that there is to see, and the game master, too."""
    for seat in ("Borealis", "Cygnus"):
        vote(world, seat, "STATUS\nREPORT")
    world.master("STATUS")
    world.master("VOTES")


def around(world: World, altair: str, after: Callable[[World], object] = lambda _: None) -> None:
    world.count(**TERMS)
    vote(world, "Borealis", "PROPOSE PAUSE FOR 3 days")
    vote(world, "Altair", f"VOTE {altair}")
    ask_all(world)
    after(world)
    ask_all(world)


@pytest.mark.parametrize("said", SAME)
def test_nobody_can_tell_how_altair_has_voted_in_a_vote_that_is_open(two_desks: Two, said: tuple[str, str]) -> None:
    for world, altair in zip(two_desks, said, strict=True):
        around(world, altair)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("said", SAME)
def test_nor_after_it_has_failed_at_its_time(two_desks: Two, said: tuple[str, str]) -> None:
    def fail(world: World) -> None:
        vote(world, "Borealis", "VOTE NOTHING")
        vote(world, "Cygnus", "VOTE YES")
        world.pass_time(4 * DAY)

    for world, altair in zip(two_desks, said, strict=True):
        around(world, altair, fail)
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.parametrize("quorum", [50, 100])
def test_nor_from_when_it_was_over(two_desks: Two, quorum: int) -> None:
    """Altair and Cygnus vote differently, one in one world and the other in the other: Borealis learns the result alone."""
    for world, (altair, cygnus) in zip(two_desks, (("YES", "NO"), ("NO", "YES")), strict=True):
        world.count(vote_quorum=quorum, **TERMS)
        vote(world, "Borealis", "PROPOSE PAUSE FOR 3 days")
        vote(world, "Altair", f"VOTE {altair}")
        vote(world, "Cygnus", f"VOTE {cygnus}")
        vote(world, "Borealis", "STATUS")
        world.pass_time(4 * DAY)

    def to_borealis(world: World) -> list[Any]:
        mails = [(mail.raw, mail.queued_at) for mail in world.outbox() if mail.recipient == address_of("Borealis")]
        return [mails, [(entry.public, entry.hash) for entry in world.journal()], [str(line) for line in world.log()]]

    one, two = map(to_borealis, two_desks)
    assert one == two


@pytest.mark.parametrize("why", ["", " because nobody can win"])
def test_nobody_can_tell_who_of_two_has_proposed_a_vote(two_desks: Two, why: str) -> None:
    for world, seat in zip(two_desks, ("Altair", "Cygnus"), strict=True):
        world.count(**TERMS)
        vote(world, seat, f"PROPOSE DRAW{why}")
        vote(world, "Borealis", "STATUS")
        world.pass_time(4 * DAY)

    def to_others(world: World) -> list[Any]:
        mails = [mail.raw for mail in world.outbox() if mail.recipient == address_of("Borealis")]
        also = [(mail.kind, mail.recipient) for mail in world.outbox() if mail.kind != "acknowledgement"]
        lines = [(line.what, line.seat, line.detail, line.cause) for line in world.log()]
        return [mails, also, lines, [(entry.public, entry.hash) for entry in world.journal()]]

    one, two = map(to_others, two_desks)
    assert one == two


def test_the_end_of_a_pause_does_not_tell_where_who_proposes_it_lives(two_desks: Two) -> None:
    for world, zone in zip(two_desks, ("Europe/Berlin", "Asia/Tokyo"), strict=True):
        world.count(**TERMS)
        vote(world, "Altair", f"TIMEZONE {zone}")
        vote(world, "Altair", "PROPOSE PAUSE UNTIL 2027-01-04")
    one, two = map(bytes_for_others, two_desks)
    assert one == two


@pytest.mark.in_turn(2)
@AUDIENCES
@pytest.mark.parametrize("said", SAME)
def test_no_page_tells_how_altair_has_voted(two_desks: Two, said: tuple[str, str], audience: str) -> None:
    for world, altair in zip(two_desks, said, strict=True):
        around(world, altair)
        world.read_mailbox()
    one, two = (but_for_mail(pages(world, audience), audience) for world in two_desks)
    assert one == two
    assert b"ote 1, on a pause of 3 days, until" in b"".join(content for content, _ in one.values())


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("view", ["public", "seat:Borealis"])
@pytest.mark.parametrize("said", SAME)
def test_no_archive_and_no_book_for_others_tells_how_altair_has_voted(
    two_desks: Two, said: tuple[str, str], view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbmd.archive.write.journal_file.seal", ideal_seal)
    monkeypatch.setattr("pbmd.archive.format.entries.seal", ideal_seal)
    found: list[Any] = []
    for world, altair in zip(two_desks, said, strict=True):
        around(world, altair)
        world.pass_time(4 * DAY)
        for seat in NAMES:
            vote(world, seat, "Add 1")
        world.pass_time(MINUTE)
        vote(world, "Borealis", "PROPOSE DRAW")
        for seat in ("Altair", "Cygnus"):
            vote(world, seat, "VOTE YES")
        found.append((archive_of(world, view), read_book(world, view)))
    one, two = found
    assert one == two


def test_where_nobody_may_know_who_has_sent_no_number_counts_the_entries(world: World) -> None:
    world.count(who_has_sent="nothing", **TERMS)
    answers = [world.send("Altair", "PROPOSE DRAW"), world.send("Borealis", "VOTE NO")]
    assert not any("entry" in answer or "head" in answer for answer in answers)

"""Whatever happens to the clock of a game, `pbmd verify` finds nothing wrong, and no mail of it is called forged."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.archive.evidence.against_books import examine, examine_books
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mail_patterns import ARRIVED, DIGEST, RECEIPT
from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.book_sources.ledger import books_of_ledger
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import GameStatus
from pbmd.rules.registry import slugs
from tests.archive.chance import play_by_chance
from tests.archive.made import export, verified
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World
from tests.doses import dose

SMALL = ("count", "relay", "tides")
PLAYED = [
    *((slug, 0) for slug in dose(["galactic_overlord"], slugs())),
    *((slug, seed) for slug in SMALL for seed in range(dose(1, 3))),
]


@pytest.fixture(params=PLAYED, ids=str)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        play_by_chance(world, *request.param)
        yield world


@pytest.mark.in_turn(2)
def test_a_game_and_its_mails(world: World, tmp_path: Path) -> None:
    verifies(world, tmp_path)
    mails_hold(world, tmp_path)


def verifies(world: World, tmp_path: Path) -> None:
    """The archive of the game is sound, and of each step of a game that is over the deadline was checked."""
    findings = verified(export(world, tmp_path / "archive"))
    assert [str(problem) for problem in findings.problems] == []
    if world.game().status is GameStatus.FINISHED:
        assert findings.checked.get("deadlines of steps", 0) == len(world.journal("resolved"))
    if not silent(world):
        shown = verified(export(world, tmp_path / "public", audience=TO_PUBLIC))
        assert [str(problem) for problem in shown.problems] == []
    without_names = verified(export(world, tmp_path / "without names", anonymised=True))
    # Of a move that was taken back before it was due such an archive has not enough to be resolved from its own files.
    assert [str(problem) for problem in without_names.problems if "after.toml" not in problem.file] == []


def silent(world: World) -> bool:
    """Whether a game that runs tells nobody who has sent: then it has no archive for the public."""
    game = world.game()
    return game.status is not GameStatus.FINISHED and json.loads(game.terms)["who_has_sent"] == "nothing"


NOT_HELD = (
    "not compared: no entry tells what it says",
    "not compared: the numbers of how the game went",
    'not compared: it says "No deadline will fall on these days: ',
)
"""Of what no archive has more than the deadline, what is a sum of what it has, and what older versions say otherwise."""


def mails_hold(world: World, tmp_path: Path) -> None:
    """The ledger, and the archive of a game that is over, have all that any mail claims; no archive calls one forged."""
    with Transaction(world.desk, reads=True) as work:
        ledger = books_of_ledger(work.session, world.game())
    archive = books_of_archive(tmp_path / "archive" / "data")
    over = world.game().status is GameStatus.FINISHED
    assert examine_books(ledger).holds
    assert examine_books(archive).holds
    claimed = 0
    for mail in world.outbox():
        claims = claims_of_mail(mail.raw)
        for books in (ledger, archive):
            for finding in examine(claims, books):
                claimed += 1
                # Of orders never carried out no archive tells how they were understood, nor whose they were without a receipt.
                untold = {DIGEST} if any(statement.first(RECEIPT) for statement in claims.statements) else {DIGEST, ARRIVED}
                may_be_untold = books is archive and (not over or finding.what in untold)
                may_be_untold |= finding.words.startswith(NOT_HELD) and not finding.whole
                assert finding.holds or (finding.holds is None and may_be_untold), (finding, mail.key, mail.raw.decode())
    assert claimed


def test_moves_that_waited_share_a_receipt(tmp_path: Path) -> None:
    """They share that of the step which ended their waiting; the report is about the one that was carried out."""
    (tmp_path / "home").mkdir()
    with closing(past_turn_0(relay(World(tmp_path / "home")))) as world:
        for text in ("no move at all", "Add 1", "Add 9"):
            world.send("Borealis", text)
            world.now += timedelta(minutes=5)
        world.send("Altair", "Add 1")
        report = world.outbox("report", "Borealis")[-1]
        mails_hold(world, export(world, tmp_path / "archive").parent)
        books = books_of_archive(tmp_path / "archive" / "data")
    found = {finding.what: finding for finding in examine(claims_of_mail(report.raw), books)}
    assert found[ARRIVED].value == "Fri 20 Nov 2026 12:13 UTC"
    assert [found[what].holds for what in (RECEIPT, ARRIVED)] == [True, True]
    assert "they were used when the step was resolved" in found[RECEIPT].words

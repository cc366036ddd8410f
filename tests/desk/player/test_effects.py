"""Letters with what takes effect at once, alone and beside orders, in a game of Bazaar (tests/rules/bazaar)."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.archive.evidence.against_books import examine
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.ledger.tables import Submission, SubmissionState
from tests.archive.made import export, verified
from tests.desk.world import World, body_of, proof_of


@pytest.fixture
def bazaar(world: World) -> World:
    """A game in its first day, without reminders."""
    world.start(ruleset="bazaar", reminders=())
    return world


def coins(world: World) -> dict[str, int]:
    return {each["name"]: each["coins"] for each in json.loads(world.game().position)["dealers"]}


def states(world: World) -> list[SubmissionState]:
    return [row.state for row in world.rows(Submission)]


def test_orders_are_filed_and_what_takes_effect_is_done_wherever_it_is_written(bazaar: World) -> None:
    answer = bazaar.send("Altair", "Bid 7\ngive 2 to borealis")
    assert answer.startswith("Altair: your orders for turn 1 are in, and your request is granted.\n")
    assert "DONE AT ONCE, as we read it\n  Give 2 to Borealis\n" in answer
    assert "YOUR ORDERS FOR TURN 1, as we read them\n  Bid 7\n" in answer
    assert coins(bazaar) == {"Altair": 7, "Borealis": 11, "Cygnus": 9}
    assert states(bazaar) == [SubmissionState.FILED]


def test_an_effect_that_is_refused_costs_no_orders(bazaar: World) -> None:
    answer = bazaar.send("Altair", "Give 3 to nobody\nBid 7")
    assert answer.startswith("Altair: your orders for turn 1 are in, but 1 line was refused.\n")
    assert "you can give to other dealers only" in answer
    assert "  Bid 7\n" in answer
    assert coins(bazaar)["Altair"] == 9


def test_orders_that_are_refused_cost_no_effect(bazaar: World) -> None:
    answer = bazaar.send("Altair", "Bid nothing\nGive 3 to Cygnus")
    assert answer.startswith("Altair: your request is granted, but 1 line was refused.\n")
    assert "You have no orders in for turn 1." in answer
    assert coins(bazaar) == {"Altair": 6, "Borealis": 9, "Cygnus": 12}
    assert states(bazaar) == [SubmissionState.GRANTED]


@pytest.mark.parametrize("text", ["ADD\nBid nothing\nGive 3 to Cygnus", "ADD\nGive 3 to Cygnus"])
def test_an_effect_alone_leaves_the_sheet_as_it_came(bazaar: World, text: str) -> None:
    bazaar.send("Altair", "Bid 5")
    before = json.loads(bazaar.game().position)["sheets"]
    bazaar.now += timedelta(hours=1)
    answer = bazaar.send("Altair", text)
    assert answer.startswith("Altair: your request is granted")
    assert json.loads(bazaar.game().position)["sheets"] == before
    assert coins(bazaar)["Cygnus"] == 12
    assert ("None of your orders was accepted, so what you had sent stands." in " ".join(answer.split())) is ("Bid" in text)


def test_doing_nothing_beside_an_effect_is_an_empty_sheet(bazaar: World) -> None:
    answer = bazaar.send("Altair", "no orders\nGive 3 to Cygnus")
    assert answer.startswith("Altair: your orders for turn 1 are in, and your request is granted.\n")
    assert json.loads(bazaar.game().position)["sheets"][0]["lines"] == []
    assert coins(bazaar)["Cygnus"] == 12


def test_what_is_granted_is_acknowledged_as_understood_with_the_head_of_the_journal(bazaar: World) -> None:
    head = bazaar.game().chain_head
    answer = bazaar.send("Altair", "give 3 TO cygnus")
    assert answer.startswith("Altair: your request is granted.\n\nDONE AT ONCE, as we read it\n  Give 3 to Cygnus\n")
    proof = proof_of(bazaar.outbox("acknowledgement")[-1])
    assert head in proof
    assert "entered in the journal when turn 1" in " ".join(proof.split())
    assert "Give" not in "".join(entry.public for entry in bazaar.journal())


def test_where_numbers_are_hidden_no_head_is_told(world: World) -> None:
    world.start(ruleset="bazaar", reminders=(), who_has_sent="nothing")
    world.send("Altair", "Give 3 to Cygnus")
    assert world.game().chain_head not in proof_of(world.outbox("acknowledgement")[-1])


def test_a_rollback_files_the_orders_again_and_not_the_effect(bazaar: World) -> None:
    for seat in ("Altair", "Borealis", "Cygnus"):
        bazaar.send(seat, "Bid 1\nGive 2 to Altair" if seat != "Altair" else "Bid 3")
    bazaar.pass_time(timedelta(minutes=1))
    assert bazaar.game().turn == 2
    bazaar.sure("ROLLBACK TO TURN 1 because of an error")
    assert coins(bazaar) == {"Altair": 9, "Borealis": 9, "Cygnus": 9}
    answer = bazaar.send("Borealis", "USE ORDERS OF TURN 1")
    assert "DONE AT ONCE" not in answer
    assert "  Bid 1\n" in answer
    assert coins(bazaar)["Altair"] == 9


def test_a_word_that_all_hear_goes_out_at_once(bazaar: World) -> None:
    bazaar.send("Altair", "Bid 2\nShout cheap")
    assert [body_of(mail).splitlines()[0] for mail in bazaar.outbox("notice", "Cygnus")] == ["| Altair shouts: cheap"]


def test_what_a_granted_mail_proves_holds_against_the_archive(bazaar: World, tmp_path: Path) -> None:
    bazaar.send("Altair", "Give 3 to Cygnus")
    claims = claims_of_mail(bazaar.outbox("acknowledgement", "Altair")[-1].raw)
    for seat in ("Altair", "Borealis", "Cygnus"):
        bazaar.send(seat, "Bid 1\nShout cheap")
    assert bazaar.pass_time(timedelta(minutes=1)) == 1
    archive = tmp_path / "archive"
    export(bazaar, archive)
    assert [str(problem) for problem in verified(archive).problems] == []
    found = examine(claims, books_of_archive(archive / "data"))
    assert {each.what for each in found} >= {"chain head"}
    assert [each for each in found if each.holds is False] == []

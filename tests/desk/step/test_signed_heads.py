"""The checkpoint at the end of each report: the head of the journal, signed, and nothing else."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.ledger.tables import Report
from pbmd.notes.checkpoint import is_of_log
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import Verifier
from tests.desk.visitors.test_serve import confirmed, finish_the_turn
from tests.desk.world import World, address_of, body_of, message_of, opened, proof_of

LOG = "pbmd.test/games/galaxy-7"


def signed_in(mail) -> tuple[FoundNote, Verifier]:
    claims = claims_of_mail(mail.raw)
    [found], [key] = claims.checkpoints, claims.keys
    assert is_of_log(found.note, key)
    return found, key


def head_at(world: World, number: int) -> str:
    return next(entry.hash for entry in world.journal() if entry.number == number)


def test_every_report_has_the_head_of_its_entry_signed_with_one_key(world: World) -> None:
    world.count()
    finish_the_turn(world)
    reports = world.outbox("report")
    keys = {str(signed_in(mail)[1]) for mail in reports}
    assert len(reports) == 6
    assert len(keys) == 1
    for mail in reports:
        said = signed_in(mail)[0].checkpoint
        assert (said.origin.partition("~")[0], said.head) == (LOG, head_at(world, said.size))
        assert f"Head of the journal, entry {said.size}:" in proof_of(mail)


def test_it_is_in_the_file_and_in_no_page(world: World) -> None:
    world.count()
    mail = world.outbox("report", "Altair")[0]
    note = str(signed_in(mail)[0].note)
    page = message_of(mail).get_body(("html",)).get_content().replace("\r\n", "\n")
    assert note in f"{proof_of(mail)}\n", "byte for byte"
    assert LOG not in body_of(mail) + page
    assert not [row for row in world.rows(Report) if LOG in row.html or LOG in row.text]


def test_where_nobody_may_know_how_many_have_sent_heads_are_counted_by_reports(world: World) -> None:
    world.count(who_has_sent="nothing")
    finish_the_turn(world)
    said = [signed_in(mail)[0].checkpoint for mail in world.outbox("report", "Altair")]
    assert [(each.size, each.by_report) for each in said] == [(1, True), (2, True)]
    assert all(re.fullmatch(rf"{LOG}~[0-9a-f]{{12}}/reports", each.origin) for each in said)
    heads = {entry.hash for entry in world.journal()}
    assert {each.head for each in said} <= heads


def test_observers_get_it_with_a_report_and_not_with_one_that_is_sent_later(world: World) -> None:
    """The head of now would tell how much has come since that report."""
    world.count(listed=True)
    world.send("Altair", "Add 1")
    confirmed(world, "Deneb", "WATCH galaxy-7")
    late = world.outbox("report", "Deneb")[-1]
    assert claims_of_mail(late.raw).checkpoints == ()
    finish_the_turn(world)
    public, own = world.outbox("report", "Deneb")[-1], world.outbox("report", "Altair")[-1]
    assert signed_in(public) == signed_in(own)


def test_another_key_of_the_server_signs_with_another_key_and_nothing_shows_either(world: World) -> None:
    world.count()
    first = signed_in(world.outbox("report", "Altair")[0])[1]
    world.desk = replace(world.desk, key=b"o" * 32)
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(minutes=1))
    second = signed_in(world.outbox("report", "Altair")[-1])[1]
    assert first.public != second.public
    raw = b"".join(opened(mail.raw) for mail in world.outbox())
    assert (b"k" * 32).hex().encode() not in raw
    assert address_of("Borealis") not in body_of(world.outbox("report", "Altair")[-1])


@pytest.mark.parametrize("text", ["Add 3", "RESIGN"])
def test_a_reply_that_quotes_it_without_marks_is_read_as_if_it_were_not_there(world: World, text: str) -> None:
    """Mail programs that quote without marks bring its lines back."""
    world.count()
    report = world.outbox("report", "Altair")[0]
    answer = world.reply(report, f"{text}\n\n{body_of(report)}")
    assert "checkpoint" not in answer.casefold()
    assert "pbmd.test/games" not in answer
    assert ("Add 3" in answer) is (text == "Add 3")

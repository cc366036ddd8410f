"""Events in the middle of a step: each part is mailed to those who may know it, once, and gets into the journal."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from pbmd.desk.step.events import tell_events
from pbmd.rules import Event
from tests.desk.world import body_of, message_of


def tell(world, *events, cause="letter 1"):
    """Events of a game of Count, as if a letter of Altair had brought them about."""
    with world.work() as work:
        table = work.table_named("galaxy-7")
        rules = work.desk.ruleset(table.game.ruleset)
        table.ruleset = replace(rules, tell=lambda event: f"{event.kind}\n{json.dumps(event.data | event.detail)}")
        tell_events(work, table, events, table.seat("Altair"), cause)


def told(world, seat):
    return [body_of(mail) for mail in world.outbox("notice", seat)]


def test_what_all_may_know_goes_to_all_and_into_journal_and_log_at_once(running):
    tell(running, Event("posted", {"score": 7}))
    for seat in ("Altair", "Borealis", "Cygnus"):
        assert [text.startswith('| posted\n\n| {"score": 7}\n') for text in told(running, seat)] == [True]
    (entry,) = running.journal("told")
    assert json.loads(entry.public) == {"turn": 1, "step": 0, "seat": "Altair", "event": "posted", "data": {"score": 7}}
    assert entry.secret == ""
    assert [(line.seat, line.detail) for line in running.log("told")] == [("Altair", "to everybody: posted")]
    assert running.game().meanwhile == "[]"


def test_what_one_may_know_goes_to_that_one_and_waits_for_the_journal(running):
    before = len(running.journal()), len(running.log())
    tell(running, Event("whispered", {"score": 7}, ("Cygnus",)))
    assert len(told(running, "Cygnus")) == 1
    assert told(running, "Altair") == told(running, "Borealis") == []
    assert (len(running.journal()), len(running.log())) == before
    (kept,) = json.loads(running.game().meanwhile)
    assert kept["told"] == {"kind": "whispered", "audience": ["Cygnus"], "data": {"score": 7}}
    running.send("Altair", "Add 1")
    running.pass_time(timedelta(hours=73))
    (resolved,) = running.journal("resolved")
    assert json.loads(resolved.secret)["meanwhile"] == [kept]
    assert running.game().meanwhile == "[]"


def test_insiders_read_the_detail_and_nobody_else(running):
    tell(running, Event("posted", {"score": 7}, None, {"die": 3}, ("Borealis",)))
    assert '"die": 3' in told(running, "Borealis")[0]
    assert "die" not in told(running, "Altair")[0]
    (entry,) = running.journal("told")
    assert "die" not in entry.public
    assert json.loads(entry.secret) == {"detail": {"die": 3}, "insiders": ["Borealis"]}


def test_nobody_gets_mail_for_a_seat_that_was_given_up(running):
    running.resign("Cygnus")
    before = len(running.outbox())
    tell(running, Event("whispered", {}, ("Cygnus",)), Event("posted", {}))
    assert [mail.recipient for mail in running.outbox()[before:]] == ["altair@players.test", "borealis@players.test"]


def test_words_of_players_can_be_no_header_and_no_order_form(running):
    tag = running.reply_address("Borealis").partition("+")[2].partition("@")[0]
    tell(running, Event("posted\rBcc: everybody@example.org", {"name": "\u2028#orders " + tag}))
    (mail,) = running.outbox("notice", "Borealis")
    assert message_of(mail)["Bcc"] is None
    assert not any(line.startswith("#orders") for line in body_of(mail).splitlines())


def test_the_same_cause_in_one_step_is_mailed_once(running):
    tell(running, Event("whispered", {}, ("Cygnus",)))
    with pytest.raises(IntegrityError, match=r"(?i)unique"):
        tell(running, Event("whispered", {}, ("Cygnus",)))
    assert len(told(running, "Cygnus")) == 1

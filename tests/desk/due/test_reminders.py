"""Reminders: before the deadline, once for each time set, and only to those without usable orders."""

from datetime import timedelta

import pytest

from pbmd.desk.changes import deadline_changes, pauses
from pbmd.desk.step import nmr
from pbmd.rules.registry import get, slugs
from tests.desk.due.test_advance import BEGIN, DAY, DEADLINE, HOUR, SECOND, at
from tests.desk.world import address_of, body_of, message_of


@pytest.fixture
def reminding(world):
    world.count(reminders=("24h", "2h"))
    return world


def reminded(world):
    return [mail.recipient.partition("@")[0] for mail in world.outbox("reminder")]


def test_those_without_orders_are_reminded_at_each_time_set(reminding):
    reminding.send("Borealis", "Add 1")
    at(reminding, DEADLINE - DAY - SECOND)
    assert reminded(reminding) == []
    at(reminding, DEADLINE - DAY)
    assert reminded(reminding) == ["altair", "cygnus"]
    reminding.send("Altair", "Add 1")
    at(reminding, DEADLINE - 2 * HOUR)
    assert reminded(reminding) == ["altair", "cygnus", "cygnus"]


def test_nobody_is_reminded_twice_of_the_same(reminding):
    for _ in range(5):
        at(reminding, max(reminding.now, DEADLINE - DAY) + HOUR)
    assert len(reminded(reminding)) == 3


def test_the_clock_looks_at_the_game_when_a_reminder_is_due(reminding):
    assert reminding.game().due_at == DEADLINE - DAY
    at(reminding, DEADLINE - DAY)
    assert reminding.game().due_at == DEADLINE - 2 * HOUR
    at(reminding, DEADLINE - 2 * HOUR)
    assert reminding.game().due_at == DEADLINE


def test_after_a_downtime_only_the_last_reminder_goes_out(reminding):
    at(reminding, DEADLINE - HOUR)
    assert len(reminded(reminding)) == 3


def test_who_may_have_written_already_is_not_reminded_before_the_mailbox_was_read(reminding):
    at(reminding, DEADLINE - DAY + HOUR, reading=False)
    assert reminded(reminding) == []
    assert reminding.game().due_at <= reminding.now, "it stays due until there is evidence"
    reminding.arrive(reminding.letter("Altair", "Add 1"), DEADLINE - DAY - HOUR)
    at(reminding, DEADLINE - DAY + 2 * HOUR)
    assert reminded(reminding) == ["borealis", "cygnus"]
    assert reminding.game().due_at == DEADLINE - 2 * HOUR


def test_a_letter_read_with_the_evidence_does_not_make_the_clock_forget_a_reminder(reminding):
    reminding.now = DEADLINE - DAY + SECOND
    reminding.read_mailbox()
    reminding.send("Borealis", "Add 1")
    assert reminding.game().due_at <= reminding.now
    at(reminding, reminding.now)
    assert reminded(reminding) == ["altair", "cygnus"]


def test_after_the_deadline_there_is_nothing_to_remind_of(reminding):
    at(reminding, DEADLINE + SECOND, reading=False)
    assert reminded(reminding) == []


def test_who_sent_only_nonsense_or_cancelled_is_reminded_with_the_cause(reminding):
    reminding.send("Altair", "nonsense")
    reminding.send("Borealis", "Add 1\nCANCEL ORDERS")
    at(reminding, DEADLINE - DAY)
    altair, borealis, cygnus = (" ".join(body_of(mail).split()) for mail in reminding.outbox("reminder"))
    assert "A mail of yours came, but none of its orders could be taken" in altair
    assert "You cancelled those that you had sent" in borealis
    assert "no orders of yours have come yet for turn 1" in cygnus


def test_where_a_letter_lies_unread_it_is_not_said_that_none_came(reminding, monkeypatch):
    monkeypatch.setattr(nmr, "passed_over", lambda *_: True)
    at(reminding, DEADLINE - DAY)
    told = " ".join(body_of(reminding.outbox("reminder")[0]).split())
    assert "no orders of yours could be read yet for turn 1" in told


def test_an_empty_order_sheet_is_enough_not_to_be_reminded(reminding):
    reminding.send("Altair", "ORDERS")
    at(reminding, DEADLINE - DAY)
    assert "altair" not in reminded(reminding)


def test_who_has_resigned_is_left_in_peace(reminding):
    reminding.resign("Altair")
    at(reminding, DEADLINE - DAY)
    assert "altair" not in reminded(reminding)


def test_an_order_form_to_reply_with_is_in_it(reminding):
    at(reminding, DEADLINE - DAY)
    mail = reminding.outbox("reminder", "Altair")[0]
    mark = next(line for line in body_of(mail).splitlines() if line.startswith("#orders "))
    assert message_of(mail)["Reply-To"] == reminding.reply_address("Altair")
    reminding.send("Altair", f"{mark}\nAdd 6\n#end", to="games@pbmd.test")
    assert reminding.sheet("Altair") == ["Add 6"]


def test_the_subject_says_how_much_time_is_left(reminding):
    at(reminding, DEADLINE - DAY)
    assert (
        message_of(reminding.outbox("reminder", "Altair")[0])["Subject"]
        == "[pbmd galaxy-7 t1] Altair: no orders yet, 1 day left"
    )


def test_a_turn_that_is_shorter_than_the_time_set_has_no_such_reminder(world):
    world.count(deadline="12h", reminders=("24h",))
    at(world, BEGIN + 11 * HOUR)
    assert reminded(world) == []


def test_a_deadline_that_was_moved_is_reminded_of_anew(reminding):
    at(reminding, DEADLINE - DAY)
    reminding.act("galaxy-7", deadline_changes.extend, 2 * DAY, "the GM")
    at(reminding, DEADLINE)
    assert len(reminded(reminding)) == 3
    at(reminding, DEADLINE + DAY)
    assert len(reminded(reminding)) == 6


def test_a_seat_with_a_deadline_of_its_own_is_reminded_before_that_one(reminding):
    with reminding.work() as work:
        table = work.table_named("galaxy-7")
        deadline_changes.extend(work, table, DAY, "the GM", seat=table.seat("Altair"))
    at(reminding, DEADLINE - DAY)
    assert reminded(reminding) == ["borealis", "cygnus"]
    at(reminding, DEADLINE)
    assert reminded(reminding)[-1] == "altair"


def test_while_the_clock_stands_nobody_is_reminded(reminding):
    reminding.act("galaxy-7", pauses.pause)
    at(reminding, DEADLINE - HOUR)
    assert reminded(reminding) == []


def test_each_reminder_is_in_the_log(reminding):
    at(reminding, DEADLINE - DAY)
    assert [(line.seat, line.detail) for line in reminding.log("reminder")] == [
        (seat, "1 day before the deadline") for seat in ("Altair", "Borealis", "Cygnus")
    ]
    assert address_of("Altair") not in reminding.log("reminder")[0].detail


def test_none_are_sent_where_none_are_set(running):
    at(running, DEADLINE - timedelta(minutes=1))
    assert reminded(running) == []


@pytest.mark.parametrize("slug", slugs())
def test_every_ruleset_says_what_becomes_of_who_sends_nothing(slug):
    info = get(slug).info
    assert tuple(info.nothing.missed) == (info.phases or ("",))
    assert all(info.nothing.missed.values())


def test_in_diplomacy_it_is_that_of_the_phase(world):
    world.start(ruleset="diplomacy", seats=("France", "Austria"), reminders=("24h",), options={"map": "france_austria"})
    at(world, DEADLINE - DAY)
    told = " ".join(body_of(world.outbox("reminder")[-1]).split())
    assert "If you send nothing, your units hold, and support nobody." in told


def test_where_the_rules_do_not_say_it_nothing_is_said(reminding):
    at(reminding, DEADLINE - DAY)
    assert "If you send nothing" not in body_of(reminding.outbox("reminder")[-1])

"""Seats that miss too much fall asleep: nobody waits for them, others are asked, and who comes back in time has them again."""

from datetime import timedelta

import pytest

from pbmd.desk.changes.new_game import create_game
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.step.sleepers import falling_asleep
from pbmd.ledger.tables import JournalEntry, SeatState
from pbmd.rules.protocol import Refused
from pbmd.terms.terms import Terms
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

TURN = timedelta(hours=73)


def words(text: str) -> str:
    return " ".join(text.split())


def play(world: World, *seats: str, game: str = "galaxy-7") -> int:
    """A turn in which these send orders, up to its deadline if others are awaited."""
    for seat in seats:
        world.send(seat, "Add 1", game=game)
    early = world.pass_time(timedelta(minutes=1))
    return early or world.pass_time(TURN)


def until_asleep(world: World, turns: int = 2) -> None:
    """Altair misses turn after turn."""
    for _ in range(turns):
        play(world, "Borealis", "Cygnus")


def said(world: World, seat: str, kind: str = "report") -> str:
    """The last mail of that kind to a seat."""
    return words(body_of(world.outbox(kind, seat)[-1]))


def titles(world: World, recipient: str, kind: str = "notice") -> list[str]:
    return [message_of(mail)["Subject"] for mail in world.outbox(kind) if mail.recipient == recipient]


def kinds(world: World) -> list[str]:
    return [entry.kind for entry in world.rows(JournalEntry)]


def test_who_misses_as_many_turns_in_a_row_as_the_terms_say_is_not_waited_for_any_more(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    assert world.seat("Altair").is_asleep
    assert kinds(world)[-2:] == ["resolved", "asleep"]
    began = world.now
    play(world, "Borealis", "Cygnus")
    assert world.now - began < timedelta(hours=1), "the step ended with the orders of the others"
    assert "missed" in kinds(world)[-3:]


def test_orders_end_the_row(world: World) -> None:
    world.count(missed_in_a_row=2)
    play(world, "Borealis", "Cygnus")
    play(world, "Altair", "Borealis", "Cygnus")
    play(world, "Borealis", "Cygnus")
    assert not world.seat("Altair").is_asleep


def test_misses_in_all_count_though_orders_came_between(world: World) -> None:
    world.count(missed_in_all=2)
    play(world, "Borealis", "Cygnus")
    play(world, "Altair", "Borealis", "Cygnus")
    play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep
    assert "You have missed 2 turns in all." in said(world, "Altair", "notice")


def test_without_such_terms_nobody_sleeps(world: World) -> None:
    world.count()
    until_asleep(world, 5)
    assert "asleep" not in kinds(world)


def test_an_absence_that_was_announced_is_no_miss(world: World) -> None:
    world.count(missed_in_a_row=2)
    world.send("Altair", "ABSENT FROM 2026-11-20 TO 2026-11-27")
    until_asleep(world, 3)  # the deadlines of 23, 26 and 29 November
    assert not world.seat("Altair").is_asleep
    play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep


def test_neither_is_a_turn_for_whose_end_the_game_master_did_not_wait(world: World) -> None:
    world.count(missed_in_a_row=2)
    play(world, "Borealis", "Cygnus")
    world.sure("RESOLVE")
    world.pass_time(timedelta(minutes=1))
    assert not world.seat("Altair").is_asleep
    play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep


def test_a_pause_is_no_miss(world: World) -> None:
    world.count(missed_in_a_row=2)
    play(world, "Borealis", "Cygnus")
    world.act("galaxy-7", pause)
    world.pass_time(timedelta(days=30))
    world.act("galaxy-7", resume)
    assert not world.seat("Altair").is_asleep


def test_who_is_about_to_fall_asleep_is_warned_in_report_and_reminder(world: World) -> None:
    world.count(missed_in_a_row=2, sleeper="offer", reminders=("24h",))
    assert "falls asleep" not in said(world, "Altair")
    play(world, "Borealis", "Cygnus")
    warning = (
        "You have missed a turn. If no orders of yours come by the deadline, your seat falls asleep: the game waits for it no "
        "longer, and it is offered to others. Send orders, or write I'M BACK on a line of its own, to keep it."
    )
    assert warning in said(world, "Altair")
    assert "falls asleep" not in said(world, "Borealis")
    world.pass_time(timedelta(hours=50))
    assert warning in said(world, "Altair", "reminder")
    assert "falls asleep" not in said(world, "Borealis", "reminder")


def test_where_one_miss_is_too_many_nobody_is_told_how_often_they_have_missed_nothing(world: World) -> None:
    world.count(missed_in_a_row=1)
    play(world, "Borealis", "Cygnus")
    world.send("Altair", "Add 1")
    play(world, "Borealis", "Cygnus")
    assert "If no orders of yours come by the deadline, your seat falls asleep" in said(world, "Altair")
    assert "0 turns" not in said(world, "Altair")


def test_the_sleeper_gets_a_mail_and_others_read_it_in_their_reports(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    mail = said(world, "Altair", "notice")
    assert "You have missed 2 turns in a row. Altair is asleep: the game does not wait for your orders" in mail
    assert "write I'M BACK on a line of its own" in mail
    others = "Altair has missed 2 turns in a row, and is asleep: the game no longer waits for it."
    assert others in said(world, "Borealis")
    play(world, "Borealis", "Cygnus")
    assert others not in said(world, "Borealis")
    assert "Altair is asleep: the game does not wait for your orders" in said(world, "Altair")
    assert "is asleep" in words(world.send("Altair", "STATUS"))


def test_where_nobody_may_know_who_has_sent_others_are_told_nothing(world: World) -> None:
    world.count(missed_in_a_row=2, who_has_sent="nothing")
    until_asleep(world)
    world.send("Altair", "I'M BACK")
    for seat in ("Borealis", "Cygnus"):
        assert not [mail for mail in world.outbox(seat=seat) if "asleep" in body_of(mail) or "awake" in body_of(mail)]
    (asleep,) = world.journal("asleep")
    assert "Altair" not in asleep.public


def test_the_game_master_reads_it_with_the_command_that_undoes_it(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    digest = words(body_of(world.outbox("digest")[-1]))
    assert "asleep Altair: missed 2 turns in a row; default" in digest
    assert "asleep Altair; WAKE and a name waits for its orders again" in digest
    assert "Altair has missed" not in digest, "nothing is to be done about it"
    assert "asleep (WAKE)" in world.master("STATUS")


# Coming back


@pytest.mark.parametrize(
    "line", ["I'M BACK", "I\N{RIGHT SINGLE QUOTATION MARK}m back!", "im back", "I am back.", "I am back again"]
)
def test_who_says_that_they_are_back_is_waited_for_again(world: World, line: str) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    answer = words(world.send("Altair", line))
    assert "Welcome back. Altair is yours and awake again: the game waits for your orders for turn 3." in answer
    assert not world.seat("Altair").is_asleep
    assert "Altair is awake again" in titles(world, address_of("Borealis"))[-1]
    began = world.now
    play(world, "Borealis", "Cygnus")
    assert world.now - began > timedelta(days=2)
    assert not world.seat("Altair").is_asleep, "what is missed in a row counts anew"


def test_so_is_who_sends_orders_and_these_count(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    answer = words(world.send("Altair", "Add 5"))
    assert "Welcome back." in answer
    assert "your orders for turn 3 are in" in answer
    assert world.sheet("Altair") == ["Add 5"]
    assert kinds(world)[-2:] == ["awake", "orders"]


def test_a_question_wakes_nobody(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    world.send("Altair", "STATUS")
    assert world.seat("Altair").is_asleep


def test_who_was_never_asleep_is_answered_plainly(world: World) -> None:
    world.count()
    answer = words(world.send("Altair", "I'm back"))
    assert "Altair was not asleep: it is yours, and the game waits for you as for everybody." in answer
    assert "awake" not in kinds(world)


def test_who_says_so_before_falling_asleep_begins_a_new_row(world: World) -> None:
    world.count(missed_in_a_row=2)
    play(world, "Borealis", "Cygnus")
    assert "What you have missed in a row counts no more." in words(world.send("Altair", "I'M BACK"))
    play(world, "Borealis", "Cygnus")
    assert not world.seat("Altair").is_asleep
    play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep


def test_who_is_back_early_is_told_how_to_end_an_absence(world: World) -> None:
    world.count()
    world.send("Altair", "ABSENT FROM 2026-11-20 TO 2026-11-27")
    assert "CANCEL ABSENCE" in world.send("Altair", "I'm back")


def test_in_a_game_that_is_over_there_is_nothing_to_come_back_to(world: World) -> None:
    world.count(missed_in_a_row=1, target=2)
    play(world, "Borealis", "Cygnus")
    play(world, "Borealis", "Cygnus")
    assert "I'M BACK: the game is over." in words(world.send("Altair", "I'm back"))


def test_a_stranger_who_is_back_learns_how_to_get_a_seat(world: World) -> None:
    world.count()
    answer = words(world.send("", "I'm back", sender="dora@players.test", to=ADDRESS))
    assert "STANDBY ALL" in answer
    assert "write to the game master" in answer


def test_the_game_master_can_undo_it(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    assert "Altair is awake: the game waits for its orders again." in world.master("WAKE Altair because he was in hospital")
    assert not world.seat("Altair").is_asleep
    mail = said(world, "Altair", "notice")
    assert "The game master has woken Altair" in mail
    assert "he was in hospital" in mail
    assert "Altair is not asleep" in world.master("WAKE Altair")


def test_going_back_to_before_wakes_the_seat_and_to_after_does_not(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    play(world, "Borealis", "Cygnus")
    world.act("galaxy-7", roll_back, 3)
    assert world.seat("Altair").is_asleep
    world.act("galaxy-7", roll_back, 2)
    assert not world.seat("Altair").is_asleep
    play(world, "Borealis", "Cygnus")
    assert world.seat("Altair").is_asleep, "the turn before was not taken back"


def test_a_game_in_which_all_sleep_goes_on_at_the_pace_of_its_deadlines(world: World) -> None:
    world.count(missed_in_a_row=1)
    play(world)
    assert all(world.seat(name).is_asleep for name in ("Altair", "Borealis", "Cygnus"))
    assert world.pass_time(timedelta(hours=71)) == 0
    assert world.pass_time(timedelta(hours=2)) == 1


# Others are asked


def stand_by(world: World, *names: str) -> None:
    for name in names:
        world.send("", "STANDBY ALL", sender=f"{name}@players.test", to=ADDRESS)
        world.confirm(f"{name}@players.test")


def test_the_seat_of_a_sleeper_is_offered_to_those_who_stand_by(world: World) -> None:
    world.count(missed_in_a_row=2, sleeper="offer")
    stand_by(world, "ann", "ben")
    until_asleep(world)
    (ann,), (ben,) = world.questions("ann@players.test"), world.questions("ben@players.test")
    assert "by the terms of the game the seat is offered to those who stand by" in words(body_of(ann))
    assert "offered to 2 on the standby list" in world.log("asleep")[-1].detail
    world.reply(ann, "YES")
    seat = world.seat("Altair")
    assert (seat.address, seat.state, seat.is_asleep) == ("ann@players.test", SeatState.ACTIVE, False)
    assert "Altair has been filled" in titles(world, "ben@players.test")[-1]
    gone = words(body_of(world.outbox("notice", "Altair")[-1]))
    assert "it was asleep, since too many orders were missing" in gone
    assert "STANDBY ALL" in gone
    assert "Somebody else" not in words(world.reply(ben, "YES"))
    until_asleep(world, 1)
    assert not world.seat("Altair").is_asleep, "what the one before missed is not theirs"


def test_who_comes_back_in_time_has_it_again_and_who_was_asked_is_told(world: World) -> None:
    world.count(missed_in_a_row=2, sleeper="offer")
    stand_by(world, "ann")
    until_asleep(world)
    world.send("Altair", "Add 1")
    assert "Altair is not free after all" in titles(world, "ann@players.test")[-1]
    late = words(world.reply(world.questions("ann@players.test")[-1], "YES"))
    assert "not open any more: the player of the seat is back" in late
    assert world.seat("Altair").address == address_of("Altair")


def test_who_comes_back_too_late_is_told_how_to_play_again(world: World) -> None:
    world.count(missed_in_a_row=2, sleeper="offer")
    stand_by(world, "ann")
    until_asleep(world)
    old = world.reply_address("Altair")
    world.reply(world.questions("ann@players.test")[-1], "YES")
    answer = words(world.send("Altair", "I'm back", to=old))
    assert "is played by somebody else now" in answer
    assert "STANDBY ALL" in answer


def test_an_offer_of_the_game_masters_own_stands_though_the_player_is_back(world: World) -> None:
    world.count(missed_in_a_row=2)
    until_asleep(world)
    world.sure("REPLACE Altair BY dora@players.test")
    world.send("Altair", "I'm back")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    assert world.seat("Altair").address == "dora@players.test"


def test_if_nobody_stands_by_the_seat_only_sleeps_and_the_game_master_is_asked(world: World) -> None:
    world.count(missed_in_a_row=2, sleeper="offer")
    until_asleep(world)
    assert world.seat("Altair").is_asleep
    digest = words(body_of(world.outbox("digest")[-1]))
    assert "Altair is asleep, and nobody is asked to take it over." in digest
    assert "WAKE Altair because …" in digest
    assert "OFFER Altair" not in digest
    stand_by(world, "ann")
    play(world, "Borealis", "Cygnus")
    assert "OFFER Altair because …" in words(body_of(world.outbox("digest")[-1]))


def test_what_offers_a_seat_is_there(world: World) -> None:
    assert falling_asleep.OFFER.startswith("pbmd.desk.questions.")
    world.count(missed_in_a_row=1, sleeper="offer")
    stand_by(world, "ann")
    until_asleep(world, 1)
    assert world.questions("ann@players.test")


# Terms


def test_rules_without_civil_disorder_put_nobody_there(world: World) -> None:
    with world.work() as work, pytest.raises(Refused, match="has no civil disorder"):
        create_game(work, "far-away", "galactic_overlord", Terms(missed_in_a_row=2, sleeper="disorder"), {})


def test_the_terms_are_told_to_who_joins_and_by_rules(world: World) -> None:
    rule = "Whoever misses 3 turns in a row or 5 turns in all is asleep: the game waits for them no longer"
    world.open("far-away", missed_in_a_row=3, missed_in_all=5)
    world.send("", "JOIN far-away AS Dora", sender="dora@players.test", to=ADDRESS)
    world.confirm("dora@players.test")
    mails = [words(body_of(mail)) for mail in world.outbox() if mail.recipient == "dora@players.test"]
    assert any(rule in mail for mail in mails)
    world.count(missed_in_a_row=3, missed_in_all=5)
    assert rule in words(world.send("Altair", "RULES"))


def test_new_by_mail_takes_them(world: World) -> None:
    world.count()
    answer = world.master("NEW far-away\nruleset: count\nmissed in a row: 3\nsleeper: offer\nEND NEW")
    assert "Whoever misses 3 turns in a row is asleep" in answer
    refused = world.master("NEW far-away-2\nruleset: count\nsleeper: offer\nEND NEW")
    assert 'sleeper: "offer" is for seats that have missed too many turns: say how many' in refused


def test_a_seat_that_falls_asleep_while_a_substitute_has_it_stays_its_players(world: World) -> None:
    world.count(missed_in_a_row=1, sleeper="offer", deadline="every day 18:00")
    stand_by(world, "eve")
    world.send("Altair", "SUBSTITUTE dora@players.test FROM 2026-11-20 TO 2026-11-22")
    world.confirm("dora@players.test")
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=31))
    assert world.seat("Altair").is_asleep
    assert [mail for mail in world.outbox("question") if mail.recipient == address_of("Eve")] == []
    of_dora = [words(body_of(mail)) for mail in world.outbox() if mail.recipient == "dora@players.test"]
    assert any(
        "Altair is asleep: the game does not wait for your orders, and the rules act for you" in text for text in of_dora
    )
    assert [text for text in of_dora if "may take it over" in text or "offered to others" in text] == []
    away = [words(body_of(mail)) for mail in world.outbox("notice") if mail.recipient == address_of("Altair")]
    [mail] = [text for text in away if text.startswith("Altair in galaxy-7 is asleep: your substitute has missed a turn")]
    assert "It is still yours, and awake again as soon as you have it back: that is after Sun 22 Nov 2026." in mail
    world.pass_time(timedelta(days=2))
    assert (world.seat("Altair").address, world.seat("Altair").is_asleep) == (address_of("Altair"), False)

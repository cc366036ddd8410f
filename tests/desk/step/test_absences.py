"""ABSENT and CANCEL ABSENCE: who is told, and whether deadlines move, by the terms of the game."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmd.desk.changes import new_game, pauses
from pbmd.ledger.tables import Game, Seat
from tests.desk.relay import past_turn_0
from tests.desk.world import BEGIN, NAMES, World, address_of, body_of
from tests.rulesets.cosmic_conquest.desk import conquest

DAY = timedelta(days=1)
# The world begins on Friday, 20 November 2026, 12:00 UTC.


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def said(world: World, seat: str, text: str) -> str:
    return " ".join(world.send(seat, text).split())


def told(world: World, seat: str, kind: str = "notice") -> str:
    return " ".join(" ".join(body_of(mail).split()) for mail in world.outbox(kind, seat))


def mails_to_others(world: World) -> list[bytes]:
    return [mail.raw for mail in world.outbox() if mail.recipient not in (address_of("Altair"), "gm@pbmd.test")]


AWAY = "ABSENT FROM 2026-11-24 TO 2026-11-26"


def test_the_others_are_told_and_no_deadline_moves(world: World) -> None:
    world.count(deadline="96h")
    answer = said(world, "Altair", AWAY)
    assert "You are away Tue 24 Nov 2026 to Thu 26 Nov 2026. All players are told. Deadlines stay" in answer
    for seat in ("Borealis", "Cygnus"):
        assert "Altair is away Tue 24 Nov 2026 to Thu 26 Nov 2026." in told(world, seat)
    assert not world.outbox("notice", "Altair")
    assert world.game().deadline == BEGIN + 4 * DAY
    assert "Altair: Tue 24 Nov" in said(world, "Borealis", "STATUS")
    assert "you: Tue 24 Nov" in said(world, "Altair", "STATUS")
    assert "Altair missing away Tue 24 Nov" in world.master("STATUS")


def test_where_the_game_master_alone_is_told_nobody_else_learns_of_it(world: World) -> None:
    world.count(deadline="96h", absences="gm")
    before = mails_to_others(world)
    assert "The game master knows, and nobody else is told." in said(world, "Altair", AWAY)
    said(world, "Altair", "CANCEL ABSENCE")
    said(world, "Altair", AWAY)
    assert mails_to_others(world) == before
    alarms = [body_of(mail) for mail in world.outbox("alarm")]
    assert any("Altair in galaxy-7 is away Tue 24 Nov 2026 to Thu 26 Nov 2026" in " ".join(text.split()) for text in alarms)
    assert "Altair" not in "".join(entry.public for entry in world.journal("absent") + world.journal("present"))
    assert "24 Nov" not in "".join(said(world, "Borealis", "STATUS").split("Deadline")[0])


def test_where_it_is_not_taken_nothing_is_noted(world: World) -> None:
    world.count(absences="none")
    assert "in this game nobody is told of absences" in said(world, "Altair", AWAY)
    assert not world.journal("absent")
    assert not world.outbox("notice")


def test_a_deadline_within_an_absence_moves_behind_it_and_everybody_is_told_why(world: World) -> None:
    world.count(deadline="96h", absences="extend", absence_days=5)
    answer = said(world, "Altair", AWAY)
    assert world.game().deadline == BEGIN + 7 * DAY, "Friday at the same hour"
    assert "The deadline is 3 days later" in answer
    assert "2 days are left to you" in answer
    assert "The deadline is 3 days later, because Altair is away Tue 24 Nov 2026 to Thu 26 Nov 2026." in told(world, "Borealis")
    assert [line.seat for line in world.log("put-off")] == ["Altair"]


@pytest.mark.parametrize("sends", [True, False])
def test_whether_somebody_has_sent_changes_nothing_of_it(world: World, sends: bool) -> None:
    world.count(deadline="96h", absences="extend", who_has_sent="nothing", early=False)
    if sends:
        world.send("Altair", "Add 3")
    said(world, "Altair", AWAY)
    assert world.game().deadline == BEGIN + 7 * DAY


def test_a_step_that_begins_later_minds_it_and_its_report_says_so(world: World) -> None:
    world.count(deadline="96h", absences="extend")
    said(world, "Altair", "ABSENT FROM 2026-11-27 TO 2026-12-03")
    assert world.game().deadline == BEGIN + 4 * DAY
    assert world.pass_time(4 * DAY + timedelta(seconds=2)) == 1
    assert world.game().deadline.date().isoformat() == "2026-12-04"
    for seat in NAMES:
        assert "because Altair is away Fri 27 Nov 2026 to Thu 3 Dec 2026" in told(world, seat, "report")


def test_the_day_is_that_of_the_players_zone(world: World) -> None:
    world.count(deadline="99h", absences="extend")  # Tuesday 15:00 UTC, which is Wednesday in Tokyo
    said(world, "Altair", "TIMEZONE Asia/Tokyo\nABSENT FROM 2026-11-25 TO 2026-11-25")
    assert world.game().deadline == at("2026-11-25 15:00")


def test_behind_an_absence_no_quiet_day_follows(world: World) -> None:
    world.count(deadline="96h", absences="extend", quiet_days=("friday", "saturday", "sunday"))
    said(world, "Altair", AWAY)
    assert world.game().deadline == at("2026-11-30 12:00")
    assert world.seat("Altair").absence_days == 6


def test_two_who_are_away_at_once_cost_each_what_they_need(world: World) -> None:
    world.count(deadline="96h", absences="extend")
    said(world, "Altair", AWAY)
    said(world, "Borealis", "ABSENT FROM 2026-11-25 TO 2026-11-28")
    assert world.game().deadline == at("2026-11-29 12:00")
    assert (world.seat("Altair").absence_days, world.seat("Borealis").absence_days) == (3, 2)


def test_beyond_the_days_of_a_seat_the_game_master_is_asked_once(world: World) -> None:
    world.count(deadline="96h", absences="extend", absence_days=2)
    answer = said(world, "Altair", AWAY)
    assert world.game().deadline == BEGIN + 4 * DAY
    assert "The 2 days that are left to you do not reach, so the game master was asked" in answer
    assert "asked" not in told(world, "Borealis")
    said(world, "Altair", "CANCEL ABSENCE")
    assert "request 1 Altair is away" in world.master("STATUS")
    world.master("APPROVE 1")
    assert world.game().deadline == BEGIN + 7 * DAY
    assert world.seat("Altair").absence_days == 0, "what the game master grants costs nothing"


def test_who_is_not_awaited_moves_no_deadline(world: World) -> None:
    world.count(deadline="96h", absences="extend")
    said(world, "Altair", "ABSENT FROM 2026-11-27 TO 2026-12-03")
    world.resign("Altair")
    world.pass_time(4 * DAY + timedelta(seconds=2))
    assert world.game().deadline.date().isoformat() == "2026-11-28"


def test_after_a_pause_the_deadline_is_not_in_an_absence(world: World) -> None:
    world.count(deadline="48h", absences="extend")
    said(world, "Altair", AWAY)
    world.act("galaxy-7", pauses.pause)
    world.now += 2 * DAY
    world.act("galaxy-7", pauses.resume)
    assert world.game().deadline == at("2026-11-27 12:00")
    assert "because Altair is away" in told(world, "Cygnus")


def test_a_game_that_begins_while_somebody_is_away_minds_it(world: World) -> None:
    world.open("galaxy-7", *NAMES, absences="extend", deadline="96h")
    assert "All players are told." in said(world, "Altair", AWAY)
    world.act("galaxy-7", new_game.start_game)
    assert world.game().deadline == BEGIN + 7 * DAY
    assert "because Altair is away" in told(world, "Borealis", "report")


def test_who_gives_back_a_seat_before_the_game_takes_the_absence_along(world: World) -> None:
    world.open("galaxy-7", *NAMES)
    said(world, "Altair", AWAY)
    assert "You have given back the seat" in said(world, "Altair", "RESIGN")


def test_an_absence_can_be_cancelled_and_what_has_moved_stays(world: World) -> None:
    world.count(deadline="96h", absences="extend")
    said(world, "Altair", AWAY)
    assert "Deadlines that have moved because of it stay" in said(world, "Altair", "CANCEL ABSENCE")
    assert "Altair is not away after all" in told(world, "Borealis")
    assert world.game().deadline == BEGIN + 7 * DAY
    assert "you had not said that you are away" in said(world, "Altair", "CANCEL ABSENCE")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ABSENT FROM soon TO Monday", '"soon" is no day; write it like 2026-12-25, 25 December or Friday'),
        ("ABSENT FROM 24/12/2026 TO 28/12/2026", '"24/12/2026" is no day; write it like'),
        ("ABSENT FROM 2026-02-30 TO 2026-03-02", "is no day"),
        ("ABSENT FROM 2026-12-05 TO 2026-12-01", "is before"),
        ("ABSENT FROM 2026-11-01 TO 2026-11-19", "these days are over"),
        ("ABSENT FROM 2026-12-01 TO 2027-06-01", "at most 92 days"),
        ("ABSENT FROM 2028-12-01 TO 2028-12-02", "begins within 400"),
    ],
)
def test_what_is_no_absence_is_refused_and_nobody_is_told(running: World, line: str, words: str) -> None:
    assert words in said(running, "Altair", line)
    assert not running.outbox("notice")
    assert not running.journal("absent")


def test_two_absences_on_one_day_are_refused_and_so_are_too_many(running: World) -> None:
    said(running, "Altair", AWAY)
    assert "you have said already that you are away Tue 24 Nov" in said(running, "Altair", "ABSENT FROM 2026-11-26")
    for day in range(1, 5):
        assert "You are away" in said(running, "Altair", f"ABSENT 2026-12-0{day}")
    assert "too many absences" in said(running, "Altair", "ABSENT 2026-12-09")
    for _ in range(3):
        running.now += timedelta(hours=3)
        said(running, "Altair", "CANCEL ABSENCE")
        said(running, "Altair", "ABSENT 2026-12-20\nABSENT 2026-12-22")
    assert "too many absences" in said(running, "Altair", "ABSENT 2026-12-24")


def test_a_new_holder_is_not_away(running: World) -> None:
    said(running, "Altair", AWAY)
    running.sure("REPLACE Altair BY dora@players.test")
    running.reply(running.questions("dora@players.test")[-1], "YES")
    assert "away" not in running.master("STATUS")


def test_in_a_game_whose_extensions_are_the_seats_own_only_its_deadline_moves(world: World) -> None:
    conquest(world, absences="extend")
    seat, game = world.rows(Seat)[0], world.rows(Game)[0]
    day = game.deadline.date().isoformat()
    world.send(seat.name, f"ABSENT FROM {day} TO {day}", game=game.name, sender=seat.address)
    assert world.rows(Seat)[0].deadline == game.deadline + DAY
    assert world.rows(Game)[0].deadline == game.deadline


def test_where_one_moves_after_the_other_the_clock_of_the_move_minds_it(world: World) -> None:
    world.start("galaxy-7", NAMES, {"die": False}, ruleset="relay", reminders=(), absences="extend")
    said(world, "Borealis", "ABSENT FROM 2026-11-20 TO 2026-11-24")
    past_turn_0(world)
    assert world.game().deadline == at("2026-11-23 12:02"), "Altair's move, who is here"
    world.send("Altair", "Add 1")
    assert world.game().deadline == at("2026-11-25 12:03")
    assert "because Borealis is away" in told(world, "Altair", "report")


def test_a_mail_that_proves_nothing_announces_no_absence(running: World) -> None:
    running.send("", AWAY, sender="stranger@else.test", to=running.reply_address("Altair"))
    running.send("Altair", AWAY, to="games@pbmd.test")
    assert not running.journal("absent")


def test_the_status_says_how_much_time_a_seat_may_still_take(world: World) -> None:
    world.count(deadline="96h", absences="extend", absence_days=5, extension_budget="24h")
    assert "1 day left without asking: EXTEND 24h" in said(world, "Altair", "STATUS")
    answer = said(world, "Altair", f"EXTEND 10h\n{AWAY}\nSTATUS")
    assert "14 h left without asking: EXTEND 24h" in answer
    assert "absences may move deadlines by 2 days" in answer
    assert "by 5 days" in said(world, "Borealis", "STATUS")
    assert "at most without asking" not in said(world, "Altair", "EXTEND 14h\nSTATUS")

"""A clock that jumps passes no deadline until somebody bears it out: itself, the mail server, or the game master."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes, gm, pauses
from pbmd.desk.deadlines.doubt_watch import confirm, look_at_clock, server_says
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.due.advance import advance_games
from pbmd.desk.ingest import _note_reading, note_clock
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Clock, GameStatus, Mailbox
from pbmd.rules import Refused
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import NAMES, World, body_of

DAY, HOUR, MINUTE, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


def words(world: World) -> str:
    with world.work() as work:
        return doubt(work)


def let_pass(world: World, length: timedelta = timedelta(0)) -> int:
    """What the daemon does in each beat, after the mailbox was read."""
    world.now += length
    look_at_clock(world.desk)
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    process_letters(world.desk)
    return advance_games(world.desk)


@pytest.fixture
def watched(running: World) -> World:
    """A running game whose clock has been looked at; its deadline is in 72 hours."""
    let_pass(running)
    server_says(running.desk, timedelta(0))
    return running


def restart(world: World, boot: str = "the second start") -> None:
    """The machine starts again: its other clock begins anew."""
    world.desk = replace(world.desk, boot=boot, steady=lambda: world.now.timestamp() - 1_700_000_000)


@pytest.mark.parametrize("length", [5 * MINUTE + SECOND, 80 * HOUR, -5 * MINUTE - SECOND, -HOUR])
def test_a_clock_that_is_set_by_more_than_five_minutes_is_in_doubt(watched: World, length: timedelta) -> None:
    watched.set_clock(length)
    assert words(watched).startswith("it was set ")
    assert words(watched).endswith("ahead" if length > timedelta(0) else "back")


@pytest.mark.parametrize("length", [5 * MINUTE, -5 * MINUTE, 30 * SECOND])
def test_a_clock_that_is_set_a_little_is_not(watched: World, length: timedelta) -> None:
    watched.set_clock(length)
    assert words(watched) == ""


def test_many_little_steps_are_a_jump(watched: World) -> None:
    for _ in range(2):
        watched.set_clock(3 * MINUTE)
        let_pass(watched, HOUR)
    assert words(watched) == "it was set 6 min ahead"


@pytest.mark.parametrize("ahead", [1e300, float("inf"), -1e300])
def test_what_was_noted_of_it_and_is_no_time_is_told_of_and_stops_nothing_else(watched: World, ahead: float) -> None:
    with watched.work() as work:
        for row in work.session.exec(select(Clock)):
            row.ahead = ahead
            work.session.add(row)
    let_pass(watched)
    assert words(watched) == "what pbmd had noted of it is no time"


def test_time_that_only_passes_is_no_jump_however_long_nobody_looked(watched: World) -> None:
    let_pass(watched, 30 * DAY)
    assert words(watched) == ""


def test_no_step_is_resolved_by_a_clock_that_was_set_past_the_deadline(watched: World) -> None:
    watched.set_clock(80 * HOUR)
    watched.read_mailbox()
    # Even if nobody has looked at the clock since.
    assert advance_games(watched.desk) == 0
    assert let_pass(watched, HOUR) == 0
    assert (watched.log("nmr"), watched.log("resolved")) == ([], [])


def test_nor_is_a_step_for_which_all_orders_are_in(watched: World) -> None:
    watched.set_clock(HOUR)
    for seat in NAMES:
        watched.send(seat, "Add 1", at=watched.now - HOUR)
    assert let_pass(watched, 3 * HOUR) == 0
    assert len(watched.log("orders")) == 3


def test_nobody_is_reminded(world: World) -> None:
    world.count(reminders=("24h",))
    let_pass(world)
    world.set_clock(50 * HOUR)
    let_pass(world)
    assert world.outbox("reminder") == []


def test_what_is_read_meanwhile_is_no_evidence(watched: World) -> None:
    [before] = [box.read_through for box in watched.rows(Mailbox)]
    watched.set_clock(80 * HOUR)
    let_pass(watched, HOUR)
    assert [box.read_through for box in watched.rows(Mailbox)] == [before]


def test_no_question_expires_meanwhile(watched: World) -> None:
    watched.send("Altair", "RESIGN")
    watched.set_clock(30 * DAY)
    watched.send("Borealis", "STATUS", at=watched.now)
    assert watched.log("expired") == []
    watched.set_clock(-30 * DAY)
    look_at_clock(watched.desk)
    watched.reply(watched.questions()[-1], "YES")
    assert len(watched.log("resigned")) == 1


def test_the_game_master_cannot_resolve_by_it_either(watched: World) -> None:
    watched.set_clock(HOUR)
    with pytest.raises(Refused, match="pbmd clock --confirm"):
        watched.act("galaxy-7", deadline_changes.resolve_now)


def test_a_move_that_comes_meanwhile_is_carried_out_when_the_doubt_is_over(world: World) -> None:
    relay(world)
    let_pass(world)
    past_turn_0(world)
    let_pass(world)
    world.set_clock(HOUR)
    step = world.game().step
    assert "is waiting" in world.send("Altair", "Add 1")
    assert world.game().step == step
    world.set_clock(-HOUR)
    let_pass(world, MINUTE)
    assert world.game().step == step + 1


class TestTheAlarm:
    def test_is_a_line_in_the_log_and_one_mail(self, watched: World) -> None:
        watched.set_clock(2 * HOUR)
        for _ in range(3):
            let_pass(watched, SECOND)
        [line] = watched.log("alarm")
        assert "it was set 2 h ahead" in line.detail
        [mail] = watched.outbox("alarm")
        assert mail.recipient == "gm@pbmd.test"
        assert "pbmd clock --confirm" in body_of(mail)

    def test_a_clock_that_jumps_to_and_fro_makes_lines_and_no_flood(self, watched: World) -> None:
        for _ in range(5):
            watched.set_clock(2 * HOUR)
            let_pass(watched, SECOND)
            watched.set_clock(-2 * HOUR)
            let_pass(watched, SECOND)
        assert (len(watched.log("alarm")), len(watched.log("all-clear"))) == (5, 5)
        assert len(watched.outbox("alarm")) == 1


class TestTheDoubtEnds:
    def test_when_the_clock_is_set_back(self, watched: World) -> None:
        watched.set_clock(80 * HOUR)
        let_pass(watched, HOUR)
        watched.set_clock(-80 * HOUR)
        assert let_pass(watched) == 0
        assert words(watched) == ""
        assert watched.log("all-clear")[0].detail.endswith("it was set back to where it was")
        assert let_pass(watched, 72 * HOUR) == 1

    def test_when_the_mail_servers_clock_agrees(self, watched: World) -> None:
        watched.set_clock(80 * HOUR)
        let_pass(watched)
        note_clock(watched.desk, 10 * SECOND)
        assert words(watched) == ""
        assert let_pass(watched, SECOND) == 1

    @pytest.mark.parametrize("ahead", [None, -80 * HOUR, 2 * MINUTE])
    def test_and_not_when_the_server_does_not_tell_or_says_otherwise(self, watched: World, ahead: timedelta | None) -> None:
        watched.set_clock(80 * HOUR)
        let_pass(watched)
        note_clock(watched.desk, ahead)
        assert words(watched) != ""
        assert let_pass(watched, SECOND) == 0

    def test_when_the_game_master_says_so_and_then_for_good(self, watched: World) -> None:
        watched.set_clock(80 * HOUR)
        let_pass(watched)
        with watched.work() as work:
            work.cause = "the command line"
            assert confirm(work) == "it was set 3 days 8 h ahead"
        assert let_pass(watched, SECOND) == 1
        server_says(watched.desk, -80 * HOUR)
        assert words(watched) == ""
        assert watched.log("all-clear")[0].cause == "the command line"

    def test_when_the_game_master_says_so_by_mail_and_says_it_twice(self, watched: World) -> None:
        watched.act("galaxy-7", gm.send_gm_token, "gm-mail")
        mail = watched.outbox("alarm")[-1]
        watched.reply(mail, "CLOCK CONFIRM")
        assert watched.outbox("question") == []
        watched.set_clock(80 * HOUR)
        let_pass(watched)
        watched.reply(mail, "RESOLVE", at=watched.now - 80 * HOUR)
        assert watched.game().closed_at is None
        watched.reply(mail, "CLOCK CONFIRM", at=watched.now - 80 * HOUR)
        assert "it was set 3 days 8 h ahead" in " ".join(body_of(watched.outbox("question")[-1]).split())
        assert words(watched) != ""
        watched.reply(watched.outbox("question")[-1], "YES", at=watched.now - 80 * HOUR)
        assert words(watched) == ""
        assert watched.log("all-clear")[0].cause.startswith("letter ")

    def test_what_is_not_in_doubt_cannot_be_confirmed(self, watched: World) -> None:
        with watched.work() as work, pytest.raises(Refused, match="not in doubt"):
            confirm(work)

    def test_a_new_jump_after_it_is_in_doubt_again(self, watched: World) -> None:
        watched.set_clock(HOUR)
        let_pass(watched)
        note_clock(watched.desk, timedelta(0))
        watched.set_clock(HOUR)
        assert words(watched) == "it was set 1 h ahead"


class TestAfterAStartOfTheMachine:
    def test_the_time_that_it_was_off_is_no_jump(self, watched: World) -> None:
        restart(watched)
        assert let_pass(watched, 100 * HOUR) == 1

    def test_a_clock_behind_the_last_reading_is_in_doubt(self, watched: World) -> None:
        let_pass(watched, HOUR)
        restart(watched)
        watched.now -= 30 * MINUTE
        let_pass(watched)
        assert words(watched) == "it is 30 min behind the last reading of the mailbox"

    @pytest.mark.parametrize(("ahead", "how"), [(HOUR, "behind"), (-HOUR, "ahead of")])
    def test_so_is_one_with_which_the_mail_servers_does_not_agree(self, watched: World, ahead: timedelta, how: str) -> None:
        restart(watched)
        look_at_clock(watched.desk)
        server_says(watched.desk, ahead)
        look_at_clock(watched.desk)
        assert words(watched) == f"it is 1 h {how} the mail server's"
        watched.now += ahead  # somebody sets it right
        server_says(watched.desk, timedelta(0))
        assert words(watched) == ""

    def test_a_server_that_disagrees_later_on_casts_no_doubt_on_a_clock_that_has_not_jumped(self, watched: World) -> None:
        server_says(watched.desk, HOUR)
        assert words(watched) == ""

    def test_a_doubt_outlasts_it(self, watched: World) -> None:
        watched.set_clock(80 * HOUR)
        let_pass(watched)
        restart(watched)
        assert let_pass(watched, MINUTE) == 0
        assert words(watched) == "it was set 3 days 8 h ahead"


def test_looking_at_a_clock_that_is_right_writes_nothing(watched: World) -> None:
    before = watched.rows(Clock)[0].model_dump()
    plans = watched.plans(lambda: look_at_clock(watched.desk))
    assert plans
    assert watched.rows(Clock)[0].model_dump() == before


def test_a_game_that_is_paused_meanwhile_stays_so(watched: World) -> None:
    watched.act("galaxy-7", pauses.pause)
    watched.set_clock(HOUR)
    let_pass(watched)
    with pytest.raises(Refused, match="in doubt"):
        watched.act("galaxy-7", pauses.resume)
    watched.set_clock(-HOUR)
    let_pass(watched)
    assert watched.game().status is GameStatus.PAUSED
    deadline = watched.game().deadline
    watched.act("galaxy-7", pauses.resume)
    assert watched.game().deadline == deadline

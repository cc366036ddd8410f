"""What is due is found by an index over what is open: the work of a tick does not grow with what is kept."""

from datetime import timedelta

import pytest

from pbmd.desk.deadlines.evidence import evidence_for
from pbmd.desk.due.advance import advance_games, due_games
from pbmd.desk.mailroom import process_letters
from pbmd.desk.sending.sender import new_pace, recover, send_due
from pbmd.desk.unreadable.looks import look_now_and_then


def nobody():
    raise AssertionError("nothing is due, so no server is asked")


@pytest.mark.parametrize(
    ("index", "look"),
    [
        ("ix_outbox_unsent", lambda world, pace: send_due(world.desk, nobody, pace=pace)),
        ("ix_outbox_unsent", lambda world, _: recover(world.desk)),
    ],
)
def test_with_nothing_due_a_tick_asks_one_question_of_an_index(world, index, look):
    pace = new_pace(world.desk)
    (plan,) = world.plans(lambda: look(world, pace))
    assert f"INDEX {index}" in plan


@pytest.mark.parametrize("look", [due_games, advance_games])
def test_with_nothing_due_the_clock_asks_indexes_how_far_the_mail_is_known_and_for_games(world, look):
    world.read_mailbox()
    look_now_and_then(world.desk)  # not at each tick
    box, *plans = world.plans(lambda: look(world.desk))
    assert "INDEX" in box
    assert "mailbox" in box
    games = [plan for plan in plans if " game" in plan]
    assert games
    assert all("INDEX ix_game_due" in plan for plan in games), games
    assert any("INDEX ix_letter_new" in plan for plan in plans)
    assert not any(plan.startswith("SCAN") and "INDEX" not in plan for plan in plans), plans


def test_without_letters_the_clerk_asks_indexes_for_new_ones_and_for_those_that_wait(world):
    plans = world.plans(lambda: process_letters(world.desk))
    letters = [plan for plan in plans if " letter" in plan]
    assert ["INDEX ix_letter_new" in letters[0], "INDEX ix_letter_held" in letters[1], len(letters)] == [True, True, 2], plans
    assert not any(plan.startswith("SCAN") and "INDEX" not in plan for plan in plans)


def test_whether_letters_wait_is_asked_of_an_index(running):
    running.read_mailbox()
    with running.work() as work:
        table = work.table_named("galaxy-7")
        plans = running.plans(lambda: evidence_for(work, table))
    assert any("INDEX ix_letter_new" in plan for plan in plans)
    assert "SCAN letter" not in plans


def test_of_many_games_only_those_that_are_due_are_loaded(world):
    for number in range(5):
        world.count(f"idle-{number}", deadline="240h")
    world.count("due", deadline="24h")
    world.now += timedelta(hours=25)
    world.read_mailbox()
    look_now_and_then(world.desk)  # not at each tick
    plans = world.plans(lambda: advance_games(world.desk))
    assert sum("SEARCH seat" in plan or "SCAN seat" in plan for plan in plans) == 1

"""One digit of the ledger that is changed by a hand or a disk stops its game before anything is resolved or mailed with it, and
the game master is told which; other games go on, and so does every game whose books are what was written."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col

from pbmd.cli.status import read_state
from pbmd.desk.books.desk import Positions
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import pauses
from pbmd.desk.changes.new_game import start_game
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import send_new_token
from pbmd.desk.mailroom import process_letters
from pbmd.desk.upkeep.daily_look import look_at_clocks, look_at_journals
from pbmd.ledger.tables import GameStatus, Outbox
from pbmd.rules.protocol import Refused
from pbmd.rules.troubles import AlteredGame
from tests.archive.made import export, verified
from tests.desk.relay import past_turn_0, relay
from tests.desk.world import World, address_of, body_of

GAME, OTHER = "galaxy-7", "other-1"
DAYS = timedelta(days=4)


def replaced(old: str, new: str) -> Callable[[str], str]:
    """One text for another, which must be there."""

    def change(text: str) -> str:
        assert old in text, text
        return text.replace(old, new, 1)

    return change


def digit(secret: bytes) -> bytes:
    """Another first byte."""
    return bytes([secret[0] ^ 1]) + secret[1:]


def hexadecimal(text: str) -> str:
    """Another last digit."""
    return f"{text[:-1]}{int(text[-1], 16) ^ 1:x}"


def alter(world: World, table: str, column: str, change: Callable[[Any], Any], where: str = "1") -> None:
    """Change a value of the game as something other than pbmd would; nobody has its position in mind any more."""
    of = "id = 1" if table == "game" else "game_id = 1"
    with closing(world.desk.engine.raw_connection()) as raw:
        connection: Any = raw
        place = f"FROM {table} WHERE {of} AND {where} ORDER BY id DESC LIMIT 1"
        number, value = connection.execute(f"SELECT id, {column} {place}").fetchone()
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (change(value), number))
        connection.commit()
    world.desk = replace(world.desk, positions=Positions())


@pytest.fixture
def two(world: World) -> World:
    """Two games of the same people. In the first one turn is over, and of the next Altair and Borealis have sent their orders,
    with a word for the dice; in the other nobody has."""

    def play() -> None:
        for name in (GAME, OTHER):
            world.start(name, ruleset="count", options={"target": 1000}, reminders=())
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        assert world.pass_time(timedelta(hours=1)) == 1
        world.send("Altair", "#word to be or not to be\nAdd 4")
        world.send("Borealis", "#word that is the question\nAdd 5")

    world.as_ever("two games, the first in its second turn", play)
    return world


ALTERED: dict[str, tuple[str, str, Callable[[Any], Any], str, str]] = {
    "the dice secret": ("game", "secret", digit, "1", "the dice secret, which is not the one that entry"),
    "a salt": ("game", "salts", digit, "1", "the secret of the salts, which is not the one that entry"),
    "a line of a sheet": ("game", "position", replaced("Add 4", "Add 6"), "1", "the position"),
    "a number of the position": ("game", "position", replaced('"score":', '"score":1'), "1", "the position"),
    "an order": ("submission", "orders", replaced("Add 5", "Add 7"), "1", "which are not those of their digest"),
    "the digest of orders": ("submission", "digest", hexadecimal, "1", "which are not those of their digest"),
    "a word": ("submission", "word", replaced("question", "questiom"), "1", "whose word is not as in the journal"),
    "an address": ("seat", "address", replaced("altair", "altbir"), "name = 'Altair'", "the seat Altair ("),
    "a holder": ("seat", "holder", replaced("Altair", "Altbir"), "name = 'Altair'", "the seat Altair ("),
    "the state of a seat": ("seat", "state", replaced("active", "resigned"), "name = 'Cygnus'", "the seat Cygnus ("),
    "a seat's number": ("seat", "number", lambda old: old + 1, "name = 'Cygnus'", "the seat Cygnus ("),
    "the terms": ("game", "terms", replaced('"seats":0', '"seats":1'), "1", "the terms"),
    "the options": ("game", "options", replaced("1000", "900"), "1", "the options"),
    "an entry": ("journal", "secret", replaced("Add 4", "Add 6"), "secret LIKE '%Add 4%'", "(orders) is not what was"),
    "the entry of the step": ("journal", "public", replaced(":1", ":2"), "kind = 'resolved'", "(resolved) is not what"),
    "the time of an entry": ("journal", "at", replaced("2026", "2025"), "1", "(orders) is not what was written"),
    "the deadline": ("game", "deadline", replaced(":00.", ":01."), "1", "the clock (its state, turn, step, deadline"),
    "the number of the step": ("game", "step", lambda old: old + 1, "1", "the clock (its state, turn, step, deadline"),
    "a seat's deadline": ("seat", "deadline", lambda _: "2026-11-24 12:00:00.000000", "name = 'Cygnus'", "the seat Cygnus ("),
    "the number of the head": ("game", "chain_number", lambda old: old - 1, "1", "the head of the journal"),
    "the head": ("game", "chain_head", hexadecimal, "1", "the head of the journal"),
}  # fmt: skip
"""What is changed, where, how, in which row, and what is said of it."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("what", ALTERED)
def test_a_changed_digit_stops_its_game_before_it_is_used_and_is_told(
    two: World, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, column, change, where, words = ALTERED[what]
    turns, mails = (two.game().turn, two.game(OTHER).turn), len(two.rows(Outbox))
    alter(two, table, column, change, where)
    assert two.pass_time(DAYS) == 1
    assert (two.game().turn, two.game(OTHER).turn) == (turns[0], turns[1] + 1)
    assert two.game().status is GameStatus.PAUSED
    of_game = [mail for mail in two.rows(Outbox)[mails:] if mail.game_id == 1 and mail.kind != "digest"]
    [alarm] = of_game
    assert (alarm.recipient, alarm.kind) == (two.desk.settings.server.gm, "alarm")
    assert words in " ".join(body_of(alarm).split())
    [line] = two.log("altered")
    assert (line.game, words in line.detail) == (GAME, True)
    with Transaction(two.desk, reads=True) as work:
        [row] = [row for row in read_state(work).games if row.name == GAME]
    assert words in row.trouble


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("what", ALTERED)
def test_it_goes_on_as_it_is_when_the_game_master_says_so_and_all_are_told(two: World, what: str) -> None:
    table, column, change, where, words = ALTERED[what]
    alter(two, table, column, change, where)
    two.pass_time(DAYS)
    with pytest.raises(AlteredGame, match=r"its books are not what pbmd wrote"):
        two.act(GAME, pauses.resume)
    assert two.game().status is GameStatus.PAUSED
    two.act(GAME, pauses.resume, as_it_is=True)
    [resumed] = two.journal("resumed")
    assert any(words in part for part in json.loads(resumed.public)["as_it_is"])
    told = [mail for mail in two.outbox("notice") if "was not what pbmd had written" in " ".join(body_of(mail).split())]
    assert len(told) == (2 if what == "the state of a seat" else 3)
    anew = [mail for mail in two.outbox("notice") if mail.key.startswith("restored")]
    assert bool(anew) is (what in ("the dice secret", "a salt"))
    turn = two.game().turn
    two.pass_time(DAYS)
    two.pass_time(DAYS)
    assert two.game().turn > turn
    assert len(two.log("altered")) == 1


def test_what_is_put_right_again_needs_no_more_than_a_resume(two: World) -> None:
    alter(two, "game", "secret", digit)
    two.pass_time(DAYS)
    alter(two, "game", "secret", digit)
    two.act(GAME, pauses.resume)
    assert "as_it_is" not in two.journal("resumed")[0].public
    two.pass_time(DAYS)
    assert two.game().status is GameStatus.RUNNING
    assert len(two.log("altered")) == 1


@pytest.mark.parametrize("what", ["a line of a sheet", "the dice secret", "a word", "an entry"])
def test_a_rollback_leaves_behind_what_is_of_the_step(two: World, what: str) -> None:
    alter(two, *ALTERED[what][:4])
    two.pass_time(DAYS)
    two.act(GAME, roll_back, 1)
    two.act(GAME, pauses.resume)
    turn = two.game().turn
    two.pass_time(DAYS)
    assert (two.game().turn, two.game().status) == (turn + 1, GameStatus.RUNNING)


def test_a_rollback_does_not_hide_an_address(two: World) -> None:
    alter(two, *ALTERED["an address"][:4])
    two.pass_time(DAYS)
    with pytest.raises(AlteredGame, match="the seat Altair"):
        two.act(GAME, roll_back, 1)


def test_a_letter_is_kept_and_press_goes_to_nobody_whose_address_was_changed(two: World) -> None:
    alter(two, "seat", "address", replaced("altair", "altbir"), "name = 'Altair'")
    two.arrive(two.letter("Borealis", "press to Altair\nThe plans.\nend press"))
    process_letters(two.desk)
    assert two.game().status is GameStatus.PAUSED
    assert not [mail for mail in two.rows(Outbox) if mail.recipient == address_of("Altbir")]


def test_a_promise_of_the_set_up_is_kept_too(world: World) -> None:
    world.open(GAME, "Altair", "Borealis", options={"target": 10})
    alter(world, "game", "secret", digit)
    with pytest.raises(AlteredGame, match="the dice secret"):
        world.act(GAME, start_game)


BEFORE_IT_BEGINS = ("the dice secret", "a salt", "an address", "the options", "the head")


@pytest.mark.parametrize("what", BEFORE_IT_BEGINS)
def test_a_game_that_has_not_begun_goes_on_as_it_is_too(world: World, what: str, tmp_path: Path) -> None:
    world.open(GAME, "Altair", "Borealis", options={"target": 1000})
    table, column, change, where, words = ALTERED[what]
    alter(world, table, column, change, where)
    with pytest.raises(AlteredGame, match="pbmd check says what leads out of that"):
        world.act(GAME, start_game)
    world.act(GAME, pauses.resume, as_it_is=True)
    [resumed] = world.journal("resumed")
    assert any(words in part for part in json.loads(resumed.public)["as_it_is"])
    told = [" ".join(body_of(mail).split()) for mail in world.outbox("notice")]
    assert len([text for text in told if "The sign-up goes on. Something in the records of this game" in text]) == 2
    world.act(GAME, start_game)
    world.send("Altair", "Add 1")
    world.pass_time(DAYS)
    assert (world.game().turn, world.game().status) == (2, GameStatus.RUNNING)
    assert not world.log("altered")
    if column not in ("secret", "salts", "options", "chain_head"):
        assert [str(problem) for problem in verified(export(world, tmp_path / "archive")).problems] == []


def test_a_game_that_has_not_begun_and_is_as_it_was_written_has_nothing_to_go_on_from(world: World) -> None:
    world.open(GAME, "Altair", "Borealis")
    with pytest.raises(Refused, match="its books are what pbmd wrote: pbmd start galaxy-7 begins it"):
        world.act(GAME, pauses.resume, as_it_is=True)
    assert not world.journal("resumed")


def test_a_game_without_digests_gets_them_when_it_is_written_the_next_time(two: World) -> None:
    alter(two, "game", "digests", lambda _: "{}")
    alter(two, "game", "position", replaced("Add 4", "Add 6"))
    two.pass_time(timedelta(0))
    two.send("Cygnus", "Add 9")
    assert json.loads(two.game().digests)["position"]


def test_what_is_on_file_is_held_against_the_receipt_where_there_is_no_digest(two: World) -> None:
    alter(two, "game", "digests", lambda _: "{}")
    alter(two, "game", "position", replaced("Add 4", "Add 6"))
    two.pass_time(DAYS)
    [line] = two.log("altered")
    assert "the orders with receipt" in line.detail
    assert "which are not those on file" in line.detail


@pytest.mark.parametrize(("column", "change"), [("word", replaced("mine", "mina")), ("orders", replaced("Add 3", "Add 2"))])
def test_a_move_that_waits_is_held_against_what_the_journal_will_get(
    world: World, column: str, change: Callable[[str], str]
) -> None:
    past_turn_0(relay(world, die=True))
    world.send("Altair", "Add 2")
    world.send("Borealis", "Add 2")
    world.send("Altair", "#word of mine\nAdd 3")
    alter(world, "submission", column, change, "state = 'filed' AND word = 'of mine'")
    world.send("Cygnus", "Add 2")
    assert world.game().status is GameStatus.PAUSED
    [line] = world.log("altered")
    assert ("word" in line.detail) is (column == "word")


def test_entries_before_the_step_stop_nothing_until_the_daily_look(two: World) -> None:
    alter(two, "journal", "public", replaced("{", "{ "), "kind = 'created'")
    two.pass_time(DAYS)
    assert two.game().status is GameStatus.RUNNING
    look_at_journals(two.desk)
    assert two.game().status is GameStatus.PAUSED


def test_a_rollback_takes_no_options_from_a_position_that_was_altered(two: World) -> None:
    alter(two, "game", "position", replaced("1000", "900"))
    two.pass_time(DAYS)
    two.act(GAME, roll_back, 1)
    two.act(GAME, pauses.resume)
    assert two.position()["options"]["target"] == 1000


def test_a_rollback_leads_back_from_a_position_that_is_no_document(two: World) -> None:
    alter(two, "game", "position", lambda text: text[: len(text) // 2])
    two.pass_time(DAYS)
    two.act(GAME, roll_back, 1)
    two.act(GAME, pauses.resume)
    two.pass_time(DAYS)
    assert two.game().status is GameStatus.RUNNING


def test_no_secret_of_a_seat_goes_to_an_address_that_was_altered(two: World) -> None:
    alter(two, *ALTERED["an address"][:4])
    with pytest.raises(AlteredGame, match="the seat Altair"):
        two.act(GAME, lambda work, table: send_new_token(work, table, table.seat("Altair")))
    two.act(GAME, pauses.pause, "a look at the books")
    assert not two.mails(col(Outbox.recipient) == "altbir@players.test")
    assert [line.seat for line in two.log("altered")] == ["Altair"]
    two.act(GAME, pauses.resume, as_it_is=True)
    assert two.mails(col(Outbox.recipient) == "altbir@players.test")


@pytest.mark.parametrize("digests", ['{"found":5}', '{"found":[5]}', '{"terms":7}', "[]"])
def test_digests_that_are_none_stop_nobody_elses_game(two: World, digests: str) -> None:
    alter(two, "game", "digests", lambda _: digests)
    assert two.pass_time(DAYS) >= 1
    assert two.game(OTHER).turn == 2


def test_a_digest_that_is_lost_is_no_leave_to_change_its_part(two: World) -> None:
    alter(two, "game", "digests", replaced('"terms"', '"termz"'))
    two.pass_time(DAYS)
    assert two.game().status is GameStatus.PAUSED
    assert "the terms" in two.log("altered")[0].detail


@pytest.mark.parametrize("status", ["PAUSED", "FINISHED"])
def test_the_daily_look_finds_a_game_that_was_put_to_sleep(two: World, status: str) -> None:
    alter(two, "game", "status", lambda _: status.lower())
    two.pass_time(DAYS)
    assert not two.outbox("alarm")
    for _ in range(2):
        look_at_journals(two.desk)
    [alarm] = two.outbox("alarm")
    assert "the clock (its state, turn, step" in " ".join(body_of(alarm).split())
    assert len(two.log("altered")) == 1


def test_the_daily_look_wakes_a_game_whose_clock_was_set_far_ahead(two: World) -> None:
    alter(two, "game", "due_at", lambda _: "2036-01-01 00:00:00.000000")
    turn = two.game().turn
    assert two.pass_time(DAYS) == 1
    assert two.game().turn == turn
    look_at_clocks(two.desk)
    two.pass_time(timedelta(minutes=1))
    assert two.game().turn == turn + 1


def test_a_journal_to_which_nothing_can_be_added_keeps_no_broken_game_from_being_paused(two: World) -> None:
    mine, other = two.game(GAME).id, two.game(OTHER).id
    with two.desk.engine.begin() as ledger:  # where the next entry of the other game belongs
        last_of = "(SELECT max(number) FROM journal WHERE game_id = {})".format
        taken = f"game_id = {other}, number = {last_of(other)} + 1"
        ledger.exec_driver_sql(f"UPDATE journal SET {taken} WHERE game_id = {mine} AND number = {last_of(mine)}")
    look_at_journals(two.desk)
    assert two.game().status is GameStatus.PAUSED
    told = " ".join(" ".join(body_of(mail).split()) for mail in two.outbox("alarm"))
    assert "A journal is not what was written" in told
    assert "A game can neither go on nor be paused" in told


def test_a_game_goes_on_as_it_is_before_anything_has_come_upon_it(two: World) -> None:
    alter(two, *ALTERED["the terms"][:4])
    two.act(GAME, pauses.resume, as_it_is=True)
    assert two.game().status is GameStatus.RUNNING
    with pytest.raises(Refused, match="is not paused"):
        two.act(GAME, pauses.resume, as_it_is=True)


def test_a_letter_to_a_game_that_stands_is_no_defect(two: World) -> None:
    two.act(GAME, pauses.pause)
    alter(two, *ALTERED["the terms"][:4])
    for number in range(3):
        two.arrive(two.letter("Borealis", f"Add {number}"))
        process_letters(two.desk)
    [alarm] = two.outbox("alarm")
    words = " ".join(body_of(alarm).split())
    assert "defect" not in words
    assert f"pbmd resume {GAME} --as-it-is" in words


def test_a_game_that_can_neither_go_on_nor_be_paused_is_told_and_holds_up_no_other(two: World) -> None:
    alter(two, "game", "digests", lambda _: "{}")
    alter(two, "game", "position", lambda _: "[[1]]")
    assert two.pass_time(DAYS) == 1
    assert two.game(OTHER).turn == 2
    look_at_journals(two.desk)
    told = [" ".join(body_of(mail).split()) for mail in two.outbox("alarm")]
    assert len(told) == 1
    assert GAME in told[0]


def test_the_log_does_not_tell_what_a_mail_was_about_that_was_not_sent(two: World) -> None:
    alter(two, *ALTERED["an address"][:4])
    two.act(GAME, pauses.pause, "a look at the books")
    [line] = two.log("altered")
    assert line.detail == "a mail is not sent, since its address is not what pbmd wrote"


def test_a_game_of_which_not_even_that_can_be_done_is_told_of(two: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    alter(two, *ALTERED["the terms"][:4])
    monkeypatch.setattr("pbmd.desk.step.stop.differences", fails)
    assert two.pass_time(DAYS) == 1
    look_at_journals(two.desk)
    assert two.game(OTHER).turn == 2
    [alarm] = two.outbox("alarm")
    words = " ".join(body_of(alarm).split())
    assert "A game can neither go on nor be paused: game 1: ZeroDivisionError in " in words
    assert ("pbmd check" in words, "a secret" in words) == (True, False)


def test_it_is_told_again_more_and_more_seldom_and_at_once_if_something_else_fails(
    two: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    def fails_otherwise(*_: object) -> None:
        raise IndexError

    def lines() -> int:
        return len(caplog.messages)

    alter(two, *ALTERED["the terms"][:4])
    monkeypatch.setattr("pbmd.desk.step.stop.differences", fails)
    assert two.pass_time(DAYS) == 1
    at_once = lines()
    told = []
    for _ in range(120):
        two.pass_time(timedelta(minutes=1))
        told.append(lines())
    assert at_once == 2
    assert [minute for minute, before, now in zip(range(1, 121), [at_once, *told], told, strict=False) if now > before] == [
        *(1, 3, 7, 15, 31, 63)
    ]
    assert len(two.outbox("alarm")) == 1
    monkeypatch.setattr("pbmd.desk.step.stop.differences", fails_otherwise)
    two.pass_time(timedelta(seconds=1))
    assert "IndexError" in caplog.messages[-1]
    assert len(two.outbox("alarm")) == 2
    monkeypatch.undo()
    two.pass_time(timedelta(seconds=1))
    assert two.game(GAME).status is GameStatus.PAUSED
    assert two.desk.stuck == {}

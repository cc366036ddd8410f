"""Whatever value of whatever row cannot be read: the others play on, their mail goes out, and the game master is told."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col

from pbmd.cli.status import read_state
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.due.advance import advance_games
from pbmd.desk.due.digests import tell_news
from pbmd.desk.due.outages import end_outage
from pbmd.desk.mail.alarms import watch
from pbmd.desk.mailroom import process_letters
from pbmd.desk.publish.dashboard import show
from pbmd.desk.publish.webhooks import post_news
from pbmd.desk.unreadable.put_aside import look
from pbmd.desk.upkeep.daily_look import look_at_all
from pbmd.ledger.database import reading
from pbmd.ledger.tables import Game, GameStatus, Outbox, OutboxState, UnreadableValue
from tests.desk.unreadable.rows import OTHER, STOP, TABLES, Hurt, TwoGames, befall, damages
from tests.desk.upkeep.test_tidying import send_all
from tests.desk.world import World, body_of
from tests.postgresql import about_files

pytestmark = about_files


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoGames]:
    with closing(TwoGames(tmp_path_factory.mktemp("games"))) as games:
        yield games


def _names_a_seat(table: Any) -> bool:
    return "game_id" in table.c and "seat_id" in table.c and bool(table.c.seat_id.foreign_keys)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_value_that_cannot_be_read_is_told_of_and_holds_up_nobody_else(games: TwoGames, table: Any) -> None:
    for hurts in damages(table):
        world = games.again()
        for hurt in hurts:
            befall(world, hurt)
        others_play_on(world, hurts)
        look_at_all(world.desk)
        is_told(world, hurts)


@pytest.mark.parametrize("table", [table for table in TABLES if _names_a_seat(table)], ids=lambda table: table.name)
def test_a_seat_of_another_game_is_told_of_and_holds_up_nobody_else(games: TwoGames, table: Any) -> None:
    world, hurt = games.again(), Hurt(table.name, "seat_id", "(SELECT max(id) FROM seat)")
    befall(world, hurt)
    others_play_on(world, [hurt])
    look_at_all(world.desk)
    is_told(world, [hurt])


@pytest.mark.parametrize("number", ["-1", str(2**63 - 1)])
def test_rows_of_a_game_that_has_another_number_are_told_of_and_hold_up_nobody_else(games: TwoGames, number: str) -> None:
    world, hurt = games.again(), Hurt("game", "id", number)
    befall(world, hurt)
    others_play_on(world, [hurt])
    look_at_all(world.desk)
    found = {(value.of_table, value.of_column) for value in world.rows(UnreadableValue)}
    assert {("seat", "game_id"), ("journal", "game_id"), ("confirmation", "game_id")} <= found
    assert any("cannot" in body_of(mail) for mail in world.outbox("alarm"))
    assert look(world.desk, in_use=False) == []


def others_play_on(world: World, hurts: list[Hurt]) -> None:
    turn = turn_of(world, OTHER)
    answer = world.send("Electra", "Add 3", game=OTHER)
    assert "Add 3" in answer, hurts
    world.now += timedelta(hours=80)
    world.read_mailbox()
    process_letters(world.desk)
    advance_games(world.desk)
    tell_news(world.desk)
    end_outage(world.desk, world.now)
    watch(world.desk)
    post_news(world.desk)
    assert turn_of(world, OTHER) == turn + 1, hurts
    assert show(world.desk), hurts
    send_all(world)
    assert not world.rows(Outbox, col(Outbox.state) == OutboxState.QUEUED), hurts
    with Transaction(world.desk, reads=True) as work:
        read_state(work)


def turn_of(world: World, name: str) -> int:
    with reading(world.desk.engine).connect() as connection:
        return connection.exec_driver_sql("SELECT turn FROM game WHERE name = ?", (name,)).scalar_one()


def is_told(world: World, hurts: list[Hurt]) -> None:
    """By mail, in the log, and once."""
    found = {(value.of_table, value.of_column) for value in world.rows(UnreadableValue)}
    mails = [" ".join(body_of(mail).split()) for mail in world.outbox("alarm") if mail.key.startswith("unreadable")]
    for hurt in hurts:
        assert (hurt.table, hurt.column) in found
        assert any(f"{hurt.column} of {hurt.table}" in words for words in mails), hurt
        assert any(f"{hurt.column} of {hurt.table}" in line.detail for line in world.log("unreadable")), hurt
        for done, command in (("the mail is held", "pbmd outbox"), ("the letter is put aside", "pbmd letters --quarantined")):
            assert all((done in words) == (command in words) for words in mails), "what to do is said with it"
        if hurt.table in STOP:
            assert world.rows(Game, col(Game.id) == 1)[0].status is GameStatus.PAUSED, hurt
    assert look(world.desk, in_use=False) == [], hurts

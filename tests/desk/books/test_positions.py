"""Positions are kept between transactions, and used only where the ledger holds the very same document."""

import json

from sqlmodel import col, update

from pbmd.desk.books.desk import POSITIONS_KEPT, Positions
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game


def test_a_position_is_given_again_for_the_same_document_only():
    positions = Positions()
    positions.put(1, '{"turn":1}', "position of turn 1")
    assert positions.get(1, '{"turn":1}') == "position of turn 1"
    assert positions.get(1, '{"turn":2}') is None
    assert positions.get(2, '{"turn":1}') is None


def test_the_game_longest_not_written_is_forgotten_first():
    positions = Positions()
    for game in range(POSITIONS_KEPT + 1):
        positions.put(game, "document", game)
    assert positions.get(0, "document") is None
    assert positions.get(1, "document") == 1


def test_what_another_process_wrote_is_what_counts(world):
    world.count()
    world.send("Altair", "Add 3")
    document = json.loads(world.game().position)
    document["players"][0]["score"] = 17
    with world.work() as work:
        work.session.exec(update(Game).where(col(Game.id) == 1).values(position=json.dumps(document), digests="{}"))
    world.send("Borealis", "Add 4")
    assert world.position()["players"][0]["score"] == 17


def test_what_was_rolled_back_is_not_taken_for_what_is(world):
    world.count()
    try:
        with changing_games(world.desk) as work:
            table = work.table(1)
            work.move(table, table.ruleset.miss(table.position, "Altair").position)
            work.write()
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    with Transaction(world.desk, reads=True) as work:
        assert "Altair" in work.table(1).ruleset.awaiting(work.table(1).position)

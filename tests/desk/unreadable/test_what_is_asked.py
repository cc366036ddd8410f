"""What is kept of a question or a request, and is none of its kind: it is put aside, and no game that looks through all
questions is stopped."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from pbmd.desk.unreadable.put_aside import look
from pbmd.desk.upkeep.daily_look import look_at_all
from pbmd.ledger.tables import Confirmation, Request, RequestState
from tests.desk.unreadable.rows import Hurt, TwoGames, befall
from tests.desk.unreadable.test_columns import is_told, others_play_on
from tests.postgresql import about_files

pytestmark = about_files
OF_NOBODY = ("'{}'", "'[]'", "'null'", """'{"address": 5}'""", """'{"address": "a@b.test", "seats": [1]}'""")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoGames]:
    with closing(TwoGames(tmp_path_factory.mktemp("games"))) as games:
        yield games


@pytest.mark.parametrize("kept", OF_NOBODY)
def test_a_question_for_which_seat_a_letter_is_pauses_no_game_of_who_missed_a_deadline(games: TwoGames, kept: str) -> None:
    world = games.again()
    befall(world, Hurt("letter", "arrived_at", "'2026-11-23 20:00:05.000000'"))
    befall(world, Hurt("confirmation", "letter_id", "(SELECT max(id) FROM letter WHERE game_id = 1)"))
    befall(world, Hurt("confirmation", "seat_id", "NULL"))
    befall(world, Hurt("confirmation", "subject", "'which'"))
    hurt = Hurt("confirmation", "payload", kept)
    befall(world, hurt)
    others_play_on(world, [hurt])
    look_at_all(world.desk)
    is_told(world, [hurt])
    assert not world.rows(Confirmation)


@pytest.mark.parametrize("hurt", [Hurt("request", "payload", "'{}'"), Hurt("request", "kind", "'ruling'")])
def test_a_request_that_is_none_of_its_kind_is_ended(games: TwoGames, hurt: Hurt) -> None:
    world = games.again()
    befall(world, hurt)
    others_play_on(world, [hurt])
    look_at_all(world.desk)
    is_told(world, [Hurt("request", "payload", "")])
    assert [each.state for each in world.rows(Request)] == [RequestState.ENDED]
    assert look(world.desk, in_use=True) == []

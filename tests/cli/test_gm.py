"""`pbmd extend`, `pause`, `resume`, `resolve`, `replace` and `rotate`."""

from datetime import timedelta

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Game, GameStatus, Outbox, Report, Seat
from tests.cli.conftest import Home


@pytest.fixture
def running(home: Home) -> Home:
    home.start_game()
    return home


def game_of(home: Home) -> Game:
    return home.rows(Game)[0]


def notices(home: Home) -> list[str]:
    return [mail.recipient for mail in home.rows(Outbox, col(Outbox.kind) == "notice")]


class TestExtend:
    def test_moves_the_deadline_and_tells_everybody(self, running: Home) -> None:
        before = game_of(running).deadline
        told = running.good("extend", "galaxy-7", "1d 12h", "--because", "travel")
        assert told.startswith("galaxy-7: the deadline is 1 day 12 h later: ")
        assert game_of(running).deadline == before + timedelta(hours=36)
        assert notices(running) == ["anna@players.test", "bert@players.test"]

    def test_can_be_for_one_seat_whose_name_is_begun(self, running: Home) -> None:
        before = game_of(running).deadline
        told = running.good("extend", "galaxy-7", "24h", "--seat", "bor")
        assert "the deadline of Borealis is 1 day later" in told
        assert game_of(running).deadline == before
        assert [seat.deadline for seat in running.rows(Seat)] == [None, before + timedelta(days=1)]
        assert notices(running) == ["bert@players.test", "anna@players.test"], "who gives time to one tells all"

    def test_stands_in_the_dashboard_log_at_once(self, running: Home) -> None:
        running.good("extend", "galaxy-7", "24h")
        assert "extended" in running.log

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("galaxy-7", "soon"), '"soon" is not a length of time; write it like 72h, 3 days or 1d 12h'),
            (("galaxy-7", "0h"), "an extension is longer than nothing; write it like 24h"),
            (("galaxy-7", "1h", "--seat", "Cygnus"), 'there is no counter "Cygnus"'),
            (("nova", "1h"), 'there is no game "nova"; pbmd status lists all'),
        ],
    )
    def test_refuses_what_it_does_not_understand(self, running: Home, arguments: tuple[str, ...], said: str) -> None:
        assert running.problem("extend", *arguments) == said
        assert notices(running) == []


class TestPause:
    def test_stops_the_clock_until_resume(self, running: Home) -> None:
        assert "pbmd resume galaxy-7" in running.good("pause", "galaxy-7", "--because", "the holidays")
        assert game_of(running).status is GameStatus.PAUSED
        assert game_of(running).due_at is None
        assert running.good("resume", "galaxy-7").startswith("galaxy-7 goes on. Its deadline is ")
        assert game_of(running).status is GameStatus.RUNNING
        assert game_of(running).due_at is not None

    def test_of_a_game_that_stands_is_refused(self, running: Home) -> None:
        running.good("pause", "galaxy-7")
        assert running.problem("pause", "galaxy-7") == "galaxy-7 is paused"
        assert running.problem("extend", "galaxy-7", "1h") == "galaxy-7 is paused"

    def test_is_not_taken_back_where_there_was_none(self, running: Home) -> None:
        assert running.problem("resume", "galaxy-7") == "galaxy-7 is not paused"


class TestResolve:
    def test_asks_first_and_names_who_is_awaited(self, running: Home) -> None:
        done = running.run("resolve", "galaxy-7", answer="n\n")
        assert done.exit_code == 1
        assert "Altair and Borealis have sent nothing, and would miss it. Resolve turn 1 of galaxy-7 now?" in done.stdout
        assert game_of(running).turn == 1

    def test_resolves_after_yes(self, running: Home) -> None:
        told = running.good("resolve", "galaxy-7", answer="y\n")
        assert told.endswith("galaxy-7: turn 1 is resolved; the reports are in the outbox.\n")
        assert game_of(running).turn == 2
        assert {report.step for report in running.rows(Report)} == {-1, 0}

    def test_does_not_ask_when_told_so(self, running: Home) -> None:
        assert running.good("resolve", "galaxy-7", "--yes").startswith("galaxy-7: turn 1 is resolved")

    def test_without_anybody_to_ask_does_nothing(self, running: Home) -> None:
        assert running.run("resolve", "galaxy-7").exit_code == 1
        assert game_of(running).turn == 1

    def test_of_a_game_in_sign_up_is_refused(self, home: Home) -> None:
        home.good("new", "later", "--ruleset", "count")
        assert home.problem("resolve", "later", "--yes") == "later has not begun"


class TestSeats:
    """`pbmd replace` and `pbmd rotate`."""

    def test_a_seat_is_offered_and_stays_as_it_is_until_the_answer(self, running: Home) -> None:
        told = running.good("replace", "galaxy-7", "bor", "--by", "Dora@players.test", "--holder", "Dora", answer="y\n")
        assert "Dora@players.test is asked to take over Borealis" in told
        (question,) = running.rows(Outbox, col(Outbox.kind) == "question")
        assert question.recipient == "dora@players.test"
        assert running.rows(Seat)[1].address == "bert@players.test"
        assert "offered" in running.log

    def test_a_seat_that_is_played_is_offered_only_if_that_is_meant_and_its_holder_told(self, running: Home) -> None:
        arguments = ("replace", "galaxy-7", "bor", "--by", "dora@players.test")
        done = running.run(*arguments, answer="n\n")
        assert "Borealis is played by bert@players.test. It would be offered to dora@players.test." in done.output
        assert done.exit_code != 0
        assert (notices(running), running.rows(Outbox, col(Outbox.kind) == "question")) == ([], [])
        running.good(*arguments, "--yes")
        assert notices(running) == ["bert@players.test"]
        running.good("eject", "galaxy-7", "bor", "--yes")
        told = running.good("replace", "galaxy-7", "bor", "--by", "emil@players.test")  # nobody plays it, so nobody is asked
        assert "emil@players.test is asked to take over Borealis" in told

    def test_an_offer_that_cannot_be_is_one_line(self, running: Home) -> None:
        problem = running.problem("replace", "galaxy-7", "Borealis", "--by", "anna@players.test")
        assert problem == "anna@players.test has another seat in galaxy-7"
        assert "Mars" in running.problem("replace", "galaxy-7", "Borealis", "--by", "d@players.test", "--timezone", "Mars")

    def test_a_new_secret_is_sent_to_the_holder_and_shown_to_nobody_else(self, running: Home) -> None:
        before = running.rows(Seat)[1].token_generation
        told = running.good("rotate", "galaxy-7", "Borealis")
        assert running.rows(Seat)[1].token_generation == before + 1
        assert notices(running) == ["bert@players.test"]
        mail = running.rows(Outbox, col(Outbox.kind) == "notice")[0]
        token = mail.raw.partition(b"p2.")[2][:16].decode()
        assert len(token) == 16
        assert token not in told + running.log

"""`pbmd deadline`, `rollback`, `eject`, `offer`, `announce`, `approve`, `refuse`, `set`, `peek`, `abandon` and `gm-mail`."""

import pytest
from sqlmodel import col

from pbmd.cli.desk import at_desk
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, Outbox, Seat, SeatState, Visitor, VisitorKind
from tests.cli.conftest import Home
from tests.cli.test_status import change


@pytest.fixture
def running(home: Home) -> Home:
    home.start_game()
    return home


def game_of(home: Home) -> Game:
    return home.rows(Game)[0]


def kinds(home: Home) -> list[str]:
    return [entry.kind for entry in home.rows(JournalEntry)]


def mails(home: Home, kind: str) -> list[str]:
    return [mail.recipient for mail in home.rows(Outbox, col(Outbox.kind) == kind)]


def test_a_later_deadline_is_set_at_once_and_an_earlier_one_asked_about(running: Home) -> None:
    before = game_of(running).deadline
    assert "The deadline of turn 1 is" in running.good("deadline", "galaxy-7", "in 9 days", "--because", "a journey")
    later = game_of(running).deadline
    assert before is not None
    assert later is not None
    assert later > before
    assert running.run("deadline", "galaxy-7", "in 1 day", answer="n\n").exit_code != 0
    assert game_of(running).deadline == later
    running.good("deadline", "galaxy-7", "in 1 day", "--yes")
    assert game_of(running).deadline < later


def test_what_is_done_stands_in_journal_and_log_with_its_cause(running: Home) -> None:
    running.good("announce", "galaxy-7", "The holidays are near.")
    assert '"cause":"the command line"' in running.rows(JournalEntry)[-1].secret
    assert "announced" in running.log
    assert len(mails(running, "notice")) == 2


def test_a_turn_is_rolled_back_when_that_is_confirmed(running: Home) -> None:
    running.good("resolve", "galaxy-7", "--yes")
    done = running.run("rollback", "galaxy-7", "1", answer="n\n")
    assert "would be undone" in done.output
    assert game_of(running).turn == 2
    assert "is back at the beginning of turn 1" in running.good("rollback", "galaxy-7", "1", "--yes")
    assert game_of(running).turn == 1
    assert running.problem("rollback", "galaxy-7", "1", "--yes").startswith("turn 1 of galaxy-7 is not resolved")


def test_a_seat_is_taken_from_its_player(running: Home) -> None:
    assert running.run("eject", "galaxy-7", "bor", answer="n\n").exit_code != 0
    told = running.good("eject", "galaxy-7", "bor", "--because", "silence", "--yes")
    assert "Borealis is empty. pbmd offer galaxy-7 Borealis or pbmd replace galaxy-7 Borealis --by ADDRESS" in told
    assert running.rows(Seat)[1].state is SeatState.RESIGNED
    assert running.problem("eject", "galaxy-7", "bor", "--yes") == "nobody holds Borealis in galaxy-7"
    assert running.problem("offer", "galaxy-7", "bor") == "nobody stands by for galaxy-7"


def test_a_seat_that_is_asleep_is_woken(running: Home) -> None:
    assert running.problem("wake", "galaxy-7", "bor") == "Borealis is not asleep"
    seat = running.rows(Seat)[1]
    seat.asleep_since = 0
    change(running, seat)
    assert "Borealis; pbmd wake" in running.good("status")
    assert "Borealis is awake" in running.good("wake", "galaxy-7", "bor", "--because", "he was in hospital")
    assert kinds(running)[-1] == "awake"
    assert running.rows(Seat)[1].is_awake
    assert mails(running, "notice") == ["bert@players.test", "anna@players.test"]


def test_there_is_nothing_to_approve_or_to_refuse(running: Home) -> None:
    assert running.problem("approve", "galaxy-7", "1") == "there is no request 1 in galaxy-7"
    assert running.problem("refuse", "galaxy-7", "1", "--because", "no") == "there is no request 1 in galaxy-7"


def test_an_option_is_set_and_those_that_can_be_are_listed(running: Home) -> None:
    assert "target (whole number" in running.good("set", "galaxy-7")
    assert "target is 50 from now on" in running.good("set", "galaxy-7", "target", "50", "--yes")
    assert running.problem("set", "galaxy-7", "die", "true").startswith('"die" cannot be changed in mid-game')
    assert running.run("set", "galaxy-7", "target").exit_code == 2


def test_a_peek_shows_and_tells(running: Home) -> None:
    assert running.run("peek", "galaxy-7", "Altair", answer="n\n").exit_code != 0
    assert "peeked" not in kinds(running)
    assert "no orders are in" in running.good("peek", "galaxy-7", "Altair", "--yes")
    assert mails(running, "notice") == ["anna@players.test", "bert@players.test"]


def test_a_game_is_abandoned(running: Home) -> None:
    running.good("abandon", "galaxy-7", "--because", "the end", "--yes")
    assert game_of(running).status is GameStatus.FINISHED
    assert running.problem("abandon", "galaxy-7", "--yes") == "galaxy-7 is over already"
    assert running.problem("resolve", "galaxy-7") == "galaxy-7 is over", "nobody is asked first"


def test_a_game_that_moved_while_the_question_was_thought_about_is_left_alone(
    running: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(*_: object, **__: object) -> bool:
        running.good("resolve", "galaxy-7", "--yes")
        return True

    monkeypatch.setattr("pbmd.cli.gm_commands.typer.confirm", meanwhile)
    problem = running.problem("abandon", "galaxy-7")
    assert problem.startswith("nothing was done, for turn 1 was resolved, and it is turn 2 now; give the command again")
    assert game_of(running).status is GameStatus.RUNNING


def test_what_does_not_touch_the_question_is_no_reason_to_leave_it_alone(
    running: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(*_: object, **__: object) -> bool:
        running.good("announce", "galaxy-7", "Good luck!")
        running.good("extend", "galaxy-7", "1h")
        return True

    monkeypatch.setattr("pbmd.cli.gm_commands.typer.confirm", meanwhile)
    assert "galaxy-7 is over" in running.good("abandon", "galaxy-7")


def test_a_seat_that_is_played_is_offered_to_the_list_only_if_that_is_meant(running: Home) -> None:
    with at_desk(running.settings) as desk, changing_games(desk) as work:
        who = {"kind": VisitorKind.STANDBY, "game_id": None, "address": "dora@players.test", "since": work.now}
        work.session.add(Visitor(**who))
        work.session.flush()
    done = running.run("offer", "galaxy-7", "bor", answer="n\n")
    assert "It would be offered to 1 on the standby list" in done.output
    assert mails(running, "question") == []
    assert "Whoever plays it is told." in running.good("offer", "galaxy-7", "bor", answer="y\n")
    assert (mails(running, "question"), mails(running, "notice")) == (["dora@players.test"], ["bert@players.test"])


def test_the_game_master_gets_a_mail_to_reply_to(running: Home) -> None:
    running.good("gm-mail", "galaxy-7")
    running.good("gm-mail", "galaxy-7", "--new-token")
    assert mails(running, "alarm")[-2:] == ["gm@pbmd.test", "gm@pbmd.test"]
    first, second = (mail.message_id for mail in running.rows(Outbox, col(Outbox.kind) == "alarm")[-2:])
    assert first.split(".")[2] != second.split(".")[2]
    assert game_of(running).gm_generation == 2


@pytest.mark.parametrize("command", ["deadline", "rollback", "eject", "offer", "wake", "announce", "approve", "refuse", "peek"])
def test_there_must_be_such_a_game(running: Home, command: str) -> None:
    word = {"rollback": "1", "approve": "1", "refuse": "1", "deadline": "in 9 days"}.get(command, "Altair")
    assert running.problem(command, "nova", word).startswith('there is no game "nova"')


def test_quiet_days_and_holidays_are_named(running: Home) -> None:
    assert "on these days: Saturday, Sunday (Europe/Berlin)" in running.good(
        "quiet", "galaxy-7", "saturday,sunday", "--zone", "Europe/Berlin"
    )
    assert "Thu 24 Dec 2026 to Sat 2 Jan 2027" in running.good("holiday", "galaxy-7", "2026-12-24", "--to", "2027-01-02")
    running.good("holiday", "galaxy-7", "2026-12-24", "--to", "2027-01-02", "--drop", "--because", "nobody is away")
    assert "is no holiday" in running.problem("holiday", "galaxy-7", "2026-12-24", "--drop")
    assert "is no weekday" in running.problem("quiet", "galaxy-7", "someday")
    assert "Deadlines may fall on any day again." in running.good("quiet", "galaxy-7", "none")


def test_a_player_is_told_the_times_in_their_zone(running: Home) -> None:
    assert "Borealis gets the times in Europe/London" in running.good("timezone", "galaxy-7", "bor", "london")
    assert "there is no time zone" in running.problem("timezone", "galaxy-7", "bor", "atlantis")


def token_of_gm(home: Home) -> str:
    """The game master's for galaxy-7, out of a mail that shows it."""
    home.good("gm-mail", "galaxy-7")
    return home.rows(Outbox, col(Outbox.kind) == "alarm")[-1].message_id.split(".")[2]


@pytest.mark.parametrize(
    "command",
    [
        ("announce", "galaxy-7", "Write to games+g1p0.{}@pbmd.test"),
        ("pause", "galaxy-7", "--because", "see {}"),
        ("extend", "galaxy-7", "1h", "--because", "#orders g1p0.{}"),
        ("deadline", "galaxy-7", "in 9 days", "--because", "{}"),
        ("eject", "galaxy-7", "bor", "--yes", "--because", "{}"),
        ("set", "galaxy-7", "target", "50", "--yes", "--because", "{}"),
        ("peek", "galaxy-7", "bor", "--yes", "--because", "{}"),
        ("quiet", "galaxy-7", "sunday", "--because", "{}"),
        ("abandon", "galaxy-7", "--yes", "--because", "{}"),
    ],
    ids=lambda command: command[0],
)
def test_a_token_in_what_is_typed_is_passed_on_to_nobody(running: Home, command: tuple[str, ...]) -> None:
    token = token_of_gm(running)
    done = running.run(*(word.format(token.upper()) for word in command))
    assert done.exit_code == 0, done.output
    assert "there was a secret token in your words" in done.stderr
    told = running.rows(Outbox, col(Outbox.kind) == "notice")
    assert told
    assert all(token not in mail.raw.decode().lower() for mail in told)
    assert token not in running.log.lower()
    assert all(token not in (entry.public + entry.secret).lower() for entry in running.rows(JournalEntry))
    assert "xxxxxxxxxxxxxxxx" in told[-1].raw.decode()


def test_a_name_with_a_token_is_taken_by_no_command(running: Home) -> None:
    token = token_of_gm(running)
    players = (
        f'[[players]]\nseat = "{token}"\naddress = "anna@players.test"\n\n[[players]]\nseat = "B"\naddress = "b@players.test"\n'
    )
    for arguments in (
        ("new", token, "--ruleset", "count"),
        ("new", "nova", "--ruleset", "count", "--players", running.write("others.toml", players)),
    ):
        assert "there is a secret token in it, which others would read" in running.problem(*arguments)
    assert len(running.rows(Game)) == 1

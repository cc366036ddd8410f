"""`pbmd letters` and `pbmd letter`."""

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.ingest import store
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, Outbox
from pbmd.post.imap.fetched import Fetched
from pbmd.settings import read_settings
from pbmd.terms.times import describe_time
from tests.cli.conftest import Home
from tests.desk.world import body_of, message_of

TEXT = "Add 3\nAdd 4 \u20ac\n\x1b[31mred"


@pytest.fixture
def running(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A game with two letters: one that was dealt with, and one of Altair that met a defect."""

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    home.start_game()
    with monkeypatch.context() as patch:
        receive(home, 1, "orders", "STATUS")
        patch.setattr("pbmd.desk.player.serve.take_orders", breaks)
        receive(home, 2, "more orders", TEXT)
    return home


def reply_to(home: Home) -> str:
    return str(message_of(home.rows(Outbox)[0])["Reply-To"])


def token(home: Home) -> str:
    return reply_to(home).partition(".")[2].partition("@")[0]


def receive(home: Home, uid: int, subject: str, text: str, *, to: str = "", untold: bool = False) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "anna@players.test", to or reply_to(home), subject
    mail["Message-ID"] = f"<{uid}@players.test>"
    mail.set_content(text, cte="8bit")
    raw = mail.as_bytes()
    desk = desk_of(home)
    at = datetime.now(UTC)
    store(desk, "INBOX", [Fetched(1, uid, at, len(raw), raw, truncated=False, arrival_is_of_scan=untold)])
    process_letters(desk)
    desk.engine.dispose()


def desk_of(home: Home) -> Desk:
    return open_desk(read_settings(home.settings))


def test_the_list_tells_whose_they_are_and_what_became_of_them(running: Home) -> None:
    first, second = running.json("letters")
    assert (first["letter"], first["game"], first["seat"], first["state"]) == (1, "galaxy-7", "Altair", "done")
    assert (second["letter"], second["seat"], second["state"]) == (2, "Altair", "quarantined")
    assert "ZeroDivisionError" in second["note"]
    printed = running.good("letters")
    assert "quarantined" in printed
    assert "Add 3" not in printed


def test_the_list_has_times_as_the_page_of_a_letter_has_them(running: Home) -> None:
    arrived = datetime.fromisoformat(running.json("letters", "--quarantined")[0]["arrived_at"])
    told = describe_time(arrived, seconds=True)
    assert told in running.good("letters", "--quarantined")
    assert told in running.good("letter", "2", "--yes")


def test_only_those_put_aside_or_only_the_last_can_be_listed(running: Home) -> None:
    narrow = running.run("letters", "--quarantined", width=40).stdout.splitlines()
    assert narrow[0] == "letter: 2"
    assert narrow[2] == "state: quarantined"
    assert max(map(len, narrow)) <= 40
    assert [row["letter"] for row in running.json("letters", "--quarantined")] == [2]
    assert [row["letter"] for row in running.json("letters", "--lines", "1")] == [2]


def test_held_letters_can_be_listed_without_what_is_in_them(running: Home) -> None:
    receive(running, 3, "held", "Add 5", to="games@pbmd.test")
    (row,) = running.json("letters", "--held")
    assert (row["letter"], row["state"], row["game"], row["seat"], row["note"]) == (3, "held", "galaxy-7", "Altair", "no token")
    assert "Add 5" not in running.good("letters", "--held")
    assert [row["letter"] for row in running.json("letters", "--held", "--quarantined")] == [2, 3]


def test_a_letter_of_a_game_that_runs_is_shown_before_all_eyes(running: Home) -> None:
    asked = running.run("letter", "1", answer="n\n")
    assert "All players would be told that you have seen it." in asked.output
    assert "STATUS" not in asked.output
    before = len(running.rows(Outbox))
    assert "STATUS" in running.good("letter", "1", "--yes")
    told = running.rows(Outbox)[before:]
    assert [mail.recipient for mail in told] == ["anna@players.test", "bert@players.test"]
    assert "has seen a letter of Altair" in " ".join(body_of(told[0]).split())
    assert "peeked" in running.log


def test_without_letters_it_says_so(home: Home) -> None:
    assert home.good("letters") == "no letters\n"


def test_a_letter_is_shown_without_its_token_and_without_control_characters(running: Home) -> None:
    shown = running.good("letter", "2", "--yes")
    assert "state       quarantined" in shown
    assert "Subject: more orders" in shown
    assert "Add 4 \u20ac" in shown
    assert "\\x1b[31mred" in shown
    assert token(running) not in shown
    assert "p1.xxxxxxxxxxxxxxxx@" in shown


def test_of_one_whose_arrival_the_server_did_not_tell_this_is_said(running: Home) -> None:
    receive(running, 3, "orders", "STATUS", untold=True)
    assert "(when pbmd read it: the mail server told no time)\n" in running.good("letter", "3", "--yes")
    assert "told no time" not in running.good("letter", "1", "--yes")


def test_its_bytes_are_given_as_they_are_when_asked_for(running: Home) -> None:
    done = CliRunner().invoke(app, ["letter", "2", "--yes", "--raw", "--settings", str(running.settings)])
    assert done.stdout_bytes == running.rows(Letter)[1].raw
    assert token(running).encode() in done.stdout_bytes


def test_one_that_was_put_aside_can_be_tried_again(running: Home) -> None:
    assert "Letter 2 is dealt with again" in running.good("letter", "2", "--retry")
    assert running.rows(Letter)[1].state is LetterState.NEW
    assert "retried" in running.log


def test_when_the_game_goes_on_its_letters_are_tried_again(running: Home) -> None:
    assert running.rows(Game)[0].status is GameStatus.PAUSED
    running.good("resume", "galaxy-7")
    assert running.rows(Letter)[1].state is LetterState.NEW


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("7",), "there is no letter 7"),
        (("7", "--retry"), "there is no letter 7"),
        (("1", "--retry"), "letter 1 was not put aside, so it cannot be tried again"),
        (("2", "--retry", "--raw"), "only one of --raw, --retry and --give-up"),
    ],
)
def test_what_cannot_be_is_one_line(running: Home, arguments: tuple[str, ...], said: str) -> None:
    assert running.problem("letter", *arguments) == said


def test_a_turn_is_not_resolved_over_letters_that_wait(running: Home) -> None:
    running.good("resume", "galaxy-7")
    assert running.problem("resolve", "galaxy-7", "--yes") == "letters are being dealt with; try again in a moment"

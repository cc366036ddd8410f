"""`pbmd status` and `pbmd log`."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlmodel import Session

from pbmd.cli.status import read_state
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Letter, LetterState, LogLine, Mailbox, Outbox, OutboxState, Request
from tests.cli.conftest import PLAYERS, Home
from tests.cli.interruptible import interrupt, running
from tests.desk.world import World
from tests.rules import count, relay, tides


def change(home: Home, *rows: object) -> None:
    """Put rows into the ledger, or new values of rows that are in it."""
    engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
    try:
        with Session(engine) as session:
            for row in rows:
                session.merge(row)
            session.commit()
    finally:
        engine.dispose()


class TestStatus:
    def test_without_a_game_says_how_to_make_one(self, home: Home) -> None:
        assert "pbmd new makes one" in home.good("status")

    def test_shows_each_game_in_a_row(self, home: Home) -> None:
        home.start_game()
        home.good("new", "later", "--ruleset", "count")
        rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in home.good("status").splitlines()]
        running, later = (next(row for row in rows if row[0] == name) for name in ("galaxy-7", "later"))
        assert running[1:5] == ["count", "running", "1", "0 of 2"]
        assert running[5].endswith("2 days 23 h left")
        assert running[6] == "Altair, Borealis"
        assert later[1:] == ["count", "signup", "", "0 seats", "", ""]

    def test_tells_how_a_game_ended_and_that_nobody_has_won(self, home: Home) -> None:
        home.start_game()
        assert home.json("status")["games"][0]["outcome"] == ""
        home.good("abandon", "galaxy-7", "--because", "no time", "--yes")
        told = "the game master has abandoned the game: no time. Nobody has won."
        assert home.json("status")["games"][0]["outcome"] == told
        assert f"galaxy-7: {told}" in home.good("status")

    def test_tells_who_has_won(self, tmp_path: Path) -> None:
        with closing(World(tmp_path)) as world:
            world.count(target=5)
            world.send("Altair", "Add 9")
            world.pass_time(timedelta(days=4))
            with Transaction(world.desk, reads=True) as work:
                (game,) = read_state(work).games
        assert (game.status, game.outcome) == ("finished", "the target was reached. Winner: Altair.")

    def test_is_a_block_for_each_game_on_a_narrow_screen(self, home: Home) -> None:
        home.start_game()
        lines = home.run("status", width=40).stdout.splitlines()
        assert lines[:5] == ["game: galaxy-7", "ruleset: count", "status: running", "turn: 1", "orders: 0 of 2"]
        assert "awaited: Altair, Borealis" in lines
        assert "mailbox: games@127.0.0.1/INBOX: not read" in lines
        assert max(map(len, lines)) <= 40

    def test_counts_no_orders_where_one_moves_after_the_other(self, home: Home) -> None:
        # That a move was sent ahead is nobody's business, and none on file is no news.
        folders = str(Path(count.__file__).parent), str(Path(relay.__file__).parent)
        home.settings.write_text(home.settings.read_text().replace(*folders))
        home.good("new", "cluster", "--ruleset", "relay", "--players", home.write("players.toml", PLAYERS))
        row = next(line for line in home.good("status").splitlines() if "cluster" in line)
        assert [cell.strip() for cell in row.strip("│").split("│")][4] == "2 seats"
        [game] = home.json("status")["games"]
        assert (game["seats"], game["sheets"], game["awaited"]) == (2, None, ["Altair", "Borealis"])

    def test_tells_the_phase_and_counts_those_with_a_part_in_it(self, home: Home) -> None:
        folders = str(Path(count.__file__).parent), str(Path(tides.__file__).parent)
        home.settings.write_text(home.settings.read_text().replace(*folders))
        home.good("new", "islands", "--ruleset", "tides", "--players", home.write("players.toml", PLAYERS))
        question = home.run("resolve", "islands", answer="y\n").stdout
        assert "Altair and Borealis have sent nothing, and would miss it. Resolve set-up of islands now?" in question
        assert "islands: set-up is resolved; the reports are in the outbox." in question
        row = next(line for line in home.good("status").splitlines() if "islands" in line)
        cells = [cell.strip() for cell in row.strip("│").split("│")]
        assert (cells[3], cells[4], cells[6]) == ("1 phase 1a", "0 of 1", "Altair")
        [game] = home.json("status")["games"]
        assert (game["turn"], game["step_name"], game["awaited"]) == (1, "phase 1a", ["Altair"])
        told = home.good("export", "islands", "--to", str(home.folder / "archive"))
        assert "1 resolved steps, 0 letters" in told
        assert "Phase 1a of turn 1 is not resolved" in told

    def test_can_be_of_one_game(self, home: Home) -> None:
        home.start_game()
        home.good("new", "later", "--ruleset", "count")
        assert [game["name"] for game in home.json("status", "later")["games"]] == ["later"]
        assert home.problem("status", "nova") == 'there is no game "nova"; pbmd status lists all'

    def test_as_json_has_everything_for_machines(self, home: Home) -> None:
        home.start_game()
        state = home.json("status")
        [game] = state["games"]
        assert {key: game[key] for key in ("name", "ruleset", "status", "turn", "seats", "sheets", "awaited")} == {
            "name": "galaxy-7",
            "ruleset": "count",
            "status": "running",
            "turn": 1,
            "seats": 2,
            "sheets": 0,
            "awaited": ["Altair", "Borealis"],
        }
        assert game["deadline"].endswith("Z")
        assert 71 * 3600 < game["left_seconds"] <= 72 * 3600
        assert state["mailbox"]["name"] == "games@127.0.0.1/INBOX"
        assert state["mailbox"]["read_through"] is None
        assert (state["outbox"]["queued"], state["outbox"]["failed"]) == (2, 0)

    def test_lists_what_waits_for_the_game_masters_word(self, home: Home) -> None:
        home.start_game()
        asked = {"words": "Altair asks for 3 days more.", "asked_at": datetime.now(UTC)}
        change(home, Request(game_id=1, number=1, kind="extension", **asked))
        assert "1 in galaxy-7: Altair asks for 3 days more." in home.good("status")
        assert home.json("status")["requests"] == [{"game": "galaxy-7", "number": 1, "words": "Altair asks for 3 days more."}]

    def test_tells_how_long_ago_the_mailbox_was_read(self, home: Home) -> None:
        home.good("status")
        change(home, Mailbox(name="games@127.0.0.1/INBOX", read_through=datetime(2020, 1, 1, tzinfo=UTC)))
        assert home.json("status")["mailbox"]["read_through"] == "2020-01-01T00:00:00Z"
        assert "read to its end" in home.good("status")

    def test_tells_of_mail_that_was_given_up(self, home: Home) -> None:
        home.start_game()
        mail: Outbox = home.rows(Outbox)[0]
        mail.state, mail.error = OutboxState.FAILED, "550 no such user"
        change(home, mail)
        state = home.json("status")["outbox"]
        assert (state["queued"], state["failed"], state["last_error"]) == (1, 1, "550 no such user")
        assert "1 given up" in home.good("status")

    def test_tells_of_letters_in_quarantine(self, home: Home) -> None:
        home.good("status")
        letter = Letter(
            fingerprint="f",
            uid=1,
            arrived_at=datetime(2026, 11, 20, tzinfo=UTC),
            size=1,
            raw=b"x",
            state=LetterState.QUARANTINED,
            note="KeyError in receive:12",
        )
        change(home, letter)
        assert "letter 1 of Fri 20 Nov 2026 00:00 UTC: KeyError in receive:12" in home.good("status")
        assert home.json("status")["quarantined"][0]["note"] == "KeyError in receive:12"

    def test_shows_names_as_they_are_and_no_control_characters(self, home: Home) -> None:
        home.start_game()
        mail: Outbox = home.rows(Outbox)[0]
        mail.error = "550 [red]alarm[/red] \x1b[31m"
        change(home, mail)
        shown = home.good("status")
        assert "[red]alarm[/red]" in shown
        assert "\x1b" not in shown

    def test_has_no_secret_in_it(self, home: Home) -> None:
        home.start_game()
        for shown in (home.good("status"), home.good("status", "--json"), home.good("log")):
            assert "hunter2" not in shown
            assert "anna@players.test" not in shown
            assert "+g1p1" not in shown


class TestLog:
    def test_shows_what_stands_in_the_dashboard_log(self, home: Home) -> None:
        home.start_game()
        assert home.good("log") == home.log
        assert "started" in home.log

    def test_can_be_of_one_game(self, home: Home) -> None:
        home.start_game()
        home.good("new", "later", "--ruleset", "count")
        assert [line.split()[2] for line in home.good("log", "later").splitlines()] == ["later"]
        assert home.problem("log", "nova") == 'there is no game "nova"; pbmd status lists all'

    def test_begins_with_so_many_lines(self, home: Home) -> None:
        home.start_game()
        assert home.good("log", "--lines", "2").splitlines() == home.log.splitlines()[-2:]
        assert home.good("log", "--lines", "0") == ""

    def test_follows_new_lines_until_interrupted(self, home: Home) -> None:
        home.start_game()
        with running("log", "--follow", "--lines", "1", "--settings", str(home.settings)) as process:
            assert process.stdout is not None
            assert "started" in process.stdout.readline()
            change(home, LogLine(at=datetime(2026, 11, 20, tzinfo=UTC), what="wonder", detail="seen"))
            assert "wonder" in process.stdout.readline()
            assert interrupt(process) == 0

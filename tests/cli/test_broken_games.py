"""With a game that cannot go on, every command does what it can, says what is wrong with that game, and has no traceback."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, select, update

from pbmd.cli.commands import COMMANDS
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Game, GameStatus, JournalEntry
from tests.cli.conftest import PLAYERS, Home

SECRET = "xyzzy"
PLACE = "the ruleset count cannot read the position: PositionError in pbmd_ruleset_count._load, line "
AT = ", at players[0].score"


def change(home: Home, name: str, **values: object) -> None:
    engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
    with Session(engine) as session:
        session.exec(update(Game).where(col(Game.name) == name).values(digests="{}", **values))
        session.commit()
    engine.dispose()


def game_named(home: Home, name: str) -> Game:
    [game] = home.rows(Game, col(Game.name) == name)
    return game


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a home with such games, made once because that takes longer than a test."""
    home = Home(tmp_path_factory.mktemp("shelf"))
    home.write_settings()
    for name in ("broken", "lost", "galaxy-7"):
        home.start_game(name)
    [game] = home.rows(Game, col(Game.name) == "broken")
    document = json.loads(game.position)
    document["players"][0]["score"] = SECRET
    change(home, "broken", position=json.dumps(document))
    change(home, "lost", ruleset="gone")
    return home.folder


@pytest.fixture
def shelf(made: Path, tmp_path: Path) -> Home:
    """A game whose position cannot be read, one whose ruleset is gone, and one in order, made in this order."""
    return Home(shutil.copytree(made, tmp_path / "shelf"))


def test_status_shows_all_games_and_says_of_two_what_is_wrong(shelf: Home) -> None:
    done = shelf.run("status")
    assert done.exit_code == 1
    for name in ("broken", "lost", "galaxy-7"):
        assert f"│ {name} " in done.stdout
    said = " ".join(done.stdout.replace("│", " ").split())
    assert f"broken broken: {PLACE}" in said
    assert AT in said
    assert 'broken lost: there is no ruleset "gone".' in said
    assert "2 seats" not in next(row for row in done.stdout.splitlines() if "galaxy-7" in row)
    assert SECRET not in done.output


def test_status_of_one_game_minds_no_other(shelf: Home) -> None:
    assert "galaxy-7" in shelf.good("status", "galaxy-7")
    done = shelf.run("status", "broken")
    assert (done.exit_code, AT in " ".join(done.stdout.replace("│", " ").split())) == (1, True)


def test_status_as_json_has_the_trouble(shelf: Home) -> None:
    done = shelf.run("status", "--json")
    assert done.exit_code == 1
    found = {game["name"]: game for game in json.loads(done.stdout)["games"]}
    assert found["broken"]["trouble"].startswith(PLACE)
    assert found["lost"]["trouble"].startswith('there is no ruleset "gone"')
    assert (found["galaxy-7"]["trouble"], found["galaxy-7"]["awaited"]) == ("", ["Altair", "Borealis"])


def test_resume_says_what_is_wrong_in_one_line(shelf: Home) -> None:
    shelf.good("pause", "broken")
    said = shelf.problem("resume", "broken", code=1)
    assert said.startswith(f"broken: {PLACE}")
    assert said.endswith(AT)
    assert shelf.json("status", "galaxy-7")["games"][0]["status"] == "running"
    change(shelf, "broken", position=shelf.rows(Game, col(Game.name) == "galaxy-7")[0].position)
    assert "broken goes on" in shelf.good("resume", "broken")


@pytest.mark.parametrize("name", ["broken", "lost"])
@pytest.mark.parametrize("command", ["extend", "deadline", "quiet", "holiday"])
def test_what_would_set_its_clock_is_refused_and_changes_nothing(shelf: Home, command: str, name: str) -> None:
    before = game_named(shelf, name)
    shelf.problem(command, *(word.format(game=name) for word in CALLS[command]), code=1)
    assert game_named(shelf, name) == before


@pytest.mark.parametrize("name", ["broken", "lost"])
def test_an_announcement_goes_out_and_the_game_is_left_to_the_clock(shelf: Home, name: str) -> None:
    shelf.good("announce", name, "Hello.")
    assert game_named(shelf, name).status is GameStatus.RUNNING


def test_check_finds_every_position_that_cannot_be_read(shelf: Home) -> None:
    done = shelf.run("check", "--json")
    [positions] = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "positions"]
    assert not positions["ok"]
    assert f"broken: {PLACE}" in positions["detail"]
    assert "lost: there is no ruleset" in positions["detail"]
    assert "galaxy-7" not in positions["detail"]
    assert "pbmd rollback GAME TURN" in positions["mend"]
    assert SECRET not in done.output


def test_check_finds_those_of_games_that_are_over_too(shelf: Home) -> None:
    shelf.good("abandon", "broken", "--yes")
    done = shelf.run("check", "--json")
    [positions] = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "positions"]
    assert f"broken: {PLACE}" in positions["detail"]


def test_check_is_content_with_positions_that_can_be_read(home: Home) -> None:
    home.start_game()
    done = home.run("check", "--json")
    [positions] = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "positions"]
    assert (positions["ok"], positions["detail"]) == (True, "1 can be read")


LATER = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%d 20:00")
CALLS: dict[str, tuple[str, ...]] = {
    "check": (),
    "new": ("another", "--ruleset", "count"),
    "start": ("{game}",),
    "tick": (),
    "status": (),
    "tidy": (),
    "log": (),
    "clock": (),
    "outbox": (),
    "letters": (),
    "letter": ("1",),
    "visitors": (),
    "forget": ("ada@players.test",),
    "extend": ("{game}", "24h"),
    "pause": ("{game}",),
    "resume": ("{game}",),
    "resolve": ("{game}", "--yes"),
    "replace": ("{game}", "Altair", "--by", "dora@players.test", "--yes"),
    "rotate": ("{game}", "Altair"),
    "deadline": ("{game}", LATER, "--yes"),
    "rollback": ("{game}", "1", "--yes"),
    "eject": ("{game}", "Altair", "--yes"),
    "offer": ("{game}", "Altair", "--yes"),
    "wake": ("{game}", "Altair"),
    "no-substitute": ("{game}", "Altair"),
    "votes": ("{game}",),
    "veto": ("{game}", "1"),
    "results": (),
    "announce": ("{game}", "Hello."),
    "approve": ("{game}", "1"),
    "refuse": ("{game}", "1"),
    "set": ("{game}", "target", "21", "--yes"),
    "peek": ("{game}", "Altair", "--yes"),
    "abandon": ("{game}", "--yes"),
    "gm-mail": ("{game}",),
    "digest": ("{game}", "daily"),
    "quiet": ("{game}", "sunday"),
    "holiday": ("{game}", "2030-12-25"),
    "timezone": ("{game}", "Altair", "Europe/Berlin"),
    "standing": ("{game}", "on"),
    "backup": ("--to", "{folder}/backups"),
    "era": (),
    "key": ("{game}",),
    "export": ("{game}", "--to", "{folder}/archive-{game}"),
}
OTHERS = {
    "demo",
    "init",
    "run",
    "serve",
    "restore",
    "receipt",
    "compare",
    "verify",
    "replay",
    "diff",
    "import",
    "adjudicate",
    "rules",
}
OTHERS |= {"drain", "ledger", "play", "unlist"}
OTHERS |= {"simulate", "map", "new-ruleset", "try", "worker", "docs", "completion"}
"""They know nothing of the games in the ledger, or show no game, or do not end by themselves."""


def test_every_command_is_tried() -> None:
    assert CALLS.keys() | OTHERS == COMMANDS.keys()


@pytest.mark.parametrize("how", [["--book"], ["--zine", "0"]])
def test_no_book_and_no_newspaper_ends_in_a_traceback(shelf: Home, how: list[str]) -> None:
    for name in ("broken", "lost"):
        done = shelf.run("export", name, *how, "--to", f"{shelf.folder}/{name}.epub")
        assert isinstance(done.exception, SystemExit | None)
        assert SECRET not in done.output
    assert shelf.run("export", "galaxy-7", "--zine", "0", "--to", f"{shelf.folder}/good.epub").exit_code == 0


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("command", CALLS)
def test_no_command_ends_in_a_traceback(shelf: Home, command: str) -> None:
    names = ("broken", "lost", "galaxy-7") if "{game}" in " ".join(CALLS[command]) else ("",)
    for name in names:
        done = shelf.run(command, *(word.format(game=name, folder=shelf.folder) for word in CALLS[command]))
        assert done.exception is None or isinstance(done.exception, SystemExit), (name, done.exception)
        assert done.exit_code in (0, 1, 2), (name, done.output)
        assert SECRET not in done.output
        if name == "galaxy-7":
            assert done.exit_code == 0 or command in (
                "start",
                "standing",
                "resume",
                "rollback",
                "offer",
                "wake",
                "no-substitute",
                "veto",
                "approve",
                "refuse",
            ), done.output


@pytest.mark.parametrize(
    ("kind", "key"),
    [("resolved", "step"), ("resolved", "turn"), ("resolved", "cause"), ("joined", "number"), ("created", "options")],
)
def test_an_entry_that_lacks_what_its_kind_has_is_told_without_a_traceback(home: Home, kind: str, key: str) -> None:
    home.start_game("galaxy-7")
    home.good("resolve", "galaxy-7", "--yes")
    engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
    with Session(engine) as session:
        entry = session.exec(select(JournalEntry).where(JournalEntry.kind == kind)).first()
        assert entry is not None
        entry.public = json.dumps({name: value for name, value in json.loads(entry.public).items() if name != key})
        session.add(entry)
        session.commit()
    engine.dispose()
    done = home.run("export", "galaxy-7", "--to", f"{home.folder}/archive")
    assert done.exit_code == 1
    assert f"galaxy-7: an entry of its journal is not what its kind has: {key}: " in " ".join(done.output.split())


def test_a_new_game_begins_beside_them(shelf: Home) -> None:
    assert "has begun" in shelf.good("new", "another", "--ruleset", "count", "--players", shelf.write("more.toml", PLAYERS))

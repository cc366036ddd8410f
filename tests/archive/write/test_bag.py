"""An archive is a bag with documents that keep to their schemas, a database and an index of its words."""

import json
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import bagit
import pytest

from pbmd.archive.format.seals import PAGE, PROGRAM, SOURCE
from pbmd.edition import ruleset_digest
from pbmd.rendering.picture import drawn_svg, picture_file, picture_within
from pbmd.resources import folder as shipped
from pbmd.rules.registry import get
from tests.archive.kept import archived, conquered, names
from tests.desk.world import World
from tests.rulesets.cosmic_conquest.desk import conquest
from tests.schemas import Draft202012Validator, ValidationError, validate

VIEWS = ("all", "public", "seat:Red")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = conquered(tmp_path_factory.mktemp("desk"))
    yield world
    world.close()


@pytest.fixture(scope="module")
def payloads(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("archives")
    made = {view: archived(world, home / view.replace(":", "-"), view) for view in VIEWS}
    return made | {"anonymised": archived(world, home / "anonymised", anonymised=True)}


def test_any_bagit_program_finds_it_whole(payloads: dict[str, Path]) -> None:
    for payload in payloads.values():
        bag = bagit.Bag(str(payload.parent))
        assert bag.validate()
        assert (bag.version_info, sorted(bag.algorithms)) == ((1, 0), ["sha256", "sha512"])
        assert bag.info["External-Identifier"] == tomllib.loads((payload / "game.toml").read_text())["journal"]["head"]


def test_any_bagit_program_notices_a_changed_byte(world: World, tmp_path: Path) -> None:
    payload = archived(world, tmp_path / "a", "public")
    path = payload / "turns/001/reports/public.txt"
    path.write_text(path.read_text().replace("Sol", "Sel", 1))
    with pytest.raises(bagit.BagValidationError, match=r"data/turns/001/reports/public\.txt"):
        bagit.Bag(str(payload.parent)).validate()


def _documents(payload: Path) -> Iterator[tuple[str, Any]]:
    for path in payload.rglob("*.json"):
        if path.parent.name != "schemas":
            yield path.stem, json.loads(path.read_text())
    for line in (payload / "journal.jsonl").read_text().splitlines():
        yield "journal", json.loads(line)


def _schema(folder: Path, name: str) -> Any:
    schema = json.loads((folder / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("view", [*VIEWS, "anonymised"])
def test_every_json_document_keeps_to_its_schema(payloads: dict[str, Path], view: str) -> None:
    payload = payloads[view]
    schemas = cache(partial(_schema, payload / "schemas"))
    checked = set[str]()
    for name, document in _documents(payload):
        schemas(name).validate(document)
        checked.add(name)
    restricted = {"events", "numbers", "journal"}
    assert checked == {"all": restricted | {"sheets", "dice"}, "public": restricted, "seat:Red": restricted | {"sheets"}}.get(
        view, restricted | {"sheets", "dice"}
    )
    assert {path.name.partition(".")[0] for path in (payload / "schemas").iterdir()} == restricted | {"sheets", "dice"}


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("events", [{"kind": "won", "data": {}}]),
        ("events", [{"kind": "won", "data": {}, "detail": {}, "secret": 1}]),
        ("numbers", {"Ships": {"Red": "many"}}),
        ("dice", {"step": 1, "turn": 1, "secret": "00", "commitment": "00", "context": "", "rolls": [], "text": ""}),
        ("journal", {"number": 0, "at": "2026-11-20T12:00:00.000000Z", "kind": "told", "hash": "0" * 64, "withheld": True}),
    ],
)
def test_the_schemas_refuse_what_no_archive_has(name: str, document: Any) -> None:
    schema = json.loads((shipped("templates") / "archive/schemas" / f"{name}.schema.json").read_text())
    with pytest.raises(ValidationError):
        validate(document, schema, Draft202012Validator)


def test_the_views_have_what_the_page_about_archives_says(payloads: dict[str, Path]) -> None:
    turn = "turns/002/"
    for_all = {"resolution.toml", "numbers.json", "events.json", *(f"reports/public.{form}" for form in ("txt", "html"))}
    red = {f"reports/1-red.{form}" for form in ("txt", "html")} | {"maps/1-red.svg", "orders.toml", "sheets.json"}
    within = {
        view: {name.removeprefix(turn) for name in names(payload) if name.startswith(turn)}
        for view, payload in payloads.items()
    }
    assert within["public"] == for_all | {"maps/public.svg"}
    assert within["seat:Red"] == within["public"] | red
    assert within["seat:Red"] < within["all"]
    assert {"position.toml", "after.toml", "dice.json", "maps/2-purple.svg"} <= within["all"]
    assert {view for view in payloads if (payloads[view] / "letters.mbox").exists()} == {"all"}


def test_what_is_brought_along_has_nothing_of_the_game(payloads: dict[str, Path], tmp_path: Path) -> None:
    """It is the same for every reader, and in an archive of another game by the same rules."""
    (tmp_path / "other").mkdir()
    other = conquest(World(tmp_path / "other"))
    archives = [payload.parent for payload in payloads.values()]
    archives.append(archived(other, tmp_path / "archive").parent)
    other.close()
    for name in (PAGE, PROGRAM, SOURCE):
        assert len({(archive / name).read_bytes() for archive in archives}) == 1, name


def test_a_seats_map_that_is_the_public_one_is_kept_once(payloads: dict[str, Path]) -> None:
    shown: set[tuple[bool, bool]] = set()
    for page in (payloads["all"] / "turns").rglob("reports/*.html"):
        name = picture_file(page.read_text())
        assert (page.parent.parent / "maps" / f"{name}.svg").is_file()
        own = page.parent.parent / "maps" / f"{page.stem}.svg"
        public = page.parent.parent / "maps" / "public.svg"
        shown.add((name == page.stem, own.exists()))
        assert page.stem == "public" or not own.exists() or own.read_text() != public.read_text()
    assert shown <= {(True, True), (False, False)}


def test_a_map_is_the_picture_of_the_report(payloads: dict[str, Path]) -> None:
    place = payloads["all"] / "turns/001"
    picture = (place / "maps/public.svg").read_text()
    assert picture.startswith("<svg xmlns=")
    page = (place / "reports/public.html").read_text()
    assert "<svg" not in page
    assert drawn_svg(picture_within(page, picture)) == picture


def test_orders_are_there_as_sent_and_as_understood(payloads: dict[str, Path]) -> None:
    sheets = json.loads((payloads["seat:Red"] / "turns/002/sheets.json").read_text())
    assert [(sheet["seat"], sheet["state"]) for sheet in sheets] == [("Red", "refused"), ("Red", "used")]
    assert sheets[1]["lines"] == ["Defend Sol with 5 units"]
    assert "Bartholomew" in sheets[0]["verdicts"][1]["text"]


def test_the_version_of_the_rules_is_that_of_their_files(payloads: dict[str, Path]) -> None:
    digest = ruleset_digest(get("cosmic_conquest"))
    assert {tomllib.loads((payload / "game.toml").read_text())["ruleset_digest"] for payload in payloads.values()} == {digest}
    assert digest != ruleset_digest(get("societies"))


class TestDatabase:
    def test_answers_questions(self, payloads: dict[str, Path]) -> None:
        with closing(sqlite3.connect(payloads["all"] / "game.sqlite")) as database:

            def ask(question: str) -> list[Any]:
                return database.execute(question).fetchall()

            assert ask("PRAGMA foreign_key_check") == []
            assert ask("PRAGMA integrity_check") == [("ok",)]
            assert ask("SELECT number, name FROM seats ORDER BY number") == [(1, "Red"), (2, "Purple"), (3, "Green")]
            assert ask("SELECT step, turn, folder FROM turns") == [(-1, 0, "000"), (0, 1, "001"), (1, 2, "002")]
            assert ask("SELECT understood FROM orders_used WHERE turn = 2 AND seat = 'Red'") == [("Defend Sol with 5 units",)]
            assert ask("SELECT count(*) FROM orders_sent WHERE state = 'refused' AND as_sent LIKE '%900 units%'") == [(1,)]
            systems = ask("SELECT seat, number FROM numbers_of_seats WHERE turn = 0 AND label = 'Systems'")
            assert systems == [("Green", 1), ("Purple", 1), ("Red", 1)]
            assert ask("SELECT count(*) FROM reports WHERE seat IS NULL") == [(3,)]
            assert ask("SELECT count(*) FROM events")[0][0] > 0
            head = tomllib.loads((payloads["all"] / "game.toml").read_text())["journal"]
            assert ask("SELECT max(number), count(*) FROM journal") == [(head["entries"], head["entries"])]
            assert ask("SELECT hash FROM journal ORDER BY number DESC LIMIT 1") == [(head["head"],)]

    def test_of_the_public_has_no_orders_and_no_reports_of_seats(self, payloads: dict[str, Path]) -> None:
        with closing(sqlite3.connect(payloads["public"] / "game.sqlite")) as database:
            tables = ("sheets", "orders", "understood", "reports WHERE seat IS NOT NULL")
            assert [database.execute(f"SELECT count(*) FROM {table}").fetchone() for table in tables] == [(0,)] * 4

    def test_puts_no_line_as_understood_beside_one_that_was_sent(self, tmp_path: Path) -> None:
        sent = ["Raise 1 Drone from Solaria", "Conquer Wolf with 1 unit"]
        with closing(conquest(World(tmp_path))) as world:
            world.send("Purple", "\n".join(sent))
            world.pass_time(timedelta(days=4))
            payload = archived(world, tmp_path / "archive")
        (sheet,) = json.loads((payload / "turns/001/sheets.json").read_text())
        assert sheet["lines"] == ["Conquer Wolf with 1 unit", "Raise a drone in Solaria"], "the rules bring them into an order"
        with closing(sqlite3.connect(payload / "game.sqlite")) as database:
            tables = {
                name: {row[1] for row in database.execute(f"PRAGMA table_info({name})")}
                for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
            }
            assert not [name for name, columns in tables.items() if "as_sent" in columns and columns & {"place", "understood"}]
            as_sent = "SELECT line, as_sent, status FROM orders_sent WHERE seat = 'Purple'"
            assert database.execute(as_sent).fetchall() == [(1, sent[0], "ok"), (2, sent[1], "ok")]
            understood = "SELECT place, understood, receipt FROM orders_used WHERE seat = 'Purple'"
            expected = [(place, line, sheet["receipt"]) for place, line in enumerate(sheet["lines"], 1)]
            assert database.execute(understood).fetchall() == expected


def test_a_program_without_pbmd_can_read_it(payloads: dict[str, Path]) -> None:
    """Nothing but the standard library of Python."""
    program = (
        "import json, mailbox, pathlib, sys, tomllib\n"
        "home = pathlib.Path(sys.argv[1])\n"
        "game = tomllib.loads((home / 'game.toml').read_text())\n"
        "turns = [tomllib.loads(path.read_text()) for path in sorted(home.glob('turns/*/resolution.toml'))]\n"
        "print(game['format'], game['view'], len(turns), len(mailbox.mbox(home / 'letters.mbox', create=False)))\n"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(payloads["all"])]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == "4 all 2 8\n"

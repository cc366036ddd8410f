"""The worked example of the specification (section 12), number for number."""

import tomllib
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli import files as files_of_the_command
from pbmd.rules import PUBLIC, seat_reader
from rulesets.societies import ruleset
from tests.rulesets.societies.example import ANN, BOB, CAT, LETTERS, POSITION, example
from tests.rulesets.societies.harness import Played, faults, filed, receive, resolve

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "data" / "samples" / "societies"
ORDERS = "".join(
    f"[[orders]]\nplayer = {player!r}\nreceived = 2026-05-01T{hour}:00:00Z\ntext = '''\n{text}\n'''\n"
    for hour, (player, text) in zip(("06", "09", "19"), LETTERS, strict=True)
)


@cache
def played() -> Played:
    return resolve(example(), LETTERS)


@pytest.mark.rule("SO-54", "SO-R09")
@pytest.mark.parametrize(
    ("seat", "text", "sheet"),
    [
        ("Cat", CAT, ("Trade with Bob x2", "Research 1", "Build city at D2, F3", "Give Bob 2 armies")),
        ("Ann", ANN, ("Spy on Bob, target research", "Buy 4 armies", "Research Industrialization", "Attack Bob with 18 armies",
                      "Targets: C1, D1")),
        ("Bob", BOB, ("Research Religion", "Build city at D2, C3", "Buy 2 armies")),
    ],
)  # fmt: skip
def test_the_letters_are_accepted_as_written(seat: str, text: str, sheet: tuple[str, ...]) -> None:
    receipt = receive(example(), seat, text)
    assert faults(receipt) == []
    assert filed(receipt) == sheet


@pytest.mark.rule("SO-15", "SO-16", "SO-64", "SO-68", "SO-79", "SO-80", "SO-R14", "SO-87", "SO-99", "SO-R17", "SO-144")
def test_the_phases_before_the_war() -> None:
    result = played()
    assert result.failed("Ann") == ["cut"]
    assert result.failed("Bob") == ["phase_negated"]
    assert result.failed("Cat") == []
    assert result.spent("Cat") == 22 - 120 + 35 + 12
    assert result.spent("Ann") == 28
    assert result.spent("Bob") == -60 + 10 + 12
    assert result.rows().split("/")[1:3] == ["aabc", "..bcc"]


@pytest.mark.rule("SO-158", "SO-159", "SO-160", "SO-165", "SO-166", "SO-168", "SO-48", "SO-126")
def test_the_resulting_position() -> None:
    before = ruleset.dump(ruleset.load(example()))
    tables = {table["name"]: table for table in before["society"]}
    tables["Ann"] |= {"gold": 312, "armies": 19, "spies": 0}
    tables["Bob"] |= {"gold": 128, "armies": 4}
    tables["Cat"] |= {"tech": 7, "gold": 359, "armies": 2}
    result = played()
    assert result.rows() == "aaAA/aabc/..bcc/....c"
    cities = {city["square"]: (city["owner"], city["rehabilitating"]) for city in result.document["city"]}
    assert cities == {
        **dict.fromkeys(("A1", "B1", "A2", "B2"), ("Ann", False)), **dict.fromkeys(("C1", "D1"), ("Ann", True)),
        **dict.fromkeys(("C2", "C3"), ("Bob", False)), **dict.fromkeys(("D2", "D3", "E3", "E4"), ("Cat", False)),
    }  # fmt: skip
    assert result.document == {**before, "turn": 9, "city": result.document["city"]}
    assert ruleset.outcome(result.position) is None


@pytest.mark.rule("SO-R99")
def test_the_public_report_says_what_the_specification_says() -> None:
    news = played().view(PUBLIC)["news"]
    for sentence in (
        "Cat has reached level 7 (Espionage).", "Cat has founded a city at D2.", "Bob has founded a city at C3.",
        "Ann has attacked Bob and captured C1 and D1.",
    ):  # fmt: skip
        assert sentence in news
    assert len(news) == 4


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        ("Ann", ("got through", "Industrialization", "18 armies", "lost 1", "284 gold from 4 cities", "armies cost 4")),
        ("Bob", ("Spies negated your research", "2 caravans", "60 gold", "Cat gave you 2 armies", "7 armies defended",
                 "you lost 3", "C1 and D1")),
        ("Cat", ("2 caravans to Bob", "cost 22", "120 gold", "You gave Bob 2 armies")),
    ],
)  # fmt: skip
def test_the_private_reports_tell_the_numbers(seat: str, words: tuple[str, ...]) -> None:
    own = str(played().view(seat_reader(seat))["own"])
    for word in words:
        assert word in own, own


# Through the command line


def test_the_sample_is_the_worked_example() -> None:
    document = tomllib.loads((SAMPLES / "position.toml").read_text(encoding="utf-8"))
    assert ruleset.load(document) == ruleset.load(example())
    orders = tomllib.loads((SAMPLES / "orders.toml").read_text(encoding="utf-8"))["orders"]
    assert [(entry["player"], entry["text"].strip()) for entry in orders] == list(LETTERS)
    assert sorted(orders, key=lambda entry: entry["received"]) == orders


def test_adjudicate_gives_the_same_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not by way of the entry points: those of an old installation do not name this ruleset yet.
    monkeypatch.setattr(files_of_the_command, "get", lambda _slug: ruleset)
    (tmp_path / "position.toml").write_text(POSITION, encoding="utf-8")
    (tmp_path / "orders.toml").write_text(ORDERS, encoding="utf-8")
    out = tmp_path / "after.toml"
    files = [str(tmp_path / "position.toml"), str(tmp_path / "orders.toml")]
    arguments = ["adjudicate", *files, "--dice", "", "--write-position", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    after = tomllib.loads(out.read_text(encoding="utf-8"))
    assert ruleset.load(after) == ruleset.load(played().document)
    assert [table["gold"] for table in after["society"]] == [312, 128, 359]

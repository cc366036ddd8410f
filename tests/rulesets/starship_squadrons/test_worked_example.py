"""The worked example of the specification (section 12), number for number."""

import tomllib
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli import files as files_of_the_command
from pbmd.rules import PUBLIC, ScriptedDice, seat_reader
from rulesets.starship_squadrons import ruleset
from tests.rulesets.starship_squadrons.example import ANNA, BEN, LETTERS, POSITION, example
from tests.rulesets.starship_squadrons.harness import Played, faults, receive, resolve

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "data" / "samples" / "starship_squadrons"


@cache
def played() -> Played:
    dice = ScriptedDice([1])
    result = resolve(example(), LETTERS, dice)
    assert dice.drawn == ((2, 1),)
    return result


@pytest.mark.parametrize(("seat", "text"), [("anna", ANNA), ("ben", BEN)])
def test_the_letters_are_accepted_as_written(seat: str, text: str) -> None:
    receipt = receive(example(), seat, text)
    assert faults(receipt) == []
    assert receipt.filed


@pytest.mark.rule("SQ-50", "SQ-51", "SQ-52", "SQ-53", "SQ-54", "SQ-75", "SQ-78", "SQ-80", "SQ-82", "SQ-R25", "SQ-R46")
def test_the_units_afterwards() -> None:
    result = played()
    duke, tender, thunder = result.unit("Iron Duke"), result.unit("Tender"), result.unit("Thunder", 2)
    assert (result.at("Iron Duke"), duke["damage"], duke["fuel_counters"]) == ("Halfway 0605", 16, 2)
    assert (result.at("Tender"), tender["damage"], tender["supply_counters"], tender["fuel_counters"]) == ("T1", 0, 5, 2)
    assert (result.at("Thunder", 2), thunder["damage"], thunder["fuel_counters"]) == ("Halfway 1311", 0, 4)
    assert not result.alive("Swift", 2)
    assert [(u["side"], u["name"]) for u in result.document["units"]] == [(1, "Iron Duke"), (1, "Tender"), (2, "Thunder")]


@pytest.mark.rule("SQ-54", "SQ-56", "SQ-R28", "SQ-R52", "SQ-R73", "SQ-R16")
def test_the_rest_of_the_position_afterwards() -> None:
    result = played()
    assert (result.document["day"], result.document["phase"], result.document["next_transit"]) == (6, "day", 2)
    (group,) = result.document["transits"]
    assert group == {
        "id": "T1", "side": 1, "player": "anna", "day": 1, "origin": "Halfway", "to_system": "Brisk", "to_hex": "0303",
        "distance": 2,
    }  # fmt: skip
    assert result.questions("anna") == {"Q2": "Halfway 0412", "Q3": "Halfway 0605"}
    assert result.questions("ben") == {"Q2": "Halfway 1311", "Q3": "reserve"}
    assert result.player("anna")["next_question"] == 4
    assert result.body("Brisk Prime")["stock"] == 6
    assert result.body("Halfway Prime")["owner"] == 1
    (loss,) = result.document["losses"]
    assert loss == {"side": 2, "name": "Swift", "kind": "squadron", "cost": 28, "day": 5, "covered": False}
    assert ruleset.outcome(result.position) is None
    # The Tender has left the hex of the fleet's first member.
    assert result.fleets("anna") == {"Alpha": ["Iron Duke"]}


@pytest.mark.rule("SQ-R26")
def test_anna_reads_what_became_of_the_shot_and_ben_does_not() -> None:
    anna, ben = played().told("anna"), played().told("ben")
    for words in ("1005", "1109", "0804", "Thunder", "Swift", "Iron Duke", "1311"):
        assert words in anna, words
    assert "0412" in ben
    assert "Tender" in ben
    # In the first fire phase ben learns neither who was hit nor what of it got through.
    first = ben.partition(" SAW ")[2].split("Iron Duke")[0]
    assert "0506" in first


def test_the_public_report_says_what_the_specification_says() -> None:
    public = played().told()
    assert "Swift (League) destroyed" in public
    assert "Halfway Prime taken by Concord" in public
    for secret in ("Iron Duke", "Tender", "Thunder", "0605", "Brisk 0303"):
        assert secret not in public


def test_no_reader_learns_the_transit_destination_but_its_owner() -> None:
    anna, ben = str(played().view(seat_reader("anna"))), str(played().view(seat_reader("ben")))
    assert "'0303'" in anna or "Brisk 0303" in anna
    assert "Brisk 0303" not in ben
    assert "Brisk 0303" not in str(played().view(PUBLIC))


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
    orders = "".join(
        f"[[orders]]\nplayer = {player!r}\nreceived = 2026-05-01T{hour}:00:00Z\ntext = '''\n{text}\n'''\n"
        for hour, (player, text) in zip(("06", "09"), LETTERS, strict=True)
    )
    (tmp_path / "orders.toml").write_text(orders, encoding="utf-8")
    out = tmp_path / "after.toml"
    files = [str(tmp_path / "position.toml"), str(tmp_path / "orders.toml")]
    result = CliRunner().invoke(app, ["adjudicate", *files, "--dice", "1", "--write-position", str(out)])
    assert result.exit_code == 0, result.output
    after = ruleset.dump(ruleset.load(tomllib.loads(out.read_text(encoding="utf-8"))))
    for key in ("day", "units", "questions", "transits", "losses", "systems", "fleets"):
        assert after[key] == played().document[key], key

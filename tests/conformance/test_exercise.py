"""Lines derived from a grammar, and what of a ruleset no accepted letter has used."""

from pathlib import Path

import pytest

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import readers_of
from pbmd.conformance.exercise import Exercise
from pbmd.conformance.scenes import dice
from pbmd.conformance.trial import Plan, all_findings
from pbmd.rules import HmacDice
from pbmd.rules.registry import from_folder
from tests.conformance.parted import files_of

GRAMMAR = """
?start: order
?order: build | scrap | PASS
build: "Build"i NUMBER kind ("at"i NAME)?
kind: "ship"i -> ship
    | "base"i -> base
scrap: _SCRAP NAME+
PASS: /pass(?!word)/i
_SCRAP: /(?:scrap|junk)\\s+all/i
NUMBER: /[0-9]+/
NAME: /[A-Z][a-z]+/
%ignore " "
"""
WORDS = ("Rigel", "Vega", "7", "two words")


@pytest.fixture
def derivation() -> Derivation:
    return Derivation(GRAMMAR, WORDS)


def test_each_alternative_is_in_a_line_that_the_grammar_reads(derivation: Derivation) -> None:
    lines = [derivation.line(rule, dice("a line", number)) for number, rule in enumerate(derivation.rules)]
    assert all(derivation.used_in(line) for line in lines), lines
    assert set[str]().union(*map(derivation.used_in, lines)) >= derivation.names() - {"order"}


def test_names_and_numbers_are_those_of_the_game(derivation: Derivation) -> None:
    [build] = [rule for rule in derivation.rules if rule.origin.name == "build" and len(rule.expansion) > 3]
    line = derivation.line(build, HmacDice(b"x", b""))
    assert "7" in line
    assert any(name in line for name in ("Rigel", "Vega"))


def test_what_can_be_used_are_rules_with_a_name_their_alternatives_and_terminals(derivation: Derivation) -> None:
    assert derivation.names() >= {"build", "scrap", "ship", "base", "PASS", "NUMBER", "NAME"}
    assert not derivation.names() & {"order", "_SCRAP"}
    assert derivation.used_in("Build 3 base") == {"build", "base", "NUMBER", "BUILD", "BASE"}
    assert derivation.used_in("Built 3 base") == set()


@pytest.fixture
def newest(tmp_path: Path) -> Path:
    folder = tmp_path / "newest"
    for path, text in files_of("newest", "simultaneous"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text, text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


def add_bury(folder: Path, body: str) -> None:
    """A rule "bury" of the grammar, and its method."""
    change(folder, "orders.lark", "DIG", "bury | DIG")
    change(folder, "orders.lark", "NAME: ", 'bury: "Bury"i\n\nNAME: ')
    method = f"    def bury(self, _parts: list[Token]) -> None:\n        {body}\n\n"
    change(folder, "orders.py", "    def steal(", f"{method}    def steal(")


def test_of_a_new_ruleset_all_rules_are_used(newest: Path) -> None:
    rules = from_folder(newest)
    assert len(readers_of(rules)) == 1
    with Exercise(rules) as exercise:
        list(all_findings(rules, Plan(games=1, seed=1, patience=0.02, exercise=exercise)))
    assert exercise.unused_rules() == []
    assert readers_of(rules)[0].listeners == []


def test_a_rule_that_no_letter_can_use_and_lines_that_never_run_are_named(newest: Path) -> None:
    change(newest, "orders.lark", "DIG", "bury | DIG")
    change(newest, "orders.lark", "NAME: ", 'bury: "Bury"i\n\nNAME: ')
    change(
        newest,
        "orders.py",
        "    def steal(",
        "    def bury(self, _parts: list[Token]) -> None:\n        return None\n\n    def steal(",
    )
    change(newest, "view.py", "\ndef ", "\ndef _never() -> int:\n    return 1\n\n\ndef ")
    rules = from_folder(newest)
    with Exercise(rules) as exercise:
        list(all_findings(rules, Plan(games=1, seed=1, patience=0.02, exercise=exercise)))
    assert "bury" in [unused.name for unused in exercise.unused_rules()]
    assert all(unused.line for unused in exercise.unused_rules() if unused.name == "bury")
    lines = {Path(each.file).name: each.ranges for each in exercise.unrun_lines()}
    text = (newest / "view.py").read_text().splitlines()
    assert any(text[first - 1].strip() == "return 1" for first, _ in lines["view.py"])


def test_a_check_for_which_there_is_no_time_is_named(newest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.conformance.trial._LEAST_FOR_A_CHECK", 0.0)
    rules = from_folder(newest)
    with Exercise(rules) as exercise:
        assert list(all_findings(rules, Plan(games=1, seed=1, patience=0.0, exercise=exercise))) == []
    left_out = {each.check: (each.left_out, each.steps) for each in exercise.cut_short}
    left, steps = left_out["a step comes out the same"]
    assert 0 < left < steps


def test_a_line_that_no_random_player_writes_is_tried(newest: Path) -> None:
    """Its order crashes the check of letters."""
    change(newest, "orders.lark", "DIG", "bury | DIG")
    change(newest, "orders.lark", "NAME: ", 'bury: "Bury"i\n\nNAME: ')
    change(
        newest,
        "orders.py",
        "    def steal(",
        "    def bury(self, _parts: list[Token]) -> None:\n        raise ZeroDivisionError\n\n    def steal(",
    )
    found = all_findings(from_folder(newest), Plan(games=1, seed=1, patience=0.02))
    assert any(seen.check == "lines_of_the_grammar_are_answered" for seen in found if seen.wrong.promise == "code.raises")

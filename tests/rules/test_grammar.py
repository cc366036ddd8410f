"""Orders are read by the grammar beside the ruleset's modules."""

from collections.abc import Callable
from pathlib import Path

import pytest
from lark import Token, Transformer, UnexpectedInput, v_args

from pbmd.rules.declared import RulesetError
from pbmd.rules.grammar import order_reader

GRAMMAR = """
?start: build | PASS
build: "Build"i NUMBER SHIPS
PASS: "Pass"i
NUMBER: /[0-9]+/
SHIPS: "ships"i | "ship"i
%ignore " "
"""


@v_args(inline=True)
class ToOrder(Transformer[Token, object]):
    def build(self, number: Token, _ships: Token) -> tuple[str, int]:
        return "build", int(number)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / f"game_of_{tmp_path.name}"  # modules are remembered by their names
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "orders.lark").write_text(GRAMMAR)
    monkeypatch.syspath_prepend(tmp_path)
    return folder.name


@pytest.fixture
def read(package: str) -> Callable[[str], object]:
    return order_reader(package, ToOrder(), bare={"PASS": "pass"}, longest=30)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Build 2 ships", ("build", 2)),
        ("BUILD 1 SHIP", ("build", 1)),
        ("pass", "pass"),
        ("Build ships", None),
        ("", None),
        (f"Build {'1' * 40} ships", None),
    ],
)
def test_a_line_is_an_order_or_none(read: Callable[[str], object], line: str, order: object) -> None:
    assert read(line) == order


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("build: ", "build ", 3, "Unexpected token Token('STRING', '\"Build\"i') at line 3, column 7. Expected one of: "),
        ("SHIPS\n", "SHPIS\n", 3, "Rule 'SHPIS' used but not defined (in rule build)"),
        ('"Pass"i', '"Pass', 4, "Unexpected input at line 4 column 7: PASS: "),
        ("/[0-9]+/", "/[0-9+/", 5, "Cannot compile token NUMBER: "),
        ('"ship"i\n', '"ship"i\nPASS: "no"\n', 7, "Terminal 'PASS' defined more than once"),
        ("%ignore", "%ignroe", 7, "Unexpected input at line 7 column 1: %ignroe"),
        ("?start", "?begin", 0, "Using an undefined rule: NonTerminal('start')"),
    ],
)
def test_what_is_no_grammar_is_told_with_its_file_and_line(
    package: str, tmp_path: Path, old: str, new: str, line: int, problem: str
) -> None:
    file = tmp_path / package / "orders.lark"
    assert GRAMMAR.count(old) == 1
    file.write_text(GRAMMAR.replace(old, new))
    with pytest.raises(RulesetError) as told:
        order_reader(package, ToOrder())
    assert (told.value.file, told.value.line) == (str(file), line)
    assert told.value.problem.startswith(problem)
    assert "<string>" not in told.value.problem
    assert "\n" not in told.value.problem


def test_what_is_wrong_in_the_part_made_of_tables_is_in_no_line(package: str) -> None:
    with pytest.raises(RulesetError) as told:
        order_reader(package, ToOrder(), more="\n\nnonsense\n")
    assert told.value.line == 0


def test_what_is_no_order_can_be_explained(package: str) -> None:
    def explained(line: str, stop: UnexpectedInput) -> str:
        return f"stopped at {line[stop.pos_in_stream or 0 :]!r}"

    assert order_reader(package, ToOrder(), otherwise=explained)("Build two ships") == "stopped at 'two ships'"


def test_a_part_of_the_grammar_can_be_made_of_tables(package: str) -> None:
    read = order_reader(package, ToOrder(), more="%extend SHIPS: /barges?/i\n")
    assert read("Build 3 barges") == ("build", 3)


@pytest.mark.parametrize(
    ("more", "name", "line"),
    [
        ('scrap: "Scrap"i NUMBER\n', "scrap", 3),
        ('?scrap: "Scrap"i NUMBER NUMBER\n', "scrap", 3),
        ('?scrap: "Scrap"i NUMBER -> sell\n', "sell", 3),
    ],
)
def test_a_rule_that_no_method_makes_an_order_of_is_refused_when_it_is_loaded(
    package: str, tmp_path: Path, more: str, name: str, line: int
) -> None:
    file = tmp_path / package / "orders.lark"
    file.write_text(GRAMMAR.replace("| PASS\n", f"| scrap | PASS\n{more}"))
    with pytest.raises(RulesetError, match=f'ToOrder has no method "{name}" for this rule') as told:
        order_reader(package, ToOrder())
    assert told.value.line == line


@pytest.mark.parametrize("more", ['?scrap: "Scrap"i NUMBER\n', '_scrap: "Scrap"i NUMBER\n', '?scrap: NUMBER | "all"i NUMBER\n'])
def test_a_rule_that_only_passes_on_needs_none(package: str, tmp_path: Path, more: str) -> None:
    name = "_scrap" if more.startswith("_") else "scrap"
    (tmp_path / package / "orders.lark").write_text(GRAMMAR.replace("NUMBER SHIPS\n", f"({name} | NUMBER) SHIPS\n{more}"))
    assert order_reader(package, ToOrder())("Build 2 ships") == ("build", 2)

"""The documentation leaves nothing out, and nothing in it leads nowhere."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbmd.cli import whole_command
from pbmd.cli.commands import COMMANDS
from pbmd.desk.language.master_commands import FORMS as MASTER_FORMS
from pbmd.desk.language.player_commands import FORMS
from pbmd.ledger import tables
from pbmd.ledger.log_words import log_words
from tests.docs import log_page, settings_table
from tests.docs.pages import PAGES, ROOT, anchors, links, name_of, read

PLAYERS, ARCHITECTURE = "docs/players.md", "docs/architecture.md"
MANUAL = "\n".join(read(page) for page in PAGES if name_of(page).startswith("docs/gm"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link}: there is no such file"
        assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, todo = set[Path](), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            todo += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if not link.startswith("#")]
    assert set(PAGES) <= reached


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_line_command_is_explained_to_the_game_master(command: str) -> None:
    assert re.search(rf"`pbmd {command}\b", MANUAL)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_explained_to_the_game_master(command: str) -> None:
    options = {option for parameter in whole_command(command).params for option in parameter.opts if option.startswith("--")}
    missing = {option for option in options if not re.search(rf"{option}\b", MANUAL)}
    assert missing == set()


@pytest.mark.parametrize("form", MASTER_FORMS, ids=lambda form: form.kind)
def test_every_command_of_the_game_master_by_mail_is_explained_to_them(form) -> None:
    assert f"\n| `{form.usage}` |" in MANUAL


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_every_command_in_a_letter_is_explained_to_the_players(form) -> None:
    assert f"### `{form.usage}`" in read(PLAYERS)


def test_the_tables_of_settings_are_those_of_the_code() -> None:
    text = settings_table.FILE.read_text(encoding="utf-8")
    again = "python -m tests.docs.settings_table writes them anew"
    assert settings_table.with_tables(text) == text, again
    assert {found["name"] for found in settings_table.TABLE.finditer(text)} == {*settings_table.MODELS, "top"}


def test_every_setting_stands_in_the_file_to_start_from() -> None:
    template = read("deploy/pbmd.toml")
    for model in settings_table.MODELS.values():
        for key in model.model_fields:
            assert re.search(rf"^#?{key} = ", template, re.MULTILINE), key


def test_every_word_of_the_dashboard_log_is_explained_and_no_other() -> None:
    explained = [each.word for each in log_words()]
    assert len(explained) == len({*explained})
    assert {*explained} == set(words_of("log", "_note", "append_line"))
    assert listed_under("What the words mean", log_page.FILE) == {*explained}


def test_the_page_of_the_log_has_the_words_as_the_table_has_them() -> None:
    text = log_page.FILE.read_text(encoding="utf-8")
    assert log_page.with_words(text) == text, "python -m tests.docs.log_page writes them anew"


def test_every_kind_of_journal_entry_is_explained_and_no_other() -> None:
    assert listed_under("The journal", ARCHITECTURE) == set(words_of("journal"))


def test_every_table_of_the_ledger_is_explained() -> None:
    kept = {*tables.Game.metadata.tables}
    assert kept
    assert listed_under("The ledger", ARCHITECTURE) == kept


def listed_under(heading: str, page: Path | str) -> set[str]:
    """The words in the first column of the tables under a heading."""
    chapter = re.split(rf"^(#+) {heading}$", read(page), flags=re.MULTILINE)
    assert len(chapter) == 3, f"{page} has no heading {heading}, or two"
    text = re.split(rf"^#{{1,{len(chapter[1])}}} ", chapter[2], flags=re.MULTILINE)[0]
    return set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))


def words_of(*methods: str) -> Iterator[str]:
    """The words that the code of pbmd gives to these methods of `Work` as what happened."""
    for path in sorted((ROOT / "pbmd").rglob("*.py")):
        tree = _parsed(path)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr in methods:
                yield from _word(call, tree)
            # What becomes of orders says what the log calls it.
            for named in call.keywords:
                if named.arg in methods:
                    yield from _texts(named.value) or _assigned(ast.unparse(named.value), tree)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _word(call: ast.Call, tree: ast.Module) -> list[str]:
    """The words in a call: the first argument that is text or a name for text, or what WAIT and READY share."""
    for argument in call.args[:2]:
        if words := _texts(argument) or (_assigned(argument.id, tree) if isinstance(argument, ast.Name) else []):
            return words
        if ast.unparse(argument) == "word.lower()":
            return ["wait", "ready"]
    return []


def _assigned(name: str, tree: ast.Module) -> list[str]:
    assignments = (node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    return [word for node in assignments if ast.unparse(node.targets[0]) == name for word in _texts(node.value)]


def _texts(value: ast.expr) -> list[str]:
    """The text that an expression is, or may be, when it is written there."""
    if isinstance(value, ast.IfExp):
        return _texts(value.body) + _texts(value.orelse)
    return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []

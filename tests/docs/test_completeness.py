"""The documentation leaves nothing out, and nothing in it leads nowhere."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbmd.cli import whole_command
from pbmd.cli.commands import COMMANDS
from pbmd.desk.language.gm_commands import FORMS as MASTER_FORMS
from pbmd.desk.language.player_commands import FORMS
from pbmd.ledger import tables
from pbmd.ledger.log_words import log_words
from tests.docs import ledger_page, log_page, players_table, settings_table
from tests.docs.pages import BESIDES, PAGES, ROOT, all_blocks, anchors, links, name_of, read

PLAYERS = "docs/players.md"
HISTORY = "CHANGELOG.md"
"""It may name what is no more."""
MANUAL = "\n".join(read(page) for page in PAGES if name_of(page).startswith("docs/gm"))


_NAMED = re.compile(r"\b(?P<page>docs/[\w/-]+\.md)(?:#(?P<anchor>[\w-]+))?")


@pytest.mark.parametrize("page", [*PAGES, *BESIDES], ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link}: there is no such file"
        assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


def test_every_page_that_a_program_names_is_there() -> None:
    """Messages, comments and templates send readers to pages by their path from the top of the checkout."""
    named = [(path, found) for path in _programs() for found in _NAMED.finditer(path.read_text(encoding="utf-8"))]
    assert len(named) > 5
    for path, found in named:
        page = ROOT / found["page"]
        assert page.exists(), f"{name_of(path)} names {found['page']}, and there is no such page"
        assert not found["anchor"] or found["anchor"] in anchors(page), f"{name_of(path)}: {found[0]}"


def test_every_template_that_a_program_names_is_there() -> None:
    """Of what is seldom sent it would not be noticed for long."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "pbmd").rglob("*.py")]
    named = {name.removesuffix(".j2") for text in texts for name in re.findall(r"\brender\(\s*\"([\w.]+)\"", text)}
    assert len(named) > 50
    there = {path.name.removesuffix(".j2") for path in (ROOT / "templates").rglob("*.j2")}
    assert named - there == set(), "neither templates/mail nor templates/dashboard has them"


def _programs() -> Iterator[Path]:
    for folder in ("pbmd", "templates", "deploy", "rulesets"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in (".py", ".toml", ".j2", ".service", ".lark", ""):
                yield path


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
    explained = re.search(rf"`pbmd {command}\b", MANUAL)
    assert explained, f"docs/gm-commands.md has no row for `pbmd {command}`"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_explained_to_the_game_master(command: str) -> None:
    options = {option for option in _options(command) if re.match("--(?!no-)", option)}
    missing = {option for option in options if not re.search(rf"{option}\b", MANUAL)}
    assert missing == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != HISTORY], ids=name_of)
def test_every_command_that_a_page_shows_has_that_name_and_these_options(page: Path) -> None:
    for command, rest in commands_shown(page):
        assert command in COMMANDS, f"there is no command {command}"
        strange = {*re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest)} - _options(command) - {"--help"}
        assert strange == set(), f"pbmd {command} has no option like that"


def commands_shown(page: Path) -> list[tuple[str, str]]:
    """The commands of pbmd in a page's blocks for a shell and within its text, each with what follows its name."""
    shell = [re.sub(r"#.*", "", block.text) for block in all_blocks(page) if block.tag in ("sh", "console", "cron")]
    shown = [*shell, *re.findall(r"`(pbmd [^`]*)`", read(page))]
    return [found for text in shown for found in re.findall(r"(?<![\w-])(?<!-u )pbmd ([a-z][a-z-]*)([^\n|]*)", text)]


@cache
def _options(command: str) -> set[str]:
    return {option for parameter in whole_command(command).params for option in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("form", MASTER_FORMS, ids=lambda form: form.kind)
def test_every_command_of_the_game_master_by_mail_is_explained_to_them(form) -> None:
    explained = f"\n| `{form.usage}` |" in MANUAL
    assert explained, f"docs/gm-decide.md has no row for `{form.usage}`"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_every_command_in_a_letter_is_explained_to_the_players(form) -> None:
    explained = f"### `{form.usage}`" in read(PLAYERS)
    assert explained, f"{PLAYERS} has no heading ### `{form.usage}`"


def test_the_table_of_the_players_commands_is_made_of_their_rows() -> None:
    text = players_table.FILE.read_text(encoding="utf-8")
    assert players_table.TABLE.search(text)
    assert players_table.with_table(text) == text, "python -m tests.docs.players_table writes it anew"


def test_the_tables_of_settings_are_those_of_the_code() -> None:
    text = settings_table.FILE.read_text(encoding="utf-8")
    again = "python -m tests.docs.settings_table writes them anew"
    assert settings_table.with_tables(text) == text, again
    assert {found["name"] for found in settings_table.TABLE.finditer(text)} == {*settings_table.MODELS, "top"}


def test_every_setting_stands_in_the_file_to_start_from() -> None:
    template = read("deploy/pbmd.toml")
    for model in settings_table.MODELS.values():
        for key in model.model_fields:
            stands = re.search(rf"^#?{key} = ", template, re.MULTILINE)
            assert stands, f"deploy/pbmd.toml has no line #{key} = …"


def test_every_word_of_the_dashboard_log_is_explained_and_no_other() -> None:
    explained = [each.word for each in log_words()]
    assert len(explained) == len({*explained})
    written = set(words_of("log", "_note", "append_line"))
    assert written - {*explained} == set(), "pbmd/ledger/log_words.toml does not explain them"
    assert {*explained} - written == set(), "pbmd/ledger/log_words.toml explains words that nothing writes"
    assert listed_under("What the words mean", log_page.FILE) == {*explained}


def test_the_page_of_the_log_has_the_words_as_the_table_has_them() -> None:
    text = log_page.FILE.read_text(encoding="utf-8")
    assert log_page.with_words(text) == text, "python -m tests.docs.log_page writes them anew"


def test_every_table_of_the_ledger_is_explained_as_the_code_has_it() -> None:
    text = ledger_page.FILE.read_text(encoding="utf-8")
    assert ledger_page.with_tables(text) == text, "python -m tests.docs.ledger_page writes them anew"
    tables_there = ledger_page.TABLES.search(text)
    assert tables_there
    assert {*re.findall(r"^### (\w+)$", tables_there[0], re.MULTILINE)} == {*tables.Game.metadata.tables}


def listed_under(heading: str, page: Path | str) -> set[str]:
    """The words in the first column of the tables under a heading."""
    chapter = re.split(rf"^(#+) {heading}$", read(page), flags=re.MULTILINE)
    assert len(chapter) == 3, f"{page} has no heading {heading}, or two"
    text = re.split(rf"^#{{1,{len(chapter[1])}}} ", chapter[2], flags=re.MULTILINE)[0]
    return set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))


def words_of(*methods: str) -> Iterator[str]:
    """The words that the code of pbmd gives to these methods of `Transaction` as what happened."""
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

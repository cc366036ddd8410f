"""Three recipes of docs/change.md as they would be followed: what is written where, and which test rings where it is left out.

The code is written with the names that modules and classes have now, so that it moves along with them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType

from pbmd.archive.evidence.mail_kinds import sent_letters
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language import player_commands
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.player import serve
from pbmd.ledger.tables import SeatState
from pbmd.settings import limits
from rulesets.cosmic_conquest import tables
from rulesets.cosmic_conquest.resolution import economy

Edit = Callable[[str], str]
COMPLETE, HANDBOOK = "tests/docs/test_completeness.py", "tests/rulesets/test_handbook_options.py"


@dataclass(frozen=True)
class Part:
    """A row of a recipe: how files become others (one that is new was empty), or the module that writes a page anew; and the
    test that fails without it."""

    name: str
    guard: str
    edits: Mapping[str, Edit] = field(default_factory=dict[str, Edit])
    module: str = ""


@dataclass(frozen=True)
class Recipe:
    """A heading of docs/change.md with its parts, and the test that what was added works."""

    heading: str
    parts: tuple[Part, ...]
    works: Mapping[str, str]


def new(text: str) -> Edit:
    """A file that was not there."""

    def written(before: str) -> str:
        assert before == ""
        return text

    return written


def swapped(*pairs: tuple[str, str]) -> Edit:
    """A file in which each of these texts, which stands there once, is another."""

    def written(before: str) -> str:
        for old, other in pairs:
            assert before.count(old) == 1, f"not once there: {old}"
            before = before.replace(old, other)
        return before

    return written


def below(line: str, text: str) -> Edit:
    """A file with a text below a line of its own."""
    return swapped((f"\n{line}\n", f"\n{line}\n{text}"))


def file_of(module: ModuleType) -> str:
    """Where a module stands in the tree."""
    return module.__name__.replace(".", "/") + ".py"


def importing(*classes: type) -> str:
    """The lines that import classes, in the order of the house."""
    by_module: dict[str, list[str]] = {}
    for each in classes:
        by_module.setdefault(each.__module__, []).append(each.__name__)
    return "\n".join(f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items()))


_WHO_ACT = f'''"""WHO: which seats of a game are played."""

{importing(Transaction, Command, Answer, Arrived, Sender, SeatState)}


def who(_work: {Transaction.__name__}, sender: Sender, _arrived: Arrived, _command: Command, answer: Answer) -> None:
    """WHO. Of the people behind other seats it tells nothing: the journal has them sealed."""
    seats = sender.table.seats
    rows = (seat.name if seat.state is SeatState.ACTIVE else f"{{seat.name}} (given up)" for seat in seats)
    answer.section("who plays", "\\n".join(rows))
'''
_WHO_WORKS = '''"""WHO tells a player which seats are played, and nothing of the people."""

from tests.desk.world import World, address_of


def test_who_plays_is_told_and_nothing_of_the_people(running: World) -> None:
    running.resign("Cygnus")
    answer = running.send("Altair", "WHO")
    assert "Borealis" in answer
    assert "Cygnus (given up)" in answer
    assert "REFUSED" not in answer
    assert address_of("Borealis") not in answer
    assert "Borealis's player" not in answer


def test_help_has_it(running: World) -> None:
    assert "which seats of your game are played" in running.send("Altair", "HELP WHO")
'''
_LIMIT_WORKS = '''"""Of the commands of a letter as many are carried out as the settings say."""

from tests.desk.world import World


def test_what_is_too_much_is_told(running: World) -> None:
    running.settle(limits={"commands_per_letter": 1})
    answer = " ".join(running.send("Altair", "WAIT\\nSTATUS\\nRECORD").split())
    assert "Of your 3 commands only the first 1 were carried out." in answer
    assert running.seat("Altair").waits
'''
_OPTION_WORKS = '''"""How much a sabotaged system yields less is the game master's choice."""

import pytest

from tests.rulesets.cosmic_conquest.harness import faction, play, position


@pytest.mark.rule("CC-106")
@pytest.mark.parametrize(("options", "penalty"), [({}, 3), ({"sabotage_units": 5}, 5)])
def test_a_sabotaged_system_yields_so_much_less(options: dict[str, int], penalty: int) -> None:
    start = position("Sol 10 Red, Rigel 10 Purple", faction("Red"), faction("Purple", "psionic"), **options)
    after = play(start, [("Red", "Pass"), ("Purple", "Psychic Sabotage on Sol")])
    assert after.system("Sol")[2] == penalty
'''
_COSMIC = "rulesets/cosmic_conquest"

_WHO_ROW = """
    command("who", "WHO", "which seats of your game are played", r"who(?: plays)?", act="pbmd.desk.player.who:who", asks=True),
)  # fmt: skip
"""
_READER = f"""\
def _commands(work: {Transaction.__name__}, script: Script, answer: Answer) -> tuple[Command, ...]:
    language, most = work.desk.commands, work.desk.settings.limits.commands_per_letter
"""
_DECLARATION = """
[options.sabotage_units]
default = 3
minimum = 0
maximum = 1000
help = "Units that a sabotaged system yields less."
midgame = true

# --- The numbers of the game ---"""

COMMAND = Recipe(
    "A player's command",
    (
        Part(
            "the act",
            "tests/desk/player/test_command_rows.py::test_every_act_that_a_row_names_is_there_and_takes_what_it_is_given",
            {"pbmd/desk/player/who.py": new(_WHO_ACT)},
        ),
        Part(
            "the row",
            "tests/desk/player/test_acts.py::test_every_act_has_a_row",
            {file_of(player_commands): swapped(("\n)  # fmt: skip\n", _WHO_ROW))},
        ),
        Part(
            "its words among those that are no orders",
            "tests/archive/evidence/test_command_words.py::test_a_line_with_a_command_is_no_order[who]",
            {file_of(sent_letters): swapped(('"vote", "watch", "yes"),', '"vote", "watch", "who", "yes"),'))},
        ),
        Part(
            "the chapter for players",
            f"{COMPLETE}::test_every_command_in_a_letter_is_explained_to_the_players",
            {"docs/players.md": swapped(("\n### `STATUS`\n", "\n### `WHO`\n\nWhich seats are played.\n\n### `STATUS`\n"))},
        ),
        Part(
            "the table for players",
            f"{COMPLETE}::test_the_table_of_the_players_commands_is_made_of_their_rows",
            module="tests.docs.players_table",
        ),
    ),
    {"tests/desk/player/test_who.py": _WHO_WORKS},
)
SETTING = Recipe(
    "A setting",
    (
        Part(
            "the field",
            "tests/desk/player/test_nothing.py::test_where_something_has_to_be_done_the_answer_says_what",
            {
                file_of(limits): below(
                    "    letter_kilobytes: int = Field("
                    '1000, ge=16, le=1_000_000, description="larger letters are refused with an answer")',
                    '    commands_per_letter: int = Field(30, ge=1, description="so many commands of a letter are done")\n',
                )
            },
        ),
        Part(
            "the code that reads it",
            "tests/test_unread_settings.py::test_every_setting_is_read_outside_its_own_file[Limits]",
            {
                file_of(serve): swapped(
                    ('MAX_COMMANDS = 30\n"""A short letter must not make an endless answer, nor a flood of press."""\n', ""),
                    ("_commands(commands, arrived.script, answer)", "_commands(work, arrived.script, answer)"),
                    (
                        "def _commands(language: PlayerLanguage, script: Script, answer: Answer) -> tuple[Command, ...]:\n",
                        _READER,
                    ),
                    ("    if len(commands) > MAX_COMMANDS:\n", "    if len(commands) > most:\n"),
                    ("only the first {MAX_COMMANDS} were", "only the first {most} were"),
                    ("    return commands[:MAX_COMMANDS]\n", "    return commands[:most]\n"),
                )
            },
        ),
        Part(
            "the file to start from",
            f"{COMPLETE}::test_every_setting_stands_in_the_file_to_start_from",
            {
                "deploy/pbmd.toml": below(
                    "#letter_kilobytes = 1000", "# So many commands of a letter are done.\n#commands_per_letter = 30\n"
                )
            },
        ),
        Part(
            "the table of settings",
            f"{COMPLETE}::test_the_tables_of_settings_are_those_of_the_code",
            module="tests.docs.settings_table",
        ),
    ),
    {"tests/desk/player/test_commands_per_letter.py": _LIMIT_WORKS},
)
OPTION = Recipe(
    "An option of a ruleset",
    (
        Part(
            "its declaration",
            f"tests/{_COSMIC}/test_position.py::test_a_document_is_written_as_it_was_read",
            {f"{_COSMIC}/ruleset.toml": swapped(("\n# --- The numbers of the game ---", _DECLARATION))},
        ),
        Part(
            "the code that reads it",
            "tests/test_unread_settings.py::test_every_option_of_a_ruleset_is_read_outside_its_own_file[cosmic_conquest]",
            {
                file_of(economy): swapped(
                    ("from ..tables import SABOTAGE_UNITS\n", ""),
                    (", 0) + SABOTAGE_UNITS\n", ", 0) + turn.options.sabotage_units\n"),
                    ("yields {SABOTAGE_UNITS} units", "yields {turn.options.sabotage_units} units"),
                ),
                file_of(tables): swapped(('SABOTAGE_UNITS: int = INFO.tables["sabotage_units"]\n', "")),
                f"{_COSMIC}/ruleset.toml": swapped(("\nsabotage_units = 3\n", "\n")),
            },
        ),
        Part(
            "its field",
            f"tests/{_COSMIC}/test_position.py::test_a_document_is_written_as_it_was_read",
            {file_of(tables): below('    battle_detail: Literal["totals", "outcome", "full"]', "    sabotage_units: int\n")},
        ),
        Part(
            "the handbook",
            f"{HANDBOOK}::test_the_chapter_on_options_has_each_with_its_default_and_no_other[cosmic_conquest]",
            {
                f"{_COSMIC}/RULES.md": swapped(
                    (
                        "yields up to 3 units less next turn (CC-106),",
                        "yields up to 3 units less next turn (CC-106; option\n`sabotage_units`),",
                    ),
                    ("\n| `battle_detail` |", "\n| `sabotage_units` | 3 | |\n| `battle_detail` |"),
                )
            },
        ),
        Part(
            "its default among those of the specification",
            f"tests/{_COSMIC}/test_setup.py::test_the_options_are_those_of_the_specification_with_their_defaults",
            {f"tests/{_COSMIC}/test_setup.py": swapped(('"turn_hours": 72, ', '"turn_hours": 72, "sabotage_units": 3, '))},
        ),
    ),
    {"tests/rulesets/cosmic_conquest/test_sabotage_units.py": _OPTION_WORKS},
)
RECIPES = (COMMAND, SETTING, OPTION)

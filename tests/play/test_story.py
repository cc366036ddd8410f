"""Stories: played scenes that are read by people and tried by pbmd."""

from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w

from pbmd.play.recording import Rolled, story_of
from pbmd.play.story import Answer, Letter, Report, Rolls, SignUp, StepEnd, StoryError, read_story, stands_in, written
from pbmd.play.telling import tell
from pbmd.rules import HmacDice, Signup, Status, Verdict
from pbmd.rules.options import complete
from pbmd.rules.registry import from_folder, get
from pbmd.simulate import signups
from tests.play.conftest import RULES

STORY = """\
Altair is ahead

Who adds more leads. Borealis writes nothing, and is missed.

seats: Altair, Borealis

Altair writes
    Add 3
    Add 30
Altair is answered
    1 line was refused
    Add 3
    not: Add 4

dice: 5
the step ends

Altair reads
    added Altair 8
"""


@pytest.fixture
def told(tmp_path: Path):
    """What is not as told, in a story of Count: `[(line, words), …]`."""

    def tell_it(text: str) -> list[tuple[int, str]]:
        file = tmp_path / "story.txt"
        file.write_text(text)
        return [(line, problem.splitlines()[0]) for line, problem in tell(file, from_folder(RULES / "count"))]

    return tell_it


def test_a_story_that_happens_as_told_is_told_without_a_word(told) -> None:
    assert told(STORY) == []


@pytest.mark.parametrize(
    ("instead", "of", "line", "problem"),
    [
        ("added Altair 9", "added Altair 8", 19, '"added Altair 9" does not stand in the mail to Altair:'),
        ("not: Add 3", "not: Add 4", 13, '"Add 3" stands in the answer to Altair, and should not'),
        ("dice: 5 6", "dice: 5", 15, "these dice were not rolled: 6"),
        ("Cygnus writes", "Altair writes", 7, 'there is no seat "Cygnus"; there are Altair, Borealis'),
        ("dice: five", "dice: 5", 15, 'dice are whole numbers, like "dice: 3 5", not "five"'),
        ("seats: Altair", "seats: Altair, Borealis", 1, "the game cannot begin: Count needs at least 2 players"),
        ("Altair shouts", "Altair writes", 8, '"Altair shouts" is prose, and nothing can belong to it'),
    ],
)  # fmt: skip
def test_what_is_not_as_told_is_named_with_its_line(told, instead: str, of: str, line: int, problem: str) -> None:
    found = told(STORY.replace(of, instead, 1))
    assert (line, True) in [(each[0], each[1].startswith(problem)) for each in found], found


def test_a_story_that_begins_with_a_position_needs_no_sign_up_for_it(told, tmp_path: Path) -> None:
    rules = get("cosmic_conquest")
    signed = signups(rules, 2, complete(rules.info.options, {}))
    position = rules.dump(rules.setup(signed, complete(rules.info.options, {}), HmacDice(b"x" * 32, b"")))
    (tmp_path / "begun.toml").write_text(tomli_w.dumps(position))
    file = tmp_path / "begun.txt"
    seat = signed[0].seat
    file.write_text(f"Title\nposition: begun.toml\n{seat} writes\n    Pass\n{seat} is answered\n    your orders for turn 1\n")
    assert tell(file, rules) == []


def test_dice_that_do_not_suffice_are_named(told) -> None:
    found = told(STORY.replace("    Add 30\n", "").replace("Altair writes", "Borealis writes\n    Add 1\nAltair writes"))
    assert any("only 1" in problem for _, problem in found)


def test_a_story_can_begin_in_mid_game_whatever_its_seats_signed_up_with(tmp_path: Path) -> None:
    def refuse(signup: Signup, _accepted: object, _options: object) -> tuple[Verdict, ...]:
        return (Verdict(0, signup.seat, Status.ERROR, "the capital is missing"),)

    (tmp_path / "late.toml").write_text(
        'turn = 3\n[[players]]\nname = "Altair"\nscore = 12\n[[players]]\nname = "Borealis"\nscore = 11\n'
    )
    file = tmp_path / "story.txt"
    file.write_text(
        "Late\nposition: late.toml\ndice: 4\nAltair writes\n    Add 1\nthe step ends\nAltair reads\n    added Altair 5\n"
    )
    assert tell(file, replace(from_folder(RULES / "count"), check_signup=refuse)) == []


def test_options_and_prose_are_read() -> None:
    story = read_story("# Title\nprose\nseats: A, B\noptions: target = 5, die = no\nA signs up\n    Home: X\nthe step ends\n")
    assert (story.title, story.seats, story.options) == ("Title", ("A", "B"), ("target = 5", "die = no"))
    assert story.acts == (SignUp("A", ("Home: X",), 5), StepEnd(7))


@pytest.mark.parametrize("text", ["", "Title\n", "    indented\n", "Title\nA is answered\nthe step ends\n"])
def test_what_is_no_story_says_why(text: str) -> None:
    with pytest.raises(StoryError, match=r"line \d+: "):
        read_story(text)


def test_what_is_written_reads_the_same_again() -> None:
    story = read_story(STORY)
    again = read_story(written(story))

    def acts(of):
        return [type(act) for act in of.acts], [getattr(act, "lines", ()) for act in of.acts]

    assert acts(again) == acts(story)
    assert {type(act) for act in again.acts} == {Letter, Answer, Rolls, StepEnd, Report}


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("Add 3", "Orders: Add   3\n", True),
        ("one two", "one\n  two", True),
        ("A … lost", "A VEN was lost", True),
        ("A … lost", "A VEN\nwas lost", False),
        ("a.b", "axb", False),
    ],
)
def test_words_stand_in_a_text_whatever_its_blanks(words: str, text: str, found: bool) -> None:
    assert stands_in(words, text) is found


def test_a_game_that_is_recorded_is_a_story_that_happens_as_told(sit, told) -> None:
    rolled = Rolled()
    game = sit(rolled=rolled)
    game.begun()
    game.write("Altair", "Add 3\nAdd 30")
    game.resolve()
    game.write("Altair", "Add 4")
    game.undo()
    game.resolve()
    text = story_of("Two turns", game.seats, (), game.acts)
    assert "Add 4" not in [line.strip() for line in text.splitlines()]
    assert text.count("the step ends") == 2
    assert "dice: " in text
    assert told(text) == []

"""What a ruleset says about itself."""

import pytest

from pbmd.rules import SheetPolicy, read_info
from pbmd.rules.declared import PROTOCOL, RulesetError, looked_at

MINIMAL = """
slug = "mini"
title = "Mini"
prefix = "MI"
summary = "small"
source = "here"
seat_word = "side"
min_seats = 2
max_seats = 0
timing = "phased"
[options]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ruleset.toml").write_text(MINIMAL, encoding="utf-8")
    (tmp_path / "RULES.md").write_text("# Mini – rules\n", encoding="utf-8")
    return tmp_path


def test_a_minimal_ruleset_replaces_sheets_and_drops_wrong_lines(folder):
    info = read_info(folder)
    assert (info.slug, info.seat_word, info.timing, info.max_seats) == ("mini", "side", "phased", 0)
    assert info.sheets == SheetPolicy(later="replace", errors="drop_line")
    assert (dict(info.options), dict(info.tables), info.bold) == ({}, {}, False)


def test_letters_replace_unless_they_amend(folder):
    assert read_info(folder).letters == "replace"
    written(folder, old='title = "Mini"', new='title = "Mini"\nletters = "amend"')
    assert read_info(folder).letters == "amend"
    written(folder, old='title = "Mini"', new='title = "Mini"\nletters = "append"')
    with pytest.raises(RulesetError, match='letters is one of "replace", "amend", not "append"'):
        read_info(folder)


def test_the_handbook_is_the_folders(folder):
    assert read_info(folder).handbook == "# Mini – rules\n"


def test_options_tables_and_policy_are_read(folder):
    more = """
    [options.speed]
    default = "slow"
    help = "how fast"
    choices = ["slow", "fast"]
    [options.ships]
    default = 3
    help = "how many"
    minimum = 1
    maximum = 9
    [sheets]
    later = "final"
    errors = "refuse_mail"
    [tables.price]
    frigate = 2
    """
    (folder / "ruleset.toml").write_text(MINIMAL.replace("[options]", "") + more, encoding="utf-8")
    info = read_info(folder)
    assert info.sheets == SheetPolicy("final", "refuse_mail")
    assert info.tables["price"] == {"frigate": 2}
    assert (info.options["speed"].choices, info.options["speed"].kind) == (("slow", "fast"), "one of slow, fast")
    assert (info.options["ships"].minimum, info.options["ships"].maximum) == (1, 9)


def test_a_ruleset_may_want_to_know_what_is_bold(folder):
    (folder / "ruleset.toml").write_text("bold = true\n" + MINIMAL, encoding="utf-8")
    assert read_info(folder).bold is True


def test_options_need_not_be_there(folder):
    (folder / "ruleset.toml").write_text(MINIMAL.replace("[options]", ""), encoding="utf-8")
    assert dict(read_info(folder).options) == {}


def written(folder, *, old="", new="", more=""):
    text = MINIMAL.replace(old, new) if old else MINIMAL
    (folder / "ruleset.toml").write_text(text + more, encoding="utf-8")


TARGET = """
[options.target]
default = 20
help = "how many"
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('title = "Mini"', "", 1, '"title" is missing'),
        ('title = "Mini"', 'titel = "Mini"', 3, 'there is no key "titel"; did you mean "title"?'),
        ('title = "Mini"', "title = 3", 3, "title is a text in quotation marks, not 3"),
        ('title = "Mini"', 'title = " "', 3, "title says nothing"),
        ('slug = "mini"', 'slug = "Mini!"', 2, "slug has small letters, digits and underscores only"),
        ('prefix = "MI"', 'prefix = "mi"', 4, "prefix has capitals and digits only"),
        ("min_seats = 2", "min_seats = 0", 8, "min_seats is at least 1"),
        ("min_seats = 2", 'min_seats = "2"', 8, 'min_seats is a whole number, not "2"'),
        ("min_seats = 2", "min_seats = true", 8, "min_seats is a whole number, not true"),
        ("max_seats = 0", "max_seats = 1", 9, "max_seats is at least min_seats, which is 2, or 0"),
        ('timing = "phased"', 'timing = "phases"', 10, 'timing is one of "simultaneous", "sequential", "phased", not "phases"'),
        ('seat_word = "side"', 'seat_word = "side"\nmap = 1', 8, "map is true or false, not 1"),
        ("[options]", 'later = "final"', 11, 'there is no key "later"; it belongs into [sheets]'),
        ("[options]", "[nothing]\nmissed = 3\n[options]", 12, "missed is a text in quotation marks, not 3"),
        ("[options]", '[nothing.missed]\nmove = "x"\n[options]', 12, 'there is no key "move" in [nothing.missed]'),
        ("[options]", "[votes]\ndraw = 3\n[options]", 12, "draw is a text in quotation marks, not 3"),
        ("[options]", '[votes]\ndraws = "DRAW"\n[options]', 12, 'there is no key "draws" in [votes]; did you mean "draw"?'),
        ("[options]", "[option]", 11, 'there is no key "option"; did you mean "options"?'),
        ('title = "Mini"', 'title = "Mini', 3, "this is not TOML"),
        ("min_seats = 2", "min_seats = " + "2" * 5000, 8, "this is not TOML: A number has more than 4300 digits"),
    ],
)
def test_what_is_wrong_in_the_head_is_told_with_its_line(folder, old, new, line, problem):
    written(folder, old=old, new=new)
    with pytest.raises(RulesetError) as caught:
        read_info(folder)
    assert problem in caught.value.problem
    assert (caught.value.file, caught.value.line) == (str(folder / "ruleset.toml"), line)
    assert str(caught.value).startswith(f"{folder / 'ruleset.toml'}, line {line}: ")


@pytest.mark.parametrize(
    ("more", "line", "problem"),
    [
        ("[sheets]\nsooner = 1\n", 13, 'there is no key "sooner" in [sheets]'),
        ('[sheets]\nlater = "replaced"\n', 13, 'later is one of "replace", "final", not "replaced"'),
        ("[sheets]\nmap = true\n", 13, 'there is no key "map" in [sheets]; it stands before the first section'),
        ('[clock]\nturn_hours = "hours"\n', 13, 'there is no option "hours"'),
        ("[clock]\n", 12, '"turn_hours" is missing in [clock]'),
        ('[options.a]\ndefault = "x"\nhelp = "h"\n[clock]\nturn_hours = "a"\n', 16, 'the option "a" is no whole number'),
        ("[options.target]\ndefault = 20\n", 12, '"help" is missing in [options.target]'),
        (TARGET + "minumum = 3\n", 16, 'there is no key "minumum" in [options.target]; did you mean "minimum"?'),
        (TARGET + "minimum = 30\n", 14, "the default 20 is not within the limits of the option"),
        (TARGET + "minimum = 30\nmaximum = 10\n", 16, "the minimum 30 is above the maximum 10"),
        (TARGET + "minimum = 3.5\n", 16, "minimum is a whole number"),
        (TARGET + 'choices = ["a"]\n', 16, "only an option that is a text has choices"),
        (TARGET + "midgame = 1\n", 16, "midgame is true or false, not 1"),
        ('[options.a]\ndefault = "x"\nhelp = "h"\nchoices = ["y"]\n', 13, 'the default "x" is none of the choices'),
        ('[options.a]\ndefault = "x"\nhelp = "h"\nminimum = 1\n', 15, "only an option that is a whole number has a minimum"),
        (TARGET + "file_limit = 9\n", 16, "only an option that is a text can be the text of a file"),
        ('[options.a]\ndefault = "x"\nhelp = "h"\nfile_limit = 0\n', 15, "file_limit is a whole number of characters"),
        ('[options.a]\ndefault = 1.5\nhelp = "h"\n', 13, "a default is a text, a whole number, or true or false"),
        ('[options.A-b]\ndefault = 1\nhelp = "h"\n', 12, "the key of an option has small letters"),
    ],
)
def test_what_is_wrong_in_a_section_is_told_with_its_line(folder, more, line, problem):
    written(folder, more=more)
    with pytest.raises(RulesetError) as caught:
        read_info(folder)
    assert problem in caught.value.problem
    assert caught.value.line == line


def test_what_becomes_of_who_sends_nothing_is_said_for_all_phases_or_each(folder):
    assert read_info(folder).nothing.missed_in("") == ""
    written(folder, more='[nothing]\nmissed = "you rest"\n')
    assert {read_info(folder).nothing.missed_in(phase) for phase in ("", "builds")} == {"you rest"}
    phases = 'timing = "phased"\nphases = ["moves", "builds"]'
    written(folder, old='timing = "phased"', new=phases, more='[nothing.missed]\nmoves = "you rest"\n')
    nothing = read_info(folder).nothing
    assert (nothing.missed_in("moves"), nothing.missed_in("builds")) == ("you rest", "")


def test_all_that_is_wrong_can_be_had(folder):
    written(folder, old='title = "Mini"', new="", more=TARGET + "minumum = 3\n[sheets]\nlater = 3\n")
    assert [problem.line for problem in looked_at(folder)[1]] == [1, 16, 18]


def test_a_ruleset_without_the_file_or_without_utf_8_is_told(folder):
    (folder / "ruleset.toml").write_bytes(MINIMAL.encode() + b'summary = "\xff"')
    with pytest.raises(RulesetError, match="line 12: this is not UTF-8 text"):
        read_info(folder)
    (folder / "ruleset.toml").unlink()
    with pytest.raises(RulesetError, match=r"ruleset\.toml: No such file"):
        read_info(folder)


def test_a_ruleset_says_which_version_of_the_protocol_it_is_written_for(folder):
    assert read_info(folder).protocol == 1
    written(folder, old='title = "Mini"', new='title = "Mini"\nprotocol = 2')
    assert read_info(folder).protocol == 2


def test_a_ruleset_that_asks_for_a_newer_protocol_is_refused_in_words(folder):
    """And not for what it has that nobody knows yet."""
    written(folder, old='title = "Mini"', new=f'title = "Mini"\nprotocol = {PROTOCOL + 1}\nweather = "fair"')
    with pytest.raises(RulesetError, match=rf"asks for version {PROTOCOL + 1} .* speaks {PROTOCOL}: install a newer pbmd"):
        read_info(folder)
    assert len(looked_at(folder)[1]) == 1

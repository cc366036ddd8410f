"""What a ruleset says about itself."""

import pytest

from pbmd.rules import SheetPolicy, read_info

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


def test_an_incomplete_ruleset_is_an_error(folder):
    (folder / "ruleset.toml").write_text(MINIMAL.replace('title = "Mini"', ""), encoding="utf-8")
    with pytest.raises(KeyError, match="title"):
        read_info(folder)


def test_an_unknown_sheet_policy_is_an_error(folder):
    (folder / "ruleset.toml").write_text(MINIMAL + "[sheets]\nsooner = 1\n", encoding="utf-8")
    with pytest.raises(TypeError, match="sooner"):
        read_info(folder)


def test_a_ruleset_may_want_to_know_what_is_bold(folder):
    (folder / "ruleset.toml").write_text("bold = true\n" + MINIMAL, encoding="utf-8")
    assert read_info(folder).bold is True

"""A player finds in the handbook what the game master can set, and what it is where nobody set anything."""

import re
from pathlib import Path

import pytest

from pbmd.rendering.handbook import chapters
from pbmd.rules.options import OptionSpec
from pbmd.rules.registry import get, slugs

_ROW = re.compile(r"^\| (?P<names>`\w+`(?:, `\w+`)*) \| (?P<usual>[^|]+?) \|", re.MULTILINE)


@pytest.mark.parametrize("slug", slugs())
def test_the_chapter_on_options_has_each_with_its_default_and_no_other(slug: str) -> None:
    usual = {name: value for row in _ROW.finditer(_chapter(slug)) for name, value in _values(row["names"], row["usual"])}
    declared = {key: _written(option) for key, option in get(slug).info.options.items()}
    assert usual == declared, "RULES.md has a row for each option of ruleset.toml, and its default"


def _chapter(slug: str) -> str:
    handbook = (Path(str(get(slug).info.folder)) / "RULES.md").read_text(encoding="utf-8")
    found = [chapter.source for chapter in chapters(handbook) if chapter.title == "Options"]
    assert len(found) == 1, f"the handbook of {slug} needs a chapter called Options, with a table of them"
    return found[0]


def _values(names: str, usual: str) -> list[tuple[str, str]]:
    """The options of a row with their values: one for all, or one for each."""
    keys = re.findall(r"`(\w+)`", names)
    values = usual.split(", ") if len(keys) > 1 else [usual]
    return [*zip(keys, values if len(values) > 1 else values * len(keys), strict=True)]


def _written(option: OptionSpec) -> str:
    """The default of an option as players read it; that of one which is a list, or any text, as it stands."""
    if isinstance(option.default, bool):
        return "yes" if option.default else "no"
    return f"`{option.default}`" if option.choices else str(option.default) or "none"

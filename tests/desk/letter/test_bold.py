"""A ruleset that wants to know what is bold is told, and no other."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.desk.world import World

COUNT = Path(__file__).parents[2] / "rules" / "count"


@pytest.fixture
def loud(tmp_path):
    """A desk with a game of Loud, which is Count with `bold = true`."""
    folder = tmp_path / "loud"
    shutil.copytree(COUNT, folder)
    reports = folder / "templates" / "reports"
    (reports / "count").rename(reports / "loud")
    head = (COUNT / "ruleset.toml").read_text(encoding="utf-8").replace('slug = "count"', 'slug = "loud"\nbold = true')
    (folder / "ruleset.toml").write_text(head, encoding="utf-8")
    world = World(tmp_path)
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (folder,)}))
    world.start(ruleset="loud", options={"die": False}, reminders=())
    yield world
    world.close()


def test_order_lines_have_marks_and_commands_are_still_commands(loud):
    answer = loud.send("Altair", "*STATUS*\nAdd 1\n*Add 5*\n", html="<b>STATUS</b><br>Add 1<br>and <b>Add 5</b>")
    assert "and [b]Add 5[/b]" in answer
    assert "STATUS" in answer
    assert loud.sheet("Altair") == ["Add 1"]


def test_a_ruleset_that_does_not_ask_gets_the_plain_text(running):
    running.send("Altair", "Add 5\n", html="<b>Add 7</b>")
    assert running.sheet("Altair") == ["Add 5"]
    running.send("Altair", "", html="<b>Add 7</b>")
    assert running.sheet("Altair") == ["Add 7"]

"""Where rulesets come from."""

import shutil
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from pbmd.rules import registry
from tests.rules import count

COUNT = Path(count.__file__).parent


@pytest.fixture
def installed(monkeypatch):
    """An installation with the rulesets "count" and "counter"."""
    points = EntryPoints(EntryPoint(name, "tests.rules.count:ruleset", registry.GROUP) for name in ("counter", "count"))
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    registry.get.cache_clear()
    yield
    registry.get.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_rulesets_are_found_through_their_entry_points():
    assert registry.slugs() == ("count", "counter")
    assert registry.get("count") is count.ruleset


@pytest.mark.usefixtures("installed")
def test_an_unknown_ruleset_brings_the_nearest_or_a_list():
    with pytest.raises(registry.UnknownRuleset, match=r'there is no ruleset "cuont"\. Did you mean "count"\?'):
        registry.get("cuont")
    with pytest.raises(registry.UnknownRuleset, match=r'there is no ruleset "zzz"\. There are: count, counter\.'):
        registry.get("zzz")


def test_galactic_overlord_comes_with_pbmd():
    assert "galactic_overlord" in registry.slugs()


def test_a_folder_elsewhere_is_a_ruleset(tmp_path):
    folder = tmp_path / "elsewhere"
    shutil.copytree(COUNT, folder)
    ruleset = registry.from_folder(folder)
    assert ruleset is not count.ruleset
    assert ruleset.info.slug == "count"
    assert Path(str(ruleset.info.folder)) == folder


def test_a_folder_may_have_several_modules(tmp_path):
    (tmp_path / "__init__.py").write_text("from .rules import ruleset\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text("from tests.rules.count import ruleset\n", encoding="utf-8")
    assert registry.from_folder(tmp_path) is count.ruleset


def test_a_folder_without_a_ruleset_says_so(tmp_path):
    with pytest.raises(registry.UnknownRuleset, match=r"is no ruleset: it has no __init__\.py"):
        registry.from_folder(tmp_path)

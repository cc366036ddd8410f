"""Where rulesets come from."""

import shutil
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from pbmd.rules import registry
from tests.rules import count

COUNT = Path(count.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture
def installed(monkeypatch):
    """An installation with the rulesets "count" and "counter" of another package besides those of pbmd."""
    points = EntryPoints(EntryPoint(name, "tests.rules.count:ruleset", registry.GROUP) for name in ("counter", "count"))
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    registry.get.cache_clear()
    yield
    registry.get.cache_clear()


@pytest.mark.usefixtures("installed")
def test_installed_rulesets_are_found_through_their_entry_points():
    assert {"count", "counter"} <= {*registry.slugs()}
    assert registry.get("count").info is count.ruleset.info


@pytest.mark.usefixtures("installed")
def test_an_unknown_ruleset_brings_the_nearest_or_a_list():
    with pytest.raises(registry.UnknownRuleset, match=r'there is no ruleset "cuont"\. Did you mean "count"\?'):
        registry.get("cuont")
    with pytest.raises(registry.UnknownRuleset, match=r'there is no ruleset "zzz"\. There are: cosmic_conquest, count, '):
        registry.get("zzz")


@pytest.mark.parametrize(
    "slug", ["", ".", "/", "count/../zzz", "x" * 5000, "x" * 100_000, "a\0b", "a\nb", "\x1b[2J", "é" * 200]
)
@pytest.mark.usefixtures("installed")
def test_whatever_a_document_has_for_a_name_is_unknown_in_a_short_line(slug, tmp_path, monkeypatch):
    shutil.copytree(COUNT, tmp_path / "zzz")
    (tmp_path / "count").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(registry.UnknownRuleset) as told:
        registry.get(slug)
    assert len(str(told.value)) < 300
    assert str(told.value).isprintable()
    assert "The folder" not in str(told.value)


def test_a_name_out_of_a_document_is_looked_for_in_no_folder(tmp_path, monkeypatch):
    shutil.copytree(COUNT, tmp_path / "zzz")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(registry.UnknownRuleset, match=r'there is no ruleset "zzz"\. There are: '):
        registry.get("zzz")


def test_a_path_that_no_system_takes_is_no_ruleset(tmp_path):
    with pytest.raises(registry.UnknownRuleset, match="is no ruleset"):
        registry.from_folder(tmp_path / ("x" * 5000))


@pytest.mark.usefixtures("installed")
def test_every_folder_of_rulesets_comes_with_pbmd():
    folders = {init.parent.name for init in (ROOT / "rulesets").glob("*/__init__.py")}
    assert len(folders) >= 5
    assert {*registry.slugs()} - {"count", "counter"} == folders
    assert all(registry.get(folder).info.slug == folder for folder in folders)


def test_a_folder_elsewhere_is_a_ruleset(tmp_path):
    folder = tmp_path / "elsewhere"
    shutil.copytree(COUNT, folder)
    ruleset = registry.from_folder(folder)
    assert ruleset.info is not count.ruleset.info
    assert ruleset.info.slug == "count"
    assert Path(str(ruleset.info.folder)) == folder


def test_a_folder_may_have_several_modules(tmp_path):
    (tmp_path / "__init__.py").write_text("from .rules import ruleset\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text("from tests.rules.count import ruleset\n", encoding="utf-8")
    assert registry.from_folder(tmp_path).info is count.ruleset.info


def test_a_folder_without_a_ruleset_says_so(tmp_path):
    with pytest.raises(registry.UnknownRuleset, match=r"is no ruleset: it has no __init__\.py"):
        registry.from_folder(tmp_path)


def test_two_folders_of_the_same_name_are_two_rulesets(tmp_path):
    for where, title in (("here", "One"), ("there", "Other")):
        folder = tmp_path / where / "count"
        shutil.copytree(COUNT, folder)
        (folder / "title.py").write_text(f'TITLE = "{title}"\n', encoding="utf-8")
        with (folder / "__init__.py").open("a", encoding="utf-8") as init:
            init.write("\nfrom .title import TITLE\nruleset = replace(ruleset, info=replace(info, title=TITLE))\n")
    titles = [registry.from_folder(tmp_path / where / "count").info.title for where in ("here", "there")]
    assert titles == ["One", "Other"]


def test_two_folders_of_the_same_name_are_used_at_once(tmp_path):
    for where, title in (("here", "One"), ("there", "Other")):
        folder = tmp_path / where / "count"
        shutil.copytree(COUNT, folder)
        (folder / "title.py").write_text(f'TITLE = "{title}"\n', encoding="utf-8")
        with (folder / "__init__.py").open("a", encoding="utf-8") as init:
            # What is imported late comes from the folder that wants it, too.
            init.write("\ndef turn(position):\n    from .title import TITLE\n    return TITLE\n")
            init.write("\nruleset = replace(ruleset, turn=turn)\n")
    one, other = (registry.from_folder(tmp_path / where / "count") for where in ("here", "there"))
    assert (other.turn(None), one.turn(None)) == ("Other", "One")


@pytest.mark.parametrize("name", ["My Game", "game.of.dots", "7", "größe"])
def test_a_folder_may_have_any_name(name, tmp_path):
    folder = tmp_path / name
    shutil.copytree(COUNT, folder)
    (folder / "more.py").write_text("NUMBER = 7\n", encoding="utf-8")
    with (folder / "__init__.py").open("a", encoding="utf-8") as init:
        init.write("\nfrom .more import NUMBER\n")
    assert registry.from_folder(folder).info.slug == "count"


def test_what_could_not_be_loaded_is_tried_anew(tmp_path):
    init = tmp_path / "__init__.py"
    init.write_text("from .rules import ruleset\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text("ruleset = 1 / 0\n", encoding="utf-8")
    with pytest.raises(registry.UnusableRuleset, match=r"rules\.py, line 1: ZeroDivisionError: division by zero"):
        registry.from_folder(tmp_path)
    (tmp_path / "rules.py").write_text("from tests.rules.count import ruleset as count\n\nruleset = count\n", encoding="utf-8")
    assert registry.from_folder(tmp_path).info is count.ruleset.info


def test_a_folder_whose_package_has_no_ruleset_says_so(tmp_path):
    (tmp_path / "__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(registry.UnknownRuleset, match=r"__init__\.py: it has no ruleset = Ruleset\(…\)"):
        registry.from_folder(tmp_path)


def test_a_path_may_be_relative(monkeypatch):
    monkeypatch.chdir(COUNT)
    assert registry.from_folder(Path()) is registry.from_folder(COUNT)

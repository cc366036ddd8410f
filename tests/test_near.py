"""What `make near` runs for which change, and what it says of the rest."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import near
from tests.near import FARTHEST, GUARDS, HUB, MOST, OF_DATA, Checkout, chosen, naming, of_data, story, touched

TWO_TESTS = "def test_one(): ...\n\n\ndef test_two(): ...\n"


def made(folder: Path, texts: Mapping[str, str], importers: Mapping[str, set[str]] | None = None, *slow: str) -> Checkout:
    """A checkout with these files, two tests in each of tests that has no text."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text or (TWO_TESTS if "/test_" in path else ""))
    return Checkout(folder, frozenset(texts), importers or {}, frozenset(slow))


def found_for(checkout: Checkout, *changed: str) -> dict[str, int]:
    return {each.path: each.distance for each in touched(checkout, changed)}


def test_the_tests_of_the_room_come_first_then_those_that_import_then_those_farther_away(tmp_path: Path) -> None:
    files = (
        "pbmd/a/x.py",
        "pbmd/b/y.py",
        "tests/a/test_z.py",
        "tests/a/deep/test_z.py",
        "tests/c/test_x.py",
        "tests/b/test_y.py",
    )
    importers = {"pbmd/a/x.py": {"pbmd/b/y.py", "tests/c/test_x.py"}, "pbmd/b/y.py": {"tests/b/test_y.py"}}
    checkout = made(tmp_path, dict.fromkeys(files, ""), importers)
    assert [*found_for(checkout, "pbmd/a/x.py").items()] == [
        ("tests/a/test_z.py", 0),
        ("tests/c/test_x.py", 1),
        ("tests/b/test_y.py", 2),
    ]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("pbmd/daemon/roles.py", {"tests/test_daemon.py", "tests/test_daemon_damage.py", "tests/daemon_shared/test_bell.py"}),
        ("pbmd/rendering/blocks/parse.py", {"tests/rendering/test_blocks.py"}),
        ("pbmd/rendering/render.py", {"tests/rendering/test_blocks.py", "tests/rendering/test_maps.py"}),
        ("pbmd/ledger/migrations/env.py", {"tests/ledger/test_journal.py"}),
        ("pbmd/simulate.py", {"tests/test_simulate.py"}),
        ("rulesets/go/world/map.py", {"tests/rulesets/go/test_map.py"}),
        ("tests/rules/count/__init__.py", {"tests/rules/test_count.py"}),
        ("pbmd/nowhere.py", set()),
    ],
)
def test_where_no_folder_is_named_alike_the_tests_named_alike_are_taken(tmp_path: Path, changed: str, tests: set[str]) -> None:
    others = ("rendering/test_blocks", "rendering/test_maps", "ledger/test_journal", "test_simulate", "rulesets/go/test_map")
    daemons = (
        "test_daemon",
        "test_daemon_damage",
        "daemon_shared/test_bell",
        "test_demo",
        "rules/test_count",
        "rules/test_dice",
    )
    files = {f"tests/{name}.py": "" for name in (*others, *daemons)} | {changed: ""}
    assert {*found_for(made(tmp_path, files), changed)} == tests


def test_a_helper_that_everybody_imports_is_followed_only_if_it_has_changed_itself(tmp_path: Path) -> None:
    many = {f"tests/c/test_{number}.py" for number in range(HUB + 1)}
    files = dict.fromkeys(("pbmd/a/x.py", "tests/world.py", *many), "")
    checkout = made(tmp_path, files, {"pbmd/a/x.py": {"tests/world.py"}, "tests/world.py": many})
    assert found_for(checkout, "pbmd/a/x.py") == {}
    assert found_for(checkout, "tests/world.py") == dict.fromkeys(sorted(many), 1)


def test_nothing_is_followed_for_ever(tmp_path: Path) -> None:
    chain = [f"pbmd/a{number}/x.py" for number in range(FARTHEST + 2)]
    tests = [f"tests/test_of_{number}.py" for number in range(FARTHEST + 2)]
    importers = {
        path: {*following, test} for path, following, test in zip(chain, ([each] for each in chain[1:]), tests, strict=False)
    }
    checkout = made(tmp_path, dict.fromkeys((*chain, *tests), ""), importers)
    assert [*found_for(checkout, chain[0]).values()] == [*range(1, FARTHEST + 1)]
    assert any(f"more than {FARTHEST} imports away" in line for line in story(checkout, [], [], []))


def test_a_changed_test_goes_before_all(tmp_path: Path) -> None:
    files = dict.fromkeys(("pbmd/a/x.py", "tests/a/test_x.py", "tests/z/test_z.py"), "")
    assert [*found_for(made(tmp_path, files), "tests/z/test_z.py", "pbmd/a/x.py")] == ["tests/z/test_z.py", "tests/a/test_x.py"]


def test_as_many_are_run_as_there_is_time_for_and_the_rest_is_told(tmp_path: Path) -> None:
    files = {f"tests/a/test_{name}.py": "" for name in "pqrs"} | {"pbmd/a/x.py": ""}
    slow = ("tests/a/test_p.py::test_one", "tests/a/test_q.py::test_one", "tests/a/test_q.py::test_two")
    checkout = made(tmp_path, files, {}, *slow)
    found = touched(checkout, ["pbmd/a/x.py"])
    run, left, none_quick = chosen(checkout, found, most=3)
    assert [Path(each.path).stem for each in run] == ["test_p", "test_r"]
    assert [Path(each.path).stem for each in left] == ["test_s"]
    assert [Path(each.path).stem for each in none_quick] == ["test_q"]
    told = "".join(story(checkout, run, left, none_quick))
    assert "run, tests of pbmd/a: tests/a/test_p.py tests/a/test_r.py\n" in told
    assert "left out since half a minute is over, tests of pbmd/a: tests/a/test_s.py\n" in told
    assert "left out since no test there is quick, tests of pbmd/a: tests/a/test_q.py\n" in told
    assert "left out since slow: 1 test in the files that are run\n" in told


def test_a_template_belongs_to_the_code_that_names_it_or_one_that_takes_it_in(tmp_path: Path) -> None:
    files = {
        "templates/mail/part.txt.j2": "",
        "templates/mail/whole.txt.j2": '{% include "mail/part.txt.j2" %}',
        "templates/mail/other.txt.j2": "a part.txt, not named",
        "pbmd/a/x.py": 'render("whole.txt", values)',
        "pbmd/b/y.py": 'render("other.txt", values)',
        "tests/c/test_x.py": "",
    }
    checkout = made(tmp_path, files, {"pbmd/a/x.py": {"tests/c/test_x.py"}})
    assert naming(checkout, "templates/mail/part.txt.j2") == {"pbmd/a/x.py"}
    assert found_for(checkout, "templates/mail/part.txt.j2") == {"tests/c/test_x.py": 1}


@pytest.fixture(scope="module")
def here() -> Checkout:
    return near.this_checkout()


def test_all_that_is_no_code_has_tests(here: Checkout) -> None:
    assert {path for path in here.files if not path.endswith(".py") and not of_data(here, path)} == set()
    places = [place for _, places in OF_DATA for place in places if "\\" not in place]
    assert [place for place in (*places, *GUARDS) if not here.within(place)] == []


def test_every_room_has_tests(here: Checkout) -> None:
    """Or a change there would be answered by the guards alone."""
    code = [path for path in here.files if path.startswith(("pbmd/", "rulesets/")) and path.endswith(".py")]
    assert {path for path in code if not touched(here, [path]) and Path(path).stem not in ("__init__", "__main__")} == set()


def test_the_import_graph_is_followed(here: Checkout) -> None:
    found = found_for(here, "pbmd/terms/times.py")
    assert found["tests/terms/test_times.py"] == 0
    assert 1 in found.values()
    assert here.quick("tests/terms/test_times.py") <= MOST


def test_what_has_changed_is_asked_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        who = {f"GIT_{role}_{what}": "x@players.test" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True, env=os.environ | who)

    monkeypatch.setattr(near, "ROOT", tmp_path)
    git("init", "--initial-branch", "main")
    for name in ("old", "changed", "committed"):
        (tmp_path / name).write_text("one\n")
    git("add", ".")
    git("commit", "--message", "one")
    git("checkout", "-b", "work")
    (tmp_path / "committed").write_text("two\n")
    git("commit", "--all", "--message", "two")
    (tmp_path / "changed").write_text("two\n")
    (tmp_path / "new").write_text("two\n")
    files = {"old", "changed", "committed", "new"}
    assert near.changes([], files) == ("changed since main", ["changed", "committed", "new"])
    assert near.changes(["old"], files) == ("named", ["old"])
    with pytest.raises(SystemExit, match="nothing like that here: olds"):
        near.changes(["olds"], files)


def test_it_can_only_say_what_it_would_run(here: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert near.main(["--list", "pbmd/terms"]) == 0
    told = capsys.readouterr().out
    of_terms = "test_second_thought.py tests/terms/test_sleepers.py tests/terms/test_times.py"
    assert f"near: run, tests of pbmd/terms: tests/terms/{of_terms}\n" in told
    assert "near: run, whatever has changed: tests/test_import_law.py" in told

"""`pbmd try`."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.cli import app, try_
from tests.conformance.parted import files_of
from tests.rules import count


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the ruleset ``count``."""
    shutil.copytree(Path(count.__file__).parent, tmp_path / "count", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture(autouse=True)
def at_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played in other processes but where `elsewhere` is asked for; what that finds tests/conformance proves."""
    if "elsewhere" not in request.fixturenames:
        stay_at_home(monkeypatch)


@pytest.fixture
def elsewhere() -> None:
    """Games are played in other processes, too."""


def stay_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(try_, "Trip", lambda *_: None)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["try", *arguments])


def change(here: Path, old: str, new: str, file: str = "__init__.py") -> None:
    path = here / "count" / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


FORGETS = ('missed=tuple(document.get("missed", ())),', "")
LINE = 64
"""Of `_load`."""


@pytest.mark.usefixtures("elsewhere")
def test_of_a_sound_ruleset_nothing_is_told_but_what_was_looked_at(here: Path) -> None:
    done = run("./count", "--games", "1")
    assert done.exit_code == 0, done.output
    assert "position documents" in done.stdout
    assert done.stdout.endswith("count: nothing is wrong\n")
    assert not (here / "try-count").exists()


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """What is told of it, and the folder with all that is left."""
    folder = tmp_path_factory.mktemp("tried")
    shutil.copytree(Path(count.__file__).parent, folder / "count", ignore=shutil.ignore_patterns("__pycache__"))
    change(folder, *FORGETS)
    with pytest.MonkeyPatch.context() as there:
        there.chdir(folder)
        there.setenv("COLUMNS", "200")
        stay_at_home(there)
        return run("./count", "--games", "1"), folder


class TestWhatIsWrong:
    @pytest.fixture(autouse=True)
    def done(self, here: Path, tried: tuple[Result, Path]) -> Result:
        shutil.copytree(tried[1], here, dirs_exist_ok=True)
        return tried[0]

    def test_is_told_with_promise_place_scene_and_mend(self, done: Result) -> None:
        assert done.exit_code == 1
        told = done.stdout
        assert "document.round-trip: load loses or changes something that dump has written, at missed[0]\n" in told
        assert f"  count/__init__.py, line {LINE}, in _load\n" in told
        assert "  in seed 1, " in told
        assert "  Promised: load gives exactly the position that was dumped" in told
        assert "  To mend it: Write and read every field" in told
        assert "  To see it again: pbmd try --again try-count/document.round-trip.json\n" in told

    def test_can_be_seen_again_alone_until_it_is_mended(self, here: Path) -> None:
        file = "try-count/document.round-trip.json"
        again = run("--again", file)
        assert again.exit_code == 1
        assert "document.round-trip: load loses" in again.stdout
        assert "what was looked at" not in again.stdout
        shutil.copytree(Path(count.__file__).parent, here / "mended")
        mended = run("./mended", "--again", file)
        assert (mended.exit_code, mended.stdout) == (0, "nothing is wrong any more\n")

    def test_has_position_and_letters_in_its_file(self, here: Path) -> None:
        written = json.loads((here / "try-count" / "document.round-trip.json").read_text())
        assert written["position"]["ruleset"] == "count"
        assert written["check"] == "documents_come_back"
        letters = [letter for step in (*written["steps_before"], written["letters"]) for letter in step]
        assert all({*letter} == {"seat", "arrival", "lines"} for letter in letters)
        assert [signup["seat"] for signup in written["signups"]] == [each["name"] for each in written["position"]["players"]]

    def test_leaves_no_file_of_another_time(self, here: Path) -> None:
        (here / "try-count" / "mine.json").write_text("{}")
        shutil.copytree(Path(count.__file__).parent, here / "other" / "count")
        change(here / "other", "{{ view.data.total }}", "{{ view.data.totl }}", "templates/reports/count/report.txt.j2")
        assert run("./other/count", "--games", "1").exit_code == 1
        assert {path.name for path in (here / "try-count").iterdir()} == {"mine.json", "template.names.json"}


def test_it_can_be_had_as_json(here: Path) -> None:
    change(here, *FORGETS)
    done = run("./count", "--games", "1", "--json", "--to", "found")
    told: dict[str, Any] = json.loads(done.stdout)
    assert (done.exit_code, told["ok"], told["ruleset"], told["games"], told["seed"]) == (1, False, "count", 1, 1)
    first = next(each for each in told["findings"] if each["promise"] == "document.round-trip")
    assert (first["file"], first["line"], first["function"]) == (str(here / "count" / "__init__.py"), LINE, "_load")
    assert first["mend"].startswith("Write and read every field")
    assert Path(first["again"]).is_file()
    assert Path(first["again"]).parent.name == "found"


def test_what_an_authors_code_raises_has_its_trace_when_it_is_seen_again(here: Path) -> None:
    change(here, "    scores = dict(position.scores)\n", "    scores = dict(position.scor)\n")
    done = run("./count", "--games", "1")
    assert done.exit_code == 1
    assert "code.raises: resolve raises AttributeError: 'Position' object has no attribute 'scor'" in done.stdout
    assert "Traceback" not in done.output
    again = run("--again", "try-count/code.raises.json")
    assert again.exit_code == 1
    assert "Traceback" in again.stderr
    assert "in _resolve" in again.stderr


def test_all_that_is_wrong_in_the_toml_is_told_at_once(here: Path) -> None:
    change(here, "min_seats", "min_seat", "ruleset.toml")
    change(here, 'later = "replace"', 'later = "replaced"', "ruleset.toml")
    done = run("./count")
    assert done.exit_code == 1
    assert 'toml.read: there is no key "min_seat"; did you mean "min_seats"?\n  count/ruleset.toml, line 7\n' in done.stdout
    assert 'toml.read: later is one of "replace", "final", not "replaced"\n  count/ruleset.toml, line 13\n' in done.stdout
    assert done.stdout.endswith("count: 2 things are wrong\n")


def test_the_way_to_a_page_that_mends_is_told(here: Path) -> None:
    change(here, "min_seats", "min_seat", "ruleset.toml")
    done = run("./count")
    found = re.search(r"See the tables of keys in (\S+\.md)\.\n", done.stdout)
    assert found is not None
    assert Path(found[1]).read_text().startswith("# ")


def test_a_ruleset_for_a_newer_pbmd_is_told_so(here: Path) -> None:
    change(here, 'slug = "count"', 'slug = "count"\nprotocol = 99', "ruleset.toml")
    done = run("./count")
    assert done.exit_code == 1
    assert "toml.protocol: the ruleset asks for version 99 of the ruleset protocol" in done.stdout
    assert "  count/ruleset.toml, line " in done.stdout
    assert "  To mend it: Install a newer pbmd" in done.stdout


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("file", "promise"),
    [
        ("templates/reports/count/report.txt.j2", "files.templates"),
        ("templates/reports/count/report.html.j2", "files.templates"),
        ("RULES.md", "files.handbook"),
        ("ruleset.toml", "toml.read"),
    ],
)
def test_a_file_that_is_not_there_has_no_line(here: Path, file: str, promise: str) -> None:
    (here / "count" / file).unlink()
    done = run("./count", "--games", "1")
    assert done.exit_code == 1
    assert f"{promise}: " in done.stdout
    assert f"\n  count/{file}\n" in done.stdout
    assert done.stdout.endswith("count: 1 thing is wrong\n")


@pytest.mark.parametrize(
    ("right", "wrong", "of"),
    [
        ("missed: Names = ()", "missed: Annotated[Names, Field(exclude=True)] = ()", "Position"),
        ("gold: Count = 0", "gold: Annotated[int, Field(le=3)] = 0", "Digger"),
    ],
    ids=["it is left out", "it is refused"],
)
def test_what_the_kit_writes_is_told_with_the_field_of_the_position(here: Path, right: str, wrong: str, of: str) -> None:
    for path, text in files_of("gold", "simultaneous"):
        (here / "gold" / path).parent.mkdir(parents=True, exist_ok=True)
        (here / "gold" / path).write_text(text)
    position = here / "gold" / "position.py"
    text = position.read_text()
    position.write_text(text.replace(f"    {right}\n", f"    {wrong}\n"))
    line = text.splitlines().index(f"    {right}") + 1
    told = json.loads(run("./gold", "--games", "1", "--json").stdout)["findings"]
    of_documents = [each for each in told if each["promise"] in ("document.round-trip", "document.readable")]
    assert {(each["file"], each["line"], each["function"]) for each in of_documents} == {(str(position), line, of)}


def test_a_document_that_is_kept_between_calls_is_told_with_a_file(here: Path) -> None:
    change(here, "def _dump(", "@cache\ndef _dump(")
    change(here, "import re\n", "import re\nfrom functools import cache\n")
    change(here, "class Position:\n", "class Position:\n    __hash__ = object.__hash__\n")
    done = run("./count", "--games", "1", "--json")
    told = json.loads(done.stdout)["findings"]
    assert "document.copy" in {each["promise"] for each in told}
    assert [each for each in told if not each["file"]] == []


def test_a_ruleset_that_cannot_be_imported_is_told_with_the_line(here: Path) -> None:
    change(here, "import re\n", "import re =\n")
    done = run("./count")
    assert done.exit_code == 1
    assert "ruleset.loads: SyntaxError: invalid syntax\n  count/__init__.py, line 7\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "which ruleset? pbmd try RULESET, or pbmd try --again FILE"),
        (("./cuont",), "is no ruleset: there is no such folder"),
        (("societis",), 'there is no ruleset "societis". Did you mean "societies"?'),
        (("--again", "no.json"), "--again: no.json: No such file or directory"),
        (("--again", "count/RULES.md"), "--again: count/RULES.md: this is no file that pbmd try has written"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], problem: str) -> None:
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("pbmd: ")
    assert done.stderr.endswith(f"{problem}\n")
    assert done.stderr.count("\n") == 1


def test_a_file_that_somebody_has_changed_is_refused(here: Path) -> None:
    change(here, *FORGETS)
    run("./count", "--games", "1")
    file = here / "try-count" / "document.round-trip.json"
    written = json.loads(file.read_text())
    for wrong in ({"signups": 3}, {"check": "nothing"}, {"options": {"target": "much"}}):
        file.write_text(json.dumps(written | wrong))
        done = run("--again", str(file))
        assert done.exit_code == 2
        assert done.stderr.startswith("pbmd: --again: ")


def test_help_has_examples() -> None:
    assert "pbmd try ./count --json" in run("--help").stdout


def test_a_story_that_does_not_happen_as_told_is_found_with_its_line(here: Path) -> None:
    (here / "count" / "stories").mkdir()
    story = here / "count" / "stories" / "ahead.txt"
    story.write_text("Altair adds\n\nseats: Altair, Borealis\nAltair writes\n    Add 3\nAltair is answered\n    Add 4\n")
    done = run("./count", "--games", "1")
    assert done.exit_code == 1
    assert 'stories.told: "Add 4" does not stand in the answer to Altair' in done.output
    assert "count/stories/ahead.txt, line 7" in done.output
    story.write_text(story.read_text().replace("Add 4", "Add 3"))
    assert "stories.told" not in run("./count", "--games", "1").output


class TestWhatIsSilenced:
    @pytest.fixture(autouse=True)
    def wrong(self, here: Path) -> None:
        change(here, "**CT-1**", "**Count**", "RULES.md")

    def silence(self, here: Path, entry: str) -> None:
        with (here / "count" / "ruleset.toml").open("a") as toml:
            toml.write(f"\n[silenced]\n{entry}\n")

    def test_is_told_with_its_reason_and_counts_no_more(self, here: Path) -> None:
        self.silence(here, '"files.handbook" = "a game for tests"')
        done = run("./count", "--games", "1")
        assert done.exit_code == 0
        assert "Silenced in ruleset.toml: files.handbook: no rule in the handbook has an id" in done.stdout
        assert "The reason there: a game for tests\ncount: nothing is wrong but what is silenced\n" in done.stdout
        told = json.loads(run("./count", "--games", "1", "--json").stdout)
        assert (told["ok"], told["findings"]) == (True, [])
        assert [each["reason"] for each in told["silenced"]] == ["a game for tests"]

    @pytest.mark.parametrize(
        ("entry", "problem"),
        [
            ('"files.handbok" = "why"', 'toml.read: there is no promise "files.handbok"; did you mean "files.handbook"?'),
            ('"files.handbook" = " "', "toml.read: the reason for which files.handbook is silenced is missing"),
            ('files.handbook = "why"', "toml.read: the promise is written in quotation marks"),
        ],
    )
    def test_is_named_rightly_and_has_a_reason(self, here: Path, entry: str, problem: str) -> None:
        self.silence(here, entry)
        done = run("./count", "--games", "1")
        assert done.exit_code == 1
        assert problem in done.stdout


def test_the_authors_own_tests_are_run_unless_they_are_left_out(here: Path) -> None:
    (here / "count" / "tests").mkdir()
    (here / "count" / "tests" / "test_count.py").write_text("def test_adding():  # CT-1\n    assert 1 + 1 == 3\n")
    done = run("./count", "--games", "1")
    assert done.exit_code == 1
    assert "code.tests: test_adding fails: assert (1 + 1) == 3\n  count/tests/test_count.py\n" in done.stdout
    left_out = run("./count", "--games", "1", "--no-tests")
    assert left_out.exit_code == 0
    assert "Untried: the tests of the folder were not run: --no-tests." in left_out.stdout

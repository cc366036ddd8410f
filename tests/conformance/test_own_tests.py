"""The author's own tests are run, and those that fail are told."""

from pathlib import Path

import pytest

from pbmd.conformance.own_tests import failed_tests, has_tests


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    return tmp_path


def written(folder: Path, text: str) -> None:
    (folder / "tests" / "test_rules.py").write_text(text)


def test_each_test_that_fails_is_told_with_its_file(folder: Path) -> None:
    written(folder, "def test_right():\n    assert 1\n\n\ndef test_wrong():\n    assert [] == [3]\n")
    assert has_tests(folder)
    [finding] = failed_tests(folder)
    assert finding.promise == "code.tests"
    assert finding.words.startswith("test_wrong fails: assert [] == [3]")
    assert finding.place is not None
    assert Path(finding.place.file) == folder / "tests" / "test_rules.py"


def test_of_tests_that_pass_nothing_is_told(folder: Path) -> None:
    assert not has_tests(folder)
    written(folder, "def test_right():\n    assert 1\n")
    assert [*failed_tests(folder)] == []


def test_tests_that_take_too_long_are_stopped(folder: Path) -> None:
    written(folder, "import time\n\n\ndef test_long():\n    time.sleep(60)\n")
    [finding] = failed_tests(folder, seconds=0.1)
    assert finding.words == "the tests were stopped after 0.1 seconds"


def test_what_cannot_be_imported_is_told(folder: Path) -> None:
    written(folder, "import no_such_module_anywhere\n")
    [finding] = failed_tests(folder)
    assert finding.words.startswith("tests/test_rules.py fails")

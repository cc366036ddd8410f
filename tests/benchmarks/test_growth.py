"""Nothing costs more than it must as there is more of it: counted in calls of functions and in steps of SQLite, which do not
hang on how busy the machine is."""

from pathlib import Path

import pytest

from tests.benchmarks.growing import SUBJECTS, Subject
from tests.benchmarks.growth import exponent, work_of


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_what_it_costs_grows_no_faster_than_it_must(subject: Subject, tmp_path: Path) -> None:
    folders = [tmp_path / str(size) for size in subject.few]
    for folder in folders:
        folder.mkdir()
    few, many = (work_of(subject, folder, size) for folder, size in zip(folders, subject.few, strict=True))
    assert exponent(subject.few, (few.calls, many.calls)) <= subject.most, (few, many)
    if few.steps:
        assert exponent(subject.few, (few.steps, many.steps)) <= max(subject.most, subject.scan), (few, many)

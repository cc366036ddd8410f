"""Nothing depends on how many letters are read at once: N letters in one pass give what N passes with one letter each give."""

from pathlib import Path

import pytest

from tests.archive.made import verified
from tests.desk.bunches import PLAYERS, Kept, at_once, drawn_fast, one_by_one

SEEDS = {"count": 6, "relay": 6, "tides": 4}


def same(one: Kept, other: Kept) -> None:
    """All that is left is the same, byte for byte."""
    for kind, rows in one.rows.items():
        for place, (row, others) in enumerate(zip(rows, other.rows[kind], strict=False)):
            assert others == row, f"{kind} {place}"
        assert len(rows) == len(other.rows[kind]), kind
    assert sorted(other.files) == sorted(one.files)
    for name, data in one.files.items():
        assert other.files[name] == data, name


@pytest.mark.parametrize(("slug", "seed"), [(slug, seed) for slug in PLAYERS for seed in range(SEEDS.get(slug, 2))])
def test_letters_read_at_once_leave_the_same_as_letters_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str, seed: int
) -> None:
    drawn_fast(monkeypatch)
    letters, by_one = one_by_one(tmp_path / "one", slug, f"{slug} {seed}", 30)
    at_a_time = at_once(tmp_path / "all", slug, letters)
    same(by_one, at_a_time)
    for archive in (by_one.archive, at_a_time.archive):
        assert [str(problem) for problem in verified(archive).problems] == []

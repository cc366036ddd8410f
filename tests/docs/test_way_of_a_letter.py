"""What `docs/architecture.md` says of how far a letter goes in the code is so, and the count counts."""

from types import ModuleType

import pytest

from pbmd.desk import clerk
from pbmd.desk.gm import serve
from pbmd.desk.player.orders import intake
from pbmd.desk.step import resolve
from tests.docs import way_of_a_letter
from tests.docs.way_of_a_letter import PAGE, ROW, TABLE, WAYS, Way

SLACK = 0.05
"""A call more or less is nobody's business; what adds up is."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Way]:
    return way_of_a_letter.ways()


def test_the_ways_are_as_long_as_the_page_says(measured: dict[str, Way]) -> None:
    table = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert table
    on_page = {found["name"]: (int(found["files"]), int(found["moves"])) for found in ROW.finditer(table["rows"])}
    assert [*on_page] == [*WAYS]
    for name, way in measured.items():
        for counted, stated in zip((way.files, way.moves.total()), on_page[name], strict=True):
            longer_or_shorter = (
                f"{name}: {counted}, not {stated}; python -m tests.docs.way_of_a_letter --write, if that is meant"
            )
            assert abs(counted - stated) <= SLACK * stated, longer_or_shorter


def test_each_way_goes_where_it_is_known_to_go(measured: dict[str, Way]) -> None:
    """So that no way is short because nothing was done."""
    letter, deadline, command = measured.values()
    for way in measured.values():
        assert "tests/rules/count/__init__.py" in way.entered
        assert all(name.endswith(".py") for name in way.entered)
    assert {_file(clerk), _file(intake)} <= {*letter.entered}
    assert _file(resolve) in deadline.entered
    assert _file(intake) not in deadline.entered
    assert _file(serve) in command.entered


def _file(module: ModuleType) -> str:
    return module.__name__.replace(".", "/") + ".py"


def test_a_move_is_counted_when_another_file_is_entered() -> None:
    assert Way(["a", "a", "b", "a", "a", "c"]).moves == {("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1}
    assert Way(["a", "a", "b", "a"]).files == 2

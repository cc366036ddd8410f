"""Small changes of a ruleset's code: where they are made, and in which words they are told."""

from pathlib import Path

import pytest

from pbmd.conformance.untested.changes import changed_code, changes, in_words

SOURCE = '''"""A game."""


def resolve(position, dice):
    """A doc."""
    if position.most > 0:
        return shared(position.most)
    raise ValueError(f"{position.most + 1}")


def shared(most: int) -> int:
    return max(most // 2, -1)


def order_form(position, seat):
    return "x" * (position.most - 1)


def random_orders(position, seat, dice):
    return order_form(position, seat)[:3]
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "resolve.py").write_text(SOURCE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("def resolve():\n    return 1 < 2\n")
    return tmp_path


def test_what_decides_something_is_changed_in_one_place_after_the_other(folder: Path) -> None:
    assert [(each.line, *in_words(each)) for each in changes(folder)] == [
        (6, "position.most > 0", "position.most >= 0"),
        (12, "max(most // 2, -1)", "min(most // 2, -1)"),
        (6, "position.most > 0", "position.most > 1"),
        (12, "most // 2", "most * 2"),
        (12, "most // 2", "most // 3"),
        (12, "max(most // 2, -1)", "max(most // 2, -2)"),
    ]


def test_the_code_with_a_change_does_something_else_and_the_rest_stays(folder: Path) -> None:
    module: dict[str, object] = {}
    exec(SOURCE, module)
    shared = module["shared"]
    assert callable(shared)
    results = []
    for change in changes(folder):
        if change.function.name == "shared":
            shared.__code__ = changed_code(change)  # type: ignore[attr-defined]
            results.append(shared(6))
    assert results == [-1, 12, 2, 3]

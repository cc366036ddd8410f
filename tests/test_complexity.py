"""No function decides too much at once: radon's count, which has boolean expressions and comprehensions in it.

ruff's own count (mccabe) has neither, so it would never ring. A function is counted with what is defined inside it.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest
from radon.complexity import cc_visit

ROOT = Path(__file__).parents[1]
MOST = 15


@pytest.mark.parametrize("folder", ["pbmd", "rulesets"])
def test_no_function_decides_too_much_at_once(folder: str) -> None:
    assert too_complex((ROOT / folder).rglob("*.py"), ROOT) == {}


def too_complex(files: Iterable[Path], root: Path) -> dict[str, int]:
    """The functions in these files that decide more than one may, and how much."""
    return {
        f"{path.relative_to(root)}:{block.lineno} {block.name}": block.complexity
        for path in sorted(files)
        for block in cc_visit(path.read_text())
        if block.letter in "FM" and block.complexity > MOST
    }

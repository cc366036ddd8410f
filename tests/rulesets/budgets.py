"""How many cases the property tests of the rulesets try. They are the same in every run."""

import os
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

SMALL = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
# More with PBMD_FUZZ=2000 pytest -m fuzz
LARGE = settings(SMALL, max_examples=int(os.environ.get("PBMD_FUZZ", "100")), derandomize="PBMD_FUZZ" not in os.environ)


def examples_of(strategy: SearchStrategy[T], many: int) -> tuple[T, ...]:
    """So many examples, for several tests that only look at them."""
    found: list[T] = []

    @settings(LARGE, max_examples=many, phases=(Phase.generate,))
    @given(strategy)
    def gather(example: T) -> None:
        found.append(example)

    gather()
    return tuple(found)

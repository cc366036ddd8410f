"""How many cases the property tests of the rulesets try, the same in every run, and cases that several tests share."""

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy, integers

from tests.doses import dose

T = TypeVar("T")

SMALL = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[
        *(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
        # What is kept is drawn when the first test asks for it.
        HealthCheck.nested_given,
    ],
)
# More with PBMD_FUZZ=2000 pytest -m fuzz
_MANY = int(os.environ.get("PBMD_FUZZ", dose("50", "100")))
LARGE = settings(SMALL, max_examples=_MANY, derandomize="PBMD_FUZZ" not in os.environ)
KEPT = 100


def examples_of(strategy: SearchStrategy[T], many: int = KEPT) -> tuple[T, ...]:
    """So many examples, for several tests that only look at them."""
    found: list[T] = []

    @settings(SMALL, max_examples=many, phases=(Phase.generate,))
    @given(strategy)
    def gather(example: T) -> None:
        found.append(example)

    gather()
    return tuple(found)


def one_of_kept(examples: Callable[[], Sequence[T]]) -> SearchStrategy[T]:
    """One of the examples that are kept because they take long to draw; `examples` gives the same each time."""
    return integers(0, KEPT - 1).map(lambda number: examples()[number % len(examples())])

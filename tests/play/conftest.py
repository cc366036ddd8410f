"""Games at one machine for these tests: of the tiny rulesets of `tests/rules`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from pbmd.play.game import Plan, PlayedGame, begin
from pbmd.play.local_desk import LocalDesk
from pbmd.play.recording import Rolled
from pbmd.rules import Signup
from pbmd.rules.options import OptionValue
from pbmd.rules.registry import from_folder

RULES = Path(__file__).parents[1] / "rules"
Sit = Callable[..., PlayedGame]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Begins a game: `sit("Altair", ruleset="count", seed=1)` with three seats, of which those named are played."""
    with ExitStack() as stack:
        made = 0

        def begun(
            *mine: str,
            ruleset: str = "count",
            seed: int = 1,
            seats: tuple[str, ...] = ("Altair", "Borealis", "Cygnus"),
            rolled: Rolled | None = None,
            options: Mapping[str, OptionValue] | None = None,
        ) -> PlayedGame:
            nonlocal made
            made += 1
            folder = tmp_path / f"desk{made}"
            folder.mkdir()
            rules = from_folder(RULES / ruleset)
            desk = LocalDesk(folder, {ruleset: rolled.noted(rules) if rolled else rules}, seed)
            stack.callback(desk.close)
            signups = tuple(Signup(seat) for seat in seats)
            return begin(desk, Plan(ruleset, f"./{ruleset}", rules, options or {}, signups, mine or seats[:1], seed), rolled)

        yield begun

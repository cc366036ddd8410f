"""Of each defect that is planted in a small game `pbmd try` says which promise it breaks, and where in the author's files."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from pbmd.cli.new_ruleset import Kind
from pbmd.conformance.determinism import Trip
from pbmd.conformance.promises import PROMISES
from pbmd.conformance.trial import Plan, Seen, all_findings, gathered
from pbmd.conformance.watched_ruleset import Limits
from pbmd.rules import Ruleset
from pbmd.rules.registry import from_folder
from tests.conformance.parted import files_of
from tests.conformance.planted import PLANTED, Planted
from tests.doses import dose
from tests.rules import bazaar, count, relay, tides

GAMES = {game.ruleset.info.slug: Path(game.__file__).parent for game in (bazaar, count, relay, tides)}
NEW: tuple[Kind, ...] = ("simultaneous", "sequential", "phased")
"""Kinds of games."""
ELSEWHERE = ("code.elsewhere", "code.doors", "code.keeps")
"""What only shows in other processes."""
TRIED = dose(tuple({planted.promise: planted for planted in reversed(PLANTED)}.values()), tuple(PLANTED))
"""One of each promise in every run."""


def with_defect(planted: Planted, folder: Path) -> Path:
    """A copy of the game, or a new one of that kind, with the defect."""
    copy = folder / planted.game
    if planted.game in GAMES:
        shutil.copytree(GAMES[planted.game], copy, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        copy = folder / "newest"
        for path, text in files_of(copy.name, cast(Kind, planted.game)):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text(text, encoding="utf-8")
    [file] = (path for path in copy.rglob(planted.file) if "tests" not in path.relative_to(copy).parts)
    text = file.read_text(encoding="utf-8")
    for old, new in ((planted.old, planted.new), *planted.also):
        assert old in text, old
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    return copy


def until_found(rules: Ruleset[object], plan: Plan, promise: str) -> Iterator[Seen]:
    """What is found, up to that."""
    for seen in all_findings(rules, plan):
        yield seen
        if seen.wrong.promise == promise:
            return


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("planted", TRIED, ids=lambda planted: planted.what)
def test_a_planted_defect_is_found_with_its_place(planted: Planted, tmp_path: Path) -> None:
    folder = with_defect(planted, tmp_path)
    rules = from_folder(folder)
    trip = Trip(str(folder), games=1, seed=1) if planted.promise in ELSEWHERE else None
    plan = Plan(games=1, seed=1, patience=5.0 if planted.patient else 0.02, trip=trip, limits=Limits(slow=0.5, hangs=0.8))
    seen = list(until_found(rules, plan, planted.promise))
    assert planted.promise in {each.wrong.promise for each in seen}, [each.wrong for each in seen]
    [finding] = gathered(rules, seen[-1:])
    assert finding.place is not None
    assert Path(finding.place.file).is_relative_to(folder), finding
    assert PROMISES[finding.promise].mend


def test_defects_are_planted_in_all_kinds_of_games() -> None:
    assert len(PLANTED) >= 40
    assert {planted.game for planted in PLANTED} == {*GAMES, *NEW}
    assert len({planted.what for planted in PLANTED}) == len(PLANTED)

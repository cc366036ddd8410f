"""Two whole games, a hidden-role game with votes and an auction with trades, written as authors write them from the docs.

Nothing is found in them, and of defects that are planted in them `pbmd try` says what is wrong."""

import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from pbmd.conformance.determinism import Trip
from pbmd.conformance.idle_options import idle_options
from pbmd.conformance.odd_orders import odd_orders, unoffered
from pbmd.conformance.own_tests import failed_tests
from pbmd.conformance.purity import set_order
from pbmd.conformance.trial import Plan, all_findings
from pbmd.conformance.two_forms import one_sided
from pbmd.conformance.untested.unnoticed import unnoticed
from pbmd.play.telling import tell
from pbmd.rules.registry import from_folder
from tests.doses import LARGE, dose

HERE = Path(__file__).parent / "whole_games"
GAMES = ("nightfall", "hammer")
NEEDED = {"leak": 9, "handbook": 11, "orders": 4, "impure": 6, "template": 5, "protocol": 9}
"""So many defects of each kind there are at least."""
_LEAST = 0.82
"""The part that must be found."""
Edit = tuple[str, str, str]


class Defect(NamedTuple):
    """In a file of that game a text is replaced by another, and so are `also`. What is said of it then, after its promise, is
    found by the regular expression `words`; without that it is not found. `often`: it is tried in every run."""

    kind: str
    what: str
    game: str
    file: str
    old: str
    new: str
    also: tuple[Edit, ...] = ()
    words: str = ""
    often: bool = False

    @property
    def promise(self) -> str:
        """By which it is found."""
        return self.words.partition(":")[0]


def read() -> list[Defect]:
    entries = tomllib.loads((HERE / "defects.toml").read_text(encoding="utf-8"))["defect"]
    return [Defect(**entry) for entry in entries]


DEFECTS = read()
FOUND = [defect for defect in DEFECTS if defect.words]
PLAN = dose(Plan(games=1, seed=1, patience=0.1), Plan(games=5, seed=1))


def copied(game: str, folder: Path) -> Path:
    return Path(shutil.copytree(HERE / game, folder / game, ignore=shutil.ignore_patterns("__pycache__")))


def with_defect(defect: Defect, folder: Path) -> Path:
    copy = copied(defect.game, folder)
    for file, old, new in ((defect.file, defect.old, defect.new), *defect.also):
        text = (copy / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        (copy / file).write_text(text.replace(old, new), encoding="utf-8")
    return copy


def by_tests(folder: Path) -> Iterator[str]:
    yield from (f"{finding.promise}: {finding.words}" for finding in failed_tests(folder))


def by_stories(folder: Path) -> Iterator[str]:
    rules = from_folder(folder)
    for file in sorted((folder / "stories").glob("*.txt")):
        yield from (f"stories.told: {mismatch.problem}" for mismatch in tell(file, rules))


def by_options(folder: Path) -> Iterator[str]:
    yield from (f"options: {key}" for key in idle_options(from_folder(folder), 5.0))


def by_odd_orders(folder: Path) -> Iterator[str]:
    yield from (f"odd: {each.line}: {each.what}" for each in odd_orders(from_folder(folder)))


def by_forms(folder: Path) -> Iterator[str]:
    yield from (f"unoffered: {name}" for name in unoffered(from_folder(folder)))


def by_reports(folder: Path) -> Iterator[str]:
    yield from (f"one-sided: {each.key} in {each.shows}" for each in one_sided(from_folder(folder)))


def by_sets(folder: Path) -> Iterator[str]:
    if place := set_order(from_folder(folder)):
        yield f"set: {place.file}, line {place.line}"


def by_checks(folder: Path) -> Iterator[str]:
    plan = replace(PLAN, trip=Trip(str(folder), 1, 1)) if LARGE else PLAN
    yield from (f"{seen.wrong.promise}: {seen.wrong.words}" for seen in all_findings(from_folder(folder), plan))


WAYS: Mapping[str, Callable[[Path], Iterator[str]]] = {
    "code.tests": by_tests,
    "stories.told": by_stories,
    "options": by_options,
    "odd": by_odd_orders,
    "unoffered": by_forms,
    "one-sided": by_reports,
    "set": by_sets,
}
"""How else than by the checks something is found; from the third on it is named, and counts as no finding."""
NAMED = {
    "nightfall": ["odd: Guard Cygnus: one's own name"],
    "hammer": ["odd: Sell jade to Elnath for 99999: the number 99999"],
}
"""What is taken in the games, and right in them."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("defect", dose([each for each in FOUND if each.often], FOUND), ids=lambda defect: defect.what)
def test_of_a_planted_defect_it_is_said_what_is_wrong(defect: Defect, tmp_path: Path) -> None:
    said = WAYS.get(defect.promise, by_checks)(with_defect(defect, tmp_path))
    heard = list[str]()
    assert any(heard.append(each) or re.match(defect.words, each) for each in said), heard


def test_defects_of_all_kinds_are_planted() -> None:
    planted = Counter(defect.kind for defect in DEFECTS)
    assert all(planted[kind] >= many for kind, many in NEEDED.items())
    assert len({defect.what for defect in DEFECTS}) == len(DEFECTS)
    assert len(FOUND) >= _LEAST * len(DEFECTS)


@pytest.mark.parametrize("game", GAMES)
def test_stories_of_the_games_happen(game: str) -> None:
    assert [*by_stories(HERE / game)] == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_found_in_the_games(game: str, tmp_path: Path) -> None:
    folder = copied(game, tmp_path)
    quick = [*by_odd_orders(folder), *by_forms(folder), *by_reports(folder), *by_sets(folder), *by_options(folder)]
    assert quick == NAMED[game]
    assert not LARGE or [*by_tests(folder), *by_checks(folder)] == []


@pytest.mark.parametrize(("unless", "found"), [("", True), (', unless = "villagers[].alive = false"', False)])
def test_what_is_no_secret_any_more_may_be_shown(unless: str, found: bool, tmp_path: Path) -> None:
    shown = '"living": list(alive), "gone": {each.name: each.role for each in position.villagers if not each.alive},'
    declared = 'known_to = "villagers[].role = wolf"'
    also = (("ruleset.toml", declared, f"{declared}{unless}"),)
    roles = Defect("leak", "", "nightfall", "view.py", '"living": list(alive),', shown, also)
    said = by_checks(with_defect(roles, tmp_path))
    assert any(each.startswith("secret.declared: the view of") for each in said) == found


def test_changes_that_no_test_notices_are_named(tmp_path: Path) -> None:
    folder = copied("hammer", tmp_path)
    tests = folder / "tests" / "test_hammer.py"
    text = tests.read_text(encoding="utf-8")
    begins = text.index("def test_of_equal_ones_the_richest_wins")
    tests.write_text(text[:begins] + text[text.index("def test_who_sends_nothing") :], encoding="utf-8")
    stories = sorted((folder / "stories").glob("*.txt"))
    left = {(Path(each.file).name, each.was, each.now) for each in unnoticed(folder, 2.0, stories)}
    assert ("position.py", "max((dealer.money for dealer in best))", "min((dealer.money for dealer in best))") in left

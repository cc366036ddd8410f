"""Whatever can be set is read by something: a setting or an option that changes nothing is a promise that nobody keeps."""

from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from pbmd.rules.registry import get, slugs
from pbmd.settings import Settings
from pbmd.terms.terms import Terms
from tests.docs.settings_table import MODELS
from tests.typed_reads import Class, Code, whole_code

NOBODY = "they can be set, and nothing reads them"
_OPTIONS, _CLOCK = Class("pbmd.rules.options", "Options"), Class("pbmd.rules.info", "ClockOptions")


@pytest.fixture(scope="module")
def code() -> Code:
    return whole_code()


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("model", [Settings, *MODELS.values()], ids=lambda model: model.__name__)
def test_every_setting_is_read_outside_its_own_file(code: Code, model: type[BaseModel]) -> None:
    for owner, leaves in _declared(model):
        assert code.unread(owner, leaves) == set(), NOBODY


@pytest.mark.parametrize("slug", slugs())
def test_every_option_of_a_ruleset_is_read_outside_its_own_file(code: Code, slug: str) -> None:
    """By its rules, before there is a game (sign-ups get all options as a mapping), or by pbmd, if it is one of the clock."""
    info, owner = get(slug).info, Class(f"rulesets.{slug}.tables", "GameOptions")
    assert code.leaves(owner) == {*info.options}, "GameOptions has a field for each option of ruleset.toml, and no other"
    of_clock = {getattr(info.clock, key) for key in code.keys_read(_CLOCK, "pbmd.desk") if info.clock}
    elsewhere = code.keys_read(_OPTIONS, f"rulesets.{slug}")
    assert code.unread(owner, info.options) - elsewhere - of_clock == set(), NOBODY


def test_every_option_of_the_clock_is_read(code: Code) -> None:
    assert code.unread(_CLOCK, code.leaves(_CLOCK)) == set()


def _declared(model: type[BaseModel]) -> Iterator[tuple[Class, set[str]]]:
    """The classes that a model is made of, each with the settings that it declares."""
    for part in model.__mro__:
        if leaves := {*model.model_fields} & {*vars(part).get("__annotations__", {})}:
            yield Class(part.__module__, part.__name__), leaves


# The guard rings


_LIMITS = """
class Limits:
    keep: int
    most: int
    hours: int
    minutes: int
    idle: bool

    @property
    def time(self) -> int:
        return self.hours * 60

    def unused(self) -> int:
        return self.minutes
"""
_READER = """
from other.limits import Limits as Bounds

class Shelf:
    idle: bool

class Desk:
    bounds: Bounds
    shelves: tuple[Shelf, ...]

def look(desk: Desk, several: dict[str, Bounds]) -> int:
    bounds = desk.bounds
    bounds.keep = 3
    idle = [shelf.idle for shelf in desk.shelves]
    return sum(each.most for each in several.values()) + bounds.time
"""


def test_only_what_is_read_of_the_class_itself_counts() -> None:
    """Neither that another class has an attribute of that name, nor that one is set, nor a method that nobody calls."""
    code = Code({"other.limits": _LIMITS, "other.reader": _READER})
    owner = Class("other.limits", "Limits")
    assert code.unread(owner, code.leaves(owner)) == {"keep", "minutes", "idle"}


def test_the_terms_of_a_game_are_read_from_the_ledger_by_their_keys() -> None:
    code = Code(
        {"pbmd.terms.terms": "class Terms:\n    press: bool\n    seats: int\n", "reader": "x = json.loads(game.terms)['press']"}
    )
    assert code.unread(Class(Terms.__module__, "Terms"), {"press", "seats"}) == {"seats"}

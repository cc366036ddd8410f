"""A promise is a check of a scene that fails where the ruleset does not keep it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbmd.rules import Ruleset
from tests.rulesets.contract.scenes import Scene, some_scenes

Promise = Callable[[Scene], None]


def a_few(scenes: Sequence[Scene], many: int) -> Sequence[Scene]:
    """So many of them, or little more: for what takes long."""
    return scenes[:: max(1, len(scenes) // many)]


def is_kept(promise: Promise, scenes: Iterable[Scene]) -> None:
    """In all of the scenes."""
    for scene in scenes:
        promise(scene)


def is_found_broken(promise: Promise, wrong: Ruleset[Any], raised: type[Exception] = AssertionError) -> None:
    """In games of a ruleset that does not keep it."""
    with pytest.raises(raised):
        is_kept(promise, scenes_of(wrong))


def scenes_of(rules: Ruleset[Any]) -> tuple[Scene, ...]:
    """Of a small ruleset made for a test."""
    return some_scenes(rules, games=4, documents=0)


def changed(rules: Ruleset[Any], **functions: Callable[..., Any]) -> Ruleset[Any]:
    """The ruleset with other functions in the place of its own."""
    return replace(rules, **functions)

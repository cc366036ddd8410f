"""Scenes of all rulesets (`pbmd.conformance.scenes`), and of the strangest positions there are.

Where the tests of a ruleset can draw stranger positions than its games come to, as `documents` of their `strategies`, some
scenes begin in those. The scenes of a ruleset are made once, and are the same in every run.
"""

import importlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from pbmd.conformance.scenes import Scene, dice, scenes_by_number, with_letters
from pbmd.conformance.watched_ruleset import guarded
from pbmd.rules import Ruleset
from pbmd.rules.registry import get, slugs
from tests.doses import dose
from tests.rules import count, relay, tides
from tests.rulesets.budgets import examples_of

TOYS: dict[str, Ruleset[Any]] = {"count": count.ruleset, "relay": relay.ruleset, "tides": tides.ruleset}
NAMES = (*slugs(), *TOYS)

GAMES = dose(1, 2)
DOCUMENTS = int(os.environ.get("PBMD_FUZZ", dose("5", "20")))


@cache
def named(name: str) -> Ruleset[Any]:
    """The ruleset of that name, be it a toy or installed; its functions are watched."""
    return guarded(TOYS.get(name) or get(name))


def some_scenes(rules: Ruleset[Any], games: int) -> tuple[Scene, ...]:
    """Those of so many random games, each with some of its steps."""
    return tuple(scene for number in range(games) for scene in scenes_by_number(rules, number))


@cache
def scenes(name: str) -> tuple[Scene, ...]:
    """All scenes of the ruleset of that name."""
    rules = named(name)
    return (*some_scenes(rules, GAMES), *_of_documents(rules, DOCUMENTS))


def _of_documents(rules: Ruleset[Any], many: int) -> Iterator[Scene]:
    folder = f"tests.rulesets.{rules.info.slug}"
    if find_spec(folder) is not None and find_spec(f"{folder}.strategies") is not None:
        documents = importlib.import_module(f"{folder}.strategies").documents
        for number, document in enumerate(examples_of(documents(), many)):
            scene = Scene(f"document {number}", rules, rules.load(document), (), ())
            yield with_letters(scene, dice(number, "document"))

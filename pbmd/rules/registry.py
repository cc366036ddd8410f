"""Where rulesets come from: the entry points of installed packages, pbmd's own among them, or a folder."""

import difflib
import importlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pbmd.rules.protocol import Ruleset

GROUP = "pbmd.rulesets"
_IN_FOLDER = "pbmd_ruleset_"
"""What the modules of rulesets in folders begin with."""


class UnknownRuleset(LookupError):
    """No ruleset of that name; the message lists those there are."""


def slugs() -> tuple[str, ...]:
    """The names of all installed rulesets, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


@cache
def get(slug: str) -> Ruleset[Any]:
    """The installed ruleset of that name. Raises `UnknownRuleset`."""
    for point in entry_points(group=GROUP):
        if point.name == slug:
            return point.load()
    near = difflib.get_close_matches(slug, slugs(), n=1)
    hint = f' Did you mean "{near[0]}"?' if near else f" There are: {', '.join(slugs())}."
    raise UnknownRuleset(f'there is no ruleset "{slug}".{hint}')


@cache
def from_folder(folder: Path) -> Ruleset[Any]:
    """The ruleset in a folder outside the installed packages; its ``__init__.py`` has `ruleset`.

    Raises `UnknownRuleset` if there is none.
    """
    init = folder / "__init__.py"
    if not init.is_file():
        raise UnknownRuleset(f"{folder} is no ruleset: it has no __init__.py")
    name = f"{_IN_FOLDER}{folder.name}"
    spec = importlib.util.spec_from_file_location(name, init, submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise UnknownRuleset(f"{init} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.ruleset


def is_of_rules(module: str) -> bool:
    """Whether the module of that name belongs to a ruleset, be it installed or in a folder."""
    return module.startswith(_IN_FOLDER) or any(
        module == package or module.startswith(f"{package}.") for package in _packages()
    )


@cache
def _packages() -> tuple[str, ...]:
    return tuple({point.module for point in entry_points(group=GROUP)})

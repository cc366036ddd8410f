"""Reports, as far as their templates are to blame: text and HTML tell the same, and nobody is taken for somebody else."""

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, cast

from jinja2 import TemplateError

from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.scenes import first_opening, scenes_of_game
from pbmd.conformance.views import first_template, views
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import PositionError, Refused, Ruleset, View

_BY_PBMD = frozenset({"map", "numbers", "state", "stand", "you", "happened", "out"})
"""What pbmd itself shows, beside the templates."""
_STEPS = 5
Way = tuple[str | int, ...]
_ADDRESSED = re.compile(r"^\W*you(?:r \w+ (?:is|are)| are| have| had| hold)\b", re.IGNORECASE)


class OneSided(NamedTuple):
    """A key of views that shows in one form of the report, and not in the other."""

    key: str
    shows: str
    hides: str


def one_sided(rules: Ruleset[Any]) -> list[OneSided]:
    """Each part of the views for players is changed, and whatever changes with it shows it. Of each key of a view something
    should show in both forms; they need not say it in the same words, nor by the same parts of it."""
    shown: Mapping[str, set[str]] = {"text": set(), "HTML": set()}
    with suppress(Refused, Broken, PositionError, TemplateError):  # findings of checks
        for scene in scenes_of_game(rules, first_opening(rules, "two forms"), _STEPS):
            for _, view in views(scene, scene.played.resolution.position, scene.played.events):
                if view.reader.kind != "gm":
                    _note(rules, view, shown)
    pairs = (("text", "HTML"), ("HTML", "text"))
    return [OneSided(key, form, other) for form, other in pairs for key in sorted(shown[form] - shown[other])]


def who_watches_is_not_addressed(rules: Ruleset[Any], all_views: Sequence[View]) -> Iterator[Wrong]:
    """What a seat is, or has, is nothing to who has none."""
    for view in all_views:
        text = ""
        with suppress(Exception):  # another check reports it
            text = report_text(rules, view) if view.reader.kind == "public" else ""
        if found := next((line.strip() for line in text.splitlines() if _ADDRESSED.search(line)), ""):
            yield Wrong("template.public", f"the report for the public says {found!r:.60}", first_template(rules))
            return


_MADE: Mapping[str, Callable[[Ruleset[Any], View], str]] = {"text": report_text, "HTML": report_html}


def _note(rules: Ruleset[Any], view: View, shown: Mapping[str, set[str]]) -> None:
    before = {form: made(rules, view) for form, made in _MADE.items()}
    for way in _ways(view.data).values():
        key = str(way[0])
        missing = [form for form in shown if key not in shown[form]]
        if missing:
            other = _changed(view, way)
            for form in missing:
                with suppress(Exception):  # it may not be what a template takes
                    if _MADE[form](rules, other) != before[form]:
                        shown[form].add(key)


def _ways(data: Mapping[str, Any]) -> dict[str, Way]:
    """The first place of each kind, by its path: ``wolves[]`` for an item of a list."""
    found: dict[str, Way] = {}

    def look(value: Any, path: str, way: Way) -> None:
        if isinstance(value, Mapping):
            for key, item in cast("Mapping[str, Any]", value).items():
                inner = "[]" if way and _is_name(key) else f".{key}" if path else key
                if path or key not in _BY_PBMD:
                    look(item, path + inner, (*way, key))
        elif isinstance(value, list | tuple):
            for place, item in enumerate(cast("Sequence[Any]", value)):
                look(item, f"{path}[]", (*way, place))
        elif value is not None:
            found.setdefault(path, way)

    look(data, "", ())
    return found


def _is_name(key: str) -> bool:
    """What is no key of a table with fields, but the name of a seat or of another thing."""
    return not re.fullmatch(r"[a-z][a-z0-9_]*", key)


def _changed(view: View, way: Way) -> View:
    data: Any = copy.deepcopy(dict(view.data))
    at = data
    for key in way[:-1]:
        at = at[key]
    value = at[way[-1]]
    other = not value if isinstance(value, bool) else value + 4711 if isinstance(value, int | float) else f"{value} Xyzzy"
    at[way[-1]] = other
    return replace(view, data=data)

"""The two forms of a report, text and HTML, tell the same: what shows in one of them shows in the other."""

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from pbmd.conformance.findings import Wrong
from pbmd.conformance.views import first_template
from pbmd.rendering.render import report_html, report_text
from pbmd.rules import Ruleset, View

_BY_PBMD = frozenset({"map", "numbers", "state", "stand", "you", "happened", "out"})
"""What pbmd itself shows, beside the templates."""
_MOST = 40
Way = tuple[str | int, ...]
_ADDRESSED = re.compile(r"\b(?:you are|you have|you had|your)\b", re.IGNORECASE)


def forms_tell_the_same(rules: Ruleset[Any], all_views: Sequence[View]) -> Iterator[Wrong]:
    """Each part of the views is changed, and whatever changes with it shows it."""
    shown: Mapping[str, set[str]] = {"txt": set(), "html": set()}
    for view in all_views[:: max(1, len(all_views) // _MOST)]:
        with suppress(Exception):  # another check reports it
            _note(rules, view, shown)
    for form, other, name in (("txt", "html", "in HTML"), ("html", "txt", "in text")):
        for path in sorted(shown[form] - shown[other]):
            instead = "text" if form == "txt" else "HTML"
            words = f"the report {name} does not show {path} of the view, and that in {instead} does"
            yield Wrong("template.both", words, first_template(rules, other))


def _note(rules: Ruleset[Any], view: View, shown: Mapping[str, set[str]]) -> None:
    before = {"txt": report_text(rules, view), "html": report_html(rules, view)}
    for path, way in _ways(view.data).items():
        missing = [form for form in shown if path not in shown[form]]
        if missing:
            other = _changed(view, way)
            for form, made in (("txt", report_text), ("html", report_html)):
                with suppress(Exception):  # it may not be what a template takes
                    if form in missing and made(rules, other) != before[form]:
                        shown[form].add(path)


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

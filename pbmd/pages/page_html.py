"""The pages, made with the templates in ``templates/dashboard``. They load nothing from anywhere, and their policy says so.

Style and script are two files beside them, and nothing within a page is styled or run: so nothing that a player could get into
one ever is, a page works from the disk as well as from a server, and what is written for each letter is short.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from pbmd.ledger.log_file import printable
from pbmd.pages.source import Disclosure, Source, Words
from pbmd.pages.templates import page_templates
from pbmd.resources import folder
from pbmd.rules.words import capital, counted, listing
from pbmd.terms.times import times_in


def render(name: str, source: Source, **values: Any) -> str:
    """The page made with the template of that name. Raises `jinja2.TemplateError`."""
    words = source.words
    common = {
        "moment": lambda at: _moment(at, words),  # pyright: ignore[reportUnknownLambdaType]
        "timed": lambda text: _timed(text, words),  # pyright: ignore[reportUnknownLambdaType]
        "zone": words.zone,
        "length": words.length,
        "alarm_words": words.alarm,
        "gm": source.for_gm,
        "now": source.now(),
    }
    return _environment().get_template(f"dashboard/{name}").render(**common, **values)


POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of the pages."""
_ASSETS = ("style.css", "script.js")


@cache
def assets() -> Mapping[str, str]:
    """The files beside the pages that all of them load, by their names."""
    return {name: (folder("templates") / "dashboard" / name).read_text(encoding="utf-8") for name in _ASSETS}


@cache
def assets_digest() -> str:
    """What tells these files from those of another version."""
    return hashlib.sha256("".join(assets().values()).encode()).hexdigest()[:16]


def iso(at: datetime) -> str:
    """RFC 3339 with whole seconds."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _moment(at: datetime, words: Words) -> Markup:
    """A time in a few words; a tooltip has all of it."""
    return Markup('<time datetime="{}" title="{}">{}</time>').format(iso(at), words.whole(at), words.time(at))


def _timed(text: str, words: Words) -> Markup:
    """A text with the times in it written as on the rest of the page."""
    return Markup("").join(part if at is None else _moment(at, words) for part, at in times_in(text))


@cache
def _environment() -> Environment:
    made = page_templates()
    filters: dict[str, Any] = made.filters  # pyright: ignore[reportAssignmentType]
    filters |= {"iso": iso, "printable": _lines, "capital": capital, "listing": listing}
    names: dict[str, Any] = made.globals  # pyright: ignore[reportAssignmentType]
    names |= {
        "Disclosure": Disclosure,
        "counted": counted,
        "version": assets_digest(),
        "policy": Markup(POLICY),  # noqa: S704 – ours, and its quotes have to stay
    }
    return made


def _lines(text: str) -> str:
    """Text of several lines that is displayable and valid in XML."""
    return "\n".join(printable(line) for line in text.splitlines())

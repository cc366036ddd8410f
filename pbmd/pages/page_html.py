"""The pages, made with the templates in ``templates/dashboard``. They load nothing from anywhere, and their policy says so.

Style and script are part of each page, and the policy names them by their digests: so nothing that a player could get into a
page is ever run, and a page works from the disk as well as from a server.
"""

import base64
import hashlib
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


def policy() -> str:
    """The Content-Security-Policy of the pages."""
    style, script = (f"'sha256-{_digest(_asset(name))}'" for name in ("style.css", "script.js"))
    return (
        f"default-src 'none'; style-src {style}; script-src {script}; img-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )  # fmt: skip


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
        "policy": Markup(policy()),  # noqa: S704 – ours, and its quotes have to stay
        "style": Markup(_asset("style.css")),  # noqa: S704
        "script": Markup(_asset("script.js")),  # noqa: S704
    }
    return made


def _lines(text: str) -> str:
    """Text of several lines that is displayable and valid in XML."""
    return "\n".join(printable(line) for line in text.splitlines())


@cache
def _asset(name: str) -> str:
    return (folder("templates") / "dashboard" / name).read_text(encoding="utf-8").strip()


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

"""The pages of seats, made with the templates ``templates/dashboard/seat_*``. Style and script are files of their own, named
after their content, so that the policy allows nothing inside a page."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from pbmd.pages.page_html import iso
from pbmd.pages.templates import page_templates
from pbmd.resources import folder
from pbmd.rules.words import capital
from pbmd.terms.times import describe_time, short_time

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Nothing inside a page is run or styled, and nothing is loaded from anybody else."""
_ASSETS = {
    "style.css": "text/css; charset=utf-8",
    "seat.css": "text/css; charset=utf-8",
    "script.js": "text/javascript; charset=utf-8",
    "seat.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def render(name: str, **values: Any) -> str:
    """The page made with the template of that name. Raises `jinja2.TemplateError`."""
    return _environment().get_template(f"dashboard/{name}").render(**values)


def moment(at: datetime, timezone: str) -> Markup:
    """A time in its reader's zone; a script may change it to the reader's clock."""
    return Markup('<time datetime="{}">{}</time>').format(iso(at), describe_time(at, timezone))


def brief(at: datetime, timezone: str) -> Markup:
    """The same in a few words; a tooltip has all of it."""
    whole, short = describe_time(at, timezone), short_time(at, timezone)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(iso(at), whole, short)


@cache
def assets() -> Mapping[str, tuple[str, bytes]]:
    """Style and script: name in an address → media type and bytes."""
    found = {name: (folder("templates") / "dashboard" / name).read_bytes() for name in _ASSETS}
    return {_named(name, data): (_ASSETS[name], data) for name, data in found.items()}


def _named(name: str, data: bytes) -> str:
    stem, _, ending = name.partition(".")
    return f"{stem}-{hashlib.sha256(data).hexdigest()[:12]}.{ending}"


def _asset(name: str) -> str:
    begins, _, ends = name.partition(".")
    return next(each for each in assets() if each.startswith(f"{begins}-") and each.endswith(f".{ends}"))


@cache
def _environment() -> Environment:
    made = page_templates()
    names: dict[str, Any] = made.globals  # pyright: ignore[reportAssignmentType]
    names |= {"asset": _asset, "moment": moment, "brief": brief, "iso": iso}
    filters: dict[str, Any] = made.filters  # pyright: ignore[reportAssignmentType]
    filters["capital"] = capital
    return made

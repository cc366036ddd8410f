"""Views into text and HTML, by the templates in ``templates/``.

A template gets a view and the ruleset's info, for HTML the picture of the view's map too, and nothing else, so that it cannot
show what its reader may not know.
"""

import textwrap
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, pass_environment, select_autoescape
from jinja2.filters import do_indent, do_wordwrap

from pbmd.rendering.facts import Stand, You, stand_of, you_of
from pbmd.resources import folder
from pbmd.rules import Ruleset, RulesetInfo, View
from pbmd.rules.words import with_single_marks

_PREFIX = "| "
_SAID_WIDTH = 72
"""Narrow enough for a reply's quote mark: a mail program that wrapped a line would take its end out of quote and prefix."""


@cache
def environment(own_templates: Path | None = None) -> Environment:
    """The templates of pbmd, and before them those that a ruleset from elsewhere brings along in `own_templates`.

    ``*.html.j2`` and ``*.svg.j2`` escape what they are given, everything else is plain text. A name a template does not know
    is an error.
    """
    places = [own_templates, folder("templates")] if own_templates else [folder("templates")]
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(place) for place in places]),
        autoescape=select_autoescape(("html.j2", "svg.j2"), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    filters: dict[str, Any] = made.filters  # pyright: ignore[reportAssignmentType]
    filters |= {"wordwrap": _wordwrap, "indent": _indent, "said": quoted, "hypothetical": hypothetical}
    filters["with_single_marks"] = with_single_marks
    return made


@pass_environment
def _wordwrap(environment: Environment, text: str, width: int = 79, **options: Any) -> str:
    """Jinja's filter, spared for a line that fits: that is nearly every line, and wrapping was half the cost of a mail."""
    fits = len(text) <= width and text.isprintable() and not text.endswith(" ")
    return text if fits else do_wordwrap(environment, text, width, **options)


def _indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Jinja's filter, spared for a single line whose beginning stays."""
    return text if not first and text.isprintable() else do_indent(text, width, first, blank)


def quoted(text: str) -> str:
    """What a player said, as it may stand in a mail to others: each line behind a mark, so that whatever it says, neither the
    reader nor pbmd, when an answer quotes it, takes it for a line of pbmd's own."""
    lines = text.expandtabs().splitlines()
    pieces = (
        textwrap.wrap(line, _SAID_WIDTH - len(_PREFIX), replace_whitespace=False, drop_whitespace=False) or [""]
        for line in lines
    )
    return "\n".join((_PREFIX + piece).rstrip() for wrapped in pieces for piece in wrapped)


def hypothetical(text: str) -> str:
    """What has not happened: each line behind a mark, so that no line of it can be taken for one of a report or an order."""
    pieces = (textwrap.wrap(line, 70, replace_whitespace=False, drop_whitespace=False) or [""] for line in text.splitlines())
    return "\n".join(f"? {piece}".rstrip() for wrapped in pieces for piece in wrapped)


YOU = "YOU"
YOU_HTML = '<h2 style="font-size:19px;margin:24px 0 8px">You</h2>'
"""The heading of what became of the reader."""


class Rendered(NamedTuple):
    """A report in two parts, between which mails say what the desk knows: what became of the reader, and all the rest."""

    you: str
    rest: str


def text_parts(ruleset: Ruleset[Any], view: View) -> Rendered:
    """The report on `view` as plain text. Raises `jinja2.TemplateError` when the ruleset's template is missing or wrong."""
    return Rendered(
        _facts(view, "txt", you_of), _facts(view, "txt", stand_of) + _report(ruleset.info, view, "txt").lstrip("\n")
    )


def html_parts(ruleset: Ruleset[Any], view: View, picture: str = "") -> Rendered:
    """The same as HTML; `picture` is the HTML that shows its map."""
    rest = _report(ruleset.info, view, "html", picture=picture)
    return Rendered(_facts(view, "html", you_of), _facts(view, "html", stand_of) + rest)


def report_text(ruleset: Ruleset[Any], view: View) -> str:
    """Both parts as plain text. Raises `jinja2.TemplateError` when the ruleset's template is missing or wrong."""
    you, rest = text_parts(ruleset, view)
    return f"{YOU}\n{you}\n{rest}" if you else rest


def report_html(ruleset: Ruleset[Any], view: View, picture: str = "") -> str:
    """The same as HTML; `picture` is the HTML that shows its map."""
    you, rest = html_parts(ruleset, view, picture)
    return f"{YOU_HTML}\n{you}{rest}" if you else rest


def map_text(ruleset: Ruleset[Any], view: View) -> str:
    """All that the reader knows of the map, in words, for who has no picture of it; empty if the ruleset has no such text."""
    templates, name = templates_of(ruleset.info), f"reports/{ruleset.info.slug}/map.txt.j2"
    if name not in templates.list_templates(filter_func=name.__eq__):
        return ""
    return templates.get_template(name).render(view=view, info=ruleset.info).strip("\n")


def parted(text: str) -> Rendered:
    """The parts of a report, as `report_text` gave it."""
    heading, _, below = text.partition("\n")
    if heading != YOU:
        return Rendered("", text)
    return Rendered(*(part + end for part, end in zip(below.partition("\n\n")[::2], ("\n", ""), strict=True)))


def load_templates(infos: Iterable[RulesetInfo]) -> None:
    """Compile the templates of mails and of these rulesets' reports now: what is compiled when a report is due makes everybody
    wait who wants to write into the ledger. Raises `jinja2.TemplateError` when one is wrong."""
    wanted = [
        (environment(), "mail/"),
        (environment(), "reports/you."),
        (environment(), "reports/stand."),
        *((templates_of(info), f"reports/{info.slug}/") for info in infos),
    ]
    for templates, beginning in wanted:
        for name in templates.list_templates(filter_func=lambda name, beginning=beginning: name.startswith(beginning)):
            templates.get_template(name)


def templates_of(info: RulesetInfo) -> Environment:
    """The templates that the reports of a ruleset are made with."""
    own = Path(str(info.folder)) / "templates"
    return environment(own if own.is_dir() else None)


def _facts(view: View, form: str, of: Callable[[View], You | Stand | None]) -> str:
    """A fact of the view, as its template shows it; empty if it has none."""
    told = of(view)
    name = type(told).__name__.lower()
    return environment().get_template(f"reports/{name}.{form}.j2").render({name: told}) if told else ""


def _report(info: RulesetInfo, view: View, form: str, **more: str) -> str:
    templates = templates_of(info)
    return templates.get_template(f"reports/{info.slug}/report.{form}.j2").render(view=view, info=info, **more)

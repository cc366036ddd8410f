"""Views into text and HTML, by the templates in ``templates/``; before what these say of a view, the facts that every report
shows in the same place, whatever the rules (`pbmd.rules.facts`).

A template gets a view and the ruleset's info, for HTML the picture of the view's map too, and nothing else, so that it cannot
show what its reader may not know.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    pass_environment,
    select_autoescape,
)
from jinja2.filters import do_indent, do_wordwrap

from pbmd.rendering.report_blocks import BLOCKS
from pbmd.resources import folder
from pbmd.rules import Ruleset, RulesetInfo, View
from pbmd.rules.words import with_single_marks

_LINE_WIDTH, _RESULT_WIDTH = 30, 36
"""So wide are orders and results that stand side by side in a line of a mail."""


class Ordered(NamedTuple):
    """An order, and what came of it."""

    line: str
    result: str


class You(NamedTuple):
    """What became of the reader."""

    headline: str
    orders: Sequence[Ordered]
    more: Sequence[str]

    @property
    def column(self) -> int:
        """How wide the orders are where each result stands beside its order; 0 if it stands below."""
        wide = any(len(line) > _LINE_WIDTH or len(result) > _RESULT_WIDTH for line, result in self.orders)
        return 0 if wide or not self.orders else max(len(line) for line, _ in self.orders)


class Stand(NamedTuple):
    """How one wins, and where the reader stands, under the heading that fits the reader."""

    heading: str
    aim: str
    place: str

    @property
    def words(self) -> str:
        """Both, as one paragraph."""
        return " ".join(each for each in (self.aim, self.place) if each)


def you_of(view: View) -> You | None:
    """What a view tells of its reader; None if that is nothing."""
    told: Mapping[str, Any] | None = view.data.get("you")
    if not told or not any(told.values()):
        return None
    return You(str(told["headline"]), [Ordered(*order) for order in told["orders"]], list(told["more"]))


def happened_of(view: View) -> list[str] | None:
    """What a view tells everybody of the step, in sentences; None if it leaves that to its report."""
    told: Sequence[str] | None = view.data.get("happened")
    return None if told is None else list(told)


def stand_of(view: View) -> Stand | None:
    """What a view tells of how it stands; None if that is nothing, as at the end of a game."""
    told: Mapping[str, Any] | None = view.data.get("stand")
    if not told:
        return None
    heading = "How it stands" if view.reader.kind != "seat" else "How the others stand" if is_out(view) else "How you stand"
    return Stand(heading, str(told["aim"]), str(told["place"]))


def is_out(view: View) -> bool:
    """Whether its reader is out of the game, which others go on with."""
    return bool(view.data.get("out"))


def course_of(told: Sequence[tuple[str, Mapping[str, Mapping[str, Any]]]]) -> tuple[tuple[str, ...], ...]:
    """How a game went, as the rows of a table, its head first: of the numbers of views at different times, each with what that
    time is called, those that come first, and who had most in the end comes first. None where there is nothing to compare."""
    label = next(iter(told[-1][1]), "") if told else ""
    rows = [(when, numbers[label]) for when, numbers in told if label in numbers]
    if len(rows) <= 1:
        return ()
    last = rows[-1][1]
    names = sorted(last, key=lambda name: -float(last[name]))
    head = (label, *(when for when, _ in rows))
    return (head, *((name, *(str(row.get(name, "")) for _, row in rows)) for name in names))


def lines_for_programs(view: View) -> Sequence[str]:
    """The lines of a view in which other programs read the game; none if it has no such."""
    lines = view.data.get("state")
    return lines if isinstance(lines, list) and all(isinstance(line, str) for line in lines) else ()


_PREFIX = "| "
SAID_ROOM = 72 - len(_PREFIX)
"""In characters, for a line behind the mark: narrow enough for a reply's quote mark, since a mail program that wrapped a line
would take its end out of quote and prefix."""


_REPORT = re.compile(r"(reports/\w+/report)\.(?:txt|html)\.j2")
_BOTH = re.compile(r"(reports/\w+/report)\.j2")


class _Templates(FileSystemLoader):
    """The templates in a folder. The one for text and HTML, ``report.j2``, stands for each of the two that is not there."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The source under that name."""
        try:
            return super().get_source(environment, template)
        except TemplateNotFound as missing:
            if not (found := _REPORT.fullmatch(template)):
                raise
            try:
                return super().get_source(environment, f"{found[1]}.j2")
            except TemplateNotFound:
                raise missing from None

    def list_templates(self) -> list[str]:
        """The names that there are."""
        names = super().list_templates()
        both = [found[1] for found in map(_BOTH.fullmatch, names) if found]
        return sorted({*names, *(f"{each}.{form}.j2" for each in both for form in BLOCKS)} - {f"{each}.j2" for each in both})


def is_for_both(template: str | None) -> bool:
    """Whether the file of a template is the one for text and HTML."""
    return template is not None and Path(template).name == "report.j2"


class _Environment(Environment):
    """Templates that all have the same globals, which none changes: a look into them for each template, as Jinja has it, takes
    longer than most templates of mails."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template."""
        return super().make_globals(d) if d else self.globals


@cache
def environment(own_templates: Path | None = None) -> Environment:
    """The templates of pbmd, and before them those that a ruleset from elsewhere brings along in `own_templates`.

    ``*.html.j2`` and ``*.svg.j2`` escape what they are given, everything else is plain text. A name a template does not know
    is an error.
    """
    places = [own_templates, folder("templates")] if own_templates else [folder("templates")]
    made = _Environment(
        loader=ChoiceLoader([_Templates(place) for place in places]),
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
    if len(text) <= width and text.isprintable() and text[-1:] != " ":
        return text
    wrap = _wrapped if len(text) <= _KEPT else _wrapped.__wrapped__
    return wrap(environment, text, width, tuple(options.items()))


_KEPT = 200
"""Characters: what is longer may come from a letter, and is not kept."""


@lru_cache(256)
def _wrapped(environment: Environment, text: str, width: int, options: tuple[tuple[str, Any], ...]) -> str:
    """Most of what has to be wrapped stands in many mails."""
    return do_wordwrap(environment, text, width, **dict(options))


def _indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Jinja's filter, spared for a single line whose beginning stays."""
    return text if not first and text.isprintable() else do_indent(text, width, first, blank)


def quoted(text: str) -> str:
    """What a player said, as it may stand in a mail to others: each line behind a mark, so that whatever it says, neither the
    reader nor pbmd, when an answer quotes it, takes it for a line of pbmd's own."""
    if text and len(text) <= SAID_ROOM and text.isprintable():  # as nearly every line
        return (_PREFIX + text).rstrip()
    lines = text.expandtabs().splitlines()
    return "\n".join((_PREFIX + piece).rstrip() for line in lines for piece in _pieces(line, SAID_ROOM))


def hypothetical(text: str) -> str:
    """What has not happened: each line behind a mark, so that no line of it can be taken for one of a report or an order."""
    return "\n".join(f"? {piece}".rstrip() for line in text.splitlines() for piece in _pieces(line, 70))


def _pieces(line: str, width: int) -> Sequence[str]:
    """A line, wrapped where it is too long: that is asked first, since nearly none is."""
    if len(line) <= width and line.isprintable():
        return [line]
    return textwrap.wrap(line, width, replace_whitespace=False, drop_whitespace=False) or [""]


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


def with_other_picture(pages: Rendered, before: str, after: str) -> Rendered | None:
    """The same as HTML with another picture, without rendering it again, which takes longer than all else in a report; None if
    that must be done: one of them is nothing, of which a template may say something, or the page does not have it as it is."""
    if before == after:
        return pages
    if not before or not after or before not in pages.rest:
        return None
    return Rendered(pages.you, pages.rest.replace(before, after))


def report_text(ruleset: Ruleset[Any], view: View) -> str:
    """Both parts as plain text. Raises `jinja2.TemplateError` when the ruleset's template is missing or wrong."""
    return whole_text(text_parts(ruleset, view))


def whole_text(parts: Rendered) -> str:
    """Both parts of a report in one text."""
    you, rest = parts
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


_TOO_OPEN = re.compile(r"\n{3,}")
"""What blocks that have nothing to show leave behind."""


def _report(info: RulesetInfo, view: View, form: str, **more: str) -> str:
    template = templates_of(info).get_template(f"reports/{info.slug}/report.{form}.j2")
    if not is_for_both(template.filename):
        return template.render(view=view, info=info, **BLOCKS[form], **more)
    made = template.render(view=view, info=info, **BLOCKS[form], **{"picture": "", **more})
    return _TOO_OPEN.sub("\n\n", made)

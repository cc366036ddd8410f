"""The order form of a report as mail programs bring it back: filled in where it stands, or left alone with the orders written
above or below, in every dress that is common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape
from textwrap import wrap

INTRODUCTION = "On Fri, Nov 20, 2026 at 1:00 PM Games <games@pbmd.test> wrote:"
OUTLOOK = ["From: Games <games@pbmd.test>", "Sent: Friday, November 20, 2026 1:00 PM", "To: Ada", "Subject: Turn 1", ""]
GERMAN = ["-" * 5 + "Ursprüngliche Nachricht" + "-" * 5, "Von: Games", "Gesendet: Freitag, 20. November 2026 13:00", ""]
WELSH = ["Oddi wrth: Games", "Anfonwyd: Dydd Gwener, 20 Tachwedd 2026 13:00", "At: Ada", "Pwnc: Tro 1", ""]


@dataclass(frozen=True)
class Filled:
    """A report and what its reader did with the order form in it: the lines at the places `chosen` were enabled."""

    report: Sequence[str]
    chosen: frozenset[int]
    as_written: Callable[[str], str]
    """What is left of a line when its "#" is taken away."""

    @property
    def lines(self) -> list[str]:
        """The report with the form filled in."""
        return [self.as_written(line) if i in self.chosen else line for i, line in enumerate(self.report)]

    @property
    def form(self) -> list[str]:
        """The form alone, filled in."""
        begin, end = form_of(self.report)
        return self.lines[begin : end + 1]

    @property
    def with_orders_last(self) -> list[str]:
        """The report with the enabled lines moved to the end of the form."""
        _, end = form_of(self.report)
        stay = [line for i, line in enumerate(self.report[:end]) if i not in self.chosen]
        return [*stay, *self.orders, *self.report[end:]]

    @property
    def orders(self) -> list[str]:
        """The enabled lines alone."""
        return [self.as_written(self.report[i]).strip() for i in sorted(self.chosen)]


def form_of(report: Sequence[str]) -> tuple[int, int]:
    """The lines of the two marks."""
    begin = next(i for i, line in enumerate(report) if line.startswith("#orders"))
    return begin, next(i for i, line in enumerate(report) if i > begin and line == "#end")


def offered(report: Sequence[str]) -> list[int]:
    """The lines of the form that are orders behind a "#"."""
    begin, end = form_of(report)
    return [i for i in range(begin + 1, end) if report[i].startswith("# ")]


WITHOUT_SIGN: dict[str, Callable[[str], str]] = {
    "without the sign and its blank": lambda line: line.removeprefix("# "),
    "without the sign": lambda line: line.removeprefix("#"),
    "with a tab": lambda line: "\t" + line.removeprefix("# "),
    "with blanks at the end": lambda line: line.removeprefix("# ") + "  ",
    "with a bullet": lambda line: "- " + line.removeprefix("# "),
    "with long dashes, curly quotes and hard blanks": lambda line: line.removeprefix("# ").translate(_TYPOGRAPHY),
}
_TYPOGRAPHY = str.maketrans({"-": "\N{EN DASH}", '"': "\N{RIGHT DOUBLE QUOTATION MARK}", " ": "\N{NO-BREAK SPACE}"})


def with_other_numbers(line: str) -> str:
    """The line enabled, and its numbers changed."""
    return line.removeprefix("# ").translate(str.maketrans("0123456789", "9012345678"))


def plain(*parts: Sequence[str], flowed: bool = False) -> EmailMessage:
    """A mail of these lines."""
    letter = EmailMessage()
    letter.set_content("\n".join(line for part in parts for line in part) + "\n")
    if flowed:
        letter.set_param("format", "flowed")
    return letter


def html(body: str) -> EmailMessage:
    """A mail of HTML alone."""
    letter = EmailMessage()
    letter.set_content(f"<html><body>{body}</body></html>", subtype="html")
    return letter


def quoted(lines: Sequence[str], mark: str = "> ") -> list[str]:
    return [f"{mark}{line}".rstrip() for line in lines]


def narrow(lines: Sequence[str], width: int) -> list[str]:
    """The lines as a program breaks them that knows nothing of quotes."""
    return [piece for line in lines for piece in wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]]


def narrow_quote(lines: Sequence[str], width: int) -> list[str]:
    """The lines broken by a program that quotes them then."""
    return quoted(narrow(lines, width - 2))


def flowed(lines: Sequence[str], width: int = 72) -> list[str]:
    """The lines of format=flowed (RFC 3676): broken ones end with a blank, others do not, and some get a blank in front."""
    soft = [
        [*(f"{piece} " for piece in pieces[:-1]), pieces[-1]] for line in lines if (pieces := narrow([line.rstrip()], width))
    ]
    return [f" {line}" if line.startswith((" ", "From ")) else line for pieces in soft for line in pieces]


def in_html(tag: str) -> Callable[[Sequence[str]], str]:
    """Each line in a tag of its own, blanks kept as programs do."""
    if tag == "br":
        return lambda lines: "<br>\n".join(kept(line) for line in lines)
    if tag == "pre":
        return lambda lines: f"<pre>{escape(chr(10).join(lines))}</pre>"
    if tag in ("ul", "ol"):
        return lambda lines: f"<{tag}>" + "".join(f"<li>{kept(line)}</li>\n" for line in lines) + f"</{tag}>"
    if tag == "td":
        rows = "<tr><td>{}</td><td>&nbsp;</td></tr>\n"
        return lambda lines: "<table>" + "".join(rows.format(kept(line)) for line in lines) + "</table>"
    return lambda lines: "".join(f"<{tag}>{kept(line) or '<br>'}</{tag}>\n" for line in lines)


def kept(line: str) -> str:
    return escape(line).replace("  ", "&nbsp; ")


def with_blockquote(write: Callable[[Sequence[str]], str]) -> Callable[[Filled], EmailMessage]:
    return lambda filled: html(f"<div>{escape(INTRODUCTION)}</div><blockquote>{write(filled.lines)}</blockquote>")


def with_header(write: Callable[[Sequence[str]], str]) -> Callable[[Filled], EmailMessage]:
    return lambda filled: html(f"<div>{'<br>'.join(map(escape, OUTLOOK))}</div><div>{write(filled.lines)}</div>")


TAGS = ("br", "p", "div", "pre", "ul", "ol", "td")
IN_THE_FORM: dict[str, Callable[[Filled], EmailMessage]] = {
    "quoted": lambda filled: plain([INTRODUCTION], quoted(filled.lines)),
    "quoted twice": lambda filled: plain([INTRODUCTION], quoted(filled.lines, "> > ")),
    "quoted without a blank": lambda filled: plain([INTRODUCTION], quoted(filled.lines, ">")),
    "quoted, with a signature": lambda filled: plain([INTRODUCTION], quoted(filled.lines), ["", "-- ", "Ada"]),
    "quoted, the lines freed of their quote marks": lambda filled: plain(
        [INTRODUCTION], [line if i in filled.chosen else f"> {line}" for i, line in enumerate(filled.lines)]
    ),
    "quoted, below a greeting": lambda filled: plain([INTRODUCTION, ""], quoted(["Hello,", *filled.lines])),
    "unquoted": lambda filled: plain(filled.lines),
    "unquoted, below a header in Welsh": lambda filled: plain(WELSH, filled.lines),
    "unquoted, below Outlook's header": lambda filled: plain(["", "_" * 32, *OUTLOOK], filled.lines),
    "unquoted, below a German header": lambda filled: plain(GERMAN, filled.lines),
    **{f"HTML with {tag}, quoted": with_blockquote(in_html(tag)) for tag in TAGS},
    **{f"HTML with {tag}, below Outlook's header": with_header(in_html(tag)) for tag in TAGS},
    **{
        f"a list of {bullet}": lambda filled, bullet=bullet: plain(
            [INTRODUCTION], quoted([f"{bullet} {line.removeprefix('- ')}" if line else "" for line in filled.lines])
        )
        for bullet in ("*", "-", "1.", "•")
    },
    "format=flowed, quoted": lambda filled: plain([INTRODUCTION], quoted(flowed(filled.lines, 70)), flowed=True),
    "format=flowed, unquoted": lambda filled: plain(flowed(filled.lines), flowed=True),
    "format=flowed, below Outlook's header": lambda filled: plain(OUTLOOK, flowed(filled.lines), flowed=True),
    **{
        f"wrapped at {width}, then quoted": lambda filled, width=width: plain([INTRODUCTION], narrow_quote(filled.lines, width))
        for width in (40, 72, 76)
    },
    **{
        f"quoted, then wrapped at {width}": lambda filled, width=width: plain(
            [INTRODUCTION], narrow(quoted(filled.lines), width)
        )
        for width in (72, 76)
    },
    **{
        f"unquoted, wrapped at {width}": lambda filled, width=width: plain(WELSH, narrow(filled.lines, width))
        for width in (40, 72, 76)
    },
    **{
        f"below Outlook's header, wrapped at {width}": lambda filled, width=width: plain(OUTLOOK, narrow(filled.lines, width))
        for width in (40, 72, 76)
    },
    "the form alone": lambda filled: plain(filled.form),
    "the form alone, quoted": lambda filled: plain(quoted(filled.form)),
    "the form alone, wrapped at 40": lambda filled: plain(narrow(filled.form, 40)),
    "the form alone, quoted, then wrapped at 40": lambda filled: plain(narrow(quoted(filled.form), 40)),
    "the form alone, in HTML": lambda filled: html(in_html("p")(filled.form)),
    "quoted, the lines at the end of the form": lambda filled: plain([INTRODUCTION], quoted(filled.with_orders_last)),
    "unquoted, the lines at the end of the form": lambda filled: plain(WELSH, filled.with_orders_last),
    "the form with its heading": lambda filled: plain(
        ["Hello,", "", *filled.report[form_of(filled.report)[0] - 5 : form_of(filled.report)[0]]], filled.form
    ),
    "the form without its end mark": lambda filled: plain(filled.form[:-1]),
    "the form without its end mark, quoted": lambda filled: plain(
        [INTRODUCTION], quoted([line for line in filled.lines if line != "#end"])
    ),
    "the form without its end mark, unquoted": lambda filled: plain(WELSH, [line for line in filled.lines if line != "#end"]),
}
"""The form filled in."""


def around(write: Callable[[Filled], EmailMessage], *, above: bool) -> Callable[[Filled], EmailMessage]:
    """The orders above or below the report in that dress, its form left alone."""

    def written(filled: Filled) -> EmailMessage:
        letter = write(Filled(filled.report, frozenset(), filled.as_written))
        text = letter.get_content().rstrip("\n")
        again = EmailMessage()
        if letter.get_content_subtype() == "html":
            orders = "".join(f"<div>{escape(order)}</div>" for order in filled.orders)
            new = text.replace("<body>", f"<body>{orders}") if above else text.replace("</body>", f"{orders}</body>")
            again.set_content(new, subtype="html")
            return again
        orders = "\n".join(filled.orders)
        again.set_content(f"{orders}\n\n{text}\n" if above else f"{text}\n\n{orders}\n")
        if letter.get_param("format") == "flowed":
            again.set_param("format", "flowed")
        return again

    return written


_WHOLE = {name: write for name, write in IN_THE_FORM.items() if "without its end" not in name and "signature" not in name}
AROUND: dict[str, Callable[[Filled], EmailMessage]] = {
    **{f"above: {name}": around(write, above=True) for name, write in _WHOLE.items() if "heading" not in name},
    **{f"below: {name}": around(write, above=False) for name, write in _WHOLE.items() if "heading" not in name},
}
"""The orders above or below the form."""


def alone(filled: Filled) -> EmailMessage:
    """The same orders and nothing else."""
    return plain(filled.orders)

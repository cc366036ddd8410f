"""The game master's commands in a letter, one a line. Nothing else is read in it."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pbmd.rules.protocol import Line


@dataclass(frozen=True, slots=True)
class Form:
    """How a command is written, what it does (for HELP), and how it is recognised. `has_text`: lines follow, up to its END."""

    kind: str
    usage: str
    help: str
    pattern: re.Pattern[str]
    has_text: bool = False


_BECAUSE = r"(?: because (?:of )?(?P<reason>.+))?"


def _form(kind: str, usage: str, text: str, pattern: str, *, has_text: bool = False) -> Form:
    return Form(kind, usage, text, re.compile(pattern, re.IGNORECASE), has_text)


FORMS = (
    _form("status", "STATUS", "how the game stands: turn, deadline, who is awaited, what waits for your word", r"status"),
    _form("log", "LOG [n]", "the last lines of the game's log, 30 if you do not say how many", r"log(?: (?P<lines>\d{1,4}))?"),
    _form("start", "START", "begin the game with the seats that are taken", r"start"),
    _form("pause", "PAUSE [because …]", "stop the clock; orders are still taken", r"pause" + _BECAUSE),
    _form("resume", "RESUME", "let it run on; all deadlines move by the time that it stood", r"resume"),
    _form("extend", "EXTEND <time> [FOR <seat>] [because …]", "so much more time, for all or for one: EXTEND 24h FOR Altair", r"extend (?P<time>\S+(?: (?!for\b|because\b)\S+)*)(?: for (?P<seat>.+?))?" + _BECAUSE),
    _form("deadline", "DEADLINE <when> [because …]", "the turn's deadline: 2026-11-27 20:00, Friday 20:00, in 36h", r"deadline (?P<when>.+?)" + _BECAUSE),
    _form("quiet", "QUIET <days> [IN <zone>] [because …]", "the weekdays on which no deadline falls: QUIET Saturday, Sunday; QUIET NONE", r"quiet (?:days?:? )?(?P<days>.+?)(?: in (?P<zone>\S+))?" + _BECAUSE),
    _form("holiday", "HOLIDAY <date> [TO <date>] [because …]", "no deadline falls on these days: HOLIDAY 2026-12-24 TO 2027-01-02", r"holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE),
    _form("no-holiday", "NO HOLIDAY <date> [TO <date>] [because …]", "take that back", r"no holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE),
    _form("timezone", "TIMEZONE <seat> <zone>", "the times that a player is told, in their own zone, too", r"time ?zone (?:of )?(?P<seat>.+?):? (?P<zone>\S+)"),
    _form("resolve", "RESOLVE", "resolve the turn now, whoever is missing", r"resolve"),
    _form("rollback", "ROLLBACK TO TURN <n> [because …]", "play from the beginning of that turn again", r"roll ?back to turn (?P<turn>\d{1,6})" + _BECAUSE),
    _form("eject", "EJECT <seat> [because …]", "take a seat from its player", r"eject (?P<seat>.+?)" + _BECAUSE),
    _form("replace", "REPLACE <seat> BY <address>", "offer a seat to somebody; it is theirs when they say yes", r"replace (?P<seat>.+?) by <?(?P<address>[^\s<>@]+@[^\s<>@]+)>?"),
    _form("offer", "OFFER <seat>", "offer a seat to the standby list; the first yes that arrives has it", r"offer (?P<seat>.+)"),
    _form("announce", "ANNOUNCE … END ANNOUNCE", "the lines between go to all players", r"announce:?", has_text=True),
    _form("approve", "APPROVE <request>", "grant what waits for your word; STATUS has the numbers", r"approve (?:request )?(?P<request>\d{1,6})"),
    _form("refuse", "REFUSE <request> [because …]", "do not grant it", r"refuse (?:request )?(?P<request>\d{1,6})" + _BECAUSE),
    _form("set", "SET <option> <value> [because …]", "change an option of the rules, where they allow it; SET alone lists them", r"set(?: (?P<option>[a-z0-9_]+)(?: ?= ?| to | )(?P<value>.+?)" + _BECAUSE + r")?"),
    _form("peek", "PEEK <seat> [because …]", "see a seat's orders and last report; all players are told", r"peek (?:at )?(?P<seat>.+?)" + _BECAUSE),
    _form("abandon", "ABANDON [because …]", "end the game without a winner", r"abandon" + _BECAUSE),
    _form("clock", "CLOCK CONFIRM", "the clock of the machine is right though it has jumped; for all games", r"clock confirm(?:ed)?"),
    _form("new-token", "NEW TOKEN", "end what the mails so far prove, and get a mail with another secret", r"new (?:token|secret)"),
    _form("help", "HELP", "this list", r"help"),
)  # fmt: skip
_END = re.compile(r"end[.!]?", re.IGNORECASE)
_END_TEXT = re.compile(r"end\s+announce(?:ment)?[.!]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """One command with its words, and the lines that belong to it. `open` marks a text that is not closed."""

    kind: str
    line: Line
    words: dict[str, str]
    body: tuple[Line, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The commands of a letter in the order written, and the lines that are none."""

    commands: tuple[Word, ...] = ()
    unknown: tuple[Line, ...] = ()


def read_words(lines: Iterable[Line]) -> Words:
    """Sort a letter's lines. Blank lines and those that begin with # are skipped; END on a line alone stops the reading."""
    commands: list[Word] = []
    unknown: list[Line] = []
    rest = iter(lines)
    for line in rest:
        text = " ".join(line.text.split())
        if not text or text[0] == "#":
            continue
        if _END.fullmatch(text):
            break
        found = read_word(text, line)
        if found is None:
            unknown.append(line)
            continue
        if next(form for form in FORMS if form.kind == found.kind).has_text:
            body: list[Line] = []
            closed = False
            for each in rest:
                closed = _END_TEXT.fullmatch(each.text.strip()) is not None
                if closed:
                    break
                body.append(each)
            found = Word(found.kind, line, found.words, tuple(body), open=not closed)
        commands.append(found)
    return Words(tuple(commands), tuple(unknown))


def read_word(text: str, line: Line) -> Word | None:
    """The command that a line is, None if it is none."""
    plain = " ".join(text.split()).rstrip(".!;")
    for form in FORMS:
        if found := form.pattern.fullmatch(plain):
            return Word(form.kind, line, {key: value for key, value in found.groupdict().items() if value})
    return None


def nearest(text: str) -> str:
    """The usage of the command that a line looks like, empty if it looks like none."""
    heads = {form.usage.split()[0].casefold(): form.usage for form in FORMS}
    near = difflib.get_close_matches(text.casefold().split()[0], heads, n=1, cutoff=0.7)
    return heads[near[0]] if near else ""

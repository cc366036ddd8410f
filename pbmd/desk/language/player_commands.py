"""The engine's commands in a letter, one a line, the same for all rulesets; every other line is an order."""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from pbmd.rules.protocol import Line

Kind = Literal[
    "join", "orders", "cancel", "use", "status", "report", "rules", "help", "press", "wait", "ready", "extend", "resign",
    "address", "new-token", "list", "watch", "unwatch", "standby",
    "preview", "timezone", "absent", "present", "calendar",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """How a command is written, what it does (for HELP), and how it is recognised."""

    kind: Kind
    usage: str
    help: str
    pattern: re.Pattern[str]


def _form(kind: Kind, usage: str, text: str, pattern: str) -> Form:
    return Form(kind, usage, text, re.compile(pattern, re.IGNORECASE))


FORMS = (
    _form("join", "JOIN <game> AS <seat name>", "take a seat; the lines after it are its set-up", r"join (?P<game>\S+)(?: as (?P<seat>.+))?"),
    _form("list", "LIST", "the games that take sign-ups, and those that anybody may watch", r"list(?: (?:of )?games)?"),
    _form("watch", "WATCH <game>", "get the public reports of a game without a seat in it", r"watch (?P<game>\S+)"),
    _form("unwatch", "UNWATCH <game>", "get them no more", r"un-?watch (?P<game>\S+)"),
    _form("standby", "STANDBY <game|ALL|OFF>", "be asked when a seat in a running game is to be had", r"stand-?by (?P<game>\S+)"),
    _form("orders", "ORDERS [FOR TURN n]", "the order lines are for that turn (or its phase: FOR TURN 3 PHASE 1B); alone: an empty order sheet", r"orders?(?: for turn (?P<turn>\d{1,6})(?:,? phase (?P<phase>[\w -]{1,40}))?)?:?"),
    _form("cancel", "CANCEL ORDERS", "take back the orders on file", r"cancel (?:my )?orders?"),
    _form("use", "USE ORDERS OF TURN n", "send again what you had sent for a turn that was rolled back", r"use (?:my )?(?:old |earlier )?orders (?:of|for) turn (?P<turn>\d{1,6})"),
    _form("status", "STATUS", "turn, deadline, what of yours is on file", r"status"),
    _form("report", "REPORT [n]", "the last report again, or that of turn n", r"report(?: (?:for turn |turn )?(?P<turn>\d{1,6}))?"),
    _form("rules", "RULES", "the players' handbook of your game", r"(?:send )?rules"),
    _form("help", "HELP [topic]", "how to play by mail; topics: the commands", r"help(?: (?P<topic>.+))?"),
    _form("press", "PRESS TO <seats|ALL> … END PRESS", "the lines between go to those players; ANONYMOUS PRESS TO, where the game has it, without your name, in a mail of its own", r"(?P<anonymous>anonymous(?:ly)? )?press to (?P<to>.+?):?"),
    _form("preview", "PREVIEW … END PREVIEW", "what would come of the orders between, yours and those that you assume of others; nothing is filed", r"preview:?"),
    _form("wait", "WAIT", "do not resolve before the deadline, even if all have sent", r"wait"),
    _form("ready", "READY", "take WAIT back", r"ready"),
    _form("extend", "EXTEND <time> [because …]", "ask for more time: EXTEND 24h because of travel", r"extend (?P<time>.+?)(?: because (?:of )?(?P<reason>.+))?"),
    _form("timezone", "TIMEZONE <zone>", "the times that you are told, in your own zone, too: TIMEZONE Europe/Berlin", r"time ?zone:? (?P<zone>\S+(?: \S+)?)"),
    _form("absent", "ABSENT FROM <date> TO <date>", "when you are away: ABSENT FROM 2026-12-24 TO 2027-01-02; the answer says who is told", r"absent (?:from )?(?P<first>\S+)(?: (?:to|until|till) (?P<last>\S+))?"),
    _form("present", "CANCEL ABSENCE", "you are not away, or are back", r"cancel (?:my )?absences?"),
    _form("calendar", "CALENDAR ON", "the mails about deadlines bring them for your calendar, too; CALENDAR OFF takes it back", r"calendar (?P<state>on|off)"),
    _form("resign", "RESIGN", "give up your seat; you are asked whether you are sure", r"resign"),
    _form("address", "ADDRESS <new address>", "play on from another address; both are asked", r"(?:new )?address:? <?(?P<address>[^\s<>@]+@[^\s<>@]+)>?"),
    _form("new-token", "NEW TOKEN", "end the secret of your seat and get another, if somebody may know it", r"new (?:token|secret)"),
)  # fmt: skip
# Nearly every line is an order, and one look is enough to see that it is no command.
_STARTS = frozenset(
    (
        "us",
        "jo",
        "or",
        "ca",
        "st",
        "re",
        "se",
        "ru",
        "he",
        "pr",
        "wa",
        "ex",
        "ne",
        "ad",
        "en",
        "an",
        "li",
        "un",
        "ti",
        "ab",
    )
)
"""How the first words of the commands, and END, begin."""
_ANY = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", form.pattern.pattern) for form in FORMS), re.IGNORECASE)
VISITING: tuple[Kind, ...] = ("join", "list", "watch", "unwatch", "standby")
"""What can be asked for without a seat."""
END = "END"
_END = re.compile(r"end[.!]?", re.IGNORECASE)
_ENDS = {kind: re.compile(rf"end\s+{kind}[.!]?", re.IGNORECASE) for kind in ("press", "preview")}
"""What closes the lines that belong to a command."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command with its words, and the lines that belong to it (set-up lines of JOIN, the text of PRESS or PREVIEW).

    `open` marks a PRESS or PREVIEW that nothing closes.
    """

    kind: Kind
    line: Line
    words: dict[str, str]
    body: tuple[Line, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A letter's command text, sorted out. `unread` are the lines after END."""

    commands: tuple[Command, ...] = ()
    orders: tuple[Line, ...] = ()
    unread: tuple[Line, ...] = field(default=())


def read_script(lines: Iterable[Line]) -> Script:
    """Sort a letter's lines into commands and order lines. Blank lines and lines that begin with # are skipped."""
    commands: list[Command] = []
    orders: list[Line] = []
    rest = iter(lines)
    for line in rest:
        text = line.text.strip()
        if not says_something(text):
            continue
        may_be = text[:2].lower() in _STARTS or not text.isascii()
        if may_be and _END.fullmatch(text):
            break
        command = _command(line, text) if may_be else None
        if command is not None:
            commands.append(_with_text(command, rest))
        elif commands and commands[-1].kind == "join":
            commands[-1] = replace(commands[-1], body=(*commands[-1].body, line))
        else:
            orders.append(line)
    return Script(tuple(commands), tuple(orders), tuple(line for line in rest if line.text.strip()))


def says_something(text: str) -> bool:
    """Whether a line, without the blanks around it, is neither empty nor a comment."""
    return bool(text) and text[0] != "#"


def nearest_command(text: str) -> str | None:
    """The usage of the command that a line looks like, if any."""
    words = text.casefold().split()
    heads = {form.kind: form.usage for form in FORMS}
    near = difflib.get_close_matches(words[0], heads, n=1, cutoff=0.75) if words else []
    return heads[near[0]] if near else None


def with_nearest_command(message: str, text: str) -> str:
    """Why a line was refused, with the engine command that it may have meant."""
    usage = nearest_command(text)
    return f"{message.rstrip('.')}. If you meant a command: {usage}" if usage else message


def _command(line: Line, text: str) -> Command | None:
    plain = " ".join(text.split()).rstrip(".!;")
    if not _ANY.fullmatch(plain):
        return None
    for form in FORMS:
        if found := form.pattern.fullmatch(plain):
            words = {key: value for key, value in found.groupdict().items() if value}
            return Command(form.kind, line, words)
    return None


def _with_text(command: Command, rest: Iterator[Line]) -> Command:
    """The command with the lines up to the one that closes it, if it is of a kind that has such lines."""
    end = _ENDS.get(command.kind)
    if end is None:
        return command
    body: list[Line] = []
    for line in rest:
        if end.fullmatch(line.text.strip()):
            return replace(command, body=tuple(body))
        body.append(line)
    return replace(command, body=tuple(body), open=True)

"""The players' commands, the same for all rulesets; every other line of a player is an order."""

from collections.abc import Iterable

from pbmd.desk.language.commands import Language, Script, form
from pbmd.rules.protocol import Line

FORMS = (
    form("join", "JOIN <game> AS <seat name>", "take a seat; the lines after it are its set-up", r"join (?P<game>\S+)(?: as (?P<seat>.+))?", takes_lines=True, once_per=None),
    form("list", "LIST", "the games that take sign-ups, and those that anybody may watch", r"list(?: (?:of )?games)?"),
    form("watch", "WATCH <game>", "get the public reports of a game without a seat in it", r"watch (?P<game>\S+)", once_per=("game",)),
    form("unwatch", "UNWATCH <game>", "stop getting them", r"un-?watch (?P<game>\S+)", once_per=("game",)),
    form("standby", "STANDBY <game|ALL|OFF>", "be asked when a seat becomes free in a running game", r"stand-?by (?P<game>\S+)", once_per=("game",)),
    form("orders", "ORDERS [FOR TURN n]", "the order lines are for that turn (or its phase: FOR TURN 3 PHASE 1B); alone: an empty order sheet", r"orders?(?: for turn (?P<turn>\d{1,6})(?:,? phase (?P<phase>[\w -]{1,40}))?)?:?", once_per=None),
    form("add", "ADD", "the order lines of this mail are added to what you have sent, which otherwise they would replace; the whole counts from when this mail came", r"add:?"),
    form("only", "ONLY", "nothing counts but the order lines of this mail, also in games in which others stand beside them", r"only:?", alike="add"),
    form("cancel", "CANCEL ORDERS", "cancel the orders that you have in", r"cancel (?:my )?orders?"),
    form("use", "USE ORDERS OF TURN n", "send again what you had sent for a turn that was rolled back", r"use (?:my )?(?:old |earlier )?orders (?:of|for) turn (?P<turn>\d{1,6})"),
    form("status", "STATUS", "turn, deadline, the orders that you have in", r"status"),
    form("record", "RECORD", "how many turns you have played and missed so far, in all games here; nobody else sees it", r"record"),
    form("report", "REPORT [n]", "the last report again, and which others there are; or that of turn n", r"report(?: (?:for turn |turn )?(?P<turn>\d{1,6}))?", once_per=("turn",)),
    form("report-data", "REPORT DATA", "the last report for programs: the file report.json, and what else the game has for them", r"report data"),
    form("report-map", "REPORT MAP", "all of the map in words, for who has no picture of it", r"report (?:the )?map"),
    form("rules", "RULES [chapter]", "the players' handbook of your game, or one chapter of it: RULES combat", r"(?:send )?rules(?: (?P<topic>.{1,60}))?", once_per=("topic",)),
    form("help", "HELP [topic]", "how to play by mail; topics: the commands", r"help(?: (?P<topic>.+))?", once_per=("topic",)),
    form("press", "PRESS TO <seats|ALL> … END PRESS", "the lines between go to those players; ANONYMOUS PRESS TO, where the game has it, without your name, in a mail of its own", r"(?P<anonymous>anonymous(?:ly)? )?press to (?P<to>.+?):?", closed_by=r"end\s*press[.!]?", once_per=None),
    form("preview", "PREVIEW … END PREVIEW", "what might come of the orders between, yours and those that you assume of others; nothing is filed", r"preview:?", closed_by=r"end\s*preview[.!]?", once_per=None),
    form("wait", "WAIT", "keep the turn open until its deadline, even if all orders are in", r"wait"),
    form("ready", "READY", "take WAIT back", r"ready", alike="wait"),
    form("extend", "EXTEND <time> [because …]", "ask for more time: EXTEND 24h because of travel", r"extend (?P<time>.+?)(?: because (?:of )?(?P<reason>.+))?"),
    form("timezone", "TIMEZONE <zone>", "get all times in your own zone, too: TIMEZONE Europe/Berlin", r"time ?zone:? (?P<zone>\S+(?: \S+)?)"),
    form("absent", "ABSENT FROM <date> TO <date>", "when you are away: ABSENT FROM 2026-12-24 TO 2027-01-02; the answer says who gets to know", r"absent (?:from )?(?P<first>\S.{0,30}?)(?: (?:to|until|till) (?P<last>\S.{0,30}))?", once_per=("first", "last")),
    form("present", "CANCEL ABSENCE", "you are not away, or are back", r"cancel (?:my )?absences?"),
    form("calendar", "CALENDAR ON", "the mails about deadlines bring them for your calendar, too; CALENDAR OFF takes it back", r"calendar (?P<state>on|off)"),
    form("set-report", "SET REPORT <SVG|PNG|DATA|NO DATA>", "the map of your reports as a drawing or as a picture; with or without report.json, for programs", r"set reports? (?:to |as )?(?P<files>svg|png|data|no data|json|no json)", once_per=("files",)),
    form("resign", "RESIGN", "give up your seat; we ask whether you are sure", r"resign"),
    form("address", "ADDRESS <new address>", "play on from another address; we ask at both", r"(?:new )?address:? <?(?P<address>[^\s<>@]+@[^\s<>@]+)>?"),
    form("new-token", "NEW TOKEN", "get a new secret for your seat, if somebody may know it; replies to older mails stop working", r"new (?:token|secret)"),
)  # fmt: skip
PLAYERS = Language(
    FORMS,
    heads={each.kind: each.usage for each in FORMS},
    likeness=0.75,
    starts=frozenset(
        [
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
            "on",
        ]
    ),
)
VISITING = ("join", "list", "watch", "unwatch", "standby")
"""What can be asked for without a seat."""
OF_STRANGERS = (*VISITING, "help", "rules")
"""The same by somebody who holds none."""


def read_script(lines: Iterable[Line]) -> Script:
    """Sort the lines of a player's letter into commands and order lines."""
    return PLAYERS.read(lines)


def with_nearest_command(message: str, text: str) -> str:
    """Why a line was refused, with the engine command that it may have meant."""
    usage = PLAYERS.nearest(text)
    return f"{message.rstrip('.')}. If you meant a command: {usage}" if usage else message

"""The players' commands, the same for all rulesets; every other line of a player is an order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, Unpack

from pbmd.desk.language.commands import HOLDER, Form, FormColumns, Language, addressed, compiled


class ScreenPlace(NamedTuple):
    """Where a command stands on the first screen of HELP: how it is written there, and what it does. Those whose numbers have the
    same tens share a line."""

    number: int
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerForm(Form):
    """A player's command, wholly: all else that is told or done of it follows from its row.

    `act` does it for a seat; what has none says something of the order lines. `visitor_act` does it for people without a seat,
    with `strangers_only` for those alone who seem to hold none. Both are names as of an entry point (``module:function``), since
    what is done stands above what is written (`pbmd.desk.player.commands`, `pbmd.desk.visitors.serve`).

    What only `asks` to see something comes after all that changes anything. `wordless`: there is nothing in it of its
    writer's own words that others could come to read. `screen`: its place on the first screen of HELP.
    """

    act: str = ""
    visitor_act: str = ""
    strangers_only: bool = False
    wordless: bool = False
    screen: ScreenPlace | None = None

    @property
    def name(self) -> str:
        """The command without what is filled in."""
        return self.usage.partition(" <")[0].partition(" [")[0]


class _Columns(FormColumns, total=False):
    act: str
    visitor_act: str
    strangers_only: bool
    wordless: bool
    screen: ScreenPlace


def command(kind: str, usage: str, text: str, pattern: str, *, closed_by: str = "", **more: Unpack[_Columns]) -> PlayerForm:
    """A row of the table, with its patterns made ready."""
    end = compiled(closed_by) if closed_by else None
    return PlayerForm(kind=kind, usage=usage, help=text, pattern=compiled(pattern), closed_by=end, **more)


FORMS = (
    command("join", "JOIN <game> AS <seat name>", "take a seat; the lines after it are its set-up", r"join:? (?P<game>\S+?)(?: as (?P<seat>.+)|,? prefer(?:ring|ence|ences)?:?(?: (?P<seats>.+))?)?", takes_lines=True, once_per=None, act="pbmd.desk.player.commands:no_second_seat", visitor_act="pbmd.desk.visitors.signup:join", called=("sign me up", "sign up", "take part", "another game")),
    command("prefer", "PREFER <seats>", "which seats you would like, best first, where they are given when the game begins; in brackets those that you like equally: PREFER F [EG] I", r"prefer(?:ence|ences)?:?(?: (?P<seats>.+))?", act="pbmd.desk.player.prefer:prefer", wordless=True),
    command("list", "LIST", "the games that take sign-ups, and those that anybody may watch", r"list(?: (?:of )?games)?", act="pbmd.desk.visitors.serve:list_for_seat", visitor_act="pbmd.desk.visitors.texts:tell_games", asks=True, wordless=True, screen=ScreenPlace(140, "LIST", "other games, and free seats"), called=("which games", "what games", "other games")),
    command("watch", "WATCH <game>", "get the public reports of a game without a seat in it", r"watch (?P<game>\S+)", once_per=("game",), act="pbmd.desk.visitors.serve:from_seat", visitor_act="pbmd.desk.visitors.serve:from_visitor", screen=ScreenPlace(141, "WATCH")),
    command("unwatch", "UNWATCH <game>", "stop getting them", r"un-?watch (?P<game>\S+)", once_per=("game",), act="pbmd.desk.visitors.serve:from_seat", visitor_act="pbmd.desk.visitors.serve:from_visitor", wordless=True),
    command("standby", "STANDBY <game|ALL|OFF>", "be asked when a seat becomes free in a running game", r"stand-?by (?P<game>\S+)", once_per=("game",), act="pbmd.desk.visitors.serve:from_seat", visitor_act="pbmd.desk.visitors.serve:from_visitor", screen=ScreenPlace(142, "STANDBY")),
    command("orders", "ORDERS [FOR TURN n]", "the order lines are for that turn (or its phase: FOR TURN 3 PHASE 1B); alone: an empty order sheet", r"orders?(?: for turn (?P<turn>\d{1,6})(?:,? phase (?P<phase>[\w -]{1,40}))?)?:?", once_per=None, wordless=True, screen=ScreenPlace(50, "ORDERS", "do nothing this turn")),
    command("add", "ADD", "the order lines of this mail are added to what you have sent, which otherwise they would replace; the whole counts from when this mail came", r"add:?", wordless=True, screen=ScreenPlace(40, "ADD", "add to your orders, or replace them all")),
    command("only", "ONLY", "nothing counts but the order lines of this mail, also in games in which others stand beside them", r"only:?", alike="add", wordless=True, screen=ScreenPlace(41, "ONLY")),
    command("cancel", "CANCEL ORDERS", "cancel the orders that you have in", r"cancel (?:all )?(?:of )?(?:my |the )?orders?", act="pbmd.desk.player.commands:cancel", wordless=True, screen=ScreenPlace(51, "CANCEL ORDERS", "withdraw your orders"), called=("withdraw", "retract", "take back my orders", "delete my orders", "drop my orders", "ignore my orders", "forget my orders", "my last mail", "undo")),
    command("use", "USE ORDERS OF TURN n", "send again what you had sent for a turn that was rolled back", r"use (?:my )?(?:old |earlier )?orders (?:of|for) turn (?P<turn>\d{1,6})", wordless=True),
    command("status", "STATUS", "turn, deadline, the orders that you have in", r"status", act="pbmd.desk.player.status:status", asks=True, wordless=True, screen=ScreenPlace(30, "STATUS", "the deadline and your orders"), called=("deadline", "orders due", "what are my orders", "show my orders", "show me my orders", "who has sent", "who has not", "who is missing", "who is playing", "status", "did you get my orders", "did i order")),
    command("record", "RECORD", "how many turns you have played and missed so far, in all games here; nobody else sees it", r"record", act="pbmd.desk.player.personal:record", wordless=True, screen=ScreenPlace(131, "RECORD", "turns played and missed")),
    command("list-me", "LIST ME AS <name>", "have the results of your games, of those that are over, listed for everybody under that name: places, draws, missed turns, a rating", r"list me(?: as:? (?P<name>.+))?", act="pbmd.desk.player.listing.listed:list_me", visitor_act="pbmd.desk.visitors.listed:list_me"),
    command("unlist-me", "DO NOT LIST ME", "your results are listed no more, at once; so it is until you write LIST ME AS", r"do(?: not|n['’]?t) list me", alike="list-me", act="pbmd.desk.player.listing.listed:do_not_list_me", visitor_act="pbmd.desk.visitors.listed:do_not_list_me", wordless=True),
    command("report", "REPORT [n]", "the last report again, and which others there are; or that of turn n", r"(?:send the )?report(?: again)?(?: (?:for turn |of turn |turn )?(?P<turn>\d{1,6}))?", once_per=("turn",), act="pbmd.desk.player.reports:report", asks=True, wordless=True, screen=ScreenPlace(31, "REPORT [n]", "a report again"), called=("history", "resend", "last report", "old reports")),
    command("report-data", "REPORT DATA", "the last report for programs: the file report.json, and what else the game has for them", r"report data", act="pbmd.desk.player.reports:report_data", asks=True, wordless=True),
    command("report-map", "REPORT MAP", "all of the map in words, for who has no picture of it", r"report (?:the )?map", act="pbmd.desk.player.reports:report_map", asks=True, wordless=True, called=("map",)),
    command("archive", "ARCHIVE", "the archive of a game that is over, as your seat may know it: all reports, maps and orders, and the proofs; ARCHIVE galaxy-7 if you have watched it", r"(?:send )?(?:the )?archive(?: (?:of )?(?P<game>\S+))?", act="pbmd.desk.player.archive:archive", visitor_act="pbmd.desk.visitors.archive:archive", asks=True, wordless=True),
    command("rules", "RULES [chapter]", "the players' handbook of your game, or one chapter of it: RULES combat", r"(?:send (?:the )?)?rules(?: (?:on |about )?(?P<topic>.{1,60}))?", once_per=("topic",), act="pbmd.desk.player.explain:rules", visitor_act="pbmd.desk.visitors.texts:tell_rules", strangers_only=True, asks=True, wordless=True, screen=ScreenPlace(20, "RULES, RULES combat", "the handbook, or a chapter of it"), called=("handbook", "rulebook", "manual")),
    command("help", "HELP [topic]", "how to play by mail; topics: the commands", r"help(?: (?:me|us))?(?: out)?(?: (?:with|on|about))?(?: (?P<topic>.+))?", once_per=("topic",), act="pbmd.desk.player.explain:explain", visitor_act="pbmd.desk.visitors.texts:tell_how", strangers_only=True, asks=True, wordless=True, screen=ScreenPlace(10, "HELP orders", "how orders are written in this game"), called=("commands", "info", "instructions")),
    command("spectators", "PRESS TO SPECTATORS OF <game> … END PRESS", "the lines between go to the others who watch that game, where it has a room for them", r"press to (?:the )?spectators of (?P<game>\S+?):?", closed_by=r"end\s*press[.!]?", once_per=None, act="pbmd.desk.visitors.spectators:from_seat", visitor_act="pbmd.desk.visitors.spectators:from_visitor"),
    command("press", "PRESS TO <seats|ALL> … END PRESS", "the lines between go to those players; ANONYMOUS PRESS TO, where the game has it, without your name, in a mail of its own", r"(?P<anonymous>anonymous(?:ly)? )?press to (?P<to>.+?):?", closed_by=r"end\s*press[.!]?", once_per=None, act="pbmd.desk.player.press:press", screen=ScreenPlace(70, "PRESS TO x … END PRESS", "the lines between go to seat x, or to ALL"), called=("message to", "a message", "tell the others", "write to", "mail to")),
    command("preview", "PREVIEW … END PREVIEW", "what might come of the orders between, yours and those that you assume of others; nothing is filed", r"preview:?", closed_by=r"end\s*preview[.!]?", once_per=None, act="pbmd.desk.player.preview:preview", wordless=True, screen=ScreenPlace(60, "PREVIEW … END PREVIEW", "what might come of the orders between"), called=("simulate", "what if", "try out")),
    command("wait", "WAIT", "keep the turn open until its deadline, even if all orders are in", r"wait", act="pbmd.desk.player.commands:wait", wordless=True, screen=ScreenPlace(80, "WAIT", "wait for the deadline"), called=("not ready", "unready")),
    command("ready", "READY", "take WAIT back", r"ready", alike="wait", act="pbmd.desk.player.commands:ready", wordless=True, screen=ScreenPlace(81, "READY", "undo that"), called=("unwait", "no need to wait")),
    command("extend", "EXTEND <time> [because …]", "ask for more time: EXTEND 24h because of travel", r"extend:? (?:(?:the )?deadline )?(?:by )?(?P<time>.+?)(?: because (?:of )?(?P<reason>.+))?", act="pbmd.desk.player.commands:extend", screen=ScreenPlace(90, "EXTEND 24h because …", "more time"), called=("more time", "extension", "postpone", "longer", "hours more", "days more")),
    command("timezone", "TIMEZONE <zone>", "get all times in your own zone, too: TIMEZONE Europe/Berlin", r"time ?zone:? (?P<zone>\S+(?: \S+)?)", act="pbmd.desk.player.personal:timezone", wordless=True, screen=ScreenPlace(112, "TIMEZONE", "your zone"), called=("my time zone", "my timezone")),
    command("absent", "ABSENT FROM <date> TO <date>", "when you are away: ABSENT FROM 2026-12-24 TO 2027-01-02; the answer says who gets to know", r"absent (?:from |for )?(?P<first>\S.{0,40}?)(?: (?:to|until|till|through|[-\u2013]) (?P<last>\S.{0,30}))?", once_per=("first", "last"), act="pbmd.desk.player.personal:absent", wordless=True, screen=ScreenPlace(100, "ABSENT FROM … TO …", "when you are away"), called=("i'm away", "am away", "be away", "away from", "away until", "away till", "away for", "away next", "absence", "on holiday", "on holidays", "on vacation", "my holiday", "my holidays", "my vacation", "holiday from", "holidays from", "vacation from", "holiday until", "holidays until", "vacation until", "travelling", "traveling", "out of the office", "can't play", "cannot play")),
    command("present", "CANCEL ABSENCE", "you are not away, or are back", r"cancel (?:my )?absences?", act="pbmd.desk.player.personal:present", wordless=True, screen=ScreenPlace(101, "", "CANCEL ABSENCE"), called=("cancel my holiday", "cancel my holidays", "cancel my vacation", "back from", "i'm not away")),
    command("substitute", "SUBSTITUTE [<address>] FROM <date> TO <date>", "somebody else plays your seat for these days, who stands by or whom you name, and then it is yours again: SUBSTITUTE FROM 2026-08-01 TO 2026-08-15", r"substitute:?(?: (?:by )?" + addressed("address") + r")?(?: from| for)? (?P<first>\S.{0,40}?)(?: (?:to|until|till|through|[-\u2013]) (?P<last>\S.{0,30}?))?(?:(?:(?:[,:]|,? (?:by|with)) " + HOLDER + r"| )[<\"]?(?P<behind>[^\s<>@\"]+@[^\s<>@\"]+)[>\"]?)?", once_per=("first", "last"), act="pbmd.desk.player.substitute:substitute", called=("a substitute", "replacement", "stand-in", "stand in for me", "somebody else", "someone else")),
    command("no-substitute", "CANCEL SUBSTITUTE", "you want no substitute, or your seat back from one at once", r"cancel (?:my |the )?substitutes?", act="pbmd.desk.player.substitute:cancel_substitute", wordless=True),
    command("back", "I'M BACK", "play on after your seat fell asleep, since too many orders of yours were missing; orders do the same", r"(?:i'm|im|i am) back(?: again)?", act="pbmd.desk.player.back:back", visitor_act="pbmd.desk.visitors.texts:tell_way_back", strangers_only=True, wordless=True),
    command("calendar", "CALENDAR ON", "the mails about deadlines bring them for your calendar, too; CALENDAR OFF takes it back", r"calendar (?P<state>on|off)", act="pbmd.desk.player.personal:calendar", wordless=True, screen=ScreenPlace(111, "CALENDAR", "deadlines to import")),
    command("set-report", "SET REPORT <SVG|PNG|DATA|NO DATA>", "the map of your reports as a drawing or as a picture; with or without report.json, for programs", r"set reports? (?:to |as )?(?P<files>svg|png|data|no data|json|no json)", once_per=("files",), act="pbmd.desk.player.personal:set_report", wordless=True, screen=ScreenPlace(110, "SET", "files of reports")),
    command("propose", "PROPOSE <PAUSE|EXTENSION|REPLACE|DRAW|CANCEL>", "begin a vote of the players: PROPOSE PAUSE FOR 14 days (or UNTIL 2027-01-04), PROPOSE EXTENSION 48h, PROPOSE REPLACE <seat> by a standby, PROPOSE DRAW, PROPOSE CANCEL (end without a result); add because … to tell everybody why; the game master says which there are", r"propose:? (?:(?:to |a )?vote (?:(?:on|for|about|to) )?)?(?P<what>(?:an? |to )?pause(?: (?!because\b).+?)?|(?:an? )?extension\b.*?|(?:to )?extend(?:ing)? .+?|more time\b.*?|(?:to )?replac(?:e|ing) .+?|(?:an? |to )?draw|(?:to )?cancel(?:l?ing)?(?: the game)?)(?:,? because (?:of )?(?P<reason>.+))?", once_per=("what",), act="pbmd.desk.player.votes:propose", called=("draw", "proposal", "end the game", "a vote", "pause")),
    command("vote", "VOTE [n] <YES|NO|NOTHING>", "your vote; the last one counts, NOTHING takes it back; STATUS lists the open votes", r"(?:i )?vote:? (?:(?:on |in )?(?:vote |proposal |number |no\.? ?)?#?(?P<vote>\d{1,6})[:=]? )?(?P<answer>yes|no|nothing)(?:,? (?:on|in|for|to) (?:the )?(?:vote |proposal |number |no\.? ?)?#?(?P<behind>\d{1,6}))?(?:,? thanks)?", once_per=("vote", "behind"), act="pbmd.desk.player.votes:cast", wordless=True, called=("my vote", "abstain", "in favour", "in favor", "vote against", "i'm against", "am against")),
    command("resign", "RESIGN", "give up your seat; we ask whether you are sure", r"resign", act="pbmd.desk.player.commands:resign", wordless=True, screen=ScreenPlace(130, "RESIGN", "give up your seat"), called=("quit", "withdraw from the game", "i give up", "give up my seat", "give up the game", "i surrender", "concede", "drop out", "leave the game", "remove me", "unsubscribe", "i retire")),
    command("address", "ADDRESS <new address>", "play on from another address; we ask at both", r"(?:new )?address:? " + addressed("address"), act="pbmd.desk.player.commands:address", screen=ScreenPlace(120, "ADDRESS", "another address"), called=("my address", "my new address", "my email", "my e-mail", "new email", "new e-mail")),
    command("new-token", "NEW TOKEN", "get a new secret for your seat, if somebody may know it; replies to older mails stop working", r"new (?:token|secret)", act="pbmd.desk.player.commands:new_token", wordless=True, screen=ScreenPlace(121, "NEW TOKEN", "end old reply addresses"), called=("token", "my secret", "another secret", "password")),
)  # fmt: skip


_CAPITALS = re.compile(r"[A-Z]+(?:-[A-Z]+)?(?: [A-Z]+(?![a-z]))*")
_BEGIN_SEVERAL = ("NEW", "SET", "USE", "NO", "DO")
"""They are commands only with what comes after them."""
_ENDS = re.compile(r"END [A-Z]+")
_LABEL = 24


@dataclass(frozen=True, eq=False)
class PlayerLanguage(Language[PlayerForm]):
    """The players' commands, and what their rows say."""

    @cached_property
    def asking(self) -> frozenset[str]:
        """What only asks to see something."""
        return frozenset(each.kind for each in self.forms if each.asks)

    @cached_property
    def wordless(self) -> frozenset[str]:
        """What has no words of its writer's which others could read."""
        return frozenset(each.kind for each in self.forms if each.wordless)

    @cached_property
    def of_orders(self) -> frozenset[str]:
        """What is no command of its own, but says something of the order lines."""
        return frozenset(each.kind for each in self.forms if not each.act)

    @cached_property
    def beside_orders(self) -> frozenset[str]:
        """What can stand beside a list of all orders: it says nothing of them, and takes no lines below it but its own."""
        return frozenset(each.kind for each in self.forms if each.act and not each.takes_lines)

    @cached_property
    def visiting(self) -> frozenset[str]:
        """What can be asked for without a seat."""
        return frozenset(each.kind for each in self.forms if each.visitor_act and not each.strangers_only)

    @cached_property
    def of_strangers(self) -> frozenset[str]:
        """The same by somebody who holds none."""
        return frozenset(each.kind for each in self.forms if each.visitor_act)

    @cached_property
    def reserved(self) -> tuple[str, ...]:
        """The words that nobody can be called, since they would be taken for a command."""
        ends = (end.casefold() for each in self.forms for end in _ENDS.findall(each.usage))
        return (*ends, *heads_of(self.forms))

    @cached_property
    def screen(self) -> tuple[str, ...]:
        """The lines of the first screen of HELP."""
        placed = sorted((each.screen for each in self.forms if each.screen), key=attrgetter("number"))
        lines = ([*line] for _, line in groupby(placed, key=lambda place: place.number // 10))
        return tuple(
            f"{', '.join(place.label for place in line if place.label):<{_LABEL}}"
            f"{'; '.join(place.text for place in line if place.text)}"
            for line in lines
        )


def heads_of(forms: Sequence[Form]) -> tuple[str, ...]:
    """The words in capitals with which usages begin, and the first of them."""
    heads = [found[0] for each in forms if (found := _CAPITALS.match(each.usage))]
    return tuple(head for head in (*heads, *(head.split()[0] for head in heads)) if head not in _BEGIN_SEVERAL)


PLAYERS = PlayerLanguage(FORMS, attrgetter("kind"), likeness=0.75)

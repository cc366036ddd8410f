"""The game master's commands. Nothing else is read in their letters."""

from dataclasses import dataclass
from typing import Unpack

from pbmd.desk.language.commands import Form, FormColumns, Language, addressed, compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterForm(Form):
    """A command of the game master, wholly, by mail and on the command line alike: all else that is told or done of it follows
    from its row.

    `act` does it. What destroys something, or what players would not forgive, has a `foresee`: it says what exactly would
    happen, and the command is carried out only when that was confirmed and the facts that it `rests_on` have not changed since
    (`pbmd.desk.gm.question_facts`). Both are names as of an entry point (``module:function``), since what is done stands above
    what is written (`pbmd.desk.gm.commands`).

    `of_broken`: it also works for a game that cannot go on. `unclosed`: for a command with lines of its own, what is not done
    with them if its END is missing.
    """

    act: str
    foresee: str = ""
    rests_on: tuple[str, ...] = ()
    of_broken: bool = False
    unclosed: str = ""


class _Columns(FormColumns, total=False):
    foresee: str
    rests_on: tuple[str, ...]
    of_broken: bool
    unclosed: str


def command(
    kind: str, usage: str, text: str, pattern: str, *, act: str, closed_by: str = "", **more: Unpack[_Columns]
) -> MasterForm:
    """A row of the table, with its patterns made ready."""
    end = compiled(closed_by) if closed_by else None
    return MasterForm(kind=kind, usage=usage, help=text, pattern=compiled(pattern), closed_by=end, act=act, **more)


_BECAUSE = r"(?: because(?:(?: of)? (?P<reason>.+))?)?"
"""Dots alone, as they stand in the lines of a digest, are no reason."""
_EXTENDED = [f"extend {what}{to}" for what in ("", "deadline ", "the deadline ") for to in ("to", "until", "till")]
_SET = [f"{what}{article}deadline" for what in ("set ", "move ", "change ", "new ") for article in ("", "the ")]
_DEADLINE = f"(?:{'|'.join(['deadline', *_EXTENDED, *_SET])})"
_THE_GAME = r"(?: (?:(?:the|this) )?game)?"
_EVERYBODY = "all(?: players)?|everybody|everyone"
_NUMBERS = "an?|one|two|three|four|five|six|seven"
_PRONOUNS = "it|us|them|him|her|me|this|that|these|those|both"
_NAME_WORD = rf"(?!(?:to|until|till|by|because|deadline|{_NUMBERS}|{_PRONOUNS})\b)[^\d\s]\S*"
_FIRST_SEAT = (
    rf"(?:(?:for )?(?:{_EVERYBODY}|(?P<first>{_NAME_WORD}(?:(?: {_NAME_WORD})*(?: \d+)?(?= by )|(?: {_NAME_WORD})*?)))(?: by)? "
    rf"(?=\d|(?:{_NUMBERS}) ))?"
)
"""A seat before the time: EXTEND Altair 24h, or for Altair by 24h."""
FORMS = (
    command("status", "STATUS", "how the game stands: turn, deadline, who is missing, what waits for you", r"status", act="pbmd.desk.gm.commands:status", asks=True, of_broken=True, called=("who is missing", "how does the game stand", "what's the status", "what is the status", "show me the status")),
    command("log", "LOG [n]", "the last lines of the game's log, 30 if you do not say how many", r"log(?: (?P<lines>\d{1,4}))?", act="pbmd.desk.gm.commands:log", asks=True, of_broken=True, called=("history", "show me the log")),
    command("start", "START [because …]", "begin the game with the seats that are taken", r"start" + _THE_GAME + _BECAUSE, act="pbmd.desk.gm.commands:start", called=("begin the game", "launch")),
    command("new", "NEW <game> … END NEW", "make another game that players join by mail; a line for each of its terms and options between: seats: 5", r"new (?:game:? )?(?P<game>(?!token\b|secret\b)[\w-]+):?", closed_by=r"end\s+new[.!]?", once_per=None, act="pbmd.desk.gm.commands:make_game", of_broken=True, unclosed="made", called=("another game", "create a game")),
    command("standing", "STANDING ON", "open another game like this one whenever it fills up; STANDING OFF ends that", r"standing(?: offer)? (?P<on>on|off)", act="pbmd.desk.gm.commands:standing"),
    command("pause", "PAUSE [because …]", "pause the game; orders are still accepted", r"pause" + _THE_GAME + _BECAUSE, act="pbmd.desk.gm.commands:pause", of_broken=True, called=("pause", "hold the game", "stop the game", "freeze", "suspend", "halt")),
    command("resume", "RESUME [because …]", "resume it; all deadlines move by as long as it was paused", r"(?:resume|unpause)" + _THE_GAME + _BECAUSE, act="pbmd.desk.gm.commands:resume", called=("resume", "continue", "unfreeze", "go on with the game")),
    command("extend", "EXTEND <time> [FOR <seat>] [because …]", "give more time, to all or to one: EXTEND 24h FOR Altair", r"extend:? (?:(?:(?:the |this )?(?:deadline|game|turn|phase)|it) )?" + _FIRST_SEAT + r"(?:by )?(?P<time>(?!(?:(?:the )?deadline )?(?:to|until|till)\b)\S+(?: (?!for\b|because\b)\S+)*)(?: for (?:" + _EVERYBODY + r"|(?P<seat>.+?)))?" + _BECAUSE, once_per=("seat", "first"), act="pbmd.desk.gm.commands:extend", called=("extend", "another day", "postpone", "delay", "extension", "more time", "one more day", "grace")),
    command("deadline", "DEADLINE <when> [because …]", "set the turn's deadline: 2026-11-27 20:00, Friday 20:00, in 36h", _DEADLINE + r":? (?:to |is (?:now )?)?(?:on )?(?P<when>.+?)(?: for (?:" + _EVERYBODY + r"|(?P<seat>.+?)))?" + _BECAUSE, act="pbmd.desk.gm.commands:deadline", foresee="pbmd.desk.gm.commands:foresee_deadline", rests_on=("step", "deadline"), called=("reschedule",)),
    command("quiet", "QUIET <days> [IN <zone>] [because …]", "the weekdays on which no deadline falls: QUIET Saturday, Sunday; QUIET NONE", r"quiet (?:days?:? )?(?:on )?(?P<days>.+?)(?: in (?P<zone>\S+))?" + _BECAUSE, act="pbmd.desk.gm.commands:quiet", called=("weekend", "weekends", "no deadline on")),
    command("holiday", "HOLIDAY <date> [TO <date>] [because …]", "no deadline falls on these days: HOLIDAY 2026-12-24 TO 2027-01-02", r"holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE, once_per=("days",), act="pbmd.desk.gm.commands:holiday", called=("christmas break",)),
    command("no-holiday", "NO HOLIDAY <date> [TO <date>] [because …]", "take that back", r"no holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE, once_per=("days",), alike="holiday", act="pbmd.desk.gm.commands:no_holiday"),
    command("timezone", "TIMEZONE <seat> <zone>", "give a player all times in their own zone, too", r"time ?zone (?:of )?(?P<seat>.+?)(?::| =)? (?P<zone>\S+)", once_per=("seat",), act="pbmd.desk.gm.commands:timezone"),
    command("resolve", "RESOLVE [because …]", "resolve the turn now, whoever is missing", r"resolve(?: the (?:turn|phase|move))?(?: now)?" + _BECAUSE, act="pbmd.desk.gm.commands:resolve", foresee="pbmd.desk.gm.commands:foresee_resolve", rests_on=("step", "awaited"), called=("resolve", "process the turn", "run the turn", "next turn", "adjudicate")),
    command("rollback", "ROLLBACK TO TURN <n> [because …]", "play from the beginning of that turn again", r"roll ?back (?:to )?(?:the (?:beginning|start) of )?turn (?P<turn>\d{1,6})" + _BECAUSE, act="pbmd.desk.gm.commands:rollback", foresee="pbmd.desk.gm.commands:foresee_rollback", rests_on=("step", "over"), of_broken=True, called=("roll back", "rollback", "undo", "go back", "revert", "take back the turn")),
    command("eject", "EJECT <seat> [because …]", "take a seat from its player", r"eject (?P<seat>.+?)" + _BECAUSE, once_per=("seat",), act="pbmd.desk.gm.seat_commands:eject", foresee="pbmd.desk.gm.seat_commands:foresee_eject", rests_on=("holder",), called=("eject", "kick", "remove", "expel", "ban", "throw out")),
    command("replace", "REPLACE <seat> BY <address> [because …]", "offer a seat to somebody; it is theirs once they answer YES", r"replace (?P<seat>.+?) (?:by|with) " + addressed("address") + _BECAUSE, once_per=("seat",), alike="offer", act="pbmd.desk.gm.seat_commands:offer_to_one", foresee="pbmd.desk.gm.seat_commands:foresee_replace", rests_on=("holder",), called=("replace", "invite", "replacement", "substitute for")),
    command("offer", "OFFER <seat> [because …]", "offer a seat to the standby list; the first YES gets it", r"offer (?P<seat>.+?)" + _BECAUSE, once_per=("seat",), act="pbmd.desk.gm.seat_commands:offer_to_standbys", foresee="pbmd.desk.gm.seat_commands:foresee_offer", rests_on=("holder",)),
    command("no-substitute", "NO SUBSTITUTE <seat> [because …]", "end the time of a seat's substitute, or its player's wish for one: the seat is its player's again", r"no substitutes? (?:for )?(?P<seat>.+?)" + _BECAUSE, once_per=("seat",), act="pbmd.desk.gm.seat_commands:no_substitute"),
    command("wake", "WAKE <seat> [because …]", "wait again for a seat that is asleep, since it had missed too much", r"wake (?:up )?(?P<seat>.+?)" + _BECAUSE, once_per=("seat",), act="pbmd.desk.gm.seat_commands:wake_up"),
    command("announce", "ANNOUNCE … END ANNOUNCE", "the lines between go to all players", r"announce(?:ment)?(?: (?:to|for) (?:" + _EVERYBODY + r"))?:?(?: (?P<first>.+))?", closed_by=r"end\s+announce(?:ment)?[.!]?", once_per=None, act="pbmd.desk.gm.commands:announce", of_broken=True, unclosed="sent", called=("announce", "announcement", "broadcast", "tell all", "tell everybody", "tell everyone", "message", "press")),
    command("approve", "APPROVE <request> [because …]", "grant a request; STATUS has the numbers", r"approve (?:request )?(?:# ?|no\.? )?(?P<request>\d{1,6})" + _BECAUSE, once_per=("request",), act="pbmd.desk.gm.commands:approve", called=("approve", "grant", "accept", "allow")),
    command("refuse", "REFUSE <request> [because …]", "refuse a request; the player gets a mail", r"refuse (?:request )?(?:# ?|no\.? )?(?P<request>\d{1,6})" + _BECAUSE, once_per=("request",), alike="approve", act="pbmd.desk.gm.commands:refuse", called=("reject", "deny", "decline")),
    command("veto", "VETO <vote> [because …]", "stop a vote of the players; STATUS has the numbers", r"veto (?:vote )?(?:# ?|no\.? )?(?P<vote>\d{1,6})" + _BECAUSE, once_per=("vote",), act="pbmd.desk.gm.commands:veto_vote", of_broken=True),
    command("votes", "VOTES <kinds> [because …]", "what players may vote on: pause, extension, replace, draw, cancel; ALL or NONE of them; VOTES alone lists the open votes", r"votes(?::? (?:on )?(?P<kinds>.+?)" + _BECAUSE + r")?", act="pbmd.desk.gm.commands:change_votes", of_broken=True, called=("allow votes", "allow a vote")),
    command("set", "SET <option> <value> [because …]", "change an option of the rules, where they allow it; SET alone lists them", r"set(?: (?P<option>[a-z0-9_]+)(?: ?= ?| to | )(?P<value>.+?)" + _BECAUSE + r")?", once_per=("option",), act="pbmd.desk.gm.commands:change_option", foresee="pbmd.desk.gm.commands:foresee_set", rests_on=("step", "option"), called=("options",)),
    command("peek", "PEEK <seat> [because …]", "see a seat's orders and last report; all players get a mail", r"peek (?:at )?(?P<seat>.+?)" + _BECAUSE, once_per=("seat",), act="pbmd.desk.gm.commands:peek_at", foresee="pbmd.desk.gm.commands:foresee_peek", rests_on=("step", "holder"), called=("peek", "show me the orders", "look at the orders")),
    command("abandon", "ABANDON [because …]", "end the game without a winner", r"abandon" + _THE_GAME + _BECAUSE, act="pbmd.desk.gm.commands:abandon", foresee="pbmd.desk.gm.commands:foresee_abandon", rests_on=("step",), of_broken=True, called=("end the game", "finish the game", "close the game", "cancel the game", "delete the game", "declare a draw")),
    command("digest", "DIGEST <turns, daily or off>", "how often a mail tells you what happened and what waits for you", r"digest:? (?P<when>turns|daily|off)", act="pbmd.desk.gm.commands:digest", of_broken=True),
    command("clock", "CLOCK CONFIRM", "say that the machine's clock is right, though it has jumped; for all games", r"clock confirm(?:ed)?", act="pbmd.desk.gm.commands:confirm_clock", foresee="pbmd.desk.gm.commands:foresee_clock", rests_on=("clock",), of_broken=True),
    command("new-token", "NEW TOKEN", "get a mail with a new secret; replies to older mails stop working", r"new (?:token|secret)", act="pbmd.desk.gm.commands:new_token", of_broken=True, called=("token", "secret")),
    command("help", "HELP [command]", "this list, or what one command does", r"help(?: (?:me|us))?(?: out)?(?: (?:with|on|about))?(?: (?P<topic>.+))?", once_per=("topic",), act="pbmd.desk.gm.commands:list_commands", asks=True, of_broken=True),
)  # fmt: skip


def _first_word(command: Form) -> str:
    return command.usage.split()[0].casefold()


_OF_PLAYERS = (Form("press", "ANNOUNCE … END ANNOUNCE", "", compiled("press"), compiled(r"end\s*press[.!]?")),)
MASTERS = Language(FORMS, _first_word, likeness=0.7, closed_elsewhere=_OF_PLAYERS)

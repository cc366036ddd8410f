"""The game master's commands. Nothing else is read in their letters."""

from pbmd.desk.language.commands import Form, Language, form

_BECAUSE = r"(?: because(?:(?: of)? (?P<reason>.+))?)?"
"""Dots alone, as they stand in the lines of a digest, are no reason."""
FORMS = (
    form("status", "STATUS", "how the game stands: turn, deadline, who is missing, what waits for you", r"status"),
    form("log", "LOG [n]", "the last lines of the game's log, 30 if you do not say how many", r"log(?: (?P<lines>\d{1,4}))?"),
    form("start", "START [because …]", "begin the game with the seats that are taken", r"start" + _BECAUSE),
    form("new", "NEW <game> … END NEW", "make another game that players join by mail; a line for each of its terms and options between: seats: 5", r"new (?P<game>(?!token\b|secret\b)[\w-]+):?", closed_by=r"end\s+new[.!]?", once_per=None),
    form("standing", "STANDING ON", "open another game like this one whenever it fills up; STANDING OFF ends that", r"standing(?: offer)? (?P<on>on|off)"),
    form("pause", "PAUSE [because …]", "pause the game; orders are still accepted", r"pause" + _BECAUSE),
    form("resume", "RESUME [because …]", "resume it; all deadlines move by as long as it was paused", r"resume" + _BECAUSE),
    form("extend", "EXTEND <time> [FOR <seat>] [because …]", "give more time, to all or to one: EXTEND 24h FOR Altair", r"extend (?P<time>\S+(?: (?!for\b|because\b)\S+)*)(?: for (?P<seat>.+?))?" + _BECAUSE, once_per=("seat",)),
    form("deadline", "DEADLINE <when> [because …]", "set the turn's deadline: 2026-11-27 20:00, Friday 20:00, in 36h", r"deadline (?P<when>.+?)" + _BECAUSE),
    form("quiet", "QUIET <days> [IN <zone>] [because …]", "the weekdays on which no deadline falls: QUIET Saturday, Sunday; QUIET NONE", r"quiet (?:days?:? )?(?P<days>.+?)(?: in (?P<zone>\S+))?" + _BECAUSE),
    form("holiday", "HOLIDAY <date> [TO <date>] [because …]", "no deadline falls on these days: HOLIDAY 2026-12-24 TO 2027-01-02", r"holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE, once_per=("days",)),
    form("no-holiday", "NO HOLIDAY <date> [TO <date>] [because …]", "take that back", r"no holidays? (?P<days>\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?)" + _BECAUSE, once_per=("days",), alike="holiday"),
    form("timezone", "TIMEZONE <seat> <zone>", "give a player all times in their own zone, too", r"time ?zone (?:of )?(?P<seat>.+?):? (?P<zone>\S+)", once_per=("seat",)),
    form("resolve", "RESOLVE [because …]", "resolve the turn now, whoever is missing", r"resolve" + _BECAUSE),
    form("rollback", "ROLLBACK TO TURN <n> [because …]", "play from the beginning of that turn again", r"roll ?back to turn (?P<turn>\d{1,6})" + _BECAUSE),
    form("eject", "EJECT <seat> [because …]", "take a seat from its player", r"eject (?P<seat>.+?)" + _BECAUSE, once_per=("seat",)),
    form("replace", "REPLACE <seat> BY <address> [because …]", "offer a seat to somebody; it is theirs once they answer YES", r"replace (?P<seat>.+?) by <?(?P<address>[^\s<>@]+@[^\s<>@]+)>?" + _BECAUSE, once_per=("seat",), alike="offer"),
    form("offer", "OFFER <seat> [because …]", "offer a seat to the standby list; the first YES gets it", r"offer (?P<seat>.+?)" + _BECAUSE, once_per=("seat",)),
    form("announce", "ANNOUNCE … END ANNOUNCE", "the lines between go to all players", r"announce:?", closed_by=r"end\s+announce(?:ment)?[.!]?", once_per=None),
    form("approve", "APPROVE <request> [because …]", "grant a request; STATUS has the numbers", r"approve (?:request )?(?P<request>\d{1,6})" + _BECAUSE, once_per=("request",)),
    form("refuse", "REFUSE <request> [because …]", "refuse a request; the player gets a mail", r"refuse (?:request )?(?P<request>\d{1,6})" + _BECAUSE, once_per=("request",), alike="approve"),
    form("set", "SET <option> <value> [because …]", "change an option of the rules, where they allow it; SET alone lists them", r"set(?: (?P<option>[a-z0-9_]+)(?: ?= ?| to | )(?P<value>.+?)" + _BECAUSE + r")?", once_per=("option",)),
    form("peek", "PEEK <seat> [because …]", "see a seat's orders and last report; all players get a mail", r"peek (?:at )?(?P<seat>.+?)" + _BECAUSE, once_per=("seat",)),
    form("abandon", "ABANDON [because …]", "end the game without a winner", r"abandon" + _BECAUSE),
    form("digest", "DIGEST <turns, daily or off>", "how often a mail tells you what happened and what waits for you", r"digest:? (?P<when>turns|daily|off)"),
    form("clock", "CLOCK CONFIRM", "say that the machine's clock is right, though it has jumped; for all games", r"clock confirm(?:ed)?"),
    form("new-token", "NEW TOKEN", "get a mail with a new secret; replies to older mails stop working", r"new (?:token|secret)"),
    form("help", "HELP", "this list", r"help"),
)  # fmt: skip


def _first_word(command: Form) -> str:
    return command.usage.split()[0].casefold()


MASTERS = Language(FORMS, _first_word, likeness=0.7)

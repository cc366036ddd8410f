"""What a player's letter has beside orders: press, ballots and commands, as far as answers and books show what came of them."""

import re
from collections.abc import Iterator, Sequence

from pbmd.archive.format.press_and_deadlines import in_one_line

_PRESS = re.compile(r"(?:anonymous(?:ly)? )?press to\b.*")
_END = "end press"
_END_OF_LETTER = re.compile(r"[^\w#]*end(?: (?:of )?(?:(?:my|our|the) )?(?:orders?|list))?\W*")
_BALLOT = re.compile(r"(?:vote(?: (?P<vote>\d{1,9}))? )?(?P<said>yes|no|nothing)")
_TOLD = re.compile(r"(?P<said>yes|no) in vote (?P<vote>\d{1,9})")


def _messages_in(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each message that has an end begins, and where its end stands."""
    begin: int | None = None
    for place, line in enumerate(lines):
        plain = plain_words(line)
        if begin is None and _PRESS.fullmatch(plain):
            begin = place + 1
        elif begin is not None and plain == _END:
            yield begin, place
            begin = None


def press_in(lines: Sequence[str]) -> Iterator[str]:
    """The words of each message that a letter with these lines has, with its end."""
    return (in_one_line("\n".join(lines[begin:end])) for begin, end in _messages_in(lines))


def without_press(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a letter without those of its messages."""
    last = 0
    for begin, end in _messages_in(lines):
        yield from lines[last:begin]
        last = end
    yield from lines[last:]


_MESSAGES = frozenset({"press", "anonymous", "anonymously", "preview"})
_ENDS = frozenset({"end press", "end preview"})


def outside_messages(lines: Sequence[str]) -> Iterator[str]:
    """The lines that are read as orders or commands: those within messages and previews, and below END, are not."""
    within = False
    for line in lines:
        plain = plain_words(line)
        if not within and _END_OF_LETTER.fullmatch(plain):
            return
        if not within:
            yield line
        within = plain.partition(" ")[0].rstrip(":") in _MESSAGES or (within and plain not in _ENDS)


_COMMANDS = {
    "WAIT": (r"wait", r"\bWAIT\b|\bwill wait for\b"),
    "READY": (r"ready", r"\bREADY\b(?! takes)|\bonce all orders are in\b"),
    "EXTEND": (r"extend \w.*", r"\bEXTEND\b|\bmore\b|\blater\b|\bextensions?\b"),
    "ABSENT": (r"absent \w.*", r"\bABSENT\b|\baway\b"),
    "CANCEL ORDERS": (r"cancel (?:my )?orders?", r"(?i)\bcancel"),
    "PROPOSE": (r"propose \w.*", r"\bPROPOSE\b|(?i:\bvote)"),
    "VOTE": (r"vote (?:\d{1,9} )?(?:yes|no|nothing)", r"(?i)\bvoted?\b"),
    "RESIGN": (r"resign", r"\bRESIGN\b|\bseat\b|\bover already\b"),
}
"""How commands that change something are written, and what each answer to them has."""
_COMPILED = {name: (re.compile(written), re.compile(told)) for name, (written, told) in _COMMANDS.items()}
_INSTEAD = {"WAIT": "READY", "READY": "WAIT"}
"""Of these the last one counts."""


def commands_in(lines: Sequence[str]) -> tuple[str, ...]:
    """The commands that change something in a letter with these lines."""
    found = dict[str, None]()
    for plain in map(plain_words, outside_messages(lines)):
        for name in (name for name, (written, _) in _COMPILED.items() if written.fullmatch(plain)):
            found.pop(_INSTEAD.get(name, ""), None)
            found[name] = None
    return tuple(found)


def commands_told(answer: str) -> frozenset[str]:
    """The commands of which an answer says something."""
    return frozenset(name for name, (_, told) in _COMPILED.items() if told.search(answer))


def ballots_in(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The votes that a letter with these lines is about, empty for the one that it answers, and what it says last in each."""
    found = filter(None, (_BALLOT.fullmatch(plain_words(line)) for line in lines))
    return tuple({each["vote"] or "": each["said"] for each in found}.items())


def other_ballot(ballots: Sequence[tuple[str, str]], told: str) -> str:
    """What a letter with these ballots says, if an answer to it has `told` otherwise; empty if it has not."""
    answer = _TOLD.fullmatch(told)
    said = dict(ballots)
    wrote = said.get(answer["vote"], said.get("", "")) if answer else ""
    return wrote if answer and wrote not in ("", answer["said"]) else ""


def plain_words(line: str) -> str:
    """A line in small letters, with one blank between its words, and no full stop."""
    return " ".join(line.casefold().split()).rstrip(".:")

"""What a player's letter has beside orders: press and ballots, as far as answers and books show what came of them."""

import re
from collections.abc import Iterator, Sequence

from pbmd.archive.format.press_and_deadlines import in_one_line

_PRESS = re.compile(r"(?:anonymous(?:ly)? )?press to\b.*")
_END = "end press"
_BALLOT = re.compile(r"(?:vote(?: (?P<vote>\d{1,9}))? )?(?P<said>yes|no|nothing)")
_TOLD = re.compile(r"(?P<said>yes|no) in vote (?P<vote>\d{1,9})")


def press_in(lines: Sequence[str]) -> Iterator[str]:
    """The words of each message that a letter with these lines has, with its end."""
    begin: int | None = None
    for place, line in enumerate(lines):
        plain = plain_words(line)
        if begin is None and _PRESS.fullmatch(plain):
            begin = place + 1
        elif begin is not None and plain == _END:
            yield in_one_line("\n".join(lines[begin:place]))
            begin = None


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

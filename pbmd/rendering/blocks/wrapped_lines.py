"""Which lines of a text were one before it was wrapped, and how deep lines are indented."""

from collections.abc import Callable, Sequence
from itertools import pairwise

LEAST, MOST = 68, 72
"""At so many columns the texts of mails are wrapped."""


def indent_of(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" "))


def goes_on(line: str, following: str, width: int = LEAST) -> bool:
    """Whether the first word of the following line would not have fitted into this one."""
    return len(line) + 1 + len(following.split(None, 1)[0]) > width


def unwrapped(lines: Sequence[str], goes_on: Callable[[str, str], bool] = goes_on) -> tuple[str, ...]:
    """The lines, stripped, with those put together of which one goes on in the next."""
    joined = [lines[0].strip()]
    for before, line in pairwise(lines):
        if goes_on(before, line):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line.strip())
    return tuple(joined)

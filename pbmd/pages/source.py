"""What the pages are made from, passed in once, and who they are for.

Everything on a page for everybody comes from the public view, the public report, and the rows that are let through here and in
`log_lines`: one table says which words of the log may be shown to whom. Moves that wait and requests that were granted leave no
line in the log, so not even the time of a page gives them away.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Engine

from pbmd.ledger.tables import Game
from pbmd.rules import Ruleset

Audience = Literal["public", "gm"]


@dataclass(frozen=True, slots=True)
class Words:
    """How times are written, in a few words of the time zone `zone` and `whole`, and lengths of time, text without the
    addresses in it, and what a kind of alarm is about."""

    time: Callable[[datetime], str]
    whole: Callable[[datetime], str]
    zone: str
    length: Callable[[timedelta], str]
    discreet: Callable[[str], str]
    alarm: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class OfSeat:
    """What only the game master sees of a seat: its holder, how much more time they may take without asking, when they are
    away, and whether they want a substitute or have one."""

    holder: str
    more_time: str
    away: tuple[str, ...]


def _nothing(_: Game) -> Mapping[str, OfSeat]:
    return {}


@dataclass(frozen=True, slots=True)
class Source:
    """The ledger to read, the folder to write to, and what else the pages need. `audience` says who may look at them; `key`
    returns the key that signs the checkpoints of a game, `seats` what is known of its seats by their names, and `whose` how an
    address is written in the rows of steps."""

    engine: Engine
    folder: Path
    audience: Audience
    now: Callable[[], datetime]
    ruleset: Callable[[str], Ruleset[Any]]
    mailbox: str
    words: Words
    key: Callable[[Game], str] = lambda _: ""
    seats: Callable[[Game], Mapping[str, OfSeat]] = _nothing
    whose: Callable[[str], str] = lambda _: ""

    @property
    def for_gm(self) -> bool:
        """Whether the pages are for the game master alone."""
        return self.audience == "gm"


class Disclosure(IntEnum):
    """What the pages may say about who has sent orders in a game, and when; each level includes those before it."""

    NOTHING = 0
    COUNT = 1
    NAMES = 2
    CAUSES = 3  # why orders did not count, too


def disclosure_of(source: Source, rules: Ruleset[Any], who_has_sent: str) -> Disclosure:
    """What may be shown of this game. If players may not know who has sent, the game master's page does not show when, or what
    became of it: it may be open while the game master plays. Whether they have is shown as by `pbmd status`."""
    if rules.info.secret_arrival or who_has_sent == "nothing":
        return Disclosure.NOTHING
    if source.for_gm:
        return Disclosure.CAUSES
    # In a sequential game everybody gets a report of each move.
    return Disclosure.NAMES if who_has_sent == "names" or rules.sequential else Disclosure.COUNT

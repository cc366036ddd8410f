"""What the pages are made of, handed in once, and who they are for."""

from collections.abc import Callable
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
    """How times and lengths are told, text without the addresses in it, and what a kind of alarm is about."""

    time: Callable[[datetime], str]
    length: Callable[[timedelta], str]
    discreet: Callable[[str], str]
    alarm: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Source:
    """The ledger to read, the folder to write to, and what else the pages need. `audience` says who may look at them; `key` is
    by which the checkpoints of a game are signed."""

    engine: Engine
    folder: Path
    audience: Audience
    now: Callable[[], datetime]
    ruleset: Callable[[str], Ruleset[Any]]
    mailbox: str
    words: Words
    key: Callable[[Game], str] = lambda _: ""

    @property
    def for_gm(self) -> bool:
        """Whether the pages are for the game master alone."""
        return self.audience == "gm"


class Told(IntEnum):
    """What the pages may tell of who has sent orders in a game, and when; each tells what those before it do."""

    NOTHING = 0
    COUNT = 1
    NAMES = 2
    CAUSES = 3  # why orders did not count, too


def told(source: Source, rules: Ruleset[Any], who_has_sent: str) -> Told:
    """What may be told of this game. Where players may not know who has sent, the game master's page does not tell either: it
    may be open while the game master plays."""
    if rules.info.secret_arrival or who_has_sent == "nothing":
        return Told.NOTHING
    if source.for_gm:
        return Told.CAUSES
    # In a sequential game everybody gets a report of each move.
    return Told.NAMES if who_has_sent == "names" or rules.sequential else Told.COUNT

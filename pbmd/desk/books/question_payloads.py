"""What the ledger keeps of a question, or of a request to the game master, until there is an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError

Kept = TypeVar("Kept")
Subject = Literal[
    "letter", "which", "resign", "address", "new-address", "take-over", "substitute", "join", "watch", "standby", "master",
]  # fmt: skip
"""What a question is about."""
SUBJECTS: tuple[Subject, ...] = get_args(Subject)


@dataclass(frozen=True, slots=True)
class OfSeat:
    """Of a question about a seat. `address` is who was asked if it was not the seat's holder; `new` is the address that the
    holder wants; `holder` and `timezone` are those of whoever may take the seat over, which is offered only since it is
    `asleep`. What `shows_secret` has a budget of its own, which those who know none cannot use up."""

    address: str = ""
    shows_secret: bool = False
    new: str = ""
    holder: str | None = None
    timezone: str = "UTC"
    asleep: bool = False


@dataclass(frozen=True, slots=True)
class WhichSeat:
    """Of the question for which seat a letter is: who was asked, and, by their ids, game and seat of each that it could be
    for."""

    address: str
    seats: tuple[tuple[int, int], ...]

    @property
    def one_of_each_game(self) -> bool:
        """Whether the game alone says which seat is meant."""
        return len({game for game, _ in self.seats}) == len(self.seats)


@dataclass(frozen=True, slots=True)
class OfVisitor:
    """Of a question to somebody without a seat: who they are, when their letter arrived, and, if they want one, which seat with
    which lines of set-up."""

    address: str
    holder: str
    asked_for: datetime
    seat: str = ""
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class OfMaster:
    """Of a question to the game master: the command and its words, and what it rests on, as the game stood then."""

    command: str
    words: Mapping[str, str]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MoreTime:
    """Of a player's request for more time in a turn: `length` in words, and whether it is `for_all` or for the seat alone."""

    turn: int
    seconds: int
    length: str
    for_all: bool


@dataclass(frozen=True, slots=True)
class AwaitedRuling:
    """Of a ruling that the rules wait for: their name for it."""

    key: str


_OF_QUESTIONS: Mapping[Subject, type[Any]] = {
    **dict.fromkeys(SUBJECTS, OfSeat), **dict.fromkeys(("join", "watch", "standby"), OfVisitor), "which": WhichSeat,
    "master": OfMaster,
}  # fmt: skip
EXTENSION, RULING = "extension", "ruling"
"""The kinds of requests: for more time, and what the rules themselves wait for."""
_OF_REQUESTS: Mapping[str, type[Any]] = {EXTENSION: MoreTime, RULING: AwaitedRuling}


def must_be_of_question(row: Mapping[str, Any]) -> None:
    """Raises `ValueError` or `KeyError` if the document of a question is none of its subject."""
    read_as(_OF_QUESTIONS[row["subject"]], row["payload"])


def must_be_of_request(row: Mapping[str, Any]) -> None:
    """Raises `ValueError` or `KeyError` if the document of a request is none of its kind."""
    read_as(_OF_REQUESTS[row["kind"]], row["payload"])


def written(kept: object) -> str:
    """The document as which one of these is kept."""
    return _adapter(type(kept)).dump_json(kept).decode()


def read_as(kind: type[Kept], document: str) -> Kept:
    """What was written as this document. Raises `ValueError` if it was of another kind, and does not quote it."""
    try:
        return _adapter(kind).validate_json(document)
    except ValidationError:
        raise ValueError(f"what is kept is no {kind.__name__}") from None


@lru_cache(maxsize=20)
def _adapter(kind: type[Kept]) -> TypeAdapter[Kept]:
    return TypeAdapter(kind)

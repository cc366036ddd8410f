"""The contents of an archive's documents, as pbmd writes them; `FORMAT.md` says what they mean.

The types for somebody else's archive are for documents that were checked before, or say what is wrong with them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NotRequired

from typing_extensions import TypedDict

from pbmd.ledger.entries.codec import Document

Numbers = Mapping[str, Mapping[str, float | str]]
"""numbers.json: label → seat → number, or the digits of one."""


class SeatDocument(TypedDict):
    """A seat, as game.toml has it."""

    number: int
    name: str
    state: str
    holder: NotRequired[str]
    timezone: NotRequired[str]
    setup: NotRequired[list[str]]


class JournalDocument(TypedDict):
    """The end of the journal, as game.toml has it, and who signed it."""

    entries: int
    head: str
    key: NotRequired[str]
    witnesses: NotRequired[list[str]]


class OutcomeDocument(TypedDict):
    """How the game ended, as game.toml has it."""

    winners: list[str]
    reason: str
    abandoned: NotRequired[bool]
    secret: NotRequired[str]


class GameHead(TypedDict):
    """The part of game.toml that a newspaper needs."""

    name: str
    title: str
    created_at: datetime
    seats: list[SeatDocument]
    view: NotRequired[str]
    status: NotRequired[str]


class GameDocument(TypedDict):
    """game.toml."""

    format: int
    pbmd: str
    view: str
    anonymised: bool
    name: str
    ruleset: str
    ruleset_version: NotRequired[str]
    ruleset_digest: str
    title: str
    status: str
    created_at: datetime
    resolved_steps: int
    journal: JournalDocument
    changed: NotRequired[list[str]]
    options: Document
    terms: Document
    outcome: NotRequired[OutcomeDocument]
    seats: list[SeatDocument]


class ForeignSeat(TypedDict):
    """A seat, as the game.toml of anybody's archive has it; what is known of it is that it has a name."""

    name: str


class ForeignGame(TypedDict):
    """The game.toml of anybody's archive, known only as far as it was checked (`pbmd.archive.format.findings`): the rest of a
    `GameDocument` may be there or not, and be anything."""

    format: int
    name: str
    ruleset: str
    view: str
    journal: Mapping[str, object]
    seats: list[ForeignSeat]


class ResolutionDocument(TypedDict):
    """resolution.toml; for the beginning it has only step and turn."""

    step: int
    turn: int
    name: NotRequired[str]
    resolved_at: NotRequired[datetime]
    cause: NotRequired[str]
    secret: NotRequired[str]
    dice: NotRequired[str]


class VerdictDocument(TypedDict):
    """What the rules said about a line of a letter, as sheets.json has it."""

    line: int
    status: str
    text: str
    message: str


class SheetDocument(TypedDict):
    """A letter with orders, as sheets.json has it."""

    seat: str
    arrived_at: str
    receipt: int
    digest: str
    head: NotRequired[str]
    word: NotRequired[str]
    state: str
    lines: list[str]
    verdicts: list[VerdictDocument]


class EventDocument(TypedDict):
    """Something that happened, as events.json has it; only readers who may know everything see who else knows of it."""

    kind: str
    audience: NotRequired[list[str] | None]
    data: Document
    detail: Document
    insiders: NotRequired[list[str]]


class EntryDocument(TypedDict):
    """An entry of the journal, as a line of journal.jsonl has it."""

    number: int
    at: str
    kind: str
    public: NotRequired[Document]
    secret: NotRequired[Document]
    salt: NotRequired[str]
    sealed: NotRequired[str]
    hash: NotRequired[str]
    withheld: NotRequired[bool]

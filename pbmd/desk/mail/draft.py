"""A mail before it is written: of what kind, with which subject and text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pbmd.desk.books.work import Table
from pbmd.post.compose import Attachment, Inline, Invitation
from pbmd.reports.render import environment

SILENCE: Literal["silence"] = "silence"
"""The kind of the mail that says that there will be no answers for a while."""
TO_MASTER: Literal["gm"] = "gm"
"""The kind of the answer to a letter of the game master that has proved to be theirs."""
REFUSAL: Literal["refusal"] = "refusal"
"""The kind of the answer to a sign-up that gave no seat: whoever it goes to has proved nothing."""
VISIT: Literal["visit"] = "visit"
"""The kind of what people without a seat get when they ask for something: a list of games, a question, a sentence."""

Kind = Literal[
    "acknowledgement", "report", "reminder", "notice", "press", "alarm", "handbook", "silence", "question", "hint", "refusal",
    "visit", "preview", "gm", "digest",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail before it has an address: what it is, what it says, and what it answers.

    `key` says which mail this is, once and for all: the same key is never queued twice. `answers` is the Message-ID of
    the letter that this mail answers, empty if it has none or this is no answer; `digest` is what an answer is compared by
    (`pbmd.desk.books.work.digest`), empty if this is none. What is `owed` is sent however many mails its letter has caused.
    """

    kind: Kind
    key: str
    subject: str
    text: str
    html: str = ""
    answers: str = ""
    digest: str = ""
    owed: bool = False
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    invitation: Invitation | None = None


def render(name: str, values: Mapping[str, Any]) -> str:
    """A template of ``templates/mail/`` with its values."""
    return environment().get_template(f"mail/{name}.j2").render(values)


_LONGEST_HEADLINE = 100
"""Characters: what is longer, lists of mails cut off anywhere."""


def in_short(headline: str) -> str:
    """What a mail begins with, for its subject: if it is long, as many sentences and clauses of it as fit."""
    if len(headline) <= _LONGEST_HEADLINE:
        return headline
    fits = headline[:_LONGEST_HEADLINE]
    for marks in (". ", "; ", ": "), (", ",), (" ",):
        end = max(fits.rfind(mark) for mark in marks)
        if end > 0:
            return fits[:end] if marks[0] == ". " else f"{fits[:end]} …"
    return f"{fits}…"


def subject(table: Table, words: str) -> str:
    """Game, turn, and the step of it if it has a name, for people; then what it is about."""
    step = f" {table.game.step_name}" if table.game.step_name else ""
    return f"[pbmd {table.game.name} t{table.game.turn}{step}] {words}"

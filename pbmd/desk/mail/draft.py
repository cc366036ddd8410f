"""A mail before it is written: of what kind, with which subject and text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pbmd.desk.books.transaction import OpenGame
from pbmd.ledger.tables import Game
from pbmd.post.compose import Attachment, Inline, Invitation
from pbmd.post.proof_file import PROOF_TYPE, words_digest
from pbmd.rendering.render import environment

SILENCE: Literal["silence"] = "silence"
"""The kind of the mail that says that there will be no answers for a while."""
TO_MASTER: Literal["gm"] = "gm"
"""The kind of the answer to a letter of the game master that has proved to be theirs."""
REFUSAL: Literal["refusal"] = "refusal"
"""The kind of the answer to a sign-up that gave no seat: whoever it goes to has proved nothing."""
VISIT: Literal["visit"] = "visit"
"""The kind of what people without a seat get when they ask for something: a list of games, a question, a sentence."""
YES_OR_NO = ("YES", "NO")
"""What a question is answered with, but for those that say otherwise."""

Kind = Literal[
    "acknowledgement", "report", "reminder", "notice", "press", "alarm", "handbook", "silence", "question", "hint", "refusal",
    "visit", "preview", "gm", "digest",
]  # fmt: skip


_NOT_SAID = dict.fromkeys(
    (
        *("seat", "next", "why", "report", "used", "secret", "commitment", "before", "salt", "form"),
        *("chain_head", "chain_number", "record", "checkpoint", "key", "words", "turn_entry", "numbers_told"),
    ),
    "",
)
"""What a file with a proof may have, and need not."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The file with what can be proved of a mail, before that is written: its name, and a template with its values."""

    name: str
    template: str
    values: Mapping[str, Any]

    def beside(self, text: str) -> Attachment:
        """The file that goes with a mail of this text, whose digest may stand in it."""
        words = render(self.template, {**_NOT_SAID, **self.values, "digest": words_digest(text)})
        return Attachment(self.name, PROOF_TYPE, words.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail before it has an address: what it is, what it says, and what it answers.

    `key` says which mail this is, once and for all: the same key is never queued twice. `answers` is the Message-ID of
    the letter that this mail answers, empty if it has none or this is no answer; `digest` is what an answer is compared by
    (`answer_digest` in `pbmd.desk.mail.rate_limits`), empty if this is none. What is `owed` is sent however many mails its
    letter has caused. `proof` is the file that goes beside it; `offers` are the words for each of which the HTML has a button
    that opens a reply with it. The HTML is made from the text unless there is some here. It is not sent before `not_before`,
    and what it has `gathered` is kept with it (`pbmd.desk.step.gathering`).
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
    proof: Proof | None = None
    offers: tuple[str, ...] = ()
    not_before: datetime | None = None
    gathered: str = ""


def render(name: str, values: Mapping[str, Any]) -> str:
    """A template of ``templates/mail/`` with its values."""
    return environment().get_template(f"mail/{name}.j2").render(values)


def files_of(draft: Draft) -> tuple[Attachment, ...]:
    """The files that are attached to a mail as it is sent."""
    return (*((draft.proof.beside(draft.text),) if draft.proof else ()), *draft.attachments)


LONGEST_SUBJECT = 70
"""Characters: what is longer, lists of mails cut off anywhere."""


def in_short(headline: str, most: int = LONGEST_SUBJECT) -> str:
    """What a mail begins with, for its subject: if it is longer than that, as many sentences and clauses of it as fit."""
    if len(headline) <= most:
        return headline
    fits = headline[: most - 1]
    for marks in (". ", "; ", ": "), (", ",), (" ",):
        end = max(fits[:-1].rfind(mark) for mark in marks)
        if end > most // 2:
            return fits[:end] if marks[0] == ". " else f"{fits[:end]} …"
    return f"{fits}…"


def subject(table: OpenGame, *words: str, seat: str = "", code: str = "", step: bool = True) -> str:
    """Game, turn, and the step of it if it has a name, for people; then what it is about, for whom: the first of `words`, from
    the longest to the shortest, that fits. Where none does, the name of the step goes first, then the end of the words. A
    `code`, by which a reply is known, is there in any case; the name of the `step` is not if the words say it."""
    return subject_of(table.game, *words, seat=seat, code=code, step=step)


def subject_of(game: Game, *words: str, seat: str = "", code: str = "", step: bool = True) -> str:
    """The same for who has no table of the game."""
    tags = [f"{game.name} t{game.turn} {game.step_name}".rstrip() if step else "", f"{game.name} t{game.turn}"]
    tags = [tag for tag in tags if tag]
    tags += [game.name, ""] if code else []
    return _fitting(tags, [*(f"{seat}: {each}" for each in words if seat), *words], code)


def subject_before(table: OpenGame | None, *words: str, code: str = "") -> str:
    """The same for people without a seat: the game, if it is about one."""
    return _fitting([table.game.name, *([""] if code else [])] if table else [""], words, code)


def _fitting(tags: Sequence[str], words: Sequence[str], code: str) -> str:
    heads, end = [f"[pbmd {tag}]" if tag else "[pbmd]" for tag in tags], f" ({code})" if code else ""
    titles = (f"{head} {each}{end}" for head in heads for each in words)
    room = LONGEST_SUBJECT - len(heads[-1]) - len(end) - 1
    return next((title for title in titles if len(title) <= LONGEST_SUBJECT), f"{heads[-1]} {in_short(words[-1], room)}{end}")

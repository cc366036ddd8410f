"""What keeps pbmd from answering without end, whatever the header of a letter says or does not say.

The header rule (`pbmd.post.automatic`) decides about mail that owns up to being automatic. Here are the brakes for all the
rest: pbmd knows its own mail and that of others of its kind, sends nothing to itself, answers an address only so often, and
says the same to the same only once an hour unless something else was said between. What goes to people who have proved
nothing has a budget of its own, for anybody can cause it in anybody's name: it must neither use up the answers that a player
gets nor become a flood to bystanders. So has what answers the game master, whose letters show a token and whose work may take
an evening. None of the brakes keeps a letter from being dealt with, save the mark of a pbmd's mail.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from sqlalchemy import bindparam, func, select
from sqlmodel import col

from pbmd.ledger.tables import Game, Outbox, Seat
from pbmd.post.addresses import folded
from pbmd.post.commands import BROUGHT_ALONG
from pbmd.post.letter import Letter
from pbmd.post.tags import make_code, make_token, read_tag, token_matches
from pbmd.rules.protocol import Verdict

if TYPE_CHECKING:
    from pbmd.desk.answer import Answer
    from pbmd.desk.work import Work

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_SEAT = r"(?:g\d{1,9}p\d{1,6}|c\d{1,9})\.[a-z2-7]{16}\."
_OWN_ID = re.compile(
    rf"<(?:[a-z]+(?:-t\d{{1,6}}(?:s\d{{1,9}})?)?\.(?P<seat>{_SEAT})|(?:acknowledgement|alarm|hint|notice|refusal|report|silence|visit)\.)[a-z2-7]{{16}}@(?P<domain>[^<>@]+)>",
    re.IGNORECASE,
)
_CODE = re.compile(r"c(\d{1,9})\.([a-z2-7]{16})", re.IGNORECASE | re.ASCII)
_TIME = re.compile(r"\d+(?::\d\d(?::\d\d)?| (?:days?|h|min|s))\b")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that an address was given: when, on what and with what (a digest of both), and which kind of mail."""

    at: datetime
    digest: str
    kind: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a mail is not sent, for the log, and what its recipient is told instead: until when there is silence, or nothing."""

    reason: str
    silent_until: datetime | None = None


def base_address(address: str) -> str:
    """The address without what stands behind a plus, in small letters."""
    local, at, domain = folded(address).rpartition("@")
    return local.partition("+")[0] + at + domain


def made_by_pbmd(letter: Letter, address: str, is_ours: Callable[[str], bool]) -> str:
    """Why a letter is a mail of pbmd itself, or of another pbmd, and must be dropped; empty if it is none.

    `address` is pbmd's own. That the letter only *answers* such a mail says nothing: players do. `is_ours` tells the tags
    and codes of this pbmd from others: what it sent before its domain became another is not of another pbmd.
    """
    if base_address(letter.sender) == base_address(address):
        return "it is from pbmd's own address"
    if _OWN_ID.fullmatch(letter.message_id):
        return "a pbmd has written it"
    domain = folded(address.rpartition("@")[2])
    shown = [found for each in letter.references if (found := _OWN_ID.fullmatch(each)) and found["seat"]]
    foreign = [found["seat"].rstrip(".") for found in shown if folded(found["domain"]) != domain]
    if foreign and not any(is_ours(each) for each in foreign[:_MOST_LOOKED_AT]):
        return "a pbmd has written it, in a game of its own"
    return ""


_MOST_LOOKED_AT = 20


def is_of(work: "Work", text: str) -> bool:
    """Whether a tag or code is one that this pbmd has made, of ended tokens too. It proves nothing of who writes."""
    if found := _CODE.fullmatch(text):
        return token_matches(make_code(work.desk.key, int(found[1])).secret, found[2])
    tag = read_tag(text)
    if tag is None:
        return False
    of_seat = select(col(Seat.token_generation)).where(col(Seat.game_id) == tag.game, col(Seat.number) == tag.seat)
    if not tag.seat:  # the game master's
        of_seat = select(col(Game.gm_generation)).where(col(Game.id) == tag.game)
    last = work.session.connection().execute(of_seat).scalar()
    tokens = (make_token(work.desk.key, tag.game, tag.seat, each) for each in range((-1 if last is None else last) + 1))
    return any(token_matches(each, tag.token) for each in tokens)


def digest(question: str, answer: str) -> str:
    """What an answer is compared by: the text answered and what is said to it."""
    return sha256(f"{len(question)} {question} {answer}".encode("utf-8", "replace")).hexdigest()[:32]


def asked(letter: Letter) -> str:
    """What a letter asks, without what differs each time it is sent."""
    return "\n".join(line.text for line in letter.lines)


def gist(words: str, answer: "Answer") -> str:
    """What an answer says, without the times and numbers that are new in each: two with the same gist need not both be sent."""
    verdicts: Sequence[Verdict] = answer.orders.verdicts if answer.orders else ()
    in_force = (answer.orders.in_force if answer.orders else None) or ()
    told = [f"{verdict.line} {verdict.status} {verdict.text} {verdict.message}" for verdict in verdicts]
    unread = [piece.text for piece in answer.left_out if piece.reason not in BROUGHT_ALONG]
    text = "\n".join([words, *told, *in_force, *answer.remarks, *(text for _, text in answer.sections), *unread])
    return "".join(_TIME.sub("", text).split())


def before_sending(work: "Work", recipient: str, kind: str, answers: str, *, owed: bool = False) -> Stop | None:
    """Whether something speaks against this mail. `answers` is the digest of what it answers, empty if it is no answer; what
    is `owed` does not count among what a letter has caused."""
    if base_address(recipient) == base_address(work.desk.settings.server.address):
        return Stop("it would go to pbmd itself")
    limits = work.desk.settings.limits
    if work.caused is not None and kind in _CAUSED and not owed:
        work.caused += 1
        if work.caused > limits.mails_per_letter:
            return Stop("the letter has caused enough mails")
    if kind in _TO_STRANGERS and _to_strangers(work) >= limits.strangers_per_hour:
        return Stop(f"{limits.strangers_per_hour} mails to strangers in an hour are enough")
    if not answers:
        return None
    given = _given(work, recipient)
    # Only the last one: who changes orders and changes them back must not believe that the ones between are in force.
    last = next((each for each in reversed(given) if each.kind == kind), None)
    if last is not None and last.digest == answers and work.now - last.at < HOUR:
        return Stop("the same was answered the same within the hour")
    if most := _FEW.get(kind):
        enough = sum(each.kind == kind for each in given) >= most
        return Stop(f"{most} {kind}s in 24 hours are enough for one address") if enough else None
    a_day, an_hour = limits.answers_per_day, limits.answers_per_hour
    if kind == TO_MASTER:
        a_day, an_hour = limits.gm_answers_per_day, limits.gm_answers_per_hour
    for most, span, words in ((a_day, DAY, "in 24 hours"), (an_hour, HOUR, "in an hour")):
        recent = [each for each in given if work.now - each.at < span]
        answered = [each.at for each in recent if _is_counted_with(kind, each)]
        if len(answered) >= most:
            told = any(each.kind == SILENCE for each in recent)
            return Stop(f"{most} answers {words} are enough for one address", None if told else answered[-most] + span)
    return None


def _is_counted_with(kind: str, given: Given) -> bool:
    """Whether an answer that was given uses up the budget of those of this kind."""
    return given.kind not in (SILENCE, *_FEW) and (given.kind == TO_MASTER) is (kind == TO_MASTER)


SILENCE: Literal["silence"] = "silence"
"""The kind of the mail that says that there will be no answers for a while."""
TO_MASTER: Literal["gm"] = "gm"
"""The kind of the answer to a letter of the game master that has proved to be theirs."""
REFUSAL: Literal["refusal"] = "refusal"
"""The kind of the answer to a sign-up that gave no seat: whoever it goes to has proved nothing."""
VISIT: Literal["visit"] = "visit"
"""The kind of what people without a seat get when they ask for something: a list of games, a question, a sentence."""
REFUSALS_PER_DAY, VISITS_PER_DAY = 2, 5
_FEW = {REFUSAL: REFUSALS_PER_DAY, VISIT: VISITS_PER_DAY}
_CAUSED = ("notice", "alarm", "press")
_TO_STRANGERS = (REFUSAL, VISIT, "hint")
_LOOKED_THROUGH = 1000
"""The mails queued last among which those to strangers are counted, as no index finds them."""


def note_sent(work: "Work", recipient: str, kind: str, answers: str) -> None:
    """An answer has been queued in this transaction."""
    if answers:
        _given(work, recipient).append(Given(work.now, answers, kind))
    if kind in _TO_STRANGERS:
        work.strangers = _to_strangers(work) + 1


_GIVEN = (
    select(col(Outbox.queued_at), col(Outbox.answers), col(Outbox.kind))
    .where(col(Outbox.recipient) == bindparam("to"), col(Outbox.answers) != "")
    .where(col(Outbox.queued_at) > bindparam("since"), col(Outbox.queued_at) <= bindparam("now"))
    .order_by(col(Outbox.queued_at))
)
"""Up to now: what is of later was given before the clock was set back. Made once, as putting it together takes longer than the
ledger takes to answer."""


def _given(work: "Work", recipient: str) -> list[Given]:
    """The answers that an address was given in the last day, oldest first, those of this transaction too."""
    if recipient not in work.answered:
        rows = work.session.connection().execute(_GIVEN, {"to": recipient, "since": work.now - DAY, "now": work.now})
        work.answered[recipient] = [Given(*row) for row in rows]
    return work.answered[recipient]


def _to_strangers(work: "Work") -> int:
    """How many mails people who have proved nothing were sent in the last hour, those of this transaction too."""
    if work.strangers is None:
        newest = select(func.max(Outbox.id)).scalar_subquery()
        lately = select(func.count()).where(
            col(Outbox.id) > newest - _LOOKED_THROUGH,
            col(Outbox.kind).in_(_TO_STRANGERS),
            col(Outbox.queued_at) > work.now - HOUR,
            col(Outbox.queued_at) <= work.now,
        )
        work.strangers = work.session.connection().execute(lately).scalar_one()
    return work.strangers

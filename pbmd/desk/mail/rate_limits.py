"""What keeps pbmd from answering without end, whatever the header of a letter says or does not say.

The header rule (`pbmd.post.read.headers`) decides about mail that owns up to being automatic. Here are the limits for all the
rest: pbmd knows its own mail and that of others of its kind, sends nothing to itself, answers an address only so often, and
says the same to the same only once an hour unless something else was said between. What goes to people who have proved
nothing has a budget of its own, for anybody can cause it in anybody's name: it must neither use up the answers that a player
gets nor become a flood to bystanders. So has what answers the game master, whose letters show a token and whose work may take
an evening. What they keep back is told in the next mail to that address. None of these limits keeps a letter from being dealt
with, save the mark of a pbmd's mail.

One letter causes only so many mails to others. After so many answers to one address in an hour or a day there is one notice,
and then silence. The same answer to the same text, if it was the last, is given once an hour.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from html import escape

from sqlalchemy import bindparam, delete, func, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import REFUSAL, SILENCE, TO_MASTER, VISIT, Draft, render, subject
from pbmd.ledger.tables import Outbox, Withheld
from pbmd.post.addresses import same_mailbox
from pbmd.post.lines.sorted_lines import BROUGHT_ALONG
from pbmd.post.read.letter import Letter
from pbmd.rules.words import counted
from pbmd.settings import Limits
from pbmd.terms.times import describe_time

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RecentAnswer:
    """An answer that an address was given: when, on what and with what (a digest of both), and which kind of mail."""

    at: datetime
    digest: str
    kind: str


def answer_digest(question: str, answer: str) -> str:
    """What an answer is compared by: the text answered and what is said to it."""
    return sha256(f"{len(question)} {question} {answer}".encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(slots=True)
class CausedMails:
    """The slot of how many mails to others the letter at hand has caused; None when no letter is dealt with."""

    count: int | None = None


@dataclass(slots=True)
class RecentMails:
    """The slot of what was sent lately, this transaction's own too, as far as it was looked up: the answers of the last day, by
    address, the mails of the last hour to people who have proved nothing, by the domain of the address, and whether somebody is
    to be told of mails that were not sent."""

    answers: dict[str, list[RecentAnswer]] = field(default_factory=dict[str, list[RecentAnswer]])
    to_strangers: Counter[str] | None = None
    any_withheld: bool | None = None


@dataclass(frozen=True, slots=True)
class _Stop:
    """Why a mail is not sent, for the log and for its recipient, and until when there is silence, if that is told instead.
    `is_told`: whether there is a recipient to be told at all."""

    reason: str
    silent_until: datetime | None = None
    is_told: bool = True


def request_text(letter: Letter) -> str:
    """What a letter asks, without what differs each time it is sent: all that its writer has typed, read or not."""
    typed = (piece.text for piece in letter.left_out if piece.reason not in BROUGHT_ALONG)
    return "\n".join([*(line.text for line in letter.lines), *typed])


def admitted(
    work: Transaction, recipient: str, draft: Draft, table: OpenGame | None, seat: str = "-", timezone: str = "UTC"
) -> Draft | None:
    """The mail that may be queued, and counts as sent: this one, the notice that there will be silence, or, with a line in the
    log, none."""
    recent, caused = work.slot(RecentMails), work.slot(CausedMails)
    stop = _before_sending(work, recent, caused, recipient, draft)
    if stop is None:
        _note_sent(work, recent, recipient, draft.kind, draft.digest)
        return _with_what_was_withheld(work, recent, recipient, draft, timezone)
    if stop.is_told:
        _note_withheld(work, recent, recipient, stop.reason)
    work.log("brake", table, seat, f"not sent: {draft.key}; {stop.reason}")
    if stop.silent_until is None:
        return None
    text = render("silence.txt", {"until": describe_time(stop.silent_until, timezone)})
    words = "no answers for a while"
    title = subject(table, words) if table else f"[pbmd] {words}"
    _note_sent(work, recent, recipient, SILENCE, draft.digest)
    return Draft(SILENCE, f"{SILENCE} {draft.key}", title, text, answers=draft.answers, digest=draft.digest)


def _before_sending(work: Transaction, recent: RecentMails, caused: CausedMails, recipient: str, draft: Draft) -> _Stop | None:
    """Whether something speaks against this mail. What is `owed` does not count among what a letter has caused."""
    kind = draft.kind
    if same_mailbox(recipient, work.desk.settings.server.address):
        return _Stop("it would go to pbmd itself", is_told=False)
    limits = work.desk.settings.limits
    if caused.count is not None and kind in _CAUSED and not draft.owed:
        caused.count += 1
        if caused.count > limits.mails_per_letter:
            return _Stop(_ENOUGH_CAUSED)
    if kind in _TO_STRANGERS:
        sent = _to_strangers(work, recent)
        if sent.total() >= limits.strangers_per_hour:
            return _Stop(f"{limits.strangers_per_hour} mails to strangers in an hour are enough")
        if sent[_domain(recipient)] >= limits.strangers_per_domain:
            return _Stop(f"{limits.strangers_per_domain} mails to strangers of one domain in an hour are enough")
    return _too_many_answers(work, recent, recipient, kind, draft.digest) if draft.digest else None


def _too_many_answers(work: Transaction, recent: RecentMails, recipient: str, kind: str, answers: str) -> _Stop | None:
    given = _given(work, recent, recipient)
    # Only the last one: who changes orders and changes them back must not believe that the ones between are in force.
    last = next((each for each in reversed(given) if each.kind == kind), None)
    if last is not None and last.digest == answers and work.now - last.at < HOUR:
        return _Stop("the same question had just been answered")
    if few := _FEW.get(kind):
        return next((_of_few(each, kind) for each in few if _spent(each, kind, given, work.now) >= each.most), None)
    stops = (_used_up(budget, kind, given, work.now) for budget in _budgets(work.desk.settings.limits, kind))
    return next((stop for stop in stops if stop is not None), None)


@dataclass(frozen=True, slots=True)
class _Budget:
    """How many answers an address gets at most within some time."""

    most: int
    span: timedelta
    words: str


def _of_few(budget: _Budget, kind: str) -> _Stop:
    return _Stop(f"{budget.most} {kind}s {budget.words} are the most for one address")


def refusals_left(work: Transaction, recipient: str) -> int:
    """How many answers to sign-ups that gave no seat an address may be sent within this hour."""
    an_hour = _FEW[REFUSAL][0]
    return an_hour.most - _spent(an_hour, REFUSAL, _given(work, work.slot(RecentMails), recipient), work.now)


def _spent(budget: _Budget, kind: str, given: Sequence[RecentAnswer], now: datetime) -> int:
    return sum(each.kind == kind and now - each.at < budget.span for each in given)


def _budgets(limits: Limits, kind: str) -> tuple[_Budget, _Budget]:
    """Those of an answer of this kind: the game master has others, whose work may take an evening."""
    a_day, an_hour = limits.answers_per_day, limits.answers_per_hour
    if kind == TO_MASTER:
        a_day, an_hour = limits.gm_answers_per_day, limits.gm_answers_per_hour
    return _Budget(a_day, DAY, "in 24 hours"), _Budget(an_hour, HOUR, "in an hour")


def _used_up(budget: _Budget, kind: str, given: Sequence[RecentAnswer], now: datetime) -> _Stop | None:
    """That the answers an address was `given` leave nothing of a budget for one more of this kind; None if they do."""
    if len(given) < budget.most:  # nearly always so
        return None
    recent = [each for each in given if now - each.at < budget.span]
    answered = [each.at for each in recent if _is_counted_with(kind, each)]
    if len(answered) < budget.most:
        return None
    told = any(each.kind == SILENCE for each in recent)
    reason = f"{budget.most} answers {budget.words} are the most for one address"
    return _Stop(reason, None if told else answered[-budget.most] + budget.span)


def _is_counted_with(kind: str, given: RecentAnswer) -> bool:
    """Whether an answer that was given uses up the budget of those of this kind."""
    return given.kind not in (SILENCE, *_FEW) and (given.kind == TO_MASTER) is (kind == TO_MASTER)


REFUSALS_PER_HOUR, REFUSALS_PER_DAY, VISITS_PER_DAY = 3, 6, 5
_FEW: Mapping[str, tuple[_Budget, ...]] = {
    REFUSAL: (_Budget(REFUSALS_PER_HOUR, HOUR, "in an hour"), _Budget(REFUSALS_PER_DAY, DAY, "in 24 hours")),
    VISIT: (_Budget(VISITS_PER_DAY, DAY, "in 24 hours"),),
}
_CAUSED = ("notice", "alarm", "press")
_ENOUGH_CAUSED = "the letter has caused enough mails"
"""Somebody else's, for whoever is not sent one."""
_TO_STRANGERS = (REFUSAL, VISIT, "hint")
_LOOKED_THROUGH = 1000
"""The mails queued last among which those to strangers are counted, as no index finds them."""


def _note_sent(work: Transaction, recent: RecentMails, recipient: str, kind: str, answers: str) -> None:
    """An answer has been queued in this transaction."""
    if answers:
        _given(work, recent, recipient).append(RecentAnswer(work.now, answers, kind))
    if kind in _TO_STRANGERS:
        _to_strangers(work, recent)[_domain(recipient)] += 1


_GIVEN = (
    select(col(Outbox.queued_at), col(Outbox.answers), col(Outbox.kind))
    .where(col(Outbox.recipient) == bindparam("to"), col(Outbox.answers) != "")
    .where(col(Outbox.queued_at) > bindparam("since"), col(Outbox.queued_at) <= bindparam("now"))
    .order_by(col(Outbox.queued_at))
)
"""Up to now: what is of later was given before the clock was set back. Made once, as putting it together takes longer than the
ledger takes to answer."""


def _given(work: Transaction, recent: RecentMails, recipient: str) -> list[RecentAnswer]:
    """The answers that an address was given in the last day, oldest first, those of this transaction too."""
    answers = recent.answers
    if recipient not in answers:
        rows = work.session.connection().execute(_GIVEN, {"to": recipient, "since": work.now - DAY, "now": work.now})
        answers[recipient] = [RecentAnswer(*row) for row in rows]
    return answers[recipient]


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()


def _to_strangers(work: Transaction, recent: RecentMails) -> Counter[str]:
    """How many mails people who have proved nothing were sent in the last hour, those of this transaction too: by the domain of
    the address, as one can have any number of addresses of a domain."""
    if recent.to_strangers is None:
        newest = select(func.max(Outbox.id)).scalar_subquery()
        lately = select(col(Outbox.recipient)).where(
            col(Outbox.id) > newest - _LOOKED_THROUGH,
            col(Outbox.kind).in_(_TO_STRANGERS),
            col(Outbox.queued_at) > work.now - HOUR,
            col(Outbox.queued_at) <= work.now,
        )
        recent.to_strangers = Counter(map(_domain, work.session.connection().execute(lately).scalars()))
    return recent.to_strangers


# What is kept back is told in the next mail to that address: how many mails, from when to when, and why.

_ANY = select(col(Withheld.address)).limit(1)
_OF = (
    select(Withheld).where(col(Withheld.address) == bindparam("address")).order_by(col(Withheld.first_at), col(Withheld.reason))
)
_FOOT, _END = "\n--\n", "</body>"


def _note_withheld(work: Transaction, recent: RecentMails, address: str, reason: str) -> None:
    """A mail to this address is not sent."""
    work.must_be_alone()  # an address may be in several games
    row = work.session.get(Withheld, (address, reason))
    if row is None:
        row = Withheld(address=address, reason=reason, mails=0, first_at=work.now, last_at=work.now)
        work.session.add(row)
    row.mails, row.last_at = row.mails + 1, work.now
    work.session.flush()
    recent.any_withheld = True


def _with_what_was_withheld(work: Transaction, recent: RecentMails, address: str, draft: Draft, timezone: str) -> Draft:
    """A mail to this address that also tells what was not sent since the last one; that is then told. One that still gathers
    news does not: it may be made anew."""
    if draft.gathered:
        return draft
    if recent.any_withheld is None:
        recent.any_withheld = work.session.connection().execute(_ANY).first() is not None
    if not recent.any_withheld:
        return draft
    rows = work.session.scalars(_OF, {"address": address}).all()
    if not rows:
        return draft
    work.must_be_alone()
    sentences = [_sentence(row, timezone) for row in rows]
    work.session.connection().execute(delete(Withheld).where(col(Withheld.address) == address))
    for row in rows:
        work.session.expunge(row)
    own = any(row.reason != _ENOUGH_CAUSED for row in rows)
    text = _above_foot(draft.text, render("withheld.txt", {"sentences": sentences, "own": own}))
    return replace(draft, text=text, html=_page(draft.html, sentences))


def _sentence(row: Withheld, timezone: str) -> str:
    first = describe_time(row.first_at, timezone)
    if row.reason == _ENOUGH_CAUSED:
        were = "was" if row.mails == 1 else "were"
        return f"{counted(row.mails, 'mail')} to you {were} not sent, {first}: somebody's letter had caused enough mails."
    if row.mails == 1:
        return f"1 mail to you was not sent, {first}: {row.reason}."
    return f"{row.mails} mails to you were not sent between {first} and {describe_time(row.last_at, timezone)}: {row.reason}."


def _above_foot(text: str, told: str) -> str:
    """The text of a mail with more at its end, above the lines that each mail ends with."""
    body, foot, rest = text.rpartition(_FOOT)
    return f"{body.rstrip()}\n\n{told.rstrip()}\n{foot}{rest}" if foot else f"{text.rstrip()}\n\n{told.rstrip()}\n"


def _page(page: str, sentences: list[str]) -> str:
    if _END not in page:
        return page
    before, end, rest = page.rpartition(_END)
    told = "".join(f'<p style="margin:16px;font-size:13px">{escape(sentence)}</p>\n' for sentence in sentences)
    return f"{before}{told}{end}{rest}"

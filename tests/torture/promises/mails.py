"""What the auditor asks of mails: answers and reports are queued once, and handed over no oftener than must be."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise, product

from pbmd.ledger.tables import GameStatus, Letter, OutboxState, SeatState
from tests.torture.evidence import ENDED, Disturbance, Evidence
from tests.torture.letters import serial_of
from tests.torture.sink import TAKES, Fate, Handed

BRAKES = ("the same question had just been answered", "the most for one address", "the letter has caused enough mails")
"""Reasons in the log with which pbmd may leave a letter unanswered that a person wrote."""
NOTE_SECONDS = 2.0
"""So long after an answer of the SMTP server pbmd may need to write it down, when nothing disturbs it and it never has to wait
for a processor: the desk may hold the ledger just then."""
FLIGHT_SECONDS = 1.0
"""So long what a process had sent before it was killed may be on the line."""
_ANSWERS = re.compile(rb"^In-Reply-To: *(?:\r?\n[ \t]+)?(<[^>\r\n]+>)", re.IGNORECASE | re.MULTILINE)
REMEMBERED_SECONDS = 10.0
"""So long after the ledger could not be written pbmd may need until it has written down what it had kept in mind."""
_ENDS = ("kill", ENDED)
"""How a process ends that has no time to write down what it knows."""
_HIDING = (*_ENDS, "stop and go", "smtp cut")
"""What may keep pbmd from hearing that a mail was taken, or from writing it down."""
_DELAYING = ("disk full", "locked", "connections ended", "back end killed", "database silent")
"""What it writes down later: it keeps in mind what was taken, and only an end in that time makes it forget."""


def answers_are_given_once(evidence: Evidence) -> Iterator[str]:
    """Each letter that a person wrote is answered once, and what machines and strangers write is not. One that moves in a
    sequential game may have the report of that move for its answer."""
    answers: Counter[str] = Counter()
    for mail in evidence.books.outbox:
        if mail.kind == "acknowledgement" and (found := _ANSWERS.search(mail.raw)):
            answers[found[1].decode()] += 1
    rows = {serial_of(letter.raw): letter for letter in evidence.books.letters}
    expected: Counter[str] = Counter()
    excused: Counter[str] = Counter()
    for sent in evidence.sent:
        letter = rows.get(sent.serial)
        if letter is None:
            continue
        if sent.answered:
            expected[sent.message_id] += 1
            if _was_braked(evidence, letter) or _made_a_move(evidence, letter):
                excused[sent.message_id] += 1
        elif sent.message_id not in expected:
            expected[sent.message_id] += 0
    for message_id, count in expected.items():
        if not count - excused[message_id] <= answers[message_id] <= count:
            kinds = "/".join(sent.kind for sent in evidence.sent if sent.message_id == message_id)
            yield f"answers: {message_id} ({kinds}) has {answers[message_id]} answers in the outbox, not {count}"


def mails_are_queued_once(evidence: Evidence) -> Iterator[str]:
    """No mail is in the outbox twice."""
    outbox = evidence.books.outbox
    for what, values in (("key", [mail.key for mail in outbox]), ("Message-ID", [mail.message_id for mail in outbox])):
        for value, count in Counter(values).items():
            if count > 1:
                yield f"doubled: {count} mails in the outbox have the {what} {value}"


def reports_are_queued_once(evidence: Evidence) -> Iterator[str]:
    """Every reader of every step has one report in the books and, if they play, one in the outbox."""
    keys = Counter(mail.key for mail in evidence.books.outbox)
    kept = Counter((report.game_id, report.step, report.reader) for report in evidence.by_steps.reports)
    mailed = Counter(mail.seat_id for mail in evidence.books.outbox if mail.kind == "report")
    for game in evidence.by_steps.games:
        if game.status is GameStatus.SIGNUP:
            continue
        seats = [seat for seat in evidence.books.seats if seat.game_id == game.id]
        resolved = [record.step for record in evidence.by_steps.steps if record.game_id == game.id]
        if sorted(resolved) != list(range(game.step)):
            yield f"{game.name} is in step {game.step}, and the steps in its books are {sorted(resolved)}"
        for step, reader in product(range(-1, game.step), ("public", *(f"seat:{seat.number}" for seat in seats))):
            count = kept[game.id or 0, step, reader]
            if count != 1:
                yield f"report: {game.name} step {step} for {reader} is in the books {count} times"
        active = [seat for seat in seats if seat.state is SeatState.ACTIVE]
        for step, seat in product(range(-1, game.step), active):
            key = f"report {game.id} {step} {seat.number}"
            if keys[key] != 1:
                yield f"report: {key} is in the outbox {keys[key]} times"
        for seat in active:
            if mailed[seat.id] != game.step + 1:
                yield f"report: {seat.name} of {game.name} has {mailed[seat.id]} reports for {game.step} steps"


def mails_went_out(evidence: Evidence) -> Iterator[str]:
    """At the end nothing waits; what is called sent was taken, what is called failed was refused for ever."""
    taken, fates = _at_sink(evidence)
    for mail in evidence.books.outbox:
        if mail.state in (OutboxState.QUEUED, OutboxState.SENDING):
            yield f"unsent: mail {mail.id} ({mail.key}) is {mail.state}: {mail.error}"
        elif mail.state is OutboxState.SENT and not taken[mail.message_id]:
            yield f"lost: mail {mail.id} ({mail.key}) is called sent, and the sink has never taken it"
        elif mail.state is OutboxState.FAILED and Fate.NEVER not in fates[mail.message_id]:
            yield f"lost: mail {mail.id} ({mail.key}) is given up, and the sink has not refused it for ever: {mail.error}"
    known = {mail.message_id: mail for mail in evidence.books.outbox}
    for handed in evidence.handed:
        mail = known.get(handed.message_id)
        if mail is None:
            yield f"made up: the sink was handed {handed.message_id}, which is not in the outbox"
        elif mail.recipient != handed.recipient:
            yield f"astray: {mail.key} went to {handed.recipient}, not to {mail.recipient}"
    digests: dict[str, set[str]] = defaultdict(set)
    for handed in evidence.handed:
        digests[handed.message_id].add(handed.digest)
    for message_id, found in digests.items():
        if len(found) > 1:
            yield f"changed: {message_id} was handed over with {len(found)} different contents"


def copies_are_unavoidable(evidence: Evidence) -> Iterator[str]:
    """A mail reaches the sink a second time only when pbmd could not know, or not write down, that it was taken."""
    for earlier, _later in extra_copies(evidence):
        if not is_unavoidable(evidence, earlier):
            yield f"doubled: {earlier.message_id} was taken ({earlier.fate}) at {earlier.taken_at:.2f} and handed over again"


def extra_copies(evidence: Evidence) -> list[tuple[Handed, Handed]]:
    """Each copy too many at the sink with the one before it."""
    copies: dict[str, list[Handed]] = defaultdict(list)
    for handed in sorted(evidence.handed, key=lambda handed: handed.taken_at):
        if handed.fate in TAKES:
            copies[handed.message_id].append(handed)
    return [pair for same in copies.values() for pair in pairwise(same)]


def is_unavoidable(evidence: Evidence, taken: Handed) -> bool:
    """Whether something kept pbmd from knowing, or from writing down, that this mail was taken."""
    if taken.fate is Fate.TAKEN_AND_HUNG_UP:
        return True
    began, noted = taken.taken_at - FLIGHT_SECONDS, _noted_at(evidence, taken)
    if _among(evidence, _HIDING, began, noted):
        return True
    while late := [each for each in _among(evidence, _DELAYING, began, noted) if each.ended + REMEMBERED_SECONDS > noted]:
        noted = max(each.ended for each in late) + REMEMBERED_SECONDS
    return bool(_among(evidence, _ENDS, began, noted))


def _noted_at(evidence: Evidence, taken: Handed) -> float:
    """Until when pbmd may need to write down that a mail was taken, if all that it has is its share of the processor."""
    at, left = taken.answered_at, NOTE_SECONDS
    for wait in sorted((each for each in evidence.waits if each.ended > at), key=lambda each: each.began):
        undisturbed = max(0.0, wait.began - at)
        if undisturbed >= left:
            break
        at, left = max(at, wait.began), left - undisturbed
        share = 1 - wait.seconds / (wait.ended - wait.began)
        if (granted := (wait.ended - at) * share) >= left:
            return at + left / share
        at, left = wait.ended, left - granted
    return at + left


def _among(evidence: Evidence, kinds: tuple[str, ...], began: float, ended: float) -> list[Disturbance]:
    """What there was of these kinds between two times."""
    return [each for each in evidence.disturbances if each.kind in kinds and each.began <= ended and each.ended >= began]


def _at_sink(evidence: Evidence) -> tuple[Counter[str], dict[str, set[Fate]]]:
    taken = Counter(handed.message_id for handed in evidence.handed if handed.fate in TAKES)
    fates: dict[str, set[Fate]] = defaultdict(set)
    for handed in evidence.handed:
        fates[handed.message_id].add(handed.fate)
    return taken, fates


def _was_braked(evidence: Evidence, letter: Letter) -> bool:
    """Whether note or log say that an answer to this letter was held back, with a reason that counts."""
    about = (f"letter {letter.id} ", f"acknowledgement {letter.id};")
    told = [letter.note, *(line.detail for line in evidence.books.log if any(words in line.detail for words in about))]
    return any(brake in text for text in told for brake in BRAKES)


def _made_a_move(evidence: Evidence, letter: Letter) -> bool:
    """Whether a move was carried out as soon as this letter came."""
    return any(line.what == "resolved" and line.cause == f"letter {letter.id}" for line in evidence.books.log)

"""The auditor: compares what was sent in with ledger, answers, reports and mails at the sink, and says what is wrong.

It knows nothing of how pbmd works inside; it knows what pbmd promises. Each check is a generator of sentences.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise, product

from pbmd.dashboard.log import format_line
from pbmd.ledger.journal import ChainError, Link, verify
from pbmd.ledger.tables import (
    GameStatus,
    JournalEntry,
    Letter,
    LetterState,
    OutboxState,
    SeatState,
    StepRecord,
    Submission,
    SubmissionState,
)
from pbmd.rules import canonical_json, registry, sheets
from pbmd.rules.dice import HmacDice, commitment
from pbmd.rules.protocol import Event
from tests.torture.evidence import Delivery, Disturbance, Evidence, Sent
from tests.torture.letters import serial_of
from tests.torture.sink import TAKES, Fate, Handed

BRAKES = ("the same was answered the same", "enough for one address", "the letter has caused enough mails")
"""Reasons in the log with which pbmd may leave a letter unanswered that a person wrote."""
STAMP_SLACK = timedelta(seconds=2)
"""By so much parallel deliveries may get arrival times that go against the order in which they got their UIDs."""
RENUMBERED_SLACK = timedelta(seconds=30)
"""The same where Dovecot is restarted or numbers a mailbox anew: letters just being delivered may get their UIDs later."""
NOTE_SECONDS = 2.0
"""So long after an answer of the SMTP server pbmd may need to write it down, when nothing disturbs it."""
_ANSWERS = re.compile(rb"^In-Reply-To: *(?:\r?\n[ \t]+)?(<[^>\r\n]+>)", re.IGNORECASE | re.MULTILINE)


def audit(evidence: Evidence) -> list[str]:
    """All that is wrong, in words; nothing if nothing is."""
    return [finding for check in CHECKS for finding in check(evidence)]


# Letters


def letters_are_there_once(evidence: Evidence) -> Iterator[str]:
    """Every letter that the mail server took is in the ledger once, and nothing else is.

    Bytes without any header of their own cannot be told from others like them, so of those every copy may be there.
    """
    handed_over, alike = Counter(delivery.serial for delivery in evidence.deliveries), _alike(evidence)
    found = Counter(serial_of(letter.raw) for letter in evidence.books.letters)
    sent = {letter.serial: letter for letter in evidence.sent}
    accepted = {delivery.serial for delivery in evidence.deliveries if delivery.accepted}
    for serial in sorted(accepted):
        if not found[serial]:
            yield f"lost: letter {serial} ({sent[serial].kind}) was taken by the mail server and is not in the ledger"
    for serial, count in sorted(found.items(), key=str):
        if serial not in sent:
            yield f"made up: the ledger has {count} letters with the number {serial}, which nobody sent"
        elif count > 1 and not (serial in alike and count <= handed_over[serial]):
            yield f"doubled: letter {serial} ({sent[serial].kind}) is in the ledger {count} times"


def letters_are_dealt_with(evidence: Evidence) -> Iterator[str]:
    """No letter is left lying, and only what is broken on purpose may be put aside."""
    sent = _sent_by_serial(evidence)
    for letter in evidence.books.letters:
        kind = sent.get(serial_of(letter.raw) or 0)
        if letter.state is LetterState.NEW:
            yield f"not dealt with: letter {letter.id}"
        elif letter.state is LetterState.QUARANTINED and not (kind and kind.hostile):
            yield f"put aside: letter {letter.id} ({kind.kind if kind else '?'}): {letter.note}"
        elif letter.state is LetterState.HELD and kind and kind.answered:
            yield f"held: letter {letter.id} ({kind.kind}), though it came from the holder of the seat: {letter.note}"


def arrivals_are_the_servers(evidence: Evidence) -> Iterator[str]:
    """The arrival of a letter lies within the time in which it was handed over, and is the one the mail server has."""
    spans: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for delivery in evidence.deliveries:
        spans[delivery.serial].append((delivery.began, delivery.ended))
    firsts = {delivery.serial: delivery for delivery in sorted(evidence.deliveries, key=_began, reverse=True)}
    alike = _alike(evidence)
    stamps: dict[int, set[datetime]] = defaultdict(set)
    for stored in evidence.mailbox or ():
        stamps[stored.serial or 0].add(stored.arrived_at)
    for letter in evidence.books.letters:
        serial = serial_of(letter.raw) or 0
        at = letter.arrived_at.timestamp()
        if serial in spans and not any(began - 1 <= at <= ended for began, ended in spans[serial]):
            yield f"wrong arrival: letter {serial} is stamped {letter.arrived_at}, when nobody handed it over"
        if evidence.mailbox is not None and letter.arrived_at not in stamps[serial]:
            yield f"wrong arrival: letter {serial} is stamped {letter.arrived_at}, the mail server says {stamps[serial]}"
        first = firsts.get(serial)
        if first and first.accepted and at > first.ended and serial not in alike:
            yield f"wrong arrival: letter {serial} is stamped {letter.arrived_at}, that of a later copy"


def mailbox_keeps_all(evidence: Evidence) -> Iterator[str]:
    """Whatever pbmd tidies away, each copy that the mail server took is still in one of its folders, once."""
    if evidence.mailbox is None:
        return
    kept = Counter(stored.serial for stored in evidence.mailbox)
    copies = Counter(delivery.serial for delivery in evidence.deliveries if delivery.accepted)
    unsure = Counter(delivery.serial for delivery in evidence.deliveries if not delivery.accepted)
    for serial, count in copies.items():
        if not count <= kept[serial] <= count + unsure[serial]:
            yield f"mailbox: of letter {serial} there are {kept[serial]} copies, and {count} were handed over"


def connections_keep_their_order(evidence: Evidence) -> Iterator[str]:
    """What came one after the other over one connection has arrivals in that order.

    Of UIDs that cannot be said: while mail is moved away or numbered anew, Dovecot gives them in another order now and then.
    """
    letters = {serial_of(letter.raw): letter for letter in evidence.books.letters}
    seen = _alike(evidence)
    lines: dict[int, list[Letter]] = defaultdict(list)
    for delivery in sorted(evidence.deliveries, key=_began):
        if delivery.serial not in seen and delivery.accepted and (letter := letters.get(delivery.serial)):
            lines[delivery.connection].append(letter)
        seen.add(delivery.serial)
    for line in lines.values():
        for earlier, later in pairwise(line):
            if earlier.arrived_at > later.arrived_at:
                yield f"disorder: letter {later.id} was sent after letter {earlier.id} and has an earlier place"


# Orders


def orders_are_decided_in_order(evidence: Evidence) -> Iterator[str]:
    """The numbers of the receipts of a game follow the arrivals.

    Where the mail server itself stamped two letters against the order of their UIDs, they may have been read one by one.
    """
    letters = {letter.id: letter for letter in evidence.books.letters}
    for game in evidence.books.games:
        mine = [submission for submission in evidence.books.submissions if submission.game_id == game.id]
        decided = [letters[submission.letter_id] for submission in sorted(mine, key=lambda submission: submission.number)]
        last: Letter | None = None  # of those decided so far the one that arrived last
        for letter in decided:
            if last is None or _place(letter) > _place(last):
                last = letter
            elif not (last.uid < letter.uid and last.arrived_at - letter.arrived_at <= _slack(evidence, letter)):
                yield f"disorder: {game.name} decided letter {last.id} before letter {letter.id}, which had arrived before it"


def sheets_stand_in_order(evidence: Evidence) -> Iterator[str]:
    """In each resolution the sheets stand in order of arrival, each is the last its seat had sent, and is the one used."""
    letters = {letter.id: letter for letter in evidence.books.letters}
    seats = {seat.id: seat.name for seat in evidence.books.seats}
    rulesets = {game.id: registry.get(game.ruleset) for game in evidence.books.games}
    by_step: dict[tuple[int, int], list[Submission]] = defaultdict(list)
    for submission in evidence.books.submissions:
        by_step[submission.game_id, submission.step].append(submission)
    for record in evidence.books.steps:
        what = f"game {record.game_id} step {record.step}"
        rules = rulesets[record.game_id]
        sheet_arrivals = [sheet.arrival for sheet in rules.sheets(rules.load(json.loads(record.before)))]
        if sheet_arrivals != sorted(sheet_arrivals):
            yield f"disorder: the sheets of {what} do not stand in order of arrival"
        mine = by_step[record.game_id, record.step]
        used = [submission for submission in mine if submission.state is SubmissionState.USED]
        if sorted(_arrival(letters[submission.letter_id]) for submission in used) != sorted(sheet_arrivals):
            yield f"the sheets of {what} are not those that the books call used"
        if any(count > 1 for count in Counter(submission.seat_id for submission in used).values()):
            yield f"doubled: two sheets of one seat are called used in {what}"
        for submission in used:
            seat = submission.seat_id
            rivals = [other for other in mine if other.seat_id == seat and other.state is SubmissionState.REPLACED]
            for other in rivals:
                if _place(letters[other.letter_id]) > _place(letters[submission.letter_id]):
                    yield f"disorder: {seats[seat]} of {what} had sent a later letter than the one used"
        if any(submission.state is SubmissionState.FILED for submission in mine):
            yield f"undecided: orders of {what} are still called filed after its resolution"


def one_submission_for_a_letter(evidence: Evidence) -> Iterator[str]:
    """A letter's orders count once, and orders of a player who shows the token are in the books."""
    counts = Counter(submission.letter_id for submission in evidence.books.submissions)
    sent = _sent_by_serial(evidence)
    begun = {game.name for game in evidence.books.games if game.status in (GameStatus.RUNNING, GameStatus.PAUSED)}
    for letter in evidence.books.letters:
        kind = sent.get(serial_of(letter.raw) or 0)
        if counts[letter.id or 0] > 1:
            yield f"doubled: the orders of letter {letter.id} are in the books {counts[letter.id or 0]} times"
        if kind and kind.orders and kind.game in begun and not counts[letter.id or 0]:
            yield f"lost: the orders of letter {letter.id} ({kind.kind}) are not in the books"
        if kind and not kind.answered and counts[letter.id or 0]:
            yield f"taken for orders: letter {letter.id} ({kind.kind})"


def in_time_counts(evidence: Evidence) -> Iterator[str]:
    """Where a step was closed by its deadline, a letter with orders for it that arrived in time was not called late."""
    sent = _sent_by_serial(evidence)
    games = {game.id: game.name for game in evidence.books.games}
    filed = {submission.letter_id: submission for submission in evidence.books.submissions}
    resolved = {(record.game_id, record.step): record.resolved_at for record in evidence.books.steps}
    letters: dict[tuple[str, str, int], list[Letter]] = defaultdict(list)
    for letter in evidence.books.letters:
        if (kind := sent.get(serial_of(letter.raw) or 0)) and kind.orders:
            letters[kind.game, kind.seat, kind.turn].append(letter)
    for record in evidence.books.steps:
        began = resolved.get((record.game_id, record.step - 1))
        if record.cause != "the deadline passed" or _clock_was_off(evidence, began, record.resolved_at):
            continue
        for number, deadline in json.loads(record.deadlines).items():
            seat = next(seat for seat in evidence.books.seats if seat.game_id == record.game_id and seat.number == int(number))
            for letter in letters[games[record.game_id], seat.name, record.turn]:
                submission = filed.get(letter.id or 0)
                if (
                    letter.arrived_at <= datetime.fromisoformat(deadline)
                    and _slack(evidence, letter) is not RENUMBERED_SLACK
                    and submission
                    and submission.state is SubmissionState.LATE
                ):
                    yield f"called late: letter {letter.id} of {seat.name} arrived {letter.arrived_at}, deadline {deadline}"


# Answers and reports


def answers_are_given_once(evidence: Evidence) -> Iterator[str]:
    """Each letter that a person wrote is answered once, and what machines and strangers write is not."""
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
            if _was_braked(evidence, letter):
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
    kept = Counter((report.game_id, report.step, report.reader) for report in evidence.books.reports)
    mailed = Counter(mail.seat_id for mail in evidence.books.outbox if mail.kind == "report")
    for game in evidence.books.games:
        if game.status is GameStatus.SIGNUP:
            continue
        seats = [seat for seat in evidence.books.seats if seat.game_id == game.id]
        resolved = [record.step for record in evidence.books.steps if record.game_id == game.id]
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
    return any(_hides(disturbance, taken) for disturbance in evidence.disturbances)


_HIDING = ("kill", "disk full", "locked", "stop and go", "smtp cut")


def _hides(disturbance: Disturbance, taken: Handed) -> bool:
    ends = taken.answered_at + NOTE_SECONDS
    return disturbance.kind in _HIDING and disturbance.began <= ends and disturbance.ended >= taken.taken_at


# The books themselves


def journal_holds(evidence: Evidence) -> Iterator[str]:
    """Each game's chain is whole and ends at the head that the game knows; a step's dice were committed to before."""
    chains: dict[int, list[JournalEntry]] = defaultdict(list)
    for entry in evidence.books.journal:
        chains[entry.game_id].append(entry)
    for game in evidence.books.games:
        entries = sorted(chains[game.id or 0], key=lambda entry: entry.number)
        try:
            head = verify(Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries)
        except ChainError as problem:
            yield f"journal of {game.name}: {problem}"
            continue
        if head != game.chain_head:
            yield f"journal of {game.name}: it ends otherwise than the game says"
        opening = [json.loads(entry.public) for entry in entries if entry.kind in ("started", "resolved")]
        for before, after in pairwise(opening):
            if commitment(bytes.fromhex(after["secret"])) != before["commitment"]:
                yield f"journal of {game.name}: the dice of step {after['step']} are not those committed to"


def steps_come_out_again(evidence: Evidence) -> Iterator[str]:
    """Each resolution, done again from what was kept of it, gives the same position, events and dice."""
    rulesets = {game.id: registry.get(game.ruleset) for game in evidence.books.games}
    for record in evidence.books.steps:
        rules = rulesets[record.game_id]
        position = rules.load(json.loads(record.before))
        dice = HmacDice(record.secret, sheets.digest(rules.sheets(position)))
        resolution = rules.resolve(position, dice)
        what = f"game {record.game_id} step {record.step}"
        if canonical_json(rules.dump(resolution.position)) != canonical_json(json.loads(record.after)):
            yield f"replay: {what} comes to another position"
        if [list(roll) for roll in dice.drawn] != json.loads(record.dice):
            yield f"replay: {what} draws other dice"
        if [_event(event) for event in resolution.events] != json.loads(record.events):
            yield f"replay: {what} has other events"
    for game in evidence.books.games:
        digests = {
            json.loads(entry.public)["step"]: json.loads(entry.secret)["position"]
            for entry in evidence.books.journal
            if entry.game_id == game.id and entry.kind == "resolved"
        }
        for record in evidence.books.steps:
            if record.game_id == game.id and digests.get(record.step) != _digest(record):
                yield f"replay: the journal of {game.name} has another position for step {record.step}"


def log_is_complete(evidence: Evidence) -> Iterator[str]:
    """The log file has every line of the ledger, once, in order, as it is."""
    written = evidence.log_file.splitlines()
    expected = [format_line(line) for line in evidence.books.log]
    if written == expected:
        return
    missing, added = Counter(expected) - Counter(written), Counter(written) - Counter(expected)
    for line in (*missing, *added):
        yield f"log file: a line is {'missing' if line in missing else 'there once too often'}: {line[:80]}"
    if not missing and not added:
        yield "log file: its lines are not in order"


def daemons_ended_as_asked(evidence: Evidence) -> Iterator[str]:
    """Nothing but a SIGKILL of ours ended the daemon, and it never called anything its own defect."""
    for what, told in evidence.ending.items():
        yield f"daemon: {what}: {told}"


CHECKS: tuple[Callable[[Evidence], Iterator[str]], ...] = (
    letters_are_there_once,
    letters_are_dealt_with,
    arrivals_are_the_servers,
    mailbox_keeps_all,
    connections_keep_their_order,
    orders_are_decided_in_order,
    sheets_stand_in_order,
    one_submission_for_a_letter,
    in_time_counts,
    answers_are_given_once,
    mails_are_queued_once,
    reports_are_queued_once,
    mails_went_out,
    copies_are_unavoidable,
    journal_holds,
    steps_come_out_again,
    log_is_complete,
    daemons_ended_as_asked,
)


def _sent_by_serial(evidence: Evidence) -> dict[int, Sent]:
    return {sent.serial: sent for sent in evidence.sent}


def _alike(evidence: Evidence) -> set[int]:
    """The letters whose copies cannot be told from letters of their own: they have no header."""
    return {sent.serial for sent in evidence.sent if not sent.message_id}


def _began(delivery: Delivery) -> float:
    return delivery.began


def _place(letter: Letter) -> tuple[datetime, int]:
    return letter.arrived_at, letter.uid


def _arrival(letter: Letter) -> tuple[int, int]:
    return int(letter.arrived_at.timestamp()) * 1_000_000, letter.uid


def _slack(evidence: Evidence, letter: Letter) -> timedelta:
    """How long the mail server may have kept this letter from being seen."""
    arrived, near = letter.arrived_at.timestamp(), RENUMBERED_SLACK.total_seconds()
    renumbered = any(
        disturbance.kind in ("uidvalidity", "dovecot restarted")
        and disturbance.began - near <= arrived <= disturbance.ended + near
        for disturbance in evidence.disturbances
    )
    return RENUMBERED_SLACK if renumbered else STAMP_SLACK


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


def _clock_was_off(evidence: Evidence, began: datetime | None, ended: datetime) -> bool:
    """Whether the daemon's clock was not the machine's at some time of a step, by whichever of the two clocks."""
    start = began.timestamp() if began else 0.0
    return any(
        each.began - abs(each.seconds) - 1 <= ended.timestamp() and each.ended + abs(each.seconds) + 1 >= start
        for each in evidence.disturbances
        if each.seconds
    )


def _event(event: Event) -> dict[str, object]:
    kept = {
        "kind": event.kind,
        "audience": event.audience,
        "data": dict(event.data),
        "detail": dict(event.detail),
        "insiders": event.insiders,
    }
    return json.loads(json.dumps(kept))


def _digest(record: StepRecord) -> str:
    return hashlib.sha256(canonical_json(json.loads(record.after))).hexdigest()

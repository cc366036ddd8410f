"""What the auditor asks of letters and orders: each is there once, with the right arrival, and is decided in its turn."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise

from pbmd.ledger.tables import GameStatus, Letter, LetterState, Submission, SubmissionState
from tests.torture.evidence import Delivery, Evidence, Sent, rules_of
from tests.torture.letters import serial_of

STAMP_SLACK = timedelta(seconds=10)
"""By so much parallel deliveries may get arrival times that go against the order in which they got their UIDs."""
RENUMBERED_SLACK = timedelta(seconds=30)
"""The same where Dovecot is restarted or numbers a mailbox anew: letters just being delivered may get their UIDs later."""


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
    firsts = _firsts(evidence)
    alike, shown_late = _alike(evidence), _shown_late(evidence)
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
        if first and first.accepted and at > first.ended and serial not in alike and letter.id not in shown_late:
            yield f"wrong arrival: letter {serial} is stamped {letter.arrived_at}, that of a later copy"


_MOVED_WITHIN = 15.0
"""Seconds after which a letter is moved away, be all processes killed meanwhile."""


def mailbox_keeps_all(evidence: Evidence) -> Iterator[str]:
    """Whatever pbmd tidies away, each copy that the mail server took is still in one of its folders, once: or twice if the
    mailbox was numbered anew while it was moved, since Dovecot then has it in the new folder and keeps it in the old one."""
    if evidence.mailbox is None:
        return
    kept = Counter(stored.serial for stored in evidence.mailbox)
    copies = Counter(delivery.serial for delivery in evidence.deliveries if delivery.accepted)
    unsure = Counter(delivery.serial for delivery in evidence.deliveries if not delivery.accepted)
    anew = [each.began for each in evidence.disturbances if each.kind == "uidvalidity"]
    for delivery in evidence.deliveries:
        unsure[delivery.serial] += sum(0 <= at - delivery.began <= _MOVED_WITHIN for at in anew)
    for serial, count in copies.items():
        if not count <= kept[serial] <= count + unsure[serial]:
            yield f"mailbox: of letter {serial} there are {kept[serial]} copies, and {count} were handed over"


def connections_keep_their_order(evidence: Evidence) -> Iterator[str]:
    """What came one after the other over one connection has arrivals in that order.

    Of UIDs that cannot be said: while mail is moved away or numbered anew, Dovecot gives them in another order now and then.
    """
    letters = {serial_of(letter.raw): letter for letter in evidence.books.letters}
    seen, shown_late = _alike(evidence), _shown_late(evidence)
    lines: dict[int, list[Letter]] = defaultdict(list)
    for delivery in sorted(evidence.deliveries, key=_began):
        letter = letters.get(delivery.serial) if delivery.accepted and delivery.serial not in seen else None
        if letter and letter.id not in shown_late:
            lines[delivery.connection].append(letter)
        seen.add(delivery.serial)
    for line in lines.values():
        for earlier, later in pairwise(line):
            if earlier.arrived_at > later.arrived_at:
                yield f"disorder: letter {later.id} was sent after letter {earlier.id} and has an earlier place"


def orders_are_decided_in_order(evidence: Evidence) -> Iterator[str]:
    """The numbers of the receipts of a game follow the arrivals.

    Where the mail server itself gave two letters UIDs against the order of their stamps, they may have been read one by one.
    That it did is certain if the letter that came first was shown only after one that arrived no earlier than the other; else
    it may have for a while, if it numbered the mailbox anew.
    """
    places, shown_after = _places(evidence), _shown_after(evidence)
    letters = {letter.id: letter for letter in evidence.books.letters}
    for game in evidence.by_steps.games:
        # A request that was granted gets the number of the resolution, so that its own tells nothing.
        mine = [
            submission
            for submission in evidence.by_steps.submissions
            if submission.game_id == game.id and submission.state is not SubmissionState.GRANTED
        ]
        decided = [letters[submission.letter_id] for submission in sorted(mine, key=lambda submission: submission.number)]
        last: Letter | None = None  # of those decided so far the one that arrived last
        for letter in decided:
            if last is None or _place(letter) > _place(last):
                last = letter
                continue
            seen = (shown_after[place] for place in places[letter.fingerprint] if place[1] == letter.uid)
            if not (any(at >= last.arrived_at for at in seen) or _may_be_shown_before(evidence, last, letter)):
                yield f"disorder: {game.name} decided letter {last.id} before letter {letter.id}, which had arrived before it"


def sheets_stand_in_order(evidence: Evidence) -> Iterator[str]:
    """In each resolution the sheets stand in order of arrival, each is the last its seat had sent, and is the one used."""
    letters = {letter.id: letter for letter in evidence.books.letters}
    seats = {seat.id: seat.name for seat in evidence.books.seats}
    rulesets = {game.id: rules_of(game.ruleset) for game in evidence.by_steps.games}
    by_step: dict[tuple[int, int], list[Submission]] = defaultdict(list)
    for submission in evidence.by_steps.submissions:
        by_step[submission.game_id, submission.step].append(submission)
    for record in evidence.by_steps.steps:
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
    letters: dict[tuple[str, str, int, str], list[Letter]] = defaultdict(list)
    for letter in evidence.books.letters:
        if (kind := sent.get(serial_of(letter.raw) or 0)) and kind.orders:
            letters[kind.game, kind.seat, kind.turn, kind.step_name].append(letter)
    for record in evidence.books.steps:
        began = resolved.get((record.game_id, record.step - 1))
        if record.cause != "the deadline passed" or _clock_was_off(evidence, began, record.resolved_at):
            continue
        for number, deadline in json.loads(record.deadlines).items():
            seat = next(seat for seat in evidence.books.seats if seat.game_id == record.game_id and seat.number == int(number))
            for letter in letters[games[record.game_id], seat.name, record.turn, record.name]:
                submission = filed.get(letter.id or 0)
                if (
                    letter.arrived_at <= datetime.fromisoformat(deadline)
                    and _slack(evidence, letter) is not RENUMBERED_SLACK
                    and submission
                    and submission.state is SubmissionState.LATE
                ):
                    yield f"called late: letter {letter.id} of {seat.name} arrived {letter.arrived_at}, deadline {deadline}"


def nobody_misses_a_turn_early(evidence: Evidence) -> Iterator[str]:
    """Nobody is said to have missed a step before the deadline that was theirs, however late that came."""
    names = {(seat.game_id, seat.name): str(seat.number) for seat in evidence.books.seats}
    steps = {(record.game_id, record.step): record for record in evidence.books.steps}
    for entry in evidence.books.journal:
        record = steps.get((entry.game_id, json.loads(entry.public).get("step", -1))) if entry.kind == "missed" else None
        if record is None:
            continue
        began = steps.get((record.game_id, record.step - 1))
        if _clock_was_off(evidence, began and began.resolved_at, record.resolved_at):
            continue
        seat = json.loads(entry.secret)["seat"]
        deadline = json.loads(record.deadlines)[names[record.game_id, seat]]
        if entry.at < datetime.fromisoformat(deadline):
            yield f"missed: {seat} of game {entry.game_id} missed step {record.step} at {entry.at}, its deadline was {deadline}"


def _sent_by_serial(evidence: Evidence) -> dict[int, Sent]:
    return {sent.serial: sent for sent in evidence.sent}


def _alike(evidence: Evidence) -> set[int]:
    """The letters whose copies cannot be told from letters of their own: they have no header."""
    return {sent.serial for sent in evidence.sent if not sent.message_id}


def _shown_late(evidence: Evidence) -> set[int | None]:
    """The ids of letters of which Dovecot showed an earlier copy only after a later one, as it does now and then while mail
    is moved away or numbered anew. pbmd keeps the arrival of the copy that it was shown first, which must be the one with
    the lowest UID. That the other one was shown late is seen by the letters that it was shown after."""
    places, firsts, shown_after = _places(evidence), _firsts(evidence), _shown_after(evidence)
    late: set[int | None] = set()
    for letter in evidence.books.letters:
        first, seen = firsts.get(serial_of(letter.raw) or 0), places[letter.fingerprint]
        if first is None or letter.arrived_at.timestamp() <= first.ended or not seen:
            continue
        if letter.uid == min(uid for _, uid in seen) and any(shown_after[place] > letter.arrived_at for place in seen):
            late.add(letter.id)
    return late


def _shown_after(evidence: Evidence) -> dict[tuple[int, int], datetime]:
    """For each UIDVALIDITY and UID an instant at which the mail server did not show that letter yet: the last arrival of those
    with lower UIDs, for it gives the next UID to what it finds next."""
    arrivals = {letter.fingerprint: letter.arrived_at for letter in evidence.books.letters}
    sightings = sorted(evidence.books.sightings, key=lambda sighting: (sighting.uidvalidity, sighting.uid))
    shown_after: dict[tuple[int, int], datetime] = {}
    for validity, seen in groupby(sightings, key=lambda sighting: sighting.uidvalidity):
        last = datetime.min.replace(tzinfo=UTC)
        for sighting in seen:
            shown_after[validity, sighting.uid] = last
            last = max(last, arrivals.get(sighting.fingerprint, last))
    return shown_after


def _firsts(evidence: Evidence) -> dict[int, Delivery]:
    """Of each letter by its number the copy that was handed over first."""
    return {delivery.serial: delivery for delivery in sorted(evidence.deliveries, key=_began, reverse=True)}


def _places(evidence: Evidence) -> dict[str, set[tuple[int, int]]]:
    """Under which UIDVALIDITY and UID each letter was seen, by its fingerprint."""
    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for sighting in evidence.books.sightings:
        places[sighting.fingerprint].add((sighting.uidvalidity, sighting.uid))
    return places


def _may_be_shown_before(evidence: Evidence, first: Letter, second: Letter) -> bool:
    return first.uid < second.uid and first.arrived_at - second.arrived_at <= _slack(evidence, second)


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


def _clock_was_off(evidence: Evidence, began: datetime | None, ended: datetime) -> bool:
    """Whether the daemon's clock was not the machine's at some time of a step, by whichever of the two clocks."""
    start = began.timestamp() if began else 0.0
    return any(
        each.began - abs(each.seconds) - 1 <= ended.timestamp() and each.ended + abs(each.seconds) + 1 >= start
        for each in evidence.disturbances
        if each.seconds
    )

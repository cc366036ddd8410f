"""The auditor is worth something if it finds what is wrong: honest books, and the same books with a lie in them."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import Letter, LetterState, OutboxState, Sighting, SubmissionState
from tests.desk.world import NAMES, World, address_of, message_of
from tests.torture.auditor import audit
from tests.torture.evidence import ENDED, Delivery, Disturbance, Evidence, Sent, Stored, Wait, read_books
from tests.torture.promises.mails import extra_copies, is_unavoidable
from tests.torture.sink import Fate, Handed

ORDERS = "Build 1 Laserfrigate\nOOB default: LFTLTF"


class Office:
    """Sends letters into a desk and writes down what the storm would write down."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sent: list[Sent] = []
        self.deliveries: list[Delivery] = []

    def send(self, seat: str, text: str, *, turn: int = 1, step_name: str = "", again: bool = False) -> None:
        serial = len(self.sent) + 1
        raw = b"X-Storm: %d\r\n" % serial + self.world.letter(seat, text)
        message_id = f"<letter{self.world.uid}@players.test>"
        self.sent.append(Sent(serial, "plain", message_id, True, True, False, "galaxy-7", seat, turn, step_name))
        for _ in range(2 if again else 1):
            self.world.arrive(raw)
            at = self.world.now.timestamp()
            self.deliveries.append(Delivery(serial, 0, at, at + 0.1))
            self.world.now += timedelta(seconds=2)
        self.world.pass_time()

    def evidence(self) -> Evidence:
        world = self.world
        write_new_lines(world.desk.engine, world.folder / "dashboard.log")
        with world.work() as work:
            for mail in world.outbox():
                row = work.session.merge(mail)
                row.state, row.tries, row.sent_at = OutboxState.SENT, 1, world.now
        handed = tuple(
            Handed(mail.recipient, str(message_of(mail)["Message-ID"]), "", Fate.TAKEN, number * 10.0, number * 10.0 + 0.1)
            for number, mail in enumerate(world.outbox())
        )
        stamps = {letter.raw: letter.arrived_at for letter in world.letters()}
        numbers = {letter.id: number for number, letter in enumerate(world.letters(), start=1)}
        mailbox = tuple(
            Stored(numbers[letter.id], stamps[letter.raw])
            for letter in world.letters()
            for delivery in self.deliveries
            if delivery.serial == numbers[letter.id]
        )
        log = (world.folder / "dashboard.log").read_text()
        books = read_books(str(world.desk.engine.url))
        return Evidence(books, tuple(self.sent), tuple(self.deliveries), mailbox, handed, (), log)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evidence]:
    """Two turns of a game: letters that replace others, come twice, are refused, and one turn that a seat misses."""
    with closing(World(tmp_path_factory.mktemp("world"))) as world:
        office = Office(world)
        world.start(deadline="1h", reminders=())
        world.now += timedelta(minutes=1)
        office.send("Altair", ORDERS)
        office.send("Borealis", "nothing that anybody could read")
        office.send("Borealis", ORDERS, again=True)
        office.send("Altair", "Build 2 Laserfrigates\nOOB default: LFTLTF")
        office.send("Cygnus", ORDERS)
        assert world.game().step == 1
        world.now += timedelta(minutes=1)
        office.send("Altair", ORDERS, turn=2)
        office.send("Cygnus", ORDERS, turn=2)
        assert world.pass_time(timedelta(hours=1, minutes=1)) == 1
        yield office.evidence()


@pytest.fixture(scope="module")
def phased(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evidence]:
    """A set-up and a day of three phases; in the last one a seat writes again that is late for the first, and all miss it."""
    with closing(World(tmp_path_factory.mktemp("world"))) as world:
        office = Office(world)
        world.start(ruleset="tides", deadline="1h", reminders=())
        for seat in NAMES:
            office.send(seat, "Base 1", turn=0, step_name="set-up")
        for seat in ("Altair", "Cygnus"):
            office.send(seat, "March 1", step_name="phase 1a")
        office.send("Borealis", "March 1", step_name="phase 1b")
        office.send("Altair", "March 2", step_name="phase 1a")
        assert world.game().step_name == "phase 1f"
        assert world.pass_time(timedelta(hours=1, minutes=1)) == 1
        yield office.evidence()


def books(evidence: Evidence, **changes: Any) -> Evidence:
    """The evidence with other rows in the ledger."""
    return replace(evidence, books=replace(evidence.books, **changes))


def changed(row: Any, **values: Any) -> Any:
    """A copy of a row with other values."""
    return type(row)(**(row.model_dump() | values))


def found(evidence: Evidence, *words: str) -> bool:
    """Whether there are findings, and one of them has all these words."""
    findings = audit(evidence)
    return any(all(word in finding for word in words) for finding in findings)


def test_the_auditor_has_nothing_to_say_against_honest_books(honest: Evidence) -> None:
    assert audit(honest) == []
    assert len(honest.books.steps) == 2
    assert {submission.state for submission in honest.books.submissions} == {
        SubmissionState.USED,
        SubmissionState.REPLACED,
        SubmissionState.REFUSED,
    }


def test_a_letter_that_is_missing_is_found(honest: Evidence) -> None:
    assert found(books(honest, letters=honest.books.letters[1:], submissions=honest.books.submissions[1:]), "lost: letter 1 ")


def test_a_letter_that_is_there_twice_is_found(honest: Evidence) -> None:
    first = honest.books.letters[0]
    assert found(books(honest, letters=(*honest.books.letters, changed(first, id=99, uid=99))), "doubled: letter 1 ")


def test_a_letter_that_nobody_sent_is_found(honest: Evidence) -> None:
    assert found(replace(honest, sent=honest.sent[:-1], deliveries=honest.deliveries[:-1]), "made up: the ledger")


@pytest.mark.parametrize(
    ("state", "words"),
    [(LetterState.NEW, "not dealt with"), (LetterState.QUARANTINED, "put aside"), (LetterState.HELD, "held")],
)
def test_a_letter_that_is_left_lying_is_found(honest: Evidence, state: LetterState, words: str) -> None:
    first, *others = honest.books.letters
    assert found(books(honest, letters=(changed(first, state=state), *others)), words)


def test_what_waits_when_it_did_not_settle_is_one_finding(honest: Evidence) -> None:
    sent = Sent(99, "plain", "<99@players.test>", answered=True, orders=True)
    first, *others = honest.books.letters
    *mails, last = honest.books.outbox
    waits = books(honest, letters=(changed(first, state=LetterState.NEW), *others))
    waits = books(waits, outbox=(*mails, changed(last, state=OutboxState.QUEUED)))
    waits = replace(waits, sent=(*honest.sent, sent), deliveries=(*honest.deliveries, Delivery(99, 0, 1.0, 1.1)))
    assert {"lost", "not dealt with", "unsent"} <= {finding.partition(":")[0] for finding in audit(waits)}
    assert audit(replace(waits, unsettled="a mail is not out")) == ["did not settle: a mail is not out"]


def test_a_wrong_arrival_is_found(honest: Evidence) -> None:
    first, *others = honest.books.letters
    later = changed(first, arrived_at=first.arrived_at + timedelta(seconds=30))
    assert found(books(honest, letters=(later, *others)), "wrong arrival", "nobody handed it over")
    assert found(books(honest, letters=(later, *others)), "wrong arrival", "the mail server says")


def test_the_arrival_of_a_later_copy_is_found(honest: Evidence) -> None:
    of_copy = [delivery for delivery in honest.deliveries if delivery.serial == 3]
    letters = tuple(
        changed(letter, arrived_at=letter.arrived_at + timedelta(seconds=of_copy[1].began - of_copy[0].began))
        if b"X-Storm: 3\r" in letter.raw
        else letter
        for letter in honest.books.letters
    )
    assert found(books(honest, letters=letters), "that of a later copy")


def test_a_copy_that_the_mail_server_showed_after_a_later_one_is_not_held_against_the_ledger(honest: Evidence) -> None:
    of_copy = [delivery for delivery in honest.deliveries if delivery.serial == 3]
    shown = next(letter for letter in honest.books.letters if b"X-Storm: 3\r" in letter.raw)
    late = timedelta(seconds=of_copy[1].began - of_copy[0].began)
    # As if the later copy had the next number, and the first one got the last of all.
    letters = [changed(each, uid=10 * each.uid) for each in honest.books.letters]
    after = max(letter.uid for letter in letters if letter.arrived_at <= shown.arrived_at + late)
    letters = [
        changed(each, uid=after + 1, arrived_at=each.arrived_at + late) if each.id == shown.id else each for each in letters
    ]
    numbers = {letter.fingerprint: letter.uid for letter in letters}
    sightings = [
        *(changed(each, uid=numbers[each.fingerprint]) for each in honest.books.sightings if each.uid != shown.uid),
        Sighting(mailbox_id=1, uidvalidity=1, uid=numbers[shown.fingerprint], fingerprint=shown.fingerprint),
    ]
    again = Sighting(mailbox_id=1, uidvalidity=1, uid=999, fingerprint=shown.fingerprint)
    told = "that of a later copy"
    assert found(books(honest, letters=tuple(letters), sightings=tuple(sightings)), told)
    assert not found(books(honest, letters=tuple(letters), sightings=(*sightings, again)), told)
    before = Sighting(mailbox_id=1, uidvalidity=1, uid=1, fingerprint=shown.fingerprint)
    assert found(books(honest, letters=tuple(letters), sightings=(*sightings, before, again)), told)


def test_the_same_holds_if_the_mailbox_was_numbered_anew_before_the_first_copy_was_shown(honest: Evidence) -> None:
    of_copy = [delivery for delivery in honest.deliveries if delivery.serial == 3]
    copied = next(letter for letter in honest.books.letters if b"X-Storm: 3\r" in letter.raw)
    late = timedelta(seconds=of_copy[1].began - of_copy[0].began)
    stamped = changed(copied, arrived_at=copied.arrived_at + late)
    letters = tuple(stamped if letter is copied else letter for letter in honest.books.letters)
    last = max(letters, key=lambda letter: letter.arrived_at)

    def seen(uid: int, fingerprint: str) -> Sighting:
        return Sighting(mailbox_id=1, uidvalidity=2, uid=uid, fingerprint=fingerprint)

    only_one = tuple(each for each in honest.books.sightings if (each.fingerprint, each.uid) in _as_kept(letters))
    told = "that of a later copy"
    shown_last = (seen(900, last.fingerprint), seen(901, copied.fingerprint))
    assert not found(books(honest, letters=letters, sightings=(*only_one, *shown_last)), told)
    shown_first = (seen(900, copied.fingerprint), seen(901, last.fingerprint))
    assert found(books(honest, letters=letters, sightings=(*only_one, *shown_first)), told)


def _as_kept(letters: Iterable[Letter]) -> set[tuple[str, int]]:
    return {(letter.fingerprint, letter.uid) for letter in letters}


def test_a_letter_that_vanished_from_the_mailbox_is_found(honest: Evidence) -> None:
    assert honest.mailbox
    assert found(replace(honest, mailbox=honest.mailbox[1:]), "mailbox: of letter 1 there are 0 copies")
    assert found(replace(honest, mailbox=(*honest.mailbox, honest.mailbox[0])), "mailbox: of letter 1 there are 2 copies")


def test_a_letter_may_be_there_twice_if_the_mailbox_was_numbered_anew_while_it_was_moved(honest: Evidence) -> None:
    assert honest.mailbox
    twice = replace(honest, mailbox=(*honest.mailbox, honest.mailbox[0]))
    came = next(each.began for each in honest.deliveries if each.serial == honest.mailbox[0].serial)

    def numbered_anew(after: float) -> Evidence:
        return replace(twice, disturbances=(Disturbance("uidvalidity", came + after, came + after),))

    assert not found(numbered_anew(2), "mailbox: of letter 1")
    assert found(numbered_anew(100), "mailbox: of letter 1 there are 2 copies")
    assert found(numbered_anew(-2), "mailbox: of letter 1 there are 2 copies")


def test_places_against_the_order_of_sending_are_found(honest: Evidence) -> None:
    first, second, *others = honest.books.letters
    swapped = (
        changed(first, arrived_at=second.arrived_at, uid=second.uid),
        changed(second, arrived_at=first.arrived_at, uid=1),
    )
    assert found(books(honest, letters=(*swapped, *others)), "disorder: letter 2 was sent after letter 1")


def test_orders_decided_against_the_order_of_arrival_are_found(honest: Evidence) -> None:
    first, second, *others = honest.books.submissions
    swapped = (changed(first, number=second.number), changed(second, number=first.number))
    assert found(books(honest, submissions=(*swapped, *others)), "disorder: galaxy-7 decided")


def test_letters_that_the_mail_server_showed_long_after_later_ones_may_be_decided_as_they_were_shown(honest: Evidence) -> None:
    first, second = sorted(honest.books.submissions, key=lambda submission: submission.number)[:2]
    stamp = next(letter.arrived_at for letter in honest.books.letters if letter.id == first.letter_id)
    letters = tuple(
        changed(letter, arrived_at=stamp - timedelta(minutes=5)) if letter.id == second.letter_id else letter
        for letter in honest.books.letters
    )
    assert not found(books(honest, letters=letters), "decided")
    assert found(books(honest, letters=letters, sightings=()), "decided")


def test_sheets_against_the_order_of_arrival_are_found(honest: Evidence) -> None:
    first, *others = honest.books.letters
    later = changed(first, arrived_at=first.arrived_at + timedelta(days=1))
    used = [submission for submission in honest.books.submissions if submission.letter_id == first.id]
    assert used[0].state is SubmissionState.REPLACED
    assert found(books(honest, letters=(later, *others)), "disorder", "had sent a later letter than the one used")


def test_orders_that_are_not_in_the_books_are_found(honest: Evidence) -> None:
    assert found(books(honest, submissions=honest.books.submissions[1:]), "lost: the orders of letter 1 ")
    again = changed(honest.books.submissions[0], id=99)
    assert found(books(honest, submissions=(*honest.books.submissions, again)), "doubled: the orders of letter 1 ")


def test_orders_of_a_stranger_in_the_books_are_found(honest: Evidence) -> None:
    first, *others = honest.sent
    forged = replace(first, kind="forged", answered=False, orders=False)
    assert found(replace(honest, sent=(forged, *others)), "taken for orders: letter 1 ")
    assert found(replace(honest, sent=(forged, *others)), "answers", "has 1 answers in the outbox, not 0")


def test_the_auditor_has_nothing_to_say_against_honest_books_of_a_game_with_phases(phased: Evidence) -> None:
    assert audit(phased) == []
    assert [step.name for step in phased.books.steps] == ["set-up", "phase 1a", "phase 1b", "phase 1f"]


def test_what_was_late_for_one_phase_is_not_held_against_the_deadline_of_the_next(phased: Evidence) -> None:
    *others, last = phased.books.submissions
    late = books(phased, submissions=(*others, changed(last, state=SubmissionState.LATE)))
    assert not found(late, "called late")
    of_this_phase = tuple(replace(sent, step_name="phase 1f") for sent in phased.sent)
    assert found(replace(late, sent=of_this_phase), "called late", "Altair")


def test_a_phase_that_comes_to_something_else_is_found(phased: Evidence) -> None:
    *others, last = phased.books.steps
    assert found(books(phased, steps=(*others, changed(last, after=last.before))), "replay", "another position")


def test_orders_called_late_that_were_in_time_are_found(honest: Evidence) -> None:
    late = tuple(
        changed(submission, state=SubmissionState.LATE) if submission.step == 1 else submission
        for submission in honest.books.submissions
    )
    assert found(books(honest, submissions=late), "called late", "Altair")


def test_an_answer_that_is_missing_or_there_twice_is_found(honest: Evidence) -> None:
    answer = next(mail for mail in honest.books.outbox if mail.kind == "acknowledgement")
    others = tuple(mail for mail in honest.books.outbox if mail.id != answer.id)
    assert found(books(honest, outbox=others), "answers", "has 0 answers in the outbox, not 1")
    twice = changed(answer, id=99, key="another", message_id="<another@pbmd.test>")
    assert found(books(honest, outbox=(*honest.books.outbox, twice)), "answers", "has 2 answers in the outbox, not 1")


def test_an_answer_held_back_with_a_reason_in_the_log_is_not_missing(honest: Evidence) -> None:
    answer = next(mail for mail in honest.books.outbox if mail.kind == "acknowledgement")
    others = tuple(mail for mail in honest.books.outbox if mail.id != answer.id)
    handed = tuple(handed for handed in honest.handed if handed.message_id != answer.message_id)
    letter_id = int(answer.key.split()[-1])
    letters = tuple(
        changed(letter, note="not answered: the same question had just been answered") if letter.id == letter_id else letter
        for letter in honest.books.letters
    )
    assert audit(replace(books(honest, outbox=others, letters=letters), handed=handed)) == []


def test_a_report_that_is_missing_or_there_twice_is_found(honest: Evidence) -> None:
    report = next(mail for mail in honest.books.outbox if mail.key == "report 1 0 2")
    others = tuple(mail for mail in honest.books.outbox if mail.id != report.id)
    assert found(books(honest, outbox=others), "report 1 0 2 is in the outbox 0 times")
    assert found(books(honest, reports=honest.books.reports[1:]), "is in the books 0 times")
    again = changed(report, id=99, key="another", message_id="<another@pbmd.test>")
    assert found(books(honest, outbox=(*honest.books.outbox, again)), "Borealis of galaxy-7 has 4 reports for 2 steps")
    assert found(books(honest, steps=honest.books.steps[1:]), "the steps in its books are [1]")


def test_a_mail_called_sent_that_never_came_is_found(honest: Evidence) -> None:
    assert found(replace(honest, handed=honest.handed[1:]), "lost: mail", "never taken it")


def test_a_mail_that_waits_or_was_given_up_is_found(honest: Evidence) -> None:
    first, *others = honest.books.outbox
    assert found(books(honest, outbox=(changed(first, state=OutboxState.QUEUED), *others)), "unsent: mail 1 ")
    assert found(books(honest, outbox=(changed(first, state=OutboxState.FAILED), *others)), "lost: mail 1 ", "given up")


def test_a_mail_to_somebody_else_is_found(honest: Evidence) -> None:
    first, *others = honest.handed
    astray = replace(first, recipient=address_of(NAMES[2]))
    assert found(replace(honest, handed=(astray, *others)), "astray")
    changed_text = replace(first, digest="other bytes", taken_at=first.taken_at + 1, answered_at=first.taken_at + 1)
    assert found(replace(honest, handed=(*honest.handed, changed_text)), "changed")


def test_a_second_copy_is_a_finding_unless_pbmd_could_not_know(honest: Evidence) -> None:
    first, *others = honest.handed
    again = replace(first, taken_at=first.taken_at + 60, answered_at=first.answered_at + 60)
    twice = replace(honest, handed=(first, again, *others))
    assert found(twice, "doubled", first.message_id)

    unheard = replace(first, fate=Fate.TAKEN_AND_HUNG_UP)
    assert audit(replace(honest, handed=(unheard, again, *others))) == []

    killed = Disturbance("kill", first.answered_at + 0.01, first.answered_at + 0.01)
    assert audit(replace(twice, disturbances=(killed,))) == []
    assert len(extra_copies(twice)) == 1
    assert is_unavoidable(replace(twice, disturbances=(killed,)), first)

    long_after = Disturbance("kill", first.answered_at + 30, first.answered_at + 30)
    assert found(replace(twice, disturbances=(long_after,)), "doubled", first.message_id)


def test_pbmd_has_the_longer_to_write_down_what_was_taken_the_longer_it_has_to_wait_for_a_processor(honest: Evidence) -> None:
    first, *others = honest.handed
    again = replace(first, taken_at=first.taken_at + 60, answered_at=first.answered_at + 60)
    twice = replace(honest, handed=(first, again, *others))
    answered = first.answered_at

    def killed(after: float) -> Disturbance:
        return Disturbance("kill", answered + after, answered + after)

    def doubled(after: float, *waits: Wait) -> bool:
        return found(replace(twice, disturbances=(killed(after),), waits=waits), "doubled", first.message_id)

    # Of each four seconds it has one: what takes two takes eight.
    starved = [Wait(answered - 4 + 4 * number, answered + 4 * number, 3.0) for number in range(5)]
    assert not doubled(7.9, *starved)
    assert doubled(8.1, *starved)
    before_and_after = [Wait(answered - 9, answered - 1, 7.0), Wait(answered + 3, answered + 9, 5.0)]
    assert not doubled(1.9, *before_and_after)
    assert doubled(2.1, *before_and_after)


@pytest.mark.parametrize("kind", ["locked", "disk full", "connections ended", "back end killed", "database silent"])
def test_what_kept_pbmd_from_writing_excuses_a_second_copy_only_if_it_ended_meanwhile(honest: Evidence, kind: str) -> None:
    first, *others = honest.handed
    again = replace(first, taken_at=first.taken_at + 90, answered_at=first.answered_at + 90)
    twice = replace(honest, handed=(first, again, *others))
    answered = first.answered_at
    hindered = Disturbance(kind, answered - 3, answered + 20)
    assert found(replace(twice, disturbances=(hindered,)), "doubled", first.message_id)
    for ending in ("kill", ENDED):
        meanwhile, later = (Disturbance(ending, answered + after, answered + after + 1) for after in (25, 45))
        assert audit(replace(twice, disturbances=(hindered, meanwhile))) == []
        assert found(replace(twice, disturbances=(hindered, later)), "doubled", first.message_id)
        other = Disturbance("locked", answered + 28, answered + 40)
        assert audit(replace(twice, disturbances=(hindered, other, later))) == []


def test_a_journal_that_was_written_anew_is_found(honest: Evidence) -> None:
    first, *others = honest.books.journal
    assert found(books(honest, journal=(changed(first, public='{"name":"x"}'), *others)), "journal of galaxy-7: entry 1")
    assert found(books(honest, journal=honest.books.journal[:-1]), "ends otherwise")


def test_a_resolution_that_does_not_come_out_again_is_found(honest: Evidence) -> None:
    first, second = honest.books.steps
    assert found(books(honest, steps=(changed(first, after=first.before), second)), "replay", "another position")
    assert found(books(honest, steps=(changed(first, events="[]"), second)), "replay", "other events")


def test_a_log_file_with_a_hole_is_found(honest: Evidence) -> None:
    lines = honest.log_file.splitlines(keepends=True)
    assert found(replace(honest, log_file="".join(lines[1:])), "log file", "missing")
    assert found(replace(honest, log_file="".join([*lines, lines[-1]])), "log file", "once too often")
    assert found(replace(honest, log_file="".join(reversed(lines))), "not in order")


def test_a_log_file_of_another_host_with_a_hole_is_found(honest: Evidence) -> None:
    whole = honest.log_file
    assert audit(replace(honest, other_log_files=(whole, whole))) == []
    hole = "".join(whole.splitlines(keepends=True)[1:])
    assert found(replace(honest, other_log_files=(whole, hole)), "log file", "missing")


def test_an_archive_of_a_sequential_game_that_does_not_verify_is_found(honest: Evidence) -> None:
    assert audit(replace(honest, archives={"relay-1": ()})) == []
    assert found(replace(honest, archives={"relay-1": ("a line is missing",)}), "archive of relay-1: a line is missing")


def test_a_daemon_that_ended_by_itself_is_found(honest: Evidence) -> None:
    assert found(replace(honest, ending={"start 3": "exit code 1"}), "daemon: start 3")


def test_nothing_is_said_of_deadlines_while_the_clock_was_wrong(honest: Evidence) -> None:
    late = tuple(
        changed(submission, state=SubmissionState.LATE) if submission.step == 1 else submission
        for submission in honest.books.submissions
    )
    resolved = honest.books.steps[1].resolved_at.timestamp()
    off, long_over = Disturbance("clock", resolved + 10, resolved + 12, 60.0), Disturbance("clock", 0.0, 1.0, 60.0)
    assert not found(replace(books(honest, submissions=late), disturbances=(off,)), "called late")
    assert found(replace(books(honest, submissions=late), disturbances=(long_over,)), "called late")

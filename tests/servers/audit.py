"""What is looked at after the game: nothing is lost, done twice, out of order or said to whom it does not concern."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from pbmd.ledger.tables import LetterState, OutboxState, SubmissionState
from tests.mailservers import PASSWORD
from tests.servers.game import ServedHost
from tests.torture.evidence import Books, Evidence, read_books, read_log
from tests.torture.promises import books as promises

ORDERS = [
    *((0, "Altair", SubmissionState.REPLACED), (0, "Altair", SubmissionState.USED), (0, "Borealis", SubmissionState.USED)),
    *((1, "Altair", SubmissionState.REPLACED), (1, "Altair", SubmissionState.USED), (1, "Borealis", SubmissionState.USED)),
    (2, "Altair", SubmissionState.FILED),
]
"""What becomes of the orders of `tests.servers.game`: step, seat and state, in the order of their arrival."""
VALIDITIES = 3
"""So many UIDVALIDITYs the letters have been seen with."""
OUTAGES = ("imap-lost", "imap-back", "smtp-lost", "smtp-back")
_ANSWERS = re.compile(rb"^In-Reply-To: *(?:\r?\n[ \t]+)?(<[^>\r\n]+>)", re.IGNORECASE | re.MULTILINE)
_GREETING = re.compile(r"pbmd reads INBOX of \S+ at localhost; Ctrl-C ends it")
_TRACKER = re.compile(
    r"resource_tracker: There appear to be \d+ leaked|^\s+warnings\.warn\('resource_tracker: There appear to be %d "
)
"""What Python says of a daemon with processes that draw when it is killed: it tidies up behind it."""


def audit(host: ServedHost) -> list[str]:
    """All that is wrong, in words; nothing if nothing is."""
    books = read_books(host.settings.database_url)
    evidence = Evidence(books, log_file=read_log(host.settings.log_file))
    checks: tuple[Callable[[ServedHost, Books], Iterator[str]], ...] = (_letters, _orders, _mails, _faults_were_felt, _silence)
    return [
        *(finding for check in checks for finding in check(host, books)),
        *promises.journal_holds(evidence),
        *promises.steps_come_out_again(evidence),
        *promises.log_is_complete(evidence),
    ]


def _letters(host: ServedHost, books: Books) -> Iterator[str]:
    """Each letter is there once, in the order in which they came, with the server's own time, and dealt with."""
    read = host.read_letters()
    if read != host.delivered:
        yield f"letters were sent as {host.delivered} and stand in the ledger as {read}"
    for letter in books.letters:
        if letter.state is not LetterState.DONE:
            yield f"letter {letter.id} is {letter.state.value}: {letter.note}"
        if letter.arrival_estimated:
            yield f"letter {letter.id} has no arrival time of the server"
    for earlier, later in pairwise(books.letters):
        if earlier.arrived_at > later.arrived_at:
            yield f"letter {later.id} is stamped before letter {earlier.id}, which came first"


def _orders(host: ServedHost, books: Books) -> Iterator[str]:
    """What came last counts, and each letter with orders, which are the last ones of all, is on file once."""
    names = {seat.id: seat.name for seat in books.seats}
    found = [(each.step, names[each.seat_id], each.state) for each in books.submissions]
    if found != ORDERS:
        yield f"orders are {found}"
    letters = _names(host, books)
    if (taken := [letters[each.letter_id] for each in books.submissions]) != host.delivered[-len(ORDERS) :]:
        yield f"orders were taken from {taken}, and letters are {host.delivered}"


def _mails(host: ServedHost, books: Books) -> Iterator[str]:
    """Each letter with orders is answered once, no other more than once, and each mail has come to its reader once."""
    answered = Counter(
        found[1].decode() for mail in books.outbox if mail.kind == "acknowledgement" and (found := _ANSWERS.search(mail.raw))
    )
    letters = _names(host, books)
    ordered = {letters[each.letter_id] for each in books.submissions}
    for name in host.delivered:
        if not int(name in ordered) <= answered[name] <= 1:
            yield f"{name} has {answered[name]} answers"
    for mail in books.outbox:
        if mail.state is not OutboxState.SENT:
            yield f"mail {mail.id} ({mail.kind}) to {mail.recipient} is {mail.state.value}: {mail.error}"
    sent = Counter((mail.recipient, mail.message_id) for mail in books.outbox)
    come = Counter((reader, str(mail["Message-ID"])) for reader, mails in host.sink.mails.items() for mail in mails)
    for (reader, name), count in (sent - come).items():
        yield f"{count} copies of {name} never came to {reader}"
    for (reader, name), count in (come - sent).items():
        yield f"{count} copies of {name} too many came to {reader}"


def _names(host: ServedHost, books: Books) -> dict[int | None, str]:
    """The Message-ID of each letter, by its id."""
    return dict(zip((letter.id for letter in books.letters), host.read_letters(), strict=True))


def _faults_were_felt(_: ServedHost, books: Books) -> Iterator[str]:
    """What was done to the servers reached pbmd at all."""
    words = {line.what for line in books.log}
    for word in OUTAGES:
        if word not in words:
            yield f"the log has no line with {word}"
    if (seen := len({sighting.uidvalidity for sighting in books.sightings})) != VALIDITIES:
        yield f"letters were seen with {seen} UIDVALIDITYs, not {VALIDITIES}"


def _silence(host: ServedHost, _: Books) -> Iterator[str]:
    """The daemon complains of nothing on its standard error, and the password stands nowhere."""
    for line in host.complaints().splitlines():
        if line.strip() and not _GREETING.fullmatch(line) and not _TRACKER.search(line):
            yield f"the daemon wrote to standard error: {line}"
    if any(PASSWORD in text for text in (host.complaints(), *host.printed)):
        yield "the password was printed"
    for file in (host.folder / "data").rglob("*"):
        if file.is_file() and PASSWORD.encode() in file.read_bytes():
            yield f"the password stands in {file.name}"
    if any(PASSWORD in mail.as_string() for mails in host.sink.mails.values() for mail in mails):
        yield "the password was mailed"

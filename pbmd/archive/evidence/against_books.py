"""What a receipt proves: what mails claim, checked against the books of the game.

Anybody can write a mail, so only what is in the books counts: a forged mail that says what is true proves what is true, and one
that says anything else is found out. And the books may be anybody's, too: two histories of one game are exposed by one mail
from the other history, at the entry that it names.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.deadlines_told import (
    examine_deadline,
    examine_not_sent,
    examine_replaced,
    examine_resumed,
    examine_sent,
)
from pbmd.archive.evidence.dice_secrets import examine_dice, examine_salt, examine_word, has_word
from pbmd.archive.evidence.mail_kinds.answers import LISTED, ListedOrders, is_list
from pbmd.archive.evidence.mail_kinds.done import compare_done
from pbmd.archive.evidence.mail_kinds.mail_dates import is_at_once
from pbmd.archive.evidence.mail_kinds.notices import compare_notice
from pbmd.archive.evidence.mail_kinds.subjects import SUBJECT
from pbmd.archive.evidence.mail_patterns import (
    ANSWER,
    ANY,
    ARRIVED,
    AS_SENT,
    BALLOT,
    CHECKPOINT,
    COMMITMENT,
    DIGEST,
    DUE,
    FORM_HEAD,
    FOUR_WORDS,
    HEAD,
    NOT_SENT,
    OLD_HEAD,
    PRESS,
    RECEIPT,
    REMINDER,
    REPLACED,
    SALT,
    SEAT,
    SECRET,
    TURN_HEAD,
    WORD,
    turn_of,
)
from pbmd.archive.evidence.orders_shown import (
    examine_arrival,
    examine_digest,
    examine_receipt,
    orders_by_arrival,
    orders_by_digest,
    orders_by_number,
)
from pbmd.archive.evidence.report_mails import compare, compare_press, same_press, seat_of
from pbmd.archive.evidence.signatures import signed_by
from pbmd.archive.evidence.statements import Statement, Value
from pbmd.archive.evidence.unheld_words import proposed_in
from pbmd.archive.evidence.verdict import entries_named, is_about, missing, not_looked_at, seat_of_mail, signed_about
from pbmd.archive.format.books import Books
from pbmd.archive.format.orders_on_file import OrdersOnFile
from pbmd.archive.format.press_and_deadlines import in_one_line
from pbmd.ledger.entries.rows import TURN_ENTRIES
from pbmd.ledger.entries.step_entries import RestoredEntry, StartedEntry
from pbmd.ledger.entries.vote_entries import NOTHING
from pbmd.notes.checkpoint import OF_REPORTS
from pbmd.notes.four_words import four_words
from pbmd.notes.notes_in_mail import FoundNote
from pbmd.notes.signed_note import NoNote, Verifier, verifier_of


def examine_books(books: Books) -> Finding:
    """Whether the books are consistent; if not, they prove nothing."""
    if books.broken:
        words = f"the books contradict themselves, so they prove nothing: {_place(books)}{books.broken}"
        return Finding("journal", "", False, words)
    head = next(reversed(books.heads), "")
    count = len(books.kinds)
    whole = f"all {count} entries follow from each other; the last has this hash"
    part = f"{count} entries, with the public part withheld in {entries_named(books.withheld)}: "
    part += "only what stands between two of these, or after the last, is one chain"
    if (shown := books.heads.get(head, 0)) < count:
        part += f"; this hash is that of entry {shown}, the last that shows one" if shown else "; none shows its hash"
    return Finding("journal", head, True, part if books.withheld else whole)


def examine(claims: Claims, books: Books) -> list[Finding]:
    """The verdict on each value of each statement that is about the game of these books, which must not be broken. Of what a
    mail says about other games it is reported that nobody looked at it: a part may have been given another name to escape the
    check."""
    about = (statement for statement in claims.statements if is_about(statement, books))
    values = [finding for statement in about for finding in _examine(claims, statement, books)]
    signed = [_checkpoint(found, claims, books) for found in signed_about(claims, books)]
    listed = _listed(claims, books) if any(is_about(each, books) for each in claims.statements) else ()
    found = (*values, *listed, *signed, *_called(claims, books), *not_looked_at(claims, books))
    return [_with_backup(each, books) for each in found]


def _called(claims: Claims, books: Books) -> Iterator[Finding]:
    """Whether a subject is to the seat that the mail is to."""
    seat = seat_of_mail(claims, books)
    if seat and claims.calls not in ("", seat):
        yield Finding(SUBJECT, claims.calls, None, f"it is to {claims.calls}, and the mail is to {seat}")


_OF_PAST = frozenset({RECEIPT, HEAD, FORM_HEAD, CHECKPOINT, SECRET, COMMITMENT, DIGEST})


def _with_backup(finding: Finding, books: Books) -> Finding:
    """What books do not have that tell of a restored backup can have been lost with what the backup did not have."""
    restored = [number for number, (kind, _) in enumerate(books.kinds, start=1) if kind == RestoredEntry.kind]
    if finding.holds is not False or finding.what not in _OF_PAST or not restored:
        return finding
    told = f"{entries_named(restored)} tell{'s' * (len(restored) == 1)} that a backup was restored"
    return replace(finding, words=f"{finding.words}; {told}, and what had gone out since it was made counts no more")


def _checkpoint(found: FoundNote, claims: Claims, books: Books) -> Finding:
    """A signed head: whether these books have it at that entry, and whether the signature is valid."""
    said, signed = found.checkpoint, signed_by(found, claims.keys)
    came = _head(books, Value(HEAD, said.head, 0 if said.by_report else said.size), 0)
    told = f"signed with {signed.by}" if signed.by else "its signature was not checked, since the mail does not say the key"
    finding = replace(came, what=CHECKPOINT, value=said.place, words=f"{came.words}; {told}")
    if signed.by is None and came.holds:
        finding = replace(finding, holds=None, whole=False)
    if signed.by is not None and _is_other_key(signed.by, books.key):
        finding = replace(finding, holds=False, words=f"{told}, and the end of this archive with {books.key}")
    return replace(finding, holds=False, words=signed.problem) if signed.problem else finding


def _is_other_key(signer: Verifier, told: str) -> bool:
    """Whether the books name a different key from the one that signed a mail. A game that moved to another host has a key with
    another name there."""
    with suppress(NoNote):  # pbmd verify reports an invalid one
        key = verifier_of(told)
        return (key.name, key.public != signer.public) == (signer.name.removesuffix(OF_REPORTS), True)
    return False


def _examine(claims: Claims, statement: Statement, books: Books) -> Iterator[Finding]:
    number = int(statement.first(RECEIPT) or 0)
    seat = seat_of_mail(claims, books) or seat_of(statement, books)
    unnumbered = orders_by_arrival(books, statement, seat) or orders_by_digest(books, statement.first(DIGEST))
    given = orders_by_number(books, number, statement) if number else unnumbered
    held = _Held(statement, books, number, given, claims.words, seat, claims.dated)
    for said in statement.values:
        yield _as_of(seat, given, said, _CHECKS[said.what](held, said))
    yield from compare_notice(statement, books, seat, claims.dated)
    if claims.own is not None:
        yield from _left_unsaid(claims, statement, books, seat)
    if statement.report is not None and (whose := seat_of(statement, books)) and seat and whose != seat:
        yield Finding(SEAT, whose, False, f"it is the report of {whose}, and the mail is to {seat}")
    if statement.report is not None:
        yield from compare(claims, statement, books)
    if statement.press is not None:
        yield from _of_press(claims, statement, books)


def _of_press(claims: Claims, statement: Statement, books: Books) -> Iterator[Finding]:
    """Press, and whether its subject says that it went to all, and its entry that it did not."""
    same = same_press(statement, books)
    if claims.subject.endswith(" to all") and same and all(kept.is_ours and not kept.to_all for kept in same):
        yield Finding(SUBJECT, "", None, f"it says that press went to all, and its text to {statement.readers}")
    is_mail = claims.own is not None and claims.own.kind == PRESS and claims.dated is not None
    times = [books.times[kept.entry - 1] for kept in same if kept.entry <= len(books.times)]
    if is_mail and times and not any(is_at_once(at, claims.dated) for at in times):
        told = f"it is dated at another time than entry {same[-1].entry}, which has it"
        yield not_compared(PRESS, f"from {statement.writer}, {statement.step}", told)
    yield compare_press(statement, books, claims.dated)


def _as_of(seat: str, given: OrdersOnFile | None, said: Value, finding: Finding) -> Finding:
    """What is true of another seat is not true of this one: what only a seat is told must be its own."""
    of_orders = said.what in (RECEIPT, DIGEST) and given is not None and given.seat != seat
    of_salt = said.what == SALT and finding.holds and not finding.words.startswith(f"the salt of {seat} for ")
    if not seat or finding.holds is False or not (of_orders or of_salt):
        return finding
    whose = f"of orders of {given.seat}" if of_orders and given else "that of another seat"
    return replace(finding, holds=False, words=f"it is {whose}, and the mail is to {seat}")


def _left_unsaid(claims: Claims, statement: Statement, books: Books, seat: str) -> Iterator[Finding]:
    """What the books have for a report or an answer, and it does not say."""
    entry = next((each.entry for each in books.secrets if each.value == statement.first(SECRET)), 0)
    if statement.report is not None and statement.kind == "seat" and entry:
        yield from _unpromised(statement, books, entry)
        used = _used(books, seat, entry)
        if used and not claims.first(RECEIPT) and not claims.first(ARRIVED):
            yield Finding(RECEIPT, str(used), None, "it names no orders that were used, and the books have these")
    is_receipt = statement.first(RECEIPT) and statement.first(HEAD)
    if is_receipt and not statement.first(WORD) and has_word(books, statement):
        yield Finding(WORD, "", None, "it names no word for the dice, and in the books one came with these orders")


def _unpromised(statement: Statement, books: Books, entry: int) -> Iterator[Finding]:
    """Whether a report of the step that an entry resolved lacks the promise of the next dice, or the salt for them."""
    if not any(each.entry == entry for each in books.promises):
        return
    if not statement.first(COMMITMENT):
        yield Finding(COMMITMENT, "", None, f"it promises no dice of the next step, and entry {entry} does")
    elif books.salts and not statement.first(SALT):
        yield Finding(SALT, "", None, "it tells no salt for the dice of the next step, as every such report does")


def _used(books: Books, seat: str, entry: int) -> int:
    """The receipt of the orders of a seat that were used in the step that an entry resolved; 0 if there are none."""
    before = next((number for number in range(entry - 1, 0, -1) if books.kind_at(number) in TURN_ENTRIES), 0)
    of_step = (given for given in books.orders if given.seat == seat and before < given.receipt <= entry)
    return next((given.receipt for given in of_step if given.state == "used"), 0)


def _ballot(books: Books, told: Value, seat: str) -> Finding:
    said = told.value
    stated, vote = said.split(" in vote ")
    proposed = [each for each, _ in proposed_in(books, vote)] if told.step.startswith(_ON) else []
    if proposed and not told.step.startswith(tuple(f"{_ON}{each}" for each in proposed)):
        what = told.step.removeprefix(_ON).partition(". ")[0].rstrip(".")
        return Finding(BALLOT, said, False, f'it says that vote {vote} is on "{what}", and by the books on "{proposed[0]}"')
    answer = NOTHING if stated == "no ballot" else stated
    shown = {told for whose, number, told in books.ballots if (whose, number) == (seat, int(vote))}
    if answer in shown:
        return Finding(BALLOT, said, True, "an entry of the journal says it")
    if not shown:
        return not_compared(BALLOT, said, "no ballot of this seat is shown here")
    return Finding(BALLOT, said, False, f"by the books {seat} has voted {' and then '.join(sorted(shown))} in it")


_ON = " on "


def _listed(claims: Claims, books: Books) -> Iterator[Finding]:
    """Whether an answer lists the orders of its receipt, and whether it is one at all."""
    listed = claims.listed
    if listed is None:
        return
    if listed.is_in and not claims.first(RECEIPT) and not books.is_silent:
        yield Finding(LISTED, "", None, "it says that orders are in, and has no receipt, as others of this game have")
    yield from compare_done(claims.done, claims.dated, books)
    yield from _told_besides(claims, listed, books)
    seat, given = seat_of_mail(claims, books), orders_by_digest(books, claims.first(DIGEST))
    if given is None or given.lines is None or listed.words is None or given.seat != (seat or given.seat):
        return
    if not is_list(listed.words, given.lines):
        yield Finding(LISTED, "", False, "the orders that it lists are not those of its digest in the books")


def _told_besides(claims: Claims, listed: ListedOrders, books: Books) -> Iterator[Finding]:
    """Whose orders an answer proves; and what it says of others that have come, as a reminder does, too."""
    if claims.own and claims.own.kind in (ANSWER, REMINDER):
        yield from examine_sent(listed.rest, books, claims.dated, int(claims.first(RECEIPT) or 0))
    seat = seat_of_mail(claims, books)
    if seat and listed.seat not in ("", in_one_line(seat)):
        yield Finding(SEAT, listed.seat, False, f"its proof is that of {listed.seat}, and the mail is to {seat}")
    yield from examine_replaced(listed.rest, books, seat)
    yield from examine_resumed(listed.rest, books, claims.dated, seat)


@dataclass(frozen=True, slots=True)
class _Held:
    """A statement checked against the books: the number of the receipt in it, 0 if there is none, and the orders that it is
    about, as far as that can be known; `words` is the digest of the words of the mail, if it is a report, and `dated` its
    date."""

    statement: Statement
    books: Books
    number: int
    given: OrdersOnFile | None
    words: str = ""
    seat: str = ""
    dated: datetime | None = None

    @property
    def shown_at(self) -> int:
        """The entry of the head that the statement shows, 0 if it shows none of these books."""
        return self.entry or next(
            (self.books.heads.get(said.value, 0) for said in self.statement.values if said.what == HEAD), 0
        )

    @property
    def written(self) -> int:
        """An entry that was written together with the head that the statement shows, 0 if it names none."""
        if self.number:
            return self.number
        shown = {each.value: each.entry for each in (*self.books.promises, *self.books.secrets)}
        named = (shown.get(self.statement.first(what), 0) for what in (SECRET, COMMITMENT))
        return next((entry for entry in named if entry), 0)

    @property
    def entry(self) -> int:
        """The entry at which the mail was written, according to the head in it; 0 if it does not say."""
        return next((said.entry for said in self.statement.values if said.what == HEAD), 0)


def _place(books: Books) -> str:
    file, line = books.where
    return f"{file}{f', line {line}' if line else ''}: " if file else ""


def _missing_hash(books: Books) -> tuple[bool | None, str]:
    if len(books.heads) < len(books.kinds):
        return None, "not among the hashes that this archive shows, which leaves some out: it may be one of the others"
    return missing(books)


def _head(books: Books, said: Value, written: int) -> Finding:
    """The head that a mail shows: at the entry that it names, else anywhere. `written` is an entry that was written not later
    than the head, and together with it, 0 if none is known."""
    at = books.heads.get(said.value, 0)
    if said.entry and at != said.entry:
        return Finding(HEAD, said.value, *_other_head(books, said, at))
    if not at and _is_past(books, written):
        words = f"two histories: a mail of when entry {written} was written shows this head, and these books have no such entry"
        return Finding(HEAD, said.value, False, words)
    if not at:
        return Finding(HEAD, said.value, *_missing_hash(books))
    if at < written:
        return Finding(HEAD, said.value, False, f"this was the head at entry {at}, before entry {written} was written")
    if gap := max((entry for entry in books.withheld if entry <= at), default=0):
        words = (
            f"the head of the journal at entry {at}; entry {gap} is withheld, and what stands before it may have been changed"
        )
        return Finding(HEAD, said.value, None, words)
    words = f"the head of the journal at entry {at}: nothing up to there was changed since that mail"
    return Finding(HEAD, said.value, True, words)


def _other_head(books: Books, said: Value, at: int) -> tuple[bool | None, str]:
    """What to say about a head that is not the one of the entry that the mail names."""
    if at:
        return False, f"the mail has it at entry {said.entry}, and these books at entry {at}"
    if said.entry > len(books.kinds):
        return missing(books)
    ours = books.hashes[said.entry - 1]
    if not ours:
        return None, f"this archive does not show the hash of entry {said.entry}"
    return False, f"two histories: in these books entry {said.entry} of the journal has another hash, {ours}"


def _head_in_form(books: Books, said: Value) -> Finding:
    """The beginning of a head, as an order form shows it."""
    at_entry = books.hashes[said.entry - 1 : said.entry] if said.entry else books.heads
    whole = next((head for head in at_entry if head.startswith(said.value)), said.value)
    return replace(_head(books, replace(said, value=whole), 0), what=said.what, value=said.value)


def _is_past(books: Books, written: int) -> bool:
    """Whether the books show everything that was written together with this entry, and go on after it."""
    if not 0 < written <= len(books.times) or len(books.heads) < len(books.kinds):
        return False
    return books.times[-1] > books.times[written - 1]


def _old_head(books: Books, said: Value) -> Finding:
    head, number = books.before
    if not head:
        return Finding(OLD_HEAD, said.value, None, "these books do not tell from which journal the game went on")
    holds = head == said.value and said.entry in (0, number)
    words = "the game went on here from the journal with this head" if holds else f"these books have {head}, entry {number}"
    return Finding(OLD_HEAD, said.value, holds, words)


def _any(books: Books, value: str) -> Finding:
    """A value without any statement about what it is."""
    if head := next((one for one in books.heads if one.startswith(value)), ""):
        return _head(books, Value(HEAD, head), 0)
    for shown in (*books.promises, *books.secrets):
        if shown.value.startswith(value):
            return Finding("dice", shown.value, True, shown.told)
    if salt := next((one for one in books.salts if one.startswith(value)), ""):
        return examine_salt(books, Value(SALT, salt), "")
    found = examine_digest(books, value, orders_by_digest(books, value))
    if found.holds:
        return found
    if len(books.heads) < len(books.kinds):
        return Finding("value", value, *_missing_hash(books))
    return replace(found, what="value") if found.holds is None else found


def _as_sent(said: Value, words: str) -> Finding:
    """Whether the words of a report are those that its proof file was sent with."""
    if not words:
        return Finding(AS_SENT, said.value, None, "it was not compared: the file came with another mail", whole=False)
    told = "are those that it was sent with" if said.value == words else "were altered since it was sent"
    return Finding(AS_SENT, said.value, said.value == words, f"the words of this mail {told}")


def _turn_head(books: Books, said: Value) -> Finding:
    """The hash of which the four words of a turn are made: it must be that of an entry that begins or ends a turn."""
    found = replace(_head(books, said, 0), what=said.what)
    at = books.heads.get(said.value, 0)
    if at and books.kind_at(at) not in TURN_ENTRIES:
        return replace(found, holds=False, words=f"entry {at} is none that begins or ends a turn, so these are no words of one")
    of = next((each.of for each in books.secrets if each.entry == at), frozenset[str]())
    is_of_beginning = books.kind_at(at) == StartedEntry.kind
    # Who watches a game is told of the turn alone, whatever its steps are called.
    is_of_step = any(each == said.step or each.endswith(f" of {said.step}") for each in of)
    if (of and not is_of_step) or (is_of_beginning and turn_of(said.step)):
        told = " and ".join(sorted(of)) or "the beginning"
        return replace(found, holds=False, words=f"the mail has them for {said.step}, and entry {at} is that of {told}")
    return replace(found, words=f"the hash of entry {at}: {four_words(said.value)}") if found.holds else found


def _four_words(books: Books, said: str) -> Finding:
    """Four words that somebody has read in a mail or on a page."""
    shown = ((at, turn, hashed) for at, ((kind, turn), hashed) in enumerate(zip(books.kinds, books.hashes, strict=True), 1)
             if hashed and kind in TURN_ENTRIES)  # fmt: skip
    for at, turn, hashed in shown:
        if four_words(hashed) == said:
            told = f"turn {turn}" if turn is not None else "the beginning or the end"
            return Finding(FOUR_WORDS, said, True, f"those of entry {at} of the journal, {told}")
    return Finding(FOUR_WORDS, said, *_missing_hash(books))


_Check = Callable[[_Held, Value], Finding]
_CHECKS: Mapping[str, _Check] = {
    BALLOT: lambda held, said: _ballot(held.books, said, held.seat),
    RECEIPT: lambda held, _said: examine_receipt(held.books, held.number, held.given),
    ARRIVED: lambda held, said: examine_arrival(held.books, said.value, held.given, held.number),
    DUE: lambda held, said: examine_deadline(held.books, said.value, held.shown_at, held.dated, held.seat),
    NOT_SENT: lambda held, said: examine_not_sent(held.books, said.value, held.dated, held.seat),
    DIGEST: lambda held, said: examine_digest(held.books, said.value, held.given, held.number),
    HEAD: lambda held, said: _head(held.books, said, held.written),
    TURN_HEAD: lambda held, said: _turn_head(held.books, said),
    FOUR_WORDS: lambda held, said: _four_words(held.books, said.value),
    AS_SENT: lambda held, said: _as_sent(said, held.words),
    FORM_HEAD: lambda held, said: _head_in_form(held.books, said),
    WORD: lambda held, said: examine_word(held.books, said.value, held.number, held.statement),
    OLD_HEAD: lambda held, said: _old_head(held.books, said),
    SALT: lambda held, said: examine_salt(held.books, said, held.statement.first(COMMITMENT)),
    SECRET: lambda held, said: examine_dice(held.books, said, held.entry),
    COMMITMENT: lambda held, said: examine_dice(held.books, said, held.entry),
    REPLACED: lambda held, said: examine_dice(held.books, said, held.entry),
    ANY: lambda held, said: _any(held.books, said.value),
}
"""How a value of each kind is checked against the books."""

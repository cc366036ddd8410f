"""What the mails that people kept prove: checked against each other, and against the books of the game if there are any.

`pbmd compare` and `pbmd receipt` both ask this; the second always has books. Whatever was not looked at is part of the answer:
mails that were left out, values that cannot be decided yet, and what the books have and no mail shows.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice

from pbmd.archive.appearance.finding import MOST_TOLD
from pbmd.archive.appearance.html_against_text import HTML
from pbmd.archive.evidence.against_books import examine, examine_books
from pbmd.archive.evidence.agreement import Agreement, hold_together
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.cross_claims import MailClaims
from pbmd.archive.evidence.journals import journals_of
from pbmd.archive.evidence.mail_kinds.notices import entry_of_notice
from pbmd.archive.evidence.mail_kinds.received import compare_handed
from pbmd.archive.evidence.mail_kinds.sent_letters import Answer, Answered, answered, compare_sent, unanswered_letters, words_of
from pbmd.archive.evidence.mail_patterns import BALLOT, DUE, HEAD, PAGE, RECEIPT, SECRET, SILENCE, WORD
from pbmd.archive.evidence.mailbox import NO_MAIL, StoredMail
from pbmd.archive.evidence.missing_mails import Missing, missing_from
from pbmd.archive.evidence.statements import game_in
from pbmd.archive.evidence.unheld_words import unheld_words
from pbmd.archive.evidence.verdict import Finding, are_about, is_about, of_another_game, seat_of_mail
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import moment_in
from pbmd.notes.signed_note import Verifier

OTHER_GAME, NOTHING, NOT_OURS, UNREADABLE = "of another game", "with nothing to check", "not of pbmd", "not to be read"
NOT_MAIL = "no mail"
GIVEN_UP, LATE = "given up", "late"
WITHOUT_FILE = "without the file that was attached"
"""Why something was left out."""

Mail = tuple[StoredMail, Claims | None]
"""A mail, or a file that should be one, and what it claims, None if that cannot be known."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A mail that was looked at and the result; one that was left out has no findings, and says why. `unheld` are words in it
    that nothing is held against."""

    where: str
    subject: str
    findings: Sequence[Finding] = ()
    left_out: str = ""
    why: str = ""
    unheld: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The result for some mails. `of_books` is whether the books are consistent, None if there are none; `absent` is what they
    have for the readers of these mails and no mail shows; `unanswered` counts orders to which no answer was due, and `silenced`
    answers that are missing of a time for which a mail says that none come. `same` counts the mails whose HTML shows what their
    text says, and `plain` those without HTML. `laid_out` are reports whose HTML has tables of its own, each with what was not
    compared: books that include their pages could decide it."""

    agreement: Agreement
    of_books: Finding | None
    looked: Sequence[Looked]
    absent: Sequence[str] = field(default=())
    unanswered: int = 0
    silenced: int = 0
    same: int = 0
    plain: int = 0
    laid_out: Sequence[str] = field(default=())

    @property
    def findings(self) -> list[Finding]:
        """The result for the books, and for each value that was checked against them."""
        of_books = [] if self.of_books is None else [self.of_books]
        return [*of_books, *(finding for mail in self.looked for finding in mail.findings)]

    @property
    def examined(self) -> list[Looked]:
        """The mails that were checked against the books."""
        return [mail for mail in self.looked if not mail.left_out]

    @property
    def left_out(self) -> list[Looked]:
        """The mails that were not looked at."""
        return [mail for mail in self.looked if mail.left_out]

    @property
    def unheld(self) -> list[str]:
        """The mails with words that nothing is held against, each with some of them."""
        return [f'{mail.where}: "{mail.unheld[:MOST_TOLD]}"' for mail in self.looked if mail.unheld]

    @property
    def passed_over(self) -> int:
        """How many values were not looked at, or not entirely."""
        return sum(not each.whole for each in self.findings)

    @property
    def unreadable(self) -> bool:
        """Whether there are mails that cannot be read."""
        return any(mail.left_out == UNREADABLE for mail in self.looked)

    @property
    def holds(self) -> bool:
        """Whether nothing counts against the mails, and all of them could be read and checked against the books."""
        agrees = not (self.agreement.disagreements or self.agreement.worthless or self.unreadable)
        return agrees and all(map(stands, self.findings))


def judge(mails: Sequence[Mail], books: Books | None = None, known: Sequence[Verifier] = ()) -> Judged:
    """Check mails against each other, and against books. `known` are keys of games that are known from elsewhere than these
    mails."""
    ours = [(kept, claims) for kept, claims in mails if claims and claims.says_anything]
    journals = journals_of([claims for _, claims in ours], books)
    agreement = hold_together([MailClaims(kept.where, claims, kept.box) for kept, claims in ours], known, journals)
    if books is None:
        return _with_html(Judged(agreement, None, tuple(_by_themselves(mails))), mails)
    of_books = examine_books(books)
    if not of_books.holds:
        return _with_html(Judged(agreement, of_books, tuple(_by_themselves(mails))), mails)
    others = _of_other_journal(mails, {ours[place][0].where for place in journals.others(books.game)}, books)
    shown = _all_answers([claims for _, claims in mails if claims], books)
    looked = (*_look(mails, books, others, shown), *_of_old_journal(ours, others, books), *_of_steps(books))
    kept = [(mail, claims) for mail, claims in mails if claims and mail.where not in others]
    # Somebody who asks about one mail knows that there are others.
    if len(kept) <= 1:
        return _with_html(Judged(agreement, of_books, looked), mails)
    of_owners = [*_of_owners(kept, books)]
    missing = missing_from(of_owners, books)
    looked = (*looked, *_of_other_holders(missing))
    absent = (*missing.absent, *_unanswered_letters(of_owners, shown, books))
    return _with_html(Judged(agreement, of_books, looked, absent, missing.unanswered, missing.silenced), mails)


def _of_owners(mails: Sequence[tuple[StoredMail, Claims]], books: Books) -> Iterator[Claims]:
    """The mails of those seats whose mails these are, attached ones as well: others have passed on what they chose."""
    owners = {_owner(each, books) for mail, each in mails if not mail.is_attached and each.own and are_about(each, books)}
    for mail, each in mails:
        if not mail.is_attached:
            yield each
        passed_on = (each, *each.attached) if mail.is_attached else each.attached
        yield from (one for one in passed_on if not owners or _owner(one, books) in owners)


def _of_other_journal(mails: Sequence[Mail], others: AbstractSet[str], books: Books) -> AbstractSet[str]:
    """Where the mails of other journals are: those in which there is nothing to look at belong to the journal that has mails
    from the same host to the same seat, or else from the same host."""
    journals, unsure = defaultdict[tuple[str, ...], set[bool]](set), list[tuple[str, tuple[tuple[str, ...], ...]]]()
    for kept, claims in mails if others else ():
        if claims and (own := claims.own) and game_in(claims.subject) in ("", *books.names):
            marks = (own.domain, own.seat, own.token), (own.domain,)
            if not claims.says_anything:
                unsure.append((kept.where, marks))
            for mark in marks if claims.says_anything else ():
                journals[mark].add(kept.where in others)
    known = ((where, (journals[mark] for mark in marks if mark in journals)) for where, marks in unsure)
    return others | {where for where, of in known if next(of, None) == {True}}


def _owner(claims: Claims, books: Books) -> str:
    return seat_of_mail(claims, books) or (claims.own.reader if claims.own else "")


def _of_old_journal(mails: Sequence[tuple[StoredMail, Claims]], others: Container[str], books: Books) -> Iterator[Looked]:
    """The mails of the journal that this one goes on from, held against where it goes on."""
    number, digits, turn = books.gone_on
    apart = [(kept.where, claims) for kept, claims in mails if kept.where in others]
    for where, claims in apart if number else ():
        for each in claims.statements:
            at = next((said for said in each.values if said.what == HEAD and said.entry), None)
            if claims.own is None or each.report is None or at is None:
                continue
            if at.entry == number and at.value != digits:
                words = f"two histories: the game goes on from entry {number} of the old journal, {digits}"
                yield Looked(where, claims.subject, [Finding(HEAD, at.value, False, words)])
            elif at.entry > number:
                words = f"a turn that was given up: the game goes on from entry {number} of the old journal, with turn {turn}"
                yield Looked(where, claims.subject, [Finding(GIVEN_UP, f"entry {at.entry}", None, words)])


def _of_steps(books: Books) -> Iterator[Looked]:
    """What the books say of steps that waited without a reason."""
    if books.late:
        yield Looked("the books", "", [Finding(LATE, f"entry {number}", None, words) for number, words in books.late])


def _of_other_holders(missing: Missing) -> Iterator[Looked]:
    if missing.not_due:
        yield Looked("the books", "", missing.not_due)


def _unanswered_letters(mails: Sequence[Claims], shown: Answered, books: Books) -> list[str]:
    """The letters of a player that came to nothing, in words."""
    letters = [claims.sent for claims in mails if claims.sent is not None]
    lost = unanswered_letters(letters, shown, books)
    return [words_of(each, is_answered=(each.message_id, each.seat) in shown.answers) for each in lost]


def _all_answers(mails: Sequence[Claims], books: Books) -> Answered:
    """The answers among some mails; many, such as those to press, have nothing else to look at."""
    mails = [one for each in mails for one in (each, *each.attached)]
    of_game = {(claims.own.seat, claims.own.token) for claims in mails if claims.own and claims.games & books.names}
    asked = filter(None, (claims.asked for claims in mails))
    return answered([each for claims in mails for each in _answer_of(claims)], of_game, asked)


def _answer_of(claims: Claims) -> Iterator[Answer]:
    """Which letter a mail answers, to which seat. The receipt and the word in a report are those of the orders that it used,
    and not of the letter that asked for it."""
    own = claims.own
    if own is None or not own.answers:
        return
    is_report = any(each.report is not None for each in claims.statements)
    receipt, word = (0, "") if is_report else (int(claims.first(RECEIPT) or 0), claims.first(WORD))
    listed = claims.listed
    settles, of = (listed.settles, listed.of) if listed else (is_report or own.kind == SILENCE, None)
    yield Answer(own.answers, own.seat, own.token, receipt, word, claims.first(BALLOT), claims.dated, settles, of)


def _of_sent(claims: Claims, shown: Answered, books: Books | None) -> list[Finding]:
    """The result for a letter that a player has sent."""
    return [*compare_sent(claims.sent, shown, books)] if claims.sent else []


def _with_html(judged: Judged, mails: Sequence[Mail]) -> Judged:
    """With the result for the HTML of all mails."""
    ours = [(kept.where, claims) for kept, claims in mails if claims and (claims.itself or claims.is_plain)]
    compared = {look.where for look in judged.looked if _is_page_compared(look.findings)}
    apart = [
        f"{where}: {each.words}" for where, claims in ours for each in claims.itself if each.by_books and where not in compared
    ]
    same = sum(any(each.what == HTML and each.holds for each in claims.itself) for _, claims in ours)
    return replace(judged, same=same, plain=sum(claims.is_plain for _, claims in ours), laid_out=tuple(apart))


def _is_page_compared(findings: Sequence[Finding]) -> bool:
    return any(each.what == PAGE and each.holds is not None for each in findings)


def _of_time(claims: Claims, books: Books) -> Iterator[Finding]:
    """Whether a report or a notice came while there was time."""
    for each in claims.statements:
        if claims.handed and (each.report is not None or each.headline) and is_about(each, books):
            secret = each.first(SECRET)
            resolved = next((told.entry for told in books.secrets if secret and told.value == secret), 0)
            entry = resolved or entry_of_notice(each, claims.dated, books)
            due = moment_in(each.first(DUE))
            late = (each for handed in claims.handed for each in compare_handed(handed, entry, due, books))
            yield from islice(late, 1)


def _of_itself(claims: Claims) -> list[Finding]:
    """The result for a mail by itself; what only books that include its page can decide is left to them."""
    return [each for each in claims.itself if not each.by_books]


def _by_themselves(mails: Sequence[Mail]) -> Iterator[Looked]:
    """What to say about mails that are checked against no books."""
    for kept, claims in mails:
        if claims and claims.says_anything and (wrong := [each for each in _of_itself(claims) if not each.holds]):
            yield Looked(kept.where, claims.subject, wrong)
    yield from _left_out_of(mails)


def stands(finding: Finding) -> bool:
    """Whether the books have it, or it was not looked at."""
    return finding.holds is True or (finding.holds is None and not finding.whole)


def _look(mails: Sequence[Mail], books: Books, others: Container[str], shown: Answered) -> Iterator[Looked]:
    """Check all mails against the books, except for `others`: they belong to another journal of a game with that name."""
    ours = [bool(claims and are_about(claims, books)) for _, claims in mails]
    for (kept, claims), is_ours in zip(mails, ours, strict=True):
        if claims and claims.sent and (found := _of_sent(claims, shown, books)) and (not is_ours or not claims.says_anything):
            yield Looked(kept.where, claims.subject, found)
        elif claims and kept.where in others:
            yield Looked(kept.where, claims.subject, left_out=OTHER_GAME, why=f"another journal of the name {books.game}")
        elif claims is None or not claims.says_anything:
            yield from _left_out_of([(kept, claims)], books)
        elif is_ours:
            yield from _look_at_ours(kept.where, claims, books, _of_sent(claims, shown, books))
            yield from _left_out_of([(kept, claims)])
        elif not any(ours):
            # With nothing else to look at, these are what was asked about.
            yield Looked(kept.where, claims.subject, [of_another_game(claims, books)])
        else:
            yield Looked(kept.where, claims.subject, left_out=OTHER_GAME, why=", ".join(sorted(claims.games)))


def _left_out_of(mails: Iterable[Mail], books: Books | None = None) -> Iterator[Looked]:
    """Those in which there is nothing to look at."""
    for kept, claims in mails:
        if claims is None:
            left_out = NOT_MAIL if kept.problem == NO_MAIL else UNREADABLE
            yield Looked(kept.where, "", left_out=left_out, why=kept.problem)
        elif claims.lost:
            yield Looked(kept.where, claims.subject, left_out=WITHOUT_FILE, why=claims.lost)
        elif claims.shows_otherwise and not claims.says_anything:
            yield Looked(kept.where, claims.subject, _of_itself(claims))
        elif not claims.says_anything:
            is_about_it = books is not None and game_in(claims.subject) in ("", *books.names)
            unheld = unheld_words(claims, books) if books and is_about_it else ""
            yield Looked(kept.where, claims.subject, left_out=NOTHING if claims.own else NOT_OURS, unheld=unheld)


def _look_at_ours(where: str, claims: Claims, books: Books, sent: Sequence[Finding]) -> Iterator[Looked]:
    """A mail about this game, and perhaps about others, too."""
    found = [*examine(claims, books), *_of_itself(claims), *_of_time(claims, books), *sent]
    yield Looked(where, claims.subject, found, unheld=unheld_words(claims, books))
    others = sorted({each.game for each in claims.statements if not is_about(each, books)})
    if others:
        yield Looked(where, claims.subject, left_out=OTHER_GAME, why=f"what it has of {', '.join(others)}")

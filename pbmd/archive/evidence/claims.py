"""What is claimed: by a mail of pbmd that somebody kept, or by one value from it.

A mail claims in *statements*: what stands together in one place in it, such as a receipt with the arrival, the digest and the
chain head below it, or the text of a report and its foot. A mail can have many, its own and those that it quotes; each value of
each is checked. What our mails pass on in somebody else's words stands after a mark (`pbmd.rendering.render.said`) and claims
nothing, whatever it looks like.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.message import Message
from itertools import islice

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.html_against_text import held_each
from pbmd.archive.appearance.inner_mails import Letter, letters_in, mail_in
from pbmd.archive.appearance.mail_header import Own, leads_elsewhere, own_of
from pbmd.archive.evidence.deadlines_told import examine_times
from pbmd.archive.evidence.mail_kinds.answers import ListedOrders, listed_orders, of_itself
from pbmd.archive.evidence.mail_kinds.done import Done, told_done
from pbmd.archive.evidence.mail_kinds.mail_frame import calendar_times, examine_frame
from pbmd.archive.evidence.mail_kinds.own_kinds import examine_kind, examine_press, examine_vote, silent_until
from pbmd.archive.evidence.mail_kinds.received import Handed, handed_over
from pbmd.archive.evidence.mail_kinds.sent_letters import SentLetter, asked_of, sent_letter
from pbmd.archive.evidence.mail_kinds.sent_words import without_press
from pbmd.archive.evidence.mail_kinds.subjects import SUBJECT, begins_as_sent, examine_subject
from pbmd.archive.evidence.mail_patterns import (
    ANSWER,
    ANY,
    AS_SENT,
    BALLOT,
    DUE,
    FORM_HEAD,
    FOUR_WORDS,
    HEAD,
    ITS_RECEIPT,
    ITS_WORDS,
    NOTICE,
    PRESS,
    RECEIPT,
    REMINDER,
    SEAT,
    SEAT_TAG,
    SILENCE,
    TAKEN_BACK,
    lacks,
    lost_file,
    turn_of,
    wrong_receipt,
    wrong_use,
    wrong_words,
)
from pbmd.archive.evidence.statements import REPORT, NoReceipt, Statement, Value, game_number, own_words, stated
from pbmd.archive.evidence.words_as_sent import digest_as_sent
from pbmd.archive.format.press_and_deadlines import as_seen, header_of, in_one_line, moment_in, parts_of, texts_of
from pbmd.notes.four_words import are_four_words
from pbmd.notes.notes_in_mail import MOST_FOUND, FoundNote, keys_in, notes_in
from pbmd.notes.signed_note import Verifier
from pbmd.post.proof_file import proofs_in
from pbmd.rendering.picture import digest_told
from pbmd.terms.times import describe_time

LARGEST_MAIL = 25_000_000
"""In bytes; reports come with maps."""
SHORTEST_HEX = 16
"""Digits of a digest or hash that identify it; reports show this many."""

_SUBJECT_CHARS = 120


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The claim that the turns of a game from `first` to `last` are played again."""

    game: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What a mail claims. `checkpoints` are the signed heads in it, and `keys` the keys that it says they are signed with;
    nobody has checked the signatures. `own` is there for one of pbmd's own mails, going by its header, and not for one that
    only quotes such a mail. If it has a report, `text` is its text as it stands; for one of pbmd's own, `body` is that without
    files, `page` is its HTML, `drawings` and `pictures` are the maps that it has as SVG and as PNG, and `drawn` the digests of
    the drawings that these were made from, as far as it names them. `taken_back` are the turns that it says are played again.
    `words` is the digest of the words of a report that is one of ours. `lost`: the mail had a proof file, which is missing; it
    says what to do. `itself` is the result of checking the mail against itself: its HTML, of which it has none if it
    `is_plain`, and what it says about its receipt. `listed` are the orders in an answer; `sent` is what a player wrote, and
    `handed` when the mail was handed over; it is `dated` by its host. `calls` is the seat that its subject names first.
    `silent`: it says that until then there are no answers. `attached` are pbmd's own mails in one that passes them on, and
    `done` what an answer says was done. `asked` are the words of a letter of which it asks whether the player has sent it."""

    statements: tuple[Statement, ...]
    subject: str = ""
    own: Own | None = None
    text: str = field(default="", repr=False)
    body: str = field(default="", repr=False)
    page: str = field(default="", repr=False)
    drawings: tuple[str, ...] = field(default=(), repr=False)
    drawn: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = field(default=(), repr=False)
    checkpoints: tuple[FoundNote, ...] = ()
    keys: tuple[Verifier, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    words: str = ""
    lost: str = ""
    itself: tuple[Finding, ...] = ()
    is_plain: bool = False
    listed: ListedOrders | None = None
    sent: SentLetter | None = None
    handed: tuple[Handed, ...] = ()
    dated: datetime | None = None
    calls: str = ""
    silent: datetime | None = None
    attached: tuple["Claims", ...] = field(default=(), repr=False)
    done: frozenset[Done] = frozenset()
    asked: str = ""

    @property
    def games(self) -> frozenset[str]:
        """The names of the games that it is about, as far as it says."""
        signed = (found.checkpoint.game for found in self.checkpoints)
        return frozenset((*(each.game for each in self.statements if each.game), *signed))

    @property
    def says_anything(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.statements or self.checkpoints)

    def first(self, what: str) -> str:
        """The first value of that kind in all of it; empty if none is claimed."""
        return next(filter(None, (each.first(what) for each in self.statements)), "")

    @property
    def shows_otherwise(self) -> bool:
        """Whether it shows something else than its text says, or its text says something else than the proof file, or may do
        so."""
        return any(not each.holds and each.whole for each in self.itself)


def claims_of_code(code: str) -> Claims:
    """The claim in the number of a receipt, four words, or a digest, chain head, secret, commitment or salt in hex. Raises
    `NoReceipt`."""
    text = code.strip().lower().removeprefix("#")
    if are_four_words(text):
        return Claims((Statement((Value(FOUR_WORDS, text),)),))
    if re.fullmatch(r"\d{1,9}", text):
        return Claims((Statement((Value(RECEIPT, str(int(text))),)),))
    if re.fullmatch(rf"[0-9a-f]{{{SHORTEST_HEX},64}}", text):
        return Claims((Statement((Value(ANY, text),)),))
    raise NoReceipt(
        f'"{code[:80]}" is neither a file or folder, nor the number of a receipt, nor four words of a turn, nor a chain head '
        f"(at least {SHORTEST_HEX} digits)"
    )


def claims_of_mail(raw: bytes) -> Claims:
    """What a mail says, even one in which a mail of pbmd was forwarded or quoted; nothing if it has nothing of pbmd's. Raises
    `NoReceipt` for one that has more of it than any mail has."""
    message = mail_in(raw)
    claims, letters = _claims_of(message), tuple(letters_in(message))
    html = held_each(letters, _begins, says=claims.says_anything)
    held = (*html, *(came for letter in letters if letter.own for came in _of_itself(letter, letter.own)))
    itself = tuple(each for each in held if each.what != SUBJECT or not each.holds)
    if claims.own is None:
        ours = (each for each in letters[1:] if each.own and not each.is_inside)
        attached = tuple(_as_ours(_claims_of(each.message), each) for each in ours)
        return replace(claims, itself=itself, sent=sent_letter(message, raw), attached=attached)
    calls = next((each.value for each in held if each.what == SUBJECT and each.holds), "")
    handed, itself = handed_over(message, claims.own), (*itself, *_of_form(claims))
    claims = replace(claims, itself=itself, is_plain=not letters[0].pages, handed=handed, calls=calls)
    return _as_ours(claims, letters[0])


def _as_ours(claims: Claims, letter: Letter) -> Claims:
    """With what only mails of ours say."""
    text, dated = "\n".join(letter.texts), moment_in(header_of(letter.message, "Date"))
    silent = silent_until(in_one_line(own_words(text))) if claims.own and claims.own.kind == SILENCE else None
    claims = replace(claims, dated=dated, silent=silent, asked=asked_of(text))
    return _with_listed(claims, letter) if claims.own and claims.own.kind in (ANSWER, NOTICE, REMINDER) else claims


def _begins(letter: Letter, above: str, text: str) -> bool:
    """Whether such a mail begins with this text, if that is left without what stands above it."""
    own, (other, lines) = letter.own, (own_words(as_seen(each)) for each in (above, text))
    return own is not None and begins_as_sent(own, letter.subject, other, lines)


def _of_form(claims: Claims) -> Iterator[Finding]:
    """Whether the order form of a report shows the head that the file beside it has: that is what a reply brings back."""
    heads, forms = (
        {said.value for each in claims.statements for said in each.values if said.what == what} for what in (HEAD, FORM_HEAD)
    )
    is_one = claims.own is not None and claims.own.kind == REPORT and len(heads) == 1
    if is_one and (other := next((form for form in forms if not min(heads).startswith(form)), "")):
        yield Finding(FORM_HEAD, other, None, "its order form shows another head than the file beside it")


def _with_listed(claims: Claims, letter: Letter) -> Claims:
    """With what an answer lists; an answer to orders must be that of one letter."""
    values = [(said.what, said.value) for statement in claims.statements for said in statement.values]
    listed = listed_orders("\n".join(letter.texts), letter.proofs, values)
    if claims.own is None or claims.own.kind != ANSWER:
        return replace(claims, listed=listed)
    text = in_one_line(own_words("\n".join(letter.texts)))
    done = told_done(text, to_seat=bool(claims.own.seat))
    due = tuple(Value(DUE, describe_time(at)) for at in calendar_times(letter.message, text))
    if due:
        claims = replace(claims, statements=(*claims.statements, Statement(due, *sorted(claims.games)[:1])))
    return replace(claims, listed=listed, itself=(*claims.itself, *of_itself(listed)), done=done)


def _of_itself(letter: Letter, own: Own) -> Iterator[Finding]:
    """Whether a mail of ours is of the kind that it says, answers to it go where they belong, and its text says the same as its
    proof file."""
    text = "\n".join(letter.texts)
    lines = own_words(as_seen(text))
    body = in_one_line(lines)
    yield from examine_kind(own, body)
    if own.kind == PRESS:
        yield from examine_press(lines)
    yield from examine_subject(own, letter.subject, text)
    if own.kind == ANSWER:
        yield from examine_vote(body, letter.proofs)
    yield from examine_times(body, moment_in(header_of(letter.message, "Date")))
    yield from examine_frame(letter, own, body)
    if elsewhere := leads_elsewhere(own):
        yield Finding(SEAT, own.seat, None, f"answers to it go to {elsewhere}, and not to the game", whole=False)
    held = {ANSWER: _of_answer, REPORT: _of_words}.get(own.kind)
    if held and letter.texts:
        yield from held(in_one_line(own_words(text)), letter.proofs)


def _of_answer(body: str, proofs: Sequence[str]) -> Iterator[Finding]:
    """Whether an answer says the same about its receipt as its proof file."""
    wrong = wrong_receipt(body, proofs)
    if wrong is not None:
        yield Finding(ITS_RECEIPT, "", not wrong, wrong or "number and time in its text are those of the file beside it")


def _of_words(body: str, proofs: Sequence[str]) -> Iterator[Finding]:
    """Whether a report says the same about words and orders as its proof file, and both have all that each report has."""
    body = f"{body} "
    if missing := lacks(body, proofs):
        yield Finding(ITS_WORDS, "", None, f"it has no {missing}, as every report has")
    if proofs and (used := wrong_use(body, proofs)):  # of a report without a file `lacks` tells
        yield Finding(ITS_RECEIPT, "", None if used.startswith("only") else False, used)
    wrong = wrong_words(body, proofs)
    if wrong is not None:
        told = f"it says {wrong}" if wrong else "they are those of the hash in the file beside it"
        yield Finding(ITS_WORDS, "", not wrong, told)


def _claims_of(message: Message) -> Claims:
    """What its text and its proof files say. Raises `NoReceipt`."""
    bodies, files = tuple(texts_of(message, "text/plain")), tuple(proofs_in(message))
    lines = as_seen("\n".join((*bodies, *files)))
    subject = header_of(message, "Subject")
    own = own_of(message)
    is_reply = own is None and SEAT_TAG.search(header_of(message, "To"))  # which only quotes the mail that it answers
    statements = _stated(lines, message, own) if not is_reply else _of_reply(lines, message)
    subject = subject[:_SUBJECT_CHARS]
    said = own_words(lines)
    signed, keys = tuple(islice(notes_in(said), MOST_FOUND)), tuple(dict.fromkeys(islice(keys_in(said), MOST_FOUND)))
    back = tuple(islice(_taken_back(in_one_line(said)), MOST_FOUND))
    if own is not None and own.kind == ANSWER and files:
        own = replace(own, steps=None)  # the proof file of an older report has older values
    told = {each.first(AS_SENT) for each in statements}
    words = digest_as_sent(bodies, told) if own and own.kind == REPORT else ""
    lost = "" if files or is_reply else lost_file(in_one_line(said), subject)
    claims = Claims(statements, subject, own, checkpoints=signed, keys=keys, taken_back=back, words=words, lost=lost)
    return claims if all(each.report is None for each in statements) else _with_report(claims, message, lines)


def _stated(lines: str, message: Message, own: Own | None) -> tuple[Statement, ...]:
    return stated(lines, header_of(message, "Subject"), game_number(message, lines), own.kind if own else "")


def _of_reply(lines: str, message: Message) -> tuple[Statement, ...]:
    """What a letter of a player states: nothing in what it says to others, whatever that looks like, and no ballot, for who
    writes "You have voted no" asks why."""
    lines = "\n".join(without_press(lines.split("\n")))
    return tuple(each.without(BALLOT) for each in _stated(lines, message, None))


def _with_report(claims: Claims, message: Message, lines: str) -> Claims:
    """With the report as it stands there; its page and maps are those of one of pbmd's own mails, even one that is attached,
    which is as it was sent."""
    ours = [message] if claims.own else [each.message for each in letters_in(message) if each.own]
    if len(ours) != 1:
        return replace(claims, text=lines)
    [message] = ours
    page, drawings = next(texts_of(message, "text/html"), ""), tuple(texts_of(message, "image/svg+xml"))
    drawn = tuple(islice(filter(None, (digest_told(header_of(part, "Content-ID")) for part in message.walk())), MOST_FOUND))
    pictures = tuple(parts_of(message, "image/png"))
    body = as_seen("\n".join(texts_of(message, "text/plain")))
    return replace(claims, text=lines, body=body, page=page, drawings=drawings, drawn=drawn, pictures=pictures)


def claims_of_note(text: str) -> Claims:
    """The checkpoints in a file of their own."""
    return Claims((), checkpoints=tuple(islice(notes_in(text), MOST_FOUND)), keys=tuple(islice(keys_in(text), MOST_FOUND)))


def _taken_back(text: str) -> Iterator[TakenBack]:
    """Which turns a mail says are played again."""
    for match in TAKEN_BACK.finditer(text):
        first, last = turn_of(match["turn"]), turn_of(match["left"])
        if first is not None and last is not None:
            yield TakenBack(match["game"], first, last)

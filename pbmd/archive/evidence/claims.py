"""What is claimed: by a mail of pbmd that somebody kept, or by one value from it.

A mail claims in *statements*: what stands together in one place in it, such as a receipt with the arrival, the digest and the
chain head below it, or the text of a report and its foot. A mail can have many, its own and those that it quotes; each value of
each is checked. What our mails pass on in somebody else's words stands after a mark (`pbmd.rendering.render.said`) and claims
nothing, whatever it looks like.
"""

import email
import email.policy
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import NamedTuple

from pbmd.archive.appearance.html_against_text import ClaimResult, held_each
from pbmd.archive.appearance.inner_mails import Letter, letters_in
from pbmd.archive.appearance.mail_header import Own, leads_elsewhere, own_of
from pbmd.archive.evidence.mail_kinds.answers import ListedOrders, listed_orders, of_itself
from pbmd.archive.evidence.mail_kinds.own_kinds import examine_kind, examine_vote
from pbmd.archive.evidence.mail_kinds.received import Handed, handed_over
from pbmd.archive.evidence.mail_kinds.sent_letters import SentLetter, sent_letter
from pbmd.archive.evidence.mail_patterns import (
    AFTER,
    ANSWER,
    ANY,
    ARRIVED,
    BEFORE_REPORT,
    DUE,
    FOOT,
    FORM_HEAD,
    FOUR_WORDS,
    GAMES,
    HEAD,
    ITS_RECEIPT,
    ITS_WORDS,
    NOT_SENT,
    NOTICE,
    NOTICE_MAIL,
    ORDERS_DUE,
    ORDERS_DUE_NOW,
    OTHER_NOTICE,
    PATTERNS,
    PRESS,
    PRESS_IN_REPORT,
    PRESS_MAIL,
    RECEIPT,
    REMINDER,
    REMINDS,
    SEAT,
    SEAT_TAG,
    SECRET,
    TAKEN_BACK,
    TITLES,
    WITHOUT_FOOT,
    WORD,
    lacks,
    lost_file,
    turn_of,
    value_of,
    with_words_told,
    wrong_receipt,
    wrong_use,
    wrong_words,
)
from pbmd.archive.format.press_and_deadlines import as_seen, header_of, in_one_line, parts_of, texts_of
from pbmd.ledger.tables import called
from pbmd.notes.four_words import are_four_words
from pbmd.notes.notes_in_mail import MOST_FOUND, FoundNote, keys_in, notes_in
from pbmd.notes.signed_note import Verifier
from pbmd.post.proof_file import proofs_in, words_digest
from pbmd.rendering.entry_notices import headline_now
from pbmd.rendering.picture import digest_told

LARGEST_MAIL = 25_000_000
"""In bytes; reports come with maps."""
SHORTEST_HEX = 16
"""Digits of a digest or hash that identify it; reports show this many."""

_SAID_LINE = re.compile(r"^[ \t>]*\|.*", re.MULTILINE)
_LETTER = re.compile(r"[^\W_]")
_MOST_STATEMENTS, _MOST_REPORTS = 10_000, 200
_SUBJECT_CHARS = 120
_REPORT = "report"


class NoReceipt(ValueError):
    """The argument is no receipt and no value from one; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `entry` is the number of the entry that a head is claimed to belong to, 0 if none; `step` the claimed step of
    a secret or commitment; `game` the game that the value itself names."""

    what: str
    value: str
    entry: int = 0
    step: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What stands together. `report` is the text of a report, from after its opening words up to its foot, with blanks for line
    breaks; None if there is none. It is the one for a seat, the public one, or one that was sent again; `step` is the step that
    it names, if it does. `press` is what another player, the `writer`, wrote to the `readers`, in a mail that passes it on.
    `headline` is the first sentence of a notice, `told` what stands behind it, and `said` what of that is in somebody else's
    words."""

    values: tuple[Value, ...]
    game: str = ""
    report: str | None = None
    kind: str = "seat"
    step: str = ""
    press: str | None = None
    writer: str = ""
    readers: str = ""
    headline: str = ""
    told: str = ""
    said: str = ""

    def first(self, what: str) -> str:
        """The first value of that kind; empty if none is claimed."""
        return next((each.value for each in self.values if each.what == what), "")


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
    `handed` when the mail was handed over; it is `dated` by its host."""

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
    itself: tuple[ClaimResult, ...] = ()
    is_plain: bool = False
    listed: ListedOrders | None = None
    sent: SentLetter | None = None
    handed: Handed | None = None
    dated: datetime | None = None

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
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    claims, letters = _claims_of(message), tuple(letters_in(message))
    html = held_each(letters, says=claims.says_anything)
    itself = (*html, *(came for letter in letters for came in (*_of_kind(letter), *_of_answer(letter), *_of_words(letter))))
    if claims.own is not None and claims.own.kind == ANSWER:
        values = [(said.what, said.value) for statement in claims.statements for said in statement.values]
        listed = listed_orders("\n".join(letters[0].texts), letters[0].proofs, values)
        claims, itself = replace(claims, listed=listed), (*itself, *of_itself(listed))
    sent = sent_letter(message, raw) if claims.own is None else None
    handed = handed_over(message, claims.own) if claims.own is not None else None
    dated = next(moments_in(header_of(message, "Date")), None) if claims.own is not None else None
    claims = replace(claims, sent=sent, handed=handed, dated=dated)
    return replace(claims, itself=itself, is_plain=claims.own is not None and not letters[0].pages)


def _of_kind(letter: Letter) -> Iterator[ClaimResult]:
    """Whether a mail of ours is of the kind that it says, and answers to it go where they belong."""
    own = own_of(letter.message)
    if own is None:
        return
    body = in_one_line(_SAID_LINE.sub(_masked, "\n".join(letter.texts)))
    yield from examine_kind(own, body)
    if own.kind == ANSWER:
        yield from examine_vote(body, letter.proofs)
    if elsewhere := leads_elsewhere(own):
        yield ClaimResult(SEAT, own.seat, None, f"answers to it go to {elsewhere}, and not to the game", whole=False)


def _of_answer(letter: Letter) -> Iterator[ClaimResult]:
    """Whether an answer says the same about its receipt as its proof file."""
    own = own_of(letter.message)
    body = in_one_line(_SAID_LINE.sub(_masked, "\n".join(letter.texts)))
    wrong = wrong_receipt(body, letter.proofs) if own and own.kind == ANSWER else None
    if wrong is not None:
        yield ClaimResult(ITS_RECEIPT, "", not wrong, wrong or "number and time in its text are those of the file beside it")


def _of_words(letter: Letter) -> Iterator[ClaimResult]:
    """Whether a report says the same about words and orders as its proof file, and both have all that each report has."""
    own = own_of(letter.message)
    if own is None or own.kind != _REPORT or not letter.texts:
        return
    lines = _SAID_LINE.sub(_masked, "\n".join(letter.texts))
    body = f"{in_one_line(lines)} "
    if missing := lacks(body, letter.proofs):
        yield ClaimResult(ITS_WORDS, "", None, f"it has no {missing}, as every report has")
    if letter.proofs and (used := wrong_use(body, letter.proofs)):  # of a report without a file `lacks` tells
        yield ClaimResult(ITS_RECEIPT, "", None if used.startswith("only") else False, used)
    wrong = wrong_words(body, letter.proofs)
    if wrong is not None:
        told = f"it says {wrong}" if wrong else "they are those of the hash in the file beside it"
        yield ClaimResult(ITS_WORDS, "", not wrong, told)


def _claims_of(message: Message) -> Claims:
    """What its text and its proof files say. Raises `NoReceipt`."""
    bodies, files = tuple(texts_of(message, "text/plain")), tuple(proofs_in(message))
    lines = as_seen("\n".join((*bodies, *files)))
    subject = header_of(message, "Subject")
    own = own_of(message)
    statements = _stated(lines, subject, _game_number(message, lines), own.kind if own else "")
    subject = subject[:_SUBJECT_CHARS]
    said = _SAID_LINE.sub(_masked, lines)
    signed, keys = tuple(islice(notes_in(said), MOST_FOUND)), tuple(dict.fromkeys(islice(keys_in(said), MOST_FOUND)))
    back = tuple(islice(_taken_back(in_one_line(said)), MOST_FOUND))
    if own is not None and own.kind == ANSWER and files:
        own = replace(own, steps=None)  # the proof file of an older report has older values
    words = words_digest(bodies[0]) if own and own.kind == _REPORT and bodies else ""
    is_reply = own is None and SEAT_TAG.search(header_of(message, "To"))  # which only quotes the mail that it answers
    lost = "" if files or is_reply else lost_file(in_one_line(said), subject)
    claims = Claims(statements, subject, own, checkpoints=signed, keys=keys, taken_back=back, words=words, lost=lost)
    return claims if all(each.report is None for each in statements) else _with_report(claims, message, lines)


def _with_report(claims: Claims, message: Message, lines: str) -> Claims:
    """With the report as it stands there; its page and maps are those of one of pbmd's own mails, even one that is attached,
    which is as it was sent."""
    ours = [message] if claims.own else [each.message for each in letters_in(message) if own_of(each.message)]
    return _with_page(claims, ours[0], lines) if len(ours) == 1 else replace(claims, text=lines)


def _stated(lines: str, subject: str, number: str, kind: str) -> tuple[Statement, ...]:
    """What the lines of a mail state; `kind` is that of one of pbmd's own mails. Raises `NoReceipt`."""
    if kind == PRESS:
        return tuple(_press(lines))
    statements = tuple(islice(_statements(lines, subject, number), _MOST_STATEMENTS + 1))
    if kind == NOTICE:
        statements = (*_notice(lines), *statements)
        if not statements and (game := _game_in(subject)):
            statements = (Statement((), game, kind=NOTICE),)
    if kind == REMINDER:
        statements = (*_reminder(lines), *statements)
    if kind == _REPORT:
        statements = (*statements, *_press_in_report(lines, subject))
    if len(statements) > _MOST_STATEMENTS or sum(each.report is not None for each in statements) > _MOST_REPORTS:
        raise NoReceipt(f"it has more than {_MOST_STATEMENTS} receipts or {_MOST_REPORTS} reports, which no mail of pbmd has")
    return statements


def _with_page(claims: Claims, message: Message, lines: str) -> Claims:
    """With the report as it stands there, its page and its maps."""
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


def moments_in(value: str) -> Iterator[datetime]:
    """The time that a mail gives, if it is one."""
    with suppress(ValueError):
        yield parsedate_to_datetime(value.replace(" UTC", " +0000")).astimezone(UTC)


def _statements(lines: str, subject: str, number: str) -> Iterator[Statement]:
    """The statements of a text; `number` is the number of its game."""
    lines = with_words_told(lines)
    text, own = in_one_line(lines), in_one_line(_SAID_LINE.sub(_masked, lines))
    named = _game_in(subject)
    games = sorted((match.start(), match["game"]) for pattern in GAMES for match in pattern.finditer(own))
    games.insert(0, (-1, named))
    titles = _titles(own)
    last = 0
    for group in _groups(own, number):
        begin, end = group[0][0], group[-1][0]
        values = tuple(value for _, value in group)
        game = values[0].game or games[bisect_right(games, (end, "\uffff")) - 1][1]
        title = _title_between(titles, last, begin)
        if title is not None and any(each.what == HEAD for each in values) and _is_foot(own, begin):
            report = text[title.end : begin - len(FOOT) - 1].strip()
            yield Statement((*_orders_due(own, title.end, begin), *values), game, report, step=_step_of(title, values))
            last = end
        elif not {value.what for value in values} <= {ARRIVED, DUE, WORD}:  # it does not say of what
            yield Statement(values, game)
    yield from _without_foot(text, own, named)


def _title_between(titles: Sequence["_Title"], last: int, begin: int) -> "_Title | None":
    """The first title after the previous foot: anything further down is inside the report, and may be a player's words."""
    at = bisect_left(titles, last, key=lambda title: title.begin)
    return titles[at] if at < len(titles) and titles[at].end <= begin else None


def _orders_due(own: str, begin: int, end: int) -> Iterator[Value]:
    """When orders are due, as a report says before its own words."""
    if due := ORDERS_DUE.search(own, begin, min(begin + BEFORE_REPORT, end)):
        yield Value(DUE, due["value"])


def _press(lines: str) -> Iterator[Statement]:
    """Press that a mail passes on. What it says is a player's word, and claims nothing else."""
    if match := PRESS_MAIL.match("\n".join(line.rstrip(" \t") for line in lines.split("\n"))):
        yield Statement(
            (),
            match["game"],
            step=match["step"],
            press=in_one_line(match["text"]),
            writer=match["writer"],
            readers=in_one_line(match["readers"]),
        )


def _press_in_report(lines: str, subject: str) -> Iterator[Statement]:
    """The press that a report brings."""
    game = _game_in(subject)
    for match in islice(PRESS_IN_REPORT.finditer(lines), _MOST_REPORTS):
        press, readers = in_one_line(match["text"]), in_one_line(match["readers"])
        yield Statement((), game, step="a report", press=press, writer=match["writer"], readers=readers)


def _notice(lines: str) -> Iterator[Statement]:
    """A notice: what it says, what stands above it last, and the deadline that it gives."""
    own = f"{in_one_line(_SAID_LINE.sub('', lines))} "
    match = NOTICE_MAIL.search(own) or OTHER_NOTICE.match(own)
    if match is None:
        return
    due = ORDERS_DUE_NOW.search(own, match.end())
    said = in_one_line("\n".join(line[0] for line in _SAID_LINE.finditer(lines)))
    values = (Value(DUE, due["value"]),) if due else ()
    headline = headline_now(match.groupdict().get("headline") or "")
    told = own[match.end() :] + own[: match.start()]
    yield Statement(values, match["game"], None, NOTICE, match["step"], headline=headline, told=told, said=said)


def _reminder(lines: str) -> Iterator[Statement]:
    """A reminder: that no orders have come, and until when they can."""
    own = in_one_line(_SAID_LINE.sub("", lines))
    if match := REMINDS.search(own):
        due = ORDERS_DUE_NOW.search(own, match.end())
        not_sent = (Value(NOT_SENT, "orders"),) if match["how"] == "have come" else ()
        yield Statement((*not_sent, *((Value(DUE, due["value"]),) if due else ())), match["game"], kind=REMINDER)


class _Title(NamedTuple):
    """The opening words of a report for a seat: from where to where they stand, and the step that they name, by its name in the
    books or as players call it."""

    begin: int
    end: int
    step: str
    called: str


def _step_of(title: _Title, values: Iterable[Value]) -> str:
    """The step by its name in the books: where a report uses the players' name, the step whose secret it reveals, if that goes
    by this name, or else what it says."""
    if title.step:
        return title.step
    step = f"{title.called[:1].lower()}{title.called[1:]}"
    return next((said.step for said in values if said.what == SECRET and called(said.step) == step), step)


def _titles(text: str) -> list[_Title]:
    """All titles, in the order of the text."""
    found = (match for pattern in TITLES for match in pattern.finditer(text))
    said = ((match, match.groupdict()) for match in found)
    titles = (_Title(match.start(), match.end(), each.get("step") or "", each.get("called") or "") for match, each in said)
    return sorted(titles, key=lambda title: title.begin)


def _without_foot(text: str, own: str, named: str) -> Iterator[Statement]:
    for kind, pattern, behind in WITHOUT_FOOT:
        last = -1
        titles = [*pattern.finditer(own)]
        ends = [match.start() for match in re.finditer(behind, own)] if behind else []
        for place, match in enumerate(titles):
            following = titles[place + 1].start() if place + 1 < len(titles) else len(own)
            at = bisect_left(ends, match.end())
            end = following if not behind else ends[at] if at < len(ends) else -1
            if end <= last:
                continue  # it is inside the report that began above
            last, said = end, match.groupdict()
            step = (said.get("step") or "").lower()
            yield Statement((), said.get("game") or named, text[match.end() : end].strip(), kind, step)


def _masked(line: re.Match[str]) -> str:
    """A line of somebody else's words, replaced by one of the same length that says nothing."""
    return _LETTER.sub("x", line[0])


def _is_foot(text: str, begin: int) -> bool:
    """Whether the foot of a report begins there."""
    return text.endswith(f"{FOOT} ", 0, begin)


def _groups(text: str, number: str) -> Iterator[list[tuple[int, Value]]]:
    """The values with their places, those of one statement together."""
    found = sorted(
        (match.start("value"), order, what, match)
        for order, (what, pattern) in enumerate(PATTERNS)
        for match in pattern.finditer(text)
    )
    group: list[tuple[int, Value]] = []
    for _, _, what, match in found:
        named = match.groupdict()
        entry, step, game = int(named.get("entry") or 0), named.get("step") or "", _game_named(what, named, number)
        value = Value(what, value_of(what, match), entry, step, game)
        kinds = {each.what for _, each in group}
        if group and (what in kinds or group[-1][1].what not in AFTER[what]):
            yield group
            group = []
        group.append((match.start(), value))
    if group:
        yield group


def _game_named(what: str, found: Mapping[str, str | None], number: str) -> str:
    """The game that a value itself names: in today's forms by its number, which means something only where that is another
    game."""
    of = found.get("of") or ""
    return (found.get("game") or (f"g{of}" if of.isdecimal() and of != number else "")) if what == FORM_HEAD else ""


def _game_in(subject: str) -> str:
    """The game that a subject names; empty if it names none."""
    return next((match["game"] for pattern in GAMES if (match := pattern.search(subject))), "")


def _game_number(message: Message, lines: str) -> str:
    """The number on its host of the game that a mail is about, from its header, else its first form; empty if nothing gives
    it."""
    fields = (header_of(message, name) for name in ("Message-ID", "To", "In-Reply-To", "References"))
    found = next((tag for text in (*fields, lines) if (tag := SEAT_TAG.search(text))), None)
    return found["of"] if found else ""

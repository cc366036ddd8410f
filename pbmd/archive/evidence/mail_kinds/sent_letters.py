"""The letters that a player has sent, held against the answers to them and against the books.

The copy in the player's own folder is what was written; what pbmd took in is what came. A host can drop, alter or hold back a
letter before pbmd sees it: without that copy nothing shows it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import Message
from email.utils import getaddresses

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.mail_header import OWN_ID
from pbmd.archive.evidence.mail_kinds.sent_words import ballots_in, commands_in, other_ballot, outside_messages, press_in
from pbmd.archive.evidence.mail_patterns import BALLOT, PRESS, SEAT_TAG, WORD
from pbmd.archive.format.books import Books
from pbmd.archive.format.findings import BLANK
from pbmd.archive.format.press_and_deadlines import SAID_LINE, header_of, in_one_line, moment_in, same_words, without_said
from pbmd.archive.format.sheets import moment
from pbmd.ledger.entries.parts import Orders
from pbmd.post.lines.command_text import OUTSIDE
from pbmd.post.lines.command_text import Own as OwnForms
from pbmd.post.read.letter import for_seat, read_letter

SENT = "your letter"
_HOUR, _DAY, _LONG = timedelta(hours=1), timedelta(days=1), timedelta(days=14)
_WORD_CHARS = 40
_ASKS = re.compile(r"\bdid you send this mail for \S")
_LISTED = re.compile(r"\s*(?:[-*+•·]|\w{1,2}[.)])\s+")
_WORDS = re.compile(r"\w+|[^\w\s.\"'`*,;:]")
COMMANDS = frozenset(
    (
        *("absent", "address", "anonymous", "anonymously", "archive", "calendar", "cancel", "do not", "don't", "dont", "end"),
        *("extend", "help", "i am", "i'm", "i vote", "im", "join", "list", "new", "no", "order", "orders", "prefer"),
        *("preference", "preferences", "press", "preview", "propose", "report", "rules", "send archive", "send rules"),
        *("send the", "set report", "set reports", "stand-by", "standby", "substitute", "the archive", "time zone", "timezone"),
        *("un-watch", "unwatch", "use", "vote", "watch", "yes"),
    )
)
"""The words with which commands begin, which stand beside orders and are in no entry with orders."""
ALONE = frozenset({"add", "only", "ready", "record", "resign", "status", "wait"})
"""Commands that are a whole line: with more behind them they are orders of some game."""


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter to a seat's address, or with its form: the number of the seat, as tags have it, and its token; what it has as
    orders, if that is certain (`is_form`), what stands `outside` of the form, and the word for the dice. Programs call it a
    draft if it `is_draft`. `press` are the words of messages in it, and `ballots` what it says in which vote."""

    seat: str
    token: str
    message_id: str
    fingerprint: str
    sent_at: datetime | None
    lines: tuple[str, ...]
    is_form: bool
    word: str
    is_draft: bool = False
    outside: tuple[str, ...] = ()
    press: tuple[str, ...] = ()
    ballots: tuple[tuple[str, str], ...] = ()


def sent_letter(message: Message, raw: bytes) -> SentLetter | None:
    """What somebody has written to a game; None if the mail is no such letter, or nobody wrote it."""
    seat, token = _seat_of(message)
    if not seat:
        return None
    letter = for_seat(read_letter(raw), OwnForms(lambda _tag: True))
    if letter.automatic or letter.problem:
        return None
    lines = tuple(line for each in letter.lines if (line := in_one_line(each.text)))
    at = moment_in(header_of(message, "Date"))
    is_draft = any("draft" in name.lower() for name in message)
    form, word = bool(letter.form_tags), letter.brought.word
    outside = tuple(line for each in letter.left_out if each.reason == OUTSIDE for line in each.text.splitlines())
    press, ballots = tuple(press_in([each.original for each in letter.lines])), ballots_in(lines)
    return SentLetter(
        *(seat, token, letter.message_id, letter.fingerprint, at, lines, form, word),
        is_draft=is_draft,
        outside=outside,
        press=press,
        ballots=ballots,
    )


def _seat_of(message: Message) -> tuple[str, str]:
    """The seat whose letter it is, and its token, by where it goes, else by what it answers; empty if it is no such letter, as
    where a mail of the game is shown to a friend."""
    if tag := SEAT_TAG.search(to := header_of(message, "To")):
        seat, _, token = tag[0].lower().partition(".")
        return seat, token
    told = OWN_ID.search(f"{header_of(message, 'In-Reply-To')} {header_of(message, 'References')}")
    if told and any(address.lower().endswith(f"@{told['domain']}") for _, address in getaddresses([to])):
        return told["seat"] or "", told["token"] or ""
    return "", ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A mail that answers a letter of a seat, which is named by its Message-ID: the token of that seat, the receipt in it, 0 if
    it has none, the word and the ballot that it names, and its time. It `settles` what became of orders, and is `of` some
    commands, None if it need not be."""

    letter: str
    seat: str
    token: str
    receipt: int = 0
    word: str = ""
    ballot: str = ""
    at: datetime | None = None
    settles: bool = True
    of: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What the mails show: the answers to each letter of each seat; the seats, with their tokens, that have any answers in
    the game of the books; and the words of letters that are on hold, as their players were asked whether they have sent
    them."""

    answers: Mapping[tuple[str, str], Sequence[Answer]]
    seats: frozenset[tuple[str, str]]
    asked: frozenset[str] = frozenset()


def asked_of(text: str) -> str:
    """The words of a letter of which a mail with this text asks whether its reader has sent it; empty if it does not."""
    said = in_one_line("\n".join(line[0] for line in SAID_LINE.finditer(text)))
    return said if _ASKS.search(without_said(text)) else ""


def answered(mails: Sequence[Answer], of_game: Container[tuple[str, str]], asked: Iterable[str]) -> Answered:
    """The answers by their letters, given the seats of the game of the books, with their tokens."""
    answers = defaultdict[tuple[str, str], list[Answer]](list)
    for each in mails:
        answers[each.letter, each.seat].append(each)
    seats = frozenset(key for each in mails if (key := (each.seat, each.token)) in of_game)
    return Answered(answers, seats, frozenset(asked))


def compare_sent(letter: SentLetter, shown: Answered, books: Books | None) -> Iterator[Finding]:
    """Whether what came, by answers and books, is what was sent."""
    answers = shown.answers.get((letter.message_id, letter.seat), ())
    yield from _answered_otherwise(letter, answers)
    if books is None:
        return
    is_of_game = (letter.seat, letter.token) in shown.seats
    for number, orders in _taken(letter, [each.receipt for each in answers if is_of_game], books):
        yield from _altered(letter, number, orders, books)
        yield from _late(letter, number, orders, books)
    if is_of_game and not letter.is_draft:
        yield from _press_held(letter, books)


def _answered_otherwise(letter: SentLetter, answers: Sequence[Answer]) -> Iterator[Finding]:
    """What the answers to a letter have otherwise, or say nothing of."""
    for each in answers:
        if each.word and letter.word and not _is_word(letter.word, each.word):
            yield Finding(SENT, WORD, False, f'it has the word "{letter.word}", and the answer to it "{each.word}"')
        if each.ballot and (wrote := other_ballot(letter.ballots, each.ballot)):
            yield Finding(SENT, BALLOT, False, f'it says "{wrote}", and the answer to it "{each.ballot}"')
    if answers and all(each.of is not None for each in answers):
        for name in sorted({*commands_in(letter.lines)}.difference(*(each.of or () for each in answers))):
            yield Finding(SENT, name, None, f"it has {name}, and the answer to it says nothing of that")


def unanswered_letters(letters: Sequence[SentLetter], shown: Answered, books: Books) -> Iterator[SentLetter]:
    """Those of which neither an answer nor an entry shows that they came, of a seat that has answers to others. Providers write
    Message-IDs of their own: an answer to none of these letters may be to any that it fits. Copies of a letter are one."""
    letters = [*{(each.message_id, each.seat, each.lines, each.is_draft): each for each in letters}.values()]
    ids = {(letter.message_id, letter.seat) for letter in letters}
    spare = [answers for key, answers in shown.answers.items() if key not in ids]
    for letter in letters:
        if not _is_unanswered(letter, shown, books) or _had_come(letter, letters, shown, books):
            continue
        fitting = next((answers for answers in spare if any(_fits(each, letter, books) for each in answers)), None)
        if fitting is None:
            yield letter
        else:
            spare.remove(fitting)


def _is_unanswered(letter: SentLetter, shown: Answered, books: Books) -> bool:
    is_known = (letter.seat, letter.token) in shown.seats and bool(letter.lines) and bool(letter.message_id)
    is_sent = is_known and not letter.is_draft
    answers = shown.answers.get((letter.message_id, letter.seat), ())
    is_due = not answers or (letter.is_form and bool([*orders_in(letter)]) and not any(each.settles for each in answers))
    is_held = any(same_words(in_one_line("\n".join(letter.lines)), asked) for asked in shown.asked)
    return is_sent and is_due and not is_held and not [*_taken(letter, [each.receipt for each in answers], books)]


def _had_come(letter: SentLetter, letters: Sequence[SentLetter], shown: Answered, books: Books) -> bool:
    """Whether the same words had come in the hour before, and were answered: then they get no second answer."""
    if letter.sent_at is None:
        return False
    same = (each for each in letters if (each.seat, each.lines, each.word) == (letter.seat, letter.lines, letter.word))
    since = ((each, letter.sent_at - each.sent_at) for each in same if each is not letter and each.sent_at)
    return any(timedelta(0) <= ago < _HOUR and not _is_unanswered(each, shown, books) for each, ago in since)


def _fits(answer: Answer, letter: SentLetter, books: Books) -> bool:
    """Whether an answer may be to that letter: it has a receipt for orders that are those of the letter, or none where the
    letter has no orders; and it is of that time, if the letter gives one."""
    later = answer.at - letter.sent_at if answer.at and letter.sent_at else _HOUR
    if answer.seat != letter.seat or not (-_HOUR <= later < _DAY or abs(later) > _LONG):
        return False
    if not answer.receipt:
        return not [*orders_in(letter)]
    held = [(number, orders) for number, orders in books.letters if number == answer.receipt]
    return any(orders.lines and all(each.holds for each in _altered(letter, number, orders, books)) for number, orders in held)


def words_of(letter: SentLetter, *, is_answered: bool = False) -> str:
    """The letter, as it is called in a list; whether a mail answers it that says nothing of its orders."""
    at = f" of {letter.sent_at:%Y-%m-%d %H:%M} UTC" if letter.sent_at else ""
    lost = "it was not sent, or did not come in, or the answer was kept back"
    if is_answered:
        lost = "no entry has its orders, and the mail that answers it says nothing of them"
    return f"an answer to your letter{at}, {letter.message_id}: {lost}"


def _taken(letter: SentLetter, receipts: Sequence[int], books: Books) -> Iterator[tuple[int, Orders]]:
    """The entries that hold what came of a letter: by its fingerprint, else by the receipts in the answers to it."""
    seat = books.numbers.get(letter.seat.partition("p")[2], "")
    of_seat = [(number, orders) for number, orders in books.letters if orders.seat == seat]
    same = [(number, orders) for number, orders in of_seat if orders.letter == letter.fingerprint]
    yield from same or [(number, orders) for number, orders in of_seat if number in receipts and orders.again is None]


def _press_held(letter: SentLetter, books: Books) -> Iterator[Finding]:
    """Whether the books have the press of a letter; a host may have refused it, which the answer says then."""
    known = {kept.words for kept in books.press}
    for words in letter.press if not books.unshown else ():
        if in_one_line(BLANK.text(words)) not in known:
            told = f'it has the message "{words[:80]}", which is not in the books'
            yield not_compared(SENT, PRESS, f"{told}; the answer to it may say why")


def _altered(letter: SentLetter, number: int, orders: Orders, books: Books) -> Iterator[Finding]:
    yield _orders_held(letter, number, orders, books)
    if letter.word and not _is_word(letter.word, orders.word or ""):
        told = f'"{orders.word}"' if orders.word else "none"
        yield Finding(SENT, WORD, False, f'it has the word "{letter.word}", and entry {number} {told}')


def _orders_held(letter: SentLetter, number: int, orders: Orders, books: Books) -> Finding:
    """The lines of a letter, held against those of its entry."""
    of_books = [in_one_line(line) for _, line in orders.lines][orders.joined or 0 :]
    wrote = {*map(_bare, letter.lines)}
    if any(_plain(line).startswith("use orders") for line in letter.lines):
        return not_compared(SENT, "orders", f"it uses orders from before, and entry {number} has them")
    if strange := next((line for line in of_books if _bare(line) not in wrote), ""):
        if _bare(strange) in {*map(_bare, letter.outside)}:  # the desk knows a form that nobody has filled in
            told = f'entry {number} has "{strange[:80]}" in it, which stands outside of its form'
            return not_compared(SENT, "orders", told)
        return Finding(SENT, "orders", False, f'entry {number} has "{strange[:80]}" in it, which it has not')
    if lost := _lost_line(letter, of_books, books):
        return Finding(SENT, "orders", None, f'it has "{lost[:80]}", which entry {number} has not: is it an order?')
    if not _are_in_order(map(_bare, of_books), map(_bare, letter.lines)):
        told = f"entry {number} has lines of it in another order, or more often, than they stand there"
        return Finding(SENT, "orders", None, told)
    return Finding(SENT, "orders", True, f"entry {number} has the orders in it")


def _are_in_order(some: Iterable[str], lines: Iterable[str]) -> bool:
    """Whether these lines stand among the others in the same order, each as often."""
    left = iter(lines)
    return all(line in left for line in some)


def _lost_line(letter: SentLetter, of_books: Sequence[str], books: Books) -> str:
    """The first line of a letter that its entry has not, or not as often; empty if there is none. Without a form only what
    begins like an order of this game may be one."""
    lines = [*orders_in(letter)]
    if not letter.is_form:
        begins = {_bare(text).partition(" ")[0] for _, orders in books.letters for _, text in orders.lines}
        lines = [line for line in lines if _bare(line).partition(" ")[0] in begins]
    lost = Counter(map(_bare, lines)) - Counter(map(_bare, of_books))
    return next((line for line in lines if lost[_bare(line)]), "")


def _late(letter: SentLetter, number: int, orders: Orders, books: Books) -> Iterator[Finding]:
    """Whether a deadline passed between when a letter was written and when it is said to have come."""
    arrived, sent = moment(orders.arrival), letter.sent_at
    if sent is None or not _HOUR <= arrived - sent < _LONG:
        return
    if orders.state == "late" or any(sent < deadline <= arrived for deadline in books.deadlines):
        told = f"it was written {sent:%Y-%m-%d %H:%M} UTC, and by entry {number} it came behind a deadline,"
        yield Finding(SENT, "time", None, f"{told} {arrived:%Y-%m-%d %H:%M} UTC; ask your mail server when it handed it over")


def orders_in(letter: SentLetter) -> Iterator[str]:
    """The lines that are no command, and no words of press."""
    for line in outside_messages(letter.lines):
        word, *others = (each.rstrip(":") for each in line.lower().replace("’", "'").split()[:2])
        if word not in (COMMANDS if others else COMMANDS | ALONE) and " ".join((word, *others)) not in COMMANDS:
            yield line


def _bare(line: str) -> str:
    """A line without the marks that the desk takes off as well: those of lists, of bold print and quotation, a full stop."""
    return " ".join(_WORDS.findall(_LISTED.sub("", line.casefold()).replace("_", " ")))


def _plain(line: str) -> str:
    return " ".join(line.casefold().split())


def _is_word(written: str, came: str) -> bool:
    """Words of more than so many characters are cut."""
    return bool(came) and _plain(came) in (_plain(written), _plain(written[:_WORD_CHARS]))

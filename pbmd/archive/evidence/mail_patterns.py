"""How mails of pbmd word what can be checked: the kinds of values, and the words around them.

This is the one place that knows how the templates of mails are worded.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from urllib.parse import quote, unquote

from pbmd.notes.four_words import FORM, four_words
from pbmd.notes.notes_in_mail import notes_in
from pbmd.post.lines.form_line import digits_of
from pbmd.rendering.entry_notices import HEADLINES, OLD_HEADLINES, TIME

RECEIPT, ARRIVED, DIGEST, HEAD, SECRET, COMMITMENT = "receipt", "arrived", "digest", "chain head", "dice secret", "commitment"
OLD_HEAD, SALT, REPORT, PAGE, MAP, ANY = "head of before", "salt", "report", "its page", "its map", "value"
PRESS, DUE, NOTICE, SEAT, BALLOT = "press", "deadline", "notice", "seat", "ballot"
REMINDER, SILENCE, NOT_SENT = "reminder", "silence", "what has not come"
CHECKPOINT, REPLACED, AS_SENT = "checkpoint", "commitment before", "mail as sent"
ITS_RECEIPT, ANSWER = "its receipt", "acknowledgement"
TURN_HEAD, ITS_WORDS, FOUR_WORDS = "entry of the turn", "its four words", "four words"
SET_UP = "the set-up"
"""The step of a commitment that is given before the game begins."""
FORM_HEAD, WORD = "head in form", "word"
_HEX = "(?P<value>[0-9a-f]{64})"
_WHEN = r"(?P<value>\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?::\d\d)? UTC)"
_ENTRY = r"entry (?P<entry>\d{1,9})"
_AT_ENTRY = rf"(?:, {_ENTRY})?"
_GAME = r"[a-z0-9-]{1,64}"
_STEP = r"(?P<step>[^:,]{1,80}?)"
_TAG = r"(?:g(?P<of>\d{1,9}|x{1,9})p\w{1,6}\.|- ?[a-z2-7]{8}\.)[a-z2-7]{8,16}"
_SAID = (
    (RECEIPT, r"\bReceipt (?P<value>\d{1,9}) of game (?P<game>[a-z0-9-]{1,64}),"),
    (RECEIPT, r"Orders used: receipt (?P<value>\d{1,9}),"),
    (DIGEST, r"Orders used: digest (?P<value>[0-9a-f]{16}),"),
    (ARRIVED, rf"\bArrived {_WHEN}"),
    (ARRIVED, rf"Orders used: [^,]{{1,40}}, arrived {_WHEN}"),
    (DUE, rf"\b(?:Deadline|Due|Orders are due) {_WHEN}"),
    (DIGEST, rf"\bDigest {_HEX}"),
    (HEAD, rf"\bChain head (?:at {_ENTRY}: )?{_HEX}"),
    (HEAD, rf"\bHead of the journal{_AT_ENTRY}: {_HEX}"),
    (
        TURN_HEAD,
        rf"\bWords of {_STEP}, the same for everybody: {FORM} Made of the hash of its entry in the journal{_AT_ENTRY}: {_HEX}",
    ),
    (AS_SENT, rf"\bDigest of the report that this file came with(?: \(the words of the mail\))?: {_HEX}"),
    (
        BALLOT,
        r"\bYou have (?:voted )?(?P<value>(?:(?<=voted )(?:yes|no)|no ballot) in vote \d{1,9})(?=,(?P<step>.{0,1000}))",
    ),
    (OLD_HEAD, rf"\bIts journal ended with (?:{_ENTRY}, )?{_HEX}"),
    (SECRET, rf"\bDice secret of {_STEP}(?:, now revealed)?: {_HEX}"),
    (COMMITMENT, rf"\bCommitment to the dice secret of {_STEP}(?: \(its SHA-256\))?: {_HEX}"),
    (REPLACED, rf"\bIn place of the commitment: {_HEX}"),
    (FORM_HEAD, rf"(?<![^ ])#head (?P<game>{_GAME}) (?:(?P<entry>\d{{1,9}}) )?(?P<value>[0-9a-f]{{16,64}})(?![^ ])"),
    (
        FORM_HEAD,
        rf"(?i:(?<![^ ])# ?orders {_TAG} (?:(?P<entry>\d{{1,9}})|x)\.(?P<value>(?P<letters>[a-z2-7]{{20}}))(?![^ ]))",
    ),
    (WORD, r"\bWord that goes into the dice with these orders: =(?P<value>\S+)"),
    (SALT, rf"\bYour salt for the dice of {_STEP}(?:, known to you alone)?: (?P<value>[0-9a-f]{{32}})\b"),
)
PATTERNS = tuple((what, re.compile(says)) for what, says in _SAID)
"""What our mails say, in text whose line breaks have become blanks, and in which words for the dice are `with_words_told`. Of a
ballot the step is what stands behind it: where the words of the proposal end, only the books know."""
AFTER = {
    RECEIPT: frozenset[str](),
    ARRIVED: frozenset({RECEIPT, DIGEST}),
    DUE: frozenset({RECEIPT, ARRIVED}),
    DIGEST: frozenset({RECEIPT, ARRIVED, DUE}),
    SECRET: frozenset[str](),
    COMMITMENT: frozenset({SECRET}),
    REPLACED: frozenset({COMMITMENT}),
    SALT: frozenset({SECRET, COMMITMENT, REPLACED}),
    HEAD: frozenset({RECEIPT, ARRIVED, DUE, DIGEST, SECRET, COMMITMENT, SALT, BALLOT}),
    AS_SENT: frozenset({SECRET, COMMITMENT, SALT, HEAD}),
    TURN_HEAD: frozenset[str](),
    BALLOT: frozenset[str](),
    OLD_HEAD: frozenset[str](),
    FORM_HEAD: frozenset[str](),
    WORD: frozenset({RECEIPT, ARRIVED, DUE, DIGEST, HEAD}),
}
"""What a value can follow within one statement, which has each kind only once."""
GAMES = (
    re.compile(r"\bReceipt \d{1,9} of game (?P<game>[a-z0-9-]{1,64}),"),
    re.compile(r"\[pbmd (?P<game>[a-z0-9-]{1,64})(?: t\d| \]|\])"),
    re.compile(r"\breport of (?:phase )?\w[\w -]{0,60} of (?P<game>[a-z0-9-]{1,64}) for "),
    re.compile(r": the game (?P<game>[a-z0-9-]{1,64}) (?:begins\. You are|is over\.)"),
    re.compile(r": (?P<game>[a-z0-9-]{1,64}) (?:[A-Z][\w -]{0,60}: what happened\.|The game is over\.|(?P=game) begins, and )"),
)
TITLES = (
    re.compile(r": (?P<game>[a-z0-9-]{1,64}) (?P<called>[A-Z][\w -]{0,60}): what happened\. You (?:are|were) (?=\S)"),
    re.compile(r": (?P<game>[a-z0-9-]{1,64}) (?P=game) begins, and you are (?=\S)"),
    re.compile(r": (?P<game>[a-z0-9-]{1,64}) The game is over\. "),
    re.compile(r"(?<!It goes with: )\breport of (?P<step>\w[\w -]{0,60}) of (?P<game>[a-z0-9-]{1,64}) for (?=\S)"),
    re.compile(r": the game (?P<game>[a-z0-9-]{1,64}) begins\. You are (?=\S)"),
    re.compile(r": the game (?P<game>[a-z0-9-]{1,64}) is over\. "),
)
"""How a report for a seat begins, before the name of the seat; those of 1.0 last. A step is `called` as players say it."""
_OF_NOW = 3
"""The first ones, this many, are of this version."""
ORDERS_DUE = re.compile(rf"\b(?:Orders for [^:]{{1,80}}? are due|NEXT: ORDERS FOR [^:]{{1,80}}? Due) {_WHEN}")
REMINDS = re.compile(
    rf": no orders of yours (?P<how>have come|could be used|could be read) yet for [^.]{{1,80}}? of (?P<game>{_GAME})\."
)
"""A reminder, and whether it says that nothing has come."""
ORDERS_DUE_NOW = re.compile(rf"\b(?:Deadline|Due|Orders are due) {_WHEN}")
TELLS_OF_FILE = re.compile(
    r"\b(?:The proof of [^.;]{1,80} is attached; RULES FAIRNESS tells|it and the file attached to it prove)"
)
"""What our mails say if they come with a proof file."""
BEFORE_REPORT = 4000
"""A report says within this many characters when orders are due: before its own words, except those about the reader's
orders."""
FOOT = "FAIRNESS"
_WATCHED = r"You (?:are watching|watch) this game\."
WITHOUT_FOOT = (
    ("public", re.compile(r"\bpublic report of (?P<step>turn \d{1,6}) of (?P<game>[a-z0-9-]{1,64})\. "), _WATCHED),
    (
        "public",
        re.compile(r": (?P<game>[a-z0-9-]{1,64}) (?P<step>Turn \d{1,6}): what happened\. (?!You (?:are|were) )"),
        _WATCHED,
    ),
    ("public", re.compile(r": (?P<game>[a-z0-9-]{1,64}) (?P=game) begins\. "), _WATCHED),
    ("public", re.compile(r": (?P<game>[a-z0-9-]{1,64}) The game is over\. "), _WATCHED),
    ("public", re.compile(r": the game (?P<game>[a-z0-9-]{1,64}) begins\. (?!You are )"), _WATCHED),
    ("public", re.compile(r": the game (?P<game>[a-z0-9-]{1,64}) is over\. "), _WATCHED),
    ("again", re.compile(r"\bREPORT OF (?P<step>(?:[A-Z0-9 -]{1,40} OF )?TURN \d{1,6}|THE BEGINNING) "), ""),
    ("again", re.compile(r"\bTHE REPORT AS THE GAME STANDS "), FOOT),
)
"""Reports that have no values to check: the public one, and those that are sent again; their opening words, and a pattern for
what follows."""
WITH_REPORT = (*TITLES, *(title for _, title, _ in WITHOUT_FOOT))
"""How texts with a report begin."""
_OF_NOW_TO_ALL = slice(1, 4)
"""Those of this version that go to who watches."""
PRESS_MAIL = re.compile(
    r"\A(?:(?!\|)[^\n]*\n){0,8}?[ \t]*Press in (?P<game>[a-z0-9-]{1,64}), (?P<step>[^\n]{1,80})\n+"
    r"From: (?P<writer>[^\n]{1,200})\n+"
    r"To:(?P<readers> [^\n]*\n(?:\n* +(?![ |])[^\n]*\n)*)\n(?P<text>(?:[ \t]*\|[^\n]*\n|[ \t]*\n)+)--[ \t]*\n"
)
"""In lines without blanks at their ends, between which there may be empty ones."""


def press_mail(lines: str) -> re.Match[str] | None:
    """A mail that passes press on, from the words above it to the line below what was written; None if it is none."""
    return PRESS_MAIL.match("\n".join(line.rstrip(" \t") for line in lines.split("\n")))


PRESS_IN_REPORT = re.compile(
    r"^[ \t]*From (?P<writer>[^\n]{1,200}?) to (?P<readers>[^\n]{1,2000}):[ \t]*\n"
    r"(?P<text>(?:[ \t]*\|[^\n]*(?:\n|\Z)|[ \t]*\n)+)",
    re.MULTILINE,
)
TAKEN_BACK = re.compile(
    rf"\bhas taken (?P<game>{_GAME}) back from (?P<left>[^.]{{1,80}}?) to the beginning of (?P<turn>turn \d{{1,6}})\b"
)
"""In a mail that a turn is played again."""
STANDS = re.compile(r"\b(?:THE REPORT AS|HOW) THE GAME STANDS\b")
"""What stands below that in such a mail."""
_HEADLINES = "|".join((*HEADLINES, *OLD_HEADLINES))
_NOTICE = r"(?<![^ ])(?P<game>[a-z0-9-]{1,64}), (?P<step>[^:.,]{1,80}): "
NOTICE_MAIL = re.compile(rf"{_NOTICE}(?P<headline>{_HEADLINES})\. ")
OTHER_NOTICE = re.compile(rf"\A{_NOTICE}")
LENGTH = r"\d{1,6} (?:days?|h|min|s)(?: \d{1,2} (?:h|min|s))?"
_RESUMED = rf"(?:(?:at least )?{LENGTH} after|when) the game resumes"
TO_THE_SECOND = TIME.replace(r"\d\d:\d\d", r"\d\d:\d\d(?::\d\d)?")
LEFT = re.compile(rf"(?P<at>{TO_THE_SECOND})(?:,? \(?(?:in|Time left) (?:less than )?(?P<left>{LENGTH}))?")
"""A time, and how long it is until then."""
HAVE_SENT = (
    r"(?:Nobody has sent orders yet|(?:(?P<names>@names) \()?(?P<count>\d{1,4}) of (?P<many>\d{1,4})\)?(?: players?)? "
    r"ha(?:s|ve) sent orders)\."
)
KNOWN = "\ue000"
"""Stands in a text for what was known of it."""
_SIGNED = r"CHECKPOINT \(the head of the journal, signed with this key\)"
_PLACES = {
    "@time": TIME,
    "@second": TO_THE_SECOND,
    "@until": f"(?:{TIME}|{_RESUMED})",
    "@resumed": _RESUMED,
    "@left": rf"(?:(?:, in| Time left) (?:at least |less than )?{LENGTH})?",
    "@read": "as soon as all mail that has arrived is read, since the game master is ending this now",
    "@between": rf"(?:,| between {TIME} and)",
    "@game": _GAME,
    "@known": KNOWN,
    "@signed": _SIGNED,
}


def _any_of(seats: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(seats, key=len, reverse=True)))})"


def names_of(seats: Collection[str]) -> str:
    """Names of some of these seats, one behind the other, as a regular expression."""
    return f"{_any_of(seats)}(?:(?:, | and ){_any_of(seats)}){{0,99}}"


def names_in(text: str, seats: Iterable[str]) -> set[str]:
    """The seats in such a list."""
    return {*re.findall(_any_of(seats), text)}


@lru_cache(maxsize=64)
def fixed_sentences(*kinds: str, seats: frozenset[str] = frozenset()) -> Sequence[re.Pattern[str]]:
    """What the desk says in mails or files of these kinds, or in notices with these headlines, besides what is compared, in a
    game with these seats."""
    who = {"@who": f"the game master|a vote of the players|a player|{_any_of(seats)}", "@names": names_of(seats)}
    places = re.compile("|".join(_PLACES | who))
    sections = re.findall(r"^== (.+?)\n(.*?)(?=^==|\Z)", _sentences(), re.DOTALL | re.MULTILINE)
    of_kinds = (said for title, said in sections if any(re.fullmatch(title, kind) for kind in kinds))
    told = (" ".join(each.replace("@sent", HAVE_SENT).split()) for said in of_kinds for each in said.strip().split("\n\n"))
    return tuple(re.compile(places.sub(lambda at: (_PLACES | who)[at[0]], each), re.IGNORECASE) for each in told)


def _sentences() -> str:
    return files("pbmd.archive.evidence").joinpath("sentences.txt").read_text("utf-8")


_SAYS = re.compile(r"[^\W_]")


def beyond(text: str, known: Iterable[re.Pattern[str]]) -> tuple[str, str]:
    """What a text in one line says above the last of some sentences, each of which it has once, and what below."""
    for each in known:
        text = each.sub(KNOWN, text, count=1)
    above, _, below = (" ".join(each.replace(KNOWN, " ").split()) for each in text.rpartition(KNOWN))
    return above if _SAYS.search(above) else "", below if _SAYS.search(below) else ""


_TURN_OF_FILE = re.compile(r"\b(?:PROOF OF|Dice secret of|Words of) [^,:.]{0,60}?\b(?i:turn) (\d{1,6})\b")


_OTHER_DICE = re.compile(
    rf"\bCommitment to the dice secret of {_STEP} \(its SHA-256\): .{{0,200}}?"
    r"\bYour salt for the dice of (?!(?P=step),)(?P<other>[^:]{1,80})"
)
"""A salt for other dice than those that are promised beside it."""


def odd_in_proof(file: str) -> str:
    """What a file with a proof, in one line, says that no such file does; empty if there is nothing."""
    more = " … ".join(filter(None, beyond(file, (*fixed_sentences("proofs"), *(each for _, each in PATTERNS)))))
    turns = sorted({*_TURN_OF_FILE.findall(file)})
    told = f"turns {' and '.join(turns)}" if len(turns) > 1 else ""
    if other := _OTHER_DICE.search(file):
        told = f"salt for the dice of {other['other']}"
    return more or told or ("a signed head that is none" if re.search(_SIGNED, file) and not [*notes_in(file)] else "")


SEAT_TAG = re.compile(r"\bg(?P<of>\d{1,9})p\d{1,6}\.[a-z2-7]{16}\b", re.IGNORECASE)
"""What shows in our addresses, ids and forms which game on its host a mail is about."""
_TURN = re.compile(r"\bturn (?P<turn>\d{1,6})\b")

_TELLS_WORD = "Word that goes into the dice with these orders:"
_LABEL = _TELLS_WORD.replace(" ", r"[ \t\n>]+")
_WORD_LINES = re.compile(rf"^[ \t>]*{_LABEL}[ \t]*\n[ \t>]*\|(?P<word>[^\n]{{1,200}})", re.MULTILINE)


def with_words_told(lines: str) -> str:
    """The lines of a mail with each word for the dice moved into the line that announces it. The word is a player's, so it
    stands after a mark, and must not look like anything else here."""
    return _WORD_LINES.sub(_told, lines)


def _told(found: re.Match[str]) -> str:
    word = quote(found["word"].strip(), safe="", errors="replace")
    return f"{_TELLS_WORD} ={word}"


def value_of(what: str, found: re.Match[str]) -> str:
    """The value of a kind from what was found of it: a word as it was before `with_words_told`, and hashes in hex."""
    if letters := found.groupdict().get("letters"):
        return digits_of(letters)
    return unquote(found["value"]) if what == WORD else found["value"]


def of_once(text: str) -> bool:
    """Whether a text, with blanks for line breaks, begins a report in the words of an older version."""
    return any(pattern.search(text) for pattern in TITLES[_OF_NOW:])


_IN_ANSWER = re.compile(rf"\b(?:Receipt (?P<number>\d{{1,9}}), arrived|Your mail arrived) {_WHEN}")
_IN_REPORT = re.compile(
    rf"\bYour (?:orders|move) came {_WHEN}(?: \((?!receipt )[^()]{{1,60}}\))?(?: \(receipt (?P<number>\d{{1,9}})\))?(?=\.)"
)
_IN_FILE_OF_REPORT = re.compile(rf"\bOrders used: (?:receipt (?P<number>\d{{1,9}})|digest [0-9a-f]{{16}}), arrived {_WHEN}")


def wrong_use(report: str, files: Iterable[str]) -> str | None:
    """What a report, in one line without what others say, says of the orders that were used against its proof file; empty if
    they agree, None if neither says anything of them."""
    there = next((found for each in files if (found := _IN_FILE_OF_REPORT.search(" ".join(each.split())))), None)
    told = next(_IN_REPORT.finditer(report), None)
    if told is None or there is None:
        return None if told is None and there is None else f"only {'its file' if there else 'its text'} says which were used"
    numbers, times = (told["number"], there["number"]), (told["value"], there["value"])
    differ = next((pair for pair in (numbers, times) if pair[0] != pair[1]), None)
    return f"the mail says {differ[0] or 'no receipt'}, and its file {differ[1] or 'no receipt'}" if differ else ""


_FILE_OF_RECEIPT = re.compile(r"\s*RECEIPT\b")


_MOST_TIMES = 10
"""A receipt states one or two; more of them are not looked for."""


def wrong_receipt(answer: str, files: Iterable[str]) -> str | None:
    """What the last line of an answer, in one line without what others say, claims about its receipt against its proof file;
    empty if they agree, None if the file says nothing about one."""
    told = next(reversed([*_IN_ANSWER.finditer(answer)]), None)
    of_file = " ".join(" ".join(each.split()) for each in files if _FILE_OF_RECEIPT.match(each))
    numbers, times = _values_in(of_file, RECEIPT), _values_in(of_file, ARRIVED)
    if not times:
        return None
    if told is None:
        return "the mail does not say when yours came, and its file does"
    if lacking := next((each for each in _values_in(of_file, DUE)[:_MOST_TIMES] if each not in answer), ""):
        return f"the mail does not say that orders are due {lacking}, and its file does"
    if (told["number"] or numbers) and told["number"] not in numbers:
        said = f"receipt {told['number']}" if told["number"] else "no receipt"
        return f"the mail says {said}, and its file {', '.join(numbers) or 'none'}"
    return "" if told["value"] in times else f"the mail says {told['value']}, and its file {', '.join(times)}"


def _values_in(text: str, what: str) -> list[str]:
    return sorted({found["value"] for kind, pattern in PATTERNS if kind == what for found in pattern.finditer(text)})


_WORDS_OF_MAIL = re.compile(rf"\bThis turn.s words: (?P<words>{FORM})\. Everybody has the same\.")
_WORDS_OF_FILE = re.compile(rf", the same for everybody: (?P<words>{FORM}) Made of the hash of its entry [^:]{{1,40}}: {_HEX}")
_TO_ALL = WITHOUT_FOOT[_OF_NOW_TO_ALL]
_REPORTS_OF_NOW = (
    *_TO_ALL,
    *(("seat", pattern, "") for pattern in TITLES[:_OF_NOW]),
    *((kind, pattern, "") for kind, pattern, _ in _TO_ALL),
)
"""Whom a report is for, its opening words, and a pattern for its foot: the last one for a seat begins like the public one."""
_FOR_ALL = (("words of the turn in its file", _WORDS_OF_FILE),)
_FOR_SEATS = (
    ("signed head in its file", re.compile(r"\bCHECKPOINT \(")),
    ("head of the journal in its file", re.compile(rf"\bHead of the journal{_AT_ENTRY}: {_HEX}")),
    ("digest of itself in its file", re.compile(r"\bDigest of the report that this file came with ")),
)
_IN_FILE: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]] = {"public": _FOR_ALL, "seat": (*_FOR_SEATS, *_FOR_ALL)}
"""What the file beside each report of this version has, by whom it is for."""


def wrong_words(report: str, files: Iterable[str]) -> str | None:
    """What the four words of a report, in one line without what others say, are against its proof file, and those against the
    hash there; empty if all agree, None if one of the two has none."""
    told = next(reversed([*_WORDS_OF_MAIL.finditer(report)]), None)
    there = next((found for each in files if (found := _WORDS_OF_FILE.search(" ".join(each.split())))), None)
    if told is None or there is None:
        return None
    made = four_words(there["value"])
    wrong = next((each["words"] for each in (told, there) if each["words"] != made), "")
    return f"{wrong}, and the words of the hash in its file are {made}" if wrong else ""


def lacks(report: str, files: Sequence[str]) -> str:
    """What each report of this version has, and this one, in one line without what others say, has not; empty if nothing. Of
    one whose file got lost on the way something else is said."""
    fitting = (kind for kind, title, foot in _REPORTS_OF_NOW if title.search(report) and re.search(foot, report))
    first = next(fitting, "")
    if not first or (not files and TELLS_OF_FILE.search(report)):
        return ""
    of_file = " ".join(" ".join(each.split()) for each in files)
    there = [("words of the turn", _WORDS_OF_MAIL.search(report)), ("file with its proof", files)]
    if files:
        there += [(what, pattern.search(of_file)) for what, pattern in _IN_FILE[first]]
    return ", no ".join(what for what, found in there if not found)


def turn_of(step: str) -> int | None:
    """The turn of a step, as a mail calls it; None if it names none."""
    found = _TURN.search(step)
    return int(found["turn"]) if found else None


def lost_file(own: str, subject: str) -> str:
    """What to do about a mail of ours that has lost its proof file; empty for one that mentions no such file."""
    found = TELLS_OF_FILE.search(own)
    if found is None:
        return ""
    gone = "the file with its proof is not there: it is lost where a mail is forwarded within the text of another"
    title = next((match for pattern in TITLES if (match := pattern.search(own))), None)
    if title is None:
        return f"{gone}; have it sent on as an attachment, with its file"
    turn = turn_of((title.groupdict().get("step") or title.groupdict().get("called") or subject).lower())
    return f"{gone}; REPORT{'' if turn is None else f' {turn}'}, sent to the game, brings report and file again"

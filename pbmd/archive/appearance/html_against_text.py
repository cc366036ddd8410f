"""The HTML of a mail compared with its text: what it shows and the text does not say, what it hides, and what looks different
from what it is.

The HTML of our own mails hides nothing but the words that inboxes show first, and has no comment, no form and no script. A
program that forwards a mail inside its own writes different HTML: there only the words are compared.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

from pbmd.archive.appearance.finding import Finding, not_compared
from pbmd.archive.appearance.inner_mails import Letter
from pbmd.archive.appearance.links import is_button, without_detours, wrong_links
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.appearance.near_sentences import near_misses
from pbmd.archive.appearance.styles import LEAST_SIZE, ink, paper, size, style_of, unknown, visibility, why_hidden
from pbmd.archive.appearance.visible_text import COMMENT, Hidden, Picture, Seen, seen
from pbmd.archive.appearance.word_diff import (
    Difference,
    MailText,
    Runs,
    differences,
    named,
    readable_words,
    said_by,
    unseen_in,
    words_in,
)
from pbmd.post.read.html import TooComplex
from pbmd.rendering.blocks.page import LONGEST_TITLE, WRITE, html_of

HTML = "its HTML"
_not_compared = partial(not_compared, HTML, "")
_REPORT = "report"
_LAID_OUT = frozenset({_REPORT, "handbook"})
"""The kinds of mails whose HTML has a layout of its own."""
LONGEST = 250_000
"""In characters; ours have some ten thousand."""
_LONGEST_IN_ALL = 8 * LONGEST
"""The same for all mails in a mail."""
_MOST_TOLD, _MOST_ABOVE = 8, 15
_LONGEST_ROW = 200
"""In characters: the labels of buttons that stand side by side."""
_BEHIND = 5
SENTENCE = re.compile(r"(?<=[.;:!?])[)\]\"']*\s+|\s·\s")
"""What stands between two sentences, or two parts of a line."""
_OF_PROGRAMS = re.compile(r"<(?:https?://|mailto:)[^<>\s]*>|\[(?:cid:|image:)[^\[\]]*\]")
"""What programs add to a text that they make from HTML."""
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+")
_RULE = re.compile(r"\s*[-_=*~]{3,}[ \t]*\n")
"""What lists put above their footers, and no mail of pbmd has."""
_UNBROKEN = re.compile(r"\S{60,}")
"""What is longer than most lines of a text, such as a key or a signature: the text has it in pieces."""
_IN_BOTH = re.compile(r"^[#|].*|\b\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(?::\d\d)? UTC", re.MULTILINE)
"""What the HTML of a report shares with its text, however it is laid out: the form, press, and times."""


Begins = Callable[[Letter, str, str], bool]
"""Whether a mail of pbmd begins with the second of these two pieces of its text, and somebody else has put the first above."""


def held_each(letters: Sequence[Letter], begins: Begins, *, says: bool) -> Iterator[Finding]:
    """The result for each mail that is one of pbmd's, as it was sent; and for the first, if it `says` what one of these
    does."""
    length = 0
    for letter in letters:
        own = letter.own
        if own is not None or (says and letter is letters[0]):
            length += min(LONGEST, _length(letter))
            yield from (
                _held(letter, own, begins) if length <= _LONGEST_IN_ALL else [_not_looked_at("there are too many in this mail")]
            )


def _length(letter: Letter) -> int:
    return max(sum(map(len, letter.pages)), sum(map(len, letter.texts)))


def _not_looked_at(why: str) -> Finding:
    return Finding(HTML, "", None, f"it was not looked at: {why}")


def _held(letter: Letter, own: Own | None, begins: Begins) -> list[Finding]:
    of_parts = [*map(_of_part, sorted(letter.others)), *_of_texts(letter)] if own else []
    return [*of_parts, *(_of_pages(letter, own, begins) if letter.pages else ())]


def _of_texts(letter: Letter) -> Iterator[Finding]:
    """Texts of which programs show one, or none; and those that stand apart."""
    if len(letter.beside) > 1:
        yield Finding(
            "its parts", "text/plain", False, f"it has {len(letter.beside)} texts, of which programs show one or none"
        )
    elif letter.beside and len(letter.texts) > 1:
        for apart in [each for each in dict.fromkeys(letter.texts) if each not in letter.beside][:_MOST_TOLD]:
            told = f'a part of its own says "{readable_words(words_in(apart))}", which a server may have put there'
            yield not_compared("its parts", "text/plain", told)


def _of_part(kind: str) -> Finding:
    """A part of a type that no mail of pbmd has: pictures may be those of a server."""
    is_text = kind.startswith("text/")
    told = "it has a part of a type that no mail of pbmd has, and that some programs show in place of its text"
    return Finding("its parts", kind, None, told) if is_text else _not_compared(f"a part of the type {kind}")


def _of_pages(letter: Letter, own: Own | None, begins: Begins) -> list[Finding]:
    if _length(letter) > LONGEST:
        return [_not_looked_at("it is longer than that of any mail of pbmd")]
    try:
        page = seen("\n".join(letter.pages))
    except TooComplex:
        return [_not_looked_at("it has more tags than any mail of pbmd")]
    if own is None:
        return [*_of_program(page, letter)]
    if not letter.texts:
        return [_not_looked_at("its text is lost, which each mail of pbmd has beside it")]
    said = said_by(letter.subject, letter.text)
    wrong = [*_hidden(page, letter, said), *_besides(page, letter, said)]
    wrong += [] if own.kind == _REPORT else _instead(page, said)
    if words := said_aloud(page, said.text, said.subject):
        told = f'in a title, or aloud, it says "{words}", which its text does not have'
        wrong.append(_not_compared(told, by_books=own.kind == _REPORT))
    return [*_first(wrong), *_words(page, letter, said, own.kind, begins)]


def _first(found: Sequence[Finding]) -> Iterator[Finding]:
    yield from found[:_MOST_TOLD]
    if len(found) > _MOST_TOLD:
        yield Finding(HTML, "", False, f"and {len(found) - _MOST_TOLD} more of this kind")


# --- What is invisible, or not what it looks like -------------------------------------------------------------------------


def _hidden(page: Seen, letter: Letter, said: MailText) -> Iterator[Finding]:
    """Words that are hidden; those at the top, which inboxes show, must be words of the text, or seen below."""
    for each in page.hidden:
        if not any(map(str.isalnum, each.words)):
            continue
        known = said.text, said.subject, Runs(words_in("\n".join(page.lines)))
        if each.at_top and each.why == "display:none" and said_in(each.words, *known):
            continue
        told = f"words that are not seen{_place(each)}: {_quoted(each)}"
        if each.why == COMMENT:
            yield _not_compared(f"{told}, in a comment")
        else:
            yield Finding(HTML, each.why, None if COMMENT in each.why else False, told)
    yield from _characters(page, letter)


def said_in(words: str, *texts: Runs) -> bool:
    """Whether these words, or each sentence of them, are in one of the texts."""
    pieces = [words] if any(words_in(words) in text for text in texts) else SENTENCE.split(words)
    return all(any(words_in(each) in text for text in texts) for each in pieces)


def _place(each: Hidden) -> str:
    return f', behind "{each.behind}"' if each.behind else ", at the top"


def _quoted(each: Hidden) -> str:
    return f'"{readable_words(each.words.split(), 20)}"'


def _characters(page: Seen, letter: Letter) -> Iterator[Finding]:
    """Characters that are invisible, and change what is visible, and that the text does not have."""
    text = "\n".join(page.lines)
    for character in sorted(unseen_in(text) - unseen_in(letter.text))[:_MOST_TOLD]:
        place = text.index(character)
        around = f"{text[max(0, place - 20) : place]}<U+{ord(character):04X}>{text[place + 1 : place + 20]}"
        yield Finding(HTML, named(character), False, f'a character that is not seen, in "{" ".join(around.split())}"')


def _instead(page: Seen, said: MailText) -> Iterator[Finding]:
    """What is read where pictures are not shown; for the maps of reports, the books decide it (see `report_page`)."""
    for words in dict.fromkeys(each.instead for each in page.pictures if not page.is_outside(each)):
        if not said_in(words, said.text, said.subject):
            told = f'in place of a picture it says "{readable_words(words.split())}", which its text does not have'
            yield Finding(HTML, "picture", False, told)


def _besides(page: Seen, letter: Letter, said: MailText) -> Iterator[Finding]:
    """Links, pictures, tags and styles."""
    if len(letter.pages) > 1:
        yield Finding(HTML, "", None, f"there are {len(letter.pages)} parts of it, and programs show one")
    for tag in page.odd:
        yield Finding(HTML, f"<{tag}>", False, "a tag that no mail of pbmd has")
    for holds, words in wrong_links(page, letter, said):
        yield Finding(HTML, "link", holds, words, whole=holds is not None)
    for each in dict.fromkeys(page.pictures):
        if each.source[:4].lower() != "cid:" or each.source[4:] not in letter.pictures:
            told = f"it shows one that did not come with it: {each.source[:80]}"
            yield _not_compared(_of_server(each, told)) if page.is_outside(each) else Finding(HTML, "picture", False, told)
    for sheet in page.styles:
        yield from _of_sheet(sheet)
    if page.unknown:
        told = "; ".join(islice(page.unknown, 3))[:160]
        yield _not_compared(f"what these styles do to words is not known here: {told}")


def said_aloud(page: Seen, *known: Runs) -> str:
    """The first words in a title, or read aloud, or shown when one points at something, that none of these texts has; empty if
    there are none."""
    whole = (words if len(words) < LONGEST_TITLE else words.rpartition(" ")[0] for words in page.beside)
    return next((readable_words(words.split()) for words in whole if not said_in(words, *known)), "")


def _of_server(each: Picture, told: str) -> str:
    words = f', "{readable_words(each.instead.split())}"' if each.instead.strip() else ""
    return f"{told}{words}; it stands outside of what pbmd wrote, and a server on the way may have put it there"


def _of_sheet(sheet: str) -> Iterator[Finding]:
    """A style sheet: it was not applied, and must not contain anything that would have to be."""
    style = style_of(";".join(re.findall(r"[{;]\s*([^{};]*)", sheet)))
    does = [why_hidden(style), *unknown(style), *(each for each in ("hidden",) if visibility(style) == each)]
    does += [name for name, said in (("color", ink(style)), ("background", paper(style))) if said is not None]
    does += ["font-size"] if size(style, 16.0) < LEAST_SIZE else []
    if told := "; ".join(filter(None, does)):
        yield Finding(HTML, "<style>", None, f"a sheet of styles that may hide or change words: {told[:160]}")


# --- Words ----------------------------------------------------------------------------------------------------------------


def _words(page: Seen, letter: Letter, said: MailText, kind: str, begins: Begins) -> Iterator[Finding]:
    text, lines = _without_targets(letter.text, page), without_buttons(page)
    wanted, there = words_in(text), words_in("\n".join(lines))
    if there in (wanted, said.words, words_in("\n".join(letter.texts))) or any(there == each for each in _as_said(text)):
        yield Finding(HTML, "", True, f"what it shows are the words of its text, {len(there)} of them in their order")
    elif kind in _LAID_OUT:
        yield from _loosely(lines, said, text, by_books=kind == _REPORT)
    else:
        found = [*differences(wanted, there)]
        above = _words_above(text, found[0], partial(begins, letter)) if found else 0
        below = _lines_of(text, found[-1].at) if found else None
        footer = below[1] if below and _RULE.match(below[1]) else ""
        of_servers = {*words_in(" ".join((*_ADDRESS.findall(text), footer)))}
        yield from _first([_difference(each, wanted, there, of_servers, above) for each in found])


def _words_above(text: str, first: Difference, begins: Callable[[str, str], bool]) -> int:
    """How many words stand above the line with which a mail of ours begins, if what differs first is among them; else 0."""
    lines, count, least = text.splitlines(keepends=True), 0, first.at + len(first.one)
    for place, line in enumerate(lines[:_MOST_ABOVE], start=1):
        count += len(words_in(line))
        if count >= max(least, 1) and begins("".join(lines[:place]), "".join(lines[place:])):
            return count
    return 0


def _lines_of(text: str, count: int) -> tuple[str, str] | None:
    """The lines that have the first so many words, and those below."""
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if count <= 0:
            return ("".join(lines[:place]), "".join(lines[place:])) if count == 0 else None
        count -= len(words_in(line))
    return None


def _without_targets(text: str, page: Seen) -> str:
    """A text without the addresses that links outside of the frame lead to and do not show, as servers write them."""
    for link in page.links:
        if page.is_outside(link) and link.to.startswith(("https://", "http://")) and link.to not in link.label:
            text = re.sub(rf"(?<!\S){re.escape(link.to)}(?!\S)", " ", text)
    return text


def _as_said(text: str) -> Iterator[list[str]]:
    """The words of a text as honest HTML has them otherwise: as a program that made a text from HTML, as
    a server that puts addresses of its own around those in a text, and as our HTML made from a text, in whose tables the lines
    of each cell stand together."""
    yield words_in(_OF_PROGRAMS.sub(" ", text))
    yield words_in(without_detours(text))
    with suppress(TooComplex):
        yield words_in("\n".join(seen(html_of(text)).lines))


def without_buttons(page: Seen) -> list[str]:
    """The visible lines, without those that are the labels of our buttons. Some programs take links away that open a mail."""
    labels = [WRITE, *(link.label for link in page.links if is_button(link))]
    return [line for line in page.lines if len(line) > _LONGEST_ROW or not _are_labels(line, labels)]


def _are_labels(line: str, labels: Sequence[str]) -> bool:
    for label in labels:
        line = line.replace(label, "", 1)
    return not line.strip()


def _difference(
    each: Difference, text: Sequence[str], there: Sequence[str], of_servers: Container[str] = (), above: int = 0
) -> Finding:
    """What differs; so many words `above` may be those of a server."""
    if added := _added(each, len(text), of_servers, above):
        return _not_compared(added)
    behind = readable_words(there[max(0, each.there - _BEHIND) : each.there])
    place = f', behind "{behind}"' if behind else ", at the top"
    one, other = readable_words(each.one), readable_words(each.other)
    if each.one and each.other:
        return Finding(HTML, "", False, f'it shows "{other}" where its text has "{one}"{place}')
    if each.one:
        return Finding(HTML, "", False, f'it does not show "{one}", which its text has{place}')
    told = f'it shows "{other}"{place}, and its text does not have that'
    if each.at in (0, len(text)):
        return Finding(HTML, "", None, f"{told}; a server on the way may have put it there")
    return Finding(HTML, "", False, told)


def _added(each: Difference, count: int, of_servers: Container[str], above: int) -> str:
    """What differs at an edge of a text of so many words, as where a server has put it; empty if it is not there, or has
    numbers that are none `of_servers`."""
    end = each.at + len(each.one)
    edge = "above" if end <= above else "below" if each.at and end == count and not each.other else ""
    if not each.one or not edge or any(map(str.isdigit, "".join(word for word in each.one if word not in of_servers))):
        return ""
    instead = f' where it shows "{readable_words(each.other)}"' if each.other else ""
    return f'{edge} its text stands "{readable_words(each.one)}"{instead}, which a server may have put there'


def _loosely(seen_lines: Sequence[str], said: MailText, lines: str, *, by_books: bool) -> Iterator[Finding]:
    """The same where tables are laid out differently: line by line, as far as its text has that line."""
    there = Runs(words_in("\n".join(seen_lines)))
    missing = [each for each in _IN_BOTH.findall(lines) if words_in(each) not in there]
    yield from _first(
        [Finding(HTML, "", False, f'it does not show "{each.strip()[:80]}", which its text has') for each in missing]
    )
    in_one = "".join(lines.split())
    apart = [line for line in seen_lines if not said_in(_without_unbroken(line, in_one), said.text)]
    altered = [*near_misses([words_in(line) for line in apart], said.words)]
    yield from _first([_difference(Difference(one, other, 1, 0), said.words, ()) for one, other in altered])
    count = len(seen_lines)
    if apart:
        verb = "is" if len(apart) == 1 else "are"
        instance = max(apart, key=lambda line: sum(map(str.isdigit, line)))
        told = f'{len(apart)} of its {count} lines {verb} laid out otherwise than its text, as "{instance[:60]}"'
        yield _not_compared(told, by_books=by_books)
    else:
        yield Finding(HTML, "", True, f"each of its {count} lines is in its text")


def _without_unbroken(line: str, in_one: str) -> str:
    """A line without what is unbroken in it and broken in the text, which has it, all blanks taken `in_one`, to the letter."""
    return _UNBROKEN.sub(lambda found: "" if found[0] in in_one else found[0], line)


def _of_program(page: Seen, letter: Letter) -> Iterator[Finding]:
    """What a program made of a mail that it passes on inside another."""
    there, text = words_in("\n".join(without_buttons(page))), "\n".join(letter.texts)
    kinds = (words_in(text), words_in(_OF_PROGRAMS.sub(" ", text)))
    if there in kinds:
        return
    found = list(islice(differences(kinds[1], there), _MOST_TOLD * 5))
    altered = [each for each in found if len(each.one) == len(each.other) and any(map(str.isdigit, "".join(each.one)))]
    yield from _first([_difference(each, kinds[1], there) for each in altered])
    if found and not altered:
        yield _not_compared("the program that passes the mail on wrote it, in other words than the text")

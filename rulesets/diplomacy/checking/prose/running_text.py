"""Lines of running text: the orders in them, and what the words around these do to them (`sentences`)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbmd.rules import Line
from pbmd.rules.checking import Fault, Right
from pbmd.rules.lines import LONGEST_LINE

from ..acceptance import Found, is_fault, taken, uncertain
from ..all_units import without_ordered
from ..draft import Draft
from ..interpretation.tagging import tag_of
from ..interpretation.trials import NO_ORDER
from ..names import own_words
from ..parts import body_of, order_in
from ..reading import Heading, Said, Section, clean, read
from ..sections import Written, times_of
from .sentences import Around, Piece, endings_of, is_attempt, pieces_of, role_of


class _Sentence(NamedTuple):
    """A part of a line: the text `before` its order, which is all of it if there is none, and the mark that ends it."""

    before: str
    found: Found
    end: str
    said: Said | Heading | None = None


def in_sentences(draft: Draft, line: Line, written: Written, found: "list[Found]") -> Right | None:
    """The orders of a line in which people tell what their units do, with what was not read. None if that makes fewer orders of
    it than were `found` otherwise. Raises `Fault` if they may depend on what stands before them."""
    if not _may_be_sentences(draft, line, written):
        return None
    body = clean(body_of(draft.reader, line.text))
    sentences = [_sentence(draft, piece, written[0][1]) for piece in pieces_of(body)]
    orders = [each for each in sentences if not is_fault(each.found)]
    kept = without_ordered(draft, [each.found for each in orders], [each.said for each in orders])
    if not orders or _many(kept) < _many(found):
        return None
    told = [_about_words(draft, each, around) for each, around in _with_places(sentences) if around.text]
    wrong = sum(not remark.startswith(_NOT_READ) for remark in told)
    draft.count_wrong(wrong)
    return taken(draft, line, kept, told, in_part=wrong > 0)


def _may_be_sentences(draft: Draft, line: Line, written: Written) -> bool:
    """Whether a line is read in sentences: each of their words may be like a name, so this is done only as long as not too much
    was tried."""
    is_one = len({section for _, section in written}) == 1
    may_be = is_one and draft.reader.asks and not draft.reader.on_file and len(line.text) <= LONGEST_LINE
    if may_be and draft.reader.effort.is_spent:
        draft.untried = draft.untried or line.number
        return False
    return may_be


def _many(found: "Sequence[Found]") -> int:
    """How many orders these are."""
    return sum(len(each) for each in found if not isinstance(each, Fault))


def _sentence(draft: Draft, piece: Piece, section: Section) -> _Sentence:
    """A part of a line, with the order that it is, or that it ends with."""
    found = order_in(draft, piece.text, section)
    if isinstance(found, Fault):
        for before, rest in endings_of(piece.text):
            is_order = not is_attempt(draft.reader.position.options.map, before)
            if is_order and not isinstance(order := order_in(draft, rest, section), Fault):
                return _Sentence(before, order, piece.end, read(rest))
    return _Sentence(piece.text if isinstance(found, Fault) else "", found, piece.end, read(piece.text))


_NOT_READ = "not read: "


def _with_places(sentences: "Sequence[_Sentence]") -> "Iterator[tuple[_Sentence, Around]]":
    """The parts of a line, with the words in each that are no order and where these stand."""
    ordering = [place for place, each in enumerate(sentences) if not is_fault(each.found)]
    for place, each in enumerate(sentences):
        is_faulty = is_fault(each.found)
        around = Around(
            each.before,
            each.end if is_faulty else "",
            leads=not is_faulty or place + 1 in ordering,
            begins=place == 0 or sentences[place - 1].end in (".", "!"),
            first=place <= ordering[0],
            last=place > ordering[-1],
            is_faulty=is_faulty,
        )
        yield each, around


def _about_words(draft: Draft, said: _Sentence, around: Around) -> str:
    """A remark on words that are no order. Raises `Fault` if because of them no order of the line is certain."""
    map_name = draft.reader.position.options.map
    role = role_of(map_name, around, times_of(draft.reader.position), own_words(map_name, draft.reader.seat))
    if role == "nothing":
        return f'{_NOT_READ}"{said.before:.60}"'
    if tag_of(said.before) in ("S", "C"):
        raise Fault("say which unit supports" if tag_of(said.before) == "S" else "say which fleet convoys")
    if role == "refused":
        problem = said.found.problem if isinstance(said.found, Fault) else NO_ORDER
        return f'not taken is "{said.before:.60}": {problem}'
    raise uncertain(role, said.before)

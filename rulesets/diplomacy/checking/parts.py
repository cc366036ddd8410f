"""The orders of one part of a line, read exactly at first, then leniently."""

from collections.abc import Iterator

from pbmd.rules import Line
from pbmd.rules.checking import Fault
from pbmd.rules.lines import LONGEST_LINE

from .acceptance import Found, is_unread, uncertain
from .all_units import all_disbanded, left_to_waive, of_all_others
from .draft import Draft
from .interpretation.readings import Reading, readings
from .interpretation.tagging import count_words
from .interpretation.trials import NO_ORDER, only_meaning
from .meaning import meant
from .names import is_power_label, own_words, with_coasts
from .notations import with_orders_apart, without_daide
from .prose.sentences import without_idle_question
from .reader import Meant, Reader
from .reading import Said, Section, label_of, read, spelt
from .sections import Part, times_of, unlabelled, with_colon, with_commas


def order_in(draft: Draft, text: str, section: Section) -> Found:
    """The orders of a text, exactly or leniently read."""
    part = Part(text, read(text))
    return leniently(draft, part, section, meant_by(draft, part, section))


def meant_by(draft: Draft, part: Part, section: Section) -> Found:
    """The orders of a part of a line, as the grammar reads it."""
    said = part.said
    if not isinstance(said, Said):
        return Fault(NO_ORDER)
    reader = draft.reader.below(section)
    try:
        if said.verb in ("nothing", "others"):
            return of_all_others(reader, draft, said)
        if said.verb == "leave":
            return all_disbanded(reader, draft, said)
        return [meant(reader, said)] * (left_to_waive(reader, draft) if said.verb == "waive" and not said.many else said.many)
    except Fault as fault:
        return fault


def as_a_whole(draft: Draft, line: Line, section: Section) -> list[Found] | None:
    """The orders of the line if the whole of it has only one possible meaning, however it is written; None if not."""
    if not draft.reader.asks or draft.reader.on_file or len(line.text) > LONGEST_LINE:
        return None
    reader = draft.reader.below(section)
    for reading in _readings(reader, body_of(reader, line.text)):
        try:
            found = [only_meaning(reader, order) for order in reading.orders]
        except Fault:
            continue
        if reading.left_out and any(each.remark for each in found):
            continue  # what is in brackets may be what is missing
        if times_of(reader.position).is_other(reading.left_out):
            raise uncertain("later", reading.left_out)
        if reading.left_out:
            found[-1] = _also(found[-1], f'not read: "({reading.left_out:.60})"')
        for guess in reading.guesses:
            found[0] = _also(found[0], guess)
        return [[each] for each in found]
    return None


def _readings(reader: Reader, text: str) -> Iterator[Reading]:
    """The ways to read a clean line, as long as not too much was tried."""
    if not reader.effort.is_spent:
        reader.effort.words -= count_words(text)
        yield from readings(reader.position.options.map, text)


def _also(each: Meant, remark: str) -> Meant:
    return each._replace(remark=f"{each.remark}; {remark}" if each.remark else remark)


def leniently(draft: Draft, part: Part, section: Section, found: Found) -> Found:
    """The same part, read leniently if the grammar makes no order of it that can be carried out."""
    if not isinstance(found, Fault) and not (found and found[0].remark):
        return found
    reader = draft.reader.below(section)
    if not reader.asks or reader.on_file or len(part.text) > LONGEST_LINE:
        return found
    for reading in _readings(reader, part.text):
        try:
            return [only_meaning(reader, order) for order in reading.orders]
        except Fault as fault:
            if fault.names or not isinstance(found, Fault) or found.problem == NO_ORDER or _is_of_builds(reading, fault):
                found = fault
    return found


def _is_of_builds(reading: Reading, fault: Fault) -> bool:
    """Whether something is missing in one of several builds: "Build Vie and Tri" has no unknown name."""
    return len(reading.orders) > 1 and reading.orders[0].verb == "build" and not is_unread(fault)


def body_of(reader: Reader, text: str) -> str:
    """The line without what comes before its orders: a heading, a time, or the name of the power."""
    map_name = reader.position.options.map
    _, text = unlabelled(text, own_words(map_name, reader.seat), times_of(reader.position))
    usual = without_daide(map_name, without_idle_question(text))
    written = with_coasts(map_name, with_colon(map_name, with_orders_apart(map_name, spelt(with_commas(usual)))))
    label, colon, rest = written.partition(":")
    is_label = is_power_label(map_name, label, rest) or label_of(label.strip()) is not None
    return body_of(reader, rest) if colon and rest.strip() and is_label else written

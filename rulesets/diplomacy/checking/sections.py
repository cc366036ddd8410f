"""Which orders the lines of a letter have, and in which section each stands: headings apply to what is below them (DI-96)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbmd.rules import Line
from pbmd.rules.lines import line_cache

from ..world.board import board
from ..world.state import Kind, Position
from .interpretation.tagging import tag_of
from .names import is_power_label, own_words, power_heading, with_coasts, without_hyphens, without_powers
from .notations import with_orders_apart, without_daide
from .phrases import phrase
from .prose.headings import heading_of_phase, heading_of_plan, is_heading_of_kind, says_nothing_of_moves, section_of
from .prose.second_choices import with_second_choices
from .prose.sentences import without_idle_question
from .reading import Heading, Named, Place, Said, Section, Verb, clean, from_judges, label_of, parts_of, read, with_codes
from .words import CONDITION, Times


class Part(NamedTuple):
    """An order as it is written, and what it says; None for what is no order."""

    text: str
    said: Said | Heading | None


Written = list[tuple[Part, Section]]
"""The orders of a line, each with the section in which it stands."""


MOST_ORDERS = 500
"""Below so many orders in a letter a line is read if it has one only: it can have hundreds."""


def in_sections(position: Position, seat: str, lines: Iterable[Line]) -> list[tuple[Line, Written]]:
    """The lines with orders; headings are applied to them (DI-96). A line that is not read has none."""
    section: Section = ""
    found: list[tuple[Line, Written]] = []
    many = 0
    times, own = times_of(position), own_words(position.options.map, seat)
    for line in lines:
        if part := _in_judges_notation(line.text):
            found.append((line, [(part, section)]))
            many += 1
            continue
        has_colon = ":" in line.text
        power = power_heading(position.options.map, line.text)
        if power in ("", seat) and (headed := section_of(line.text, own, times)) is not None:
            section = headed
            continue
        if power:
            section = "foreign" if power != seat else _counting(section)
            continue
        if many >= MOST_ORDERS and len(parts_of(clean(line.text))) > 1:
            found.append((line, []))
            continue
        labelled, text = unlabelled(line.text, own, times)
        written, here = _written(position, text, section if labelled is None else labelled, times)
        may_be_heading = has_colon or not _is_of_unit(written)  # hardly ever so
        if may_be_heading and (heading := _headed(position, line, own, written, section)) is not None:
            section, refused = heading
            found += [(line, refused)] if refused else []
            continue
        many += len(written)
        if written:
            found.append((line, written))
        else:
            section = here
    return found


def _in_judges_notation(text: str) -> Part | None:
    """The order that is all of a line, as most are written: of what is looked for in others nothing can be in it. None for any
    other line."""
    alone = text.strip()
    said = from_judges(alone)
    return Part(alone, said) if said else None


def _headed(
    position: Position, line: Line, own: frozenset[str], written: Written, section: Section
) -> tuple[Section, Written] | None:
    """The section below a line that is the heading of a phase, of a plan or of a kind of unit, and what of the line is refused.
    None if it is none."""
    if (phase := heading_of_phase(position.options.map, line.text, own, position.kind)) is not None:
        return phase, [(Part(line.text, None), "")] if phase == "doubtful" else []
    if written and (plan := heading_of_plan(line.text, own)) is not None:
        return plan or _counting(section), written if CONDITION.search(line.text) else []
    if is_heading_of_kind(line.text) or says_nothing_of_moves(line.text, position.phase):
        return section, []
    return None


def _counting(section: Section) -> Section:
    """The section for orders that count again, below those of others or of another plan."""
    return "" if section in ("foreign", "alternative") else section


def may_be_rests(lines: Iterable[Line], is_own: Callable[[Place], bool]) -> frozenset[int]:
    """The numbers of the lines that are an order, and may be what a unit of one's own in the line above supports or convoys,
    which is missing there: "F NTH S", and below it "F ENG - BEL"; or that stand behind an "or"."""
    written = [(line.number, text) for line in lines if (text := clean(line.text))]
    return frozenset(
        number
        for (_, above), (number, text) in pairwise(written)
        if above.split()[-1].casefold() == "or"
        or (
            tag_of(above.split()[-1]) in ("S", "C")
            and not isinstance(read(above), Said)
            and (helper := _helper(read(f"{above} {text}")))
            and is_own(helper.place)
            and not _helper(read(text))
        )
    )


def _helper(said: Said | Heading | None) -> Named | None:
    """The unit that supports or convoys; None if an order is none of these."""
    return said.unit if isinstance(said, Said) and said.verb in ("support", "convoy") else None


def _is_of_unit(written: Written) -> bool:
    """Whether a line surely begins with an order; without the kind of a unit any words can be its place (``Plan B``)."""
    said = written[0][0].said if written else None
    if not isinstance(said, Said) or said.unit is None:
        return False
    return said.verb not in ("bare", "build") or said.unit.kind != ""


def _written(position: Position, text: str, section: Section, times: Times) -> tuple[Written, Section]:
    """The orders of a line that stands in that section, and the section that a heading in it begins."""
    written: Written = []
    here = section
    beside: Part | None = None
    for part in _parts(position, text):
        if isinstance(part.said, Heading):
            here = times.section_below(part.said, part.said.words)
            beside = written[-1][0] if written and here == "retreats" else None
        elif beside and (goal := _of_unit(part, beside)):
            written.append((goal, here))
            here, beside = section, None
        elif len(written) == 1 and _is_goal(part, here, position.kind) and (goal := _of_unit(part, written[0][0])):
            written.append((goal, "retreats"))
        elif position.kind != "moves" or not _joined_to(written, part, here):
            goes_on = _goes_on(written[0][0], part, position.kind) if written else ""
            written.append((part, goes_on or here))
    return written, here


def _joined_to(written: Written, part: Part, here: Section) -> bool:
    """Whether a part, among moves, goes on with those before it, to which it is then added: another goal of a retreat, or the
    convoy of several fleets."""
    if written and (longer := _with_goal(*written[-1], part)):
        written[-1] = (longer, written[-1][1])
        return True
    if fleets := _fleets_before(written, part):
        written[-len(fleets) :] = [*((each, here) for each in fleets), (part, here)]
        return True
    return False


def unlabelled(text: str, own: frozenset[str], times: Times) -> tuple[Section | None, str]:
    """The section that a time before a colon is about, and what stands behind it: ``Winter 1902: Build A Vie``. None, and the
    whole text, if there is none, or the time is another."""
    label, _, rest = text.partition(":")
    if not rest.strip() or not times.are_named(with_codes(label)):
        return None, text
    section = section_of(f"{label}:", own, times)
    return (None, text) if section in (None, "later") else (section, rest)


def _with_goal(part: Part, section: Section, goal: Part) -> Part | None:
    """A retreat that is sent ahead, with another goal to go to if the first is not open: ``A Vie - Boh, Tyr`` below the
    heading. None if it is none."""
    said, other = part.said, goal.said
    if not isinstance(said, Said) or not isinstance(other, Said) or other.verb != "bare":
        return None
    if other.unit is None or other.unit.kind:
        return None
    if said.verb != "retreat" and (said.verb, section) != ("move", "retreats"):
        return None
    return Part(f"{part.text}, {goal.text}", said._replace(verb="retreat", way=(*said.way, other.unit.place)))


def _is_goal(part: Part, section: Section, kind: Kind) -> bool:
    """Whether a part is where to retreat, among moves: ``retreat Tyr`` behind ``A Vie - Boh``."""
    return kind == "moves" and not section and isinstance(part.said, Said) and part.said.verb == "away" and part.said.name != ""


_GOAL_ALONE = ("away", "bare", "disband")


def _of_unit(part: Part, unit: Part) -> Part | None:
    """A goal alone as that of the unit whose order stands before it: ``A Bud H, if dislodged to Ser``. None if it is none."""
    said, of = part.said, unit.said
    if not isinstance(of, Said) or of.unit is None or isinstance(said, Heading):
        return None
    if said is not None and (said.verb not in _GOAL_ALONE or (said.unit is not None and said.unit.kind)):
        return None
    name = f"{of.unit.kind} {of.unit.place.name}".strip()
    texts = [f"{name} {part.text}", f"{name} R {part.text}"]
    found = [Part(text, each) for text in texts if isinstance(each := read(text), Said) and each.verb in ("retreat", "disband")]
    return found[0] if found else Part(texts[1], None)


def times_of(position: Position) -> Times:
    """The phase that orders are for now."""
    return Times(position.phase, position.year, position.turn)


def _fleets_before(written: Written, convoy: Part) -> list[Part]:
    """The fleets that are named right before one that convoys, with its order: ``F Nth, F Nwg C A Lon - Nwy``. None behind a
    support, which may be given to them."""
    said = convoy.said
    if not isinstance(said, Said) or said.verb != "convoy" or said.other is None:
        return []
    begin = len(written)
    while begin and _is_fleet_alone(*written[begin - 1]):
        begin -= 1
    above = written[begin - 1][0].said if begin else None
    if isinstance(above, Said) and above.verb == "support":
        return []
    helped = " - ".join((f"{said.other.kind} {said.other.place.name}".strip(), *(place.name for place in said.way)))
    alone = ((part.text, part.said.unit) for part, _ in written[begin:] if isinstance(part.said, Said))
    return [Part(f"{text} C {helped}", said._replace(unit=unit)) for text, unit in alone]


def _is_fleet_alone(part: Part, section: Section) -> bool:
    said = part.said
    is_bare = isinstance(said, Said) and said.verb == "bare" and said.unit is not None and said.unit.kind == "F"
    return is_bare and section in ("", "moves")


_GO_ON: Mapping[str, tuple[Section, Verb]] = {
    "retreat": ("retreats", "move"),
    "build": ("builds", "bare"),
    "remove": ("removals", "bare"),
    "disband": ("removals", "bare"),
}


def _goes_on(first: Part, part: Part, kind: Kind) -> Section:
    """The section named by a word with more after it in the same line: ``Retreat A Vie - Tyr, F Tri - Alb``; "" if there is
    none."""
    section, verb = _GO_ON.get(first.text.partition(" ")[0].lower(), ("", "hold"))
    return section if isinstance(part.said, Said) and part.said.verb == verb and kind != "retreats" else ""


_MARKS = r"(?<![,;.(])[,;.(]"
"""A mark with no other before it, so that a row of them is looked at once."""
_IF_DISLODGED = re.compile(
    rf"{_MARKS}*\s*\b(?:if|when|in case) (?:(?:it|they|this|the unit)(?:'s| is| are| gets| get) )?dislodged\b"
    r"[\s,:-]*(?:then )?(?:(?:it|they)(?:'ll| will| should)? )?(?=\w)(?P<to>[^();,]*)\)?",
    re.IGNORECASE,
)
_IF_UNIT_DISLODGED = re.compile(
    rf"{_MARKS}*\s*\b(?:if|when|in case) (?:my |the )?"
    r"(?P<unit>[^\s,;:.]+(?: [^\s,;:.]+){0,3}) (?:is|are|gets|get) dislodged\b"
    r"[\s,:-]*(?:then )?(?:(?:it|they)(?:'ll| will| should)? )?retreats?\b",
    re.IGNORECASE,
)


_IF_NEEDED = re.compile(
    r"(?<![\s,])[\s,]*\(?\bif (?:(?:it is|it's|they are|i am|still) )?"
    r"(?:(?P<forced>dislodged|forced(?: to)?|attacked)|needed|necessary|required|possible|any|allowed)\b\)?[\s.!]*$",
    re.IGNORECASE,
)
_FOR_LATER = re.compile(
    r"\b(?:(?P<retreats>r|ret|rto|retreat\w*|withdraw\w*)|b|build\w*|d|disband\w*|remov\w*)\b", re.IGNORECASE
)


def _without_if_needed(text: str) -> str:
    """A line without an "if necessary" behind a retreat, build or removal, which is done only then anyway."""
    found = _IF_NEEDED.search(text) if " if " in text or "(if " in text else None
    if found is None:
        return text
    does = _FOR_LATER.search(re.split("[,;]", text[: found.start()])[-1])
    return text[: found.start()] if does and bool(does["retreats"]) >= bool(found["forced"]) else text


_AND_REST = re.compile(
    r"\s+(?:and|&)\s+"
    r"(?=waives?\b|(?:(?:all |the )?(?:others?|rest|remaining)|all|everything) (?:\w+ ){0,3}(?:holds?|h|stands?)\b)",
    re.IGNORECASE,
)


_THEN_CONVOYED = re.compile(r"(?<=\w),\s*(?=convoyed\b)", re.IGNORECASE)


def with_commas(text: str) -> str:
    """A line without an "if necessary" that changes nothing, with a comma before what is about all other units, or is another
    goal of a retreat, and without one before what belongs to the order."""
    listed = with_second_choices(_without_if_needed(" ".join(text.split())))
    return _THEN_CONVOYED.sub(" ", _AND_REST.sub(", ", _all_but(listed)))


_ALL_BUT = re.compile(
    r"(?:all|every(?:one|body|thing))(?: (?:my |the )?units?)? (?:h|holds?|stands?|stays?),? (?:except|but)(?: for)?:? "
    r"(?P<order>.+)",
    re.IGNORECASE,
)


def _all_but(text: str) -> str:
    """A line in which what all others do stands behind the order of the one that does something else."""
    found = _ALL_BUT.fullmatch(text)
    said = read(clean(found["order"])) if found else None
    is_order = isinstance(said, Said) and said.verb in ("move", "support", "convoy")
    is_one = found is not None and _SEVERAL.search(found["order"]) is None
    return f"{found['order']}, all others hold" if found and is_order and is_one else text


_SEVERAL = re.compile(r"[,;&+]|\b(?:and|or)\b", re.IGNORECASE)


_PREFERENCES = re.compile(
    rf"{_MARKS}+\s*(?:my |the )?retreats? "
    r"(?:preferences?|options?|priority|priorities|order|list)\b[\s:]*(?=\w)(?P<to>[^()]*)\)?",
    re.IGNORECASE,
)


_ENDS_GOALS = re.compile(r"\.\s+(?=(?:a|f|army|fleet)\b)", re.IGNORECASE)
"""A full stop before another unit, whose order is no goal of the first."""
_DISLODGED_UNIT = re.compile(r"^\W*(?:(?:the|my) )?dislodged (?=(?:a|f|army|fleet)\b)", re.IGNORECASE)
"""What says of a unit before its order that it retreats."""


_IN_BRACKETS = re.compile(r"\s*\((?:retreats?|ret|r)\b[\s:\->]*(?:to )?(?=\w)(?P<to>[^()]*)\)", re.IGNORECASE)
"""Where a unit retreats, in brackets behind its order."""
_NO_RETREAT = re.compile(r"\s*\(no retreats?\)", re.IGNORECASE)


def _as_retreats(found: re.Match[str]) -> str:
    end = ", " if found[0].endswith(")") else ""
    return f", if dislodged, {_ENDS_GOALS.sub(', ', found['to'])}{end}"


def _with_headings(text: str) -> str:
    """A line in which what a unit does "if dislodged" stands behind commas, as below a heading."""
    text = _PREFERENCES.sub(_as_retreats, with_commas(text))
    if "(" in text:
        text = _IN_BRACKETS.sub(_as_retreats, _NO_RETREAT.sub("", text)).lstrip(" ,")
    if "dislodged" not in text.casefold():  # nearly always so
        return text
    text = _DISLODGED_UNIT.sub("retreats: ", text)
    own = _IF_DISLODGED.sub(_as_retreats, text)
    return _IF_UNIT_DISLODGED.sub(r", retreat \g<unit>", own).lstrip(" ,")


def _parts(position: Position, text: str) -> Sequence[Part]:
    """The orders in a line. The lines of a step are read several times, and those of a game are much alike."""
    part = _in_judges_notation(text)
    return (part,) if part else _read(position.options.map, text)


_DASHED = re.compile(r"(?P<label>[^\s:,;\-]+(?: [^\s:,;\-]+){0,3}) ?-+ (?=(?:a|f|army|fleet)\b)", re.IGNORECASE)


def with_colon(map_name: str, text: str) -> str:
    """A line with a colon behind the heading, or the power, that stands before a dash and a unit: ``Builds - A Vie``."""
    found = _DASHED.match(text)
    if found is None:
        return text
    label, rest = found["label"], text[found.end() :]
    return f"{label}: {rest}" if label_of(label) or is_power_label(map_name, label, rest) else text


def _place_alone(text: str) -> str:
    """The name in a text that is a unit, or a province, and nothing else; "" for any other."""
    said = read(text)
    return said.unit.place.name if isinstance(said, Said) and said.verb == "bare" and said.unit else ""


def _of_labelled(written: str, label: str, place: str, rest: str) -> str:
    """A line in which a unit, or its province, stands before a colon: it goes to what stands alone behind that, and need not be
    named twice."""
    said = read(parts_of(rest)[0])
    other = said.unit.place.name if isinstance(said, Said) and said.unit else ""
    if _place_alone(parts_of(rest)[0]):
        return f"{label} - {rest}"
    return rest if other and place[:3].casefold() == other[:3].casefold() else written


@line_cache(8192)
def _read(map_name: str, text: str) -> Sequence[Part]:
    usual = without_daide(map_name, without_idle_question(text))
    cleaned = with_coasts(map_name, with_colon(map_name, with_orders_apart(map_name, clean(_with_headings(usual)))))
    written = without_powers(map_name, without_hyphens(board(map_name), cleaned))
    label, _, rest = (part.strip() for part in written.partition(":"))
    if is_power_label(map_name, label, rest):
        written = rest
        label, _, rest = (part.strip() for part in written.partition(":"))
    if rest and phrase(f"{label} {rest}"):
        return (Part(written, read(f"{label} {rest}")),)
    if rest and (place := _place_alone(label)):
        written = _of_labelled(written, label, place, rest)
    heading = label_of(label) if rest else None
    if heading:
        return (Part(label, heading), *(Part(part, read(part)) for part in parts_of(rest)))
    return tuple(Part(part, read(part)) for part in parts_of(written))

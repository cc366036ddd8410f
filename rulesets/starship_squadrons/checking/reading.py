"""Reading order lines: pure, without any position."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from lark import Token, Transformer, v_args

from pbmd.rules import Line, fold
from pbmd.rules.checking import Fault
from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import cleaner

from .. import orders
from ..tables import PACKAGE
from ..world.factors import Factor, Factors
from ..world.hexes import Hex, hex_named
from ..world.systems import Place

_LONGEST_LINE = 1000
_LONGEST_ON_FILE = 20 * _LONGEST_LINE
"""Canonical lines can be longer than those that they were written as."""
_MOST_DIGITS = 9

clean = cleaner(bullet="(?!)", ignored="[#>].*", signs={"—": "-"})
"""A line in the form in which it is read; "" if it is ignored."""


def read(line: str) -> orders.Order | Fault | None:
    """The order in one line, which is `clean`, with names as written; else what is wrong, None if it is nothing like an
    order."""
    try:
        for said in (_IMPULSE_BEFORE.match(line), _IMPULSE_BEHIND.search(line)):
            if said and (order := _order(line[: said.start()] + line[said.end() :])) is not None:
                return _in_impulse(order, 1 if _FIRST.search(said["nth"]) else 2)
        return _order(line)
    except Fault as fault:
        return fault


_WHO = (
    r"(?!(?:no|nor|not|never|don't|do|but|or|if|and|then|rather|instead|wait|fire|move|hold|jump|place|transfer|repair)\b)"
    r"(?P<who>\w[^:]*?)"
)
_WHO_FIRST = tuple(
    (re.compile(rf"{_WHO}{does}", re.IGNORECASE), order)
    for does, order in (
        (r"(?:\s*:\s*|\s+)fires?\s+(?P<rest>(?:at|on)\s.+)", "FIRE {} {}"),
        (r"(?:\s*:\s*|\s+)(?:attacks?|shoots?)\s+(?:at\s+|on\s+)?(?P<rest>.+)", "FIRE {} AT {}"),
        (r"(?:\s*:\s*|\s+)(?:moves?\s+)?(?P<rest>(?:to|[-=]+>)\s*\(?\d\d[-/]?\d\d.*)", "MOVE {} {}"),
        (r"(?:\s*:\s*|\s+-\s+)(?P<rest>\d\d[-/]?\d\d(?!\w).*)", "MOVE {} TO {}"),
        (r"\s+(?:gives?|transfers?)\s+(?P<rest>\d+\s+(?:suppl(?:y|ies)|admirals?)\s+to\s+\S.*)", "TRANSFER {1} FROM {0}"),
        (r"(?:\s*:\s*|\s+)(?P<rest>holds?\s+fire)", "HOLD FIRE {0}"),
    )
)
"""Orders that begin with who carries them out: "Iron Duke fires at Swift", "Iron Duke to 0506", "Iron Duke: 0506"."""
_WAYS = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (r"(?:(?:all|everybody|everyone)\s+)?fires?\s+at\s+will", "FIRE ALL AT NEAREST"),
        (r"(?:attack|shoot)\s+(?:at\s+|on\s+)?(?P<rest>\S.*\swith\s.+)", r"FIRE AT \g<rest>"),
        (r"(?P<fire>fire\b[^:@>]*?)\s*(?:@|:|-+>)\s*(?P<rest>[^\W\d].*)", r"\g<fire> AT \g<rest>"),
        (r"(?P<rest>\d+\s+(?:suppl(?:y|ies)|admirals?)\s+(?:from|to)\s.+)", r"TRANSFER \g<rest>"),
    )
)
"""Other ways to write an order, each for a whole line, and the usual words."""


def _order(line: str) -> orders.Order | None:
    """The order in a line, in which the verb may be missing, or stand behind who it is for."""
    if (order := _read(line)) is not None:
        return order
    for way, usual in _WAYS:
        if found := way.fullmatch(line):
            return _read(found.expand(usual))
    tried = ((form.fullmatch(line), order) for form, order in _WHO_FIRST)
    return next((_read(order.format(found["who"], found["rest"])) for found, order in tried if found), None)


def _in_impulse(order: orders.Order, impulse: orders.Impulse) -> orders.Order | None:
    """The order, which is said to be for that impulse; None if it says something else itself, or is for none."""
    if not isinstance(order, orders.Move | orders.Fire | orders.HoldFire) or order.impulse not in (0, impulse):
        return None
    return replace(order, impulse=impulse)


_FIRST = re.compile(r"1|one|first|\bi\b", re.IGNORECASE)
"""What the name of the first impulse has, and that of the second has not."""
_NTH = r"(?:the\s+)?(?P<nth>imp(?:ulse|\.)?(?:\s*[12]|\s+(?:one|two|ii?))|(?:1st|2nd|first|second)\s+impulse)\b"
_IMPULSE_BEFORE = re.compile(rf"(?:in\s+)?{_NTH}\s*[:,-]?\s*(?=\w)", re.IGNORECASE)
_OTHER = ("not", "but", "except", "unless", "before", "after", "until", "from", "since")
_NO_OTHER, _NO_PART = (
    "".join(rf"(?<!\b{word}{blank})" for word in words for blank in (" ", "")) for words in (_OTHER, ("in", "during", "the"))
)
_IMPULSE_BEHIND = re.compile(
    rf"(?:\s*[,(]?\s*{_NO_OTHER}\b(?:in|during)\s+|(?:(?<=\w)|(?<=\w )){_NO_OTHER},?\s?\(?{_NO_OTHER}{_NO_PART}){_NTH}\)?$",
    re.IGNORECASE,
)
"""An impulse that a line names before its order, or behind it."""


def read_lines(lines: Iterable[Line], *, on_file: bool = False) -> Iterator[tuple[Line, orders.Order | Fault | None]]:
    """The lines that are not ignored, and what they say. Lines on file can be longer than players may write."""
    longest = _LONGEST_ON_FILE if on_file else _LONGEST_LINE
    for line in lines:
        if text := clean(line.text):
            yield line, read(text) if len(text) <= longest else Fault("this line is too long")


def orders_in(lines: Iterable[str]) -> tuple[orders.Order, ...]:
    """The orders in canonical lines. Raises `ValueError` for lines that no sheet on file has."""
    return tuple(map(_order_in, lines))


def _order_in(line: str) -> orders.Order:
    order = read(line)
    if order is None or isinstance(order, Fault):
        raise ValueError(f"no order: {line}")
    return order


# --- Words ---------------------------------------------------------------------------------------------------------------

_LEVEL_WORDS: dict[str, Factor] = {
    **dict.fromkeys(("jump", "j"), "jump"),
    **dict.fromkeys(("maneuver", "manoeuvre", "maneuvre", "m"), "maneuver"),
    **dict.fromkeys(("sensor range", "sensors", "sensor", "s"), "sensor_range"),
    **dict.fromkeys(("attack range", "range", "r"), "attack_range"),
    **dict.fromkeys(("attack", "a"), "attack"),
    **dict.fromkeys(("defense", "defence", "d"), "defense"),
    **dict.fromkeys(("supply", "u"), "supply"),
}
_WORD = "|".join(word.replace(" ", r"\s+") for word in _LEVEL_WORDS if len(word) > 1)
_LEVEL = re.compile(rf"({_WORD}|[jmsardu])(?:\s+factors?)?\s*[:=]?\s*(\d+)(?!\w)[\s,;&+]*(?:and\b\s*)?", re.IGNORECASE)
_REST = r"(?P<levels>.*?)(?:\s*\bat\s+(?P<place>.+))?"
_BUILT = tuple(
    re.compile(rf"(?P<name>(?:(?!\bwith\b)[^:=])+?)\s*{between}{_REST}", re.IGNORECASE)
    for between in (
        r"[:=]\s*(?:with\b\s*)?",
        rf"(?<=\s)-+\s+(?=(?:{_WORD}|[jmsardu])(?:\s+factors?)?\s*[:=]?\s*\d)",
        r"\bwith\s+",
        rf"(?<=\s)(?=(?:{_WORD}|[jmsardu])(?:\s+factors?)?\s*\d)",
    )
)
"""Between a name and the levels: a colon, a dash, WITH, or nothing, tried in this order."""
_CALLED = re.compile(r"(.+?)\s+squadron\s*(?=:|with\b)(.+)", re.IGNORECASE)
_PLACE = re.compile(r"(?:(\S.*?)\s*,?\s+)??(?:(?:at|hex)\s+)*(?:\((\d\d[-/]?\d\d)\)|(\d\d[-/]?\d\d))", re.IGNORECASE)
_HEX = re.compile(r"\d\d[-/]?\d\d")
_QUESTION_ID = re.compile(r"q\s*(\d+)", re.IGNORECASE)
_WORDS = {
    **{fold(word): word for word in (orders.ALL, orders.STARPORT, orders.SELF)},
    **dict.fromkeys(
        ("all units", "all my units", "all squadrons", "all my squadrons", "everything", "everybody", "everyone"), orders.ALL
    ),
    "the starport": orders.STARPORT,
}
_TARGETS: dict[str, orders.TargetKind] = {
    **dict.fromkeys(("nearest", "any", "closest", "anything", "anyone", "anybody"), "nearest"),
    "strongest": "strongest",
    "weakest": "weakest",
    **dict.fromkeys(("planet", "planets"), "planet"),
    **dict.fromkeys(("squadron", "squadrons"), "squadron"),
}


_ENEMY = re.compile(r"(?:the )?(.+?)(?: (?:enemy|enemies|enemy (?:unit|squadron)s?))?", re.IGNORECASE)
_OTHERWISE = re.compile(r"(?:^|\s+)(?:or else|or|else|otherwise)\s+|\s+only$", re.IGNORECASE)


def _target(text: str) -> orders.Target:
    word = _ENEMY.fullmatch(fold(text))
    kind = _TARGETS.get(fold(text)) or (word and _TARGETS.get(word[1]))
    return orders.Target(kind) if kind else orders.Target("name", text)


def targets_in(target: orders.Target) -> tuple[orders.Target, ...]:
    """The targets in what is written as one, as in "Swift or else the nearest": names may have such words, too."""
    return tuple(_target(text) for text in _OTHERWISE.split(target.name) if text)


def question_id(text: str) -> str | None:
    """The canonical id ("Q3") if the text is a "?"'s; None if it is not."""
    found = _QUESTION_ID.fullmatch(text)
    return f"Q{_number(found[1])}" if found else None


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= _MOST_DIGITS else orders.TOO_LARGE


def _hex(text: str) -> Hex:
    found = hex_named(text)
    if found is None:
        raise Fault(f"there is no hex {text}: columns and rows are numbered from 01")
    return found


def _place(text: str) -> Place:
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise Fault(f'"{text.strip():.60}" is no place: a system and four digits are wanted here')
    return Place(found[1] or "", _hex(found[2] or found[3]))


def _built(text: str) -> tuple[str, Factors, Place | None]:
    """Name, levels and place of a unit to be built."""
    found = next((found for form in _BUILT if (found := form.fullmatch(text))), None)
    if found is None:
        raise Fault("a name, a colon and factors with their levels are wanted here")
    levels: dict[Factor, int] = {}
    text, place = found["levels"].strip(), 0
    while place < len(text):
        level = _LEVEL.match(text, place)
        if level is None:
            raise Fault(f'"{text[place:]:.40}" is no factor with its level')
        factor = _LEVEL_WORDS[fold(level[1])]
        if factor in levels:
            raise Fault(f'"{fold(level[1])}" is there twice')
        levels[factor] = _number(level[2])
        place = level.end()
    return " ".join(found["name"].split()), Factors(**levels), _place(found["place"]) if found["place"] else None


def _first(parts: Sequence[Any], kind: str) -> str | None:
    return next((str(part) for part in parts if isinstance(part, Token) and part.type == kind), None)


def _impulse(parts: Sequence[Any]) -> orders.Impulse:
    text = _first(parts, "IMP")
    return cast(orders.Impulse, int(text[0])) if text else 0


def _lists(parts: Sequence[Any]) -> tuple[str, ...]:
    return next((part for part in parts if isinstance(part, tuple)), ())


def _name(token: str) -> str:
    """A name as written, or one of the words that stand for something else."""
    text = " ".join(token.split())
    return _WORDS.get(fold(text)) or question_id(text) or text


@v_args(inline=True)
class _Orders(Transformer[Token, Any]):
    """Trees into orders."""

    def counters(self, *names: Token) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_name(name) for name in names))

    def n(self, number: Token | None = None) -> int:
        return 1 if number is None else _number(number)

    def squadron(self, text: Token) -> orders.Order:
        if text.type == "SQUADRON_CALLED" and (called := _CALLED.fullmatch(text)):
            return orders.BuildSquadron(*_built(f"{called[1]} {called[2]}"))
        return orders.BuildSquadron(*_built(text))

    def planet(self, text: Token) -> orders.Order:
        name, factors, place = _built(text)
        if place is not None:
            raise Fault("a Planet counter stands on its planet and takes no AT")
        return orders.BuildPlanet(name, factors)

    def buy(self, *parts: Any) -> orders.Order:
        count = next(part for part in parts if isinstance(part, int))
        if _first(parts, "QUESTIONS"):
            return orders.BuyQuestions(count)
        goods, name = fold(_first(parts, "UNIT_GOODS") or ""), _name(_first(parts, "NAME") or "")
        return orders.BuyAdmirals(count, name) if goods.startswith("admiral") else orders.BuySupply(count, name)

    def heading(self, text: Token) -> orders.Order:
        if text.type == "END":
            return orders.Heading(0)
        return orders.Heading(1 if _FIRST.search(text) else 2)

    def move(self, *parts: Any) -> orders.Order:
        hexes, start = _HEX.findall(_first(parts, "HEXES") or ""), _first(parts, "HEX")
        way = tuple(_hex(text) for text in hexes)
        return orders.Move(_impulse(parts), _lists(parts), way, _hex(start) if start else None)

    def target(self, text: Token) -> orders.Target:
        if text.type == "NAME":
            return _target(" ".join(text.split()))
        where = _HEX.search(text)
        return orders.Target("hex" if text.type == "HEX" else "question", "", _hex(where[0]) if where else None)

    def fire(self, *parts: Any) -> orders.Order:
        within = _first(parts, "WITHIN")
        return orders.Fire(
            _impulse(parts),
            next(part for part in parts if isinstance(part, tuple) and not isinstance(part, orders.Target)),
            tuple(dict.fromkeys(part for part in parts if isinstance(part, orders.Target))),
            _number(within.split()[1]) if within else None,
            _first(parts, "IF_SEEN") is not None,
        )

    def hold(self, *parts: Any) -> orders.Order:
        return orders.HoldFire(_impulse(parts), _lists(parts) or (orders.ALL,))

    def transfer(self, count: Token, goods: Token, source: Token, to: Token) -> orders.Order:
        what = "admiral" if fold(goods).startswith("admiral") else "supply"
        return orders.Transfer(_number(count) if count.isdigit() else 1, what, _name(source), _name(to))

    def transfer_number(self, goods: Token, count: Token, source: Token, to: Token) -> orders.Order:
        return self.transfer(count, goods, source, to)

    def transfer_one(self, goods: Token, source: Token, to: Token) -> orders.Order:
        if not fold(goods).startswith("admiral") or fold(goods).endswith("s"):
            raise Fault(f"write how many: TRANSFER 1 {goods.upper()} FROM {source} TO {to}")
        return orders.Transfer(1, "admiral", _name(source), _name(to))

    def transfer_to(self, count: Token, goods: Token, to: Token, source: Token) -> orders.Order:
        return self.transfer(count, goods, source, to)

    def repair(self, *parts: Any) -> orders.Order:
        hits, source = _first(parts, "HITS"), _first(parts, "NAME")
        return orders.Repair(_lists(parts), _number(hits.split()[0]) if hits else None, _name(source) if source else "")

    def no_repair(self, names: tuple[str, ...]) -> orders.Order:
        return orders.NoRepair(names)

    def jump(self, names: tuple[str, ...], place: Token) -> orders.Order:
        return orders.Jump(names, _place(place))

    def place(self, which: Token, target: Token) -> orders.Order:
        question = question_id(which) or orders.ANY_QUESTION
        if target.type == "AT_PLACE":
            return orders.PlaceQuestion(question, _place(target[2:]))
        return orders.PlaceQuestion(question, None, _name(target))

    def fleet(self, name: Token, members: tuple[str, ...]) -> orders.Order:
        return orders.FormFleet(" ".join(name.split()), members)

    def disband(self, name: Token) -> orders.Order:
        return orders.Disband(" ".join(name.split()))

    def wait(self, days: Token) -> orders.Order:
        return orders.Wait(_number(days))


_read: Callable[[str], orders.Order | None] = order_reader(
    PACKAGE, _Orders(), bare={"PASS": orders.Pass()}, longest=_LONGEST_ON_FILE
)

"""Reading order lines: pure, without any position. `read` returns an order with names as written, or None."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

from lark import Token, Transformer, v_args

from pbmd.rules import fold
from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import LONGEST_LINE, cleaner
from pbmd.rules.remarks import changes_order, in_brackets
from pbmd.rules.unsure import UNSURE

from ..orders import (
    FUNCTION_WORDS,
    Attack,
    BuildCities,
    BuildPart,
    BuildWonder,
    Buy,
    Concede,
    Cut,
    CutItem,
    CutKind,
    DeclarePeace,
    DeclareWar,
    Defend,
    Function,
    Gift,
    Give,
    GiveForbidden,
    Item,
    Launch,
    Order,
    Phase,
    Research,
    Revolution,
    SendSpies,
    Spoils,
    Targets,
    Trade,
    UseKgb,
    WithdrawConcession,
)
from ..tables import TECHNOLOGY_CALLED, TECHNOLOGY_NUMBER, WONDER_CALLED, GovernmentName
from ..world.squares import Square, square_labelled
from .other_ways import AFFORDABLE, in_usual_words, with_second_choice, without_second_choice

LONGEST_ON_FILE = 20 * LONGEST_LINE
"""Canonical lines can be longer than those that they were written as."""
TEXT_LENGTH = 40
_MOST_DIGITS = 9
BAD = -1
"""What an invalid number is read as: 0, a word, or too many digits (code `bad_quantity`)."""

_SQUARE_LIKE = re.compile(r"\b[A-Za-z]{1,2}\d{1,3}\b")

_PHASE = (
    r"(?:phase\s+)?(?:\d[a-e]?[.)]?\s+)?(?:espionage|trade|production|(?:foreign\s+)?aid|war|tax(?:\s+collection)?|military|"
    r"research|cities|wonders(?:\s+and\s+spaceships?)?|diplomacy)(?:\s+phase)?"
)
_PHASE_ALONE = r"(?:production|foreign\s+aid|war|tax\s+collection)(?:\s+phase)?"
"""A heading without a colon: none with which an order may begin that goes on below it, and no name of a technology."""
_VERB = (
    r"(?:\d+\s+(?:spy|spies|caravan|arm|nuke|sdi)|(?:an?|use|send|spy|spies|caravans?|trade\s+with|research|buy|build|city\s|kgb|give|"
    r"gift|attack|launch|revolution|declare|concede|spoils|armies|if\s+short|cut)\b)"
)
"""How orders begin, so that the name of a phase before them is its heading: "Trade: Trade with Skanky"."""
_clean = cleaner(
    bullet=rf"(?:[-*•]\s+|\d{{1,3}}[a-e]?[.)]\s*|\d[a-e]:?\s+)?(?:{_PHASE}\s*:\s*(?={_VERB}))|[-*•]\s+|\d{{1,3}}[a-e]?[.)]\s*|\d[a-e]:?\s+",
    # After the first of these nothing is read, and a ruler, perhaps with a remark after it, is ignored entirely.
    remark=r"\A[-=_*~\s]*(?=<-|#|//|\Z)|<-|#|//",
    ignored=rf"actions?\b.*|{_PHASE}\s*:\s*(?:none|nothing|no\s+\w+|-)?|{_PHASE_ALONE}",
    signs={"—": "-", "→": "-->", "×": "x"},
)
_SQUARES_IN_BRACKETS = re.compile(
    r"\s*\(\s*(?:(?:at|in)\s+)?(?P<squares>(?!x\s*\d)[a-z]{1,2}\d{1,3}(?:(?:\s*,\s*|\s+)[a-z]{1,2}\d{1,3})*)\s*\)",
    re.IGNORECASE,
)
_PRICE_IN_SQUARES = re.compile(r"\[\s*(\d{1,6}(?:\s*g(?:old|p)?)?)\s*\]", re.IGNORECASE)
_TIMES_IN_BRACKETS = re.compile(r"\(\s*(x\s*\d+|\d+\s*x)\s*\)", re.IGNORECASE)
_CARAVANS_IN_BRACKETS = re.compile(r"\(\s*(\d+)\s+caravans?\s*\)", re.IGNORECASE)
_CLAUSE_IN_BRACKETS = re.compile(r"\s*\(\s*((?:target|keep)[^()]*)\)", re.IGNORECASE)


def is_phase_without_colon(text: str) -> bool:
    """Whether a line is the name of a phase, which would be a heading with a colon behind it."""
    return _PHASE_NAME.fullmatch(clean(text)) is not None


_PHASE_NAME = re.compile(_PHASE, re.IGNORECASE)


def clean(text: str) -> str:
    """A line in the form in which it is read: single blanks, no list mark before it, no remark or punctuation after it, and no
    brackets around what is no price: "City (C6)", "Caravan to Skanky (x2)". Empty if ignored."""
    line = _PRICE_IN_SQUARES.sub(r"(\1)", _clean(text))
    if "(" in line:
        line = _without_brackets(line)
    usual = in_usual_words(line)
    return usual if usual != line and read(usual) is not None else line


def _without_brackets(line: str) -> str:
    line = with_second_choice(line)
    line = _CARAVANS_IN_BRACKETS.sub(r"x\1", _TIMES_IN_BRACKETS.sub(r"\1", line))
    return _SQUARES_IN_BRACKETS.sub(r" at \g<squares>", _CLAUSE_IN_BRACKETS.sub(r", \1", line))


def _number(text: str) -> int:
    """A number from 1 on, `BAD` for any other text."""
    if text.casefold() in ("a", "an"):
        return 1
    fits = text.isascii() and text.isdigit() and len(text.lstrip("0")) <= _MOST_DIGITS
    return (int(text) or BAD) if fits else BAD


def _sum(text: str) -> int | None:
    """The number in "(6)" or "(+9)"; None if there is none."""
    digits = re.search(r"\d+", text)
    return int(digits[0][-_MOST_DIGITS:]) if digits else None


_CALLED = re.compile(r"^(?:of|called|named)\s+", re.IGNORECASE)
_NAMED_BEHIND = re.compile(
    r"(?<=\d)[\s,(]{1,2}(?:(?:called|named)\s|\")(?P<name>(?:(?!(?:and|then|or|if|but|unless|not|next)\b)[^\W\d_][\w'-]*\s?){1,3})\"?\)?$",
    re.IGNORECASE,
)
"""The name of a city behind its squares."""


def _squares(text: str) -> tuple[Square, ...]:
    """The squares among these words, each once."""
    found = (square_labelled(label) for label in _SQUARE_LIKE.findall(text))
    return tuple(dict.fromkeys(square for square in found if square))


def _city_name(text: str) -> str:
    """A name that can be shown and is not too long: it is decoration and no reason to refuse an order."""
    shown = " ".join("".join(letter for letter in text if letter.isprintable()).split())
    return shown.strip(" ,")[:TEXT_LENGTH].rstrip(" ,")


def _first(parts: Iterable[Any], *kinds: str) -> Token | None:
    return next((part for part in parts if isinstance(part, Token) and part.type in kinds), None)


def _count(parts: Iterable[Any]) -> int:
    """The number before the thing or after its "x", 1 without either; `BAD` if the two differ."""
    parts = list(parts)
    numbers = [part for part in parts if isinstance(part, int)]
    numbers += [_number(part.strip("xX ")) for part in parts if isinstance(part, Token) and part.type == "X"]
    several = any(isinstance(part, Token) and part.type in _GOODS and fold(part).endswith("s") for part in parts)
    return numbers[0] if len(set(numbers)) == 1 else BAD if numbers or several else 1


_GOODS = ("SPIES", "CARAVANS", "ARMIES", "NUKES", "SDI", "CITY")
"""What there may be several of: how many is to be written then."""


def _stated(parts: Iterable[Any]) -> int | None:
    cost = _first(parts, "COST")
    return _sum(cost) if cost else None


def _function(token: Token) -> Function:
    return FUNCTION_WORDS[re.sub(r"^the\s+|\s+(phase|step)$", "", fold(token))]


def _wonder(token: Token) -> str:
    return WONDER_CALLED[fold(token)]


def _technology(token: Token) -> int:
    return TECHNOLOGY_NUMBER[TECHNOLOGY_CALLED[fold(token)]]


_GIFTS: dict[str, Gift] = {"a": "armies", "t": "tech", "n": "nukes", "g": "gold"}


def _gift(token: Token) -> Gift:
    word = fold(token)
    return _GIFTS[word[0]] if word[0] in _GIFTS else "spies" if word.startswith("sp") else "sdi"


# --- What is cut first ----------------------------------------------------------------------------------------------------

_CUT_WORDS: dict[str, CutKind] = {
    **dict.fromkeys(("research", "technology", "technologies", "tech", "techs"), "research"),
    **dict.fromkeys(("armies", "army"), "armies"),
    **dict.fromkeys(("nukes", "nuke"), "nukes"),
    **dict.fromkeys(("sdi", "sdis"), "sdi"),
    **dict.fromkeys(("cities", "city"), "cities"),
    **dict.fromkeys(("spaceship", "spaceship part", "spaceship parts", "engines", "engine"), "part"),
}
_CUT_COUNT = re.compile(r"^\d+\s+|\s+x\s*\d+\b|\s*\([^()]*\)", re.IGNORECASE)


def _cut_items(text: str) -> tuple[CutItem, ...] | None:
    """The items listed; None if one of them cannot be cut."""
    items: list[CutItem] = []
    for words in re.split(r"\s*(?:,|;|\band\b)\s*", text, flags=re.IGNORECASE):
        word = fold(_CUT_COUNT.sub("", words)).removeprefix("then ").removesuffix(" first")
        if word in _CUT_WORDS:
            items.append(CutItem(_CUT_WORDS[word]))
        elif word in WONDER_CALLED:
            items.append(CutItem("wonder", WONDER_CALLED[word]))
        elif word in TECHNOLOGY_CALLED:
            items.append(CutItem("technology", TECHNOLOGY_CALLED[word]))
        elif word:
            return None
    return tuple(dict.fromkeys(items)) or None


# --- Orders ---------------------------------------------------------------------------------------------------------------


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    def n(self, number: Token | None = None) -> int | None:
        return None if number is None else _number(number.strip("xX "))

    def spy(self, *parts: Any) -> SendSpies:
        return SendSpies(str(_first(parts, "SPIED", "SPIED_AT")).strip(" ,"), _function(parts[-1]), _count(parts))

    def defend(self, *parts: Any) -> Defend:
        return Defend(_function(parts[-1]), _count(parts))

    def trade(self, *parts: Any) -> Trade:
        payout = _first(parts, "PAYOUT")
        return Trade(str(_first(parts, "PARTNER")), _count(parts), _stated(parts), _sum(payout) if payout else None)

    caravans = trade

    def research(self, number: Token, cost: Token | None = None) -> Research:
        return Research(_number(number), stated=_sum(cost) if cost else None)

    def technologies(self, *parts: Token) -> Research:
        return Research(_count(parts), stated=_stated(parts))

    def technology(self, name: Token, cost: Token | None = None) -> Research:
        return Research(1, _technology(name), _sum(cost) if cost else None)

    def buy(self, *parts: Any) -> Buy:
        items: dict[str, Item] = {"ARMIES": "armies", "NUKES": "nukes", "SDI": "sdi"}
        item = _first(parts, *items)
        assert item is not None
        return Buy(items[item.type], _count(parts), _stated(parts))

    def city(self, *parts: Any) -> BuildCities:
        squares = _first(parts, "SQUARES") or ""
        behind = _NAMED_BEHIND.search(squares)
        name = _first(parts, "CITY_NAME") or (behind["name"] if behind else "")
        return BuildCities(_count(parts), _squares(squares), _city_name(_CALLED.sub("", name)), stated=_stated(parts))

    def sum(self, amount: Token) -> int:
        return (_sum(amount) or BAD) if amount.type == "COST" else _number(amount)

    def place(self, square: Token) -> Square | None:
        return square_labelled(square[2:].strip())

    def wonder(self, name: Token, *parts: int | Square | None) -> BuildWonder:
        spend = next((part for part in parts if isinstance(part, int)), 0)
        square = next((part for part in parts if isinstance(part, Square)), None)
        return BuildWonder(_wonder(name), spend, square)

    def spend(self, gold: Token, name: Token) -> BuildWonder:
        return BuildWonder(_wonder(name), _number(gold), None)

    def part(self, spend: int = 0) -> BuildPart:
        return BuildPart(spend)

    def kgb(self, name: Token) -> UseKgb:
        return UseKgb(_wonder(name))

    def cut(self, items: Token) -> Cut | None:
        found = _cut_items(items)
        return Cut(found) if found else None

    def give(self, *parts: Token) -> Give:
        named = {part.type: part for part in parts}
        to = next(str(part) for part in parts if part.type in ("RECEIVER", "RECEIVER_OF", "NAME"))
        if "TECHNOLOGY" in named:
            return Give(to, "tech", 1, _technology(named["TECHNOLOGY"]))
        quantity = _first(parts, "QUANTITY", "QUANTITY_TO")
        return Give(to, _gift(named["GIFT"]), _number(quantity or ""))

    def forbidden(self, name: Token) -> GiveForbidden:
        return GiveForbidden(str(name))

    def attack(self, target: Token, *parts: Token) -> Attack:
        force, targets = _first(parts, "FORCE"), _first(parts, "TARGETS")
        number = 0 if force is None else None if re.match(r"(?:all|everything)\b", force, re.IGNORECASE) else _number(force)
        return Attack(str(target).strip(" ,"), number, _squares(targets or ""))

    def nuke(self, count: int | None, nukes: Token, target: Token, targets: Token | None = None) -> Launch:
        return Launch(str(target).strip(" ,"), _count((count, nukes)), _squares(targets or ""))

    def targets(self, squares: Token) -> Targets:
        return Targets(_squares(squares))

    def revolution(self, government: Token, keep: Token | None = None) -> Revolution:
        name = cast(GovernmentName, fold(government))
        return Revolution(name, cast(Phase, _function(keep)) if keep else None)

    def war(self, society: Token) -> DeclareWar:
        return DeclareWar(str(society))

    def peace(self, society: Token) -> DeclarePeace:
        return DeclarePeace(str(society))

    def spoils(self, victim: Token, *parts: Token) -> Spoils:
        wonder = _first(parts, "WONDER")
        return Spoils(str(victim), str(parts[-1]), _wonder(wonder) if wonder else "")

    def concede(self, society: Token) -> Concede:
        return Concede(str(society))


def _names(names: Iterable[str]) -> str:
    """A pattern for one of these names, the longest that fits."""
    longest_first = sorted(names, key=len, reverse=True)
    return "(" + "|".join(re.escape(name).replace("\\ ", r"\s+") for name in longest_first) + r")(?!\w)"


_WONDER, _TECHNOLOGY = _names(WONDER_CALLED), _names(TECHNOLOGY_CALLED)
_KEPT = rf"(\S+\s+)?({_WONDER}|(cities|city|wonders?|spaceships?(\s+parts?)?|parts?|engines?)\b)"
"""What cannot be given away, perhaps with a number."""
_FROM_TABLES = rf"""
WONDER.2: /{_WONDER}/i
TECHNOLOGY.2: /{_TECHNOLOGY}/i
RECEIVER_OF: /\S.*?(?=\s+{_TECHNOLOGY}$)/i
RECEIVER_OF_MORE: /\S.*?(?=\s+{_KEPT}$)/i
VICTIM: /\S.*?(?=\s*:|\s+({_WONDER}\s+)?to\s)/i
_UNGRANTABLE: /{_KEPT}$/i
_UNGRANTABLE_TO.1: /{_KEPT}(?=\s+to\s)/i
"""
read: Callable[[str], Order | None] = order_reader(
    __name__.removesuffix(".checking.reading"),
    _ToOrder(),
    bare={"WITHDRAW": WithdrawConcession()},
    more=_FROM_TABLES,
    longest=LONGEST_ON_FILE,
)
"""The order in one line, which is `clean`; None if it is not an order. The length of a player's line must be checked before."""
_BESIDE_SQUARES = re.compile(
    rf"""(?:
        \((?:(?:for|price:?|costs?:?|total:?)\s)?[^()\w]?\d+\s?(?:gold|g)?(?:\s(?:each|total))?\)
      | (?:for\s)?\d+\sgold\b | for\s\d+$ | \(if\spossible\) | {_SQUARE_LIKE.pattern}
      | (?:(?:if|when)\s+)?(?:possible|free|taken|occupied|needed|available|necessary)\b
      | (?:and|then|or|so|else|otherwise|etc|also|finally|at|in|on|to|of|the|that|this|order)\b
      | (?:squares?|targets?|first|second|third|last|1st|2nd|3rd|choice|failing)\b
      | (?:please|thanks|respectively|preferably|alternatively|alternative|preference|backup|fallback|as|an?)\b
      | [^\w(?]
    )*""",
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand behind a square: others, what they cost, and words that say no more than in which order they are meant."""
_NOT_THERE = re.compile(
    rf"\b(?:not|never|no|except(?:\s+for)?|but|unless|{UNSURE}|next\s+to|beside|around|outside|from|"
    r"(?:north|south|east|west|left|right)\s+of|above|below)\W+(?:(?:at|in|on|the|squares?)\W+)*$",
    re.IGNORECASE,
)
"""What stands right before a square that is not meant, or not surely."""
_COUNT_BEFORE = re.compile(r"\bx\s?\d+(?=\s+(?:new\s+)?(?:city|cities|army|armies|nukes?)\b)", re.IGNORECASE)
"""How many of something, which is like a square: "x2 cities"."""
_COUNT_BEHIND = re.compile(r"\d\s+(?:x\s?\d+|\d+\s?x)$")
"""The same behind squares, of which it may be one: "B5 x2"."""
_FOR_LATER = re.compile(r"\b(?:next\s+(?:turn|round)|tomorrow|later|(?:in|on|for)\s+turn)\b", re.IGNORECASE)


def has_number_behind(line: str) -> bool:
    """Whether a line ends with squares and with what may be one more, or how many are meant: "City at B5 x2"."""
    return _COUNT_BEHIND.search(line) is not None


def says_more_than_squares(line: str, order: Order | None) -> bool:
    """Whether words before the squares of a line take them back, or there is anything behind them but others: it would be read
    over, and may be another order, a condition, another turn, or squares that are not meant ("C6, not E5")."""
    if not isinstance(order, BuildCities | Attack | Launch | Targets):
        return False
    if isinstance(order, BuildCities) and has_number_behind(line):
        return True
    named = line.replace(order.target, "", 1) if isinstance(order, Attack | Launch) else line
    counted = _COUNT_BEFORE.sub("", named, count=1)
    text = _NAMED_BEHIND.sub("", counted) if isinstance(order, BuildCities) else counted
    square = _SQUARE_LIKE.search(text)
    if square is None:
        return _FOR_LATER.search(text) is not None
    is_not_there = _NOT_THERE.search(text[: square.start()]) is not None
    return is_not_there or _FOR_LATER.search(text) is not None or not _BESIDE_SQUARES.fullmatch(text, square.end())


_IF_POSSIBLE = re.compile(rf"\(if\s+(?:{AFFORDABLE})\)", re.IGNORECASE)
"""A condition under which every order stands."""
_REMARK = re.compile(r"(?:<-+|#|//)\s*(.*)")
_MOST_OF_REMARK = 4
"""So many words has a remark that takes an order back; what is longer explains it."""


def has_changing_remark(text: str) -> bool:
    """Whether what stands in brackets, or briefly behind a mark of comments, takes the order back or leaves it open."""
    said = without_second_choice(_IF_POSSIBLE.sub("", text))
    behind = _REMARK.search(said)
    brief = [behind[1]] if behind and len(behind[1].split()) <= _MOST_OF_REMARK else []
    return any(map(changes_order, (*in_brackets(said[: behind.start()] if behind else said), *brief)))


def orders_in(lines: tuple[str, ...]) -> tuple[Order, ...]:
    """The orders in canonical lines, in order; targets are part of the attack or launch above them.

    Raises `ValueError` for lines that no sheet on file has.
    """
    orders: list[Order] = []
    for line in lines:
        order = read(line)
        above = orders[-1] if orders else None
        if order is None:
            raise ValueError(f"no order: {line}")
        if isinstance(order, Targets):
            if not isinstance(above, Attack | Launch):
                raise ValueError(f"nothing to have targets: {line}")
            orders[-1] = replace(above, targets=order.squares)
        else:
            orders.append(order)
    return tuple(orders)

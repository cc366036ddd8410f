"""Turns what the grammar (``orders.lark``) finds in a line into an order. Pure, without any position."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args

from pbmd.rules.advice import why_unclear
from pbmd.rules.checking import Fault
from pbmd.rules.grammar import order_reader
from pbmd.rules.lines import line_cache
from pbmd.rules.words import counted

from ..orders import (
    ALL_OF,
    UNSAID,
    Attack,
    BaseItem,
    Build,
    BuildGenerator,
    CounterEspionage,
    Division,
    Force,
    Formation,
    Oob,
    Order,
    RaiseShields,
    Range,
    Repair,
    Role,
    SetOob,
    ShipItem,
    Spy,
    Stockpile,
    TrainSpy,
    Transfer,
    Unclear,
)
from ..tables import CLASSES, HULLS, LETTERS, PACKAGE, WEAPONS
from .explain import OOB_EXAMPLE, explain

LONGEST_LINE = 2000
MOST_ORDERED = 999_999


def parsed(line: str) -> Order | Unclear:
    """The order in one line, which is clean (see `reading.clean`). Names stay as written."""
    try:
        found = _read(_in_usual_words(line))
    except Fault as fault:
        return _suited(Unclear(fault.asking(()), fault.example, fault.names, fault.written), line)
    too_long = f"a line has {LONGEST_LINE} characters at most, this one has {len(line)}"
    return found or Unclear(too_long, "Build 2 Laserfrigates")


_WAYS = tuple(
    (re.compile(pattern, re.IGNORECASE), usual)
    for pattern, usual in (
        (
            r"attack\s+(?P<name>(?!(?:vs|versus|against|oob)\b)[^:,()]+?)\s*(?::|\()\s*(?P<ships>(?:\d|all\b|everything\b)[^():]*)\)?",
            r"Attack \g<name> with \g<ships>",
        ),
        (
            r"(?P<ships>(?:\d+\s[^:()]*|all(?:\s+my)?\s[^:()]*))\s+attacks?\s+(?P<name>[^:()]+)",
            r"Send \g<ships> to attack \g<name>",
        ),
        (r"(?P<order>attack\b[^()]*?)\s*\((?P<with>(?:allied|jointly|together|along)\s[^()]+)\)", r"\g<order> \g<with>"),
        (
            r'(?P<order>[^()"]*\bbases?)\s*(?:\(named\s+(?P<name>[^()]+)\)|"(?P<quoted>[^"]+)")',
            r"\g<order> named \g<name>\g<quoted>",
        ),
    )
)
"""Other ways to write an order, each for a whole line, and the usual words."""


def _in_usual_words(line: str) -> str:
    """The line in the words of the grammar, if it is one of those that are written in others; else as it is."""
    if len(line) > LONGEST_LINE:
        return line
    return next((found.expand(usual) for way, usual in _WAYS if (found := way.fullmatch(line))), line)


def _suited(unclear: Unclear, line: str) -> Unclear:
    """The same with an example of the line's own kind, if orders other than Build name ships, too."""
    if unclear.problem.endswith("you mean") and not line.lower().startswith("b"):
        unclear = replace(unclear, problem=f"{unclear.problem}, 99 for all that you have")
    for word, start in (("attack", "Attack Cygnus with"), ("repair", "Repair")):
        if line.lower().startswith(word) and unclear.example.startswith("Build "):
            return replace(unclear, example=f"{start}{unclear.example.removeprefix('Build')}")
    return unclear


_BARE: dict[str, Order | Unclear] = {
    "STOCKPILE": Stockpile(),
    "CE": CounterEspionage(),
    "SHIELDS": RaiseShields(),
    "GENERATOR": BuildGenerator(),
    "TRAIN": TrainSpy(),
}


# --- Ships -------------------------------------------------------------------------------------------------------------


def _beginnings() -> dict[str, int]:
    """Every unambiguous way to write a class, without blanks and hyphens: "laserf", "torpcruisers", "LF"."""
    kinds: dict[str, int] = {}
    for ship in CLASSES:
        for prefix in WEAPONS[ship.weapon].also:
            for hull in (HULLS[ship.hull].name, *HULLS[ship.hull].also):
                for end in range(1, len(hull) + 1):
                    for word in (prefix + hull[:end], prefix[0] + hull[0]):
                        kinds[word] = kinds[word + "s"] = ship.kind
    return kinds


_KINDS = _beginnings()
_HULLS = {word + end: place for place, hull in enumerate(HULLS) for word in (hull.name, *hull.also) for end in ("", "s")}
_WEAPONS = {
    word: place
    for place, weapon in enumerate(WEAPONS)
    for word in (*weapon.also, *(w + "s" for w in weapon.also), weapon.plural)
    if word[:7] != "carrier"
}
_ARMS = re.compile(r"(?:with )?\(? ?(?:(\d+) ?x? ?)?([a-z]+)(?: each)? ?\)? ?(?:\(([a-z -]*)\))?", re.IGNORECASE)
_BLANKS = re.compile(r"[\s/,-]+")
_THE = re.compile(r"^(?:the|my|our)\s+(?=\S)", re.IGNORECASE)


def ship_kind(words: str) -> int | None:
    """The kind of ship that these words name, or None."""
    return _KINDS.get(_BLANKS.sub("", words.lower()))


def _class(words: str, arms: str | None) -> int:
    words = _THE.sub("", words)
    if arms is None:
        kind = ship_kind(words)
        if kind is None:
            raise _unknown_ship(words)
        return kind
    hull = _HULLS.get(words.lower())
    matched = _ARMS.fullmatch(arms)
    if hull is None or matched is None:
        raise _unknown_ship(words)
    number, weapon_word, bracket = matched.groups()
    weapon = _WEAPONS.get(weapon_word.lower())
    if weapon is None:
        raise Fault(
            f'there is no weapon "{weapon_word}"; there are lasers, fighters and torpedoes', example="Build 1 Laserfrigate"
        )
    ship = CLASSES[weapon * len(HULLS) + hull]
    if number and int(number[:6]) != ship.space:
        raise Fault(
            f"a {HULLS[hull].name} carries exactly {counted(ship.space, 'weapon')}, not {number[:6]}",
            example=f"Build 1 {ship.name}",
        )
    if bracket is not None and ship_kind(bracket) != ship.kind:
        raise Fault(f'what is described is a {ship.name}, not "({bracket})"', example=f"Build 1 {ship.name}")
    return ship.kind


def _unknown_ship(words: str) -> Fault:
    word = _BLANKS.sub("", words.lower())
    prefixes = {prefix: weapon.prefix for weapon in WEAPONS for prefix in weapon.also}
    if word in _HULLS:
        hull = HULLS[_HULLS[word]]
        classes = ", ".join(CLASSES[weapon * len(HULLS) + _HULLS[word]].name for weapon in range(len(WEAPONS)))
        return Fault(f'"{words}" does not say which weapon: {classes}', example=f"Build 1 Laser{hull.name}")
    if word.rstrip("s") in prefixes:
        return Fault(f'"{words}" does not say which hull', example=f"Build 1 {prefixes[word.rstrip('s')]}frigate")
    alike = difflib.get_close_matches(word.removesuffix("s"), [ship.name.lower() for ship in CLASSES], n=1)
    near = [name.capitalize() for name in alike]
    example = f"Build 1 {near[0] if near else 'Laserfrigate'}"
    why = "" if near else why_unclear(words)
    return Fault(
        f'there is no ship "{words}"{f"; {why}" if why else ""}', example=example, names=near, written=words, asks=True
    )


def _check_counts(items: Iterable[ShipItem | BaseItem], *unclear: int) -> None:
    """Raises `Fault` if one of the items has a count that says too little."""
    for item in items:
        if isinstance(item, ShipItem) and item.count in unclear:
            raise Fault(f"write how many {CLASSES[item.kind].name}s you mean")


def _number(count: str | None) -> int:
    if count is None or (count[0] in "aAoO" and not any(map(str.isdigit, count))):
        return 1
    if not any(map(str.isdigit, count)):
        return 2
    digits = "".join(sign for sign in count if sign.isdigit() or sign == "-")
    if digits[0] == "-" or not digits.strip("0") or len(digits) > len(str(MOST_ORDERED)):
        raise Fault(
            f"{digits[:12]} is no number of ships or bases; 1 to {MOST_ORDERED} can be ordered", example="Build 2 Laserfrigates"
        )
    return int(digits)


# --- Orders of battle ----------------------------------------------------------------------------------------------------

LABEL = re.compile(
    r"(oob|order of battle)?\s*(?P<role>attack|defen[cs]e|default)?\s*(?:(?:vs\.?|versus|against)\s+(?P<against>[^:]+?))?\s*:?",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus|against)\s+", re.IGNORECASE)
_ROLE = re.compile(r"\b(?:att|def(?!ault))", re.IGNORECASE)
_SEQUENCE = re.compile(r"([^(]*)(?:\(([^)]*)\))?")
_RANGES: dict[str, Range] = {"close": "close in", "close in": "close in", "back": "back off", "back off": "back off"}
_FORMATIONS: dict[str, Formation] = {
    "bunch": "bunch",
    "bunch together": "bunch",
    "spread": "spread",
    "spread out": "spread",
}


@line_cache(512)
def _weapons(sequence: str) -> tuple[int, ...]:
    """Six weapons, two of each (GO-82, GO-83), from letters or words."""
    matched = _SEQUENCE.fullmatch(sequence)
    written, bracket = matched.groups() if matched else (sequence, None)
    words = _BLANKS.sub(" ", written).strip()
    # Words begin with their weapon's letter.
    whole = [word for word in words.lower().split() if word in _WEAPONS]
    letters = "".join(word[0] for word in whole) if whole else words.replace(" ", "")
    letters = letters.upper()
    counts = Counter(letters)
    if any(counts[letter] != 2 for letter in LETTERS) or len(letters) != 2 * len(LETTERS):
        raise Fault(f'OOB "{words}" must be six weapons: L, F and T twice each', example=OOB_EXAMPLE, written=words)
    if bracket is not None and _BLANKS.sub("", bracket).upper() != letters:
        raise Fault(f'the letters in brackets "({bracket})" differ from {letters}', example=f"OOB default: {letters}")
    return tuple(LETTERS.index(letter) for letter in letters)


def label_of(label: str) -> tuple[Role, str]:
    """The role and the enemy in the label of an order of battle."""
    words, _, against = _VERSUS.sub("\n", " ".join(label.split()), count=1).partition("\n")
    found = _ROLE.search(words)
    role, against = found[0].lower() if found else "", against.rstrip(" :=")
    return ("attack" if role == "att" else "defence" if role else ""), against


def order_of_battle(role: Role, against: str, sequence: str, tactics: list[str]) -> SetOob:
    """An order of battle from its pieces. Raises `Fault`."""
    chosen_range: Range = ""
    formation: Formation = ""
    death = False
    for tactic in (" ".join(word.strip("()").lower().split()) for word in tactics):
        if (
            (tactic in _RANGES and chosen_range)
            or (tactic in _FORMATIONS and formation)
            or (tactic == "to the death" and death)
        ):
            kind = "range" if tactic in _RANGES else "formation" if tactic in _FORMATIONS else '"to the death"'
            raise Fault(f'"{tactic}" comes too late: an order of battle has one {kind}', example=OOB_EXAMPLE)
        chosen_range = _RANGES.get(tactic, chosen_range)
        formation = _FORMATIONS.get(tactic, formation)
        death = death or tactic == "to the death"
    if death and role != "attack":
        raise Fault('"to the death" is for attacks only', example="OOB attack: LFTLTF to the death")
    return SetOob(role, against, Oob(_weapons(sequence), chosen_range, formation), death)


# --- From the parser's pieces to orders ------------------------------------------------------------------------------------


@v_args(inline=True)
class _ToOrder(Transformer[Token, Any]):
    """Makes the order while the parser runs; each method has a rule's name and gets its tokens."""

    def start(self, order: Any) -> Any:
        return order

    def ship(self, *tokens: Token) -> ShipItem:
        texts = {token.type: str(token) for token in tokens}
        kind, count = _class(texts["SHIP"], texts.get("ARMS")), texts.get("COUNT") or texts.get("TIMES")
        if count and count.lower().startswith("all") and not count[-1].isdigit():
            return ShipItem(kind, ALL_OF)
        return ShipItem(kind, UNSAID if not count and texts["SHIP"].lower().endswith("s") else _number(count))

    def some_bases(self, *tokens: Token) -> BaseItem:
        texts = {token.type: str(token) for token in tokens}
        if "COUNT" not in texts and texts["BASE"].lower() == "bases":
            raise Fault("write how many bases you mean", example="Build 2 bases")
        return BaseItem(_number(texts.get("COUNT")))

    def named_bases(self, *parts: Any) -> BaseItem:
        names = tuple(name.rstrip(" .") for name in parts[-1])
        words = [str(part).lower() for part in parts[:-1]]
        count = len(names) if words == ["bases"] else _number(words[0] if len(words) > 1 else None)
        if len(names) > count:
            raise Fault(
                f"{len(names)} names for {counted(count, 'base')}; the names end the line",
                example=f"Build {len(names)} bases named {', '.join(names)}",
            )
        return BaseItem(count, names)

    def build(self, *items: ShipItem | BaseItem) -> Build:
        _check_counts(items, ALL_OF, UNSAID)
        return Build(items)

    def ships(self, *ships: ShipItem) -> tuple[ShipItem, ...]:
        return ships

    def repair(self, ships: tuple[ShipItem, ...] = ()) -> Repair:
        _check_counts(ships, ALL_OF, UNSAID)
        return Repair(ships)

    def spy(self, name: Token) -> Spy:
        return Spy(str(name))

    def these(self, ships: tuple[ShipItem, ...]) -> Force:
        _check_counts(ships, UNSAID)
        return Force(ships)

    def all(self) -> Force:
        return Force(everything=True)

    def all_except(self, ships: tuple[ShipItem, ...]) -> Force:
        # "All but the Laserfrigates" leaves out all of them.
        return Force(tuple(ShipItem(ship.kind, max(ship.count, ALL_OF)) for ship in ships), everything=True)

    def allied(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return names

    def death(self) -> bool:
        return True

    def attack(self, target: Token, force: Force, *clauses: tuple[str, ...] | bool) -> Attack:
        allies = tuple(name for clause in clauses if isinstance(clause, tuple) for name in clause)
        return Attack(str(target), force, allies, to_the_death=True in clauses)

    def sent(self, force: Force, target: Token, *clauses: tuple[str, ...] | bool) -> Attack:
        return self.attack(target, force, *clauses)

    def all_attack(self, target: Token, *clauses: tuple[str, ...] | bool) -> Attack:
        return self.attack(target, Force(everything=True), *clauses)

    def tactics(self, *tactics: Token) -> list[str]:
        return [str(tactic) for tactic in tactics if tactic.type == "TACTIC"]

    def oob(self, first: Token, *rest: Any) -> SetOob:
        if len(rest) == 1:
            return order_of_battle("", "", str(first), rest[0])
        return order_of_battle(*label_of(str(first)), str(rest[0]), rest[1])

    def transfer(self, base: Token, to: Token) -> Transfer:
        return Transfer(str(base), str(to))

    def names(self, *names: Token) -> tuple[str, ...]:
        return tuple(str(name) for name in names)

    def division(self, names: tuple[str, ...]) -> Division:
        return Division(names)


_read = order_reader(PACKAGE, _ToOrder(), bare=_BARE, longest=LONGEST_LINE, otherwise=explain)

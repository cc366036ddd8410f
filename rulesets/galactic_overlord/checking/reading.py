"""Reading order lines: pure, without any position. `read` returns an order, or what is wrong with the line.

Most lines are plain: in the form that the order form and the acknowledgement use. Those are split at their marks, and their
pieces, of which there are few, are remembered. All others go to the grammar, which reads every line the same, only more slowly.
Each function here that reads plainly returns None for what it leaves to the grammar.
"""

import re

from pbmd.rules.checking import Fault
from pbmd.rules.lines import cleaner, line_cache

from ..orders import Attack, BaseItem, Build, Force, Order, Role, SetOob, ShipItem, Unclear
from ..world.state import RESERVED
from .grammar import LABEL, LONGEST_LINE, label_of, order_of_battle, parsed, ship_kind

clean = cleaner(bullet="", ends="", signs={"×": "x"})
"""A line in the form in which it is read: single blanks, plain quotes and dashes, composed letters; "" for blank lines and
comments."""


@line_cache(2048)
def read(text: str) -> Order | Unclear | None:
    """The order in one line, with names as written; None if it says nothing to the rules."""
    line = clean(text)
    if not line:
        return None
    return (plain(line) if len(line) <= LONGEST_LINE else None) or parsed(line)


def plain(line: str) -> Order | None:
    """The order in a plain line, by its marks."""
    if line.startswith("Build "):
        return _build(line[len("Build ") :])
    if line.startswith("Attack ") and ":" not in line:
        return _attack(line[len("Attack ") :])
    label, colon, rest = line.partition(":")
    return _labelled(label, rest.strip()) if colon else _bare(line)


# --- Ships and names ---------------------------------------------------------------------------------------------------

_ITEM = re.compile(r"([0-9]{1,6}) ([A-Za-z]+)")
_NAME = re.compile(r"[A-Za-z0-9'-]+(?: [A-Za-z0-9'-]+)*")
_NO_NAMES = frozenset((*RESERVED, "jointly", "together"))


def _build(listed: str) -> Build | None:
    """ "2 Laserfrigates, 1 base named Rigel": the names end the line."""
    listed, named, names = listed.partition(" named ")
    items = [_item(text) for text in listed.split(", ")]
    if named:
        *others, last = items
        named_base = _named(last, names.split(", ")) if isinstance(last, BaseItem) else None
        items = [*others, named_base]
    complete = tuple([item for item in items if item])
    return Build(complete) if len(complete) == len(items) else None


def _attack(rest: str) -> Attack | None:
    """ "Cygnus with 3 Laserfrigates allied with Borealis to the death"."""
    target, _, force = rest.partition(" with ")
    shorter = force.removesuffix(" to the death")
    listed, allied, names = shorter.partition(" allied with ")
    allies = names.split(", ") if allied else []
    sent = Force(everything=True) if listed == "all" else _force(listed)
    if sent is None or not all(map(_is_name, (target, *allies))):
        return None
    return Attack(target, sent, tuple(allies), shorter != force)


@line_cache(1024)
def _item(text: str) -> ShipItem | BaseItem | None:
    matched = _ITEM.fullmatch(text)
    count = int(matched[1]) if matched else 0
    if not matched or not count:
        return None
    word = matched[2].lower()
    if word in ("base", "bases"):
        return BaseItem(count)
    kind = ship_kind(word)
    return None if kind is None else ShipItem(kind, count)


@line_cache(1024)
def _force(listed: str) -> Force | None:
    items = [_item(text) for text in listed.split(", ")]
    ships = tuple([item for item in items if isinstance(item, ShipItem)])
    return Force(ships) if len(ships) == len(items) else None


def _named(base: BaseItem, names: list[str]) -> BaseItem | None:
    return BaseItem(base.count, tuple(names)) if len(names) <= base.count and all(map(_is_name, names)) else None


def _is_name(text: str) -> bool:
    """Whether the grammar would take all of this as one name."""
    return _NAME.fullmatch(text) is not None and _NO_NAMES.isdisjoint(text.lower().split())


# --- Orders of battle ----------------------------------------------------------------------------------------------------

_LETTERS = re.compile(r"[LFTlft]{6}")
_TACTICS = ("close", "close in", "back", "back off", "bunch", "bunch together", "spread", "spread out", "default", "none")


def _labelled(label: str, rest: str) -> SetOob | None:
    """An order of battle split at its colon: what follows is an order of battle by itself."""
    slot = _slot(label)
    bare = _bare(rest) if slot else None
    return SetOob(*slot, bare.oob) if slot and bare else None


@line_cache(1024)
def _slot(label: str) -> tuple[Role, str] | None:
    """The role and the enemy in a label."""
    matched = LABEL.fullmatch(label.strip())
    return label_of(label) if matched and (matched[1] or matched["role"]) else None


@line_cache(1024)
def _bare(line: str) -> SetOob | None:
    """Six letters and tactics after commas: "LFTLTF close in, bunch"."""
    letters, blank, listed = line.partition(" ")
    tactics = listed.split(", ") if blank else []
    if not _LETTERS.fullmatch(letters) or not all(tactic in _TACTICS for tactic in tactics):
        return None
    try:
        return order_of_battle("", "", letters, tactics)
    except Fault:
        return None

"""Right lines for players whose own was wrong: of the same kind where that can be, with names and ships that there are."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from pbmd.rules import fold

from ..orders import (
    FACTIONS,
    Attack,
    Build,
    BuildGenerator,
    Division,
    Order,
    RaiseShields,
    Repair,
    SetOob,
    Spy,
    TrainSpy,
    Transfer,
    Unclear,
    renamed,
)
from ..tables import CLASSES, DAMAGE_OF, KIND_OF
from .draft import Draft
from .grammar import LABEL, label_of

SURE = "Stockpile"
"""What can be ordered at any time."""
_OOB = "LFTLTF"
_SPECIALS = ("Train spy", "Build generator", "Raise shields")
_PLAIN: Mapping[type[Any], Sequence[str]] = {
    Build: ("Build 1 Laserfrigate", "Build 1 base"),
    TrainSpy: _SPECIALS,
    BuildGenerator: _SPECIALS,
    RaiseShields: _SPECIALS,
}
"""Lines of the same kind in which nobody is named."""
_MOST_NAMED = 4
_MOST_WORDS = 12
_WORD = re.compile(r"[\w'.-]+")


def candidates(draft: Draft, written: str, order: Order | Unclear | None) -> Iterator[str]:
    """Lines like that order, the likeliest first; some are no right line as things stand. The order is what was `written`, or
    one of the kind that may be meant, with any names: those are taken that are spelt most like what was written."""
    if not isinstance(order, Order):
        return
    if type(order) not in FACTIONS:
        yield order.text
        yield from _repairs(draft) if isinstance(order, Repair) else _PLAIN.get(type(order), ())
        return
    rivals = nearest(written, draft.others)
    label, colon, _ = written.partition(":")
    if isinstance(order, SetOob) and colon and LABEL.fullmatch(" ".join(label.split())):
        role, against = label_of(label)
        order = replace(order, role=role, against=against, to_the_death=order.to_the_death and role == "attack")
    likest = _with_names(order, rivals, _words(written), draft.player.name)
    yield likest.text
    yield from _alike(draft, written, likest, rivals)


def _alike(draft: Draft, written: str, order: Order, rivals: Sequence[str]) -> Iterator[str]:
    """Plainer lines of the same kind, in which others are named; the rivals are the nearest first."""
    named = rivals[:_MOST_NAMED]
    match order:
        case Attack(target=target, allies=allies):
            yield replace(order, allies=tuple(name for name in allies if name in rivals and name != target)).text
            yield from (f"Attack {name} with all" for name in (target, *named))
        case Spy():
            yield from (f"Use spy on {name}" for name in named)
        case SetOob():
            yield from _oobs(order, named)
        case Transfer():
            yield from _transfers(draft, written, named)
        case Division():
            yield f"Captured bases to {draft.player.name}"
        case _:
            return


def _repairs(draft: Draft) -> Iterator[str]:
    yield "Repair all"
    for kind in sorted({KIND_OF[alike] for alike in draft.yard.navy if DAMAGE_OF[alike]}):
        yield f"Repair 1 {CLASSES[kind].name}"


def _transfers(draft: Draft, written: str, rivals: Sequence[str]) -> Iterator[str]:
    bases = nearest(written, [base.name for base in draft.position.bases if base.owner == draft.player.name])
    return (f"Transfer {base} to {name}" for base in bases[:_MOST_NAMED] for name in rivals)


def nearest(written: str, names: Sequence[str]) -> list[str]:
    """The names, first those that are in the text, then those that are spelt much like it or a word of it."""
    said = _words(written)
    folded = {fold(name): name for name in names}
    pieces = (said.strip(), *said.split()[:_MOST_WORDS])
    alike = (folded[found] for piece in pieces for found in get_close_matches(piece, folded))
    return list(dict.fromkeys((*(name for name in names if _words(name) in said), *alike, *names)))


def _words(text: str) -> str:
    """The words of a text, with a blank before and behind each."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


def _with_names(order: Order, rivals: Sequence[str], said: str, own: str) -> Order:
    """The order with rivals in the place of all names that are none, or were not written: those spelt most like them, or else
    like anything in the line."""
    stands = _words(order.text)
    kept = {name for name in rivals if _words(name) in said and _words(name) in stands}
    others = [name for name in rivals if name not in kept]
    if isinstance(order, Division):
        kept.add(own)

    def name_of(name: str) -> str:
        if name in kept or not others:
            return name
        chosen = nearest(name, others)[0] if _words(name) in said else others[0]
        others.remove(chosen)
        return chosen

    return renamed(order, name_of)


def _oobs(order: SetOob, rivals: Sequence[str]) -> tuple[str, ...]:
    plain = (f"OOB {role}: {_OOB}" for role in ("default", "attack", "defence"))
    against = (f"OOB {role} vs {name}: {_OOB}" for role in ("attack", "defence") for name in rivals)
    return (*against, *plain) if order.against else (*plain, *against)

"""Which order of battle applies (GO-R62), which one allies agree on (GO-R39), and the random one (GO-R61)."""

from collections.abc import Iterable, Mapping
from itertools import permutations

from ..orders import Oob, SetOob
from ..tables import FIGHTER, LASER, LETTERS, TORPEDO

Oobs = Mapping[tuple[str, str], SetOob]
"""A faction's orders of battle by (role, against), each "" if it is for everything or everybody."""

_ALPHABET = sorted((LASER, FIGHTER, TORPEDO), key=lambda weapon: LETTERS[weapon])
RANDOM_OOBS: tuple[Oob, ...] = tuple(
    Oob(weapons)
    for weapons in sorted(
        set(permutations((LASER, LASER, FIGHTER, FIGHTER, TORPEDO, TORPEDO))),
        key=lambda weapons: [_ALPHABET.index(weapon) for weapon in weapons],
    )
)
"""The 90 arrangements in alphabetical order of their letters; a roll of 1 is the first (GO-R61)."""


def applying(oobs: Oobs, role: str, enemies: Iterable[str]) -> SetOob | None:
    """The order of battle for that role: against one of the enemies, in their order, before the general ones (GO-R62)."""
    for enemy in enemies:
        found = oobs.get((role, enemy)) or oobs.get(("", enemy))
        if found:
            return found
    return oobs.get((role, "")) or oobs.get(("", ""))


def wanting(oobs: Oobs, role: str, enemy: str) -> bool:
    """Whether a random order of battle would be needed."""
    return applying(oobs, role, (enemy,)) is None


def statement(oobs: Oobs, target: str) -> SetOob | None:
    """What an ally says about the joint order of battle against the target (GO-R39); a bare default says nothing."""
    return oobs.get(("attack", target)) or oobs.get(("", target)) or oobs.get(("attack", ""))


def agreed(members: Iterable[Oobs], target: str) -> tuple[bool, Oob | None]:
    """Whether allies agree, and on what (GO-R39); the members are in order of arrival. (True, None): nobody has one.

    If they differ, the result is the first in order of arrival.
    """
    everybody = list(members)
    said = [stated.oob for oobs in everybody if (stated := statement(oobs, target))]
    if not said:
        said = [default.oob for oobs in everybody if (default := oobs.get(("", "")))]
    return len(set(said)) <= 1, said[0] if said else None

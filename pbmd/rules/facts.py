"""The facts that every report shows in the same place and the same way, whatever the rules: a view has them in its data, under
the names of the functions that make them here. `pbmd.rendering.render` shows them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbmd.rules.protocol import Document, Reader
from pbmd.rules.words import capital, counted, listing

_RANKS_TOLD = 4
_NAMED = 3


def stand(aim: str, place: str) -> Document:
    """How one wins, in a sentence of the rules without a *you*, and where the reader stands, in a sentence or two. Who does not
    play, or no longer, reads where all stand. It must tell nothing that its reader may not know."""
    return {"aim": aim, "place": place}


def you(headline: str = "", orders: Iterable[tuple[str, str]] = (), more: Iterable[str] = ()) -> Document:
    """What became of the reader in the step that is reported: the most important in a sentence, each order as understood with
    what came of it in a few words, and what else only concerns them. That no orders came is told by pbmd, and not here: only
    what the rules did in their place."""
    return {"headline": headline, "orders": [list(order) for order in orders], "more": list(more)}


def happened(reader: Reader, sentences: Iterable[str] = ()) -> list[str] | None:
    """What everybody may know of the step that is reported: sentences that can stand alone, in the order in which they matter.
    Only the view of the public has them, for pages."""
    return [sentence for sentence in sentences if sentence] if reader.kind == "public" else None


class Has(NamedTuple):
    """How it is said that one, or several, have a number of things: ``Has("holds", "hold", "base")``."""

    one: str = "has"
    several: str = "have"
    thing: str = ""
    things: str = ""

    @property
    def all(self) -> str:
        """ "bases"; without a word for the things ""."""
        return self.things or (f"{self.thing}s" if self.thing else "")

    def many(self, count: int) -> str:
        """ "3 bases", "no base"; without a word for the things "3", "none"."""
        if not self.thing:
            return str(count) if count else "none"
        return counted(count, self.thing, self.things) if count else f"no {self.thing}"


HAS = Has()


def ranked(counts: Mapping[str, int], has: Has = HAS, *, others: bool = False) -> str:
    """Who has how many, the most first: "Deneb has 9 bases, Altair and Cygnus 3 each, Borealis 1". `others`: somebody was told
    of before."""
    ranks = [(count, [name for name in counts if counts[name] == count]) for count in sorted({*counts.values()}, reverse=True)]
    if len(ranks) == 1 and len(counts) > 1:
        return _all_alike(ranks[0][0], len(counts), has, others=others)
    told = [_rank(place, count, names, has) for place, (count, names) in enumerate(ranks)]
    if len(told) > 1 and len(ranks[-1][1]) > 1:
        told[-1] = f"{'all others' if len(told) == 2 else 'the rest'} {_bare(ranks[-1][0])}"
    return ", ".join(told if len(told) <= _RANKS_TOLD else (*told[: _RANKS_TOLD - 1], "the rest fewer"))


def _all_alike(count: int, of: int, has: Has, *, others: bool) -> str:
    if not count:
        return f"nobody {'else ' if others else ''}{has.one} any {has.all}".rstrip()
    return f"{'both' if of == 2 else 'all'}{' others' if others else ''} {has.several} {has.many(count)} each"


def _rank(place: int, count: int, names: list[str], has: Has) -> str:
    each = " each" if len(names) > 1 else ""
    if place:
        return f"{listing(names) if len(names) <= _NAMED else f'{len(names)} others'} {_bare(count)}{each}"
    who = listing(names) if len(names) <= _NAMED else f"{len(names)} of them"
    return f"{who} {has.one if len(names) == 1 else has.several} {has.many(count)}{each}"


def _bare(count: int) -> str:
    return HAS.many(count)


def placed(counts: Mapping[str, int], seat: str, mine: str, has: Has = HAS) -> str:
    """A sentence of who has how many. Where `seat` is one of those who are counted it is told first, as *you*, with the words
    `mine` for what it has: "You hold 9 of 14 bases; Deneb holds 3, Cygnus 2."."""
    if seat not in counts:
        return f"{capital(told)}." if (told := ranked(counts, has)) else ""
    rest = {name: count for name, count in counts.items() if name != seat}
    return f"You {has.several} {mine}{'; ' + ranked(rest, has._replace(thing=''), others=True) if rest else ''}."

"""Advice for a player whose line was wrong: that line with the names that are meant, or an example about the same system."""

from collections.abc import Callable, Iterator

from pbmd.rules import Line
from pbmd.rules.checking import Fault, Wrong, mended
from pbmd.rules.names import likest_first

from ..orders import Act, Invest, Order, Raise, clean, read
from .draft import Draft


def refusal(draft: Draft, line: Line, order: Order | None, fault: Fault, stands: Callable[[Draft, Order], bool]) -> Wrong:
    """What is wrong with a line, and advice. `stands` says whether an order would be accepted after those of the draft."""

    def remark_on(text: str) -> str | None:
        found = read(text)
        return "" if found and stands(draft, found) else None

    return mended(line, clean(line.text), (fault,), _examples(draft, order), remark_on)


def _examples(draft: Draft, order: Order | None) -> Iterator[str]:
    """Orders of the same kind that attack nobody; not all would be accepted."""
    match order:
        case Act("defend", system, _, drones) if drones:
            yield from (Act("defend", name, 1, drones).text for name in likest_first(system, draft.systems_for(order)))
        case Invest(system) | Raise((system,)):
            names = likest_first(system, draft.systems_for(order))
            yield from ((Invest(name, order.units) if isinstance(order, Invest) else Raise((name,))).text for name in names)
        case _:
            return

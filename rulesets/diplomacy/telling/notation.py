"""The state for other programs to read, in the notation of e-mail judges (DI-101)."""

from collections.abc import Iterable, Sequence

from ..world.state import Position

_WIDTH = 72


def state_lines(position: Position) -> list[str]:
    """Lines like ``S1901M units AUSTRIA: A BUD, A VIE, F TRI``: each is complete, so that long lists continue in another line
    with the same beginning. A unit that must retreat has ``<`` and where its attacker came from, then ``->`` and where it can
    go."""
    head = position.code or f"END{position.year}"
    found: list[str] = []
    for power in position.powers:
        name = power.name.upper()
        dislodged = [f"{each.unit.text} < {each.by} -> {' '.join(each.retreats)}" for each in power.dislodged]
        found += _rows(f"{head} units {name}: ", [unit.text for unit in power.units])
        found += _rows(f"{head} dislodged {name}: ", dislodged)
        found += _rows(f"{head} centres {name}: ", power.centres)
    return found


def _rows(head: str, things: Iterable[str]) -> Sequence[str]:
    rows: list[str] = []
    for thing in things:
        if rows and len(rows[-1]) + len(thing) + 2 <= _WIDTH:
            rows[-1] += f", {thing}"
        else:
            rows.append(head + thing)
    return rows

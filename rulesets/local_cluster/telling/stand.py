"""How to win, and where everybody stands: whom each nation proclaims, and which technologies it knows, is public."""

from collections.abc import Mapping

from pbmd.rules import Document
from pbmd.rules.facts import stand
from pbmd.rules.words import counted

from ..resolution.victory import proclaimed_planets
from ..world.state import Position, State


def standing(position: Position, seat: str) -> Document | None:
    """For a seat, or "" for those who do not play; None once the game is over."""
    if position.phase == "over":
        return None
    ascension = _ascension(position)
    aim = f"A nation wins when the owners of {counted(position.options.victory_planets, 'planet')} proclaim it"
    aim += f", or when it is the first to research {ascension}." if ascension else "."
    named = proclaimed_planets(position)
    told = [_so_far(named, seat)]
    if ascension and seat in named:
        missing = _missing(position, position.by_name[seat], ascension)
        told.append(f"{ascension} is {counted(missing, 'technology', 'technologies')} away.")
    return stand(aim, " ".join(told))


def _so_far(named: Mapping[str, int], seat: str) -> str:
    """The planets of those who proclaim each nation: "So far: 2 planets for you, 1 for Deneb."."""
    if not any(named.values()):
        return "Nobody is proclaimed yet."
    rest = {name: count for name, count in named.items() if name != seat}
    told = [("you", named[seat])] if seat in named else []
    if len(rest) > 1 and len({*rest.values()}) == 1:
        told += [("each of the others" if told else "each", count) for count in {*rest.values()} if count]
    else:
        told += sorted(((name, count) for name, count in rest.items() if count), key=lambda row: -row[1])
    (first, most), *more = told
    words = [f"{counted(most, 'planet') if most else 'no planet'} for {first}", *(f"{count} for {who}" for who, count in more)]
    return f"So far: {', '.join(words)}."


def _ascension(position: Position) -> str:
    """The technology that wins, "" if a game has none."""
    return next((each.name for each in position.data.technology_rows if each.effects.get("victory")), "")


def _missing(position: Position, state: State, wanted: str) -> int:
    """How many technologies a nation needs for that one, with it."""
    missing, open_ = set[str](), [wanted]
    while open_:
        name = open_.pop()
        if name not in missing and name not in state.technologies:
            missing.add(name)
            open_ += position.data.technologies[name].requires
    return len(missing)

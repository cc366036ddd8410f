"""How a game is won, and where everybody stands: whom each nation names, and what it knows, is public."""

from pbmd.rules import Document
from pbmd.rules.facts import Has, placed, stand
from pbmd.rules.words import counted

from ..resolution.victory import proclaimed_planets
from ..world.state import Position, State


def standing(position: Position, seat: str) -> Document | None:
    """For a seat, or "" for those who do not play; None once the game is over."""
    if position.phase == "over":
        return None
    ascension = _ascension(position)
    aim = f"The nation that the owners of {counted(position.options.victory_planets, 'planet')} name wins"
    aim += f", and so does the first with the technology {ascension}." if ascension else "."
    named = proclaimed_planets(position)
    mine = counted(named[seat], "planet") if named.get(seat) else "no planet"
    told = [placed({name: count for name, count in named.items() if count or name == seat}, seat, mine, _NAMED)]
    if ascension and seat in named:
        missing = _missing(position, position.by_name[seat], ascension)
        told.append(f"{ascension} is {counted(missing, 'technology', 'technologies')} away.")
    return stand(aim, " ".join(each for each in told if each) or "Nobody is named yet.")


_NAMED = Has("is named by the owners of", "are named by the owners of", "planet")


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

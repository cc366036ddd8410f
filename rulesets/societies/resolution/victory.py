"""Who has won at the end of a turn (SO-170 to SO-176, SO-R89 to SO-R95)."""

from dataclasses import replace

from pbmd.rules import Ruling

from ..tables import CULTURAL_BUILT, CULTURAL_HELD
from ..world.state import Position, Victory
from .turn import Turn


def victories(turn: Turn) -> tuple[Victory, ...]:
    """All societies that fulfil a condition, each with its ways, in the order of sign-up; nobody while the game goes on."""
    position = turn.now
    ways: list[Victory] = []
    ship = _first_ship(turn)
    for society in position.living:
        name = society.name
        if len(position.living) == 1:
            ways.append(Victory(name, "conquest"))
        if name == ship:
            ways.append(Victory(name, "spaceship"))
        if _cultural(position, name):
            ways.append(Victory(name, "cultural"))
        if _dominates(position, name):
            ways.append(Victory(name, "domination"))
    return tuple(ways)


def _first_ship(turn: Turn) -> str:
    """Of those who completed a spaceship this turn the one with the most expensive engines, among equals the earliest
    (SO-R91)."""
    finished = [name for name in turn.acting if name in turn.finished]
    return max(finished, key=lambda name: turn.society(name).engine_spend, default="")


def _cultural(position: Position, name: str) -> bool:
    """Seven wonders that it built itself, or ten in all (SO-174, SO-R93)."""
    counting = [
        wonder
        for wonder in position.wonders
        if wonder.owner == name and (wonder.active or position.options.obsolete_wonders_count)
    ]
    built = sum(wonder.builder == name for wonder in counting)
    return built >= CULTURAL_BUILT or len(counting) >= CULTURAL_HELD


def rulings(position: Position) -> tuple[Ruling, ...]:
    """The dominations that only wait for the game master, who has to concede, too, if that is required (SO-175, SO-R94)."""
    if position.over or not position.options.domination_needs_gm:
        return ()
    ready = [society.name for society in position.living if _all_concede(position, society.name)]
    return tuple(Ruling(_DOMINATION + name, _words(name)) for name in ready if position.gm_concession != name)


def rule(position: Position, key: str) -> Position:
    """The game master has conceded (SO-175)."""
    return replace(position, gm_concession=key.removeprefix(_DOMINATION))


_DOMINATION = "domination "


def _words(name: str) -> str:
    return f"All others concede the game to {name}, who wins by domination at the end of the turn if you concede, too."


def _dominates(position: Position, name: str) -> bool:
    """Whether all others in the game concede to it, and the game master, too, if that is required (SO-175, SO-R94)."""
    confirmed = not position.options.domination_needs_gm or position.gm_concession == name
    return confirmed and _all_concede(position, name)


def _all_concede(position: Position, name: str) -> bool:
    others = {society.name for society in position.living if society.name != name}
    conceding = {given.by for given in position.concessions if given.to == name}
    return bool(others) and conceding >= others

"""Sign-up and set-up (sections 5.1 and 5.2 of the rules)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pbmd.rules import Dice, Line, Options, Refused, Signup, Status, Verdict, fold
from pbmd.rules.options import changed, complete
from pbmd.rules.randomly import shuffled
from pbmd.rules.signups import must_be_sound
from pbmd.rules.words import counted

from .tables import COLOURS, INFO, POSITIVE, RANKS, TECHS, TechName, game_options
from .world.galaxy import HOMES, MAPS
from .world.names import colour_named, name_problem
from .world.state import Admiral, Faction, Position, System

_KEYS: Mapping[str, str] = {
    "faction": "Faction",
    "name": "Faction",
    "colour": "Colour",
    "color": "Colour",
    "admiral": "Admiral",
    "traits": "Traits",
    "technology": "Technology",
    "tech": "Technology",
    "home": "Home",
}
_EXAMPLES: Mapping[str, str] = {
    "Faction": "Crimson Concord",
    "Colour": "Red",
    "Admiral": "Navarch Zel Thuun",
    "Traits": "Conqueror, Diplomat",
    "Technology": "Tachyon",
    "Home": "Sol",
}
_TECHS = {**{fold(tech.name): key for key, tech in TECHS.items()}, "chrono": "chronotech"}


@dataclass(slots=True)
class _Wishes:
    """What the lines of a sign-up say, in full names; "" where nothing was said."""

    faction: str = ""
    colour: str = ""
    admiral: str = ""
    traits: tuple[str, ...] = ()
    tech: str = ""
    home: str = ""


class _Wrong(Exception):
    """A fault of a sign-up line, as a sentence without full stop."""


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The set-up lines of a newcomer (section 5.1). The seat is the colour, whether JOIN named that or the faction."""
    wanted = ["Faction", "Colour", "Admiral", "Traits", "Technology"] + ["Home"] * (options["home_choice"] == "first_in")
    wishes, taken = _Wishes(), [_wishes(other) for other in accepted]
    said: set[str] = set()
    verdicts = [_check_line(line, wishes, taken, wanted, said) for line in signup.lines if line.text.strip()]
    problem = _problem(signup, wishes, taken, int(options["max_players"]), [key for key in wanted if key not in said])
    if problem:
        return (Verdict(0, signup.seat, Status.ERROR, f"{problem}."), *verdicts)
    return (Verdict(0, signup.seat, Status.OK, canonical=wishes.colour), *verdicts)


def names(signup: Signup) -> Mapping[str, str]:
    """The name of the faction, by which it can be meant as by its colour."""
    faction = _wishes(signup).faction
    return {"Faction": faction} if faction else {}


def sample_signup(accepted: Sequence[Signup], options: Options) -> Signup:
    """A sign-up after these that is in order; technologies and traits go round."""
    place = len(accepted)
    free = [colour for colour in COLOURS if not any(colour == other.colour for other in map(_wishes, accepted))]
    colour = free[0] if free else COLOURS[place % len(COLOURS)]
    first, second = POSITIVE[place % len(POSITIVE)], POSITIVE[(place + 1 + place // 5) % len(POSITIVE)]
    lines = [
        f"Faction: {colour} Concord",
        f"Colour: {colour}",
        f"Admiral: Navarch of {colour}",
        f"Traits: {first.capitalize()}, {second.capitalize()}",
        f"Technology: {list(TECHS.values())[place % len(TECHS)].name}",
    ]
    if options["home_choice"] == "first_in":
        lines.append(f"Home: {_homes_to_choose()[place % len(_homes_to_choose())]}")
    return Signup(colour, tuple(Line(number, text) for number, text in enumerate(lines, start=1)))


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position (section 5.2). Raises `Refused` for too few or too many players."""
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    rules = game_options(given)
    if not rules.min_players <= len(signups) <= rules.max_players:
        words = f"{INFO.title} is for {rules.min_players} to {rules.max_players} players here, not for {len(signups)}"
        raise Refused(words)
    must_be_sound(check_signup, signups, chosen)
    wishes = [_wishes(signup) for signup in signups]
    homes = [wish.home for wish in wishes] if rules.home_choice == "first_in" else _draw_homes(rules.map, wishes, chosen, dice)
    owners = {home: wish.colour for home, wish in zip(homes, wishes, strict=False)}
    return Position(
        map=rules.map,
        given=given,
        systems=tuple(System(s.name, owners.get(s.name, ""), rules.start_output, 0) for s in MAPS[rules.map].stars),
        factions=tuple(_faction(wish, dice) for wish in wishes),
    )


def _draw_homes(map_name: str, wishes: Sequence[_Wishes], options: Options, dice: Dice) -> list[str]:
    """Homes in sign-up order, shuffled (CC-R87)."""
    every = [star.name for star in MAPS[map_name].stars]
    return shuffled(dice, every if options["home_choice"] == "random" else HOMES[map_name][len(wishes)])


def _faction(wish: _Wishes, dice: Dice) -> Faction:
    return Faction(
        colour=wish.colour,
        name=wish.faction,
        tech=cast(TechName, wish.tech),
        admiral=Admiral(wish.admiral, "supreme", dice.roll(3) + RANKS["supreme"].cv, wish.traits),
    )


# --- Lines ---------------------------------------------------------------------------------------------------------------


def _problem(signup: Signup, wishes: _Wishes, taken: Sequence[_Wishes], most: int, missing: Sequence[str]) -> str:
    if len(taken) >= most:
        return f"the game is for {counted(most, 'player')} and full"
    if missing:
        lines = "; ".join(f"{key}: {_EXAMPLES[key]}" for key in missing)
        return f"a sign-up needs {counted(len(missing), 'more line')}, like {lines}"
    if wishes.colour and wishes.faction and fold(signup.seat) not in _calls(wishes):
        return f'you join as "{signup.seat:.60}", but your lines are for {wishes.colour}, the {wishes.faction}'
    return ""


def _calls(wishes: _Wishes) -> set[str]:
    colour = fold(wishes.colour)
    return {colour, fold(wishes.faction)} | ({"gray"} if colour == "grey" else set())


def _check_line(line: Line, wishes: _Wishes, taken: Sequence[_Wishes], wanted: Sequence[str], said: set[str]) -> Verdict:
    head, _, value = line.text.partition(":")
    key = _KEYS.get(fold(head), "")
    value = " ".join(value.split())
    example = f"A right line: {key or 'Faction'}: {_EXAMPLES[key or 'Faction']}"
    try:
        if key not in wanted:
            raise _Wrong(f"a sign-up has one line each for {', '.join(wanted)}")
        if key in said:
            raise _Wrong(f"{key} is there twice")
        said.add(key)
        canonical = _CHECKS[key](value, wishes, taken)
    except _Wrong as wrong:
        return Verdict(line.number, line.text, Status.ERROR, f"{wrong}. {example}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"{key}: {canonical}")


def _faction_name(value: str, wishes: _Wishes, taken: Sequence[_Wishes]) -> str:
    problem = name_problem(value)
    if not problem and any(fold(value) == fold(other.faction) for other in taken):
        problem = "another faction has this name already"
    if not problem and colour_named(value, COLOURS):
        problem = "the name of a faction is not a colour"
    if problem:
        raise _Wrong(f'"{value:.60}": {problem}')
    wishes.faction = value
    return value


def _colour(value: str, wishes: _Wishes, taken: Sequence[_Wishes]) -> str:
    colour = colour_named(value, COLOURS)
    free = [other for other in COLOURS if all(other != wish.colour for wish in taken)]
    if colour is None:
        raise _Wrong(f'there is no colour "{value:.60}"; free are {", ".join(free)}')
    if colour not in free:
        raise _Wrong(f"{colour} is taken; free are {', '.join(free)}")
    wishes.colour = colour
    return colour


def _admiral(value: str, wishes: _Wishes, _taken: Sequence[_Wishes]) -> str:
    if problem := name_problem(value):
        raise _Wrong(f'"{value:.60}": {problem}')
    wishes.admiral = value
    return value


def _traits(value: str, wishes: _Wishes, _taken: Sequence[_Wishes]) -> str:
    traits = [fold(word) for word in value.split(",")]
    choice = ", ".join(trait.capitalize() for trait in POSITIVE)
    for trait in traits:
        if trait not in POSITIVE:
            raise _Wrong(f'"{trait:.60}" is no trait that can be chosen; there are {choice}')
    if len(set(traits)) != 2 or len(traits) != 2:
        raise _Wrong(f"an admiral has two different traits of {choice}")
    wishes.traits = tuple(traits)
    return ", ".join(trait.capitalize() for trait in traits)


def _technology(value: str, wishes: _Wishes, _taken: Sequence[_Wishes]) -> str:
    tech = _TECHS.get(fold(value))
    if tech is None:
        raise _Wrong(f'there is no technology "{value:.60}"; there are {", ".join(row.name for row in TECHS.values())}')
    wishes.tech = tech
    return TECHS[tech].name


def _home(value: str, wishes: _Wishes, taken: Sequence[_Wishes]) -> str:
    free = [home for home in _homes_to_choose() if all(home != wish.home for wish in taken)]
    home = next((home for home in free if fold(home) == fold(value)), None)
    if home is None:
        raise _Wrong(f'"{value:.60}" is no free home; free are {", ".join(free)}')
    wishes.home = home
    return home


_CHECKS = {
    "Faction": _faction_name,
    "Colour": _colour,
    "Admiral": _admiral,
    "Traits": _traits,
    "Technology": _technology,
    "Home": _home,
}


def _homes_to_choose() -> tuple[str, ...]:
    return HOMES[str(INFO.options["map"].default)][INFO.max_seats]


def _wishes(signup: Signup) -> _Wishes:
    """What an accepted sign-up says."""
    wishes, said = _Wishes(), set[str]()
    for line in signup.lines:
        _check_line(line, wishes, (), tuple(_CHECKS), said)
    return wishes

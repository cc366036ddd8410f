"""Sign-up and set-up (sections 5.1 and 5.2 of the rules)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from pbmd.rules import Dice, Line, Options, Refused, Signup, SignupForm, Verdict, fold
from pbmd.rules.checking import Fault
from pbmd.rules.names import likest_first
from pbmd.rules.options import changed, complete
from pbmd.rules.randomly import shuffled
from pbmd.rules.signups import SetupField, lines_missing, lines_to_copy, must_be_sound, no_room, read_setup, seat_verdict
from pbmd.rules.words import listing

from .tables import COLOURS, INFO, POSITIVE, RANKS, TECHS, TechName, game_options
from .world.galaxy import HOMES, MAPS
from .world.names import colour_named, name_problem
from .world.state import Admiral, Faction, Position, System

Wishes = Mapping[str, str]
"""The choices in the lines of a sign-up, in full names, by the beginnings of the lines."""

_TRAITS = tuple(trait.capitalize() for trait in POSITIVE)
_TECHS = {tech.name: key for key, tech in TECHS.items()}
_HOMES = HOMES[str(INFO.options["map"].default)][INFO.max_seats]


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The set-up lines of a newcomer (section 5.1). The seat is the colour, whether JOIN named that or the faction."""
    fields = _fields([_wishes(other) for other in accepted])[: None if options["home_choice"] == "first_in" else -1]
    verdicts, wishes = read_setup(signup.lines, fields)
    problem = no_room(accepted, int(options["max_players"]), "players") or lines_missing(signup.lines, fields)
    if not problem and {"Colour", "Faction"} <= set(wishes) and fold(signup.seat) not in _calls(wishes):
        problem = f"your lines are for {wishes['Colour']}, the {wishes['Faction']}"
    return (seat_verdict(signup, problem, wishes.get("Colour", "")), *verdicts)


def names(signup: Signup) -> Mapping[str, str]:
    """The name of the faction, which may be used instead of its colour."""
    return {key: name for key, name in _wishes(signup).items() if key == "Faction"}


def sample_signup(accepted: Sequence[Signup], options: Options) -> Signup:
    """A valid sign-up after these; technologies and traits take turns."""
    place = len(accepted)
    colour = (*_free("Colour", COLOURS, [_wishes(other) for other in accepted]), COLOURS[0])[0]
    lines = [
        f"Faction: {colour} Concord",
        f"Colour: {colour}",
        f"Admiral: Navarch of {colour}",
        f"Traits: {_TRAITS[place % len(_TRAITS)]}, {_TRAITS[(place + 1 + place // 5) % len(_TRAITS)]}",
        f"Technology: {list(_TECHS)[place % len(_TECHS)]}",
    ]
    if options["home_choice"] == "first_in":
        lines.append(f"Home: {_HOMES[place % len(_HOMES)]}")
    return Signup(colour, tuple(Line(number, text) for number, text in enumerate(lines, start=1)))


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """The colour that was asked for if it is free, or the first that is, and the lines of section 5.1."""
    fields = _fields([_wishes(other) for other in accepted])[: None if options["home_choice"] == "first_in" else -1]
    if not {"Colour"} & set(read_setup(asked.lines, fields)[1]) and colour_named(asked.seat, COLOURS):
        asked = replace(asked, lines=(*asked.lines, Line(0, f"Colour: {asked.seat}")))
    lines = lines_to_copy(asked, fields)
    colour = next(line.text for line in lines if line.text.startswith("Colour: ")).partition(": ")[2]
    if "Faction" not in read_setup(asked.lines, fields)[1]:
        own = replace(asked, lines=(*asked.lines, Line(0, f"Faction: {colour} Concord")))
        lines = lines_to_copy(own, fields)
    return SignupForm(colour, "The colour of your faction, as in the line below.", lines)


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The first position (section 5.2). Raises `Refused` for too few or too many players."""
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    rules = game_options(given)
    if not rules.min_players <= len(signups) <= rules.max_players:
        words = f"{INFO.title} is for {rules.min_players} to {rules.max_players} players here, not for {len(signups)}"
        raise Refused(words)
    must_be_sound(INFO, check_signup, signups, chosen)
    wishes = [_wishes(signup) for signup in signups]
    stars = [star.name for star in MAPS[rules.map].stars]
    if rules.home_choice == "first_in":
        homes = [wish["Home"] for wish in wishes]
    else:  # CC-R87
        homes = shuffled(dice, stars if rules.home_choice == "random" else HOMES[rules.map][len(wishes)])
    owners = {home: wish["Colour"] for home, wish in zip(homes, wishes, strict=False)}
    return Position(
        map=rules.map,
        given=given,
        systems=tuple(System(star, owners.get(star, ""), rules.start_output) for star in stars),
        factions=tuple(_faction(wish, dice) for wish in wishes),
    )


def _faction(wish: Wishes, dice: Dice) -> Faction:
    traits = tuple(fold(word) for word in wish["Traits"].split(","))
    return Faction(
        colour=wish["Colour"],
        name=wish["Faction"],
        tech=cast(TechName, _TECHS[wish["Technology"]]),
        admiral=Admiral(wish["Admiral"], "supreme", dice.roll(3) + RANKS["supreme"].cv, traits),
    )


# --- Lines ---------------------------------------------------------------------------------------------------------------


def _wishes(signup: Signup) -> Wishes:
    """The choices in an accepted sign-up."""
    return read_setup(signup.lines, _fields(()))[1]


def _fields(taken: Sequence[Wishes]) -> tuple[SetupField, ...]:
    """The lines of a sign-up, with examples that others have not taken; the last, the home, only where homes are chosen."""
    colours, homes = _free("Colour", COLOURS, taken), _free("Home", _HOMES, taken)
    factions = _free("Faction", ["Crimson Concord", *(f"{colour} Concord" for colour in COLOURS)], taken)

    def faction(name: str) -> str:
        problem = name_problem(name)
        if not problem and any(fold(name) == fold(other.get("Faction", "")) for other in taken):
            problem = "another faction has this name already"
        if not problem and colour_named(name, COLOURS):
            problem = "the name of a faction is not a colour"
        if problem:
            raise Fault(f'"{name:.60}": {problem}')
        return name

    def colour(text: str) -> str:
        named = colour_named(text, COLOURS)
        problem = f"{named} is taken" if named else f'there is no colour "{text:.60}"'
        return _one_of("Colour", named or text, colours, f"{problem}; free are")

    def home(text: str) -> str:
        return _one_of("Home", text, homes, f'"{text:.60}" is no free home; free are')

    return (
        SetupField("Faction", (*factions, "")[0], faction, ("Name",), True, "The name of your faction."),
        SetupField("Colour", (*colours, "")[0], colour, ("Color",), True, f"Free: {', '.join(colours)}."),
        SetupField("Admiral", "Navarch Zel Thuun", _admiral, (), True, "The name of your supreme admiral."),
        SetupField("Traits", "Conqueror, Diplomat", _traits, (), True, f"What the admiral is, two of {listing(_TRAITS)}."),
        SetupField("Technology", "Tachyon", _technology, ("Tech",), True, f"One of {listing(_TECHS)}."),
        SetupField("Home", (*homes, "")[0], home, (), True, f"Your first system; free: {', '.join(homes)}."),
    )


def _free(key: str, choices: Sequence[str], taken: Sequence[Wishes]) -> Sequence[str]:
    """Those that nobody else has."""
    return [choice for choice in choices if all(fold(choice) != fold(other.get(key, "")) for other in taken)]


def _calls(wishes: Wishes) -> set[str]:
    colour = fold(wishes["Colour"])
    return {colour, fold(wishes["Faction"])} | ({"gray"} if colour == "grey" else set())


def _one_of(key: str, text: str, choices: Sequence[str], problem: str) -> str:
    """The choice with that name. Raises `Fault`, which lists all, with the most similar one as an example."""
    found = next((choice for choice in choices if fold(choice) == fold(text)), None)
    if found is None:
        example = f"{key}: {likest_first(text, choices)[0]}" if choices else ""
        raise Fault(f"{problem} {', '.join(choices)}", example=example)
    return found


def _admiral(name: str) -> str:
    if problem := name_problem(name):
        raise Fault(f'"{name:.60}": {problem}')
    return name


def _traits(text: str) -> str:
    traits = [fold(word) for word in text.split(",")]
    likely = dict.fromkeys((*(likest_first(trait, _TRAITS)[0] for trait in traits), *_TRAITS))
    example = f"Traits: {', '.join([*likely][:2])}"
    for trait in traits:
        if trait not in POSITIVE:
            raise Fault(f'"{trait:.60}" is no trait that can be chosen; there are {", ".join(_TRAITS)}', example=example)
    if len(set(traits)) != 2 or len(traits) != 2:
        raise Fault(f"an admiral has two different traits of {', '.join(_TRAITS)}", example=example)
    return ", ".join(trait.capitalize() for trait in traits)


def _technology(text: str) -> str:
    known = "ChronoTech" if fold(text) == "chrono" else text
    return _one_of("Technology", known, [*_TECHS], f'there is no technology "{text:.60}"; there are')

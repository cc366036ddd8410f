"""Game start (section 5 of the rules): the nation form, all its faults at once, each with the choices there are, and setup."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from pbmd.rules import Dice, Line, Match, Options, Refused, Signup, SignupForm, SignupLine, Status, Verdict, fold, match_name
from pbmd.rules.checking import Fault, with_example
from pbmd.rules.options import changed, complete
from pbmd.rules.signups import must_be_sound, no_room
from pbmd.rules.words import listing

from .tables import DATA, INFO, PALETTE, game_options
from .world.documents import UNIT_ID
from .world.galaxy import LOCAL_CLUSTER
from .world.names import PLAYER_LENGTH, player_name
from .world.state import SITES, Army, Fleet, Position, State, effect, with_state

NAME_LENGTH = 32
LEADER_LENGTH = 64
_MOST_MEANT = 8
"""Pairs of traits that one line may mean; a line can be long, and each word in it ambiguous."""
_RESERVED = ("nobody", "all")
_THINGS = frozenset(fold(name) for name in (*LOCAL_CLUSTER.names, *DATA.traits, *DATA.resources, *DATA.technologies))
RACE, LEADER, PLAYER, COLOR, HOME, TRAITS = FIELDS = (
    *("Race Name", "Leader Name and Title", "Player Name"),
    *("Color", "Home Planet", "Extra Traits"),
)
_REQUIRED = (RACE, LEADER, HOME, TRAITS)
_ALSO = {
    **{fold(field): field for field in FIELDS},
    "race": RACE,
    "nation": RACE,
    "leader": LEADER,
    "player": PLAYER,
    "colour": COLOR,
    "home": HOME,
    "home world": HOME,
    "traits": TRAITS,
    "trait": TRAITS,
}
_EXAMPLES: Mapping[str, Sequence[str]] = {
    RACE: ("Terrans", "Novans", "Aurorans", "Meridians", "Solari", "Lyrans"),
    LEADER: ("Ada Moreau, First Speaker",),
    PLAYER: ("Kim",),
    COLOR: tuple(PALETTE),
    HOME: LOCAL_CLUSTER.names,
    TRAITS: ("Warlike, Scholars", *DATA.traits),
}

Form = dict[str, str]
"""The choices in a nation form, in full names, by its fields."""


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The nation form of a newcomer. What concerns the form as a whole is in the verdict on line 0."""
    taken = _forms(accepted)
    verdicts, form, said = _read(signup.lines, taken)
    full = no_room(accepted, int(options["max_players"]), "players")
    heads = [with_example(full, "")] if full else []
    heads += [with_example(f"{key} is missing", _right(key, form, taken), other=True) for key in _REQUIRED if key not in said]
    heads += _whole(signup, form, taken, said)
    if not heads and all(verdict.status is not Status.ERROR for verdict in verdicts):
        return (Verdict(0, signup.seat, Status.OK, canonical=form[RACE]), *verdicts)
    return (*(Verdict(0, signup.seat, Status.ERROR, head) for head in heads), *verdicts)


def names(signup: Signup) -> Mapping[str, str]:
    """The name of the player, which may be used in orders."""
    player = _forms((signup,))[0][PLAYER]
    return {PLAYER: player} if player else {}


def sample_signup(accepted: Sequence[Signup], options: Options) -> Signup:
    """A valid sign-up after these: homes far apart, traits in turn."""
    del options
    place, taken = len(accepted), {form[HOME] for form in _forms(accepted)}
    step = 11  # prime to the number of planets, so that all of them come
    planets = LOCAL_CLUSTER.names
    homes = (planets[(place * step + more) % len(planets)] for more in range(len(planets)))
    home = next((name for name in homes if name not in taken), planets[0])
    traits = [*DATA.traits]
    first, second = traits[2 * place % len(traits)], traits[(2 * place + 1) % len(traits)]
    race = f"People {place + 1}"
    lines = (
        f"{RACE}: {race}",
        f"{LEADER}: Speaker of People {place + 1}",
        f"{PLAYER}: Player {place + 1}",
        f"{HOME}: {home}",
        f"{TRAITS}: {first}, {second}",
    )
    return Signup(race, tuple(Line(number, text) for number, text in enumerate(lines, start=1)))


def signup_form(asked: Signup, accepted: Sequence[Signup], options: Options) -> SignupForm:
    """The nation form (section 5), with what was right in the one that was sent."""
    del options
    taken = _forms(accepted)
    form = _read(asked.lines, taken)[1]
    if RACE not in form and asked.seat:
        form |= _read((Line(0, f"{RACE}: {asked.seat}"),), taken)[1]
    if len(traits := _traits_of(form)) == 1:
        form[TRAITS] = ", ".join([*traits, _other_than(traits)[0]])
    lines = {key: f"{key}: {form[key]}" if key in form else _right(key, Form(), taken) for key in FIELDS}
    if PLAYER not in form and not _has(taken, PLAYER, player_name(asked.holder)):
        del lines[PLAYER]
    about = _about(taken)
    race = lines[RACE].partition(": ")[2]
    return SignupForm(race, "The name of your race, as below.", tuple(SignupLine(lines[key], about[key]) for key in lines))


def _about(taken: Sequence[Form]) -> Mapping[str, str]:
    free = [name for name in LOCAL_CLUSTER.names if all(name != other[HOME] for other in taken)]
    return {
        RACE: f"The name of your people, at most {NAME_LENGTH} characters.",
        LEADER: "Who leads them.",
        PLAYER: "Your own name, as others will read it.",
        COLOR: f"One of {', '.join(_free_palette(taken))}, or #RRGGBB. You may leave it out.",
        HOME: f"Your first planet; free: {', '.join(free)}.",
        TRAITS: f"Two of {', '.join(DATA.traits)}.",
    }


# --- The form as a whole ------------------------------------------------------------------------------------------------


def _forms(signups: Iterable[Signup]) -> list[Form]:
    """The choices in accepted sign-ups, with their defaults."""
    found: list[Form] = []
    for signup in signups:
        _, form, _ = _read(signup.lines, ())
        form.setdefault(PLAYER, player_name(signup.holder))
        form.setdefault(COLOR, next(iter(_free_palette(found)), ""))
        found.append(dict.fromkeys(FIELDS, "") | form)
    return found


def _read(lines: Iterable[Line], taken: Sequence[Form]) -> tuple[list[Verdict], Form, set[str]]:
    """Verdicts on the lines of a form, the choices in it, and the fields that it has, right or wrong."""
    verdicts, form, said = list[Verdict](), Form(), set[str]()
    lines = [line for line in lines if line.text.strip()]
    there = {_field_of(line, Form())[0] for line in lines}
    for line in lines:
        key, value = _field_of(line, form)
        try:
            if not key:
                examples = (_right(field, form, taken) for field in FIELDS if field not in there)
                raise Fault(f"the nation form has the fields {listing(FIELDS)}", example=next(examples, ""))
            if key in said and key != TRAITS:
                raise Fault(f"{key} is there twice")
            said.add(key)
            value = _value(key, value, form, taken)
        except Fault as fault:
            message = with_example(fault.problem, fault.example, other=True)
            verdicts.append(Verdict(line.number, line.text, Status.ERROR, message))
        else:
            form[key] = f"{form[key]}, {value}" if key in form else value
            verdicts.append(Verdict(line.number, line.text, Status.OK, canonical=f"{key}: {value}"))
    return verdicts, form, said


def _field_of(line: Line, form: Form) -> tuple[str, str]:
    """The field that a line is for, "" if there is none, and the rest of it. The second trait may have a line of its own."""
    head, colon, value = line.text.partition(":")
    if not colon and len(_traits_of(form)) == 1:
        return TRAITS, " ".join(line.text.split())
    return _ALSO.get(fold(head), ""), " ".join(value.split())


def _traits_of(form: Form) -> list[str]:
    return form[TRAITS].split(", ") if form.get(TRAITS) else []


def _whole(signup: Signup, form: Form, taken: Sequence[Form], said: set[str]) -> Iterator[str]:
    race, name, traits = form.get(RACE, ""), player_name(signup.holder), _traits_of(form)
    if race and signup.seat and fold(signup.seat) != fold(race):
        yield f'you join as "{signup.seat:.60}", but your form is for "{race}".'
    if TRAITS in said and len(traits) == 1:
        yield f"{TRAITS} are exactly two different ones; another is one of {listing(_other_than(traits))}."
    if PLAYER not in said and _has(taken, PLAYER, name):
        example = _right(PLAYER, form, taken, [f"{name:.50} {number}" for number in range(2, len(taken) + 3)])
        yield with_example(f'a player is called "{name:.60}" already; choose another name', example, other=True)


def _has(taken: Iterable[Form], key: str, value: str) -> bool:
    return bool(value) and any(fold(other[key]) == fold(value) for other in taken)


def _right(key: str, form: Form, taken: Sequence[Form], likest: Iterable[str] = ()) -> str:
    """A right line for the field: among the possible values the most similar, or else one of the examples."""
    first, *others = _EXAMPLES[key]
    numbered = (f"{first} {number}" for number in range(2, len(taken) + 3))
    for value in (*likest, first, *(others or numbered)):
        try:
            return f"{key}: {_FIELDS[key](value, form, taken)}"
        except Fault:
            continue
    return ""


# --- Fields -------------------------------------------------------------------------------------------------------------


def _value(key: str, text: str, form: Form, taken: Sequence[Form]) -> str:
    """The value of a field as understood. Raises `Fault` with a right line."""
    try:
        return _FIELDS[key](text, form, taken)
    except Fault as fault:
        raise Fault(fault.problem, example=_right(key, form, taken, fault.names)) from None


def _unknown(match: Match[str], text: str, what: str, choices: str) -> str:
    """What is wrong with a name that was not found, and what there is."""
    problem = match.problem(f"{text:.60}", what)
    return f"{problem} {choices[0].upper()}{choices[1:]}" if problem.endswith("?") else f"{problem}; {choices}"


def _race(value: str, _form: Form, taken: Sequence[Form]) -> str:
    if not value or len(value) > NAME_LENGTH:
        raise Fault(f"the {RACE} has 1 to {NAME_LENGTH} characters, not {len(value)}")
    if not re.fullmatch(r"(?:[^\W_]|[ '-])+", value) or not any(letter.isalpha() for letter in value):
        raise Fault(f'"{value}": a {RACE} has letters, digits, blanks, apostrophes and hyphens, at least one letter')
    if fold(value) in _RESERVED or UNIT_ID.fullmatch(value.upper()) or re.fullmatch(r"[FA]\d+", value.upper()):
        raise Fault(f'"{value}" means something else in orders')
    if fold(value) in _THINGS:
        raise Fault(f'"{value}" is the name of a planet, a trait, a resource or a technology')
    if _has(taken, RACE, value):
        raise Fault(f'"{value}" is taken, as are {listing(other[RACE] for other in taken)}')
    return value


def _leader(value: str, _form: Form, _taken: Sequence[Form]) -> str:
    return _text(value, LEADER, LEADER_LENGTH)


def _player(value: str, _form: Form, taken: Sequence[Form]) -> str:
    name = _text(value, PLAYER, PLAYER_LENGTH)
    if _has(taken, PLAYER, name):
        raise Fault(f'a player is called "{name}" already; choose another name')
    return name


def _text(value: str, what: str, longest: int) -> str:
    if not value or len(value) > longest:
        raise Fault(f"{what} has 1 to {longest} characters, not {len(value)}")
    if not value.isprintable():
        raise Fault(f"{what} has a character that cannot be shown")
    return value


def _color(value: str, _form: Form, taken: Sequence[Form]) -> str:
    palette = _free_palette(taken)
    free = f"free are {listing(palette)}, and any other #RRGGBB" if palette else "write #RRGGBB"
    color = fold(value)
    if not color.startswith("#") and color not in PALETTE:
        match = match_name(value, PALETTE)
        raise Fault(f'there is no color "{value:.60}"; {free}', names=(match.found,) if match.found else match.near)
    if color not in PALETTE and not re.fullmatch(r"#[0-9a-f]{6}", color):
        raise Fault(f'"{value:.60}" is no color; {free}')
    if any(_paint(color) == _paint(other[COLOR]) for other in taken):
        raise Fault(f"{color} is taken; {free}")
    return color


def _free_palette(taken: Iterable[Form]) -> list[str]:
    used = {_paint(form[COLOR]) for form in taken}
    return [color for color in PALETTE if PALETTE[color] not in used]


def _paint(color: str) -> str:
    return PALETTE.get(color, color).casefold()


def _home(value: str, _form: Form, taken: Sequence[Form]) -> str:
    free = [name for name in LOCAL_CLUSTER.names if all(name != other[HOME] for other in taken)]
    match = match_name(value, LOCAL_CLUSTER.names)
    if match.found is None:
        raise Fault(_unknown(match, value, "planet", f"free are {listing(free)}"), names=match.ambiguous or match.near)
    if match.found not in free:
        raise Fault(f"{match.found} is taken; free are {listing(free)}")
    return match.found


def _other_than(traits: Sequence[str]) -> list[str]:
    return [trait for trait in DATA.traits if trait not in traits]


def _traits(value: str, form: Form, _taken: Sequence[Form]) -> str:
    before = _traits_of(form)
    found = _traits_in(value, 2 - len(before))
    chosen = [*before, *found]
    if not found or len(chosen) > 2 or len(set(chosen)) < len(chosen):
        raise Fault(f"{TRAITS} are exactly two different ones of {listing(DATA.traits)}")
    return ", ".join(found)


def _traits_in(value: str, left: int) -> list[str]:
    """The traits in a text. Raises `Fault` with those that may be meant, as many as still have to be chosen."""
    words = [word for word in re.split(r"\s*(?:,|&|\band\b)\s*", value, flags=re.IGNORECASE) if word]
    matches = [match_name(word, DATA.traits) for word in words]
    for word, match in zip(words, matches, strict=True):
        if match.found is None:
            meant = product(*([each.found] if each.found else each.ambiguous or each.near for each in matches))
            likest = [", ".join([*each, *_other_than(each)][:left]) for each in islice(meant, _MOST_MEANT)]
            raise Fault(_unknown(match, word, "trait", f"there are {listing(DATA.traits)}"), names=likest)
    return [match.found for match in matches if match.found]


_FIELDS: Mapping[str, Callable[[str, Form, Sequence[Form]], str]] = {
    RACE: _race,
    LEADER: _leader,
    PLAYER: _player,
    COLOR: _color,
    HOME: _home,
    TRAITS: _traits,
}


# --- Game start ---------------------------------------------------------------------------------------------------------


def setup(signups: Sequence[Signup], options: Options, dice: Dice) -> Position:
    """The position at the beginning of Turn 0. Raises `Refused` for too few or too many players, or an invalid form."""
    chosen = complete(INFO.options, options)
    given = tuple(changed(INFO.options, chosen).items())
    rules = game_options(given)
    if not rules.min_players <= len(signups) <= rules.max_players:
        words = f"{INFO.title} is for {rules.min_players} to {rules.max_players} players here, not for {len(signups)}"
        raise Refused(words)
    must_be_sound(INFO, check_signup, signups, chosen)
    players = tuple(_nation(form) for form in _forms(signups))
    homes = {player.home_planet: player.name for player in players}
    npcs = [name for name in LOCAL_CLUSTER.names if name not in homes]
    drawn = {name: (_draw_resource(dice),) for name in npcs}
    position = Position(
        turn=0,
        waiting=tuple(player.name for player in players),
        next_fleet=len(npcs) + 1,
        next_army=len(npcs) + 1,
        given=given,
        states=(*players, *(State(name, "npc", establishment_armies=1, establishment_fleets=1) for name in npcs)),
        planets=tuple(
            site._replace(owner=homes.get(site.name, site.name), resources=drawn.get(site.name, ())) for site in SITES
        ),
        fleets=tuple(Fleet(f"F{number}", name, name) for number, name in enumerate(npcs, start=1)),
        armies=tuple(Army(f"A{number}", name, name) for number, name in enumerate(npcs, start=1)),
    )
    for player in players:
        purse = max(0, rules.start_credits + effect(position, player.name, "start_credits"))
        position = with_state(position, replace(player, credits=purse))
    return position


def _nation(form: Form) -> State:
    return State(
        name=form[RACE],
        kind="player",
        leader=form[LEADER],
        player_name=form[PLAYER],
        color=form[COLOR],
        home_planet=form[HOME],
        traits=tuple(_traits_of(form)),
        proclaims=form[RACE],
    )


def _draw_resource(dice: Dice) -> str:
    """By weight, in table order: the first whose running total reaches the roll (LC-R52)."""
    roll, total = dice.roll(sum(row.weight for row in DATA.resource_rows)), 0
    for row in DATA.resource_rows:
        total += row.weight
        if total >= roll:
            return row.name
    raise AssertionError("a roll is no higher than all weights together")

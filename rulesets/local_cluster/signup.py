"""Sign-up (section 5 of the rules): the nation form, all its faults at once, each with the choices there are."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbmd.rules import Line, Options, Signup, Status, Verdict, fold, match_name
from pbmd.rules.words import counted, listing

from .tables import DATA, PALETTE
from .world.documents import UNIT_ID
from .world.galaxy import LOCAL_CLUSTER

NAME_LENGTH = 32
LEADER_LENGTH = 64
_PLAYER_LENGTH = 64
_RESERVED = ("nobody", "all")
_KEYS: Mapping[str, str] = {
    **dict.fromkeys(("race name", "race", "nation"), "Race Name"),
    **dict.fromkeys(("leader name and title", "leader"), "Leader Name and Title"),
    **dict.fromkeys(("player name", "player"), "Player Name"),
    **dict.fromkeys(("color", "colour"), "Color"),
    **dict.fromkeys(("home planet", "home", "home world"), "Home Planet"),
    **dict.fromkeys(("extra traits", "traits", "trait"), "Extra Traits"),
}
_EXAMPLES: Mapping[str, str] = {
    "Race Name": "Terrans",
    "Leader Name and Title": "Ada Moreau, First Speaker",
    "Player Name": "Kim",
    "Color": "teal",
    "Home Planet": "Aquila",
    "Extra Traits": "Warlike, Scholars",
}
_REQUIRED = ("Race Name", "Leader Name and Title", "Home Planet", "Extra Traits")
_PLANETS = LOCAL_CLUSTER.names
_CHOICES: Mapping[str, Sequence[str]] = {"Home Planet": _PLANETS, "Color": tuple(PALETTE)}
"""What can be said where the example is taken."""
_THINGS = frozenset(fold(name) for name in (*_PLANETS, *DATA.traits, *DATA.resources, *DATA.technologies))


@dataclass(slots=True)
class Wishes:
    """What a nation form says, in full names; what it does not say is "" until its default is known."""

    race: str = ""
    leader: str = ""
    player: str = ""
    color: str = ""
    home: str = ""
    traits: list[str] = field(default_factory=list[str])


class _Wrong(Exception):
    """A fault of a field, as a sentence without full stop."""


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The nation form of a newcomer. What can only be said of the form as a whole is in the verdict on line 0."""
    taken = wishes_of(accepted)
    wishes, said = Wishes(), set[str]()
    verdicts = [_check_line(line, wishes, taken, said) for line in signup.lines if line.text.strip()]
    problems = [
        *_too_many(taken, int(options["max_players"])),
        *(f"{key} is missing, like {key}: {_example(key, taken)}" for key in _REQUIRED if key not in said),
        *_whole(signup, wishes, taken, said),
    ]
    heads = [Verdict(0, signup.seat, Status.ERROR, f"{problem}.") for problem in problems]
    if not heads and all(verdict.status is not Status.ERROR for verdict in verdicts):
        heads = [Verdict(0, signup.seat, Status.OK, canonical=wishes.race)]
    return (*heads, *verdicts)


def wishes_of(signups: Sequence[Signup]) -> list[Wishes]:
    """What accepted sign-ups say, with their defaults."""
    found: list[Wishes] = []
    for signup in signups:
        wishes, said = Wishes(), set[str]()
        for line in signup.lines:
            _check_line(line, wishes, (), said)
        wishes.player = wishes.player or player_name(signup.holder)
        wishes.color = wishes.color or next(iter(_free_palette(found)), "")
        found.append(wishes)
    return found


def names(signup: Signup) -> Mapping[str, str]:
    """The name of the player, who can be meant by it in orders."""
    player = wishes_of((signup,))[0].player
    return {"Player Name": player} if player else {}


def sample_signup(accepted: Sequence[Signup], options: Options) -> Signup:
    """A sign-up after these that is in order: homes far apart, traits in turn."""
    del options
    place, taken = len(accepted), {wishes.home for wishes in wishes_of(accepted)}
    step = 11  # prime to the number of planets, so that all of them come
    homes = (_PLANETS[(place * step + more) % len(_PLANETS)] for more in range(len(_PLANETS)))
    home = next((name for name in homes if name not in taken), _PLANETS[0])
    traits = [row.name for row in DATA.trait_rows]
    first, second = traits[2 * place % len(traits)], traits[(2 * place + 1) % len(traits)]
    race = f"People {place + 1}"
    lines = (
        f"Race Name: {race}",
        f"Leader Name and Title: Speaker of People {place + 1}",
        f"Player Name: Player {place + 1}",
        f"Home Planet: {home}",
        f"Extra Traits: {first}, {second}",
    )
    return Signup(race, tuple(Line(number, text) for number, text in enumerate(lines, start=1)))


# --- The form as a whole ------------------------------------------------------------------------------------------------


def _too_many(taken: Sequence[Wishes], most: int) -> list[str]:
    return [f"the game is for {counted(most, 'player')} and full"] if len(taken) >= most else []


def _whole(signup: Signup, wishes: Wishes, taken: Sequence[Wishes], said: set[str]) -> list[str]:
    problems: list[str] = []
    if wishes.race and signup.seat and fold(signup.seat) != fold(wishes.race):
        problems.append(f'you join as "{signup.seat:.60}", but your form is for "{wishes.race}"')
    if "Extra Traits" in said and len(wishes.traits) == 1:
        problems.append(f"Extra Traits are exactly two different ones; another is one of {listing(_left(wishes.traits))}")
    if "Player Name" not in said and _has(taken, player_name(signup.holder), "player"):
        name = player_name(signup.holder)
        problems.append(f'a player is called "{name:.60}" already; choose another name, like Player Name: {name:.50} 2')
    return problems


def player_name(holder: str) -> str:
    """The name of a player who has not said another; "" for one who gives none."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in holder).split())[:_PLAYER_LENGTH]


def _has(taken: Iterable[Wishes], value: str, name: str) -> bool:
    return bool(value) and any(fold(getattr(other, name)) == fold(value) for other in taken)


def _left(traits: Sequence[str]) -> list[str]:
    return [row.name for row in DATA.trait_rows if row.name not in traits]


def _free_palette(taken: Iterable[Wishes]) -> list[str]:
    used = {_paint(wishes.color) for wishes in taken}
    return [color for color in PALETTE if PALETTE[color] not in used]


def _paint(color: str) -> str:
    return PALETTE.get(color, color).casefold()


# --- Fields -------------------------------------------------------------------------------------------------------------


def _check_line(line: Line, wishes: Wishes, taken: Sequence[Wishes], said: set[str]) -> Verdict:
    head, colon, value = line.text.partition(":")
    key = _KEYS.get(fold(head), "")
    if not colon and wishes.traits and len(wishes.traits) < 2:
        key, value = "Extra Traits", line.text  # the second trait on a line of its own
    value = " ".join(value.split())
    if not key:
        problem = (
            f"the nation form has the fields {listing(_EXAMPLES)}. A right line: Race Name: {_example('Race Name', taken)}"
        )
        return Verdict(line.number, line.text, Status.ERROR, problem)
    try:
        if key in said and key != "Extra Traits":
            raise _Wrong(f"{key} is there twice")
        said.add(key)
        canonical = _FIELDS[key](value, wishes, taken)
    except _Wrong as wrong:
        return Verdict(line.number, line.text, Status.ERROR, f"{wrong}. A right line: {key}: {_example(key, taken)}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"{key}: {canonical}")


def _example(key: str, taken: Sequence[Wishes]) -> str:
    """What the field can still say."""
    first = _EXAMPLES[key]
    numbered = (f"{first} {number}" for number in range(2, len(taken) + 3))
    for value in (first, *_CHOICES.get(key, numbered)):
        try:
            _FIELDS[key](value, Wishes(), taken)
        except _Wrong:
            continue
        return value
    return first


def _race(value: str, wishes: Wishes, taken: Sequence[Wishes]) -> str:
    if not value or len(value) > NAME_LENGTH:
        raise _Wrong(f"the Race Name has 1 to {NAME_LENGTH} characters, not {len(value)}")
    if not re.fullmatch(r"(?:[^\W_]|[ '-])+", value) or not any(letter.isalpha() for letter in value):
        raise _Wrong(f'"{value}": a Race Name has letters, digits, blanks, apostrophes and hyphens, at least one letter')
    if fold(value) in _RESERVED or UNIT_ID.fullmatch(value.upper()) or re.fullmatch(r"[FA]\d+", value.upper()):
        raise _Wrong(f'"{value}" means something else in orders')
    if fold(value) in _THINGS:
        raise _Wrong(f'"{value}" is the name of a planet, a trait, a resource or a technology')
    if _has(taken, value, "race"):
        raise _Wrong(f'"{value}" is taken, as are {listing(other.race for other in taken)}')
    wishes.race = value
    return value


def _leader(value: str, wishes: Wishes, _taken: Sequence[Wishes]) -> str:
    wishes.leader = _text(value, "Leader Name and Title", LEADER_LENGTH)
    return wishes.leader


def _player(value: str, wishes: Wishes, taken: Sequence[Wishes]) -> str:
    name = _text(value, "Player Name", _PLAYER_LENGTH)
    if _has(taken, name, "player"):
        raise _Wrong(f'a player is called "{name}" already; choose another name')
    wishes.player = name
    return name


def _text(value: str, what: str, longest: int) -> str:
    if not value or len(value) > longest:
        raise _Wrong(f"{what} has 1 to {longest} characters, not {len(value)}")
    if not value.isprintable():
        raise _Wrong(f"{what} has a character that cannot be shown")
    return value


def _color(value: str, wishes: Wishes, taken: Sequence[Wishes]) -> str:
    free = f"free are {listing(_free_palette(taken))}, and any other #RRGGBB" if _free_palette(taken) else "write #RRGGBB"
    color = value.casefold() if re.fullmatch(r"#[0-9A-Fa-f]{6}", value) else fold(value)
    if color not in PALETTE and not color.startswith("#"):
        raise _Wrong(f'there is no color "{value:.60}"; {free}')
    if not re.fullmatch(r"#[0-9a-f]{6}", color) and color not in PALETTE:
        raise _Wrong(f'"{value:.60}" is no color; {free}')
    if any(_paint(color) == _paint(other.color) for other in taken):
        raise _Wrong(f"{color} is taken; {free}")
    wishes.color = color
    return color


def _home(value: str, wishes: Wishes, taken: Sequence[Wishes]) -> str:
    free = [name for name in _PLANETS if all(name != other.home for other in taken)]
    match = match_name(value, _PLANETS)
    if match.found is None:
        problem = (
            f'"{value:.60}" could be {listing(match.ambiguous)}' if match.ambiguous else f'there is no planet "{value:.60}"'
        )
        raise _Wrong(f"{problem}; free are {listing(free)}")
    if match.found not in free:
        raise _Wrong(f"{match.found} is taken; free are {listing(free)}")
    wishes.home = match.found
    return match.found


def _traits(value: str, wishes: Wishes, _taken: Sequence[Wishes]) -> str:
    words = [word for word in re.split(r"\s*(?:,|&|\band\b)\s*", value, flags=re.IGNORECASE) if word]
    found: list[str] = []
    for word in words:
        match = match_name(word, DATA.traits)
        if match.found is None:
            problem = (
                f'"{word:.60}" could be {listing(match.ambiguous)}' if match.ambiguous else f'there is no trait "{word:.60}"'
            )
            raise _Wrong(f"{problem}; there are {listing(DATA.traits)}")
        found.append(match.found)
    chosen = [*wishes.traits, *found]
    if not found or len(chosen) > 2 or len(set(chosen)) < len(chosen):
        raise _Wrong(f"Extra Traits are exactly two different ones of {listing(DATA.traits)}")
    wishes.traits = chosen
    return ", ".join(found)


_FIELDS: Mapping[str, Callable[[str, Wishes, Sequence[Wishes]], str]] = {
    "Race Name": _race,
    "Leader Name and Title": _leader,
    "Player Name": _player,
    "Color": _color,
    "Home Planet": _home,
    "Extra Traits": _traits,
}

"""Sign-up (section 5 of the rules): a player chooses a name, and perhaps the names of society and capital."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbmd.rules import Line, Options, Signup, Status, Verdict, fold

from .layout import too_few_starts
from .names import name_problem, text_problem
from .tables import INFO, game_options

_LINE = re.compile(r"(society|capital)\b\s*:?\s*(.*)", re.IGNORECASE)
_EXAMPLES = {"society": "Society The Annalists", "capital": "Capital Annopolis"}


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The name of a newcomer and its set-up lines; the first to arrive keeps a name."""
    problem = name_problem(signup.seat)
    if not problem and any(fold(signup.seat) == fold(other.seat) for other in accepted):
        problem = "another society has this name already"
    problem = problem or _no_room(len(accepted) + 1, options)
    status = Status.ERROR if problem else Status.OK
    head = Verdict(0, signup.seat, status, f'"{signup.seat:.60}": {problem}' if problem else "")
    said: set[str] = set()
    return (head, *(_check_line(line, said) for line in signup.lines if line.text.strip()))


def _no_room(players: int, options: Options) -> str:
    if players > INFO.max_seats:
        return f"the game is for {INFO.max_seats} players and full"
    try:
        return too_few_starts(players, game_options(options.items()))
    except ValueError as problem:
        return str(problem)


class Wishes(NamedTuple):
    """The society's title and the name of its capital, "" where nothing was asked for."""

    title: str
    capital: str


def wishes_of(signup: Signup) -> Wishes:
    """What an accepted sign-up asks for."""
    found: dict[str, str] = {}
    for line in signup.lines:
        if match := _LINE.fullmatch(_plain(line.text)):
            found[fold(match[1])] = match[2]
    return Wishes(found.get("society", ""), found.get("capital", ""))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _check_line(line: Line, said: set[str]) -> Verdict:
    match = _LINE.fullmatch(_plain(line.text))
    if match is None:
        words = f"a sign-up can have lines like {_EXAMPLES['society']} and {_EXAMPLES['capital']}"
        return Verdict(line.number, line.text, Status.ERROR, words)
    kind, name = fold(match[1]), match[2]
    problem = "this is said twice" if kind in said else text_problem(name)
    said.add(kind)
    if problem:
        return Verdict(line.number, line.text, Status.ERROR, f"{problem}, for example: {_EXAMPLES[kind]}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"{kind.capitalize()} {name}")

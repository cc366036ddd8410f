"""What ``ruleset.toml`` declares of the position: what is secret, and which sums stay the same.

Two positions that differ in a declared secret and in nothing else are the same to everybody who may not know it.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

from pbmd.conformance.everything_sent import answer, everybody, form_shown, view_shown
from pbmd.conformance.findings import Wrong
from pbmd.conformance.order_checks import LATER
from pbmd.conformance.press_rooms import rooms_known_to
from pbmd.conformance.scenes import Scene, dice
from pbmd.rules import Document, Mail, PositionError, Ruleset
from pbmd.rules.declared import FILE
from pbmd.rules.info import Secret
from pbmd.rules.lines import order_lines
from pbmd.rules.troubles import PlaceInFile, difference

Way = tuple[str | int, ...]
"""The keys and indices that lead to a value in a document."""
_MOST_TWINS = 6
"""This many twins of a position are made for each secret."""


class Twin(NamedTuple):
    """A document in which the values there are others, `was` and `now`."""

    document: Document
    ways: tuple[Way, ...]
    was: Any
    now: Any


# --- Paths ------------------------------------------------------------------------------------------------------------------


def ways_of(document: Any, path: str) -> list[Way]:
    """Where in a document a path leads: ``villagers[].role`` to one place for each villager. ``[]`` is for the items of a list,
    and for the entries of a table."""
    ways: list[tuple[Way, Any]] = [((), document)]
    for part in re.findall(r"\[\]|[^.\[\]]+", path):
        ways = [((*way, key), value) for way, at in ways for key, value in _entries(at, part)]
    return [way for way, _ in ways]


def _entries(at: Any, part: str) -> Iterator[tuple[str | int, Any]]:
    if part == "[]" and isinstance(at, list):
        yield from enumerate(cast("list[Any]", at))
    elif part == "[]" and isinstance(at, dict):
        yield from cast("dict[str, Any]", at).items()
    elif isinstance(at, dict) and part in at:
        yield part, at[part]


def value_at(document: Any, way: Way) -> Any:
    """The value to which the way leads."""
    for key in way:
        document = document[key]
    return document


def _owners(document: Any, way: Way, seats: Sequence[str]) -> set[str]:
    """The seats that an entry on the way belongs to: it has their name as its key, or in it."""
    found: set[str] = set()
    for key in way:
        document = document[key]
        if key in seats:
            found.add(str(key))
        elif isinstance(document, dict):
            named = (value for value in cast("dict[str, Any]", document).values() if value in seats)
            found |= {*islice(named, 1)}
    return found


def may_know(document: Any, secret: Secret, way: Way, seats: Sequence[str]) -> set[str]:
    """The seats that may know what is there: those that it belongs to, and those to which it is declared to be known."""
    path, _, value = (part.strip() for part in secret.known_to.partition("="))
    ways = ways_of(document, path) if path else []
    if value:
        known = {seat for at in ways if str(value_at(document, at)) == value for seat in _owners(document, at, seats)}
    else:
        known = {seat for at in ways for seat in _seats_in(value_at(document, at), seats)}
    return known | _owners(document, way, seats)


def _seats_in(value: Any, seats: Sequence[str]) -> set[str]:
    names = cast("list[Any]", value) if isinstance(value, list) else [value]
    return {name for name in names if name in seats}


# --- Secrets ----------------------------------------------------------------------------------------------------------------


def declared_secrets_show_to_nobody_else(scene: Scene) -> Iterator[Wrong]:
    """As long as the game goes on: in no view, map, form, number, hint or answer."""
    rules = scene.rules
    for position in (scene.position, scene.played.positions[-2]):
        if rules.outcome(position) is not None:
            return
        document = rules.dump(position)
        for secret in rules.info.secret:
            for twin in islice(twins(document, secret), _MOST_TWINS):
                yield from _look_alike(scene, position, document, secret, twin)


def twins(document: Document, secret: Secret) -> Iterator[Twin]:
    """Values of two places are swapped, or one is taken from a number and given to the other: that leaves alone what may be
    public, such as their sum. Where there is but one place, another value stands there."""
    ways = ways_of(document, secret.at)
    for one, other in combinations(ways, 2):
        was, now = value_at(document, one), value_at(document, other)
        if was != now:
            yield Twin(_with(_with(document, one, now), other, was), (one, other), was, now)
        elif type(was) is int and was > 0:
            yield Twin(_with(_with(document, one, was + 1), other, was - 1), (one, other), was, was + 1)
    for way in ways if len(ways) == 1 else ():
        was = value_at(document, way)
        for now in _instead(was):
            yield Twin(_with(document, way, now), (way,), was, now)


def _instead(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        if items != items[::-1]:
            yield items[::-1]
    elif isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        for key, item in table.items():
            yield from ({**table, key: now} for now in _instead(item))


def _with(document: Document, way: Way, value: Any) -> Document:
    changed = copy.deepcopy(dict(document))
    at: Any = value_at(changed, way[:-1])
    at[way[-1]] = copy.deepcopy(value)
    return changed


def _look_alike(scene: Scene, position: Any, document: Document, secret: Secret, twin: Twin) -> Iterator[Wrong]:
    rules = scene.rules
    try:
        other = rules.load(twin.document)
    except PositionError:
        return  # there is no such position
    if rules.outcome(other) is not None:
        return  # nor such a game: everybody would know that it is over
    seats = rules.seats(position)
    knowing = set[str]().union(*(may_know(each, secret, way, seats) for each in (document, twin.document) for way in twin.ways))
    for seat in everybody(rules, position):
        if seat not in knowing:
            yield from _same_for(scene, position, other, seat, f"{secret.at} ({_brief(twin.was)} or {_brief(twin.now)})")


def _same_for(scene: Scene, position: Any, other: Any, seat: str, what: str) -> Iterator[Wrong]:
    rules, whom = scene.rules, seat or "the public"
    views = [view_shown(rules, at, (), seat) for at in (position, other)]
    if views[0] != views[1]:
        place = difference(*(json.loads(view) for view in views))
        yield Wrong("secret.declared", f"the view of {whom} shows {what}{f', at {place}' if place else ''}", "view")
    forms = [form_shown(rules, at, seat) for at in (position, other)]
    if forms[0] != forms[1]:
        yield Wrong("secret.declared", f"the order form of {whom} shows {what}", "order_form")
    if seat and len({rooms_known_to(rules, at, seat) for at in (position, other)}) > 1:
        yield Wrong("secret.declared", f"the rooms that {whom} can write to, or reads, show {what}", "press")
    if seat:
        yield from _same_answers(scene, position, other, seat, what)


def _same_answers(scene: Scene, position: Any, other: Any, seat: str, what: str) -> Iterator[Wrong]:
    """To what random players write, whoever they are."""
    rules = scene.rules
    for writer in rules.awaiting(position):
        lines = order_lines(rules.random_orders(position, writer, dice(scene.name, writer, "declared")))
        one, two = (answer(rules.receive(at, Mail(seat, lines, LATER))) for at in (position, other))
        if one != two:
            yield Wrong("secret.declared", f"the answer to a letter of {seat} shows {what}", "receive")
            return


def _brief(value: Any) -> str:
    return f"{value!r:.40}"


# --- Sums -------------------------------------------------------------------------------------------------------------------


def declared_sums_stay(scene: Scene) -> Iterator[Wrong]:
    """Whatever is written and resolved."""
    rules, positions = scene.rules, scene.played.positions
    for declared in rules.info.conserved:
        sums = [_sum(rules.dump(position), declared) for position in positions]
        for number, (before, after) in enumerate(pairwise(sums), start=1):
            if before != after:
                last = number == len(sums) - 1
                when = "the step is resolved" if last else "a letter or a missed deadline"
                words = f"{declared} is {before} before, and {after} after {when}"
                yield Wrong("document.sum", words, "resolve" if last else "receive")
                break


def _sum(document: Document, declared: str) -> int:
    """The sum of all whole numbers to which the paths lead; of a list its length counts."""
    found = (value_at(document, way) for path in declared.split("+") for way in ways_of(document, path.strip()))
    return sum(len(cast("list[Any]", value)) if isinstance(value, list) else value for value in found if _counts(value))


def _counts(value: Any) -> bool:
    return isinstance(value, list | int) and not isinstance(value, bool)


# --- Declarations -----------------------------------------------------------------------------------------------------------


def declared_paths_lead_somewhere(rules: Ruleset[Any], scenes: Sequence[Scene]) -> Iterator[Wrong]:
    """In some position of some game."""
    paths = dict.fromkeys(_paths(rules))
    documents: list[Mapping[str, Any]] = [rules.dump(scene.position) for scene in scenes]
    file = Path(str(rules.info.folder)) / FILE
    for path in paths if documents else ():
        if not any(ways_of(document, path) for document in documents):
            key = "secret" if any(path in (secret.at, secret.known_to) for secret in rules.info.secret) else "conserved"
            yield Wrong("toml.paths", f'no position of any game has "{path}"', PlaceInFile(str(file), _line(file, key)))


def _paths(rules: Ruleset[Any]) -> Iterator[str]:
    for secret in rules.info.secret:
        yield secret.at
        if path := secret.known_to.partition("=")[0].strip():
            yield path
    for declared in rules.info.conserved:
        yield from (path.strip() for path in declared.split("+"))


def _line(file: Path, key: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if re.match(rf"\s*{key}\s*=", line)), 0)

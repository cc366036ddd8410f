"""What ``ruleset.toml`` declares of the position: what is secret, and which sums stay the same.

Two positions that differ in a declared secret and in nothing else are the same to everybody who may not know it.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast
from zlib import crc32

from pbmd.conformance.everything_sent import answer, everybody, form_shown, view_shown
from pbmd.conformance.findings import Wrong
from pbmd.conformance.order_checks import LATER
from pbmd.conformance.press_rooms import rooms_known_to
from pbmd.conformance.scenes import Scene, dice
from pbmd.rules import Document, Line, Mail, PositionError, Ruleset
from pbmd.rules.declared import FILE
from pbmd.rules.forms import offered
from pbmd.rules.info import Secret
from pbmd.rules.lines import order_lines
from pbmd.rules.sheets import resolved
from pbmd.rules.troubles import PlaceInFile, difference
from pbmd.rules.words import listing

Way = tuple[str | int, ...]
"""The keys and indices that lead to a value in a document."""
_MOST_TWINS = 4
"""This many twins of a position are made for each secret, in each scene others."""
_MOST_TOLD = 3
"""And so many are resolved."""
_MOST_OFFERED = 4
"""So many letters that a form offers are sent."""


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
    return _led_to(document, secret.known_to, seats) | _owners(document, way, seats)


def is_open(document: Any, secret: Secret, way: Way, seats: Sequence[str]) -> bool:
    """Whether what is there is no secret any more, since it is of a seat to which `unless` leads."""
    named = _led_to(document, secret.unless.removeprefix("not "), seats)
    opened = {*seats} - named if secret.unless.startswith("not ") else named
    return bool(opened & _owners(document, way, seats))


def _led_to(document: Any, declared: str, seats: Sequence[str]) -> set[str]:
    """The seats whose names are at that path, or whose own entry has the value behind it."""
    path, _, value = (part.strip() for part in declared.partition("="))
    ways = ways_of(document, path) if path else []
    if value:
        return {seat for at in ways if _as_toml(value_at(document, at)) == value for seat in _owners(document, at, seats)}
    return {seat for at in ways for seat in _seats_in(value_at(document, at), seats)}


def _as_toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seats_in(value: Any, seats: Sequence[str]) -> set[str]:
    names = cast("list[Any]", value) if isinstance(value, list) else [value]
    return {name for name in names if name in seats}


# --- Secrets ----------------------------------------------------------------------------------------------------------------


def declared_secrets_show_to_nobody_else(scene: Scene) -> Iterator[Wrong]:
    """As long as the game goes on: in no view, map, form, number, hint or answer, nor in who is awaited."""
    rules = scene.rules
    for position in (scene.position, scene.played.positions[-2]):
        if rules.outcome(position) is not None:
            return
        document, shown = rules.dump(position), Appearance(scene, position)
        seats, begin = rules.seats(position), crc32(scene.name.encode())
        for secret in rules.info.secret:
            for twin in islice(twins(document, secret, seats, begin), _MOST_TWINS):
                if (other := _loaded(rules, twin)) is not None:
                    yield from _look_alike(shown, other, document, secret, twin)


def declared_secrets_are_not_told(scene: Scene) -> Iterator[Wrong]:
    """To everybody, in a step that leaves them secret. What a step opens, such as the role of one who is killed with it, is
    known then by something else that has changed in the entry; and what a seat gets to know by its orders is for the rules."""
    rules, position = scene.rules, scene.played.positions[-2]
    after = scene.played.resolution.position
    if rules.outcome(position) is not None or rules.outcome(after) is not None:
        return
    document, then = rules.dump(position), rules.dump(after)
    told = view_shown(rules, after, scene.played.resolution.events, "")
    seats, begin = rules.seats(position), crc32(scene.name.encode())
    for secret in rules.info.secret:
        for twin in islice(twins(document, secret, seats, begin), _MOST_TOLD):
            other = _loaded(rules, twin)
            resolution = None if other is None else resolved(rules, other, dice(scene.name))
            if resolution is None or not _is_still_secret(rules, document, then, rules.dump(resolution.position), twin):
                continue
            if told != (now := view_shown(rules, resolution.position, resolution.events, "")):
                place = difference(json.loads(told), json.loads(now))
                words = f"what everybody is told after the step shows {_named(secret, twin)}{f', at {place}' if place else ''}"
                yield Wrong("secret.declared", words, "resolve")


def _is_still_secret(rules: Ruleset[Any], before: Document, after: Document, other: Document, twin: Twin) -> bool:
    """Whether the positions after the step differ in declared secrets only, and nothing else has changed where they are:
    neither in the same entry nor in another list of seats, such as that of those who are alive."""
    paths = [secret.at for secret in rules.info.secret]
    if after == other or _without(after, paths) != _without(other, paths):
        return False
    entries = {way[:-1] for way in twin.ways if len(way) > 1}
    hidden = [_without(document, paths) for document in (before, after)]
    try:
        if any(_grown(before, after, way) != _grown(twin.document, other, way) for way in twin.ways):
            return False  # what happened hangs on the number: who sees it, may
        if not all(value_at(hidden[0], way) == value_at(hidden[1], way) for way in entries):
            return False
    except (KeyError, IndexError):
        return False
    return not any(_is_told_elsewhere(name, hidden) for name in _seats_of_twin(twin, rules.seats(rules.load(before))))


def _seats_of_twin(twin: Twin, seats: Sequence[str]) -> set[str]:
    return {part for way in twin.ways for part in way if isinstance(part, str) and part in seats}


def _is_told_elsewhere(name: str, documents: Sequence[Document]) -> bool:
    """Whether a name stands more often in one of them than in another, as in a list of those who are alive."""
    return len({json.dumps(document).count(json.dumps(name)) for document in documents}) > 1


def _grown(before: Document, after: Document, way: Way) -> int | None:
    """By how much a number has changed, None for anything else."""
    values = value_at(before, way), value_at(after, way)
    return values[1] - values[0] if all(type(value) is int for value in values) else None


def _without(document: Document, paths: Sequence[str]) -> Document:
    """The document with nothing where the paths lead."""
    changed = copy.deepcopy(dict(document))
    for path in paths:
        for way in ways_of(changed, path):
            value_at(changed, way[:-1])[way[-1]] = None
    return changed


def _loaded(rules: Ruleset[Any], twin: Twin) -> Any:
    """The position; None if there is no such position, or the game is over in it, so that everybody may know."""
    try:
        position = rules.load(twin.document)
    except PositionError:
        return None
    return position if rules.outcome(position) is None else None


def _named(secret: Secret, twin: Twin) -> str:
    return f"{secret.at} ({_brief(twin.was)} or {_brief(twin.now)})"


def twins(document: Document, secret: Secret, seats: Sequence[str], begin: int = 0) -> Iterator[Twin]:
    """Values of two places are swapped, or one is taken from a number and given to the other: that leaves alone what may be
    public, such as their sum. Where there is but one place, another value stands there. What is open already stays. The number
    at which to `begin` says which come first."""
    ways = [way for way in ways_of(document, secret.at) if not is_open(document, secret, way, seats)]
    pairs = [*combinations(ways, 2)]
    first = begin % (len(pairs) or 1)
    for one, other in pairs[first:] + pairs[:first]:
        was, now = value_at(document, one), value_at(document, other)
        if was != now:
            yield Twin(_with(_with(document, one, now), other, was), (one, other), was, now)
        elif type(was) is int and was > 0:
            yield Twin(_with(_with(document, one, was + 1), other, was - 1), (one, other), was, was + 1)
    for way in ways if len(ways) == 1 else ():
        was = value_at(document, way)
        for now in _instead(was, seats):
            yield Twin(_with(document, way, now), (way,), was, now)


def _instead(value: Any, seats: Sequence[str]) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield from (seat for seat in seats if seat != value and value in ("", *seats))
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        if items != items[::-1]:
            yield items[::-1]
    elif isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        for key, item in table.items():
            yield from ({**table, key: now} for now in _instead(item, seats))


def _with(document: Document, way: Way, value: Any) -> Document:
    changed = copy.deepcopy(dict(document))
    at: Any = value_at(changed, way[:-1])
    at[way[-1]] = copy.deepcopy(value)
    return changed


class Got(NamedTuple):
    """What a reader gets, by the function that gives it: answers are those to letters, whoever else has written them. Who is
    awaited is for everybody: it stands on pages and in answers, and a step waits for it."""

    view: str
    order_form: str
    press: bytes
    receive: tuple[str, ...]
    awaiting: tuple[str, ...]


class Appearance:
    """What everybody gets of a position, in the middle of a game; remembered, since many others are compared with it."""

    def __init__(self, scene: Scene, position: Any) -> None:
        self.rules, self.position, self.name = scene.rules, position, scene.name
        self.seats = everybody(scene.rules, position)
        said = (
            (tuple(line.text for line in each), each)
            for writer in scene.rules.awaiting(position)
            for each in self._letters(writer)
        )
        self.letters = [*dict(said).values()]
        self._of = cache(self._got)

    def _letters(self, writer: str) -> Iterator[tuple[Line, ...]]:
        rules, position = self.rules, self.position
        yield order_lines(rules.random_orders(position, writer, dice(self.name, writer, "declared")))
        yield from (order_lines(letter) for letter in offered(rules.order_form(position, writer)).letters[:_MOST_OFFERED])

    def of(self, seat: str) -> "Got":
        """What a seat gets."""
        return self._of(seat)

    def _got(self, seat: str) -> "Got":
        return self.of_another(self.position, seat)

    def of_another(self, position: Any, seat: str) -> "Got":
        """The same of another position."""
        rules = self.rules
        rooms = rooms_known_to(rules, position, seat) if seat else b""
        answers = (answer(rules.receive(position, Mail(seat, lines, LATER))) for lines in (self.letters if seat else ()))
        awaited = tuple(rules.awaiting(position))
        return Got(view_shown(rules, position, (), seat), form_shown(rules, position, seat), rooms, tuple(answers), awaited)


def _look_alike(shown: Appearance, other: Any, document: Document, secret: Secret, twin: Twin) -> Iterator[Wrong]:
    seats = shown.rules.seats(shown.position)
    knowing = set[str]().union(*(may_know(each, secret, way, seats) for each in (document, twin.document) for way in twin.ways))
    found: dict[str, list[Wrong]] = {}
    for seat in shown.seats:
        if seat not in knowing:
            one, now = shown.of(seat), shown.of_another(other, seat)
            whom, what = seat or "the public", _named(secret, twin)
            for function, here, there in zip(Got._fields, one, now, strict=True):
                if here != there:
                    wrong = Wrong("secret.declared", _shows(function, whom, what, here, there), function)
                    found.setdefault(seat, []).append(wrong)
    # A name that is in no entry of a seat (whom the doctor guards) is known to the one who has put it there.
    if not (isinstance(twin.was, str) and len(twin.ways) == 1 and len(found) == 1 and "" not in found):
        yield from (wrong for some in found.values() for wrong in some)


def _shows(function: str, whom: str, what: str, here: Any, there: Any) -> str:
    match function:
        case "view":
            place = difference(json.loads(here), json.loads(there))
            return f"the view of {whom} shows {what}{f', at {place}' if place else ''}"
        case "order_form":
            return f"the order form of {whom} shows {what}"
        case "press":
            return f"the rooms that {whom} can write to, or reads, show {what}"
        case "awaiting":
            either = " or ".join(listing(each) or "nobody" for each in (here, there))
            return f"who is awaited ({either}) shows {whom} {what}"
        case _:
            return f"the answer to a letter of {whom} shows {what}"


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
    secret = {*_paths_of_secrets(rules)}
    for path in paths if documents else ():
        if not any(ways_of(document, path) for document in documents):
            key = "secret" if path in secret else "conserved"
            yield Wrong("toml.paths", f'no position of any game has "{path}"', PlaceInFile(str(file), _line(file, key)))


def _paths(rules: Ruleset[Any]) -> Iterator[str]:
    yield from _paths_of_secrets(rules)
    for declared in rules.info.conserved:
        yield from (path.strip() for path in declared.split("+"))


def _paths_of_secrets(rules: Ruleset[Any]) -> Iterator[str]:
    for secret in rules.info.secret:
        yield secret.at
        for seats in (secret.known_to, secret.unless.removeprefix("not ")):
            if path := seats.partition("=")[0].strip():
                yield path


def _line(file: Path, key: str) -> int:
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if re.match(rf"\s*{key}\s*=", line)), 0)

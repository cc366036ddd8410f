"""Reading the TOML files of the command line: every problem is one line with the file, the place and the error."""

import difflib
import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pbmd.adjudicate import Deadline, Entry, Letter, Resignation
from pbmd.cli.authors import looked_at
from pbmd.cli.common import FileProblem
from pbmd.conformance.watched_ruleset import typed
from pbmd.rules import PositionError, Ruleset, fold
from pbmd.rules.names import near_to
from pbmd.rules.registry import UnknownRuleset, get
from pbmd.rules.salts import SALT_BYTES, Salts
from pbmd.rules.toml import parse_toml

_LETTER_KEYS = ("player", "received", "text")
_MARKS = {"deadline": ("deadline", "received"), "resigns": ("resigns", "received", "player")}
"""The entries that are not letters: the key that is true in each, and all its keys."""


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file. Raises `FileProblem`."""
    try:
        return parse_toml(path.read_bytes().decode("utf-8-sig"))
    except OSError as problem:
        raise FileProblem(path, "", problem.strerror or str(problem)) from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise FileProblem(path, f"line {line}", "this is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise FileProblem(path, "", f"this is not TOML: {problem}") from None


def read_position(path: Path, rules: str | None = None) -> tuple[Ruleset[Any], Any, dict[str, Any]]:
    """A position document: its ruleset, the position, and the document itself. Raises `FileProblem`.

    `rules` is the name of the ruleset, or the path of its folder, if it is not to be found by the name in the document.
    Raises `UnknownRuleset` if there is none. All that the ruleset gives is looked at (`looked_at`).
    """
    document = read_toml(path)
    slug = document.get("ruleset")
    if not isinstance(slug, str):
        raise FileProblem(path, "ruleset", 'the name of the ruleset is missing, such as ruleset = "galactic_overlord"')
    given = looked_at(rules) if rules else None
    if given and given.info.slug != slug:
        raise FileProblem(path, "ruleset", f"this is a position of {slug}, and {rules} has the rules of {given.info.slug}")
    try:
        ruleset = given or typed(get(slug))
        return ruleset, ruleset.load(document), document
    except UnknownRuleset as problem:
        raise FileProblem(path, "ruleset", str(problem)) from None
    except PositionError as problem:
        raise FileProblem(path, problem.place, problem.problem) from None


def read_entries(path: Path, seats: Sequence[str], seat_word: str) -> tuple[Entry, ...]:
    """The letters, deadlines and resignations of an orders file, in the order of the file. Raises `FileProblem`."""
    content = read_toml(path)
    for key in content:
        if key != "orders":
            raise FileProblem(path, key, 'an orders file has only "[[orders]]" entries')
    entries = content.get("orders", [])
    if not _is_array_of_tables(entries):
        raise FileProblem(path, "orders", 'entries begin with "[[orders]]" on a line of its own')
    return tuple(_entry(path, f"[[orders]] no. {number}", entry, seats, seat_word) for number, entry in enumerate(entries, 1))


def _is_array_of_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _entry(path: Path, place: str, entry: Mapping[str, Any], seats: Sequence[str], seat_word: str) -> Entry:
    mark = next((key for key in _MARKS if _is_marked(path, place, entry, key)), "")
    expected = _MARKS[mark] if mark else _LETTER_KEYS
    for key in entry:
        if key not in expected and (mark or key not in _MARKS):
            raise FileProblem(path, f"{place}: {key}", _unknown_key(key, expected, mark))
    for key in expected:
        if key not in entry:
            raise FileProblem(path, place, f'"{key}" is missing')
    received = _typed(path, place, entry, "received", datetime, "a TOML date and time such as 2026-05-01T18:30:00Z")
    if mark == "deadline":
        return Deadline(received)
    seat = _seat(path, place, _typed(path, place, entry, "player", str, "text"), seats, seat_word)
    return Resignation(received, seat) if mark else Letter(received, seat, _typed(path, place, entry, "text", str, "text"))


def _is_marked(path: Path, place: str, entry: Mapping[str, Any], mark: str) -> bool:
    return mark in entry and _typed(path, place, entry, mark, bool, "true or false")


def _unknown_key(key: str, expected: Sequence[str], mark: str) -> str:
    if mark:
        others = " and ".join(f'"{name}"' for name in expected if name != mark)
        return f'an entry with "{mark} = true" has only {others} besides'
    near = difflib.get_close_matches(key, expected, n=1)
    return (
        f'there is no such key; did you mean "{near[0]}"?' if near else f"there is no such key; there are {', '.join(expected)}"
    )


def _typed(path: Path, place: str, entry: Mapping[str, Any], key: str, kind: type, wanted: str) -> Any:
    if not isinstance(entry[key], kind):
        raise FileProblem(path, f"{place}: {key}", f"{wanted} is wanted here, not {_shown(entry[key])}")
    return entry[key]


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else json.dumps(value, default=str)[:60]


def _seat(path: Path, place: str, player: str, seats: Sequence[str], seat_word: str) -> str:
    try:
        return seat_named(player, seats, seat_word)
    except LookupError as problem:
        raise FileProblem(path, f"{place}: player", str(problem)) from None


def seat_named(name: str, seats: Sequence[str], seat_word: str) -> str:
    """The seat of that name, whatever the case. Raises `LookupError` with a hint."""
    folded: Mapping[str, str] = {fold(seat): seat for seat in seats}
    seat = folded.get(fold(name))
    if seat is not None:
        return seat
    near = near_to(fold(name), [*folded])
    hint = f'did you mean "{folded[near[0]]}"?' if near else f"there are {', '.join(seats)}"
    raise LookupError(f'there is no {seat_word} "{name}"; {hint}')


def read_salts(path: Path, seats: Sequence[str]) -> Salts:
    """The salts of a step, from the dice.json of its turn in an archive. Raises `FileProblem` if they are not those of these
    seats."""
    try:
        document = json.loads(path.read_bytes())
        salts = tuple((str(seat["seat"]), bytes.fromhex(seat["salt"])) for seat in document["seats"])
    except OSError as problem:
        raise FileProblem(path, "", problem.strerror or str(problem)) from None
    except (KeyError, TypeError, ValueError, RecursionError):
        raise FileProblem(path, "seats", "there are no salts of all seats in it, as in the dice.json of an archive") from None
    if sorted(seat for seat, _ in salts) != sorted(seats) or any(len(salt) != SALT_BYTES for _, salt in salts):
        raise FileProblem(path, "seats", f"it has not one salt of {SALT_BYTES} bytes for each of {', '.join(seats)}")
    return salts


def read_words(path: Path) -> Mapping[str, str]:
    """The words that came with the orders of a step, by seat, from the same file; it was read for its salts before."""
    seats = json.loads(path.read_bytes())["seats"]
    return {str(seat["seat"]): str(seat["word"]) for seat in seats if seat.get("word")}

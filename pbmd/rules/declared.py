"""What a ``ruleset.toml`` may say, checked strictly: which keys there are and of which types, and, for whatever is wrong, the
line and how to mend it."""

import difflib
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, cast

from pbmd.rules.toml import parse_toml

PROTOCOL = 4
"""The version of the ruleset protocol that this pbmd speaks (`pbmd.rules.protocol`)."""
FILE = "ruleset.toml"
TIMINGS = ("simultaneous", "sequential", "phased")
LETTERS = ("replace", "amend")

_TEXT = {"slug", "title", "prefix", "summary", "source", "seat_word", "timing"}
_NUMBERS = {"min_seats", "max_seats"}
_MAY = {"protocol": int, "bold": bool, "map": bool, "secret_arrival": bool, "letters": str, "phases": list}
_PATHS = ("secret", "conserved")
_HEAD: Mapping[str, type] = {
    **dict.fromkeys(_TEXT, str),
    **dict.fromkeys(_NUMBERS, int),
    **_MAY,
    **dict.fromkeys(_PATHS, list),
}
_SECTIONS = ("sheets", "clock", "nothing", "votes", "options", "tables", "silenced")
_SHEETS = {"later": ("replace", "final"), "errors": ("drop_line", "refuse_mail")}
_CLOCK = ("turn_hours", "extension_hours", "extension_gap")
_NOTHING = ("order", "words", "missed")
_VOTES = ("draw", "cancel")
_OPTION = ("default", "help", "choices", "minimum", "maximum", "midgame", "file_limit")
_WORDS = {str: "a text in quotation marks", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}
_WRITTEN = {"slug": re.compile(r"[a-z][a-z0-9_]*"), "prefix": re.compile(r"[A-Z][A-Z0-9]*")}
_PHASE = re.compile(r"[a-z][a-z-]*")
_SHAPES = {"slug": "small letters, digits and underscores", "prefix": "capitals and digits"}

Path = tuple[str, ...]


class RulesetError(ValueError):
    """A ruleset that cannot be used as it is written. The message names the file, the line and the error."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}, line {line}: {problem}" if line else f"{file}: {problem}")
        self.file = file
        self.line = line
        self.problem = problem


class Wrong(NamedTuple):
    """What is wrong with a key, by its place (``("options", "target", "minimum")``)."""

    place: Path
    problem: str


def read_declared(folder: Traversable) -> dict[str, Any]:
    """The content of the ``ruleset.toml`` in `folder`. Raises `RulesetError` with the first thing that is wrong in it."""
    content, problems = looked_at(folder)
    if problems:
        raise problems[0]
    return content


def looked_at(folder: Traversable) -> tuple[dict[str, Any], list[RulesetError]]:
    """The content of the ``ruleset.toml`` in `folder`, and all that is wrong with it, in the order of the lines."""
    file, text = folder / FILE, ""
    try:
        text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        content = parse_toml(text)
    except OSError as problem:
        return {}, [RulesetError(str(file), 0, problem.strerror or "it cannot be read")]
    except UnicodeDecodeError as problem:
        return {}, [RulesetError(str(file), problem.object.count(b"\n", 0, problem.start) + 1, "this is not UTF-8 text")]
    except tomllib.TOMLDecodeError as problem:
        line = re.search(r"at line (\d+)", str(problem))
        return {}, [RulesetError(str(file), int(line[1]) if line else text.count("\n") + 1, f"this is not TOML: {problem}")]
    lines = _lines(text)
    found = [RulesetError(str(file), _line_of(wrong.place, lines), wrong.problem) for wrong in _wrong_in(content)]
    return content, sorted(found, key=lambda each: each.line)


def _wrong_in(content: Mapping[str, Any]) -> Iterator[Wrong]:
    # The additions of a newer protocol need not be known to say that it is newer.
    asked = content.get("protocol", PROTOCOL)
    if type(asked) is int and asked > PROTOCOL:
        words = f"the ruleset asks for version {asked} of the ruleset protocol, and this pbmd speaks {PROTOCOL}"
        yield Wrong(("protocol",), f"{words}: install a newer pbmd")
        return
    yield from _keys(content, (), (*_HEAD, *_SECTIONS), {*_TEXT, *_NUMBERS})
    for key, kind in _HEAD.items():
        if key in content:
            yield from _typed(content[key], (key,), kind)
    yield from _head(content)
    for section in _SECTIONS:
        if section in content:
            yield from _typed(content[section], (section,), dict)
    sections = {key: content[key] for key in _SECTIONS if isinstance(content.get(key), dict)}
    options = sections.get("options", {})
    yield from _sheets(sections.get("sheets", {}))
    yield from _clock(sections.get("clock"), options)
    yield from _nothing(sections.get("nothing", {}), content.get("phases", []))
    yield from _votes(sections.get("votes", {}))
    yield from _silenced(sections.get("silenced", {}))
    for key, entry in options.items():
        yield from _option(("options", key), entry)


def _head(content: Mapping[str, Any]) -> Iterator[Wrong]:
    for key in _TEXT:
        if isinstance(content.get(key), str) and not content[key].strip():
            yield Wrong((key,), f"{key} says nothing")
    for key, shape in _WRITTEN.items():
        if isinstance(content.get(key), str) and not shape.fullmatch(content[key]):
            yield Wrong((key,), f'{key} has {_SHAPES[key]} only, and begins with a letter; "{content[key]:.40}" is none')
    if "timing" in content:
        yield from _one_of(content["timing"], ("timing",), TIMINGS)
    if "letters" in content:
        yield from _one_of(content["letters"], ("letters",), LETTERS)
    if type(asked := content.get("protocol")) is int and asked < 1:
        yield Wrong(("protocol",), "the first version of the ruleset protocol is 1")
    yield from _phases(content.get("phases"))
    yield from _secrets(content.get("secret"))
    yield from _sums(content.get("conserved"))
    yield from _seats(content.get("min_seats"), content.get("max_seats"))


def _phases(kinds: Any) -> Iterator[Wrong]:
    named = cast("list[Any]", kinds) if isinstance(kinds, list) else []
    for kind in named:
        if not isinstance(kind, str) or not _PHASE.fullmatch(kind):
            yield Wrong(("phases",), f"a kind of phases is a word of small letters and hyphens, not {_shown(kind)}")
        elif named.count(kind) > 1:
            yield Wrong(("phases",), f'"{kind}" stands there twice')
            return


_PATH = re.compile(r"[\w-]+(\[\])*(\.[\w-]+(\[\])*)*")
"""Where something is in the documents of positions: ``pile``, ``villagers[].role``."""
_SECRET = ("at", "known_to", "unless")


def _secrets(declared: Any) -> Iterator[Wrong]:
    for entry in cast("list[Any]", declared) if isinstance(declared, list) else ():
        if isinstance(entry, dict):
            table = cast("dict[str, Any]", entry)
            yield from _keys(table, ("secret",), _SECRET, {"at"})
            yield from _path(table.get("at", "at"), "secret")
            yield from _path(str(table.get("known_to", "at")).partition("=")[0].strip(), "secret")
            yield from _path(str(table.get("unless", "at")).removeprefix("not ").partition("=")[0].strip(), "secret")
        else:
            yield from _path(entry, "secret")


def _sums(declared: Any) -> Iterator[Wrong]:
    for entry in cast("list[Any]", declared) if isinstance(declared, list) else ():
        for path in str(entry).split("+"):
            yield from _path(path.strip(), "conserved")


def _path(path: Any, key: str) -> Iterator[Wrong]:
    if not isinstance(path, str) or not _PATH.fullmatch(path):
        yield Wrong((key,), f'a path into the position is written like "pile" or "villagers[].role", not {_shown(path)}')


def _silenced(reasons: Mapping[str, Any]) -> Iterator[Wrong]:
    for promise, reason in reasons.items():
        if isinstance(reason, dict):
            yield Wrong(("silenced", promise), f'the promise is written in quotation marks: "{promise:.40}.…" = "the reason"')
        elif not isinstance(reason, str) or not reason.strip():
            yield Wrong(("silenced", promise), f"the reason for which {promise:.40} is silenced is missing")


def _seats(fewest: Any, most: Any) -> Iterator[Wrong]:
    if type(fewest) is not int:
        return
    if fewest < 1:
        yield Wrong(("min_seats",), "min_seats is at least 1")
    elif type(most) is int and (most < 0 or 0 < most < fewest):
        yield Wrong(("max_seats",), f"max_seats is at least min_seats, which is {fewest}, or 0 for any number")


def _sheets(sheets: Mapping[str, Any]) -> Iterator[Wrong]:
    yield from _keys(sheets, ("sheets",), _SHEETS)
    for key, allowed in _SHEETS.items():
        if key in sheets:
            yield from _one_of(sheets[key], ("sheets", key), allowed)


def _clock(clock: Mapping[str, Any] | None, options: Mapping[str, Any]) -> Iterator[Wrong]:
    if clock is None:
        return
    yield from _keys(clock, ("clock",), _CLOCK, {"turn_hours"})
    for key in _CLOCK:
        if key not in clock:
            continue
        option = options.get(str(clock[key]))
        if not isinstance(option, dict):
            yield Wrong(("clock", key), f'there is no option "{clock[key]}"{_meant(str(clock[key]), options)}')
        elif type(cast("Mapping[str, Any]", option).get("default")) is not int:
            yield Wrong(("clock", key), f'the option "{clock[key]}" is no whole number of hours or turns')


def _nothing(nothing: Mapping[str, Any], phases: Any) -> Iterator[Wrong]:
    here = ("nothing",)
    yield from _keys(nothing, here, _NOTHING)
    yield from _typed(nothing.get("order", ""), (*here, "order"), str)
    words = nothing.get("words", [])
    if not isinstance(words, list) or not all(isinstance(each, str) for each in cast("list[Any]", words)):
        yield Wrong((*here, "words"), "words are a list of texts")
    missed = nothing.get("missed", "")
    if isinstance(missed, dict):
        of_phases = cast("Mapping[str, Any]", missed)
        known = [each for each in cast("list[Any]", phases) if isinstance(each, str)] if isinstance(phases, list) else []
        yield from _keys(of_phases, (*here, "missed"), known)
        for phase, words in of_phases.items():
            yield from _typed(words, (*here, "missed", phase), str)
    else:
        yield from _typed(missed, (*here, "missed"), str)


def _votes(votes: Mapping[str, Any]) -> Iterator[Wrong]:
    yield from _keys(votes, ("votes",), _VOTES)
    for key, order in votes.items():
        if key in _VOTES:
            yield from _typed(order, ("votes", key), str)


def _option(place: Path, entry: Any) -> Iterator[Wrong]:
    if not isinstance(entry, dict):
        yield Wrong(place, f'an option is a table of its own, which begins with "[{".".join(place)}]"')
        return
    told = cast("Mapping[str, Any]", entry)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", place[-1]):
        yield Wrong(place, "the key of an option has small letters, digits and underscores only, and begins with a letter")
    yield from _keys(told, place, _OPTION, {"default", "help"})
    yield from _typed(told.get("help", ""), (*place, "help"), str)
    yield from _typed(told.get("midgame", False), (*place, "midgame"), bool)
    default = told.get("default", "")
    if type(default) not in (bool, int, str):
        yield Wrong((*place, "default"), "a default is a text, a whole number, or true or false")
        return
    yield from _choices(place, told, default)
    yield from _limits(place, told, default)
    yield from _file_limit(place, told, default)


def _choices(place: Path, told: Mapping[str, Any], default: Any) -> Iterator[Wrong]:
    if "choices" not in told:
        return
    choices, here = told["choices"], (*place, "choices")
    if not isinstance(choices, list) or not choices or not all(isinstance(each, str) for each in cast("list[Any]", choices)):
        yield Wrong(here, "choices are a list of texts")
    elif not isinstance(default, str):
        yield Wrong(here, "only an option that is a text has choices; a number has minimum and maximum")
    elif default not in choices:
        yield Wrong((*place, "default"), f'the default "{default:.40}" is none of the choices')


def _file_limit(place: Path, told: Mapping[str, Any], default: Any) -> Iterator[Wrong]:
    limit = told.get("file_limit", 1)
    if type(limit) is not int or limit < 1:
        yield Wrong((*place, "file_limit"), "file_limit is a whole number of characters, at least 1")
    elif "file_limit" in told and not isinstance(default, str):
        yield Wrong((*place, "file_limit"), "only an option that is a text can be the text of a file")


def _limits(place: Path, told: Mapping[str, Any], default: Any) -> Iterator[Wrong]:
    limits = {key: told[key] for key in ("minimum", "maximum") if key in told}
    for key, limit in limits.items():
        if type(limit) is not int:
            yield Wrong((*place, key), f"{key} is a whole number")
        elif type(default) is not int:
            yield Wrong((*place, key), f"only an option that is a whole number has a {key}")
    if type(default) is not int or not all(type(limit) is int for limit in limits.values()):
        return
    lowest, highest = limits.get("minimum", default), limits.get("maximum", default)
    if "minimum" in limits and "maximum" in limits and lowest > highest:
        yield Wrong((*place, "minimum"), f"the minimum {lowest} is above the maximum {highest}")
    elif not lowest <= default <= highest:
        yield Wrong((*place, "default"), f"the default {default} is not within the limits of the option")


def _keys(table: Mapping[str, Any], place: Path, known: Collection[str], needed: Collection[str] = ()) -> Iterator[Wrong]:
    """Unknown keys, each with the nearest known one, and missing ones."""
    where = f" in [{'.'.join(place)}]" if place else ""
    strange = [key for key in table if key not in known]
    for key in strange:
        yield Wrong((*place, key), f'there is no key "{key:.60}"{where}{_belongs(key, place) or _meant(key, known)}')
    misspelt = {near for key in strange for near in difflib.get_close_matches(key, known, n=1)}
    for key in known:
        if key in needed and key not in table and key not in misspelt:
            yield Wrong(place, f'"{key}" is missing{where}')


def _belongs(key: str, place: Path) -> str:
    """Where a key in the wrong part belongs; empty if it belongs nowhere."""
    if place:
        return "; it stands before the first section" if key in _HEAD else ""
    section = next((name for name, keys in (("sheets", _SHEETS), ("clock", _CLOCK), ("nothing", _NOTHING)) if key in keys), "")
    return f"; it belongs into [{section}]" if section else ""


def _meant(key: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _typed(value: Any, place: Path, kind: type) -> Iterator[Wrong]:
    if type(value) is not kind:
        yield Wrong(place, f"{place[-1]} is {_WORDS[kind]}, not {_shown(value)}")


def _one_of(value: Any, place: Path, allowed: Collection[str]) -> Iterator[Wrong]:
    if value not in allowed:
        listed = ", ".join(f'"{each}"' for each in allowed)
        yield Wrong(place, f"{place[-1]} is one of {listed}, not {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value:.40}"'
    return str(value).lower() if isinstance(value, bool | int | float) else _WORDS.get(type(value), "that")


# --- In which line something stands ---------------------------------------------------------------------------------------

_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_\"'.-]+(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")


def _lines(text: str) -> dict[Path, int]:
    """The lines in which keys and headers of tables stand, as far as they are written one a line: only to say where."""
    found: dict[Path, int] = {}
    section: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            section = _parts(header[1])
            found.setdefault(section, number)
        elif key := _KEY.match(line):
            found.setdefault((*section, *_parts(key[1])), number)
    return found


def _parts(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _line_of(place: Path, lines: Mapping[Path, int]) -> int:
    """The line of that place, or of the next larger part that has one; the first for the head of the file."""
    while place and place not in lines:
        inside = [number for path, number in lines.items() if path[: len(place)] == place]
        if inside:
            return min(inside)
        place = place[:-1]
    return lines.get(place, 1)

"""What is said about a bug: its kind and its place, never its text, which may quote a letter or a position."""

import json
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from pathlib import PurePath
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from pbmd.rules.protocol import PositionError, Ruleset
from pbmd.rules.registry import UnknownRuleset, UnusableRuleset, is_of_rules, shown_module

DEFECTS = (Exception, SystemExit)
"""What code with a defect may raise. Rules that try to end the process end their own game, and no other."""
_SEGMENT = re.compile(r"[a-z0-9_]*(?:\[\d+\])*")


class BrokenGame(Exception):
    """A game that cannot go on, or be shown, as it is stored: its ruleset is missing, or cannot read its position.

    The message names the game, the ruleset and the place, and shows nothing of what is there; `trouble` is the same without the
    game.
    """

    def __init__(self, game: str, trouble: str) -> None:
        super().__init__(f"{game}: {trouble}")
        self.game = game
        self.trouble = trouble


class MissingRuleset(BrokenGame):
    """A game whose ruleset this machine does not have. Another may have it."""


class AlteredGame(BrokenGame):
    """A game of which the ledger has something else than pbmd wrote; `parts` say what, in words."""

    def __init__(self, game: str, parts: Sequence[str]) -> None:
        super().__init__(game, f"its books are not what pbmd wrote: {', '.join(parts)}")
        self.parts = parts

    def __str__(self) -> str:
        """For the game master."""
        return f"{super().__str__()}; pbmd check says what leads out of that"


def usable_ruleset(game: str, slug: str, find: Callable[[str], Ruleset[Any]]) -> Ruleset[Any]:
    """The rules of a game. Raises `BrokenGame` if they are not there or cannot be used."""
    try:
        return find(slug)
    except UnusableRuleset as problem:
        raise BrokenGame(game, f"the ruleset {slug} cannot be used: {problem}") from problem
    except UnknownRuleset as problem:
        raise MissingRuleset(game, str(problem)) from None
    except DEFECTS as problem:  # a ruleset may be foreign code, which may fail in any way
        raise BrokenGame(game, f"the ruleset {slug} cannot be used: {place_of(problem)}") from problem


def read_position(game: str, rules: Ruleset[Any], document: str) -> Any:
    """The position of a game as it is kept, as JSON. Raises `BrokenGame` if the rules cannot read it."""
    try:
        return rules.load(json.loads(document))
    except DEFECTS as problem:
        raise BrokenGame(game, f"the ruleset {rules.info.slug} cannot read the position: {place_of(problem)}") from problem


def read_back(game: str, rules: Ruleset[Any], position: Any, document: str) -> None:
    """Check that a position that is written now can be read again, and is the same: else its game would come to a halt. Raises
    `BrokenGame`."""
    read = read_position(game, rules, document)
    if read != position:
        place = difference(json.loads(document), json.loads(json.dumps(rules.dump(read))))
        words = f"the ruleset {rules.info.slug} does not read the position that it wrote as what it was"
        raise BrokenGame(game, f"{words}, at {place}" if place else words)


def place_of(trouble: BaseException) -> str:
    """The kind and place of an exception, without its text: the place in a ruleset if one was at work, else where it was
    raised."""
    if isinstance(trouble, BrokenGame):
        return trouble.trouble
    if isinstance(trouble, UnknownRuleset):
        return str(trouble)  # it names rulesets and their files, and nothing else
    if isinstance(trouble, WrongReturnError) and trouble.place:
        return f"{type(trouble).__name__} in {trouble.place.file}, line {trouble.place.line}"
    frames = _frames(trouble.__traceback__)
    if not frames:
        return type(trouble).__name__
    of_rules = [(frame, line) for frame, line in frames if is_of_rules(_module(frame))]
    frame, line = (of_rules or frames)[-1]
    place = f", at {in_document(trouble.place)}" if isinstance(trouble, PositionError) and trouble.place else ""
    return f"{type(trouble).__name__} in {shown_module(_module(frame))}.{frame.f_code.co_name}, line {line}{place}"


class PlaceInFile(NamedTuple):
    """A line, from 1, of a file of a ruleset, 0 if it is the file as a whole; `within` is the function or class, empty in
    templates and outside of all."""

    file: str
    line: int
    within: str = ""


class WrongReturnError(TypeError):
    """A function of a ruleset returned something that is not of the type that the protocol asks for. The message, for the
    author, says which and how; `place` is where the function stands, since no trace leads there."""

    def __init__(self, problem: str, place: PlaceInFile | None) -> None:
        super().__init__(problem)
        self.place = place


def in_a_line(trouble: BaseException) -> str:
    """An exception as Python names it, with its text, in one line; for a wrong return value, the words about that."""
    if isinstance(trouble, WrongReturnError):
        return str(trouble)
    return " ".join(traceback.format_exception_only(trouble)[-1].split())


def place_in_files(trouble: BaseException) -> PlaceInFile | None:
    """The last place in the files of a ruleset, its code or the templates of its reports, that an exception came from or went
    through; None if there is none. For the author of the ruleset: what is told to others is `place_of`."""
    if isinstance(trouble, WrongReturnError):
        return trouble.place
    if isinstance(trouble, SyntaxError) and trouble.filename:
        return PlaceInFile(trouble.filename, trouble.lineno or 1, "")
    frames = _frames(trouble.__traceback__)
    places = [
        (frame, line) for frame, line in frames if _is_written(frame) and (is_of_rules(_module(frame)) or _is_of_report(frame))
    ]
    if not places:
        return None
    frame, line = places[-1]
    within = frame.f_code.co_name
    return PlaceInFile(frame.f_code.co_filename, line, within if within.isidentifier() and not _is_of_report(frame) else "")


def _is_written(frame: FrameType) -> bool:
    """Whether somebody wrote it: the methods of a dataclass are made by Python."""
    return not frame.f_code.co_filename.startswith("<")


def _is_of_report(frame: FrameType) -> bool:
    """Whether it is the template of a ruleset's report; Jinja puts those into its tracebacks."""
    path = PurePath(frame.f_code.co_filename)
    return path.suffix == ".j2" and path.parent.parent.name == "reports"


def told_of_options(problem: PositionError) -> str:
    """What is wrong with a position that got other options, for the game master: of all but the options only the place."""
    of_options = problem.place.split(".")[0] == "options"
    return str(problem) if of_options else f"it cannot be, at {in_document(problem.place)}"


def in_document(place: str) -> str:
    """A place in a position document (``players[2].hull``). What is no field's name, such as a player's, becomes "…"."""
    return ".".join(segment if _SEGMENT.fullmatch(segment) else "…" for segment in str(place).split("."))


def difference(one: Any, other: Any) -> str:
    """The first place, as `in_document` has it, at which two documents differ; empty if they do not, or as a whole."""
    place = ""
    while (step := _differing(one, other)) is not None:
        key, one, other = step
        place += f"[{key}]" if isinstance(key, int) else f".{key}"
    return in_document(place.lstrip("."))


def _differing(one: Any, other: Any) -> tuple[int | str, Any, Any] | None:
    """The first part that differs, by its key, of two tables or lists; None if they are neither, or the same."""
    pairs: Iterable[tuple[int | str, Any, Any]] = ()
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = ((key, one.get(key, _NOTHING), other.get(key, _NOTHING)) for key in (*one, *other))
    elif isinstance(one, list) and isinstance(other, list):
        pairs = ((i, here, there) for i, (here, there) in enumerate(zip_longest(one, other, fillvalue=_NOTHING)))
    return next(((key, here, there) for key, here, there in pairs if here != there), None)


_NOTHING = object()


def _frames(trace: TracebackType | None) -> list[tuple[FrameType, int]]:
    frames: list[tuple[FrameType, int]] = []
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return frames


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "?"))

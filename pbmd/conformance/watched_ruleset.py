"""A ruleset whose functions are watched: what they raise, what they return, how long they take, what they change in place."""

import inspect
import signal
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import partial, wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeVar, cast, get_origin

from pbmd.conformance.findings import Broken, Wrong
from pbmd.conformance.return_types import given_back, look_for, misfit
from pbmd.rules import PositionError, Receipt, Refused, Resolution, Ruleset, canonical_json
from pbmd.rules.troubles import PlaceInFile, WrongReturnError, in_a_line, place_in_files


class Limits(NamedTuple):
    """How many seconds of processor time a call may take: after `slow` it is a finding, after `hangs` it is stopped, since it
    may never end."""

    slow: float = 3.0
    hangs: float = 15.0


_USUAL = Limits()
MAY_RAISE: Mapping[str, tuple[type[Exception], ...]] = {
    **dict.fromkeys(("setup", "withdraw", "take_over", "imagine", "rule", "resign"), (Refused,)),
    "load": (PositionError,),
}
WITHOUT_POSITION = frozenset(
    ("check_signup", "setup", "load", "names", "sample_signup", "signup_form", "most_seats", "fixed_seats", "tell", "imagine")
)
"""All other functions get a position first."""


def functions_of(rules: Ruleset[Any]) -> dict[str, Callable[..., Any]]:
    """The functions that a ruleset has, by their names in `Ruleset`."""
    found = {field.name: getattr(rules, field.name) for field in fields(rules) if field.name != "info"}
    return {name: function for name, function in found.items() if function is not None}


def guarded(rules: Ruleset[Any], limits: Limits = _USUAL) -> Ruleset[Any]:
    """The ruleset with functions that raise `Broken` for what they must not raise or return, or if they take too long."""
    return replace(rules, **{name: _guard(rules, name, function, limits) for name, function in functions_of(rules).items()})


def _guard(rules: Ruleset[Any], name: str, function: Callable[..., Any], limits: Limits) -> Callable[..., Any]:
    allowed, hint = MAY_RAISE.get(name, ()), given_back()[name]
    look = look_for(hint)

    def call(*given: Any) -> Any:
        began = time.process_time()
        try:
            found = _not_for_ever(began + limits.hangs, function, given)
        except allowed:
            raise
        except _HangsError as problem:
            raise Broken(_too_long(name, limits.hangs, place_in_files(problem)), hangs=True) from None
        except Exception as problem:
            raise Broken(_raised(rules, name, problem)) from problem
        if (took := time.process_time() - began) > limits.slow:
            raise Broken(_too_long(name, took, place_of(rules, name)))
        if look(found) is not None or _no_position(found, hint):
            raise Broken(Wrong("code.returns", _wrong_return(name, found), name))
        return found

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def typed(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The ruleset with functions that raise `WrongReturnError` for results of the wrong type: for commands with which authors
    look at a ruleset as it is."""
    return replace(rules, **{name: _typed(rules, name, function) for name, function in functions_of(rules).items()})


def _typed(rules: Ruleset[Any], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    hint = given_back()[name]
    look = look_for(hint)

    @wraps(function)
    def call(*given: Any) -> Any:
        found = function(*given)
        if look(found) is not None or _no_position(found, hint):
            raise WrongReturnError(_wrong_return(name, found), place_of(rules, name))
        return found

    return call


def _wrong_return(name: str, found: Any) -> str:
    hint = given_back()[name]
    return f"what {name} gives back: {misfit(found, hint) or _no_position(found, hint)}"


def _no_position(found: Any, hint: Any) -> str:
    """What is wrong with something in place of a position: that may be of any type, but not one of these."""
    if isinstance(hint, TypeVar):
        position = found
    elif get_origin(hint) in (Receipt, Resolution):
        position = found.position
    else:
        return ""
    return f"a {type(position).__name__} is no position" if isinstance(position, _NO_POSITION) else ""


_NO_POSITION = (Receipt, Resolution, type(None), str)


def _too_long(name: str, seconds: float, place: PlaceInFile | None) -> Wrong:
    return Wrong("code.time", f"{name} took {seconds:.1f} seconds or more for one call", place or name)


def _raised(rules: Ruleset[Any], name: str, problem: Exception) -> Wrong:
    return Wrong("code.raises", f"{name} raises {named(problem)}", place_in_files(problem) or place_of(rules, name))


def named(problem: BaseException) -> str:
    """An exception as Python shows it, in one line."""
    return in_a_line(problem)[:300]


# --- Calls that never end -------------------------------------------------------------------------------------------------


class _HangsError(BaseException):
    """A call took too long. Not an `Exception`, which an author's code might catch."""


_LOOKS = 0.1
"""Seconds of processor time between two checks of the current call: a timer for each call would cost more than most calls
do."""


class _Watch:
    """Until when, in processor time, the current call may last; there is one such timer in a process."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def look(self, _signal: int, _frame: FrameType | None) -> None:
        if self.ends and time.process_time() > self.ends[-1]:
            raise _HangsError


_WATCH = _Watch()


@contextmanager
def watchdog() -> Generator[None]:
    """While this runs, calls of a guarded ruleset that never end are stopped, where there is such a timer: on POSIX, in the
    main thread."""
    if not hasattr(signal, "SIGVTALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _WATCH.look)
    timer = signal.setitimer(signal.ITIMER_VIRTUAL, _LOOKS, _LOOKS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, *timer)
        signal.signal(signal.SIGVTALRM, before)


def _not_for_ever(until: float, function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    _WATCH.ends.append(until)
    try:
        return function(*given)
    finally:
        _WATCH.ends.pop()


# --- Places in the files --------------------------------------------------------------------------------------------------


def place_of(rules: Ruleset[Any], name: str) -> PlaceInFile:
    """Where that function of a ruleset begins, or, if it is not its own, where the ruleset names it; for anything else the file
    with `Ruleset(…)`."""
    code = _code_of(getattr(rules, name, None))
    folder = str(rules.info.folder)
    if code is not None and is_own(rules, name):
        return PlaceInFile(code.co_filename, code.co_firstlineno, "" if code.co_name.startswith("<") else code.co_name)
    for file in sorted(Path(folder).glob("*.py")) if name else ():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if line.replace(" ", "").startswith(f"{name}="):
                return PlaceInFile(str(file), number)
    return PlaceInFile(code.co_filename, code.co_firstlineno, code.co_name) if code else PlaceInFile(f"{folder}/__init__.py", 0)


def is_own(rules: Ruleset[Any], name: str) -> bool:
    """Whether that function is written in the folder of the ruleset, and not in the kit."""
    code = _code_of(getattr(rules, name, None))
    return code is not None and code.co_filename.startswith(f"{rules.info.folder}/")


def _code_of(function: Any) -> CodeType | None:
    while isinstance(function, partial):
        function = cast("partial[Any]", function).func
    return getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None


# --- Changes in place -----------------------------------------------------------------------------------------------------


def watched(rules: Ruleset[Any]) -> Ruleset[Any]:
    """The guarded ruleset with functions that raise `Broken` if they change what they get."""
    return replace(rules, **{name: _watch(rules, name, function) for name, function in functions_of(rules).items()})


def _watch(rules: Ruleset[Any], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*given: Any) -> Any:
        before = _written(rules, name, given)
        try:
            found = function(*given)
        except (Refused, PositionError):
            _must_be_as_it_was(rules, name, given, before)
            raise
        _must_be_as_it_was(rules, name, given, before)
        return found

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def _must_be_as_it_was(rules: Ruleset[Any], name: str, given: tuple[Any, ...], before: list[Any]) -> None:
    if (after := _written(rules, name, given)) != before:
        which = next(number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
        what = type(given[which]).__name__
        raise Broken(Wrong("code.in-place", f"{name} changes what it is given: its argument {which + 1}, a {what}", name))


def _written(rules: Ruleset[Any], name: str, given: tuple[Any, ...]) -> list[Any]:
    if name in WITHOUT_POSITION or name == "dump":
        return [in_plain(each) for each in given]
    return [(canonical_json(rules.dump(given[0])), in_plain(given[0])), *(in_plain(each) for each in given[1:])]


def in_plain(value: Any) -> Any:
    """Everything in it; of dice nothing, since they are there to be rolled."""
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        return [(in_plain(key), in_plain(table[key])) for key in table]
    if isinstance(value, list | tuple):
        return [in_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, set | frozenset):
        return sorted(map(repr, cast("set[Any]", value)))
    if is_dataclass(value):
        return [in_plain(getattr(value, field.name)) for field in fields(value)]
    return value if isinstance(value, str | int | float | None) else None

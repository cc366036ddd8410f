"""Runs an author's tests once as they are, and then with each change of the code, until one of them fails.

Each change is made in a process that is forked off and ends with it.
"""

import functools
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pbmd.conformance.untested.changes import Change, changed_code, changes, in_words
from pbmd.rules import Ruleset
from pbmd.rules.registry import from_folder

_FOR_STORIES = 2.0
"""So many seconds more are for stories."""
_HANGS = 3.0
"""A test that takes longer with a change has noticed it, in seconds of processor time."""
Begins = tuple[str, str, int]
Test = Callable[[], bool]
"""Whether it passes."""
Happens = Callable[[Path, Ruleset[Any]], bool]
"""Whether the story in a file is told as it happens."""


class Untested:
    """A plugin of pytest: runs the collected tests with each change in turn, until the time is over. `left` are those that
    nobody notices, one for each line. The `stories` are those that hold without any change."""

    def __init__(self, folder: Path, seconds: float, stories: Sequence[Path], happens: Happens) -> None:
        self._folder, self._until, self._stories, self._happens = folder, _used() + seconds, stories, happens
        self.left: list[Change] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop. Stories take long, so they are told only with what no test notices."""
        tests = _with_what_they_run([functools.partial(_passes, item) for item in session.items], self._folder)
        if not any(run for _, run in tests):
            return True  # none passes as it is, which is told elsewhere
        code, left = Code(self._folder), dict[tuple[str, int], Change]()
        gc.freeze()  # else each process that is forked off copies what it only looks through
        for change in changes(self._folder):
            if _used() > self._until:
                break
            line = change.file, change.line
            if line not in left and not _is_noticed(change, tests, code):
                left[line] = change
        self.left = self._not_in_stories(left.values(), code) if left and self._stories else [*left.values()]
        return True

    def _not_in_stories(self, left: Iterable[Change], code: "Code") -> list[Change]:
        """Those that no story notices, or that there is no time for. Any function may run in a story: to look which do takes
        longer than to tell it."""
        rules = from_folder(self._folder)
        stories = [functools.partial(self._happens, file, rules) for file in self._stories]
        until = _used() + _FOR_STORIES
        return [each for each in left if _used() > until or not _is_noticed_by(stories, each, code)]


def _used() -> float:
    """Seconds of processor time, with that of processes which have ended."""
    return sum(os.times()[:4])


def _passes(item: pytest.Item) -> bool:
    return all(report.passed for report in runtestprotocol(item, log=False, nextitem=None))


def _with_what_they_run(tests: Sequence[Test], folder: Path) -> list[tuple[Test, set[Begins]]]:
    return [(test, _functions_run(test, folder)) for test in tests]


def _functions_run(test: Test, folder: Path) -> set[Begins]:
    """The functions of the folder that a test runs; none if it does not pass."""
    found: set[Begins] = set()
    within = f"{folder}/"

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(within):
            found.add((code.co_filename, code.co_name, code.co_firstlineno))

    sys.settrace(note)  # it returns nothing, so that no lines are traced: a profile would have all calls into C, too
    try:
        passed = test()
    finally:
        sys.settrace(None)
    return found if passed else set()


# --- With a change ----------------------------------------------------------------------------------------------------------


class Code:
    """The functions of a folder as they are loaded, under whatever name and however often, and what remembers results."""

    def __init__(self, folder: Path) -> None:
        within = f"{folder}/"
        self._functions: dict[Begins, list[FunctionType]] = {}
        self._caches: list[Any] = []
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(within):
                self._functions.setdefault(_begins(each.__code__), []).append(each)
            elif hasattr(type(each), "cache_clear"):
                self._caches.append(each)

    def change(self, change: Change) -> None:
        """What was remembered is forgotten."""
        code = changed_code(change)
        for each in self._functions.get(change.begins, ()):
            each.__code__ = code
        for each in self._caches:
            each.cache_clear()


def _is_noticed(change: Change, tests: Sequence[tuple[Test, set[Begins]]], code: Code) -> bool:
    """By one of the tests that run its function, in a process of its own; one that does not come back has noticed it, too."""
    running = [test for test, run in tests if change.begins in run]
    return bool(running) and _is_noticed_by(running, change, code)


def _is_noticed_by(running: Iterable[Test], change: Change, code: Code) -> bool:
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, _HANGS)
        noticed = True
        try:
            code.change(change)
            noticed = not all(test() for test in running)
        finally:
            os._exit(noticed)
    return os.waitpid(child, 0)[1] != 0


def _begins(code: CodeType) -> Begins:
    return code.co_filename, code.co_name, code.co_firstlineno


def unnoticed_changes(folder: Path, seconds: float, stories: Sequence[Path], happens: Happens) -> list[Mapping[str, Any]]:
    """What nobody has noticed."""
    plugin = Untested(folder, seconds, stories, happens)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        arguments = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir", str(folder), str(folder / "tests")]
        pytest.main(arguments, plugins=[plugin])
    left = [(each, in_words(each)) for each in sorted(plugin.left, key=lambda each: (each.file, each.line))]
    return [{"file": each.file, "line": each.line, "was": was, "now": now} for each, (was, now) in left]

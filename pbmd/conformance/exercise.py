"""What a trial has exercised of a ruleset: which rules of its grammar some accepted letter has used, and which lines of its
files have run. What was never used is not sound, but untried."""

import ast
import importlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pbmd.conformance.derivation import Derivation
from pbmd.conformance.derived_letters import readers_of
from pbmd.rules import Mail, Receipt, Ruleset, Status
from pbmd.rules.grammar import OrderReader

_NOT_OF_GAMES = frozenset({"tests", "stories", "templates", "__pycache__"})


class UnusedRule(NamedTuple):
    """A rule, an alternative or a terminal of a grammar that no accepted letter has used, and its line in ``orders.lark``, 0 if
    it is made of tables."""

    name: str
    line: int


class UnrunLines(NamedTuple):
    """Lines of a file that never ran, from 1, as ranges of first and last."""

    file: str
    ranges: tuple[tuple[int, int], ...]


class CutShort(NamedTuple):
    """A check for which there was no time in so many of its steps of games."""

    check: str
    left_out: int
    steps: int


class Exercise:
    """Notes what is exercised while a ruleset is tried; use it as a context. `runs_noted`: which lines ran is known, for which
    the package coverage is needed (the extra ``authors``)."""

    def __init__(self, rules: Ruleset[Any]) -> None:
        self._rules, self._folder = rules, Path(str(rules.info.folder))
        self._readers = readers_of(rules)
        self._heard: list[tuple[int, str]] = []
        self._accepted: dict[tuple[int, str], None] = {}
        self._tracer = _tracer(self._folder)
        self.cut_short: list[CutShort] = []

    @property
    def runs_noted(self) -> bool:
        """Whether it is known which lines ran."""
        return self._tracer is not None

    def __enter__(self) -> "Exercise":
        self._listeners = [_listener(self._heard, number) for number in range(len(self._readers))]
        for reader, listener in zip(self._readers, self._listeners, strict=True):
            reader.listeners.append(listener)
        if self._tracer:
            self._tracer.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._tracer:
            self._tracer.stop()
        for reader, listener in zip(self._readers, self._listeners, strict=True):
            reader.listeners.remove(listener)

    @contextmanager
    def paused(self) -> Generator[None]:
        """A while in which it is not noted which lines run."""
        if self._tracer:
            self._tracer.stop()
        yield
        if self._tracer:
            self._tracer.start()

    def noted(self, rules: Ruleset[Any]) -> Ruleset[Any]:
        """The rules, with the lines noted that they accept."""

        def receive(position: Any, mail: Mail) -> Receipt[Any]:
            self._heard.clear()
            receipt = rules.receive(position, mail)
            self._note(mail, receipt)
            return receipt

        receive.__wrapped__ = rules.receive  # type: ignore[attr-defined]
        return replace(rules, receive=receive)

    def _note(self, mail: Mail, receipt: Receipt[Any]) -> None:
        """What was read of a letter that is wholly accepted. A line that was read before may not be read again, so as it was
        written, and as it was understood, it counts, too."""
        if not (receipt.filed or receipt.granted) or any(each.status is Status.ERROR for each in receipt.verdicts):
            return
        understood = [line for each in receipt.verdicts for line in each.canonical.splitlines()]
        for line in (*(each.text for each in mail.lines), *understood):
            self._accepted.update(dict.fromkeys((number, line) for number in range(len(self._readers))))
        self._accepted.update(dict.fromkeys(self._heard))

    def unused_rules(self) -> list[UnusedRule]:
        """In the order of the files."""
        return [unused for number, reader in enumerate(self._readers) for unused in self._unused(number, reader)]

    def _unused(self, number: int, reader: OrderReader[Any]) -> Iterator[UnusedRule]:
        derivation = Derivation(reader.source(), ())
        used = set[str]().union(*(derivation.used_in(line) for at, line in self._accepted if at == number))
        own = (self._folder / "orders.lark").read_text(encoding="utf-8").splitlines()
        unused = (UnusedRule(name, _line_of(name, own)) for name in derivation.names() - used - {"start"})
        yield from sorted(unused, key=lambda each: (each.line or len(own), each.name))

    def unrun_lines(self) -> list[UnrunLines]:
        """Statements within functions: what stands outside has run when the ruleset was loaded."""
        if not self._tracer:
            return []
        files = (
            path for path in sorted(self._folder.rglob("*.py")) if not _NOT_OF_GAMES & {*path.relative_to(self._folder).parts}
        )
        found = (UnrunLines(str(file), _ranges(self._missing(file))) for file in files)
        return [each for each in found if each.ranges]

    def _missing(self, file: Path) -> list[int]:
        _, statements, _, missing, _ = self._tracer.analysis2(str(file))
        within = _lines_of_functions(file.read_text(encoding="utf-8"))
        return [line for line in statements if line in missing and line in within]


def _listener(heard: list[tuple[int, str]], number: int) -> Callable[[str], object]:
    def hear(line: str) -> None:
        heard.append((number, line))

    return hear


def _tracer(folder: Path) -> Any:
    """What notes the lines that run; None without the package."""
    try:
        coverage: Any = importlib.import_module("coverage")
    except ImportError:
        return None
    return coverage.Coverage(data_file=None, include=[f"{folder}/*"], config_file=False)


def _lines_of_functions(source: str) -> set[int]:
    """The lines within functions."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            found.update(line for part in body for line in range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return found


def _ranges(lines: Sequence[int]) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for line in lines:
        if ranges and line <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    return tuple(ranges)


def _line_of(name: str, lines: Sequence[str]) -> int:
    return next((number for number, line in enumerate(lines, start=1) if _defines(name, line)), 0)


def _defines(name: str, line: str) -> bool:
    head = line.lstrip("?!").partition(":")[0].partition(".")[0].strip()
    return head == name or line.partition("->")[2].split()[:1] == [name]

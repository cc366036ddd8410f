"""Several processes that each play a game of an archive again and check their share of the reports, and their findings, put
together as a single process would have had them; or one that plays by the rules inside the archive, without rights."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import IO, Any

from pbmd.archive.format.findings import GAME, JOURNAL, MOST_PROBLEMS, Archive, Findings, Problem, Progress, plain
from pbmd.archive.format.seals import MANIFESTS, SOURCE
from pbmd.archive.format.source import BrokenSource, as_folder, read_source
from pbmd.archive.verify.replay_worker import Task
from pbmd.archive.verify.time_limits import TimeLimits, end, watched
from pbmd.archive.verify.turn_by_turn import check_rest
from pbmd.edition import digest_of_source
from pbmd.rules.registry import folder_of

FEWEST_STEPS = 20
"""With fewer steps, starting other processes takes longer than it saves."""
_LONGEST_ANSWER = 256 << 20
_FOREVER = TimeLimits(float("inf"), float("inf"))
"""For rules that are trusted."""
_KEPT_ENVIRONMENT = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "VIRTUAL_ENV")
_COMMAND = (sys.executable, "-P", "-m", "pbmd.archive.verify.replay_worker")
_NOT_LOCKED_UP = (
    "nothing was played by them, since this system cannot keep them from more than computing: they could {}. It takes Linux, "
    "and seccomp. Whoever trusts them like a program of their own adds --uncaged"
)
_NOT_AS_TOLD = "nothing was played by them, since they, or what says which they are, are not what was written"
_BY_ITSELF = (
    f"The turns were played by the rules in {SOURCE}, in a process without rights{{}}: that they come out the same is the word "
    "of those rules."
)


@dataclass(frozen=True, slots=True)
class ReplayPool:
    """How many processes play, and by which rules: the name of a ruleset or the path of its folder, with a slash. If it
    `trusts` the archive, one process plays by the rules inside, within the time limits of its `patience`."""

    workers: int = 1
    rules: str = ""
    trusts: bool = False
    patience: TimeLimits = field(default_factory=TimeLimits)
    uncaged: bool = False
    """The rules inside are run even where nothing can keep them from changing things."""
    folders: tuple[Path, ...] = ()
    """Where rules are found by name before those that are installed."""

    def is_worth_it(self, steps: object) -> bool:
        """Whether a game of this many steps is worth several processes."""
        return self.workers > 1 and isinstance(steps, int) and steps >= FEWEST_STEPS

    def play(self, archive: Archive, progress: Progress) -> bool:
        """Play the game again and note every difference; returns whether it could be played to its end."""
        at_hand = folder_of(archive.findings.ruleset, self.folders)
        rules = self.rules or (str(at_hand.resolve()) if at_hand else archive.findings.ruleset)
        tasks = [Task(_folder(archive), rules, (number, self.workers)) for number in range(self.workers)]
        answers = _answers(tasks, progress, _FOREVER)
        return _put_together(archive, answers)

    def play_by_rules_inside(self, archive: Archive, digest: str, progress: Progress) -> bool:
        """The same by the rules in the archive. They are run only if their digest is the one in game.toml, and if nothing is
        wrong with either file."""
        with TemporaryDirectory() as home:
            try:
                rules = as_folder(_source_as_told(archive, digest), archive.findings.ruleset, Path(home))
            except BrokenSource as problem:
                archive.findings.add(Problem(SOURCE, str(problem)))
                return False
            task = Task(_folder(archive), str(rules), (0, 1), caged=True, uncaged=self.uncaged)
            [answer] = _answers([task], progress, self.patience)
        if "refused" in answer:
            could = ", ".join(plain(str(each)) for each in answer["refused"])
            archive.findings.add(Problem(SOURCE, _NOT_LOCKED_UP.format(could)))
            return False
        may = [plain(str(each)) for each in answer.get("may", ())]
        archive.findings.unchecked.append(_BY_ITSELF.format(f", which could still {', '.join(may)}" if may else ""))
        return _put_together(archive, [answer])


def _source_as_told(archive: Archive, digest: str) -> dict[str, bytes]:
    """The rules inside, read once: what is compared with the digest is what will be run. Raises `BrokenSource`."""
    if SOURCE not in archive.files:
        raise BrokenSource("it is not there: only archives of format 4 and later have the rules")
    source = read_source(archive.folder / SOURCE)
    doubtful = {problem.file for problem in archive.findings.problems} & {SOURCE, GAME, *MANIFESTS}
    if doubtful or archive.findings.unnamed or digest_of_source(source) != digest:
        raise BrokenSource(_NOT_AS_TOLD)
    return source


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _folder(archive: Archive) -> str:
    return str(archive.folder.absolute())


def _answers(tasks: Sequence[Task], progress: Progress, patience: TimeLimits) -> list[dict[str, Any]]:
    """What each of the processes has found. One that ends without an answer is reported as a problem."""
    done, lock = [0] * len(tasks), Lock()

    def told(number: int, line: Mapping[str, Any]) -> None:
        with lock:
            done[number] = int(line["done"])
            progress("turns", min(done), int(line["of"]))

    def one(number: int) -> dict[str, Any]:
        with _started(tasks[number]) as process, watched(process, patience) as watch:
            assert process.stdout is not None
            for line in _lines(process.stdout):
                if "done" not in line:
                    return line
                watch.told(int(line["done"]))
                told(number, line)
            return {"trouble": watch.why or f"it ended without an answer (exit code {process.wait(10)})"}

    with ThreadPoolExecutor(len(tasks)) as threads:
        return list(threads.map(one, range(len(tasks))))


@contextmanager
def _started(task: Task) -> Generator[subprocess.Popen[bytes]]:
    """A process with its task. In any case it is ended, and everything that it has started."""
    environment = {key: os.environ[key] for key in _KEPT_ENVIRONMENT if key in os.environ} | {"PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(  # noqa: S603 – nothing in the command comes from elsewhere
        _COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd="/" if task.caged else None,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended without an answer, which is reported
            process.stdin.write(json.dumps(asdict(task)).encode())
            process.stdin.close()
        try:
            yield process
        finally:
            end(process)


def _lines(answers: IO[bytes]) -> Iterator[dict[str, Any]]:
    """The answers of a process that may be running anybody's rules."""
    while line := answers.readline(_LONGEST_ANSWER):
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(answer, dict):
            return
        yield answer  # pyright: ignore[reportUnknownVariableType]


def _put_together(archive: Archive, answers: Sequence[Mapping[str, Any]]) -> bool:
    """Add the findings in the order in which a single process would have had them; returns whether the game could be played."""
    findings = archive.findings
    try:
        for trouble in {str(answer["trouble"]): None for answer in answers if "trouble" in answer}:
            findings.add(Problem(JOURNAL, f"the game could not be played again: {trouble}"[:300]))
        sound = [answer for answer in answers if "trouble" not in answer]
        _add(findings, sound)
        files = [answer["files"] for answer in answers if answer.get("files") is not None]
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        findings.add(Problem(JOURNAL, "the game could not be played again: the process that did it gave no sound answer"))
        return False
    if len(files) < len(answers):
        return False
    check_rest(archive, set(map(str, chain.from_iterable(files))))
    return True


def _add(findings: Findings, answers: Sequence[Mapping[str, Any]]) -> None:
    found = sorted(chain.from_iterable(map(_placed, answers)), key=lambda item: item[0])
    for _, problem in found:
        findings.add(problem)
    findings.unnamed += sum(int(answer["unnamed"]) for answer in answers)
    for answer in answers:
        for what, count in answer["checked"].items():
            findings.checked[plain(str(what))] = findings.checked.get(str(what), 0) + int(count)
        findings.unchecked += [plain(str(each)) for each in answer["unchecked"]]


def _placed(answer: Mapping[str, Any]) -> Iterator[tuple[tuple[int, int], Problem]]:
    """The problems, each with its place: at which stage it was found, and in which part of it."""
    problems = [Problem(**each) for each in answer["problems"][:MOST_PROBLEMS]]
    places = [(int(stage), int(part)) for stage, part in answer["places"]]
    places += repeat(places[-1] if places else (0, 0), len(problems) - len(places))
    return zip(places, problems, strict=False)
